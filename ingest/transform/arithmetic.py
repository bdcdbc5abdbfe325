"""Arithmetic on columns by Spark's ANSI rules: a result that does not fit is an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ingest.errors import ExpressionError
from ingest.transform.decimals import rescale
from ingest.transform.expressions import Operator
from schema_store.types import (
    ByteType,
    DecimalType,
    DoubleType,
    FloatType,
    ShortType,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.transform.typed import Calculated, Negated

    Function: TypeAlias = Callable[[pa.Array, pa.Array], pa.Array]

_CHECKED: dict[Operator, Function] = {
    Operator.ADD: pc.add_checked,
    Operator.SUBTRACT: pc.subtract_checked,
    Operator.MULTIPLY: pc.multiply_checked,
    Operator.DIVIDE: pc.divide_checked,
}
_FLOATING: dict[Operator, Function] = {
    Operator.ADD: pc.add,
    Operator.SUBTRACT: pc.subtract,
    Operator.MULTIPLY: pc.multiply,
    Operator.DIVIDE: pc.divide_checked,
}


def calculate(node: Calculated, left: pa.Array, right: pa.Array) -> pa.Array:
    """Calculate row by row; NULL where an operand is.

    Raises `ExpressionError` for the first pair of numbers that have no result.
    """
    function = _function(node)
    try:
        return function(left, right)
    except pa.ArrowInvalid as error:
        row = _first_failure(function, left, right)
        raise _error(node, left[row].as_py(), right[row].as_py()) from error


def negate(node: Negated, values: pa.Array) -> pa.Array:
    """Give the numbers with the other sign.

    Raises `ExpressionError` for the smallest integer, whose opposite does not fit.
    """
    if not pa.types.is_integer(values.type):
        return pc.negate(values)
    try:
        return pc.negate_checked(values)
    except pa.ArrowInvalid as error:
        smallest = str(pc.min(values).as_py())
        raise _overflow(node.text, "ARITHMETIC_OVERFLOW", smallest) from error


def _overflow(text: str, condition: str, value: str) -> ExpressionError:
    return ExpressionError(
        text,
        condition=condition,
        value=value,
        expected="a result that fits the type",
        remedy="Cast an operand to a wider type.",
    )


def _function(node: Calculated) -> Function:
    if isinstance(node.data_type, DecimalType):
        return _decimal_function(node.operator, node.data_type)
    if node.operator is Operator.REMAINDER:
        return _remainder
    if isinstance(node.data_type, FloatType | DoubleType):
        return _FLOATING[node.operator]
    return _CHECKED[node.operator]


def _remainder(left: pa.Array, right: pa.Array) -> pa.Array:
    """Give the rest of a division that cuts towards zero; it has the sign of `left`."""
    minus_one = pc.equal(right, pa.scalar(-1, right.type))
    divisor = pc.if_else(minus_one, pa.scalar(1, right.type), right)  # no overflow of the quotient
    quotient = pc.divide_checked(left, divisor)
    return pc.subtract(left, pc.multiply(quotient, divisor))


def _decimal_function(operator: Operator, result: DecimalType) -> Function:
    function = _FLOATING[operator]

    def exact(left: pa.Array, right: pa.Array) -> pa.Array:
        one, two = (_with_room(side) for side in (left, right))
        found = function(one, two)
        fitted = rescale(found, result)
        if fitted.null_count > found.null_count:
            raise pa.ArrowInvalid("decimal out of range")
        return fitted

    return exact


def _with_room(values: pa.Array) -> pa.Array:
    return values.cast(pa.decimal256(values.type.precision, values.type.scale))


def _first_failure(function: Function, left: pa.Array, right: pa.Array) -> int:
    """Find the first row that fails, by halves."""
    start, end = 0, len(left)
    while end - start > 1:
        middle = (start + end) // 2
        try:
            function(left.slice(start, middle - start), right.slice(start, middle - start))
        except pa.ArrowInvalid:
            end = middle
        else:
            start = middle
    return start


def _error(node: Calculated, left: object, right: object) -> ExpressionError:
    pair = f"{left} {node.operator.value} {right}"
    if node.operator in {Operator.DIVIDE, Operator.REMAINDER} and right == 0:
        name = "DIVIDE" if node.operator is Operator.DIVIDE else "REMAINDER"
        return ExpressionError(
            node.text,
            condition=f"{name}_BY_ZERO",
            value=pair,
            expected="a divisor other than zero",
            remedy="Filter these rows out first.",
        )
    if isinstance(node.data_type, DecimalType):
        return ExpressionError(
            node.text,
            condition="NUMERIC_VALUE_OUT_OF_RANGE",
            value=pair,
            expected="a result of at most 38 digits",
            remedy="Cast an operand to DOUBLE, or to a decimal of fewer digits.",
        )
    small = "BINARY_" if isinstance(node.data_type, ByteType | ShortType) else ""
    return _overflow(node.text, f"{small}ARITHMETIC_OVERFLOW", pair)

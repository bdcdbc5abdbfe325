"""Operators over typed operands: conversions are put in, results typed, the rest refused."""

from __future__ import annotations

from typing import NoReturn

from ingest.errors import DatatypeMismatchError, OperationNotSupportedError
from ingest.transform.expressions import OnMisfit, Operator
from ingest.transform.type_rules import (
    INTEGRAL,
    NUMERIC,
    TEMPORAL,
    TEXTUAL,
    arithmetic_types,
    common_type,
)
from ingest.transform.typed import Calculated, Compared, Constant, Converted, Negated, Typed
from schema_store.ddl import type_to_sql
from schema_store.types import (
    ArrayType,
    BooleanType,
    DataType,
    DecimalType,
    DoubleType,
    MapType,
    NullType,
    StructType,
    VariantType,
)

REMEDY = "Do it in foreachBatch, on the table afterwards, or in real Spark."
_BOOLEAN = BooleanType()
WITH_PARTS = (ArrayType, MapType, StructType, VariantType)


def convert(
    value: Typed, target: DataType, text: str, *, on_misfit: OnMisfit = OnMisfit.FAIL
) -> Typed:
    """Put a conversion around a value that is of another type; `text` is the SQL, for errors."""
    if value.data_type == target:
        return value
    if isinstance(value, Constant) and value.value is None:
        return Constant(None, target)
    return Converted(value, target, on_misfit, text)


def calculated(operator: Operator, left: Typed, right: Typed, text: str) -> Typed:
    one, two = _operand_type(left, right), _operand_type(right, left)
    if any(isinstance(kind, TEMPORAL) for kind in (one, two)):
        refuse(f"arithmetic with {type_to_sql(one if isinstance(one, TEMPORAL) else two)}")
    types = arithmetic_types(operator, one, two)
    if types is None:
        raise different(text, left.data_type, right.data_type)
    left_type, right_type, result = types
    if isinstance(result, DecimalType):
        _refuse_decimal(operator, text, (left_type, right_type))
    if operator is Operator.REMAINDER and not isinstance(result, INTEGRAL):
        refuse(f"% of {type_to_sql(result)}")
    return Calculated(
        operator,
        convert(left, left_type, text),
        convert(right, right_type, text),
        result,
        text,
    )


def _refuse_decimal(operator: Operator, text: str, types: tuple[DataType, DataType]) -> None:
    """Refuse what 256 bits cannot hold exactly, and quotients (Spark rounds them twice)."""
    one, two = types
    assert isinstance(one, DecimalType)
    assert isinstance(two, DecimalType)
    if operator in {Operator.DIVIDE, Operator.REMAINDER}:
        refuse(f"{operator.value} of decimals (in {text})")
    if operator is Operator.MULTIPLY and one.precision + two.precision >= 2 * 38:
        refuse(f"* of {type_to_sql(one)} and {type_to_sql(two)}")


def _operand_type(value: Typed, other: Typed) -> DataType:
    """Give the type; of an integer literal beside a decimal, the smallest decimal that holds it."""
    if (
        isinstance(value, Constant)
        and isinstance(value.data_type, INTEGRAL)
        and isinstance(other.data_type, DecimalType)
    ):
        return DecimalType(max(1, len(str(abs(value.value)))), 0)
    return value.data_type


def negated(value: Typed, text: str) -> Typed:
    kind = value.data_type
    if isinstance(kind, TEXTUAL):
        value = convert(value, DoubleType(), text)
    elif not isinstance(kind, NUMERIC):
        raise wrong_input(text, kind, "NUMERIC")
    return Negated(value, text)


def compared(operator: Operator, left: Typed, right: Typed, text: str) -> Typed:
    common = common_type(_operand_type(left, right), _operand_type(right, left))
    if common is None:
        raise different(text, left.data_type, right.data_type)
    refuse_parts(common, text)
    return Compared(operator, convert(left, common, text), convert(right, common, text))


def as_boolean(value: Typed, other: Typed, text: str) -> Typed:
    """Give an operand of AND or OR; a text beside a boolean is converted."""
    common = common_type(value.data_type, other.data_type)
    if not isinstance(common, BooleanType | NullType):
        raise different(text, value.data_type, other.data_type, wanted="BOOLEAN")
    return convert(value, _BOOLEAN, text)


def refuse_parts(data_type: DataType, text: str) -> None:
    if isinstance(data_type, WITH_PARTS):
        refuse(f"{text} of {type_to_sql(data_type)}")


def refuse(what: str) -> NoReturn:
    raise OperationNotSupportedError(
        what,
        of="expression",
        supported="columns, literals, casts, comparisons, arithmetic, AND, OR, NOT, IS NULL, IN,"
        " BETWEEN, LIKE, startswith, endswith, contains, current_timestamp(), input_file_name()",
        remedy=REMEDY,
    )


def different(
    text: str, left: DataType, right: DataType, *, wanted: str = "NUMERIC"
) -> DatatypeMismatchError:
    """Say that operands do not meet, or meet in a type that the operator is not for."""
    names = f'"{type_to_sql(left)}" and "{type_to_sql(right)}"'
    if common_type(left, right) is None:
        return DatatypeMismatchError(
            text,
            "BINARY_OP_DIFF_TYPES",
            f"the left and right operands of the binary operator have incompatible types ({names})",
            expected="operands of types that meet",
        )
    return DatatypeMismatchError(
        text,
        "BINARY_OP_WRONG_TYPE",
        f'the binary operator requires the input type "{wanted}", not {names}',
        expected=f"operands of the type {wanted}",
    )


def wrong_input(text: str, found: DataType, wanted: str) -> DatatypeMismatchError:
    return DatatypeMismatchError(
        text,
        "UNEXPECTED_INPUT_TYPE",
        f'the parameter requires the "{wanted}" type, but has "{type_to_sql(found)}"',
        expected=f"a value of the type {wanted}",
    )

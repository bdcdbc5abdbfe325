"""Which types meet, and what comes out: Spark's rules in ANSI mode.

Rules: `AnsiTypeCoercion`, `DecimalPrecision`, `Cast.canAnsiCast`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.transform.expressions import Operator
from schema_store.types import (
    MAX_PRECISION,
    BinaryType,
    BooleanType,
    ByteType,
    CharType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    NullType,
    ShortType,
    StringType,
    TimestampNTZType,
    TimestampType,
    VarcharType,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

INTEGRAL: tuple[type[DataType], ...] = (ByteType, ShortType, IntegerType, LongType)
FRACTIONAL: tuple[type[DataType], ...] = (FloatType, DoubleType, DecimalType)
NUMERIC = INTEGRAL + FRACTIONAL
TEXTUAL = (StringType, CharType, VarcharType)
TEMPORAL: tuple[type[DataType], ...] = (DateType, TimestampNTZType, TimestampType)
_ATOMIC = (*NUMERIC, *TEXTUAL, *TEMPORAL, BooleanType, BinaryType)
_DIGITS: dict[type[DataType], int] = {ByteType: 3, ShortType: 5, IntegerType: 10, LongType: 20}
_MIN_SCALE = 6
"""Fraction digits that a quotient or product keeps (`DecimalType.MINIMUM_ADJUSTED_SCALE`)."""


def can_cast(source: DataType, target: DataType) -> bool:
    """Tell whether a cast exists, between types without parts."""
    if source == target or isinstance(source, NullType):
        return True
    if isinstance(source, TEXTUAL):
        return isinstance(target, _ATOMIC)
    if isinstance(target, TEXTUAL):
        return isinstance(source, _ATOMIC)
    if isinstance(source, NUMERIC):
        return isinstance(target, (*NUMERIC, BooleanType, TimestampType))
    if isinstance(source, BooleanType):
        return isinstance(target, NUMERIC)
    if isinstance(source, TEMPORAL):
        numbers = NUMERIC if isinstance(source, TimestampType) else ()
        return isinstance(target, (*TEMPORAL, *numbers))
    return False


def decimal_of(data_type: DataType) -> DecimalType | None:
    """Give the decimal that holds a decimal's or an integer's values."""
    if isinstance(data_type, DecimalType):
        return data_type
    digits = _DIGITS.get(type(data_type))
    return None if digits is None else DecimalType(digits, 0)


def common_type(left: DataType, right: DataType) -> DataType | None:
    """Give the type in which two values are compared, or None (`findWiderTypeForTwo`)."""
    match left, right:
        case _ if left == right:
            return left
        case NullType(), other:
            return other
        case other, NullType():
            return other
        case ((CharType() | VarcharType() | StringType()), other):
            return _instead_of_text(other)
        case other, (CharType() | VarcharType() | StringType()):
            return _instead_of_text(other)
    if isinstance(left, NUMERIC) and isinstance(right, NUMERIC):
        return _common_number(left, right)
    if isinstance(left, TEMPORAL) and isinstance(right, TEMPORAL):
        return left if TEMPORAL.index(type(left)) > TEMPORAL.index(type(right)) else right
    return None


def common_type_of(types: Iterable[DataType]) -> DataType | None:
    """Give the type in which all are compared, or None (`findWiderCommonType`).

    Texts come last: they give way to all others.
    """
    found: DataType | None = NullType()
    for one in sorted(types, key=lambda one: isinstance(one, TEXTUAL)):
        found = None if found is None else common_type(found, one)
    return found


def _instead_of_text(other: DataType) -> DataType | None:
    """Give the type that a text is converted to (`findWiderTypeForString`)."""
    if isinstance(other, TEXTUAL):
        return StringType()
    if isinstance(other, INTEGRAL):
        return LongType()
    if isinstance(other, FRACTIONAL):
        return DoubleType()
    return other if isinstance(other, _ATOMIC) else None


def _common_number(left: DataType, right: DataType) -> DataType:
    kinds = {type(left), type(right)}
    if DoubleType in kinds:
        return DoubleType()
    if FloatType in kinds:
        return FloatType() if kinds == {FloatType} else DoubleType()
    if DecimalType in kinds:
        one, two = decimal_of(left), decimal_of(right)
        assert one is not None
        assert two is not None
        return _wider_decimal(one, two)
    return left if INTEGRAL.index(type(left)) > INTEGRAL.index(type(right)) else right


def _wider_decimal(left: DecimalType, right: DecimalType) -> DecimalType:
    scale = max(left.scale, right.scale)
    digits = max(left.integer_digits, right.integer_digits)
    if digits + scale <= MAX_PRECISION:
        return DecimalType(digits + scale, scale)
    return DecimalType(MAX_PRECISION, max(0, MAX_PRECISION - digits))


def arithmetic_types(
    operator: Operator, left: DataType, right: DataType
) -> tuple[DataType, DataType, DataType] | None:
    """Give the types that the operands are converted to, and the result's; None when none fit."""
    common = common_type(left, right)
    if isinstance(common, NullType):
        common = DoubleType()
    if not isinstance(common, NUMERIC):
        return None
    if isinstance(common, DecimalType):
        one, two = (decimal_of(_or_other(*pair)) for pair in ((left, right), (right, left)))
        assert one is not None
        assert two is not None
        return one, two, _decimal_result(operator, one, two)
    if operator is Operator.DIVIDE:
        common = DoubleType()
    return common, common, common


def _or_other(data_type: DataType, other: DataType) -> DataType:
    return other if isinstance(data_type, NullType) else data_type


def _decimal_result(operator: Operator, left: DecimalType, right: DecimalType) -> DecimalType:
    p1, s1, p2, s2 = left.precision, left.scale, right.precision, right.scale
    match operator:
        case Operator.ADD | Operator.SUBTRACT:
            scale = max(s1, s2)
            return _adjusted(max(p1 - s1, p2 - s2) + scale + 1, scale)
        case Operator.MULTIPLY:
            return _adjusted(p1 + p2 + 1, s1 + s2)
        case Operator.DIVIDE:
            scale = max(_MIN_SCALE, s1 + p2 + 1)
            return _adjusted(p1 - s1 + s2 + scale, scale)
        case _:
            scale = max(s1, s2)
            return _adjusted(min(p1 - s1, p2 - s2) + scale, scale)


def _adjusted(precision: int, scale: int) -> DecimalType:
    """Give up fraction digits where there are too many (`DecimalType.adjustPrecisionScale`)."""
    if precision <= MAX_PRECISION:
        return DecimalType(precision, scale)
    digits = precision - scale
    return DecimalType(MAX_PRECISION, max(MAX_PRECISION - digits, min(scale, _MIN_SCALE)))

"""The widening table and the decimal rule (contract 6.1, 6.2)."""

from __future__ import annotations

from schema_store.types import (
    MAX_PRECISION,
    ArrayType,
    ByteType,
    CharType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    Field,
    FloatType,
    IntegerType,
    IntegralType,
    LongType,
    MapType,
    NullType,
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
    VarcharType,
)

_INTEGRALS: tuple[IntegralType, ...] = (ByteType(), ShortType(), IntegerType(), LongType())
_INTO_DOUBLE = frozenset({ByteType(), ShortType(), IntegerType(), FloatType(), DoubleType()})


def decimal_of(data_type: DataType) -> DecimalType | None:
    """Give the decimal that an exact number counts as: (10,0) up to INT, (20,0) for BIGINT.

    Spark's own `DecimalType.forType` has smaller ones for byte and short; Auto Loader and Delta
    start at ten digits (contract 6.2).
    """
    match data_type:
        case ByteType() | ShortType() | IntegerType():
            return DecimalType(10, 0)
        case LongType():
            return DecimalType(20, 0)
        case DecimalType():
            return data_type
        case _:
            return None


def wider_decimal(left: DecimalType, right: DecimalType) -> DecimalType | None:
    """Give the decimal that keeps all digits of both; None when that takes more than 38.

    Spark `DecimalPrecision.widerDecimalType`, contract 6.2.

    >>> wider_decimal(DecimalType(10, 2), DecimalType(8, 4))
    DecimalType(precision=12, scale=4)
    """
    scale = max(left.scale, right.scale)
    precision = max(left.integer_digits, right.integer_digits) + scale
    return DecimalType(precision, scale) if precision <= MAX_PRECISION else None


def wider_integral(left: IntegralType, right: IntegralType) -> IntegralType:
    """Give the longer of two integer types."""
    return max(left, right, key=_INTEGRALS.index)


def lossless_type(left: DataType, right: DataType) -> DataType | None:
    """Give the smallest type that holds every value of two types without parts, or None."""
    if left == right or isinstance(right, NullType):
        return left
    match left, right:
        case NullType(), _:
            return right
        case (
            (ByteType() | ShortType() | IntegerType() | LongType()),
            (ByteType() | ShortType() | IntegerType() | LongType()),
        ):
            return wider_integral(left, right)
        case ((DateType() | TimestampNTZType()), (DateType() | TimestampNTZType())):
            return TimestampNTZType()
        case (
            (StringType() | CharType() | VarcharType()),
            (StringType() | CharType() | VarcharType()),
        ):
            return StringType()
    left_decimal, right_decimal = decimal_of(left), decimal_of(right)
    if left_decimal is not None and right_decimal is not None:
        return wider_decimal(left_decimal, right_decimal)
    return DoubleType() if left in _INTO_DOUBLE and right in _INTO_DOUBLE else None


def widen(current: DataType, observed: DataType, *, dates: bool = False) -> DataType | None:
    """Give the type that holds a column's values and the observed ones by the widening table.

    `current` itself when the observed values fit it already, None when no widening is legal
    (contract 6.1, 6.2). `dates` allows DATE to become TIMESTAMP_NTZ, which only Parquet does.
    Fields that are only in the observed struct do not matter here.

    >>> widen(IntegerType(), DecimalType(5, 2))
    DecimalType(precision=12, scale=2)
    >>> widen(LongType(), DoubleType()) is None
    True
    """
    match current, observed:
        case StructType(), StructType():
            return _widen_struct(current, observed, dates=dates)
        case ArrayType(element, contains_null), ArrayType(observed_element):
            wider = widen(element, observed_element, dates=dates)
            return None if wider is None else ArrayType(wider, contains_null)
        case MapType(key, value, value_contains_null), MapType(observed_key, observed_value):
            wider = widen(value, observed_value, dates=dates)
            if wider is None or widen(key, observed_key) != key:
                return None
            return MapType(key, wider, value_contains_null)
        case _:
            return _widen_plain(current, observed, dates=dates)


def _widen_struct(current: StructType, observed: StructType, *, dates: bool) -> StructType | None:
    fields: list[Field] = []
    for field in current:
        other = observed.find_ignoring_case(field.name)
        wider = widen(field.data_type, other.data_type, dates=dates) if other else field.data_type
        if wider is None:
            return None
        fields.append(Field(field.name, wider, field.nullable, field.metadata))
    return StructType(tuple(fields))


def _widen_plain(current: DataType, observed: DataType, *, dates: bool) -> DataType | None:
    common = lossless_type(current, observed)
    if common is None or common == current:
        return common
    match current:
        case NullType() | CharType() | VarcharType():
            return None
        case DateType():
            return common if dates else None
        case _:
            return common

"""Schemas as Arrow sees them, both ways.

Timestamps are microseconds: `TIMESTAMP` with the zone UTC, `TIMESTAMP_NTZ` without a zone (Spark's
`ArrowUtils.toArrowType`). Intervals are months (`int32`) and microsecond durations.
"""

from __future__ import annotations

import pyarrow as pa

from ingest.errors import UnsupportedArrowTypeError
from schema_store.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    ByteType,
    CharType,
    DataType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    DoubleType,
    Field,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    NullType,
    Schema,
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
    VarcharType,
    VariantType,
    YearMonthIntervalType,
)

_VARIANT = pa.struct([pa.field("value", pa.binary()), pa.field("metadata", pa.binary())])

_FIXED: dict[type[DataType], pa.DataType] = {
    NullType: pa.null(),
    BooleanType: pa.bool_(),
    ByteType: pa.int8(),
    ShortType: pa.int16(),
    IntegerType: pa.int32(),
    LongType: pa.int64(),
    FloatType: pa.float32(),
    DoubleType: pa.float64(),
    StringType: pa.string(),
    BinaryType: pa.binary(),
    DateType: pa.date32(),
    TimestampType: pa.timestamp("us", tz="UTC"),
    TimestampNTZType: pa.timestamp("us"),
}

_FROM_ID: dict[int, DataType] = {
    pa.null().id: NullType(),
    pa.bool_().id: BooleanType(),
    pa.int8().id: ByteType(),
    pa.int16().id: ShortType(),
    pa.uint8().id: ShortType(),
    pa.int32().id: IntegerType(),
    pa.uint16().id: IntegerType(),
    pa.int64().id: LongType(),
    pa.uint32().id: LongType(),
    pa.uint64().id: DecimalType(20, 0),
    pa.float32().id: FloatType(),
    pa.float64().id: DoubleType(),
    pa.string().id: StringType(),
    pa.large_string().id: StringType(),
    pa.string_view().id: StringType(),
    pa.binary().id: BinaryType(),
    pa.large_binary().id: BinaryType(),
    pa.binary_view().id: BinaryType(),
    pa.date32().id: DateType(),
}


def to_arrow_type(data_type: DataType) -> pa.DataType:
    """Give the Arrow type that holds this type's values.

    >>> to_arrow_type(DecimalType(10, 2))
    Decimal128Type(decimal128(10, 2))
    """
    match data_type:
        case DecimalType(precision, scale):
            return pa.decimal128(precision, scale)
        case CharType() | VarcharType():
            return pa.string()
        case VariantType():
            return _VARIANT
        case YearMonthIntervalType():
            return pa.int32()
        case DayTimeIntervalType():
            return pa.duration("us")
        case ArrayType(element, contains_null):
            return pa.list_(pa.field("element", to_arrow_type(element), nullable=contains_null))
        case MapType(key, value, value_contains_null):
            item = pa.field("value", to_arrow_type(value), nullable=value_contains_null)
            return pa.map_(to_arrow_type(key), item)
        case StructType(fields):
            return pa.struct([_to_arrow_field(field) for field in fields])
        case _:
            return _FIXED[type(data_type)]


def to_arrow_schema(schema: Schema) -> pa.Schema:
    """Give the Arrow schema with the same fields in the same order."""
    return pa.schema([_to_arrow_field(field) for field in schema])


def from_arrow_type(arrow_type: pa.DataType) -> DataType:
    """Give the type that Spark reads from this Arrow type (`ArrowUtils.fromArrowType`).

    Raises `UnsupportedArrowTypeError` where Spark has no type for it.
    """
    known = _FROM_ID.get(arrow_type.id)
    if known is not None:
        return known
    types = pa.types
    if types.is_decimal(arrow_type):
        return DecimalType(arrow_type.precision, arrow_type.scale)
    if types.is_timestamp(arrow_type):
        return TimestampNTZType() if arrow_type.tz is None else TimestampType()
    if types.is_list(arrow_type) or types.is_large_list(arrow_type):
        element = arrow_type.value_field
        return ArrayType(from_arrow_type(element.type), element.nullable)
    if types.is_map(arrow_type):
        item = arrow_type.item_field
        key = from_arrow_type(arrow_type.key_type)
        return MapType(key, from_arrow_type(item.type), item.nullable)
    if types.is_struct(arrow_type):
        return StructType(tuple(_from_arrow_field(field) for field in arrow_type))
    raise UnsupportedArrowTypeError(str(arrow_type))


def from_arrow_schema(schema: pa.Schema) -> Schema:
    """Give the schema with the same fields in the same order."""
    return StructType(tuple(_from_arrow_field(field) for field in schema))


def _to_arrow_field(field: Field) -> pa.Field:
    return pa.field(field.name, to_arrow_type(field.data_type), nullable=field.nullable)


def _from_arrow_field(field: pa.Field) -> Field:
    return Field(field.name, from_arrow_type(field.type), nullable=field.nullable)

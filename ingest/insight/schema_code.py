"""A schema as code to paste: for PyArrow and for PySpark."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
    VarcharType,
    VariantType,
    YearMonthIntervalType,
)

if TYPE_CHECKING:
    from schema_store.types import Schema

_ARROW: dict[type[DataType], str] = {
    NullType: "pa.null()",
    BooleanType: "pa.bool_()",
    ByteType: "pa.int8()",
    ShortType: "pa.int16()",
    IntegerType: "pa.int32()",
    LongType: "pa.int64()",
    FloatType: "pa.float32()",
    DoubleType: "pa.float64()",
    StringType: "pa.string()",
    CharType: "pa.string()",
    VarcharType: "pa.string()",
    BinaryType: "pa.binary()",
    DateType: "pa.date32()",
    TimestampType: 'pa.timestamp("us", tz="UTC")',
    TimestampNTZType: 'pa.timestamp("us")',
    VariantType: 'pa.struct([pa.field("value", pa.binary()), pa.field("metadata", pa.binary())])',
    YearMonthIntervalType: "pa.int32()",
    DayTimeIntervalType: 'pa.duration("us")',
}


def arrow_code(schema: Schema) -> str:
    """Write a schema as PyArrow code.

    >>> from schema_store.ddl import parse_ddl
    >>> print(arrow_code(parse_ddl("id BIGINT")))
    import pyarrow as pa
    <BLANKLINE>
    schema = pa.schema([
        pa.field("id", pa.int64()),
    ])
    """
    lines = [f"    {_arrow_field(field)}," for field in schema]
    return "\n".join(["import pyarrow as pa", "", "schema = pa.schema([", *lines, "])"])


def pyspark_code(schema: Schema) -> str:
    """Write a schema as PySpark code.

    >>> from schema_store.ddl import parse_ddl
    >>> print(pyspark_code(parse_ddl("id BIGINT")).splitlines()[-2].strip())
    T.StructField("id", T.LongType(), True),
    """
    lines = [f"    {_pyspark_field(field)}," for field in schema]
    head = ["from pyspark.sql import types as T", "", "schema = T.StructType(["]
    return "\n".join([*head, *lines, "])"])


def _text(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"' if escaped.isprintable() else repr(name)


def _arrow_field(field: Field) -> str:
    extra = "" if field.nullable else ", nullable=False"
    return f"pa.field({_text(field.name)}, {_arrow(field.data_type)}{extra})"


def _arrow(data_type: DataType) -> str:
    match data_type:
        case DecimalType(precision, scale):
            return f"pa.decimal128({precision}, {scale})"
        case StructType(fields):
            return f"pa.struct([{', '.join(map(_arrow_field, fields))}])"
        case ArrayType(element):
            return f"pa.list_({_arrow(element)})"
        case MapType(key, value):
            return f"pa.map_({_arrow(key)}, {_arrow(value)})"
        case _:
            return _ARROW[type(data_type)]


def _pyspark_field(field: Field) -> str:
    return f"T.StructField({_text(field.name)}, {_pyspark(field.data_type)}, {field.nullable})"


def _pyspark(data_type: DataType) -> str:
    name = type(data_type).__name__
    match data_type:
        case DecimalType(precision, scale):
            return f"T.DecimalType({precision}, {scale})"
        case StructType(fields):
            return f"T.StructType([{', '.join(map(_pyspark_field, fields))}])"
        case ArrayType(element, contains_null):
            return f"T.ArrayType({_pyspark(element)}, {contains_null})"
        case MapType(key, value, contains_null):
            return f"T.MapType({_pyspark(key)}, {_pyspark(value)}, {contains_null})"
        case CharType(length) | VarcharType(length):
            return f"T.{name}({length})"
        case DayTimeIntervalType(start, end) | YearMonthIntervalType(start, end):
            return f"T.{name}({start}, {end})"
        case _:
            return f"T.{name}()"

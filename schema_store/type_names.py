"""How types are written: as SQL, as Spark's `catalogString`, by their names in schema JSON."""

from __future__ import annotations

import re
from typing import Any

import orjson

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
    FieldPath,
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

PLAIN_TYPES: dict[DataType, tuple[str, str]] = {
    NullType(): ("VOID", "void"),
    BooleanType(): ("BOOLEAN", "boolean"),
    ByteType(): ("TINYINT", "byte"),
    ShortType(): ("SMALLINT", "short"),
    IntegerType(): ("INT", "integer"),
    LongType(): ("BIGINT", "long"),
    FloatType(): ("FLOAT", "float"),
    DoubleType(): ("DOUBLE", "double"),
    StringType(): ("STRING", "string"),
    BinaryType(): ("BINARY", "binary"),
    DateType(): ("DATE", "date"),
    TimestampType(): ("TIMESTAMP", "timestamp"),
    TimestampNTZType(): ("TIMESTAMP_NTZ", "timestamp_ntz"),
    VariantType(): ("VARIANT", "variant"),
}
"""Types without parameters: their SQL and JSON names (Spark `DataType.sql`, `typeName`)."""

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)


def quote_name(name: str) -> str:
    """Put a name in backticks when it needs them (Spark `QuotingUtils.quoteIfNeeded`).

    >>> quote_name("id"), quote_name("order id")
    ('id', '`order id`')
    """
    if _PLAIN_NAME.match(name):
        return name
    return "`" + name.replace("`", "``") + "`"


def path_text(path: FieldPath) -> str:
    """Write a path as schema hints do.

    >>> path_text(("users", "element", "first name"))
    'users.element.`first name`'
    """
    return ".".join(quote_name(step) for step in path)


def type_to_sql(data_type: DataType) -> str:
    """Write a type as Spark's `DataType.sql` does.

    >>> type_to_sql(ArrayType(LongType()))
    'ARRAY<BIGINT>'
    """
    match data_type:
        case DecimalType(precision, scale):
            return f"DECIMAL({precision},{scale})"
        case CharType(length):
            return f"CHAR({length})"
        case VarcharType(length):
            return f"VARCHAR({length})"
        case YearMonthIntervalType() | DayTimeIntervalType():
            return interval_name(data_type).upper()
        case ArrayType(element):
            return f"ARRAY<{type_to_sql(element)}>"
        case MapType(key, value):
            return f"MAP<{type_to_sql(key)}, {type_to_sql(value)}>"
        case StructType(fields):
            return f"STRUCT<{', '.join(_nested_field_sql(field) for field in fields)}>"
        case _:
            return PLAIN_TYPES[data_type][0]


def type_to_simple_string(data_type: DataType) -> str:
    """Write a type as Spark's `catalogString` does.

    >>> type_to_simple_string(StructType((Field("a", LongType()),)))
    'struct<a:bigint>'
    """
    match data_type:
        case ArrayType(element):
            return f"array<{type_to_simple_string(element)}>"
        case MapType(key, value):
            return f"map<{type_to_simple_string(key)},{type_to_simple_string(value)}>"
        case StructType(fields):
            inner = ",".join(f"{f.name}:{type_to_simple_string(f.data_type)}" for f in fields)
            return f"struct<{inner}>"
        case _:
            return type_to_sql(data_type).lower()


def interval_name(interval: YearMonthIntervalType | DayTimeIntervalType) -> str:
    """Name an interval type, for example `interval day to second` (Spark `typeName`)."""
    start, end = interval.NAMES[interval.start], interval.NAMES[interval.end]
    return f"interval {start}" if start == end else f"interval {start} to {end}"


def column_suffix(field: Field) -> str:
    """Write what follows a column's type: `NOT NULL`, `COMMENT '…'` (Spark `StructField.sql`)."""
    comment = _comment(field)
    escaped = comment.replace("\\", "\\\\").replace("'", "\\'")
    return ("" if field.nullable else " NOT NULL") + (f" COMMENT '{escaped}'" if comment else "")


def _nested_field_sql(field: Field) -> str:
    return f"{quote_name(field.name)}: {type_to_sql(field.data_type)}{column_suffix(field)}"


def _comment(field: Field) -> str:
    if field.metadata == "{}":
        return ""
    metadata: dict[str, Any] = orjson.loads(field.metadata)
    return str(metadata.get("comment", ""))

"""Schemas as Spark's schema JSON, both ways (Spark `StructType.json`, `DataType.fromJson`)."""

from __future__ import annotations

import re
from typing import Any

import orjson

from schema_store.errors import InvalidDecimalError, InvalidSchemaError, SchemaJsonError
from schema_store.type_names import PLAIN_TYPES, interval_name, type_to_simple_string
from schema_store.types import (
    ArrayType,
    CharType,
    DataType,
    DayTimeIntervalType,
    DecimalType,
    Field,
    MapType,
    Schema,
    StructType,
    TimestampType,
    VarcharType,
    YearMonthIntervalType,
)

_INTERVALS: dict[str, DataType] = {
    interval_name(interval): interval
    for kind in (YearMonthIntervalType, DayTimeIntervalType)
    for start in range(len(kind.NAMES))
    for interval in (kind(start, end) for end in range(start, len(kind.NAMES)))
}
_NAMED_TYPES: dict[str, DataType] = {
    **{name: data_type for data_type, (_, name) in PLAIN_TYPES.items()},
    **_INTERVALS,
    "timestamp_ltz": TimestampType(),
    "decimal": DecimalType(10, 0),
}
_DECIMAL = re.compile(r"decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)", re.ASCII)
_CHARS = re.compile(r"(var)?char\(\s*(\d+)\s*\)", re.ASCII)


def schema_to_json(schema: Schema) -> str:
    """Write a schema as Spark does: compact, keys in Spark's order.

    >>> schema_to_json(StructType(()))
    '{"type":"struct","fields":[]}'
    """
    return orjson.dumps(_to_value(schema)).decode()


def schema_from_json(text: str | bytes) -> Schema:
    """Read a schema as Spark does; `nullable` and `metadata` may be left out.

    Raises `SchemaJsonError` that says where the text is wrong.
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise SchemaJsonError(f"position {error.pos}", f"JSON ({error.msg})") from error
    data_type = _from_value(value, "$")
    if not isinstance(data_type, StructType):
        raise SchemaJsonError("$", 'a struct at the top: {"type":"struct","fields":[…]}')
    return data_type


def _to_value(data_type: DataType) -> str | dict[str, Any]:
    match data_type:
        case ArrayType(element, contains_null):
            return {
                "type": "array",
                "elementType": _to_value(element),
                "containsNull": contains_null,
            }
        case MapType(key, value, value_contains_null):
            return {
                "type": "map",
                "keyType": _to_value(key),
                "valueType": _to_value(value),
                "valueContainsNull": value_contains_null,
            }
        case StructType(fields):
            return {"type": "struct", "fields": [_field_to_value(field) for field in fields]}
        case (
            DecimalType()
            | CharType()
            | VarcharType()
            | YearMonthIntervalType()
            | DayTimeIntervalType()
        ):
            return type_to_simple_string(data_type)
        case _:
            return PLAIN_TYPES[data_type][1]


def _field_to_value(field: Field) -> dict[str, Any]:
    return {
        "name": field.name,
        "type": _to_value(field.data_type),
        "nullable": field.nullable,
        "metadata": orjson.Fragment(field.metadata),
    }


def _from_value(value: object, where: str) -> DataType:
    match value:
        case str(name):
            return _from_name(name, where)
        case {"type": "array", "elementType": element, "containsNull": bool(contains_null)}:
            return ArrayType(_from_value(element, f"{where}.elementType"), contains_null)
        case {
            "type": "map",
            "keyType": key,
            "valueType": map_value,
            "valueContainsNull": bool(value_contains_null),
        }:
            return MapType(
                _from_value(key, f"{where}.keyType"),
                _from_value(map_value, f"{where}.valueType"),
                value_contains_null,
            )
        case {"type": "struct", "fields": [*fields]}:
            return _struct_from_values(fields, where)
        case _:
            raise SchemaJsonError(where, "a type: its name, or a struct, array or map object")


def _struct_from_values(values: list[object], where: str) -> StructType:
    fields = tuple(
        _field_from_value(value, f"{where}.fields[{index}]") for index, value in enumerate(values)
    )
    try:
        return StructType(fields)
    except InvalidSchemaError as error:
        raise SchemaJsonError(where, f"other names ({error})") from error


def _field_from_value(value: object, where: str) -> Field:
    if not isinstance(value, dict):
        raise SchemaJsonError(where, "an object")
    name = value.get("name")
    nullable = value.get("nullable", True)
    metadata = value.get("metadata", {})
    if not isinstance(name, str):
        raise SchemaJsonError(f"{where}.name", "a text")
    if not isinstance(nullable, bool):
        raise SchemaJsonError(f"{where}.nullable", "true or false")
    if not isinstance(metadata, dict):
        raise SchemaJsonError(f"{where}.metadata", "an object")
    data_type = _from_value(value.get("type"), f"{where}.type")
    return Field(name, data_type, nullable, orjson.dumps(metadata).decode())


def _from_name(name: str, where: str) -> DataType:
    named = _NAMED_TYPES.get(name)
    if named is not None:
        return named
    if chars := _CHARS.fullmatch(name):
        return (VarcharType if chars[1] else CharType)(int(chars[2]))
    if decimal := _DECIMAL.fullmatch(name):
        try:
            return DecimalType(int(decimal[1]), int(decimal[2]))
        except InvalidDecimalError as error:
            raise SchemaJsonError(where, f"another decimal ({error})") from error
    raise SchemaJsonError(where, f"a type name of Spark, not {name!r}")

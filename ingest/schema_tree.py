"""A schema as Spark's `printSchema` prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schema_store.ddl import type_to_simple_string
from schema_store.types import ArrayType, DataType, MapType, Schema, StructType

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONG_NAMES = {"int": "integer", "bigint": "long", "smallint": "short", "tinyint": "byte"}


def schema_tree(schema: Schema) -> str:
    """Give the schema as Spark's `printSchema` prints it."""
    return "\n".join(["root", *_tree(schema, " |")])


def _tree(struct: StructType, indent: str) -> Iterator[str]:
    for field in struct:
        nullable = str(field.nullable).lower()
        kind = _kind(field.data_type)
        yield f"{indent}-- {field.name}: {kind} (nullable = {nullable})"
        yield from _inside(field.data_type, f"{indent}    |")


def _inside(data_type: DataType, indent: str) -> Iterator[str]:
    match data_type:
        case StructType():
            yield from _tree(data_type, indent)
        case ArrayType(element, contains_null):
            null = str(contains_null).lower()
            yield f"{indent}-- element: {_kind(element)} (containsNull = {null})"
            yield from _inside(element, f"{indent}    |")
        case MapType(key, value, contains_null):
            null = str(contains_null).lower()
            yield f"{indent}-- key: {_kind(key)}"
            yield f"{indent}-- value: {_kind(value)} (valueContainsNull = {null})"
            yield from _inside(value, f"{indent}    |")
        case _:
            return


def _kind(data_type: DataType) -> str:
    match data_type:
        case StructType():
            return "struct"
        case ArrayType():
            return "array"
        case MapType():
            return "map"
        case _:
            name = type_to_simple_string(data_type)
            return _LONG_NAMES.get(name, name)

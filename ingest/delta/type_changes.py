"""The record of widened types in field metadata (PROTOCOL.md, "Type Change Metadata")."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from schema_store.type_names import PLAIN_TYPES, type_to_simple_string
from schema_store.types import (
    ELEMENT,
    KEY,
    VALUE,
    ArrayType,
    DataType,
    DecimalType,
    Field,
    FieldPath,
    MapType,
    NullType,
    StructType,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schema_store.types import Schema

TYPE_CHANGES = "delta.typeChanges"


def record_type_changes(old: Schema, new: Schema) -> Schema:
    """Give the new schema with its changes of types recorded at the nearest struct field.

    A change inside an array or a map tells the `fieldPath` from that field: `element`, `key`,
    `value`, or several of them with dots.
    """
    return _recorded(old, new)


def _recorded(old: StructType, new: StructType) -> StructType:
    return StructType(tuple(_recorded_field(old.find(field.name), field) for field in new))


def _recorded_field(old: Field | None, new: Field) -> Field:
    if old is None:
        return new
    changes = [
        _change(path, before, after)
        for path, before, after in _changes((), old.data_type, new.data_type)
    ]
    data_type = _recorded_inside(old.data_type, new.data_type)
    if not changes:
        return Field(new.name, data_type, new.nullable, new.metadata)
    metadata: dict[str, Any] = orjson.loads(new.metadata)
    metadata[TYPE_CHANGES] = [*metadata.get(TYPE_CHANGES, ()), *changes]
    return Field(new.name, data_type, new.nullable, orjson.dumps(metadata).decode())


def _change(path: FieldPath, before: DataType, after: DataType) -> dict[str, str]:
    change = {"fromType": _type_name(before), "toType": _type_name(after)}
    return {**change, "fieldPath": ".".join(path)} if path else change


def _type_name(data_type: DataType) -> str:
    """Give the name in schema JSON of a type without parts."""
    if isinstance(data_type, DecimalType):
        return type_to_simple_string(data_type)
    return PLAIN_TYPES[data_type][1]


def _changes(
    path: FieldPath, old: DataType, new: DataType
) -> Iterator[tuple[FieldPath, DataType, DataType]]:
    """Give the changes up to the next struct: those below it are recorded at its fields."""
    match old, new:
        case (StructType(), StructType()) | (NullType(), _):
            pass
        case ArrayType(a), ArrayType(b):
            yield from _changes((*path, ELEMENT), a, b)
        case MapType(a, a_value), MapType(b, b_value):
            yield from _changes((*path, KEY), a, b)
            yield from _changes((*path, VALUE), a_value, b_value)
        case _ if old != new:
            yield path, old, new
        case _:
            pass


def _recorded_inside(old: DataType, new: DataType) -> DataType:
    match old, new:
        case StructType(), StructType():
            return _recorded(old, new)
        case ArrayType(a), ArrayType(b, contains_null):
            return ArrayType(_recorded_inside(a, b), contains_null)
        case MapType(a, a_value), MapType(b, b_value, contains_null):
            return MapType(
                _recorded_inside(a, b), _recorded_inside(a_value, b_value), contains_null
            )
        case _:
            return new

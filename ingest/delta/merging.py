"""What becomes of a table's type when values of another type come (contract 6.1, 8.2).

Delta's own widening table: it reaches map keys, which Auto Loader's does not, and dates become
timestamps without a zone whatever the format (PROTOCOL.md, "Type Widening").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from schema_store.type_names import path_text
from schema_store.types import (
    ELEMENT,
    KEY,
    VALUE,
    ArrayType,
    CharType,
    DataType,
    Field,
    FieldPath,
    MapType,
    NullType,
    StringType,
    StructType,
    VarcharType,
)
from schema_store.widening import lossless_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schema_store.types import Schema


_TABLES_OWN = ("delta.", "CURRENT_DEFAULT", "EXISTS_DEFAULT")


class TypesDoNotMergeError(Exception):
    """No type holds both; caught by the guard, which knows the table."""

    def __init__(self, path: FieldPath, table: DataType, incoming: DataType) -> None:
        self.path = path
        self.table = table
        self.incoming = incoming
        super().__init__(path_text(path))


def held_type(table: DataType, incoming: DataType) -> DataType | None:
    """Give the type that holds values of both, or None; the table's own if it holds them already.

    Only for types without parts.

    >>> from schema_store.types import IntegerType, LongType
    >>> held_type(LongType(), IntegerType())
    LongType()
    """
    if isinstance(table, ArrayType | MapType | StructType) or isinstance(
        incoming, ArrayType | MapType | StructType
    ):
        return None
    return lossless_type(table, incoming)


def stored_schema(schema: Schema) -> Schema:
    """Give a stream's schema as a table stores it: all nullable, all text STRING, VOID too.

    Delta makes what a write brings nullable (`ImplicitMetadataOperation`, `asNullable`); Auto
    Loader has STRING where nothing but NULL was seen. What another Delta table has noted of a
    column (ids, type changes, defaults) does not come along; comments do.
    """
    return StructType(tuple(_stored_field(field) for field in schema))


def _stored_field(field: Field) -> Field:
    return Field(
        field.name,
        _stored_type(field.data_type),
        nullable=True,
        metadata=_stored_metadata(field.metadata),
    )


def _stored_metadata(metadata: str) -> str:
    if metadata == "{}":
        return metadata
    known = orjson.loads(metadata)
    kept = {key: value for key, value in known.items() if not key.startswith(_TABLES_OWN)}
    return metadata if len(kept) == len(known) else orjson.dumps(kept).decode()


def _stored_type(data_type: DataType) -> DataType:
    match data_type:
        case NullType() | CharType() | VarcharType():
            return StringType()
        case ArrayType(element):
            return ArrayType(_stored_type(element))
        case MapType(key, value):
            return MapType(_stored_type(key), _stored_type(value))
        case StructType(fields):
            return StructType(tuple(_stored_field(field) for field in fields))
        case _:
            return data_type


def merge_into(table: Schema, stream: Schema) -> Schema:
    """Give the table's schema after the stream's columns have come.

    The table's columns keep their place, spelling, nullability and metadata; new columns and new
    fields of structs come at the end. Raises `TypesDoNotMergeError`.
    """
    return _merge_structs((), table, stream)


def _merge_structs(path: FieldPath, table: StructType, stream: StructType) -> StructType:
    kept = tuple(_merge_field(path, field, stream) for field in table)
    new = tuple(field for field in stream if table.find_ignoring_case(field.name) is None)
    return StructType(kept + new)


def _merge_field(path: FieldPath, field: Field, stream: StructType) -> Field:
    other = stream.find_ignoring_case(field.name)
    if other is None:
        return field
    merged = _merge((*path, field.name), field.data_type, other.data_type)
    return Field(field.name, merged, field.nullable, field.metadata)


def _merge(path: FieldPath, table: DataType, stream: DataType) -> DataType:
    match table, stream:
        case StructType(), StructType():
            return _merge_structs(path, table, stream)
        case ArrayType(element, contains_null), ArrayType(other):
            return ArrayType(_merge((*path, ELEMENT), element, other), contains_null)
        case MapType(key, value, contains_null), MapType(other_key, other_value):
            return MapType(
                _merge((*path, KEY), key, other_key),
                _merge((*path, VALUE), value, other_value),
                contains_null,
            )
        case NullType(), _:
            return stream
        case _:
            merged = held_type(table, stream)
            if merged is None:
                raise TypesDoNotMergeError(path, table, stream)
            return merged


def added_columns(old: Schema, new: Schema) -> tuple[str, ...]:
    """List the paths of the columns and fields that only the new schema has."""
    return tuple(
        path_text(path) for path, before, _ in _differences((), old, new) if before is None
    )


def widened_columns(old: Schema, new: Schema) -> tuple[tuple[str, DataType, DataType], ...]:
    """List path, old type and new type of what has another type without parts now."""
    return tuple(
        (path_text(path), before, after)
        for path, before, after in _differences((), old, new)
        if before is not None
    )


def _differences(
    path: FieldPath, old: DataType, new: DataType
) -> Iterator[tuple[FieldPath, DataType | None, DataType]]:
    match old, new:
        case StructType(), StructType():
            for field in new:
                other = old.find(field.name)
                if other is None:
                    yield (*path, field.name), None, field.data_type
                else:
                    yield from _differences((*path, field.name), other.data_type, field.data_type)
        case ArrayType(a), ArrayType(b):
            yield from _differences((*path, ELEMENT), a, b)
        case MapType(a, a_value), MapType(b, b_value):
            yield from _differences((*path, KEY), a, b)
            yield from _differences((*path, VALUE), a_value, b_value)
        case _ if old != new:
            yield path, old, new
        case _:
            pass

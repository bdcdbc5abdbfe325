"""Rows in a table's types: checked casts at every depth, by field name.

A cast is made only where the wider type holds every value of the narrower one (contract 6.1), so
that nothing is rounded or cut without a word; fields that the rows lack are NULL, fields that only
the rows have are left out. Arrow's own casts of maps and structs do neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from ingest.arrow import from_arrow_type, to_arrow_type
from ingest.delta.merging import held_type
from ingest.errors import NotNullViolatedError, ValueCastError
from schema_store.type_names import path_text, type_to_sql
from schema_store.types import (
    ELEMENT,
    KEY,
    VALUE,
    ArrayType,
    DataType,
    Field,
    FieldPath,
    MapType,
    Schema,
    StructType,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def logical_name(field: Field) -> str:
    """Give the name that users see."""
    return field.name


@dataclass(frozen=True, slots=True)
class Naming:
    """How the fields of the schema are called in the rows that come, and in those that go."""

    incoming: Callable[[Field], str] = logical_name
    outgoing: Callable[[Field], str] = logical_name


LOGICAL = Naming()


def cast_table(rows: pa.Table, schema: Schema, naming: Naming = LOGICAL) -> pa.Table:
    """Give rows the schema's columns, in its order and types.

    Raises `ValueCastError` for types where a value might be changed, and `NotNullViolatedError`.
    """
    by_name = {name.lower(): at for at, name in enumerate(rows.column_names)}
    columns: list[pa.ChunkedArray] = []
    for field in schema:
        at = by_name.get(naming.incoming(field).lower())
        column = None if at is None else rows.column(at)
        columns.append(_cast_column(column, rows.num_rows, field, naming))
    fields = [
        pa.field(naming.outgoing(field), column.type)
        for field, column in zip(schema, columns, strict=True)
    ]
    if not fields:
        return rows.select([])
    return pa.Table.from_arrays(columns, schema=pa.schema(fields))


def arrow_type(data_type: DataType, naming: Naming = LOGICAL) -> pa.DataType:
    """Give the Arrow type that casts to this type result in; everything in it is nullable."""
    match data_type:
        case StructType(fields):
            return pa.struct(
                [pa.field(naming.outgoing(f), arrow_type(f.data_type, naming)) for f in fields]
            )
        case ArrayType(element):
            return pa.list_(pa.field("element", arrow_type(element, naming)))
        case MapType(key, value):
            return pa.map_(arrow_type(key, naming), pa.field("value", arrow_type(value, naming)))
        case _:
            return to_arrow_type(data_type)


def _cast_column(
    column: pa.ChunkedArray | None, count: int, field: Field, naming: Naming
) -> pa.ChunkedArray:
    path = (field.name,)
    if column is None:
        cast = pa.chunked_array([pa.nulls(count, arrow_type(field.data_type, naming))])
    else:
        chunks = [cast_array(chunk, field.data_type, path, naming) for chunk in column.chunks]
        cast = pa.chunked_array(chunks, type=arrow_type(field.data_type, naming))
    if not field.nullable and cast.null_count:
        raise NotNullViolatedError(path_text(path))
    return cast


def cast_array(
    array: pa.Array, target: DataType, path: FieldPath, naming: Naming = LOGICAL
) -> pa.Array:
    """Give an array of the type; `path` names it in errors."""
    wanted = arrow_type(target, naming)
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if array.type == wanted and not _has_parts(target):
        return array
    if pa.types.is_null(array.type):
        return pa.nulls(len(array), wanted)
    match target:
        case StructType() if pa.types.is_struct(array.type):
            return _cast_struct(array, target, path, naming)
        case ArrayType() if _is_list(array.type):
            return _cast_list(array, target, path, naming)
        case MapType() if pa.types.is_map(array.type):
            return _cast_map(array, target, path, naming)
        case _:
            return _cast_plain(array, target, path)


def _has_parts(data_type: DataType) -> bool:
    """Tell whether types can be equal although the parts need a look: NOT NULL, other names."""
    return isinstance(data_type, StructType | ArrayType | MapType)


def _is_list(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    )


def _cast_plain(array: pa.Array, target: DataType, path: FieldPath) -> pa.Array:
    source = from_arrow_type(array.type)
    if held_type(target, source) != target:
        raise ValueCastError(path_text(path), type_to_sql(source), type_to_sql(target))
    try:
        return array.cast(to_arrow_type(target), safe=True)
    except pa.ArrowInvalid as error:
        raise ValueCastError(
            path_text(path), type_to_sql(source), type_to_sql(target), reason=str(error)
        ) from error


def _cast_struct(
    array: pa.StructArray, target: StructType, path: FieldPath, naming: Naming
) -> pa.Array:
    parts = {
        field.name.lower(): part for field, part in zip(array.type, array.flatten(), strict=True)
    }
    columns: list[pa.Array] = []
    for field in target:
        inner = (*path, field.name)
        part = parts.get(naming.incoming(field).lower())
        kind = arrow_type(field.data_type, naming)
        if part is None:
            columns.append(pa.nulls(len(array), kind))
        else:
            columns.append(cast_array(part, field.data_type, inner, naming))
        if not field.nullable and columns[-1].null_count > array.null_count:
            raise NotNullViolatedError(path_text(inner))
    fields = [
        pa.field(naming.outgoing(field), column.type)
        for field, column in zip(target, columns, strict=True)
    ]
    mask = array.is_null() if array.null_count else None
    if not fields:
        return array.cast(pa.struct([]))
    return pa.StructArray.from_arrays(columns, fields=fields, mask=mask)


def _cast_list(array: pa.Array, target: ArrayType, path: FieldPath, naming: Naming) -> pa.Array:
    """Cast a list's elements; `flatten` leaves out those below NULL and outside a slice."""
    lengths = pc.fill_null(pc.list_value_length(array), 0)
    offsets = _offsets(lengths)
    values = cast_array(array.flatten(), target.element, (*path, ELEMENT), naming)
    if not target.contains_null and values.null_count:
        raise NotNullViolatedError(path_text((*path, ELEMENT)))
    kind = pa.list_(pa.field("element", values.type))
    mask = array.is_null() if array.null_count else None
    return pa.ListArray.from_arrays(offsets, values, type=kind, mask=mask)


def _cast_map(array: pa.MapArray, target: MapType, path: FieldPath, naming: Naming) -> pa.Array:
    first = array.offsets[0].as_py() if len(array) else 0
    offsets = pc.subtract(array.offsets, pa.scalar(first, pa.int32()))
    count = offsets[-1].as_py() if len(offsets) else 0
    keys = cast_array(array.keys.slice(first, count), target.key, (*path, KEY), naming)
    values = cast_array(array.items.slice(first, count), target.value, (*path, VALUE), naming)
    if not target.value_contains_null and values.null_count:
        raise NotNullViolatedError(path_text((*path, VALUE)))
    kind = pa.map_(keys.type, pa.field("value", values.type))
    mask = array.is_null() if array.null_count else None
    return pa.MapArray.from_arrays(offsets, keys, values, type=kind, mask=mask)


def _offsets(lengths: pa.Array) -> pa.Array:
    ends = pc.cumulative_sum(lengths.cast(pa.int32()))
    return pa.concat_arrays([pa.array([0], pa.int32()), ends])

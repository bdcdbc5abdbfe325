"""What a write makes of the table's schema: nothing, a change, or an error (contract 8.1, 8.2).

Pure. `deltalake` would cast without asking (1.5 into an INT column lands as 1); here every type is
looked at before a row is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ingest.delta.merging import (
    TypesDoNotMergeError,
    added_columns,
    merge_into,
    stored_schema,
    widened_columns,
)
from ingest.delta.type_changes import record_type_changes
from ingest.errors import (
    FailedToMergeFieldsError,
    InvalidColumnNamesError,
    MetadataMismatchError,
    NotNullViolatedError,
    TypeWideningNotEnabledError,
    UnsupportedTypesError,
)
from ingest.schema_tree import schema_tree
from schema_store.type_names import path_text, type_to_sql
from schema_store.types import (
    ELEMENT,
    KEY,
    VALUE,
    ArrayType,
    DataType,
    DayTimeIntervalType,
    FieldPath,
    MapType,
    NullType,
    Schema,
    StructType,
    VariantType,
    YearMonthIntervalType,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

INVALID_CHARACTERS = " ,;{}()\n\t="
"""Characters that a name must not have without column mapping (Delta `checkFieldNames`)."""


@dataclass(frozen=True, slots=True)
class TableRules:
    """What the guard has to know of a table and of a write.

    `place` is the table's folder, `sql_name` what SQL calls it.
    """

    place: str
    sql_name: str
    table_id: str
    merges_schema: bool
    widens_types: bool
    maps_names: bool


@dataclass(frozen=True, slots=True)
class Same:
    """The table's schema stays as it is."""

    schema: Schema


@dataclass(frozen=True, slots=True)
class Change:
    """The table gets this schema: new columns at the end, wider types, both recorded.

    `added` and `widened` are paths of columns.
    """

    schema: Schema
    added: tuple[str, ...]
    widened: tuple[str, ...]


Plan: TypeAlias = Same | Change


def plan_change(table: Schema, stream: Schema, rules: TableRules) -> Plan:
    """Compare a table's schema with what a write brings.

    Columns that the rows lack are fine, if they take NULL; narrower types too. Raises
    `MetadataMismatchError`, `FailedToMergeFieldsError`, `TypeWideningNotEnabledError`,
    `InvalidColumnNamesError`, `UnsupportedTypesError` or `NotNullViolatedError`.
    """
    stored = stored_schema(stream)
    _require_values(table, stream)
    try:
        merged = merge_into(table, stored)
    except TypesDoNotMergeError as error:
        raise _not_merged(error, rules) from error
    if merged == table:
        return Same(table)
    added = added_columns(table, merged)
    changed = widened_columns(table, merged)
    if not rules.merges_schema:
        raise _mismatch(table, stored, rules)
    widened = tuple(change for change in changed if not isinstance(change[1], NullType))
    if widened and not rules.widens_types:
        path, before, after = widened[0]
        raise TypeWideningNotEnabledError(
            rules.place,
            path,
            table_type=type_to_sql(before),
            incoming=type_to_sql(after),
            sql_name=rules.sql_name,
        )
    check_schema(merged, rules.place, maps_names=rules.maps_names)
    return Change(record_type_changes(table, merged), added, tuple(path for path, _, _ in widened))


def check_schema(schema: Schema, place: str, *, maps_names: bool) -> None:
    """Refuse names and types that a table of this schema could not store.

    Raises `InvalidColumnNamesError` and `UnsupportedTypesError` with all columns in question.
    """
    paths = tuple(_paths((), schema))
    unsupported = tuple(
        f"{path_text(path)} {type_to_sql(kind)}"
        for path, kind in paths
        if isinstance(kind, VariantType | YearMonthIntervalType | DayTimeIntervalType)
        or kind == StructType(())  # Parquet has no struct without fields
    )
    if unsupported:
        raise UnsupportedTypesError(place, unsupported)
    invalid = tuple(
        path_text(path) for path, _ in paths if any(c in INVALID_CHARACTERS for c in path[-1])
    )
    if invalid and not maps_names:
        raise InvalidColumnNamesError(place, invalid, INVALID_CHARACTERS)


def _require_values(table: Schema, stream: Schema) -> None:
    for field in table:
        if not field.nullable and stream.find_ignoring_case(field.name) is None:
            raise NotNullViolatedError(path_text((field.name,)))


def _mismatch(table: Schema, stored: Schema, rules: TableRules) -> MetadataMismatchError:
    merged = merge_into(table, stored)
    changed = [
        f"{path} as {type_to_sql(after)}" for path, _, after in widened_columns(table, merged)
    ]
    return MetadataMismatchError(
        rules.place,
        rules.table_id,
        columns=(*added_columns(table, merged), *changed),
        table_schema=_tree(table),
        data_schema=_tree(stored),
    )


def _tree(schema: Schema) -> str:
    """Give the tree as in Delta's message, whose lines have lost their first ` |`."""
    return "\n".join(line.removeprefix(" |") for line in schema_tree(schema).splitlines())


def _not_merged(error: TypesDoNotMergeError, rules: TableRules) -> FailedToMergeFieldsError:
    return FailedToMergeFieldsError(
        rules.place,
        path_text(error.path),
        table_type=type_to_sql(error.table),
        incoming=type_to_sql(error.incoming),
    )


def _paths(path: FieldPath, data_type: DataType) -> Iterator[tuple[FieldPath, DataType]]:
    if path:
        yield path, data_type
    match data_type:
        case StructType(fields):
            for field in fields:
                yield from _paths((*path, field.name), field.data_type)
        case ArrayType(element):
            yield from _paths((*path, ELEMENT), element)
        case MapType(key, value):
            yield from _paths((*path, KEY), key)
            yield from _paths((*path, VALUE), value)
        case _:
            pass

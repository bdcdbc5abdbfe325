"""What changed between two schemas, in lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schema_store.type_names import path_text, type_to_sql
from schema_store.types import (
    ELEMENT,
    KEY,
    VALUE,
    ArrayType,
    Field,
    FieldPath,
    MapType,
    Schema,
    StructType,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


def diff_schemas(old: Schema, new: Schema) -> tuple[str, ...]:
    """List changed and removed columns in the old order, then added ones in the new order.

    Changes inside structs, arrays and maps are told under their dotted path; a column that only
    moved is not told.

    >>> from schema_store.ddl import parse_ddl
    >>> diff_schemas(parse_ddl("id INT, x STRING"), parse_ddl("id BIGINT, age INT"))
    ('~ id INT -> BIGINT', '- x STRING', '+ age INT')
    """
    return tuple(_diff_structs((), old, new))


def _diff_structs(path: FieldPath, old: StructType, new: StructType) -> Iterator[str]:
    for field in old:
        other = new.find(field.name)
        if other is None:
            yield f"- {path_text((*path, field.name))} {_type_text(field)}"
        else:
            yield from _diff_fields((*path, field.name), field, other)
    for field in new:
        if old.find(field.name) is None:
            yield f"+ {path_text((*path, field.name))} {_type_text(field)}"


def _diff_fields(path: FieldPath, old: Field, new: Field) -> Iterator[str]:
    if old.nullable != new.nullable:
        yield f"~ {path_text(path)} {_type_text(old)} -> {_type_text(new)}"
        return
    match old.data_type, new.data_type:
        case StructType() as old_struct, StructType() as new_struct:
            yield from _diff_structs(path, old_struct, new_struct)
        case ArrayType() as a, ArrayType() as b:
            yield from _diff_fields(
                (*path, ELEMENT),
                Field(ELEMENT, a.element, a.contains_null),
                Field(ELEMENT, b.element, b.contains_null),
            )
        case MapType() as a, MapType() as b:
            yield from _diff_fields((*path, KEY), Field(KEY, a.key), Field(KEY, b.key))
            yield from _diff_fields(
                (*path, VALUE),
                Field(VALUE, a.value, a.value_contains_null),
                Field(VALUE, b.value, b.value_contains_null),
            )
        case old_type, new_type if old_type != new_type:
            yield f"~ {path_text(path)} {_type_text(old)} -> {_type_text(new)}"
        case _:
            pass


def _type_text(field: Field) -> str:
    return type_to_sql(field.data_type) + ("" if field.nullable else " NOT NULL")

"""Schema hints: types that the user fixes, `cloudFiles.schemaHints` (contract 2.8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from schema_store.ddl import parse_dotted_columns
from schema_store.errors import (
    DdlError,
    DuplicateHintError,
    HintConflictError,
    HintSyntaxError,
)
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
    NullType,
    Schema,
    StructType,
    fold_path,
)


@dataclass(frozen=True, slots=True)
class SchemaHint:
    """The type of the column, field, element, key or value at a path.

    `field` has the path's last step as its name.
    """

    path: FieldPath
    field: Field


@dataclass(frozen=True, slots=True)
class SchemaHints:
    """All schema hints of a stream.

    Raises `DuplicateHintError` when two have one path, ignoring case.
    """

    hints: tuple[SchemaHint, ...]

    def __post_init__(self) -> None:
        seen: dict[FieldPath, FieldPath] = {}
        for hint in self.hints:
            folded = fold_path(hint.path)
            if folded in seen:
                raise DuplicateHintError(path_text(hint.path), path_text(seen[folded]))
            seen[folded] = hint.path

    @property
    def pinned(self) -> frozenset[FieldPath]:
        """The paths whose types are fixed; everything below them is, too."""
        return frozenset(hint.path for hint in self.hints)


_Rest: TypeAlias = tuple[FieldPath, SchemaHint]
"""What is left of a hint's path below the place looked at, and the hint."""


def parse_hints(text: str) -> SchemaHints:
    """Parse the value of `cloudFiles.schemaHints`: a DDL list whose names may be paths.

    A name in backticks is one step, whatever it holds: `` `x.y` INT`` names the flat column
    `x.y`, `x.y INT` the field `y` of `x`. Blank text gives no hints.

    Raises `HintSyntaxError` and `DuplicateHintError`.

    >>> parse_hints("user.dob DATE").pinned
    frozenset({('user', 'dob')})
    """
    try:
        columns = parse_dotted_columns(text)
    except DdlError as error:
        raise HintSyntaxError(text, error.position, error.expected) from error
    return SchemaHints(tuple(SchemaHint(path, field) for path, field in columns))


def apply_hints(schema: Schema, hints: SchemaHints) -> Schema:
    """Give the schema with the hinted types and spellings.

    Columns keep their places; what is absent is added at the end. A hint for a part of a column
    that has no parts (text, or absent) makes the column an array when the step is `element`, a
    map when there are both `key` and `value`, else a struct. Doing it twice changes nothing.

    Raises `HintConflictError` when a path names a part that an array or a map does not have.
    """
    return _apply_to_struct((), schema, [(hint.path, hint) for hint in hints.hints])


def _apply_to_struct(path: FieldPath, struct: StructType, rests: list[_Rest]) -> StructType:
    groups: dict[str, list[_Rest]] = {}
    for rest in rests:
        groups.setdefault(rest[0][0].lower(), []).append(rest)
    fields = [_apply_to_field(path, field, groups.pop(field.name.lower(), [])) for field in struct]
    added = [
        _apply_to_field(path, Field(group[0][0][0], NullType()), group) for group in groups.values()
    ]
    return StructType((*fields, *added))


def _apply_to_field(path: FieldPath, field: Field, rests: list[_Rest]) -> Field:
    """Replace the whole field by its own hint, then apply the hints for its parts."""
    for steps, hint in rests:
        field = replace(field, name=steps[0])
        if len(steps) == 1:
            metadata = field.metadata if hint.field.metadata == "{}" else hint.field.metadata
            field = replace(hint.field, metadata=metadata)
            break
    parts = [(steps[1:], hint) for steps, hint in rests if len(steps) > 1]
    if not parts:
        return field
    inner = _apply_to_type((*path, field.name), field.data_type, parts)
    return replace(field, data_type=inner)


def _apply_to_type(path: FieldPath, data_type: DataType, rests: list[_Rest]) -> DataType:
    match data_type:
        case StructType():
            return _apply_to_struct(path, data_type, rests)
        case ArrayType(element, contains_null):
            _check_steps(path, data_type, rests, (ELEMENT,))
            hinted = _apply_to_field(path, Field(ELEMENT, element, contains_null), rests)
            return ArrayType(hinted.data_type, hinted.nullable)
        case MapType(key, value, value_contains_null):
            _check_steps(path, data_type, rests, (KEY, VALUE))
            keys = [rest for rest in rests if rest[0][0].lower() == KEY]
            values = [rest for rest in rests if rest[0][0].lower() == VALUE]
            hinted = _apply_to_field(path, Field(VALUE, value, value_contains_null), values)
            hinted_key = _apply_to_field(path, Field(KEY, key), keys)
            return MapType(hinted_key.data_type, hinted.data_type, hinted.nullable)
        case _:
            return _apply_to_type(path, _container_for(rests), rests)


def _check_steps(
    path: FieldPath, data_type: DataType, rests: list[_Rest], allowed: tuple[str, ...]
) -> None:
    for steps, hint in rests:
        if steps[0].lower() not in allowed:
            raise HintConflictError(
                path_text(hint.path), path_text(path), type_to_sql(data_type), allowed
            )


def _container_for(rests: list[_Rest]) -> DataType:
    steps = {steps[0].lower() for steps, _ in rests}
    if steps == {ELEMENT}:
        return ArrayType(NullType())
    if steps == {KEY, VALUE}:
        return MapType(NullType(), NullType())
    return StructType(())

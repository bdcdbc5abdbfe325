"""How a file's columns become those of a schema: decided once for each file, from its footer.

By name, then by type (contract 5.6): what is the same is never touched, what fits without loss is
converted, everything else is NULL and left over. Inside structs, lists and maps the same holds for
each part (contract 5.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, Union

import pyarrow as pa

from ingest.arrow import to_arrow_type
from ingest.stream_options import Rebase
from schema_store.types import (
    ELEMENT,
    KEY,
    VALUE,
    ArrayType,
    CharType,
    DataType,
    DateType,
    MapType,
    NullType,
    StringType,
    StructType,
    TimestampType,
    VarcharType,
    fold_path,
)
from schema_store.widening import lossless_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.formats.parquet_fields import FileField
    from schema_store.types import Field, FieldPath

_TEXTS = StringType | CharType | VarcharType


@dataclass(frozen=True, slots=True)
class Calendars:
    """In which calendar a file's old dates and timestamps are."""

    dates: Rebase
    int96: Rebase

    def of(self, field: FileField) -> Rebase:
        """Tell what has to be done with the field's values before 1582."""
        match field.data_type:
            case DateType():
                return self.dates
            case TimestampType():
                return self.int96 if field.int96 else self.dates
            case _:
                return Rebase.CORRECTED


@dataclass(frozen=True, slots=True)
class Matching:
    """What decides whether a file's field is a column's.

    * `pinned`: the paths fixed by schema hints, folded: there the types must be equal.
    * `reserved`: names at the top that never become columns.
    """

    case_sensitive: bool
    pinned: frozenset[FieldPath]
    calendars: Calendars
    reserved: frozenset[str]

    def key(self, name: str) -> str:
        """Give what names have in common when they are one column."""
        return name if self.case_sensitive else name.lower()

    def is_pinned(self, path: FieldPath) -> bool:
        """Tell whether a hint fixes the type at a path, or at one above it."""
        folded = fold_path(path)
        return any(folded[:length] in self.pinned for length in range(1, len(folded) + 1))


@dataclass(frozen=True, slots=True)
class Keep:
    """The values are as they should be; `plan` is for when text turns out not to be UTF-8."""

    kind: pa.DataType
    plan: Plan


@dataclass(frozen=True, slots=True)
class Missing:
    """The file has no such field: NULL."""

    kind: pa.DataType


@dataclass(frozen=True, slots=True)
class Convert:
    """Every value fits; `rebase`: what old dates are."""

    kind: pa.DataType
    path: FieldPath
    rebase: Rebase


@dataclass(frozen=True, slots=True)
class Misfit:
    """Another type: NULL and left over. `observed` is what the file has, None if it is no type."""

    kind: pa.DataType
    path: FieldPath
    expected: DataType
    observed: DataType | None
    source: pa.DataType


@dataclass(frozen=True, slots=True)
class Extra:
    """A field that the schema lacks: its place in the file; `evolves`: it can become a column."""

    position: int
    name: str
    path: FieldPath
    evolves: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A field of the schema: its place in the file, None if it is not there."""

    name: str
    position: int | None
    plan: Plan


@dataclass(frozen=True, slots=True)
class StructPlan:
    """Field by field, by name."""

    kind: pa.DataType
    parts: tuple[Part, ...]
    extras: tuple[Extra, ...]


@dataclass(frozen=True, slots=True)
class ListPlan:
    """Element by element."""

    kind: pa.DataType
    element: Plan


@dataclass(frozen=True, slots=True)
class MapPlan:
    """Keys and values."""

    kind: pa.DataType
    key: Plan
    value: Plan


Plan: TypeAlias = Union[  # noqa: UP007 - recursive
    Keep, Missing, Convert, Misfit, StructPlan, ListPlan, MapPlan
]


def plan_struct(
    fields: tuple[FileField, ...], target: StructType, matching: Matching, path: FieldPath = ()
) -> StructPlan:
    """Match fields of a file, or of a struct in it, with those of the schema.

    Of several fields with one key the first is taken (contract 5.7).
    """
    places: dict[str, int] = {}
    for position, field in enumerate(fields):
        places.setdefault(matching.key(field.name), position)
    parts = tuple(_part(fields, places, field, matching, path) for field in target)
    taken = {part.position for part in parts}
    extras = tuple(
        Extra(position, field.name, (*path, field.name), _can_evolve(field, target, path, matching))
        for position, field in enumerate(fields)
        if position not in taken
    )
    return StructPlan(to_arrow_type(target), parts, extras)


def misfits(plan: Plan) -> Iterator[Misfit]:
    """Give all types that do not fit."""
    match plan:
        case Misfit():
            yield plan
        case StructPlan(parts=parts):
            for part in parts:
                yield from misfits(part.plan)
        case ListPlan(element=element):
            yield from misfits(element)
        case MapPlan(value=value):
            yield from misfits(value)
        case Keep() | Missing() | Convert():
            return


def extras(plan: Plan) -> Iterator[Extra]:
    """Give all fields that the schema lacks."""
    match plan:
        case StructPlan(parts=parts, extras=found):
            for part in parts:
                yield from extras(part.plan)
            yield from found
        case ListPlan(element=element):
            yield from extras(element)
        case MapPlan(value=value):
            yield from extras(value)
        case Keep() | Missing() | Convert() | Misfit():
            return


def _part(
    fields: tuple[FileField, ...],
    places: dict[str, int],
    field: Field,
    matching: Matching,
    path: FieldPath,
) -> Part:
    position = places.get(matching.key(field.name))
    if position is None:
        return Part(field.name, None, Missing(to_arrow_type(field.data_type)))
    plan = _plan(fields[position], field.data_type, (*path, field.name), matching)
    return Part(field.name, position, plan)


def _plan(field: FileField, target: DataType, path: FieldPath, matching: Matching) -> Plan:
    kind = to_arrow_type(target)
    plan = _plan_parts(field, target, path, matching)
    if field.kind == kind and _is_whole(plan):
        return Keep(kind, plan)
    return plan


def _plan_parts(field: FileField, target: DataType, path: FieldPath, matching: Matching) -> Plan:
    kind = to_arrow_type(target)
    misfit = Misfit(kind, path, target, field.data_type, field.kind)
    match target:
        case StructType() if pa.types.is_struct(field.kind) and not field.named:
            return plan_struct(field.children, target, matching, path)
        case ArrayType(element) if len(field.children) == 1 and not _is_struct(field):
            inner = _plan(field.children[0], element, (*path, ELEMENT), matching)
            return misfit if isinstance(inner, Misfit) else ListPlan(kind, inner)
        case MapType(key_type, value_type) if pa.types.is_map(field.kind):
            key_field, value_field = field.children
            key = _plan(key_field, key_type, (*path, KEY), matching)
            value = _plan(value_field, value_type, (*path, VALUE), matching)
            lost = isinstance(value, Misfit) or not _is_whole(key)
            return misfit if lost else MapPlan(kind, key, value)
    if field.data_type is None or not _fits(field.data_type, target, path, matching):
        return misfit
    return Convert(kind, path, matching.calendars.of(field))


def _is_struct(field: FileField) -> bool:
    return bool(pa.types.is_struct(field.kind))


def _fits(source: DataType, target: DataType, path: FieldPath, matching: Matching) -> bool:
    """Tell whether every value fits (contract 5.6)."""
    if source == target or isinstance(source, NullType):
        return True
    if isinstance(source, _TEXTS) and isinstance(target, _TEXTS):
        return True
    if matching.is_pinned(path):
        return False
    return lossless_type(target, source) == target


def _is_whole(plan: Plan) -> bool:
    """Tell whether nothing can be left over and no value is counted anew."""
    match plan:
        case Keep():
            return True
        case Convert(rebase=rebase):
            return rebase is Rebase.CORRECTED
        case StructPlan(parts=parts, extras=found):
            return not found and all(_is_whole(part.plan) for part in parts)
        case ListPlan(element=element):
            return _is_whole(element)
        case MapPlan(key=key, value=value):
            return _is_whole(key) and _is_whole(value)
        case Missing() | Misfit():
            return False


def _can_evolve(field: FileField, target: StructType, path: FieldPath, matching: Matching) -> bool:
    """Tell whether the field could be added: a name in another case never is (contract 4.2)."""
    if not path and field.name in matching.reserved:
        return False
    return bool(field.name) and target.find_ignoring_case(field.name) is None

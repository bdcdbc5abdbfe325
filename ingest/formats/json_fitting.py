"""A record under a schema: what goes to the columns, what is rescued, and what was met.

The smallest struct field around a misfit becomes null; it is rescued under the same nesting through
structs, and as the whole outermost array or map once the path passes one (contract 5.3). Readers
are made once for a schema: nothing is looked up by type for each value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ingest.formats.json_tokens import JsonArray, JsonObject, JsonScalar, JsonValue, Kind
from ingest.formats.json_values import scalar_reader, text_of
from ingest.formats.json_writing import write_compact, write_members
from ingest.text.times import SessionTime
from ingest.text.values import convert_text
from schema_store.types import (
    ELEMENT,
    VALUE,
    ArrayType,
    DataType,
    DateType,
    FieldPath,
    MapType,
    StringType,
    StructType,
)

if TYPE_CHECKING:
    from ingest.stream_options import ReadSettings


class Met(Enum):
    """Why something of a record is not simply in a column."""

    UNKNOWN = "the schema has no such column"
    MISFIT = "the value does not fit the column's type"
    INSIDE = "the element does not fit"
    """A misfit inside an array or a map, which becomes null as a whole."""
    EMPTIED = "a value inside does not fit the column's type"
    """An array or a map that is null for that reason."""
    DUPLICATE = "the record has a later member of this name"
    NAME_TAKEN = "the rescued data has another member of this name"
    ROUNDED = "rounded to the column's scale"
    TIME_CUT = "the time of day was cut off"


MISFITS = frozenset({Met.MISFIT, Met.INSIDE, Met.EMPTIED})
"""What makes a record malformed where nothing is rescued."""


class Note(NamedTuple):
    """Something that was met: where, and the value."""

    met: Met
    path: FieldPath
    value: JsonValue


class Fitted(NamedTuple):
    """A value under its type.

    `value` is as Arrow takes it; `rescued` is JSON text of what has no place in it; `misfit` tells
    that the value as a whole did not fit.
    """

    value: object
    rescued: str | None = None
    notes: tuple[Note, ...] = ()
    misfit: bool = False


Reader: TypeAlias = Callable[[JsonValue], Fitted]

_NULL = Fitted(None)


@dataclass(frozen=True, slots=True)
class FittingRules:
    """How values are read, for all types of a schema.

    `taken` is the name that no member of the rescued data can have (contract 11.10).
    """

    settings: ReadSettings
    non_numeric: bool
    taken: str | None = None


def reader_of(data_type: DataType, rules: FittingRules, path: FieldPath = ()) -> Reader:
    """Give the function that reads values of this type at this path."""
    match data_type:
        case StructType():
            return _struct_reader(data_type, rules, path)
        case ArrayType(element):
            return _array_reader(_inside(reader_of(element, rules, (*path, ELEMENT))), path)
        case MapType():
            return _map_reader(data_type, rules, path)
        case _:
            return _scalar_reader(data_type, rules, path)


def _inside(read: Reader) -> Reader:
    """Read an element or a map's value: what does not fit is lost with the whole around it."""

    def read_inside(value: JsonValue) -> Fitted:
        fitted = read(value)
        if not fitted.misfit:
            return fitted
        notes = tuple(
            note._replace(met=Met.INSIDE) if note.met is Met.MISFIT else note
            for note in fitted.notes
            if note.met is not Met.EMPTIED
        )
        return fitted._replace(notes=notes)

    return read_inside


def _is_null(value: JsonValue) -> bool:
    return isinstance(value, JsonScalar) and value.kind is Kind.NULL


def _misfit(value: JsonValue, path: FieldPath) -> Fitted:
    return Fitted(None, write_compact(value), (Note(Met.MISFIT, path, value),), misfit=True)


def _scalar_reader(data_type: DataType, rules: FittingRules, path: FieldPath) -> Reader:
    if isinstance(data_type, StringType):
        return lambda value: _NULL if _is_null(value) else Fitted(text_of(value))
    convert = scalar_reader(data_type, rules.settings, non_numeric=rules.non_numeric)
    changed = Met.TIME_CUT if isinstance(data_type, DateType) else Met.ROUNDED

    def read(value: JsonValue) -> Fitted:
        if not isinstance(value, JsonScalar):
            return _misfit(value, path)
        if value.kind is Kind.NULL:
            return _NULL
        found = convert(value)
        if found is None:
            return _misfit(value, path)
        return Fitted(found.value, None, (Note(changed, path, value),) if found.changed else ())

    return read


def _array_reader(read_element: Reader, path: FieldPath) -> Reader:
    def read(value: JsonValue) -> Fitted:
        if _is_null(value):
            return _NULL
        if not isinstance(value, JsonArray):
            return _misfit(value, path)
        return _together(value, path, [read_element(element) for element in value.elements])

    return read


def _together(
    value: JsonValue, path: FieldPath, inner: list[Fitted], names: Sequence[object] | None = None
) -> Fitted:
    """Put elements or map values together; one that does not fit makes all of it null."""
    notes = tuple(note for one in inner for note in one.notes)
    if any(one.misfit for one in inner):
        emptied = Note(Met.EMPTIED, path, value)
        return Fitted(None, write_compact(value), (*notes, emptied), misfit=True)
    rescued = write_compact(value) if any(one.rescued is not None for one in inner) else None
    values = [one.value for one in inner]
    return Fitted(
        values if names is None else list(zip(names, values, strict=True)), rescued, notes
    )


def _map_reader(data_type: MapType, rules: FittingRules, path: FieldPath) -> Reader:
    read_value = _inside(reader_of(data_type.value, rules, (*path, VALUE)))
    session = SessionTime(rules.settings.time_zone, rules.settings.today)

    def read(value: JsonValue) -> Fitted:
        if _is_null(value):
            return _NULL
        if not isinstance(value, JsonObject):
            return _misfit(value, path)
        last = dict(value.members)
        keys = [
            convert_text(name, data_type.key, session, rules=rules.settings.text) for name in last
        ]
        if None in keys:
            return _misfit(value, path)
        names = [key and key.value for key in keys]
        fitted = _together(value, path, [read_value(inner) for inner in last.values()], names)
        return fitted._replace(notes=fitted.notes + _losers(value, last, path))

    return read


def _losers(value: JsonObject, last: dict[str, JsonValue], path: FieldPath) -> tuple[Note, ...]:
    """Note the members whose name comes again (contract 11.6)."""
    if len(last) == len(value.members):
        return ()
    return tuple(
        Note(Met.DUPLICATE, (*path, name), inner)
        for name, inner in value.members
        if inner is not last[name]
    )


def _struct_reader(struct: StructType, rules: FittingRules, path: FieldPath) -> Reader:
    nulls: dict[str, object] = dict.fromkeys(struct.names)
    exact = rules.settings.case_sensitive
    taken = None if path else rules.taken
    fields = {
        field.name if exact else field.name.lower(): (
            field.name,
            reader_of(field.data_type, rules, (*path, field.name)),
        )
        for field in struct
    }

    def read(value: JsonValue) -> Fitted:
        if _is_null(value):
            return _NULL
        if not isinstance(value, JsonObject):
            return _misfit(value, path)
        last = dict(value.members)
        notes = list(_losers(value, last, path))
        found, unknown, misfits = dict(nulls), [], []
        met: set[str] = set()
        for name, inner in last.items():
            field, read_field = fields.get(name if exact else name.lower(), ("", None))
            if read_field is None or field in met:
                unknown.append((name, write_compact(inner)))
                notes.append(Note(Met.UNKNOWN, (*path, name), inner))
                continue
            met.add(field)
            fitted = read_field(inner)
            found[field] = fitted.value
            notes += fitted.notes
            if fitted.rescued is not None:
                misfits.append((name, fitted.rescued))
        members = [one for one in unknown + sorted(misfits) if one[0] != taken]
        if len(members) < len(unknown) + len(misfits):
            notes = _name_taken(notes, str(taken))
        return Fitted(found, write_members(members) if members else None, tuple(notes))

    return read


def _name_taken(notes: list[Note], name: str) -> list[Note]:
    """Note that what would be rescued under this name is lost."""
    losing = {Met.UNKNOWN, *MISFITS}
    return [
        note._replace(met=Met.NAME_TAKEN) if note.path[0] == name and note.met in losing else note
        for note in notes
    ]

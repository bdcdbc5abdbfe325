"""What to do with new fields and wider values: `decide` (contract 4.2, 4.4, 6.3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import reduce
from typing import TypeAlias

from schema_store.errors import UnknownEvolutionModeError
from schema_store.merge import merge_types
from schema_store.types import (
    ELEMENT,
    VALUE,
    ArrayType,
    DataType,
    Field,
    FieldPath,
    MapType,
    NullType,
    Schema,
    StringType,
    StructType,
    fold_path,
)
from schema_store.widening import widen


class EvolutionMode(Enum):
    """The five values of `cloudFiles.schemaEvolutionMode`, spelled as Databricks spells them."""

    ADD_NEW_COLUMNS = "addNewColumns"
    RESCUE = "rescue"
    FAIL_ON_NEW_COLUMNS = "failOnNewColumns"
    NONE = "none"
    ADD_NEW_COLUMNS_WITH_TYPE_WIDENING = "addNewColumnsWithTypeWidening"

    @classmethod
    def from_text(cls, text: str) -> EvolutionMode:
        """Find a mode by its name, ignoring case (contract 4.1).

        Raises `UnknownEvolutionModeError` that lists the five.

        >>> EvolutionMode.from_text("RESCUE")
        <EvolutionMode.RESCUE: 'rescue'>
        """
        for mode in cls:
            if mode.value.lower() == text.lower():
                return mode
        raise UnknownEvolutionModeError(text, tuple(mode.value for mode in cls))


@dataclass(frozen=True, slots=True)
class Observation:
    """What a whole batch holds.

    `schema` is the observed schema, `misfits` the paths of the columns (or of fields, elements
    and values inside them) some value of which did not fit the current schema. `disputed` are paths
    whose types disagree in the batch itself: no type holds all of its values, so none is wider.
    """

    schema: Schema
    misfits: frozenset[FieldPath]
    disputed: frozenset[FieldPath] = frozenset()


@dataclass(frozen=True, slots=True)
class NewField:
    """A field that the current schema lacks; `path` ends with its name."""

    path: FieldPath
    field: Field


@dataclass(frozen=True, slots=True)
class WidenedField:
    """A column, field, element or value that gets a wider type."""

    path: FieldPath
    old: DataType
    new: DataType


@dataclass(frozen=True, slots=True)
class Proceed:
    """Read on with this schema."""

    schema: Schema


@dataclass(frozen=True, slots=True)
class Evolve:
    """Store this schema, then stop the stream; a restart goes on with it."""

    schema: Schema
    new_fields: tuple[NewField, ...]
    widened: tuple[WidenedField, ...]


@dataclass(frozen=True, slots=True)
class Refuse:
    """Stop the stream and store nothing; every restart stops again."""

    new_fields: tuple[NewField, ...]


Decision: TypeAlias = Proceed | Evolve | Refuse


def decide(
    current: Schema,
    observation: Observation,
    mode: EvolutionMode,
    *,
    pinned: frozenset[FieldPath] = frozenset(),
    dates: bool = False,
) -> Decision:
    """Decide what a batch does to the schema.

    `pinned` are the paths fixed by schema hints: they and what is below them are never widened and
    get no new fields, as the next start would take these away again.
    `dates` allows DATE to become TIMESTAMP_NTZ (Parquet only, contract 6.1).
    """
    match mode:
        case EvolutionMode.RESCUE | EvolutionMode.NONE:
            return Proceed(current)
        case EvolutionMode.FAIL_ON_NEW_COLUMNS:
            limits = _Limits(frozenset(), _folded(pinned), dates)
            growth = _grow_struct((), current, observation.schema, limits)
            return Refuse(growth.new_fields) if growth.new_fields else Proceed(current)
        case EvolutionMode.ADD_NEW_COLUMNS:
            limits = _Limits(frozenset(), _folded(pinned), dates)
            growth = _grow_struct((), current, observation.schema, limits)
        case EvolutionMode.ADD_NEW_COLUMNS_WITH_TYPE_WIDENING:
            limits = _Limits(
                _folded(observation.misfits), _folded(pinned), dates, _folded(observation.disputed)
            )
            growth = _grow_struct((), current, observation.schema, limits)
    if not growth.new_fields and not growth.widened:
        return Proceed(current)
    return Evolve(growth.struct, growth.new_fields, growth.widened)


@dataclass(frozen=True, slots=True)
class _Limits:
    """What may grow: no path that a hint pins, and wider only what has a misfit; paths are folded.

    All hold for what is below the paths, too.
    """

    misfits: frozenset[FieldPath]
    pinned: frozenset[FieldPath]
    dates: bool
    disputed: frozenset[FieldPath] = frozenset()

    def pins(self, path: FieldPath) -> bool:
        return fold_path(path) in self.pinned

    def may_widen(self, path: FieldPath) -> bool:
        folded = fold_path(path)
        above = {folded[:length] for length in range(1, len(folded) + 1)}
        return above.isdisjoint(self.disputed) and not above.isdisjoint(self.misfits)


@dataclass(frozen=True, slots=True)
class _Growth:
    data_type: DataType
    new_fields: tuple[NewField, ...] = ()
    widened: tuple[WidenedField, ...] = ()


@dataclass(frozen=True, slots=True)
class _StructGrowth:
    struct: StructType
    new_fields: tuple[NewField, ...]
    widened: tuple[WidenedField, ...]


def _folded(paths: frozenset[FieldPath]) -> frozenset[FieldPath]:
    return frozenset(fold_path(path) for path in paths)


def _grow(path: FieldPath, current: DataType, observed: DataType, limits: _Limits) -> _Growth:
    if limits.pins(path):
        return _Growth(current)
    match current, observed:
        case StructType(), StructType():
            struct = _grow_struct(path, current, observed, limits)
            return _Growth(struct.struct, struct.new_fields, struct.widened)
        case ArrayType(element), ArrayType(other):
            inner = _grow((*path, ELEMENT), element, other, limits)
            return replace(inner, data_type=replace(current, element=inner.data_type))
        case MapType(key), MapType(other_key) if widen(key, other_key) != key:
            return _Growth(current)  # its keys do not fit, whatever its values are
        case MapType(_, value), MapType() | StructType():
            inner = _grow((*path, VALUE), value, _value_type(observed), limits)
            return replace(inner, data_type=replace(current, value=inner.data_type))
    wider = widen(current, observed, dates=limits.dates) if limits.may_widen(path) else None
    if wider is None or wider == current:
        return _Growth(current)
    return _Growth(wider, widened=(WidenedField(path, current, wider),))


def _value_type(observed: MapType | StructType) -> DataType:
    """Give the type of a map's values; JSON infers any object as a struct."""
    if isinstance(observed, MapType):
        return observed.value
    none: DataType = NullType()
    return reduce(merge_types, (field.data_type for field in observed), none)


def _grow_struct(
    path: FieldPath, current: StructType, observed: StructType, limits: _Limits
) -> _StructGrowth:
    fields: list[Field] = []
    new_fields: list[NewField] = []
    widened: list[WidenedField] = []
    for field in current:
        other = observed.find_ignoring_case(field.name)
        observed_type = NullType() if other is None else other.data_type
        growth = _grow((*path, field.name), field.data_type, observed_type, limits)
        fields.append(replace(field, data_type=growth.data_type))
        new_fields.extend(growth.new_fields)
        widened.extend(growth.widened)
    for field in observed:
        addable = _addable(field)
        if addable is not None and current.find_ignoring_case(field.name) is None:
            fields.append(addable)
            new_fields.append(NewField((*path, field.name), addable))
    return _StructGrowth(StructType(tuple(fields)), tuple(new_fields), tuple(widened))


def _addable(field: Field) -> Field | None:
    """Give the field as it can be a column, None when it can not (contract 4.2, 11.8)."""
    if not field.name or isinstance(field.data_type, NullType):
        return None
    data_type = _column_type(field.data_type)
    return None if data_type is None else replace(field, data_type=data_type, nullable=True)


def _column_type(data_type: DataType) -> DataType | None:
    """Make void STRING and leave out empty structs (Spark `JsonInferSchema.canonicalizeType`)."""
    match data_type:
        case NullType():
            return StringType()
        case StructType(fields):
            kept = [
                replace(field, data_type=inner)
                for field in fields
                if field.name and (inner := _column_type(field.data_type)) is not None
            ]
            return StructType(tuple(kept)) if kept else None
        case ArrayType(element):
            inner_type = _column_type(element)
            return None if inner_type is None else replace(data_type, element=inner_type)
        case MapType(key, value):
            key_type, value_type = _column_type(key), _column_type(value)
            if key_type is None or value_type is None:
                return None
            return replace(data_type, key=key_type, value=value_type)
        case _:
            return data_type

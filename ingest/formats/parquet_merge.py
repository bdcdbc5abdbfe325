"""The schema of several typed files: widest types, or a list of conflicts (contract 2.2)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from schema_store.errors import TypeConflict
from schema_store.type_names import path_text, type_to_sql
from schema_store.types import (
    ELEMENT,
    KEY,
    VALUE,
    ArrayType,
    DataType,
    Field,
    IntegerType,
    MapType,
    NullType,
    StructType,
    fold_path,
)
from schema_store.widening import lossless_type

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schema_store.types import FieldPath, Schema


@dataclass(frozen=True, slots=True)
class MergedFiles:
    """What files have in common; where types conflict, the first one met."""

    schema: Schema
    conflicts: tuple[TypeConflict, ...]
    paths: frozenset[FieldPath]


def merge_files(schemas: Iterable[Schema], pinned: frozenset[FieldPath]) -> MergedFiles:
    """Merge schemas of files in order.

    Types fixed by hints (`pinned`, folded) do not conflict, as nobody needs a common one. A column
    that is NULL in all files is INT, as Spark reads it.
    """
    merging = _Merging(pinned)
    merged = StructType(())
    for schema in schemas:
        merged = merging.structs((), merged, schema)
    conflicts = tuple(
        TypeConflict(path_text(path), type_to_sql(left), type_to_sql(right))
        for path, (left, right) in merging.conflicts.items()
    )
    return MergedFiles(_without_void(merged), conflicts, frozenset(merging.conflicts))


@dataclass(frozen=True, slots=True)
class _Merging:
    """Merges types and collects what cannot be merged."""

    pinned: frozenset[FieldPath]
    conflicts: dict[FieldPath, tuple[DataType, DataType]] = field(default_factory=dict)

    def structs(self, path: FieldPath, left: StructType, right: StructType) -> StructType:
        """Merge field by field; names equal ignoring case are one, in the first spelling."""
        others = {one.name.lower(): one for one in right}
        merged = []
        for one in left:
            other = others.pop(one.name.lower(), None)
            if other is not None:
                inner = (*path, one.name)
                one = replace(one, data_type=self.types(inner, one.data_type, other.data_type))  # noqa: PLW2901 - the merged field replaces it
            merged.append(one)
        return StructType((*merged, *others.values()))

    def types(self, path: FieldPath, left: DataType, right: DataType) -> DataType:
        """Give the widest of two types, or the left one with a note of the conflict."""
        match left, right:
            case StructType(), StructType():
                return self.structs(path, left, right)
            case ArrayType(a), ArrayType(b):
                return ArrayType(self.types((*path, ELEMENT), a, b))
            case MapType(a, a_value), MapType(b, b_value):
                key = self.types((*path, KEY), a, b)
                return MapType(key, self.types((*path, VALUE), a_value, b_value))
            case NullType(), _:
                return right
            case _, NullType():
                return left
        common = lossless_type(left, right)
        if common is None:
            if not self._is_pinned(path):
                self.conflicts.setdefault(path, (left, right))
            return left
        return common

    def _is_pinned(self, path: FieldPath) -> bool:
        folded = fold_path(path)
        return any(folded[:length] in self.pinned for length in range(1, len(folded) + 1))


def _without_void(schema: StructType) -> StructType:
    return StructType(tuple(_field_without_void(one) for one in schema))


def _field_without_void(one: Field) -> Field:
    return replace(one, data_type=_type_without_void(one.data_type))


def _type_without_void(data_type: DataType) -> DataType:
    match data_type:
        case NullType():
            return IntegerType()
        case StructType():
            return _without_void(data_type)
        case ArrayType(element):
            return replace(data_type, element=_type_without_void(element))
        case MapType(key, value):
            return MapType(_type_without_void(key), _type_without_void(value))
        case _:
            return data_type

"""Where the types of columns come from, as values; the same for every format."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from schema_store.types import ELEMENT, ArrayType, DataType, NullType, StructType, fold_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schema_store.types import FieldPath

MAX_VALUE_LENGTH = 200
"""Characters kept of a value."""


@dataclass(frozen=True, slots=True)
class TypeChange:
    """The type of a column became another one here; `was` is None before its first value.

    `file` is a URI. `row` is the number of the record in its file, the first is 1; None, as
    `value`, where the file itself carries the type (Parquet).
    """

    file: str
    row: int | None
    value: str | None
    was: DataType | None
    data_type: DataType


@dataclass(frozen=True, slots=True)
class Without:
    """What a column's type would be without what decided it.

    `texts` are the values left out, in all their `count` cells; both are empty where the record
    (JSON) or the file (Parquet) of the last change was left out.
    """

    data_type: DataType
    texts: tuple[str, ...] = ()
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """How a column, or a field inside of one, got its type.

    `observed` is the type of its values: NullType when there was none. `changes` is empty then, and
    where types are not inferred. The last change is what decided the type, unless `without` says
    that others would have done so as well: then it is of the same type.
    """

    path: FieldPath
    observed: DataType
    changes: tuple[TypeChange, ...]
    without: Without | None = None

    @property
    def decided(self) -> TypeChange | None:
        """The change that gave the final type."""
        return self.changes[-1] if self.changes else None

    @property
    def alone(self) -> bool:
        """Whether the type would be another one without what decided it."""
        return self.without is not None and self.without.data_type != self.observed


@dataclass(frozen=True, slots=True)
class Seen:
    """How many values of a kind there are, and the first one."""

    count: int = 0
    file: str = ""
    row: int = 0
    value: str = ""

    def __add__(self, other: Seen) -> Seen:
        if not self.count or not other.count:
            return self if self.count else other
        return replace(self, count=self.count + other.count)


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """What there is to know of a column's values beside their type.

    * `values`: how many are not NULL; `complete`: whether all of them were looked at.
    * `zeros`: numbers with leading zeros. `large`: integers beyond 2^53.
    * `bits`: the texts 0, and the texts 1. `days`: dates without a time.
    * `day_first`, `month_first`, `either`: dates such as 31/01/2030, 01/31/2030, 01/02/2030.
    * `exact`: the type with `prefersDecimal`, NullType where it was not asked for.
    * `timed`: whether `inferTimestamp` makes it a TIMESTAMP (JSON).
    """

    values: int = 0
    complete: bool = True
    zeros: Seen = field(default_factory=Seen)
    large: Seen = field(default_factory=Seen)
    bits: tuple[int, int] = (0, 0)
    days: Seen = field(default_factory=Seen)
    day_first: Seen = field(default_factory=Seen)
    month_first: Seen = field(default_factory=Seen)
    either: Seen = field(default_factory=Seen)
    exact: DataType = field(default_factory=NullType)
    timed: bool = False

    def __add__(self, other: ColumnFacts) -> ColumnFacts:
        return ColumnFacts(
            self.values + other.values,
            self.complete and other.complete,
            self.zeros + other.zeros,
            self.large + other.large,
            (self.bits[0] + other.bits[0], self.bits[1] + other.bits[1]),
            self.days + other.days,
            self.day_first + other.day_first,
            self.month_first + other.month_first,
            self.either + other.either,
            self.exact if isinstance(other.exact, NullType) else other.exact,
            self.timed or other.timed,
        )


def leaves(data_type: DataType, path: FieldPath = ()) -> Iterator[tuple[FieldPath, DataType]]:
    """Give the types that have no fields or elements, with their paths.

    >>> from schema_store.ddl import parse_ddl
    >>> [path for path, _ in leaves(parse_ddl("id INT, s STRUCT<x: ARRAY<INT>>"))]
    [('id',), ('s', 'x', 'element')]
    """
    match data_type:
        case StructType(fields) if fields:
            for one in fields:
                yield from leaves(one.data_type, (*path, one.name))
        case ArrayType(element):
            yield from leaves(element, (*path, ELEMENT))
        case _ if path:
            yield path, data_type
        case _:
            return


def type_at(data_type: DataType, path: FieldPath) -> DataType | None:
    """Give the type at a path, names in any case; None when there is nothing."""
    if not path:
        return data_type
    match data_type:
        case StructType():
            found = data_type.find_ignoring_case(path[0])
            return None if found is None else type_at(found.data_type, path[1:])
        case ArrayType(element) if path[0] == ELEMENT:
            return type_at(element, path[1:])
        case _:
            return None


def changed_types(
    before: DataType, after: DataType
) -> Iterator[tuple[FieldPath, DataType | None, DataType]]:
    """Give the folded paths whose types differ between two states: the old type and the new."""
    for path, data_type in leaves(after):
        was = type_at(before, path)
        if was != data_type and not isinstance(data_type, NullType):
            yield fold_path(path), None if isinstance(was, NullType) else was, data_type

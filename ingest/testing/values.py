"""What a test compares: rows, rescued data, a schema; equal to how a test writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ingest.row import Row
from schema_store.ddl import parse_ddl, to_ddl
from schema_store.errors import DdlError
from schema_store.types import StructType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from schema_store.types import Schema


class Rows(list[Any]):
    """Rows; equal to tuples, dictionaries or Rows of the same values, in any order.

    A table has no order. A dictionary has to name every column; True is not 1. `columns` and
    `noun` are for the message of a comparison that fails.

    >>> Rows([Row(id=1, name="Ann"), Row(id=2, name=None)]) == [(2, None), {"id": 1, "name": "Ann"}]
    True
    """

    def __init__(
        self, rows: Iterable[Any], *, columns: Sequence[str] = (), noun: str = "row"
    ) -> None:
        super().__init__(rows)
        self.columns = tuple(columns)
        self.noun = noun

    __hash__ = None  # as list's; taken away by __eq__ otherwise

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (list, tuple)):
            return NotImplemented
        return len(self) == len(other) and unmatched(self, other) == ([], [])

    def __ne__(self, other: object) -> bool:
        return not self == other


class LandedSchema:
    """A schema; equal to DDL text or a `Schema` of the same columns in the same order.

    >>> LandedSchema(parse_ddl("id INT, name STRING")) == "id int, name string"
    True
    """

    def __init__(
        self,
        schema: Schema,
        *,
        origins: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self.schema = schema
        self.origins = origins

    def __repr__(self) -> str:
        return repr(to_ddl(self.schema))

    def __str__(self) -> str:
        return to_ddl(self.schema)

    def __hash__(self) -> int:
        return hash(self.schema)

    def __eq__(self, other: object) -> bool:
        expected = schema_of(other)
        return NotImplemented if expected is None else self.schema == expected

    def __contains__(self, column: str) -> bool:
        return self.schema.find(column) is not None

    def __getitem__(self, column: str) -> str:
        """Give a column's type as DDL text."""
        field = self.schema.find(column)
        if field is None:
            raise KeyError(column)
        return to_ddl(StructType((field,))).removeprefix(f"{column} ")


def schema_of(value: object) -> Schema | None:
    """Understand what a schema is compared with: DDL text, a schema; None for anything else."""
    match value:
        case LandedSchema(schema=schema):
            return schema
        case StructType():
            return value
        case str():
            try:
                return parse_ddl(value)
            except DdlError:
                return None
        case _:
            return None


def unmatched(found: Sequence[Any], expected: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Give the rows that only one side has, in their order; each row counts once."""
    pairs = list(zip(found, expected, strict=False))
    shared = [same(left, right) for left, right in pairs]
    count = len(pairs)
    only_found = [row for row, is_same in zip(found, shared, strict=False) if not is_same]
    only_found += found[count:]
    only_expected: list[Any] = []
    rest = [row for row, is_same in zip(expected, shared, strict=False) if not is_same]
    for row in [*rest, *expected[count:]]:
        place = next((i for i, other in enumerate(only_found) if same(other, row)), None)
        if place is None:
            only_expected.append(row)
        else:
            del only_found[place]
    return only_found, only_expected


def same(found: Any, expected: Any) -> bool:  # noqa: ANN401 - values of any column
    """Tell whether a value is as a test writes it: rows in any form, True not as 1."""
    match found, expected:
        case Row(), dict():
            values = found.asDict()
            return values.keys() == expected.keys() and all(
                same(values[name], expected[name]) for name in values
            )
        case (tuple(), tuple() | list()) | (list(), list()):
            return len(found) == len(expected) and all(map(same, found, expected))
        case dict(), dict():
            return found.keys() == expected.keys() and all(
                same(found[name], expected[name]) for name in found
            )
        case _:
            return isinstance(found, bool) == isinstance(expected, bool) and found == expected

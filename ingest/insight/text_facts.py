"""What the values of a column of text are like, beside their type; vectorised."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from ingest.formats.csv_inference import fold_column
from ingest.insight.origins import MAX_VALUE_LENGTH, ColumnFacts, Seen
from ingest.text.text_types import TextType
from schema_store.types import (
    DataType,
    DecimalType,
    DoubleType,
    IntegerType,
    LongType,
    StringType,
    TimestampType,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ingest.insight.csv_origins import CsvColumns
    from ingest.text.rules import TextRules

EXACT_IN_DOUBLE = 2**53
"""Integers beyond this are not all doubles."""

_ZEROS = r"^[+-]?0[0-9]"
_MANY_DIGITS = r"^[+-]?[0-9]{16,}$"
_DAY = r"^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$"
_SLASHED = r"^([0-9]{1,2})[/.-]([0-9]{1,2})[/.-][0-9]{4}"
_MONTHS = 12


def csv_facts(columns: CsvColumns, types: dict[str, DataType]) -> dict[str, ColumnFacts]:
    """Give the facts of columns, by their names in lower case; `types` are the inferred ones."""
    found = dict.fromkeys(types, ColumnFacts())
    exact: dict[str, TextType] = {}
    for file, before, cells in columns.chunks():
        for name, column in cells.items():
            key = name.lower()
            found[key] += text_facts(
                column, types[key], (file.uri, range(before + 1, before + len(column) + 1))
            )
            if isinstance(types[key], DoubleType):
                exact[key] = _exact(column, exact.get(key, TextType()), columns.settings.text)
    asked = {key: ColumnFacts(exact=one.data_type) for key, one in exact.items()}
    return {key: one + asked.get(key, ColumnFacts()) for key, one in found.items()}


def text_facts(
    cells: pl.Series, data_type: DataType, place: tuple[str, Sequence[int]]
) -> ColumnFacts:
    """Give the facts of some cells; `place` is their file, and their numbers in it."""
    bits = (0, 0)
    if isinstance(data_type, IntegerType | LongType):
        bits = int((cells == "0").sum()), int((cells == "1").sum())
    facts = ColumnFacts(values=len(cells) - cells.null_count(), bits=bits)
    for fact, mask in _masks(cells, data_type):
        facts += fact(_seen(cells, mask, place))
    return facts


def _masks(
    cells: pl.Series, data_type: DataType
) -> Iterator[tuple[Callable[[Seen], ColumnFacts], pl.Series]]:
    """Give the facts to ask for, and the cells that they are about."""
    match data_type:
        case IntegerType():
            yield _zeros, cells.str.contains(_ZEROS)
        case LongType() | DecimalType() | DoubleType():
            yield _zeros, cells.str.contains(_ZEROS)
            yield (lambda seen: ColumnFacts(large=seen)), _beyond_double(cells)
        case TimestampType():
            yield (lambda seen: ColumnFacts(days=seen)), cells.str.contains(_DAY)
        case StringType():
            parts = cells.str.extract_groups(_SLASHED)
            first, second = (parts.struct.field(part).cast(pl.Int32) for part in ("1", "2"))
            low, high = first <= _MONTHS, second <= _MONTHS
            yield (lambda seen: ColumnFacts(day_first=seen)), ~low & high
            yield (lambda seen: ColumnFacts(month_first=seen)), low & ~high
            yield (lambda seen: ColumnFacts(either=seen)), low & high
        case _:
            return


def _zeros(seen: Seen) -> ColumnFacts:
    return ColumnFacts(zeros=seen)


def _beyond_double(cells: pl.Series) -> pl.Series:
    """Mark integers beyond 2^53; those beyond BIGINT are it as well."""
    many = cells.str.contains(_MANY_DIGITS)
    if not many.any():
        return many
    number = cells.cast(pl.Int64, strict=False)
    inside = number.is_between(-EXACT_IN_DOUBLE, EXACT_IN_DOUBLE).fill_null(value=False)
    return many & ~inside


def _seen(cells: pl.Series, mask: pl.Series, place: tuple[str, Sequence[int]]) -> Seen:
    mask = mask.fill_null(value=False)
    row = mask.arg_max() if mask.any() else None
    if row is None:
        return Seen()
    file, rows = place
    return Seen(int(mask.sum()), file, rows[row], str(cells[row])[:MAX_VALUE_LENGTH])


def _exact(cells: pl.Series, running: TextType, rules: TextRules) -> TextType:
    """Fold numbers by their digits, as `prefersDecimal` does (contract 6.4)."""
    return fold_column(cells, running, prefers_decimal=True, rules=rules)

"""The type of a column of text: Spark's ladder, folded over whole columns.

The fold is exact and in row order. What makes it fast: as long as the running type stays, cells
that surely keep it are found by vectorised tests; only the others are looked at one by one, until
one changes the type.
"""

from __future__ import annotations

import datetime as dt

import polars as pl

from ingest.text.fast_patterns import fast_dates_by, fast_timestamps_by
from ingest.text.fast_times import fast_dates, fast_timestamps
from ingest.text.rules import DEFAULT_RULES, TextRules
from ingest.text.text_types import TextType, infer_text_type
from ingest.text.times import SessionTime
from schema_store.types import (
    MAX_PRECISION,
    BooleanType,
    DateType,
    DecimalType,
    DoubleType,
    IntegerType,
    LongType,
    StringType,
    TimestampType,
)

PEEK = 16
"""Cells that are looked at one by one first; few columns change their type later."""

_ANY_DAY = SessionTime("UTC", dt.date(2000, 1, 1))
_INT_DIGITS = 10
_LONG_DIGITS = 20


def fold_column(
    text: pl.Series,
    running: TextType,
    *,
    prefers_decimal: bool,
    peek: int = PEEK,
    rules: TextRules = DEFAULT_RULES,
) -> TextType:
    """Merge a column's cells, in row order, into its running type.

    >>> fold_column(pl.Series(["1", "2.5"]), TextType(), prefers_decimal=False).data_type
    DoubleType()
    """
    cells = text.drop_nulls()
    for cell in cells.head(peek):
        running = infer_text_type(cell, running, prefers_decimal=prefers_decimal, rules=rules)
    rest = cells.slice(peek)
    while len(rest) and not isinstance(running.data_type, StringType):
        change = _next_change(rest, running, rules, prefers_decimal=prefers_decimal)
        if change is None:
            return running
        row, running = change
        rest = rest.slice(row + 1)
    return running


def _next_change(
    cells: pl.Series, running: TextType, rules: TextRules, *, prefers_decimal: bool
) -> tuple[int, TextType] | None:
    """Find the first cell that changes the type: its row and the new type."""
    stays = _stays(cells, running, rules, prefers_decimal=prefers_decimal)
    if stays is not None and stays.null_count() == 0 and stays.all():
        return None
    doubtful = cells if stays is None else cells.filter(~stays.fill_null(value=False))
    for cell in doubtful.unique(maintain_order=True):
        changed = infer_text_type(cell, running, prefers_decimal=prefers_decimal, rules=rules)
        if changed != running:
            row = (cells == cell).arg_max()
            assert row is not None, "the cell is one of them"
            return row, changed
    return None


def _stays(
    cells: pl.Series, running: TextType, rules: TextRules, *, prefers_decimal: bool
) -> pl.Series | None:
    """Mark cells that surely keep the running type; None when nothing is known."""
    match running.data_type:
        case IntegerType():
            return cells.cast(pl.Int32, strict=False).is_not_null()
        case LongType():
            return cells.cast(pl.Int64, strict=False).is_not_null()
        case DecimalType(precision, _) if rules.number_symbols is not None:
            return None if prefers_decimal else cells.str.contains(rf"^[0-9]{{1,{precision}}}$")
        case DecimalType() as decimal if prefers_decimal:
            return _stays_decimal(cells, decimal)
        case DecimalType(precision, _):
            return cells.str.contains(rf"^[+-]?[0-9]{{1,{precision}}}$")
        case DoubleType():
            return _stays_double(cells, rules, exact=prefers_decimal and not running.beyond_decimal)
        case DateType():
            return _dates(cells, rules).is_not_null()
        case TimestampType():
            return _timestamps(cells, rules).is_not_null()
        case BooleanType():
            return cells.is_in(["true", "false"])
        case _:
            return None


def _stays_double(cells: pl.Series, rules: TextRules, *, exact: bool) -> pl.Series | None:
    """Mark doubles; where numbers are inferred by their digits (`exact`), short ones."""
    if exact and rules.number_symbols is not None:
        return None
    finite = cells.cast(pl.Float64, strict=False).is_finite()
    if not exact:
        return finite
    short = cells.str.len_bytes() <= MAX_PRECISION
    return finite & short & ~cells.str.contains("[eE]")


def _dates(cells: pl.Series, rules: TextRules) -> pl.Series:
    if rules.date_format is None:
        return fast_dates(cells)
    return fast_dates_by(rules.date_format, cells)


def _timestamps(cells: pl.Series, rules: TextRules) -> pl.Series:
    if rules.timestamp_format is None:
        return fast_timestamps(cells, _ANY_DAY)
    return fast_timestamps_by(rules.timestamp_format, cells, _ANY_DAY)


def _stays_decimal(cells: pl.Series, decimal: DecimalType) -> pl.Series:
    """Mark numbers within the decimal's digits; integers count as (10,0) and (20,0)."""
    whole, scale = decimal.integer_digits, decimal.scale
    fraction = rf"^[+-]?0*[0-9]{{0,{whole}}}\.[0-9]{{1,{scale}}}$" if scale else "^$"
    stays = cells.str.contains(fraction)
    if whole >= _LONG_DIGITS:
        return stays | cells.str.contains(rf"^[+-]?[0-9]{{1,{whole}}}$")
    if whole >= _INT_DIGITS:
        return stays | cells.cast(pl.Int32, strict=False).is_not_null()
    return stays

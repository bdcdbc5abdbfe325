"""Columns of cells as the fast parser gives them to what Spark gives: trimmed, nulls told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from ingest.formats.csv_marks import has_marks, unfold_cells
from ingest.text.numbers import JAVA_BLANKS

if TYPE_CHECKING:
    from ingest.formats.csv_bytes import Block
    from ingest.formats.csv_dialect import Dialect


def finish(columns: pl.DataFrame, block: Block, dialect: Dialect) -> pl.DataFrame:
    """Unfold, trim, and make nulls."""
    return nulls(_trim(unfolded(columns, block, dialect), dialect), dialect)


def unfolded(columns: pl.DataFrame, block: Block, dialect: Dialect) -> pl.DataFrame:
    """Give cells as they are in the file."""
    return unfold_cells(columns, dialect) if has_marks(block.data, dialect) else columns


def _trim(columns: pl.DataFrame, dialect: Dialect) -> pl.DataFrame:
    """Trim cells of a block without quotes; what is empty then is null.

    The last cell, trimmed at its end only, is the empty value instead (as in Univocity).
    """
    if not dialect.trims:
        return columns
    cells = pl.all()
    if dialect.trim_leading:
        cells = cells.str.strip_chars_start(JAVA_BLANKS)
    if dialect.trim_trailing:
        cells = cells.str.strip_chars_end(JAVA_BLANKS)
    trimmed = columns.select(cells)
    last = trimmed.columns[-1]
    nulled = trimmed.select(pl.when(pl.all() != "").then(pl.all()))
    at_end = not dialect.multi_line and not dialect.trim_leading
    if not at_end or dialect.empty_value == dialect.null_value:
        return nulled
    empty = pl.when(pl.col(last) == "").then(pl.lit(dialect.empty_value)).otherwise(pl.col(last))
    return nulled.with_columns(trimmed.select(empty.alias(last)))


def nulls(columns: pl.DataFrame, dialect: Dialect) -> pl.DataFrame:
    """Make nulls of what means null; a cell that is still empty was quoted."""
    has_null = pl.all().str.len_bytes().min() == 0
    if dialect.null_value:
        has_null = has_null | (pl.all() == dialect.null_value).any()
    found = columns.select(has_null).row(0)
    names = [name for name, has in zip(columns.columns, found, strict=True) if has]
    return columns.with_columns(_nulled(name, dialect) for name in names) if names else columns


def _nulled(name: str, dialect: Dialect) -> pl.Expr:
    cell = pl.col(name)
    if dialect.empty_value:
        cell = pl.when(cell == "").then(pl.lit(dialect.empty_value)).otherwise(cell)
    return pl.when(cell != dialect.null_value).then(cell).alias(name)

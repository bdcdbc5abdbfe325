"""Lines of CSV to columns of cells: the fast parser where it is proven right, else the exact one.

A block is lines that each end with a newline; every line is one record (Spark without
`multiLine`). The fast parser is polars, which speaks RFC 4180 and fills short rows. It has parsed
as many rows as there are newlines, so row and line belong together; then a row is right

* if every quote of the block encloses a cell or is one of two that stand for one in such a cell
  (`csv_scan`): what polars makes of other quotes is its own affair (`""a""` becomes `a`);
* if none of its cells holds an escape, unless that is the quote itself, or there are no quotes;
* if it is complete (polars refuses longer rows): it is when its last cell is not null, or when the
  bytes of the block add up to complete rows.

The lines of all other rows must pass one regular expression: plain quoting, the right number of
cells. Lines that fail it are cut by `csv_ragged`, and put in their places. Blocks that polars
refuses, and those with other quotes or blank lines, are sorted line by line before they are parsed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from ingest.formats.csv_dialect import NO_CHARACTER
from ingest.formats.csv_limits import check_limits
from ingest.formats.csv_marks import has_marks, has_prefixes, unfold_lines
from ingest.formats.csv_nulls import finish
from ingest.formats.csv_parse import BOM, cell_names, parse, parse_lines, split_lines
from ingest.formats.csv_plain import MOST_CELLS, can_be_plain, plain_line, plain_lines
from ingest.formats.csv_ragged import NO_RAGGED, Ragged, cut_odd
from ingest.formats.csv_scan import count_byte, doubled_quotes

if TYPE_CHECKING:
    from ingest.formats.csv_bytes import Block
    from ingest.formats.csv_dialect import Dialect

_NOT_BLANK = r"[^\x00-\x20]"


@dataclass(frozen=True, slots=True)
class Cells:
    """Records as columns of text, named by their position; short records are filled with nulls."""

    columns: pl.DataFrame
    ragged: Ragged
    block: Block
    dialect: Dialect

    def lines(self, rows: pl.Series) -> pl.Series:
        """Give the text that these records are from."""
        lines = split_lines(self.block).gather(rows)
        if not has_marks(self.block.data, self.dialect):
            return lines
        return unfold_lines(lines, self.dialect)


def cut_block(
    block: Block, width: int, dialect: Dialect, *, unchecked: frozenset[int] = frozenset()
) -> Cells:
    """Cut a block of valid UTF-8, lines ending with newlines, into `width` columns.

    The cells of `unchecked` columns are not looked at: whoever reads them as numbers or times sees
    by himself whether one holds a quote, and then calls again without.

    Raises `RefusedRecordError`.
    """
    cells = _cut_whole(block, width, dialect, unchecked) or _cut_lines(block, width, dialect)
    check_limits(cells)
    return cells


def _cut_whole(
    block: Block, width: int, dialect: Dialect, unchecked: frozenset[int]
) -> Cells | None:
    """Cut by the fast parser; None when the block has to be sorted line by line."""
    columns = _parse_whole(block, width, dialect) if _is_fast(dialect) else None
    return None if columns is None else _prove(columns, block, dialect, unchecked)


def _is_fast(dialect: Dialect) -> bool:
    sizes = len(dialect.sep.encode()), len(dialect.quote.encode())
    return sizes == (1, 1) and can_be_plain(dialect)


def _parse_whole(block: Block, width: int, dialect: Dialect) -> pl.DataFrame | None:
    """Parse the block as it is; None when rows and lines do not belong together one to one."""
    data = block.data
    quoted = dialect.quote.encode() in data
    if width == 1 or b"\0" in data or data.startswith(BOM):
        return None
    has_other_quotes = quoted and dialect.escape == NO_CHARACTER
    if has_other_quotes or has_prefixes(data, dialect):
        return None
    if dialect.trims and (quoted or has_marks(data, dialect)):
        return None
    quote = dialect.quote if quoted else None
    try:
        columns = parse(data, cell_names(width), dialect.sep, quote=quote)
    except (pl.exceptions.ComputeError, pl.exceptions.SchemaError):
        return None  # a row is too long, or the first one too short, or a quote is never closed
    return columns if columns.height == block.newlines else None


def _prove(
    columns: pl.DataFrame, block: Block, dialect: Dialect, unchecked: frozenset[int]
) -> Cells:
    """Check the rows that are not surely right; cut again those that are wrong."""
    has_quotes = dialect.quote.encode() in block.data
    doubled = doubled_quotes(block.data, dialect) if has_quotes else 0
    if doubled is None:
        return _cut_lines(block, columns.width, dialect)
    right = finish(columns, block, dialect)
    doubtful = _doubtful_rows(columns, block, dialect, unchecked if has_quotes else None)
    whole = _missing_cells(columns, block, dialect, doubled) == 0
    if whole and not len(doubtful):
        return Cells(right, NO_RAGGED, block, dialect)
    lines = split_lines(block)
    if len(lines) != columns.height:  # a blank line
        return _cut_lines(block, columns.width, dialect)
    if not whole:
        short = columns.to_series(columns.width - 1).is_null().arg_true()
        doubtful = _union([doubtful, short])
    odd = _odd_rows(lines, doubtful, columns.width, dialect)
    if not len(odd):
        return Cells(right, NO_RAGGED, block, dialect)
    mended, ragged = cut_odd(lines.gather(odd), odd, columns.width, block, dialect)
    return Cells(_put_back(right, odd, mended), ragged, block, dialect)


def _doubtful_rows(
    columns: pl.DataFrame, block: Block, dialect: Dialect, unchecked: frozenset[int] | None
) -> pl.Series:
    """Give the rows with an escape in a cell, if a quote may be before it; or maybe blank ones.

    `unchecked` is None where there are no quotes.
    """
    rows: list[pl.Series] = []
    escapes = {dialect.escape_of_escape} if dialect.doubles_quotes else {dialect.escape}
    if dialect.special is not None:
        escapes.add(dialect.special)
    if unchecked is not None:
        rows += [
            cells.str.contains(escape, literal=True).arg_true()
            for escape in escapes - {NO_CHARACTER}
            if escape.encode() in block.data
            for position, cells in enumerate(columns)
            if position not in unchecked
        ]
    if dialect.sep <= " ":  # a blank line may have separators
        last = columns.to_series(columns.width - 1)
        rows.append((last.is_null() | ~last.str.contains(_NOT_BLANK)).arg_true())
    return _union(rows)


def _missing_cells(columns: pl.DataFrame, block: Block, dialect: Dialect, doubled: int) -> int:
    """Count the cells that short rows lack.

    Every byte of the block is in a cell, or it is a separator, a newline, or a quote; of doubled
    quotes one is in a cell.
    """
    if columns.to_series(columns.width - 1).null_count() == 0:
        return 0  # a short row ends with a null
    texts = int(sum(columns.select(pl.all().str.len_bytes().sum()).row(0)))
    quotes = count_byte(block.data, dialect.quote.encode()) - doubled
    return texts + quotes + columns.width * block.newlines - len(block.data)


def _odd_rows(lines: pl.Series, rows: pl.Series, width: int, dialect: Dialect) -> pl.Series:
    """Give those of these rows whose lines are not plain."""
    if width > MOST_CELLS:
        return rows
    plain = lines.gather(rows).str.contains(plain_line(width, dialect))
    return rows.filter(~plain)


def _union(rows: list[pl.Series]) -> pl.Series:
    some = [one.alias("row") for one in rows if len(one)]
    return pl.concat(some).unique().sort() if some else pl.Series([], dtype=pl.UInt32)


def _put_back(columns: pl.DataFrame, rows: pl.Series, mended: pl.DataFrame) -> pl.DataFrame:
    """Replace these rows by mended ones."""
    places = pl.Series(range(columns.height), dtype=pl.UInt32).scatter(
        rows, pl.Series(range(columns.height, columns.height + len(rows)), dtype=pl.UInt32)
    )
    return pl.concat([columns, mended])[places]


def _cut_lines(block: Block, width: int, dialect: Dialect) -> Cells:
    """Cut line by line: lines proven plain together, the others one by one."""
    lines = split_lines(block)
    rows = pl.Series(range(len(lines)), dtype=pl.UInt32)
    plain = plain_lines(lines, width, block, dialect)
    if plain is None:
        return Cells(*cut_odd(lines, rows, width, block, dialect), block, dialect)
    columns = parse_lines(lines.filter(plain), width, block, dialect)
    odd = rows.filter(~plain)
    if not len(odd):
        return Cells(columns, NO_RAGGED, block, dialect)
    rest, ragged = cut_odd(lines.gather(odd), odd, width, block, dialect)
    order = pl.concat([rows.filter(plain), odd]).arg_sort()
    return Cells(pl.concat([columns, rest])[order], ragged, block, dialect)

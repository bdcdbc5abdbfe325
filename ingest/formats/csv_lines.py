"""Lines of CSV to columns of cells: the fast parser where it is proven right, else the exact one.

A block is lines that each end with a newline; every line is one record (Spark without
`multiLine`). The fast parser is polars, which speaks RFC 4180 and fills short rows. It has parsed
as many rows as there are newlines, so row and line belong together; then a row is right

* if none of its cells holds a quote or an escape: then every quote of the line enclosed a cell;
* if it is complete (polars refuses longer rows): it is when its last cell is not null, or when the
  bytes of the block add up to complete rows.

The lines of all other rows must pass one regular expression: plain quoting, the right number of
cells. Lines that fail it are cut by `csv_tokens`, and put in their places. Blocks that polars
refuses, and those with blank lines, are sorted line by line before they are parsed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from ingest.formats.csv_plain import plain_line
from ingest.formats.csv_tokens import cut_line
from ingest.text.numbers import JAVA_BLANKS

if TYPE_CHECKING:
    from ingest.formats.csv_bytes import Block
    from ingest.formats.csv_dialect import Dialect

_NOT_BLANK = r"[^\x00-\x20]"
_BOM = b"\xef\xbb\xbf"
_LINE_SEPARATORS = "\x01\x02\x03\x1f\x1e\x1d\x7f"
"""Characters that hardly occur in text: one of them stands for "no separator"."""


@dataclass(frozen=True, slots=True)
class Ragged:
    """A record of another length than the header: corrupt for Spark (contract 5.5)."""

    row: int
    length: int
    line: str
    surplus: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """Records as columns of text, named by their position; short records are filled with nulls."""

    columns: pl.DataFrame
    ragged: tuple[Ragged, ...]
    block: Block

    def lines(self, rows: pl.Series) -> pl.Series:
        """Give the lines that these records are from."""
        return split_lines(self.block).gather(rows)


@dataclass(frozen=True, slots=True)
class _Marks:
    """Rows with a quote or an escape in a cell (or that may be blank lines), and those quotes."""

    rows: pl.Series
    quotes: int


def cut_block(
    block: Block, width: int, dialect: Dialect, *, unchecked: frozenset[int] = frozenset()
) -> Cells:
    """Cut a block of valid UTF-8, lines ending with newlines, into `width` columns.

    The cells of `unchecked` columns are not looked at: whoever reads them as numbers or times sees
    by himself whether one holds a quote, and then calls again without.
    """
    if _is_fast(dialect):
        columns = _parse_whole(block, width, dialect)
        if columns is not None:
            return _prove(columns, block, dialect, unchecked)
    return _cut_lines(block, width, dialect)


def split_lines(block: Block) -> pl.Series:
    """Give the block's records: its lines without the blank ones."""
    marks = (mark for mark in _LINE_SEPARATORS if mark.encode() not in block.data)
    mark = next(marks, None)
    if mark is None or block.data.startswith(_BOM):
        lines = pl.Series("line", block.data.decode().split("\n"), dtype=pl.String)
    else:
        lines = _parse(block.data, ["line"], mark, quote=None).to_series()
    return lines.filter(lines.str.contains(_NOT_BLANK))


def _is_fast(dialect: Dialect) -> bool:
    return len(dialect.sep.encode()) == 1 and len(dialect.quote.encode()) == 1


def _parse(block: bytes, names: list[str], sep: str, *, quote: str | None) -> pl.DataFrame:
    """Parse with polars; raises `ComputeError` at a row that is too long."""
    return pl.read_csv(
        block,
        has_header=False,
        schema=dict.fromkeys(names, pl.String),
        separator=sep,
        quote_char=quote,
        glob=False,
    )


def _parse_whole(block: Block, width: int, dialect: Dialect) -> pl.DataFrame | None:
    """Parse the block as it is; None when rows and lines do not belong together one to one."""
    trims = dialect.trim_leading or dialect.trim_trailing
    data = block.data
    quoted = dialect.quote.encode() in data
    if width == 1 or (quoted and trims) or b"\0" in data or data.startswith(_BOM):
        return None
    quote = dialect.quote if quoted else None
    try:
        columns = _parse(data, _names(width), dialect.sep, quote=quote)
    except (pl.exceptions.ComputeError, pl.exceptions.SchemaError):
        return None  # a row is too long, or the first one too short, or a quote is never closed
    return columns if columns.height == block.newlines else None


def _prove(
    columns: pl.DataFrame, block: Block, dialect: Dialect, unchecked: frozenset[int]
) -> Cells:
    """Check the rows that are not surely right; cut again those that are wrong."""
    right = _nulls(_trim(columns, dialect), dialect)
    marks = _find_marks(columns, block.data, dialect, unchecked)
    whole = _missing_cells(columns, block, dialect, marks) == 0
    if whole and not len(marks.rows):
        return Cells(right, (), block)
    lines = split_lines(block)
    if len(lines) != columns.height:  # a blank line
        return _cut_lines(block, columns.width, dialect)
    odd = _odd_rows(lines, marks.rows, columns.width, dialect)
    if len(odd) or not whole:
        short = columns.to_series(columns.width - 1).is_null().arg_true()
        odd = _odd_rows(lines, _union([marks.rows, short]), columns.width, dialect)
    if not len(odd):
        return Cells(right, (), block)
    mended, ragged = _cut_odd(lines.gather(odd), odd, columns.width, dialect)
    return Cells(_put_back(right, odd, mended), ragged, block)


def _find_marks(
    columns: pl.DataFrame, data: bytes, dialect: Dialect, unchecked: frozenset[int]
) -> _Marks:
    chars = {dialect.quote, dialect.escape} if dialect.quote.encode() in data else set()
    rows: list[pl.Series] = []
    quotes = 0
    for position, cells in enumerate(columns):
        for char in chars if position not in unchecked else ():
            found = cells.str.contains(char, literal=True).arg_true()
            rows.append(found)
            if char == dialect.quote and len(found):
                quotes += int(cells.gather(found).str.count_matches(char, literal=True).sum())
    if dialect.sep <= " ":  # a blank line may have separators
        last = columns.to_series(columns.width - 1)
        rows.append((last.is_null() | ~last.str.contains(_NOT_BLANK)).arg_true())
    return _Marks(_union(rows), quotes)


def _missing_cells(columns: pl.DataFrame, block: Block, dialect: Dialect, marks: _Marks) -> int:
    """Count the cells that short rows lack, if the marked rows are right.

    Every byte of the block is in a cell, or it is a separator, a newline, or a quote. In rows
    without a mark all quotes enclose cells; in right ones the cells' own quotes are doubled too.
    """
    if columns.to_series(columns.width - 1).null_count() == 0:
        return 0  # a short row ends with a null
    texts = int(sum(columns.select(pl.all().str.len_bytes().sum()).row(0)))
    quotes = block.data.count(dialect.quote.encode()) - marks.quotes
    return texts + quotes + columns.width * block.newlines - len(block.data)


def _odd_rows(lines: pl.Series, rows: pl.Series, width: int, dialect: Dialect) -> pl.Series:
    """Give those of these rows whose lines are not plain."""
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
    if not _is_fast(dialect):
        return Cells(*_cut_odd(lines, rows, width, dialect), block)
    plain = lines.str.contains(plain_line(width, dialect)) & ~lines.str.starts_with("\ufeff")
    together = lines.filter(plain)
    text = "\n".join(together).encode() + b"\n" if len(together) else b""
    columns = _nulls(_parse_lines(text, width, dialect), dialect)
    odd = rows.filter(~plain)
    if not len(odd):
        return Cells(columns, (), block)
    rest, ragged = _cut_odd(lines.gather(odd), odd, width, dialect)
    order = pl.concat([rows.filter(plain), odd]).arg_sort()
    return Cells(pl.concat([columns, rest])[order], ragged, block)


def _parse_lines(text: bytes, width: int, dialect: Dialect) -> pl.DataFrame:
    if not text:
        return pl.DataFrame(schema=dict.fromkeys(_names(width), pl.String))
    return _parse(text, _names(width), dialect.sep, quote=dialect.quote)


def _cut_odd(
    lines: pl.Series, rows: pl.Series, width: int, dialect: Dialect
) -> tuple[pl.DataFrame, tuple[Ragged, ...]]:
    """Cut lines by the exact tokenizer."""
    ragged: list[Ragged] = []
    records: list[list[str | None]] = []
    for row, line in zip(rows.to_list(), lines.to_list(), strict=True):
        cells = cut_line(line, dialect)
        if len(cells) != width:
            ragged.append(Ragged(row, len(cells), line, tuple(cells[width:])))
            cells = (cells + [None] * width)[:width]
        records.append(cells)
    schema = dict.fromkeys(_names(width), pl.String)
    return pl.DataFrame(records, schema=schema, orient="row"), tuple(ragged)


def _trim(columns: pl.DataFrame, dialect: Dialect) -> pl.DataFrame:
    """Trim cells of a block without quotes; what is empty then is null.

    The last cell, trimmed at its end only, is the empty value instead (as in Univocity).
    """
    if not (dialect.trim_leading or dialect.trim_trailing):
        return columns
    cells = pl.all()
    if dialect.trim_leading:
        cells = cells.str.strip_chars_start(JAVA_BLANKS)
    if dialect.trim_trailing:
        cells = cells.str.strip_chars_end(JAVA_BLANKS)
    trimmed = columns.select(cells)
    last = trimmed.columns[-1]
    nulled = trimmed.select(pl.when(pl.all() != "").then(pl.all()))
    if dialect.trim_leading or dialect.empty_value == dialect.null_value:
        return nulled
    empty = pl.when(pl.col(last) == "").then(pl.lit(dialect.empty_value)).otherwise(pl.col(last))
    return nulled.with_columns(trimmed.select(empty.alias(last)))


def _nulls(columns: pl.DataFrame, dialect: Dialect) -> pl.DataFrame:
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


def _names(width: int) -> list[str]:
    return [str(position) for position in range(width)]

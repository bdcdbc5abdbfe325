"""The fast parser, polars: lines that are known to be cut alike by it and by Univocity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from ingest.formats.csv_nulls import nulls, unfolded
from ingest.formats.csv_tokens import cut_line

if TYPE_CHECKING:
    from ingest.formats.csv_bytes import Block
    from ingest.formats.csv_dialect import Dialect

BOM = b"\xef\xbb\xbf"
_LIKE_ZLIB = (b"x\x01", b"x\x5e", b"x\x9c", b"x\xda")
_LINE_SEPARATORS = "\x01\x02\x03\x1f\x1e\x1d\x7f"
"""Characters that hardly occur in text: one of them stands for "no separator"."""
_NOT_BLANK = r"[^\x00-\x20]"


def parse(block: bytes, names: list[str], sep: str, *, quote: str | None) -> pl.DataFrame:
    """Parse with polars; raises `ComputeError` at a row that is too long.

    Text that begins like a zlib stream would be taken for one: a row is put before it.
    """
    like_zlib = block.startswith(_LIKE_ZLIB)
    columns = pl.read_csv(
        b"0" + sep.encode() * (len(names) - 1) + b"\n" + block if like_zlib else block,
        has_header=False,
        schema=dict.fromkeys(names, pl.String),
        separator=sep,
        quote_char=quote,
        glob=False,
    )
    return columns[1:] if like_zlib else columns


def parse_lines(lines: pl.Series, width: int, block: Block, dialect: Dialect) -> pl.DataFrame:
    """Cut plain lines of `width` cells, which are some of the block's, into finished cells."""
    columns = _parse_plain(lines, width, dialect)
    return nulls(unfolded(columns, block, dialect), dialect)


def split_lines(block: Block) -> pl.Series:
    """Give the block's records: its lines without the blank ones."""
    marks = (mark for mark in _LINE_SEPARATORS if mark.encode() not in block.data)
    mark = next(marks, None)
    if mark is None or block.data.startswith(BOM):
        lines = pl.Series("line", block.data.decode().split("\n"), dtype=pl.String)
    else:
        lines = parse(block.data, ["line"], mark, quote=None).to_series()
    return lines.filter(lines.str.contains(_NOT_BLANK))


def cell_names(width: int) -> list[str]:
    """Name columns of cells by their position."""
    return [str(position) for position in range(width)]


def cell_schema(width: int) -> dict[str, type[pl.String]]:
    """Give the schema of columns of cells."""
    return dict.fromkeys(cell_names(width), pl.String)


def _parse_plain(lines: pl.Series, width: int, dialect: Dialect) -> pl.DataFrame:
    if not len(lines):
        return pl.DataFrame(schema=cell_schema(width))
    text = f"{lines.str.join(chr(10)).item()}\n"
    sep = dialect.sep
    if len(sep.encode()) > 1:
        sep = next((mark for mark in _LINE_SEPARATORS if mark not in text), "")
        if not sep:
            cells = [cut_line(line, dialect) for line in lines]
            return pl.DataFrame(cells, schema=cell_schema(width), orient="row")
        text = text.replace(dialect.sep, sep)
    quote = dialect.quote if dialect.quote in text else None
    columns = parse(text.encode(), cell_names(width), sep, quote=quote)
    if quote is None or sep == dialect.sep:
        return columns
    return columns.select(pl.all().str.replace_all(sep, dialect.sep, literal=True))

"""Whole blocks of bytes looked through at once: what a loop over characters would be too slow for.

The blocks are seen as columns of bytes, without a copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa

if TYPE_CHECKING:
    from ingest.formats.csv_dialect import Dialect

_SMALL = 64 << 10
"""Bytes up to which Python's own search is as quick."""
_NEWLINE = ord("\n")


def count_byte(data: bytes, byte: bytes) -> int:
    r"""Count a byte.

    >>> count_byte(b"a\nb\n", b"\n")
    2
    """
    if len(data) < _SMALL:
        return data.count(byte)
    return int((_bytes_of(data) == ord(byte)).sum())


def is_utf8(data: bytes) -> bool:
    r"""Tell whether these bytes are valid UTF-8.

    >>> is_utf8("Malmö".encode()), is_utf8(b"\xff")
    (True, False)
    """
    if data.isascii():
        return True
    size = pa.py_buffer(bytes(8) + len(data).to_bytes(8, "little"))
    text = pa.Array.from_buffers(pa.large_utf8(), 1, [None, size, pa.py_buffer(data)])
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def doubled_quotes(data: bytes, dialect: Dialect) -> int | None:
    r"""Count the doubled quotes of lines whose quoting is plain; None when it is not.

    Plain means RFC 4180, which Univocity cuts in the same way: of all quotes every other one opens
    a cell, or is the second one of two; the others close a cell, or are the first one of two. Two
    are plain only where a quote is escaped by doubling it. That no cell goes on in the next line,
    and that no escape is inside a quoted cell, is for the caller to see.

    >>> from ingest.formats.csv_dialect import Dialect
    >>> dialect = Dialect(",", '"', '"', "", "", trim_leading=False, trim_trailing=False)
    >>> doubled_quotes(b'"a ""b"" c",2\n', dialect), doubled_quotes(b'""a"",2\n', dialect)
    (2, None)
    """
    cells = _bytes_of(data)
    quotes = (cells == ord(dialect.quote)).arg_true()
    if len(quotes) % 2:
        return None
    after = cells.gather(quotes.gather_every(2, offset=1) + 1)
    doubled = int((after == ord(dialect.quote)).sum())
    if doubled and not dialect.doubles_quotes:
        return None
    opening = quotes.gather_every(2)
    if len(opening) and opening[0] == 0:
        opening = opening.slice(1)
    before = cells.gather(opening - 1)
    closed = _count_ends(after, dialect) + doubled == len(after)
    opened = _count_ends(before, dialect) + doubled == len(before)
    return doubled if closed and opened else None


def _count_ends(cells: pl.Series, dialect: Dialect) -> int:
    return int(((cells == ord(dialect.sep)) | (cells == _NEWLINE)).sum())


def _bytes_of(data: bytes) -> pl.Series:
    return pl.Series(pa.Array.from_buffers(pa.uint8(), len(data), [None, pa.py_buffer(data)]))

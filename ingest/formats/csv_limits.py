"""What a record may not have: too many cells, too long cells, unescaped quotes.

Spark fails the job at such a record, whatever the parse mode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.errors import RecordNotReadableError
from ingest.formats.csv_cutter import UnescapedQuoteFoundError
from ingest.formats.csv_tokens import cut_line

if TYPE_CHECKING:
    import polars as pl

    from ingest.formats.csv_dialect import Dialect
    from ingest.formats.csv_lines import Cells


class RefusedRecordError(Exception):
    """A record of a block, by its row, that an option forbids."""

    def __init__(self, row: int, *, option: str, found: str, record: str, expected: str) -> None:
        self.row = row
        self.option = option
        self.found = found
        self.record = record
        self.expected = expected
        super().__init__(f"record {row}: {found}")

    def in_file(self, file: str) -> RecordNotReadableError:
        """Say in which file it was found."""
        return RecordNotReadableError(
            file,
            option=self.option,
            found=self.found,
            record=self.record,
            expected=self.expected,
        )


def cut_first(line: str, dialect: Dialect) -> list[str | None]:
    """Cut the first record of a file; raises `RefusedRecordError`."""
    try:
        cells = cut_line(line, dialect)
    except UnescapedQuoteFoundError as error:
        raise unescaped_quote(0, line) from error
    if len(cells) > dialect.max_columns:
        raise too_many_columns(0, line[:100], len(cells), dialect.max_columns)
    for cell in cells:
        if dialect.max_chars is not None and cell is not None and _units(cell) > dialect.max_chars:
            raise _too_long(0, cell, dialect.max_chars)
    return cells


def unescaped_quote(row: int, record: str) -> RefusedRecordError:
    """Refuse a record with an unescaped quote (`unescapedQuoteHandling` RAISE_ERROR)."""
    return RefusedRecordError(
        row,
        option="unescapedQuoteHandling",
        found="an unescaped quote",
        record=record,
        expected="quotes inside cells to be escaped",
    )


def too_many_columns(row: int, record: str, length: int, limit: int) -> RefusedRecordError:
    """Refuse a record with more cells than `maxColumns`."""
    return RefusedRecordError(
        row,
        option="maxColumns",
        found=f"a record of {length} cells",
        record=record,
        expected=f"at most {limit} cells in a record (maxColumns)",
    )


def check_limits(cells: Cells) -> None:
    """Raise `RefusedRecordError` for the first record beyond `maxColumns` or `maxCharsPerColumn`.

    Characters are counted as Java does, in units of UTF-16.
    """
    dialect, ragged = cells.dialect, cells.ragged
    beyond = (ragged.lengths > dialect.max_columns).arg_true()
    if len(beyond):
        row = ragged.rows.gather(beyond[:1])
        length = ragged.lengths[beyond[0]]
        raise too_many_columns(row[0], cells.lines(row)[0][:100], length, dialect.max_columns)
    limit = dialect.max_chars
    if limit is None:
        return
    found = [_first_too_long(column, limit) for column in cells.columns]
    for one in ragged.surplus:
        place = _first_too_long(one.texts, limit)
        found.append(place and (one.rows[place[0]], place[1]))
    longest = min((one for one in found if one is not None), default=None)
    if longest is not None:
        raise _too_long(*longest, limit)


def _too_long(row: int, cell: str, limit: int) -> RefusedRecordError:
    return RefusedRecordError(
        row,
        option="maxCharsPerColumn",
        found=f"a cell of {_units(cell)} characters",
        record=cell[:100],
        expected=f"at most {limit} characters in a cell (maxCharsPerColumn)",
    )


def _first_too_long(cells: pl.Series, limit: int) -> tuple[int, str] | None:
    places = (cells.str.len_bytes() > limit).arg_true()
    for place, cell in zip(places, cells.gather(places), strict=True):
        if _units(cell) > limit:
            return place, cell
    return None


def _units(cell: str) -> int:
    return len(cell.encode("utf-16-le", "surrogatepass")) // 2

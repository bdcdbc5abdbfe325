"""One record of CSV to its cells, exactly as Spark's parser cuts it.

This is the reference, and the slow path for lines that are not plain (see
`csv_short_separator`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.formats.csv_cutter import Cutter, EndOfTextError, UnescapedQuoteFoundError
from ingest.formats.csv_dialect import NO_CHARACTER
from ingest.formats.csv_long_separator import cut_long, read_long
from ingest.formats.csv_marks import (
    BREAK,
    ENDS_TEXT,
    NOT_BLANK,
    newlines,
    unfold,
    unfold_cell,
    unfold_plain,
)
from ingest.formats.csv_short_separator import cut_short, read_short

if TYPE_CHECKING:
    from ingest.formats.csv_dialect import Dialect

_LAST_BMP = "\uffff"
_FIRST_MARK = "\ufdd0"


def cut_line(line: str, dialect: Dialect) -> list[str | None]:
    """Cut a record (not blank, without its end) into cells; None is a null cell.

    Raises `UnescapedQuoteFoundError` where unescaped quotes are an error.

    >>> from ingest.stream_options import CsvOptions
    >>> from ingest.formats.csv_dialect import find_dialect
    >>> cut_line('a,"b, c",5" pipe', find_dialect(CsvOptions(), comma_space=False))
    ['a', 'b, c', '5" pipe']
    """
    text = line
    last = max(line, default="")
    folded = dialect.folds and last >= _FIRST_MARK
    if dialect.multi_line:
        ends_text = line.startswith(ENDS_TEXT)
        text = text.lstrip(ENDS_TEXT + NOT_BLANK)
        text = text if ends_text else text + BREAK
    if folded:
        text = unfold_plain(text) if dialect.multi_line else unfold(text, dialect)
    pairs = last > _LAST_BMP
    cutter = _cutter(_split_pairs(text) if pairs else text, dialect)
    cells = _cut(cutter)
    if pairs:
        cells = [cell and _join_pairs(cell) for cell in cells]
    if folded and dialect.multi_line:
        cells = [cell and unfold_cell(cell, dialect) for cell in cells]
    return [None if cell == dialect.null_value else cell for cell in cells]


def find_end(text: str, start: int, dialect: Dialect) -> int | None:
    """Find where the record that starts here ends: after its newline; None when the text ends.

    The newlines of the text are marks. Characters beyond the first plane count as one here: no
    special character of a dialect is among them.
    """
    cutter = _cutter(text, dialect)
    cutter.position = start
    try:
        _run(cutter)
    except EndOfTextError:
        return None
    except (RecursionError, UnescapedQuoteFoundError):  # `cut_line` will say so again
        found = re.compile(f"[{newlines(dialect)}]").search(text, max(start, cutter.position - 1))
        return found.end() if found else None
    return cutter.position


def _cutter(text: str, dialect: Dialect) -> Cutter:
    is_short = len(dialect.sep) == 1
    return Cutter(
        text,
        dialect,
        dialect.sep if is_short else NO_CHARACTER,
        newlines(dialect),
        read_short if is_short else read_long,
    )


def _run(cutter: Cutter) -> None:
    if len(cutter.dialect.sep) == 1:
        cut_short(cutter)
    else:
        cut_long(cutter)


def _cut(cutter: Cutter) -> list[str | None]:
    try:
        _run(cutter)
    except EndOfTextError:
        cutter.end()
    except RecursionError:  # hundreds of `"\` in one cell; Java's stack ends as well
        return [cutter.text]
    return cutter.cells


def _split_pairs(text: str) -> str:
    """Write characters beyond the first plane as two, as Java sees them."""
    return "".join(map(chr, memoryview(text.encode("utf-16-le")).cast("H")))


def _join_pairs(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")

"""Line breaks inside a record, written as characters that text does not have.

Everything after the bytes works on lines: one record, one line. A line break that does not end its
record is written as one of Unicode's noncharacters meanwhile; should the text itself have one of
these, it is written as two. `unfold` undoes it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from ingest.formats.csv_dialect import Dialect

BREAK, BREAK_CR, BREAK_CRLF = "\ufdd0", "\ufdd1", "\ufdd4"
"""A line break inside quotes like those that end the file's records, or LF: LF (or the user's
`lineSep`), CR, CR LF."""

PLAIN_LF, PLAIN_CR = "\ufdd3", "\ufdd5"
"""The characters themselves, where the file's line end or the user's `lineSep` is another."""

ENDS_TEXT, NOT_BLANK = "\ufdd6", "\ufdd7"
"""Before a record that ends with the text, and before one of blanks: stands for nothing."""

_ESCAPE = "\ufdd2"
_MARKS = "\ufdd0\ufdd1\ufdd2\ufdd3\ufdd4\ufdd5\ufdd6\ufdd7"
_FIRST_BYTES = b"\xef\xb7"
_ESCAPED = {mark: _ESCAPE + chr(0xFDD8 + place) for place, mark in enumerate(_MARKS)}
_ESCAPED_BYTES = {mark.encode(): text.encode() for mark, text in _ESCAPED.items()}
_LITERAL = re.compile(b"\xef\xb7[\x90-\x97]")
_NEWLINES = BREAK + BREAK_CR + BREAK_CRLF


def newlines(dialect: Dialect) -> str:
    """Give the characters that end a record in `multiLine`; line mode has none."""
    return _NEWLINES if dialect.multi_line else ""


def escape_marks(text: bytes) -> bytes:
    """Write characters of the text that look like marks as two."""
    if _FIRST_BYTES not in text:
        return text
    return _LITERAL.sub(lambda match: _ESCAPED_BYTES[match[0]], text)


def fold_plain(text: bytes) -> bytes:
    """Write line breaks that are ordinary characters as marks."""
    return text.replace(b"\n", PLAIN_LF.encode()).replace(b"\r", PLAIN_CR.encode())


def has_marks(text: bytes, dialect: Dialect) -> bool:
    """Tell whether anything has to be unfolded."""
    return dialect.folds and _FIRST_BYTES in text


def has_prefixes(text: bytes, dialect: Dialect) -> bool:
    """Tell whether some record begins with a mark that stands for nothing."""
    if not has_marks(text, dialect):
        return False
    return ENDS_TEXT.encode() in text or NOT_BLANK.encode() in text


def unfold(text: str, dialect: Dialect) -> str:
    """Give the text as it is in the file."""
    if _ESCAPE not in text:
        for mark, original in _originals(dialect).items():
            text = text.replace(mark, original)
        return text
    originals = _originals(dialect) | {double: mark for mark, double in _ESCAPED.items()}
    pattern = f"{_ESCAPE}.|[{_MARKS}]"
    return re.sub(pattern, lambda match: originals[match[0]], text)


def unfold_cell(text: str, dialect: Dialect) -> str:
    """Give a cell: a break like the file's line ends is a newline (Univocity's normalization)."""
    return unfold(text.replace(BREAK_CRLF, PLAIN_LF).replace(BREAK_CR, PLAIN_LF), dialect)


def unfold_cells(columns: pl.DataFrame, dialect: Dialect) -> pl.DataFrame:
    """Give cells, as `unfold_cell` does."""
    return _unfold_columns(columns, _originals(dialect) | {BREAK_CR: "\n", BREAK_CRLF: "\n"})


def unfold_lines(lines: pl.Series, dialect: Dialect) -> pl.Series:
    """Give records as they are in the file."""
    return _unfold_columns(lines.to_frame(), _originals(dialect)).to_series()


def _unfold_columns(columns: pl.DataFrame, marks: dict[str, str]) -> pl.DataFrame:
    originals = {double: mark for mark, double in _ESCAPED.items()} | marks
    return columns.select(
        pl.all().str.replace_many(list(originals), list(originals.values()), leftmost=True)
    )


def unfold_plain(line: str) -> str:
    """Give a line in which only marks for record ends are left, each as one character."""
    return line.replace(PLAIN_LF, "\n").replace(PLAIN_CR, "\r")


def _originals(dialect: Dialect) -> dict[str, str]:
    return {
        BREAK: dialect.line_sep or "\n",
        BREAK_CR: "\r",
        BREAK_CRLF: "\r\n",
        PLAIN_LF: "\n",
        PLAIN_CR: "\r",
        ENDS_TEXT: "",
        NOT_BLANK: "",
    }

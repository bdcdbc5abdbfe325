"""Which lines of CSV are plain: cut alike by Univocity and by RFC 4180."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ingest.formats.csv_dialect import NO_CHARACTER
from ingest.formats.csv_marks import ENDS_TEXT, NOT_BLANK

if TYPE_CHECKING:
    import polars as pl

    from ingest.formats.csv_dialect import Dialect

_BLANK = r"\x00-\x20"

MOST_CELLS = 1000
"""Wider lines go to the tokenizer: the expression that proves them plain is too large."""


@lru_cache(maxsize=64)
def plain_line(width: int, dialect: Dialect) -> str:
    """Give the expression for lines that every dialect cuts alike, into `width` cells.

    A cell is text without quotes, or quoted as a whole. Where blanks are trimmed a line qualifies
    only if there are none at the ends of its unquoted cells.
    """
    sep, quote = re.escape(dialect.sep), re.escape(dialect.quote)
    text = f"[^{sep}{quote}]"
    inner = f"[^{sep}{quote}{_BLANK}]"
    first = inner if dialect.trim_leading else text
    last = inner if dialect.trim_trailing else text
    bare = f"(?:{first}(?:{text}*{last})?)?" if first != last or first == inner else f"{text}*"
    if dialect.trim_leading != dialect.trim_trailing:
        bare = f"(?:{inner}|{first}{text}*{last})?"
    cell = f"(?:{bare}|{quote}{_inside(dialect)}{quote})"
    return f"^{cell}(?:{sep}{cell}){{{width - 1}}}$"


@lru_cache(maxsize=64)
def plain_record(dialect: Dialect, newlines: str) -> re.Pattern[str]:
    """Give the expression for a record whose quotes are plain, and the newline that ends it.

    Where it matches, the record ends there for Univocity too; blanks are not looked at.
    """
    sep, quote = re.escape(dialect.sep), re.escape(dialect.quote)
    first = re.escape(dialect.sep[0])
    bare = f"[^{first}{quote}{newlines}]*"
    cell = f"(?:{quote}{_inside(dialect)}{quote}|{bare})"
    end = f"[{newlines}]" if newlines else ""
    return re.compile(f"{cell}(?:{sep}{cell})*{end}")


def can_be_plain(dialect: Dialect) -> bool:
    """Tell whether the dialect's special characters are apart, and none of them is a blank.

    Only then plain lines are cut alike by everyone.
    """
    special = [dialect.quote, dialect.escape, dialect.special or NO_CHARACTER]
    others = {char for char in special if char != NO_CHARACTER}
    return not any(char in dialect.sep or char <= " " for char in others)


def is_found_at_once(sep: str) -> bool:
    """Tell whether Univocity, which never goes back, finds a long separator wherever it is."""
    return len(set(sep)) == 1 or sep[0] not in sep[1:-1]


def marks_of_odd(dialect: Dialect) -> list[str]:
    """Give the marks that a plain line cannot have: with trimming, any."""
    return (
        [chr(mark) for mark in range(0xFDD0, 0xFDD8)] if dialect.trims else [ENDS_TEXT, NOT_BLANK]
    )


def plain_lines(lines: pl.Series, width: int, dialect: Dialect) -> pl.Series | None:
    """Tell which lines are plain; None when the fast parser knows nothing like this dialect."""
    if not can_be_plain(dialect) or len(dialect.quote.encode()) > 1 or width > MOST_CELLS:
        return None
    bom = lines.str.starts_with("\ufeff")
    if len(dialect.sep) == 1:
        return lines.str.contains(plain_line(width, dialect)) & ~bom
    if dialect.trims or not is_found_at_once(dialect.sep):
        return None
    quoted = lines.str.contains(dialect.quote, literal=True)
    cells = lines.str.count_matches(dialect.sep, literal=True) + 1
    return (cells == width) & ~quoted & ~bom


def _inside(dialect: Dialect) -> str:
    """Give the expression for the inside of a quoted cell that is plain in this dialect."""
    quote, escape = re.escape(dialect.quote), re.escape(dialect.escape)
    special = re.escape(dialect.special or "")
    if dialect.doubles_quotes:
        return rf"(?:[^{quote}{special}\x00]|{quote}{quote})*"  # Univocity loses some NULs here
    times = "+" if dialect.escape == NO_CHARACTER else "*"  # then `""` is a quote for Univocity
    return f"(?:[^{quote}{escape}{special}]|{escape}[^{quote}{escape}{special}]){times}"

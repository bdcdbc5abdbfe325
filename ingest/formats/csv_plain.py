"""Which lines of CSV are plain: cut alike by Univocity and by RFC 4180."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ingest.formats.csv_dialect import NO_CHARACTER
from ingest.formats.csv_marks import ENDS_TEXT, NOT_BLANK, has_marks

if TYPE_CHECKING:
    import polars as pl

    from ingest.formats.csv_bytes import Block
    from ingest.formats.csv_dialect import Dialect

_BLANK = r"\x00-\x20"

MOST_CELLS = 1000
"""Wider lines go to the tokenizer: the expression that proves them plain is too large."""


@lru_cache(maxsize=64)
def plain_line(width: int | None, dialect: Dialect) -> str:
    """Give the expression for lines that every dialect cuts alike, into `width` cells or any.

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
    times = "*" if width is None else f"{{{width - 1}}}"
    return f"^{cell}(?:{sep}{cell}){times}$"


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


def plain_lines(lines: pl.Series, width: int, block: Block, dialect: Dialect) -> pl.Series | None:
    """Tell which lines are plain; None when the fast parser knows nothing like this dialect."""
    if not _has_plain(dialect) or width > MOST_CELLS:
        return None
    others = _not_odd(lines, block, dialect)
    if len(dialect.sep) == 1:
        return others & lines.str.contains(plain_line(width, dialect))
    cells = lines.str.count_matches(dialect.sep, literal=True) + 1
    return others & (cells == width) & ~lines.str.contains(dialect.quote, literal=True)


def plain_lengths(lines: pl.Series, block: Block, dialect: Dialect) -> pl.Series | None:
    """Count the cells of lines that are plain, of whatever length; null for the others.

    None as in `plain_lines`.
    """
    if not _has_plain(dialect):
        return None
    plain = _not_odd(lines, block, dialect)
    quoted = lines.str.contains(dialect.quote, literal=True)
    bare = lines
    if len(dialect.sep) > 1:
        plain &= ~quoted
    elif dialect.trims or quoted.any():
        plain &= lines.str.contains(plain_line(None, dialect))
        quote = re.escape(dialect.quote)
        bare = lines.str.replace_all(f"{quote}{_inside(dialect)}{quote}", "")
    cells = bare.str.count_matches(dialect.sep, literal=True) + 1
    return cells.set(~plain, None)


def without_blanks(lines: pl.Series, dialect: Dialect) -> pl.Series:
    """Trim the cells of lines without quotes, so that they are plain; all others stay.

    A null character may be one of Univocity's own. A last cell of blanks stays, if it would be
    trimmed at its end only: that makes it the empty value (see `csv_nulls`).
    """
    if not dialect.trims or len(dialect.sep) > 1 or dialect.sep <= " ":
        return lines
    sep = re.escape(dialect.sep)
    stays = lines.str.contains_any([dialect.quote, NO_CHARACTER])
    if not dialect.trim_leading:
        stays |= lines.str.contains(f"(?:^|{sep})[{_BLANK}]+$")
    trimmed = lines
    if dialect.trim_leading:
        trimmed = trimmed.str.replace_all(f"(^|{sep})[{_BLANK}]+", "${1}")
    if dialect.trim_trailing:
        trimmed = trimmed.str.replace_all(f"[{_BLANK}]+({sep}|$)", "${1}")
    return lines.zip_with(stays, trimmed)


def _has_plain(dialect: Dialect) -> bool:
    """Tell whether there can be lines that the fast parser cuts alike."""
    if not can_be_plain(dialect) or len(dialect.quote.encode()) > 1:
        return False
    return len(dialect.sep) == 1 or (not dialect.trims and is_found_at_once(dialect.sep))


def _not_odd(lines: pl.Series, block: Block, dialect: Dialect) -> pl.Series:
    """Tell which lines have no mark that a plain line cannot have, and no byte order mark.

    With trimming, a plain line can have no mark at all.
    """
    others = ~lines.str.starts_with("\ufeff")
    if not has_marks(block.data, dialect):
        return others
    every = [chr(mark) for mark in range(0xFDD0, 0xFDD8)]
    return others & ~lines.str.contains_any(every if dialect.trims else [ENDS_TEXT, NOT_BLANK])


def _inside(dialect: Dialect) -> str:
    """Give the expression for the inside of a quoted cell that is plain in this dialect."""
    quote, escape = re.escape(dialect.quote), re.escape(dialect.escape)
    special = re.escape(dialect.special or "")
    if dialect.doubles_quotes:
        return rf"(?:[^{quote}{special}\x00]|{quote}{quote})*"  # Univocity loses some NULs here
    times = "+" if dialect.escape == NO_CHARACTER else "*"  # then `""` is a quote for Univocity
    return f"(?:[^{quote}{escape}{special}]|{escape}[^{quote}{escape}{special}]){times}"

"""Which lines of CSV are plain: cut alike by Univocity and by RFC 4180."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.formats.csv_dialect import Dialect

_BLANK = r"\x00-\x20"


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


def _inside(dialect: Dialect) -> str:
    """Give the expression for the inside of a quoted cell that is plain in this dialect."""
    quote, escape = re.escape(dialect.quote), re.escape(dialect.escape)
    if dialect.doubles_quotes:
        return rf"(?:[^{quote}\x00]|{quote}{quote})*"  # Univocity loses some NULs here
    return f"(?:[^{quote}{escape}]|{escape}[^{quote}{escape}])*"

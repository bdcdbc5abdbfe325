"""What the state machine that cuts a record of CSV keeps: Univocity 2.9, the parser inside Spark.

Its steps are in `csv_short_separator`, and in `csv_long_separator` for separators of several
characters. Text is cut at `position`, and left there at the end of the record.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from ingest.formats.csv_dialect import NO_CHARACTER
from ingest.text.numbers import JAVA_BLANKS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.formats.csv_dialect import Dialect

COMMENT = "#"
"""What Univocity takes for a comment character at the end of the text when none is set."""


def find_first(text: str, stops: str, start: int) -> int | None:
    """Find the first of these characters, without looking further than that."""
    found = _one_of(stops).search(text, start)
    return None if found is None else found.start()


@lru_cache(maxsize=64)
def _one_of(stops: str) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(stops)}]")


class EndOfTextError(Exception):
    """The next character was asked for, and there is none."""


class UnescapedQuoteFoundError(Exception):
    """An unescaped quote, where `unescapedQuoteHandling` is `RAISE_ERROR`."""


@dataclass(slots=True)
class Cutter:
    """Univocity's state: the current and the previous character, and the cell so far.

    `sep` is the separator when it is one character, else the null character (as in Univocity);
    `skips` while a cell is read whose text is not kept; `matched` counts the characters of a long
    separator that were met.
    """

    text: str
    dialect: Dialect
    sep: str
    newlines: str
    read_quoted: Callable[[Cutter], None]
    position: int = 0
    ch: str = NO_CHARACTER
    prev: str = NO_CHARACTER
    unescaped: bool = False
    trim: bool = False
    skips: bool = False
    matched: int = 0
    cell: list[str] = field(default_factory=list)
    cells: list[str | None] = field(default_factory=list)

    def advance(self) -> None:
        """Take the next character."""
        if self.position >= len(self.text):
            raise EndOfTextError
        self.ch = self.text[self.position]
        self.position += 1

    def add(self, text: str) -> None:
        """Add text to the cell."""
        if not self.skips:
            self.cell.append(text)

    def has_text(self) -> bool:
        """Tell whether the cell has text so far."""
        return any(self.cell)

    def finish_cell(self) -> None:
        """Follow `ParserOutput.valueParsed`."""
        text: str | None = "".join(self.cell)
        if text and self.trim:
            text = text.rstrip(JAVA_BLANKS)
        self.cells.append(None if self.skips else text or self.dialect.empty_value)
        self.cell = []
        self.skips = False

    def at_newline(self) -> bool:
        """Tell whether the record ends here."""
        return self.ch in self.newlines

    def at_stop(self) -> bool:
        """Tell whether the cell ends here, at a separator of one character."""
        return self.ch == self.sep or self.ch in self.newlines

    def read_until(self, *stops: str) -> None:
        """Take characters up to one of these (`CharAppender.appendUntil`); `ch` is that one.

        Without one the text ends, and `ch` stays what it was.
        """
        start = self.position - 1
        end = find_first(self.text, "".join(stops), start)
        if end is None:
            self.add(self.text[start:])
            self.position = len(self.text)
            raise EndOfTextError
        self.add(self.text[start:end])
        self.ch, self.position = self.text[end], end + 1

    def end(self) -> None:
        """Take what is there at the end of the text (`consumeValueOnEOF`, `handleEOF`)."""
        quote = self.dialect.quote
        closed = self.ch == quote and self.prev == quote
        if self.ch == quote and not closed and not self.unescaped:
            self.add(quote)
        stops = (self.sep, self.dialect.comment or COMMENT, *self.newlines)
        wanted = closed or (self.prev != NO_CHARACTER and self.ch not in stops)
        if not closed and self.matched:
            self.add(self.dialect.sep[: self.matched])
            wanted = True
        if wanted or self.has_text():
            self.finish_cell()
        else:
            self.cells.append(None)
            self.skips = False

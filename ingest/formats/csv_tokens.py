"""One line of CSV to its cells, exactly as Spark's parser cuts it (Univocity 2.9, line mode).

This is the reference, and the slow path for lines that are not plain. It follows
`com.univocity.parsers.csv.CsvParser` with `UnescapedQuoteHandling.STOP_AT_DELIMITER` state by
state, oddities included: `x"y` and `"x"y` keep their quotes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.formats.csv_dialect import NO_CHARACTER
from ingest.text.numbers import JAVA_BLANKS

if TYPE_CHECKING:
    from ingest.formats.csv_dialect import Dialect

_PRIVATE = "\ue000"
"""Stands for a separator of several characters while a line is cut."""

_LAST_BMP = "\uffff"


def cut_line(line: str, dialect: Dialect) -> list[str | None]:
    """Cut a line (not blank, without its end) into cells; None is a null cell.

    >>> from ingest.stream_options import CsvOptions
    >>> from ingest.formats.csv_dialect import find_dialect
    >>> cut_line('a,"b, c",5" pipe', find_dialect(CsvOptions(), comma_space=False))
    ['a', 'b, c', '5" pipe']
    """
    sep = dialect.sep
    if len(sep) > 1:
        line, sep = line.replace(sep, _PRIVATE), _PRIVATE
    pairs = max(line) > _LAST_BMP
    cells = _Cutter(_split_pairs(line) if pairs else line, dialect, sep).cut()
    if pairs:
        cells = [cell and _join_pairs(cell) for cell in cells]
    if len(dialect.sep) > 1:
        cells = [cell and cell.replace(_PRIVATE, dialect.sep) for cell in cells]
    return [None if cell == dialect.null_value else cell for cell in cells]


def _split_pairs(text: str) -> str:
    """Write characters beyond the first plane as two, as Java sees them."""
    return "".join(map(chr, memoryview(text.encode("utf-16-le")).cast("H")))


def _join_pairs(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


class _EndOfLineError(Exception):
    """The next character was asked for, and there is none."""


@dataclass(slots=True)
class _Cutter:
    """Univocity's state: the current and the previous character, and the cell so far."""

    line: str
    dialect: Dialect
    sep: str
    position: int = 0
    ch: str = NO_CHARACTER
    prev: str = NO_CHARACTER
    unescaped: bool = False
    trim: bool = False
    cell: list[str] = field(default_factory=list)
    cells: list[str | None] = field(default_factory=list)

    def cut(self) -> list[str | None]:
        try:
            self._advance()
            while True:
                self._cut_cell()
        except _EndOfLineError:
            self._end()
        except RecursionError:  # hundreds of `"\` in one cell; Java's stack ends as well
            return [self.line]
        return self.cells

    def _advance(self) -> None:
        if self.position >= len(self.line):
            raise _EndOfLineError
        self.ch = self.line[self.position]
        self.position += 1

    def _cut_cell(self) -> None:
        """Cut one cell, and move to the first character of the next one."""
        if self.dialect.trim_leading:
            self._skip_blanks()
        if self.ch == self.sep:
            self.cells.append(None)
        else:
            self.unescaped = False
            self.prev = NO_CHARACTER
            if self.ch == self.dialect.quote:
                self._cut_quoted()
            else:
                self._cut_plain()
        self._advance()

    def _skip_blanks(self) -> None:
        stops = (self.sep, self.dialect.quote)
        start = self.ch
        try:
            while self.ch <= " " and self.ch not in stops:
                self._advance()
        except _EndOfLineError:
            self.ch = start
            raise

    def _cut_plain(self) -> None:
        start = self.position - 1
        end = self.line.find(self.sep, start)
        if end < 0:
            self.cell = [self.line[start:]]
            self.trim = self.dialect.trim_trailing
            self.position = len(self.line)
            raise _EndOfLineError
        text = self.line[start:end]
        if self.dialect.trim_trailing:
            text = text.rstrip(JAVA_BLANKS)
        self.cells.append(text or None)
        self.ch, self.position = self.sep, end + 1

    def _cut_quoted(self) -> None:
        end = self._simple_end()
        if end is not None:
            self.cells.append(self.line[self.position : end] or self.dialect.empty_value)
            self.ch, self.position = self.sep, end + 2
            return
        self.trim = False
        self._read_quoted()
        self._finish_cell()

    def _simple_end(self) -> int | None:
        """Find the closing quote of a cell that holds nothing special (`getQuotedString`)."""
        quote, escape = self.dialect.quote, self.dialect.escape
        end = self.line.find(quote, self.position)
        if end < 0 or self.line[end + 1 : end + 2] != self.sep or self.line[end - 1] == escape:
            return None
        special = self.dialect.escape_of_escape
        return None if escape + special in self.line[self.position : end] else end

    def _finish_cell(self) -> None:
        text = "".join(self.cell)
        if self.trim:
            text = text.rstrip(JAVA_BLANKS)
        self.cells.append(text or self.dialect.empty_value)
        self.cell = []

    def _end(self) -> None:
        """Take what is there at the end of the line (`consumeValueOnEOF`, `handleEOF`)."""
        quote = self.dialect.quote
        closed = self.ch == quote and self.prev == quote
        if self.ch == quote and not closed and not self.unescaped:
            self.cell.append(quote)
        wanted = closed or (self.prev != NO_CHARACTER and self.ch != self.sep)
        if wanted or any(self.cell):
            self._finish_cell()
        else:
            self.cells.append(None)

    def _read_quoted(self) -> None:
        """Follow `parseQuotedValue`: up to the separator after the closing quote."""
        if self.prev != NO_CHARACTER:
            self._read_to_separator()
            return
        quote = self.dialect.quote
        self._advance()
        while not (self.prev == quote and (self.ch <= " " or self.ch == self.sep)):
            if self.ch not in {quote, self.dialect.escape}:
                if self.prev == quote:
                    self._keep_quote()
                    return
                self._read_text()
            else:
                self._read_escape()
                self.prev = self.ch
                self._advance()
                if self.unescaped and self.ch == self.sep:
                    return
        if self.ch != self.sep:
            self._read_blanks()

    def _read_to_separator(self) -> None:
        self.cell.insert(0, self.dialect.quote)
        self._advance()
        self.trim = self.dialect.trim_trailing
        self._read_until(self.sep)

    def _read_until(self, *stops: str) -> None:
        """Take characters up to one of these; `ch` changes only when one is found."""
        ends = [end for stop in stops if (end := self.line.find(stop, self.position - 1)) >= 0]
        start = self.position - 1
        if not ends:
            self.cell.append(self.line[start:])
            self.position = len(self.line)
            raise _EndOfLineError
        end = min(ends)
        self.cell.append(self.line[start:end])
        self.ch, self.position = self.line[end], end + 1

    def _read_text(self) -> None:
        dialect = self.dialect
        if self.prev == dialect.escape and dialect.escape != NO_CHARACTER:
            self.cell.append(dialect.escape)
        self._read_until(dialect.quote, dialect.escape, dialect.escape_of_escape)
        self.prev = self.ch
        self._advance()

    def _keep_quote(self) -> None:
        """Keep the text as it is: a quote inside a quoted cell closes nothing."""
        self.unescaped = True
        self.cell += [self.dialect.quote, self.ch]
        self.prev = self.ch
        self._read_quoted()

    def _read_blanks(self) -> None:
        """Blanks after the closing quote are dropped, unless more text follows them."""
        start = self.position - 1
        self._advance()
        while self.ch <= " " and self.ch != self.sep:
            self._advance()
        if self.ch != self.sep:
            self.cell += [self.dialect.quote, self.line[start : self.position]]
            self.prev = self.ch
            self._read_quoted()

    def _read_escape(self) -> None:
        """Follow `processQuoteEscape`."""
        quote, escape = self.dialect.quote, self.dialect.escape
        special = self.dialect.escape_of_escape
        if self.ch == escape and self.prev == special and special != NO_CHARACTER:
            self.cell.append(escape)
            self.ch = NO_CHARACTER
        elif self.prev == escape:
            self.cell.append(quote if self.ch == quote else self.prev)
            self.ch = NO_CHARACTER if self.ch == quote else self.ch
        elif self.ch == quote and self.prev == quote:
            self.cell.append(quote)
        elif self.prev == quote:
            self._read_unquoted_rest()

    def _read_unquoted_rest(self) -> None:
        """Follow `handleUnescapedQuoteInValue` and `parseValueProcessingEscape`."""
        quote, escape = self.dialect.quote, self.dialect.escape
        self.cell.append(quote)
        self.prev = self.ch
        while self.ch != self.sep:
            if self.ch not in {quote, escape}:
                if self.prev == quote:
                    self._read_unquoted_rest()
                    return
                self.cell.append(self.ch)
            else:
                self._read_escape()
            self.prev = self.ch
            self._advance()

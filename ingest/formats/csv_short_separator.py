"""The state machine that cuts one record of CSV, with a separator of one character.

It follows Univocity's `com.univocity.parsers.csv.CsvParser` state by state, oddities included, with
every `UnescapedQuoteHandling`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.formats.csv_cutter import EndOfTextError, UnescapedQuoteFoundError, find_first
from ingest.formats.csv_dialect import NO_CHARACTER
from ingest.stream_options import UnescapedQuotes
from ingest.text.numbers import JAVA_BLANKS

if TYPE_CHECKING:
    from ingest.formats.csv_cutter import Cutter


def cut_short(cut: Cutter) -> None:
    """Cut a record with a separator of one character (`parseSingleDelimiterRecord`)."""
    dialect = cut.dialect
    cut.advance()
    if dialect.trim_leading:
        _skip_blanks(cut)
    while not cut.at_newline():
        if dialect.trim_leading:
            _skip_blanks(cut)
        if cut.at_stop():
            cut.cells.append(None)
        else:
            cut.unescaped = False
            cut.prev = NO_CHARACTER
            if cut.ch == dialect.quote:
                _cut_quoted(cut)
            else:
                _cut_plain(cut)
        if not cut.at_newline():
            cut.advance()
            if cut.at_newline():
                cut.cells.append(None)


def _skip_blanks(cut: Cutter) -> None:
    """Follow `skipWhitespace`: what was read is not kept when the text ends meanwhile."""
    start = cut.ch
    try:
        while cut.ch <= " " and cut.ch != cut.dialect.quote and not cut.at_stop():
            cut.advance()
    except EndOfTextError:
        cut.ch = start
        raise


def _cut_plain(cut: Cutter) -> None:
    """Follow `getString`: a cell that the text ends in is an appender's, not null when empty."""
    start = cut.position - 1
    end = find_first(cut.text, cut.sep + cut.newlines, start)
    if end is None:
        cut.trim = cut.dialect.trim_trailing
        cut.cell = [cut.text[start:]]
        cut.position = len(cut.text)
        raise EndOfTextError
    text = cut.text[start:end]
    if cut.dialect.trim_trailing:
        text = text.rstrip(JAVA_BLANKS)
    cut.cells.append(text or None)
    cut.ch, cut.position = cut.text[end], end + 1


def _cut_quoted(cut: Cutter) -> None:
    end = _simple_end(cut)
    if end is not None:
        cut.cells.append(cut.text[cut.position : end] or cut.dialect.empty_value)
        cut.ch, cut.position = cut.text[end + 1], end + 2
        return
    cut.trim = False
    read_short(cut)
    end_quoted(cut)


def end_quoted(cut: Cutter) -> None:
    """Finish a cell that began with a quote; BACK_TO_DELIMITER may have taken all of it."""
    gone = cut.unescaped and cut.dialect.unescaped is UnescapedQuotes.BACK_TO_DELIMITER
    if not (gone and not cut.skips and not cut.has_text()):
        cut.finish_cell()


def _simple_end(cut: Cutter) -> int | None:
    """Find the closing quote of a cell that holds nothing special (`getQuotedString`)."""
    dialect = cut.dialect
    end = cut.text.find(dialect.quote, cut.position)
    if end < 0 or cut.text[end - 1] == dialect.escape:
        return None
    after = cut.text[end + 1 : end + 2]
    if not after or (after != cut.sep and after not in cut.newlines):
        return None
    text = cut.text[cut.position : end]
    if dialect.line_sep is None and any(newline in text for newline in cut.newlines):
        return None  # Univocity writes line ends anew, one by one
    return None if dialect.escape + dialect.escape_of_escape in text else end


def read_short(cut: Cutter) -> None:
    """Follow `parseQuotedValue`: up to the separator after the closing quote."""
    dialect = cut.dialect
    if cut.prev != NO_CHARACTER and dialect.stops_at_separator:
        if dialect.unescaped is UnescapedQuotes.SKIP_VALUE:
            skip_value(cut)
            return
        cut.cell.insert(0, dialect.quote)
        cut.advance()
        cut.trim = dialect.trim_trailing
        cut.read_until(cut.sep, *cut.newlines)
        return
    cut.advance()
    while not (cut.prev == dialect.quote and (cut.ch <= " " or cut.at_stop())):
        if cut.ch not in {dialect.quote, dialect.escape}:
            if cut.prev == dialect.quote:
                handle_unescaped(cut)
                return
            read_text(cut)
        else:
            process_escape(cut)
            cut.prev = cut.ch
            cut.advance()
            if cut.unescaped and cut.at_stop():
                return
    if not cut.at_stop():
        _read_blanks(cut)


def _read_blanks(cut: Cutter) -> None:
    """Drop blanks after the closing quote, or keep all when more text follows them."""
    start = cut.position - 1
    cut.advance()
    while not cut.at_newline() and cut.ch <= " " and cut.ch != cut.sep:
        cut.advance()
    if not cut.at_stop():
        keep_blanks(cut, cut.text[start : cut.position - 1])


def keep_blanks(cut: Cutter, blanks: str) -> None:
    """Put back the closing quote and the blanks after it, and go on."""
    dialect = cut.dialect
    if dialect.unescaped is UnescapedQuotes.RAISE_ERROR:
        raise UnescapedQuoteFoundError
    cut.add(dialect.quote)
    cut.add(blanks)
    if dialect.stops_at_separator or cut.ch not in {dialect.quote, dialect.escape}:
        cut.add(cut.ch)
    cut.prev = cut.ch
    read_short(cut)


def read_text(cut: Cutter) -> None:
    """Take text inside quotes up to the next special character."""
    dialect = cut.dialect
    if cut.prev == dialect.escape and dialect.escape != NO_CHARACTER:
        cut.add(dialect.escape)
    cut.read_until(dialect.quote, dialect.escape, dialect.escape_of_escape)
    cut.prev = cut.ch
    cut.advance()


def skip_value(cut: Cutter) -> None:
    """Pass over the rest of the cell; it is null then."""
    cut.cell = []
    cut.skips = True
    if len(cut.dialect.sep) == 1:
        cut.read_until(cut.sep, *cut.newlines)
        return
    while cut.matched < len(cut.dialect.sep) and not cut.at_newline():
        met = cut.dialect.sep[cut.matched] == cut.ch
        cut.matched = cut.matched + 1 if met else 0
        cut.advance()


def handle_unescaped(cut: Cutter) -> None:
    """Follow `handleUnescapedQuote`: text comes right after a closing quote."""
    cut.unescaped = True
    match cut.dialect.unescaped:
        case UnescapedQuotes.BACK_TO_DELIMITER:
            *whole, rest = "".join(cut.cell).split(cut.dialect.sep)
            cut.cells += whole
            cut.cell = [rest, cut.ch]
            cut.prev = NO_CHARACTER
            cut.read_quoted(cut)
        case UnescapedQuotes.STOP_AT_CLOSING_QUOTE | UnescapedQuotes.STOP_AT_DELIMITER:
            cut.add(cut.dialect.quote)
            cut.add(cut.ch)
            cut.prev = cut.ch
            cut.read_quoted(cut)
        case UnescapedQuotes.SKIP_VALUE:
            skip_value(cut)
        case UnescapedQuotes.RAISE_ERROR:
            raise UnescapedQuoteFoundError


def process_escape(cut: Cutter) -> None:
    """Follow `processQuoteEscape`."""
    quote, escape = cut.dialect.quote, cut.dialect.escape
    special = cut.dialect.escape_of_escape
    if cut.ch == escape and cut.prev == special and special != NO_CHARACTER:
        cut.add(escape)
        cut.ch = NO_CHARACTER
    elif cut.prev == escape:
        cut.add(quote if cut.ch == quote else cut.prev)
        cut.ch = NO_CHARACTER if cut.ch == quote else cut.ch
    elif cut.ch == quote and cut.prev == quote:
        cut.add(quote)
    elif cut.prev == quote:
        _read_unquoted_rest(cut)


def _read_unquoted_rest(cut: Cutter) -> None:
    """Follow `handleUnescapedQuoteInValue` and `parseValueProcessingEscape`."""
    dialect = cut.dialect
    if dialect.unescaped is UnescapedQuotes.SKIP_VALUE:
        skip_value(cut)
        return
    if dialect.unescaped is UnescapedQuotes.RAISE_ERROR:
        raise UnescapedQuoteFoundError
    cut.add(dialect.quote)
    cut.prev = cut.ch
    while not cut.at_stop():
        if cut.ch not in {dialect.quote, dialect.escape}:
            if cut.prev == dialect.quote:
                _read_unquoted_rest(cut)
                return
            cut.add(cut.ch)
        else:
            process_escape(cut)
        cut.prev = cut.ch
        cut.advance()

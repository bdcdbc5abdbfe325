"""The state machine's part for separators of several characters (Univocity 2.9).

Univocity looks for them character by character and never goes back, so a separator that begins like
itself (`aab` in `aaab`) can be missed; this is followed too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.formats.csv_dialect import NO_CHARACTER
from ingest.formats.csv_short_separator import (
    end_quoted,
    handle_unescaped,
    keep_blanks,
    process_escape,
    read_text,
    skip_value,
)
from ingest.stream_options import UnescapedQuotes
from ingest.text.numbers import JAVA_BLANKS

if TYPE_CHECKING:
    from ingest.formats.csv_cutter import Cutter


def cut_long(cut: Cutter) -> None:
    """Cut a record with a separator of several characters (`parseMultiDelimiterRecord`)."""
    dialect = cut.dialect
    cut.advance()
    if dialect.trim_leading and cut.ch <= " ":
        _skip_blanks(cut)
    while not cut.at_newline():
        if dialect.trim_leading and cut.ch <= " ":
            _skip_blanks(cut)
        if cut.at_newline() or _at_separator(cut):
            cut.cells.append(None)
        else:
            cut.unescaped = False
            cut.prev = NO_CHARACTER
            if cut.ch == dialect.quote and not cut.has_text():
                cut.trim = False
                read_long(cut)
                end_quoted(cut)
            else:
                _cut_plain(cut)
        if not cut.at_newline():
            cut.advance()
            if cut.at_newline():
                cut.cells.append(None)


def _skip_blanks(cut: Cutter) -> None:
    while cut.ch <= " " and not cut.at_newline() and cut.ch != cut.dialect.quote:
        cut.advance()
        if cut.ch == cut.dialect.sep[cut.matched] and _at_separator(cut):
            cut.cells.append(None)
            cut.advance()
    _keep_matched(cut)


def _keep_matched(cut: Cutter) -> None:
    """Follow `saveMatchingCharacters`: the beginning of a separator that is none is text."""
    if 0 < cut.matched < len(cut.dialect.sep):
        cut.add(cut.dialect.sep[: cut.matched])
    cut.matched = 0


def _at_separator(cut: Cutter) -> bool:
    """Follow `matchDelimiter`."""
    if _at_separator_after_quote(cut):
        return True
    _keep_matched(cut)
    return False


def _at_separator_after_quote(cut: Cutter) -> bool:
    sep = cut.dialect.sep
    while cut.ch == sep[cut.matched]:
        cut.matched += 1
        if cut.matched == len(sep):
            cut.matched = 0
            return True
        cut.advance()
    return False


def _cut_plain(cut: Cutter) -> None:
    read_to_separator(cut)
    if cut.dialect.trim_trailing:
        cut.cell = ["".join(cut.cell).rstrip(JAVA_BLANKS)]
    cut.finish_cell()


def read_to_separator(cut: Cutter) -> None:
    """Follow `appendUntilMultiDelimiter`."""
    sep = cut.dialect.sep
    while cut.matched < len(sep) and not cut.at_newline():
        if sep[cut.matched] == cut.ch:
            cut.matched += 1
            if cut.matched == len(sep):
                break
        elif cut.matched:
            _keep_matched(cut)
            continue
        else:
            cut.add(cut.ch)
        cut.advance()
    _keep_matched(cut)


def read_long(cut: Cutter) -> None:
    """Follow `parseQuotedValueMultiDelimiter`."""
    dialect = cut.dialect
    if cut.prev != NO_CHARACTER and dialect.stops_at_separator:
        if dialect.unescaped is UnescapedQuotes.SKIP_VALUE:
            skip_value(cut)
            return
        cut.cell.insert(0, dialect.quote)
        cut.advance()
        cut.trim = dialect.trim_trailing
        read_to_separator(cut)
    elif _read_inside(cut):
        return
    if cut.ch <= " " and not cut.at_newline() and not _at_separator_after_quote(cut):
        _read_blanks(cut)


def _read_inside(cut: Cutter) -> bool:
    """Read up to what follows the closing quote; True when the cell is finished with that."""
    dialect = cut.dialect
    cut.advance()
    while True:
        if cut.prev == dialect.quote:
            if cut.ch <= " " or cut.at_newline():
                return False
            if _at_separator(cut):
                return True
        if cut.ch not in {dialect.quote, dialect.escape}:
            if cut.prev == dialect.quote:
                handle_unescaped(cut)
                return True
            read_text(cut)
        else:
            process_escape(cut)
            cut.prev = cut.ch
            cut.advance()
            if cut.unescaped and (cut.at_newline() or _at_separator(cut)):
                return True


def _read_blanks(cut: Cutter) -> None:
    blanks = ""
    while True:
        blanks += cut.ch
        cut.advance()
        if cut.at_newline() or _at_separator_after_quote(cut):
            return
        if cut.ch > " ":
            break
    if cut.dialect.unescaped is not UnescapedQuotes.RAISE_ERROR and not _at_separator_after_quote(
        cut
    ):
        keep_blanks(cut, blanks)

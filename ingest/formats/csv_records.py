r"""Records that span lines (`multiLine`): each becomes one line, its line breaks marks.

Where a record ends only the exact tokenizer knows. It is asked for records that are not plain; the
others end where RFC 4180 says, and most blocks are proven to hold nothing else and folded at once.

A line ends with `\n`, `\r\n` or `\r`, whatever the first line of the file ends with (contract
11.4; Univocity goes by the first one), or with the user's `lineSep`. Empty lines and comments are
no records.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import polars as pl

from ingest.errors import RecordNotReadableError
from ingest.formats.csv_dialect import find_dialect, is_blank, is_comma_space
from ingest.formats.csv_marks import (
    BREAK,
    BREAK_CR,
    BREAK_CRLF,
    ENDS_TEXT,
    NOT_BLANK,
    PLAIN_CR,
    PLAIN_LF,
    escape_marks,
    has_marks,
    unfold,
)
from ingest.formats.csv_plain import can_be_plain, plain_record
from ingest.formats.csv_tokens import find_end
from ingest.formats.text_lines import to_utf8, whole_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.file_entry import FileEntry
    from ingest.formats.csv_dialect import Dialect
    from ingest.stream_options import CsvOptions

RECORD_LIMIT = 32 << 20
"""Bytes that one record may have: an unclosed quote makes one of the rest of the file."""

_BREAKS = BREAK + BREAK_CR + BREAK_CRLF
_BLANK_LINE = re.compile(rb"^[\x00-\x09\x0b-\x20]+$", re.MULTILINE)
_LINE_END = re.compile(rb"\r\n|\n|\r")
_BLANKS = "".join(map(chr, range(33)))


def fold_records(
    file: FileEntry, pieces: Iterator[bytes], csv: CsvOptions, *, header: bool
) -> Iterator[bytes]:
    """Give blocks of lines, one for each record.

    Raises `RecordNotReadableError` for a record that is too large.
    """
    dialect = None if header else find_dialect(csv, comma_space=False)
    ends = b""
    rest = b""
    for piece in chain(pieces, [b""]):
        text = rest + piece
        whole, tail = (text, b"") if not piece else _whole(text, csv)
        ends = ends or _first_end(whole)
        if dialect is None and whole:
            dialect = _dialect_of_file(to_utf8(whole), csv, is_last=not piece)
        if dialect is not None and whole:
            folded, remainder = _fold(to_utf8(whole), dialect, ends, is_last=not piece)
            if folded:
                yield folded
            tail = remainder + tail
        else:
            tail = whole + tail
        rest = tail
        if piece and len(rest) > RECORD_LIMIT:
            raise RecordNotReadableError(
                file.uri,
                option="multiLine",
                found=f"a record of more than {RECORD_LIMIT >> 20} MB",
                record=rest[:100].decode("utf-8", "replace"),
                expected="a closing quote; one that is missing makes a record of all that follows",
            )


def _first_end(text: bytes) -> bytes:
    """Find how lines end, as Univocity does: by the first end (`AbstractCharInputReader`)."""
    found = _LINE_END.search(text)
    return b"" if found is None else found[0]


def _whole(text: bytes, csv: CsvOptions) -> tuple[bytes, bytes]:
    if csv.line_sep is None:
        return whole_lines(text)
    sep = csv.line_sep.encode()
    end = text.rfind(sep)
    return (b"", text) if end < 0 else (text[: end + len(sep)], text[end + len(sep) :])


def _dialect_of_file(text: bytes, csv: CsvOptions, *, is_last: bool) -> Dialect | None:
    """Find the dialect by the first record, the header; None when there is none yet."""
    dialect = find_dialect(csv, comma_space=False)
    first = next(_records(_mark(text, dialect), dialect, is_last=is_last), None)
    if first is None:
        return None
    return find_dialect(csv, comma_space=is_comma_space(unfold(first.text, dialect), csv))


def _fold(text: bytes, dialect: Dialect, ends: bytes, *, is_last: bool) -> tuple[bytes, bytes]:
    """Fold the records of a text that begins with one; give also the one that does not end.

    `ends` is how the file's lines end; other line breaks in a record are ordinary characters.
    """
    if dialect.line_sep is None and can_be_plain(dialect):
        unquoted = _fold_unquoted(text, dialect)
        if unquoted is not None:
            return unquoted, b""
        folded = _fold_plain(text, dialect, ends)
        if folded is not None:
            return folded
    marked = _mark(text, dialect)
    lines: list[str] = []
    end = 0
    for record in _records(marked, dialect, is_last=is_last):
        end = record.end
        if record.text:
            lines.append(_fold_others(record.text, ends))
    remainder = b"" if is_last else unfold(marked[end:], dialect).encode()
    block = "".join(f"{line}\n" for line in lines)
    if dialect.line_sep is not None:
        block = "".join(f"{_fold_ordinary(line)}\n" for line in lines)
    return block.encode(), remainder


def _fold_others(line: str, ends: bytes) -> str:
    """Write breaks unlike the file's line ends as ordinary characters; LF is one anyway."""
    if ends != b"\r\n" and BREAK_CRLF in line:
        line = line.replace(BREAK_CRLF, PLAIN_CR + PLAIN_LF)
    if ends != b"\r" and BREAK_CR in line:
        line = line.replace(BREAK_CR, PLAIN_CR)
    return line


def _fold_ordinary(line: str) -> str:
    return line.replace("\n", PLAIN_LF).replace("\r", PLAIN_CR)


def _mark(text: bytes, dialect: Dialect) -> str:
    """Write the ends of lines as marks, one character each."""
    marked = escape_marks(text).decode()
    if dialect.line_sep is not None:
        return marked.replace(dialect.line_sep, BREAK)
    marked = marked.replace("\r\n", BREAK_CRLF) if "\r" in marked else marked
    return marked.replace("\r", BREAK_CR).replace("\n", BREAK)


@dataclass(frozen=True, slots=True)
class _Record:
    """One record as a line, and where it ends in the text; no line is a comment or empty line."""

    text: str
    end: int


def _records(text: str, dialect: Dialect, *, is_last: bool) -> Iterator[_Record]:
    """Find the records of a text, one by one; one that does not end only when `is_last`."""
    plain = plain_record(dialect, _BREAKS) if can_be_plain(dialect) else None
    line_end = re.compile(f"[{_BREAKS}]")
    start = 0
    while start < len(text):
        found = line_end.search(text, start)
        stop = found.start() if found else len(text)
        is_comment = dialect.comment is not None and text.startswith(dialect.comment, start)
        if stop == start or is_comment:
            if found is None and not is_last:
                return
            start = min(stop + 1, len(text))
            continue
        end: int | None = stop + 1 if found else None
        if dialect.quote in text[start:stop]:
            match = plain.match(text, start) if plain else None
            end = match.end() if match else find_end(text, start, dialect)
        if end is None:
            if is_last:
                yield _Record(ENDS_TEXT + text[start:], len(text))
            return
        line = text[start : end - 1]
        start = end
        if not (dialect.trim_leading and _has_no_cell(line, dialect)):
            yield _Record(NOT_BLANK + line if is_blank(line) else line, end)


def _has_no_cell(line: str, dialect: Dialect) -> bool:
    blanks = _BLANKS.replace(dialect.quote, "").replace(dialect.sep[0], "")
    return not line.strip(blanks)


def _fold_unquoted(text: bytes, dialect: Dialect) -> bytes | None:
    """Fold a text without quotes: every line is a record; None when more has to be looked at."""
    if dialect.quote.encode() in text or has_marks(text, dialect):
        return None
    lines = text
    if b"\r" in lines:
        lines = lines.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not lines.endswith(b"\n"):
        if dialect.trim_trailing:
            return None
        lines += b"\n"
    if dialect.comment is not None:
        comment = b"^" + re.escape(dialect.comment.encode()) + b".*\n"
        lines = re.sub(comment, b"", lines, flags=re.MULTILINE)
    return lines if _BLANK_LINE.search(lines) is None else None


def _fold_plain(text: bytes, dialect: Dialect, ends: bytes) -> tuple[bytes, bytes] | None:
    """Fold a text whose records are all plain, at once; None when that cannot be proven.

    Gives also the record at the end whose quotes are open.
    """
    is_simple = text.endswith(b"\n") and dialect.comment is None and not has_marks(text, dialect)
    if not is_simple or text.count(b"\r") != text.count(b"\r\n") or len(dialect.sep) > 1:
        return None
    lines = pl.Series("line", text.decode().split("\n")[:-1], dtype=pl.String)
    odd = lines.str.count_matches(dialect.quote, literal=True) % 2 == 1
    inside = odd.cast(pl.UInt32).cum_sum() % 2 == 1
    remainder = b""
    if inside[-1]:
        ends_whole = (~inside).arg_true()
        if not len(ends_whole):
            return None
        height = ends_whole[-1] + 1
        remainder = b"".join(line.encode() + b"\n" for line in lines[height:])
        lines, inside = lines.head(height), inside.head(height)
    breaks = pl.select(
        pl.when(~inside)
        .then(pl.lit("\n"))
        .when(lines.str.ends_with("\r"))
        .then(pl.lit(_fold_others(BREAK_CRLF, ends)))
        .otherwise(pl.lit(BREAK))
    ).to_series()
    bare = lines.str.strip_suffix("\r") if b"\r" in text else lines
    folded = str((bare + breaks).str.join("").item())
    records = pl.Series("record", folded.split("\n")[:-1], dtype=pl.String)
    quoted = records.filter(records.str.contains(dialect.quote, literal=True))
    plain = plain_record(dialect, "").pattern
    blank = ~records.str.contains(r"[^\x00-\x20]")
    if blank.any() or not quoted.str.contains(f"^{plain}$").all():
        return None
    return folded.encode(), remainder

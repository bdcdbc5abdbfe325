"""A file's text to blocks of whole records: valid UTF-8, one line each, ended by one newline.

Files are read in blocks, so that a large one stays in bounded memory. Comments and the lines that
`skipRows` passes over are gone here; line breaks inside records are marks (`csv_marks`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from ingest.formats.csv_marks import escape_marks, fold_plain
from ingest.formats.csv_records import fold_records
from ingest.formats.file_bytes import UTF_8, read_pieces
from ingest.formats.text_lines import to_utf8, whole_lines
from ingest.stream_options import CsvOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.file_entry import FileEntry

BLOCK_SIZE = 12 << 20
"""Bytes of a file that are held and parsed at once."""

MULTI_LINE_SIZE = 4 << 20
"""The same where records may span lines: looking for their ends takes several copies."""

HEADER_SIZE = 64 << 10
"""Bytes read to find a header; more when the line is longer."""


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines, each ended by one newline: valid UTF-8, and the number of newlines."""

    data: bytes
    newlines: int


_BLANKS = bytes(range(33))
_LINE_END = re.compile(rb"\r\n|\n|\r")
_DEFAULT = CsvOptions()


def read_blocks(
    file: FileEntry, csv: CsvOptions = _DEFAULT, *, header: bool = True, size: int = BLOCK_SIZE
) -> Iterator[bytes]:
    """Read a file as blocks of whole lines, one for each record.

    Raises what `file_bytes.read_pieces` raises, and `RecordNotReadableError` for a record in
    `multiLine` that is too large.
    """
    size = min(size, MULTI_LINE_SIZE) if csv.multi_line else size
    pieces = read_pieces(file, csv.encoding, size=size, drop_bom=not csv.multi_line)
    if csv.skip_rows:
        pieces = _skip_lines(pieces, csv)
    pieces = filter(None, pieces)
    if csv.multi_line:
        return fold_records(file, pieces, csv, header=header)
    if csv.line_sep is not None:
        return _split_lines(pieces, csv, csv.line_sep.encode())
    return _read_lines(pieces, csv)


def reads_plain_lines(csv: CsvOptions) -> bool:
    """Tell whether every line of the file is one record, in UTF-8."""
    special = csv.skip_rows, csv.multi_line, csv.line_sep, csv.comment
    return csv.encoding == UTF_8 and not any(special)


def read_first_lines(file: FileEntry, csv: CsvOptions = _DEFAULT, *, header: bool = True) -> bytes:
    """Read the beginning of a file: at least its first record, if there is one."""
    for block in read_blocks(file, csv, header=header, size=HEADER_SIZE):
        if block.strip(_BLANKS):
            return block
    return b""


def _read_lines(pieces: Iterator[bytes], csv: CsvOptions) -> Iterator[bytes]:
    held: list[bytes] = []
    for piece in pieces:
        held.append(piece)
        if b"\n" in piece or b"\r" in piece:
            whole, rest = whole_lines(held[0] if len(held) == 1 else b"".join(held))
            held = [rest] if rest else []
            if whole:
                yield _clean(whole, csv)
    if held:
        yield _clean(b"".join(held), csv)


def _split_lines(pieces: Iterator[bytes], csv: CsvOptions, sep: bytes) -> Iterator[bytes]:
    """Split lines at the user's `lineSep`: other line breaks are ordinary characters."""
    rest = b""
    for piece in chain(pieces, [b""]):
        text = rest + piece
        end = text.rfind(sep) + 1
        if end and _has_no_other_breaks(text, sep):
            yield _drop_comments(to_utf8(text[:end].replace(sep, b"\n")), csv)
            rest = text[end:]
            continue
        *lines, rest = text.split(sep)
        if not piece:
            lines.append(rest)
        texts = (escape_marks(to_utf8(line)) for line in lines if line.strip(_BLANKS))
        block = b"".join(fold_plain(text) + b"\n" for text in texts)
        if block:
            yield _drop_comments(block, csv)


def _has_no_other_breaks(text: bytes, sep: bytes) -> bool:
    """Tell whether lines can be told apart by one replacement."""
    others = b"\r" in text or (sep != b"\n" and b"\n" in text)
    return len(sep) == 1 and not others and escape_marks(text) is text


def _skip_lines(pieces: Iterator[bytes], csv: CsvOptions) -> Iterator[bytes]:
    """Leave out the first lines of the file, blank and commented ones too (`skipRows`)."""
    left = csv.skip_rows
    line_end = re.compile(re.escape(csv.line_sep.encode())) if csv.line_sep else _LINE_END
    rest = b""
    for piece in pieces:
        text = rest + piece if rest else piece
        start = 0
        while left and (end := line_end.search(text, start)) and end.end() < len(text):
            start, left = end.end(), left - 1
        rest = text[start:]
        if not left:
            yield rest
            rest = b""


def _clean(lines: bytes, csv: CsvOptions) -> bytes:
    """Make every line end one newline, and leave out comments."""
    if b"\r" in lines:
        lines = lines.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if csv.encoding == UTF_8:
        lines = to_utf8(lines)
    lines = lines if lines.endswith(b"\n") else lines + b"\n"
    return _drop_comments(lines, csv) if csv.comment else lines


def _drop_comments(lines: bytes, csv: CsvOptions) -> bytes:
    if csv.comment is None:
        return lines
    return re.sub(b"^" + re.escape(csv.comment.encode()) + b".*\n", b"", lines, flags=re.MULTILINE)

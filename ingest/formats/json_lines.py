"""A JSON file's text to records: lines, or the whole file under `multiLine`.

Files are read in blocks of whole lines, so that a large one stays in bounded memory.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from ingest.formats.file_bytes import UTF_8, read_pieces
from ingest.formats.text_lines import whole_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.file_entry import FileEntry
    from ingest.stream_options import JsonOptions

BLOCK_SIZE = 4 << 20
"""Bytes of a file that are held and parsed at once."""

NEWLINE = b"\n"

_UTF_16_MARKS = {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}
_UTF_32_MARKS = {codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE}
_UTF_16_ZEROS = {(True, False), (False, True)}
_UTF_32_ZEROS = {(True, True, True, False), (False, True, True, True)}
"""Which of the first bytes are zero when the first character is ASCII."""


@dataclass(frozen=True, slots=True)
class Block:
    """Records of one file, `separator` between them (None: it is a single one)."""

    data: bytes
    separator: bytes | None

    def records(self) -> list[bytes]:
        """Give the records; some may be blank."""
        if self.separator is None:
            return [self.data]
        *records, last = self.data.split(self.separator)
        return [*records, last] if last else records


def read_blocks(file: FileEntry, json: JsonOptions, *, size: int = BLOCK_SIZE) -> Iterator[Block]:
    """Read a file as blocks of whole records.

    Raises what `file_bytes.read_pieces` raises.
    """
    encoding = json.encoding
    if json.multi_line and encoding == UTF_8:
        encoding = _detected(file)
    pieces = read_pieces(file, encoding, size=size)
    if json.multi_line:
        yield Block(b"".join(pieces), None)
    elif json.line_sep is None:
        yield from _lines(pieces)
    else:
        yield from _separated(pieces, json.line_sep.encode())


def _detected(file: FileEntry) -> str:
    """Tell UTF-16 and UTF-32 by a file's first bytes (Jackson `ByteSourceJsonBootstrapper`)."""
    try:
        with open(file.path, "rb") as handle:  # noqa: PTH123 - the path is bytes
            beginning = handle.read(4)
    except OSError:
        return UTF_8  # the ordinary way knows what to say
    zeros = tuple(byte == 0 for byte in beginning)
    if beginning in _UTF_32_MARKS or zeros in _UTF_32_ZEROS:
        return "utf-32-le" if zeros[2:] == (True, True) else "utf-32-be"
    if beginning[:2] in _UTF_16_MARKS or zeros[:2] in _UTF_16_ZEROS:
        return "utf-16-be" if beginning[:2] == codecs.BOM_UTF16_BE or zeros[0] else "utf-16-le"
    return UTF_8


def _lines(pieces: Iterator[bytes]) -> Iterator[Block]:
    r"""Cut at `\n`, `\r\n` and `\r` (Hadoop `LineReader`); each becomes one newline."""
    held: list[bytes] = []
    for piece in pieces:
        held.append(piece)
        if b"\n" in piece or b"\r" in piece:
            whole, rest = whole_lines(held[0] if len(held) == 1 else b"".join(held))
            held = [rest] if rest else []
            if whole:
                yield Block(_one_newline_each(whole), NEWLINE)
    if held:
        yield Block(_one_newline_each(b"".join(held)), NEWLINE)


def _one_newline_each(lines: bytes) -> bytes:
    if b"\r" not in lines:
        return lines
    return lines.replace(b"\r\n", NEWLINE).replace(b"\r", NEWLINE)


def _separated(pieces: Iterator[bytes], separator: bytes) -> Iterator[Block]:
    """Cut at the user's `lineSep`: other line breaks are blanks."""
    rest = b""
    for piece in chain(pieces, [b""]):
        text = rest + piece
        end = text.rfind(separator)
        if not piece:
            end = len(text)
        if end >= 0:
            yield Block(text[:end], separator)
            rest = text[end + len(separator) :]
        else:
            rest = text

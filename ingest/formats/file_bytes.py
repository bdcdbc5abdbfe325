"""A file's text, piece by piece: decompressed, decoded, as UTF-8 without a byte order mark.

This is where the disk is read. A file must not change while it is read (contract 11.13), must not
be plainly another format (contract 10), and must be what its name says (contract 11.12).
"""

from __future__ import annotations

import codecs
import os
from contextlib import contextmanager
from io import FileIO
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from ingest.errors import (
    CompressedFileError,
    FileChangedError,
    FileMissingError,
    FileNotReadableError,
)
from ingest.formats.foreign_formats import compression_of, refuse_foreign

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.file_entry import FileEntry

UTF_8 = "utf-8"
_MAGIC_SIZE = 64
_PEEK_SIZE = 64 << 10
"""Bytes looked through for the end of a line."""
_BOMS = {
    "utf-16": ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")),
    "utf-16-le": ((codecs.BOM_UTF16_LE, "utf-16-le"),),
    "utf-16-be": ((codecs.BOM_UTF16_BE, "utf-16-be"),),
    "utf-32": ((codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be")),
    "utf-32-le": ((codecs.BOM_UTF32_LE, "utf-32-le"),),
    "utf-32-be": ((codecs.BOM_UTF32_BE, "utf-32-be"),),
}
_WITHOUT_BOM = {"utf-16": "utf-16-be", "utf-32": "utf-32-be"}
"""What these names mean without a byte order mark (Java's charsets)."""


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes | None: ...


def read_pieces(
    file: FileEntry, encoding: str, *, size: int, drop_bom: bool = True
) -> Iterator[bytes]:
    """Read a file as pieces of text; UTF-8 is handed on unchecked, other encodings are decoded.

    `drop_bom`: leave out the mark of UTF-8 whatever the encoding is, as Hadoop's line reader does.

    Raises `FileMissingError`, `FileNotReadableError`, `ForeignFormatError`, `CompressedFileError`,
    `FileChangedError` (after the last piece).
    """
    with _opened(file) as handle:
        before = os.fstat(handle.fileno())
        pieces = _raw_pieces(file, handle, encoding, size)
        if drop_bom or encoding == UTF_8:
            pieces = _without_bom(pieces)
        yield from pieces if encoding == UTF_8 else _decoded(pieces, encoding)
        after = os.fstat(handle.fileno())
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise FileChangedError(file.uri)


@contextmanager
def _opened(file: FileEntry) -> Iterator[FileIO]:
    """Open the file; what the system refuses, now or while it is read, is a `ReadError`."""
    try:
        with FileIO(os.fsdecode(file.path)) as handle:
            yield handle
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileMissingError(file.uri) from error
    except OSError as error:
        raise FileNotReadableError(file.uri, error.strerror or str(error)) from error


def _raw_pieces(file: FileEntry, handle: FileIO, encoding: str, size: int) -> Iterator[bytes]:
    codec = compression_of(file)
    size = max(size, _MAGIC_SIZE)
    if codec is None:
        refuse_foreign(file, _peek(handle, 0, _MAGIC_SIZE), encoding)
        yield from _lines_at_once(handle, size) if encoding == UTF_8 else _pieces(handle, size)
        return
    source = _decompressed(handle, codec.arrow_name)
    start = True
    try:
        for piece in _pieces(source, size):
            if start:
                refuse_foreign(file, piece[:_MAGIC_SIZE], encoding)
                start = False
            yield piece
    except OSError as error:
        if error.errno is not None:
            raise
        raise CompressedFileError(file.uri, codec.name, str(error)) from error


def _pieces(source: _Readable, size: int) -> Iterator[bytes]:
    while piece := _read(source, size):
        yield piece


def _lines_at_once(handle: FileIO, size: int) -> Iterator[bytes]:
    """Read the first line, then whole lines of about this size, where there are such.

    Where a piece has to end is looked up before it is read, as cutting it afterwards would copy it.
    """
    start = 0
    length = _peek(handle, 0, min(size, _PEEK_SIZE)).find(b"\n") + 1
    while piece := _read(handle, length or size):
        yield piece
        start += len(piece)
        peek = min(size, _PEEK_SIZE)
        before = _peek(handle, start + size - peek, peek)
        length = size - peek + before.rfind(b"\n") + 1 if b"\n" in before else 0


def _peek(handle: FileIO, start: int, size: int) -> bytes:
    """Read without moving on."""
    place = handle.tell()
    handle.seek(start)
    found = _read(handle, size)
    handle.seek(place)
    return found


def _without_bom(pieces: Iterator[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        yield piece.removeprefix(codecs.BOM_UTF8)
        break
    yield from pieces


def _decompressed(handle: FileIO, codec: str) -> _Readable:
    own = FileIO(os.dup(handle.fileno()))  # Arrow closes its file at the end
    stream: _Readable = pa.CompressedInputStream(pa.PythonFile(own, "r"), codec)
    return stream


def _read(source: _Readable, size: int) -> bytes:
    """Read this many bytes unless the file ends before."""
    parts = []
    while size and (part := source.read(size)):
        parts.append(part)
        size -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _decoded(pieces: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """Decode as Java does: what cannot be decoded is U+FFFD (contract 11.3)."""
    decoder: codecs.IncrementalDecoder | None = None
    for piece in pieces:
        raw = piece
        if decoder is None:
            name, bom = _actual_encoding(raw, encoding)
            decoder = codecs.getincrementaldecoder(name)("replace")
            raw = raw[bom:]
        yield decoder.decode(raw).encode()
    if decoder is not None:
        yield decoder.decode(b"", final=True).encode()


def _actual_encoding(beginning: bytes, encoding: str) -> tuple[str, int]:
    """Give the encoding that the byte order mark tells, and the mark's length."""
    for bom, name in _BOMS.get(encoding, ()):
        if beginning.startswith(bom):
            return name, len(bom)
    return _WITHOUT_BOM.get(encoding, encoding), 0

"""Files to blocks of whole lines: valid UTF-8, every line ended by one newline.

This is where the disk is read: in blocks, so that a large file stays in bounded memory. A file must
not change while it is read (contract 11.13), and must not be plainly another format (contract 10).
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from typing import TYPE_CHECKING

from ingest.errors import FileChangedError, FileMissingError
from ingest.formats.foreign_formats import refuse_foreign

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.file_entry import FileEntry

BLOCK_SIZE = 16 << 20
"""Bytes of a file that are held and parsed at once."""

HEADER_SIZE = 64 << 10
"""Bytes read to find a header; more when the line is longer."""


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines, each ended by one newline: valid UTF-8, and the number of newlines."""

    data: bytes
    newlines: int


_BOM = b"\xef\xbb\xbf"
_MAGIC_SIZE = 64


def read_blocks(file: FileEntry, *, size: int = BLOCK_SIZE) -> Iterator[bytes]:
    """Read a file as blocks of whole lines.

    Raises `FileMissingError`, `ForeignFormatError`, `FileChangedError` (after the last block).
    """
    with _opened(file) as handle:
        before = os.fstat(handle.fileno())
        rest = b""
        start = True
        while True:
            raw = _read(handle, size)
            if start:
                refuse_foreign(file, raw[:_MAGIC_SIZE])
                raw = raw.removeprefix(_BOM)
                start = False
            whole, rest = _whole_lines(rest + raw if rest else raw, last=not raw)
            if whole:
                yield _clean(whole)
            if not raw:
                break
        after = os.fstat(handle.fileno())
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise FileChangedError(file.uri)


def read_first_lines(file: FileEntry) -> bytes:
    """Read the beginning of a file: at least its first line that is not blank, if there is one."""
    size = HEADER_SIZE
    while True:
        with _opened(file) as handle:
            raw = _read(handle, size)
        refuse_foreign(file, raw[:_MAGIC_SIZE])
        whole, _ = _whole_lines(raw.removeprefix(_BOM), last=len(raw) < size)
        if len(raw) < size or whole.strip(bytes(range(33))):
            return _clean(whole)
        size *= 16


@contextmanager
def _opened(file: FileEntry) -> Iterator[FileIO]:
    try:
        handle = FileIO(os.fsdecode(file.path))
    except FileNotFoundError as error:
        raise FileMissingError(file.uri) from error
    with handle:
        yield handle


def _read(handle: FileIO, size: int) -> bytes:
    """Read this many bytes unless the file ends before."""
    parts = []
    while size and (part := handle.read(size)):
        parts.append(part)
        size -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _whole_lines(raw: bytes, *, last: bool) -> tuple[bytes, bytes]:
    """Cut after the last line end; a lone carriage return at the very end may be half of one."""
    if last:
        return raw, b""
    end = max(raw.rfind(b"\n"), raw.rfind(b"\r", 0, len(raw) - 1) if b"\r" in raw else -1) + 1
    return raw[:end], raw[end:]


def _clean(lines: bytes) -> bytes:
    """Make every line end one newline, and every byte that is not UTF-8 U+FFFD (contract 11.3)."""
    if b"\r" in lines:
        lines = lines.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not lines.isascii():
        try:
            lines.decode()
        except UnicodeDecodeError:
            lines = lines.decode("utf-8", "replace").encode()
    return lines if lines.endswith(b"\n") else lines + b"\n"

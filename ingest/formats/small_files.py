"""Small text files are read in one go and once: `look` holds them for `read`.

Opening a file costs more than reading a few kilobytes. What is held is what the file was when it
was read; it is taken only if the file has not changed since.
"""

from __future__ import annotations

import codecs
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.formats.file_bytes import UTF_8
from ingest.formats.foreign_formats import compression_of, refuse_foreign
from ingest.formats.text_lines import to_utf8

if TYPE_CHECKING:
    from ingest.file_entry import FileEntry

SMALL = 64 << 10
"""Bytes up to which a file is small."""
MOST_HELD = 16 << 20
"""Bytes that are held at most."""
_MAGIC_SIZE = 64


@dataclass(slots=True)
class SmallFiles:
    """Files that were looked at and not read yet: their lines, and the state they were in.

    Only for UTF-8 with ordinary line ends; the caller knows the options.
    """

    _held: dict[bytes, tuple[bytes, tuple[int, ...]]] = field(default_factory=dict)
    _size: int = 0

    def forget(self) -> None:
        """Let go of what nobody has taken."""
        self._held.clear()
        self._size = 0

    def look(self, file: FileEntry) -> bytes | None:
        """Read the lines of a small file and hold them; None when it has to be read as others.

        Raises `ForeignFormatError`.
        """
        found = _read_whole(file)
        if found is None:
            return None
        if self._size + len(found[0]) <= MOST_HELD:
            self._held[file.path] = found
            self._size += len(found[0])
        return found[0]

    def take(self, file: FileEntry) -> bytes | None:
        """Give the lines that are held, or None; a file is held once."""
        held = self._held.pop(file.path, None)
        if held is None:
            return None
        try:
            now = _state(os.stat(file.path))  # noqa: PTH116 - paths are bytes
        except OSError:
            return None
        return held[0] if held[1] == now else None


def _read_whole(file: FileEntry) -> tuple[bytes, tuple[int, ...]] | None:
    if file.size > SMALL or compression_of(file) is not None:
        return None
    try:
        descriptor = os.open(file.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return None  # the ordinary way knows what to say
    try:
        before = _state(os.fstat(descriptor))
        raw = os.read(descriptor, SMALL + 1)
        after = _state(os.fstat(descriptor))
    except OSError:
        return None
    finally:
        os.close(descriptor)
    if before != after or len(raw) != before[0] or b"\r" in raw:
        return None
    refuse_foreign(file, raw[:_MAGIC_SIZE], UTF_8)
    lines = to_utf8(raw.removeprefix(codecs.BOM_UTF8))
    return lines if not lines or lines.endswith(b"\n") else lines + b"\n", before


def _state(stat: os.stat_result) -> tuple[int, ...]:
    return stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino

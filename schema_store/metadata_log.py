"""Numbered entries in a folder, each written once and never changed (Spark `HDFSMetadataLog`).

An edge to the disk. After `put_if_absent` has returned, the file is whole and durable; a crash at
any instant leaves either no file of that name or the whole one, and perhaps a hidden temporary
file, which every reader ignores.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schema_store.errors import (
    ConcurrentWriteError,
    DamagedEntryError,
    EntryExistsError,
    EntryTooNewError,
    LocationNotReadableError,
    LocationNotWritableError,
    MissingEntryError,
)

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "FORMAT_VERSION",
    "EntryExistsError",
    "MetadataLog",
    "give_name",
    "make_folder",
    "put_if_absent",
    "sync_folder",
]

FORMAT_VERSION = 1
"""The version that the first line of an entry tells, `v1`."""

_NO_HARD_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
_NO_FOLDER_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}
_VERSION_LINE = re.compile(r"v([1-9][0-9]{0,8})\Z")
_NUMBER = re.compile(r"(?:0|[1-9][0-9]*)\Z")


def put_if_absent(path: Path, data: bytes) -> None:
    """Write a file that must not exist yet, whole and durable, creating its folder.

    A temporary file beside it is written, synced, and then linked to the name, which fails when
    the name exists. Where the file system has no hard links, the name is claimed with an empty
    file (`O_EXCL`) that the temporary file then replaces; a crash between the two leaves an empty
    entry, which readers report as damaged.

    Raises `EntryExistsError` when the name is taken, `LocationNotWritableError` when the folder
    takes no file.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        make_folder(path.parent)
        try:
            _write_synced(temporary, data)
            give_name(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(path.parent)
    except FileExistsError as error:
        raise EntryExistsError(path) from error
    except OSError as error:
        raise LocationNotWritableError(path, error.strerror or str(error)) from error


@dataclass(frozen=True, slots=True)
class MetadataLog:
    """Entries 0, 1, 2, … of a folder: one file each, named by its number.

    An entry is the line `v1` and then its text, for example the file `3`:

        v1
        {"seqNum":1200}

    Other names in the folder (temporary files, dot files, `.crc`) are ignored. Reading creates
    nothing.
    """

    folder: Path

    def path(self, number: int) -> Path:
        """Give the path of an entry, whether it exists or not."""
        return self.folder / str(number)

    def add(self, number: int, text: str) -> None:
        """Write an entry; adding the text that is there already does nothing.

        Raises `ConcurrentWriteError` when the entry has another text, and
        `LocationNotWritableError`.
        """
        try:
            put_if_absent(self.path(number), f"v{FORMAT_VERSION}\n{text}".encode())
        except EntryExistsError as error:
            if self.get(number) != text:
                raise ConcurrentWriteError(self.path(number)) from error
            self.sync()

    def sync(self) -> None:
        """Make the entries that can be read durable.

        A writer may have died between naming an entry and syncing the folder; whoever relies on
        such an entry syncs first.
        """
        try:
            sync_folder(self.folder)
        except OSError as error:
            reason = error.strerror or str(error)
            raise LocationNotWritableError(self.folder, reason) from error

    def get(self, number: int) -> str | None:
        """Read an entry's text; None when there is no such entry.

        Raises `DamagedEntryError` and `EntryTooNewError`.
        """
        path = self.path(number)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise LocationNotReadableError(path, error.strerror or str(error)) from error
        return _text_of(path, data)

    def latest(self) -> tuple[int, str] | None:
        """Read the entry of the highest number; None when there is no entry."""
        numbers = self.ids()
        if not numbers:
            return None
        text = self.get(numbers[-1])
        if text is None:
            raise MissingEntryError(self.path(numbers[-1]), numbers[-1])
        return numbers[-1], text

    def ids(self) -> tuple[int, ...]:
        """List the entries' numbers in order."""
        try:
            names = [path.name for path in self.folder.iterdir()]
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise LocationNotReadableError(self.folder, error.strerror or str(error)) from error
        return tuple(sorted(int(name) for name in names if _NUMBER.match(name)))

    def require_no_gaps(self) -> None:
        """Check that the numbers run from 0 to the latest without a gap.

        Logs that are purged at their beginning need not ask this. Raises `MissingEntryError`.
        """
        numbers = self.ids()
        for expected, number in enumerate(numbers):
            if number != expected:
                raise MissingEntryError(self.path(expected), numbers[-1])


def _text_of(path: Path, data: bytes) -> str:
    if not data:
        raise DamagedEntryError(path, "it is empty")
    try:
        version_line, _, text = data.decode().partition("\n")
    except UnicodeDecodeError as error:
        raise DamagedEntryError(path, f"it is not UTF-8 at byte {error.start}") from error
    version = _VERSION_LINE.match(version_line.removesuffix("\r"))
    if version is None:
        raise DamagedEntryError(
            path, f"its first line is {version_line[:40]!r}, not v{FORMAT_VERSION}"
        )
    if int(version[1]) > FORMAT_VERSION:
        raise EntryTooNewError(path, int(version[1]), FORMAT_VERSION)
    return text


def _write_synced(path: Path, data: bytes) -> None:
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, 0o666), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def give_name(temporary: Path, path: Path) -> None:
    """Let a written file have its name, unless the name is taken (`FileExistsError`).

    The temporary name may be left over; the caller removes it.
    """
    try:
        os.link(temporary, path)
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
    else:
        return
    if os.name == "nt":
        temporary.rename(path)  # refuses to replace on Windows
        return
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    temporary.replace(path)


def make_folder(folder: Path) -> None:
    """Create a folder and those above it, durably."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    with contextlib.suppress(FileExistsError):
        folder.mkdir()
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, f"{folder} is not a folder")
    sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    if os.name == "nt":
        return  # folders cannot be opened there, and names are durable without
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(descriptor)

"""The landing folder: which files are in it, as one listing sees them.

First step of the walk: asks the file system, nothing else. Hidden below the fixed part of the path
or glob (Spark's rule, contract 7.1): a name that starts with `.`, or with `_` and has no `=`, or
ends in `._COPYING_`. State folders inside the landing folder are left out (contract 11.14).
"""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ingest.errors import LandingFolderError
from ingest.file_entry import ListedFile, display_path
from ingest.globs import GLOB_CHARS, compile_glob, compile_name_glob

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator
    from pathlib import Path


CHECKPOINT_NAMES = frozenset(
    {b"metadata", b"offsets", b"commits", b"sources", b"ledger", b"refused"}
)
"""What a checkpoint consists of; the other names in it are hidden anyway."""


@dataclass(frozen=True, slots=True)
class LandingFolder:
    """Where files arrive.

    * `description`: the path or glob as the user wrote it, made absolute.
    * `base`: the fixed part of the path: an absolute folder (or a single file).
    * `pattern`: what the rest of a file's path, below `base`, has to match; None: everything.
    * `glob_depth`: how many names of folders or files below `base` the glob speaks of.
    * `name_pattern`: what a file's name has to match (`pathGlobFilter`); None: everything.
    * `excluded`: files and folders that hold state, not data.
    * `modified_after_ms`, `modified_before_ms`: only files modified after, or before, this moment
      (`modifiedAfter`, `modifiedBefore`), in milliseconds since 1970; None: whenever.
    """

    description: str
    base: bytes
    pattern: re.Pattern[str] | None
    glob_depth: int
    name_pattern: re.Pattern[str] | None
    excluded: frozenset[bytes]
    modified_after_ms: int | None = None
    modified_before_ms: int | None = None

    def without(self, paths: Iterable[Path]) -> LandingFolder:
        """Give the landing folder without these files and folders."""
        more = {name for path in paths for name in self._names_of(path)}
        return replace(self, excluded=self.excluded | more)

    def _names_of(self, path: Path) -> Iterator[bytes]:
        """Give a path as written and as the walk meets it when links lead to either."""
        yield os.fsencode(os.path.abspath(path))
        real, base = os.fsencode(os.path.realpath(path)), os.path.realpath(self.base)
        if real.startswith(base + b"/"):
            yield self.base + real[len(base) :]

    def list_files(self) -> tuple[ListedFile, ...]:
        """List the files that belong to the stream, ordered by (modification time, path).

        Raises `LandingFolderError` when the folder is missing or cannot be read.
        """
        files = [
            file
            for file in self._walk()
            if self.takes_name(file.path) and self.takes_time(file.modified_ns)
        ]
        return tuple(sorted(files, key=lambda file: (file.modified_ns, file.path)))

    def takes_name(self, path: bytes) -> bool:
        """Tell whether a visible file's path and name are those that were asked for."""
        if self.name_pattern is not None:
            name = os.fsdecode(os.path.basename(path))
            if not self.name_pattern.fullmatch(name):
                return False
        if self.pattern is None:
            return True
        return self.pattern.match(os.fsdecode(path[len(self.base) :].lstrip(b"/"))) is not None

    def takes_time(self, modified_ns: int) -> bool:
        """Tell whether a file was modified when it was asked for (Spark `ModifiedDateFilter`)."""
        modified_ms = modified_ns // 1_000_000
        if self.modified_after_ms is not None and modified_ms <= self.modified_after_ms:
            return False
        return self.modified_before_ms is None or modified_ms < self.modified_before_ms

    def entries(self, folder: bytes) -> Iterator[os.DirEntry[bytes]]:
        """Give what is in a folder without what is hidden, excluded or state.

        A sub-folder that is gone has nothing in it. Raises `LandingFolderError`.
        """
        try:
            with os.scandir(folder) as entries:
                state = _state_names(folder)
                for entry in entries:
                    if not (
                        is_hidden(entry.name) or entry.path in self.excluded or entry.name in state
                    ):
                        yield entry
        except OSError as error:
            if folder != self.base and isinstance(error, FileNotFoundError | NotADirectoryError):
                return
            raise LandingFolderError(display_path(folder), reason_of(error)) from error

    def _walk(self) -> Iterator[ListedFile]:
        """Walk regular files; links are followed, but never back into a folder we came through.

        Pipes, sockets and devices are no files: nothing could be read again from them.
        """
        found = stat_base(self.base)
        if stat.S_ISREG(found.st_mode):
            yield ListedFile(self.base, found.st_size, found.st_mtime_ns)
            return
        waiting = [(self.base, frozenset({identity_of(found)}))]
        while waiting:
            folder, above = waiting.pop()
            for entry in self.entries(folder):
                found_entry = stat_entry(entry)
                if found_entry is None:
                    continue
                inner = identity_of(found_entry)
                if stat.S_ISREG(found_entry.st_mode):
                    yield ListedFile(entry.path, found_entry.st_size, found_entry.st_mtime_ns)
                elif stat.S_ISDIR(found_entry.st_mode) and inner not in above:
                    waiting.append((entry.path, above | {inner}))


def landing_folder(
    path: str,
    *,
    name_glob: str | None = None,
    strict: bool = False,
    modified_after_ms: int | None = None,
    modified_before_ms: int | None = None,
) -> LandingFolder:
    """Split a path or glob into its fixed part and a pattern for the rest.

    Not strict (the default), `*` spans folders and the pattern is a prefix; strict, it is Spark's
    own globber (the table of Auto Loader's "Common data loading patterns").
    """
    text = os.path.abspath(path)
    parts = text.split("/")
    fixed = next((i for i, part in enumerate(parts) if GLOB_CHARS.search(part)), len(parts))
    rest = "/".join(parts[fixed:])
    return LandingFolder(
        display_path(os.fsencode(text)),
        os.fsencode("/".join(parts[:fixed]) or "/"),
        compile_glob(rest, strict=strict) if rest else None,
        len(parts) - fixed,
        compile_name_glob(name_glob) if name_glob is not None else None,
        frozenset(),
        modified_after_ms,
        modified_before_ms,
    )


def is_hidden(name: bytes) -> bool:
    """Tell whether Spark's file sources skip this name (contract 7.1)."""
    return (
        name.startswith(b".")
        or (name.startswith(b"_") and b"=" not in name)
        or name.endswith(b"._COPYING_")
    )


def stat_base(base: bytes) -> os.stat_result:
    """Look at the fixed part of a landing path; raises `LandingFolderError`."""
    try:
        found = os.stat(base)
    except OSError as error:
        raise LandingFolderError(display_path(base), reason_of(error)) from error
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        raise LandingFolderError(
            display_path(base), "a pipe, a socket or a device, neither a folder nor a file"
        )
    return found


def identity_of(found: os.stat_result) -> tuple[int, int]:
    """Give what tells a folder from every other one, whatever paths lead to it."""
    return found.st_dev, found.st_ino


def stat_entry(entry: os.DirEntry[bytes]) -> os.stat_result | None:
    """Look at an entry; None when it is not there: gone again, or a link to nothing or itself."""
    try:
        return entry.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None
        raise LandingFolderError(display_path(entry.path), reason_of(error)) from error


def _state_names(folder: bytes) -> frozenset[bytes]:
    """Give the names of a checkpoint's parts when this folder holds one (contract 11.14).

    One of ours is told by its lock from its first moment on, others by what they hold later.
    """

    def has(name: bytes) -> bool:
        return os.path.lexists(os.path.join(folder, name))

    if os.path.isfile(os.path.join(folder, b"metadata")) and (
        has(b".lock") or (has(b"offsets") and has(b"sources"))
    ):
        return CHECKPOINT_NAMES
    return frozenset()


def reason_of(error: OSError) -> str:
    """Give the system's words for an error."""
    return (error.strerror or str(error)).lower()

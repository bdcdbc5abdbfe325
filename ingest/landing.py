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
    """

    description: str
    base: bytes
    pattern: re.Pattern[str] | None
    glob_depth: int
    name_pattern: re.Pattern[str] | None
    excluded: frozenset[bytes]

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
        files = [file for file in self._walk() if self._wanted(file.path)]
        return tuple(sorted(files, key=lambda file: (file.modified_ns, file.path)))

    def _walk(self) -> Iterator[ListedFile]:
        try:
            found = os.stat(self.base)
        except OSError as error:
            raise LandingFolderError(display_path(self.base), _reason(error)) from error
        if stat.S_ISREG(found.st_mode):
            yield ListedFile(self.base, found.st_size, found.st_mtime_ns)
            return
        yield from _walk_folder(self.base, self.excluded, (found.st_dev, found.st_ino))

    def _wanted(self, path: bytes) -> bool:
        name = os.fsdecode(os.path.basename(path))
        if self.name_pattern is not None and not self.name_pattern.fullmatch(name):
            return False
        rest = os.fsdecode(path[len(self.base) :].lstrip(b"/"))
        return self.pattern is None or self.pattern.match(rest) is not None


def landing_folder(
    path: str,
    *,
    name_glob: str | None = None,
    strict: bool = False,
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
    )


def is_hidden(name: bytes) -> bool:
    """Tell whether Spark's file sources skip this name (contract 7.1)."""
    return (
        name.startswith(b".")
        or (name.startswith(b"_") and b"=" not in name)
        or name.endswith(b"._COPYING_")
    )


def _walk_folder(
    folder: bytes, excluded: frozenset[bytes], identity: tuple[int, int]
) -> Iterator[ListedFile]:
    """Walk regular files; links are followed, but never back into a folder we came through."""
    waiting = [(folder, frozenset({identity}))]
    while waiting:
        folder, above = waiting.pop()
        for entry in _visible(folder, excluded):
            found = _stat(entry)
            if found is None:
                continue
            inner = (found.st_dev, found.st_ino)
            if stat.S_ISREG(found.st_mode):
                yield ListedFile(entry.path, found.st_size, found.st_mtime_ns)
            elif stat.S_ISDIR(found.st_mode) and inner not in above:
                waiting.append((entry.path, above | {inner}))


def _visible(folder: bytes, excluded: frozenset[bytes]) -> list[os.DirEntry[bytes]]:
    """List a folder without what is hidden, excluded or state."""
    try:
        with os.scandir(folder) as entries:
            found = list(entries)
    except OSError as error:
        raise LandingFolderError(display_path(folder), _reason(error)) from error
    state = _state_names(found)
    return [
        entry
        for entry in found
        if not (is_hidden(entry.name) or entry.path in excluded or entry.name in state)
    ]


def _stat(entry: os.DirEntry[bytes]) -> os.stat_result | None:
    """Look at an entry; None when it is not there: gone again, or a link to nothing or itself."""
    try:
        return entry.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None
        raise LandingFolderError(display_path(entry.path), _reason(error)) from error


def _state_names(found: list[os.DirEntry[bytes]]) -> frozenset[bytes]:
    """Give the names of a checkpoint's parts when this folder holds one (contract 11.14).

    One of ours is told by its lock from its first moment on, others by what they hold later.
    """
    names = {entry.name for entry in found}
    if not ({b".lock", b"metadata"} <= names or {b"metadata", b"offsets", b"sources"} <= names):
        return frozenset()
    is_state = all(entry.is_file() for entry in found if entry.name == b"metadata")
    return CHECKPOINT_NAMES if is_state else frozenset()


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()

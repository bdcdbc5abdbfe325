"""One folder of the landing folder: what the system tells of it, and a listing of its new files."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ingest.errors import LandingFolderError
from ingest.file_entry import ListedFile, display_path
from ingest.landing import identity_of, reason_of, stat_entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.landing import LandingFolder

_TOGETHER = 50_000
"""Names that are looked up at once: bounds the memory that a folder of many files takes."""


class KnownFiles(Protocol):
    """What a listing asks of the file state."""

    def unknown(self, folder: bytes, names: Sequence[bytes]) -> list[bytes]:
        """Give the names of a folder that were never discovered."""

    def newest_ns(self) -> int | None:
        """Give the newest modification time of all files ever discovered."""


@dataclass(frozen=True, slots=True)
class FolderLook:
    """What the system tells of a folder without listing it.

    `stamp` changes when something comes into the folder or goes; `changed` is when that was last,
    in seconds by the file system's clock.
    """

    identity: tuple[int, int]
    stamp: tuple[int, ...]
    changed: float


class FolderListing:
    """One listing of one folder: its new files, then what else there is to know of it."""

    def __init__(self, landing: LandingFolder, files: KnownFiles, folder: bytes) -> None:
        self._landing = landing
        self._files = files
        self._folder = folder.rstrip(b"/")
        self._path = folder
        self.folders: list[bytes] = []
        self.all_known = True

    def new_files(self) -> Iterator[list[ListedFile]]:
        """List the folder; after that, `folders` and `all_known` hold."""
        names: list[bytes] = []
        for entry in self._landing.entries(self._path):
            if self._is_file(entry) and self._landing.takes_name(entry.path):
                names.append(entry.name)
                if len(names) >= _TOGETHER:
                    yield self._new_of(names)
                    names = []
        yield self._new_of(names)

    def _is_file(self, entry: os.DirEntry[bytes]) -> bool:
        """Tell whether the entry is a file; note folders, and what has to be looked at again."""
        try:
            if entry.is_symlink():
                return self._leads_to_file(entry)
            if entry.is_dir(follow_symlinks=False):
                self.folders.append(entry.path)
                return False
            return entry.is_file(follow_symlinks=False)
        except OSError as error:
            raise LandingFolderError(display_path(entry.path), reason_of(error)) from error

    def _leads_to_file(self, link: os.DirEntry[bytes]) -> bool:
        found = stat_entry(link)
        if found is not None and stat.S_ISDIR(found.st_mode):
            self.folders.append(link.path)
            return False
        self.all_known = False  # what it leads to may become another thing
        return found is not None and stat.S_ISREG(found.st_mode)

    def _new_of(self, names: list[bytes]) -> list[ListedFile]:
        unknown = self._files.unknown(self._folder, names)
        self.all_known = self.all_known and not unknown
        looked_at = (_look_at_file(self._folder + b"/" + name) for name in unknown)
        return [
            file
            for file in looked_at
            if file is not None and self._landing.takes_time(file.modified_ns)
        ]


def look_at_folder(path: bytes) -> FolderLook | None:
    """Look at a folder; None when it is gone, or is none.

    Raises `LandingFolderError`.
    """
    try:
        found = os.stat(path)  # noqa: PTH116 - the path is bytes
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise LandingFolderError(display_path(path), reason_of(error)) from error
    if not stat.S_ISDIR(found.st_mode):
        return None
    stamp = (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_nlink)
    changed_ns = min(found.st_mtime_ns, found.st_ctime_ns)  # users can set only the first
    return FolderLook(identity_of(found), stamp, changed_ns / 1e9)


def _look_at_file(path: bytes) -> ListedFile | None:
    """Look at a file; None when it is gone again."""
    try:
        found = os.stat(path)  # noqa: PTH116 - the path is bytes
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise LandingFolderError(display_path(path), reason_of(error)) from error
    if not stat.S_ISREG(found.st_mode):
        return None
    return ListedFile(path, found.st_size, found.st_mtime_ns)

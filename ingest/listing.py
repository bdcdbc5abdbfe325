"""Listing again and again: what a listing costs follows what is new, not what is old.

First step of the walk in a stream that goes on. The listing remembers the folders of the one
before, and leaves out those that have not changed. It must never lose a file, so a folder is left
out only when all of this holds (facts: `stat(2)`; contract 7.1, 7.2):

* the system tells the same of the folder as before: device and inode, modification and change
  time, size, links. A file that is created in it, renamed or linked into it changes its times, and
  these times are not in the future, where a clock comes to them once more.
* it was listed at least `TICK` seconds after it was first seen like that. Clocks of file systems
  are coarse: within one tick of such a clock, a file may come without a change of the times. How
  long we have waited is measured by our own monotonic clock, so that it does not matter what the
  file system's clock says, or one of another machine.
* every file in it that was asked for is known to the file state. One that was withheld, or was
  modified at the wrong time, may be written to without a change of the folder.
* it has no links but to folders: what a link leads to changes elsewhere. (A folder that a link
  leads to is looked at as any other one.)

All is listed anew when the system's clock was set, as a clock that goes back can come to the same
time twice; every `FULL_INTERVAL` seconds, or each `cloudFiles.backfillInterval` if that is shorter;
and always with `allowOverwrites`, as a file that is overwritten does not change its folder.

Which files are known is looked up in the file state, folder by folder; only others are looked at.
"""

from __future__ import annotations

import stat
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.file_entry import display_path
from ingest.folder_listing import FolderListing, look_at_folder
from ingest.landing import stat_base

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ingest.file_entry import ListedFile
    from ingest.folder_listing import FolderLook, KnownFiles
    from ingest.landing import LandingFolder
    from ingest.stream_options import DiscoveryOptions

TICK = 2.5
"""Seconds; the coarsest clock of a file system in use, FAT's, ticks every 2 seconds."""

FULL_INTERVAL = 600.0
"""Seconds after which every folder is listed again, changed or not."""

CLOCK_STEP = 0.5
"""Seconds that the system's clock may gain or lose between two listings without being set."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A time in seconds by a clock that never goes back, and by the system's clock."""

    monotonic: float
    system: float


@dataclass(slots=True)
class _Folder:
    """A folder as it was last seen.

    `since` is when it was first seen like that; `complete` says that a listing after the tick found
    nothing in it but what is known. `folders` are those in it.
    """

    path: bytes
    look: FolderLook | None = None
    since: float = 0.0
    complete: bool = False
    folders: dict[bytes, _Folder] = field(default_factory=dict)


class NewFileListing:
    """The landing folder of a running stream; `list_files` gives what may be new in it."""

    def __init__(
        self,
        landing: LandingFolder,
        files: KnownFiles,
        discovery: DiscoveryOptions,
        *,
        clock: Callable[[], Moment] | None = None,
        look: Callable[[bytes], FolderLook | None] | None = None,
    ) -> None:
        self._landing = landing
        self._files = files
        self._discovery = discovery
        self._clock = clock or system_moment
        self._look = look or look_at_folder
        self._interval = min(FULL_INTERVAL, discovery.backfill_interval or FULL_INTERVAL)
        self._root = _Folder(landing.base)
        self._last: Moment | None = None
        self._last_full = 0.0
        self.notices: frozenset[str] = frozenset()

    def list_files(self) -> tuple[ListedFile, ...]:
        """List every file that the file state does not know, ordered by (time, path).

        With `allowOverwrites` it is every file. Known files may be left out or not.
        Raises `LandingFolderError`.
        """
        if self._discovery.allow_overwrites:
            return self._young_enough(self._landing.list_files())
        if not stat.S_ISDIR(stat_base(self._landing.base).st_mode):
            return self._young_enough(self._landing.list_files())
        now = self._clock()
        if self._last is None or _was_set(now, self._last):
            self._root, self._last_full = _Folder(self._landing.base), now.monotonic
        self._last = now
        full = now.monotonic - self._last_full >= self._interval
        if full:
            self._last_full = now.monotonic
        files = {file.path: file for found in self._walk(full=full) for file in found}
        return self._young_enough(
            tuple(sorted(files.values(), key=lambda file: (file.modified_ns, file.path)))
        )

    def _walk(self, *, full: bool) -> Iterator[list[ListedFile]]:
        """Look at every folder, list those that may have something new, and go into all in them."""
        nowhere = frozenset[tuple[int, int]]()
        waiting = [_Step(self._root, nowhere, None)]
        listed: set[bytes] = set()
        while waiting:
            step = waiting.pop()
            folder, now = step.folder, self._clock()
            look = self._look(folder.path)
            if look is None or look.identity in step.above:
                if step.parent is not None:
                    waiting.extend(_lost(step, step.parent, listed, looped=look is not None))
                continue
            if look != folder.look:
                folder.look, folder.since, folder.complete = look, now.monotonic, False
            if full or not folder.complete:
                listed.add(folder.path)
                found = FolderListing(self._landing, self._files, folder.path)
                yield from found.new_files()
                calm = now.monotonic - folder.since >= TICK and look.changed <= now.system
                folder.complete = found.all_known and calm
                folder.folders = {
                    path: folder.folders.get(path) or _Folder(path) for path in found.folders
                }
            inner = step.above | {look.identity}
            waiting.extend(_Step(child, inner, step) for child in folder.folders.values())

    def _young_enough(self, files: tuple[ListedFile, ...]) -> tuple[ListedFile, ...]:
        """Leave out files that may have been forgotten (`maxFileAge`, Spark `SeenFilesMap`)."""
        age, newest = self._discovery.max_file_age, self._files.newest_ns()
        if age is None or newest is None:
            return files
        oldest = forgotten_before_ns(newest, age)
        young = tuple(file for file in files if file.modified_ns >= oldest)
        if len(young) < len(files):
            notice = (
                "cloudFiles.maxFileAge: files that are older than the newest one by more are not"
                f" taken, such as {display_path(files[0].path)}"
            )
            self.notices = frozenset([notice])
        return young


@dataclass(frozen=True, slots=True)
class _Step:
    """A folder on the way through all of them, and the folders that were passed before."""

    folder: _Folder
    above: frozenset[tuple[int, int]]
    parent: _Step | None


def _lost(step: _Step, parent: _Step, listed: set[bytes], *, looped: bool) -> list[_Step]:
    """Give up a folder that is gone, is none any more, or is a link that leads back up.

    Its parent is listed next time, or at once if it was left out: another thing may have the name.
    """
    parent.folder.complete = False
    parent.folder.folders.pop(step.folder.path, None)
    return [] if looped or parent.folder.path in listed else [parent]


def _was_set(now: Moment, last: Moment) -> bool:
    """Tell whether the system's clock was set since."""
    gained = (now.system - last.system) - (now.monotonic - last.monotonic)
    return abs(gained) > CLOCK_STEP


def forgotten_before_ns(newest_ns: int, max_file_age: float) -> int:
    """Give the modification time before which files are forgotten, and not taken."""
    return newest_ns - round(max_file_age * 1_000_000_000)


def system_moment() -> Moment:
    """Give the time by the system's clocks."""
    return Moment(time.monotonic(), time.time_ns() / 1e9)

"""Which listed files are quiet: files that are still being written are left for a later listing.

A stream that goes on takes a file only when it has been quiet for the settle time (contract 7.2).
Two clocks can tell: the file system's, by the modification time, and this process's, by two
listings that saw the same file. The first one may be another computer's, so it is believed only
with a margin, and not at all of a file that was seen changing.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ingest.file_entry import ListedFile

SETTLE_SECONDS = 0.5
"""How long a file has to be quiet (contract 7.2), if nothing else is said."""

SKEW_SECONDS = 2.0
"""How far the file system's clock may be behind ours; also the step of the coarsest file times."""

_NANOS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class ListingTime:
    """When a listing was made: from `began` to `ended` by a clock that never steps, in seconds.

    `wall_ns` is the time of day when it began, in nanoseconds since 1970, as file times are.
    """

    began: float
    ended: float
    wall_ns: int


@dataclass(frozen=True, slots=True)
class Sighting:
    """A file as a listing saw it, and since when listings have seen it so."""

    size: int
    modified_ns: int
    since: float
    is_changing: bool


NOTHING_SEEN: Mapping[bytes, Sighting] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Settled:
    """A listing in two parts: the quiet files, and those that wait for the next listing."""

    quiet: tuple[ListedFile, ...]
    waiting: Mapping[bytes, Sighting]

    def next_due(self, seconds: float) -> float | None:
        """Give the moment when the first waiting file is quiet if it does not change any more."""
        return min((one.since + seconds for one in self.waiting.values()), default=None)


def settle(
    listed: Iterable[ListedFile],
    before: Mapping[bytes, Sighting],
    *,
    seconds: float,
    at: ListingTime,
) -> Settled:
    """Part a listing; `before` is what waited after the one before. No time: all are quiet."""
    quiet: list[ListedFile] = []
    waiting: dict[bytes, Sighting] = {}
    oldest = at.wall_ns - round((seconds + SKEW_SECONDS) * _NANOS)
    for file in listed:
        seen = before.get(file.path)
        if seconds <= 0 or _is_quiet(file, seen, oldest_ns=oldest, since=at.began - seconds):
            quiet.append(file)
        else:
            waiting[file.path] = _sighting(file, seen, at)
    return Settled(tuple(quiet), waiting)


def _is_quiet(file: ListedFile, seen: Sighting | None, *, oldest_ns: int, since: float) -> bool:
    if seen is None:
        return file.modified_ns <= oldest_ns
    if not _is_same(file, seen):
        return False
    return seen.since <= since or (not seen.is_changing and file.modified_ns <= oldest_ns)


def _sighting(file: ListedFile, seen: Sighting | None, at: ListingTime) -> Sighting:
    if seen is not None and _is_same(file, seen):
        return seen
    return Sighting(file.size, file.modified_ns, at.ended, is_changing=seen is not None)


def _is_same(file: ListedFile, seen: Sighting) -> bool:
    return (file.size, file.modified_ns) == (seen.size, seen.modified_ns)

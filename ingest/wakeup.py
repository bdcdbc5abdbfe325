"""When to look again: after an interval, or when the file system tells that something happened.

An event only wakes the loop; what there is, a listing tells. So no event has to be believed, and
none that is lost loses a file: it is found when the interval has passed (contract 7.2).
"""

from __future__ import annotations

import logging
import os
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from watchdog.events import (
    DirCreatedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver

_LOG = logging.getLogger("ingest")
_WATCHDOG = ("watchdog.observers.inotify", "watchdog.observers.inotify_c")
_ARRIVALS = (
    DirCreatedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
)
"""What may bring a file; our own reading, listing and removing of files is none of it."""

_LOOK_SECONDS = 0.5
"""How often a waiting thread looks whether anybody is still there."""


class Alarm:
    """Wakes one thread that waits; it may be rung and stopped from any other.

    A ring while nobody waits is kept for the next wait. `is_abandoned` is asked now and then; when
    it says so, that is as good as a stop.
    """

    def __init__(self, is_abandoned: Callable[[], bool] = lambda: False) -> None:
        self._is_abandoned = is_abandoned
        self._stopped = threading.Event()
        self._rung = threading.Event()

    def ring(self) -> None:
        """Say that something may have happened."""
        self._rung.set()

    def stop(self) -> None:
        """Say that it is over."""
        self._stopped.set()
        self._rung.set()

    def is_stopped(self) -> bool:
        """Tell whether it is over."""
        return self._stopped.is_set() or self._is_abandoned()

    def wait(self, seconds: float, *, rest: float = 0.0) -> None:
        """Wait so many seconds, or until it rings; the first `rest` of them only a stop ends."""
        end = time.monotonic() + seconds
        self._stopped.wait(min(rest, seconds))
        while not self.is_stopped():
            left = end - time.monotonic()
            if self._rung.wait(max(0.0, min(left, _LOOK_SECONDS))) or left <= _LOOK_SECONDS:
                break
        self._rung.clear()


class Watch:
    """A watch on a folder. Once it is blind, it says so, once, and only listings are left."""

    def __init__(self, place: str, observer: BaseObserver | None) -> None:
        self._place = place
        self._observer = observer
        self._told = False

    def check(self) -> bool:
        """Tell whether events still come as far as can be known."""
        observer = self._observer
        if observer is None:
            return False
        if observer.is_alive() and all(emitter.is_alive() for emitter in observer.emitters):
            return True
        self._observer = None
        self.tell("it has ended")
        return False

    def tell(self, reason: str) -> None:
        """Say once that files are found by listing now."""
        if not self._told:
            self._told = True
            _LOG.warning(
                "watching %s: %s; new files are found by listing, once in each interval",
                self._place,
                reason,
            )


@contextmanager
def watching(
    folder: bytes, ring: Callable[[], None], *, excluded: frozenset[bytes]
) -> Iterator[Watch]:
    """Ring whenever a file may have arrived below the folder, but not in what is excluded.

    A folder that cannot be watched is no error: the watch is blind from the start.
    """
    place = os.fsdecode(folder if os.path.isdir(folder) else os.path.dirname(folder))  # noqa: PTH112, PTH120 - bytes
    shown = place.encode("utf-8", "backslashreplace").decode()
    observer = Observer()
    watch = Watch(shown, observer)
    overflow = _Overflow(watch, ring)
    for name in _WATCHDOG:
        logging.getLogger(name).addFilter(overflow.take)
    try:
        watch = _start(observer, place, _Arrivals(ring, excluded), watch)
        yield watch
    finally:
        for name in _WATCHDOG:
            logging.getLogger(name).removeFilter(overflow.take)
        if observer.is_alive():
            observer.stop()
            observer.join()


def _start(observer: BaseObserver, place: str, arrivals: _Arrivals, watch: Watch) -> Watch:
    try:
        observer.schedule(arrivals, place, recursive=True)
        observer.start()
    except OSError as error:
        watch.tell((error.strerror or str(error)).lower())
        return Watch(place, None)
    return watch


class _Arrivals(FileSystemEventHandler):
    """Rings when something may have arrived; state folders inside the landing folder are none."""

    def __init__(self, ring: Callable[[], None], excluded: frozenset[bytes]) -> None:
        self._ring = ring
        self._excluded = tuple(excluded)

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Take an event."""
        if not isinstance(event, _ARRIVALS):
            return
        paths = (os.fsencode(path) for path in (event.src_path, event.dest_path) if path)
        if not all(self._is_excluded(path) for path in paths):
            self._ring()

    def _is_excluded(self, path: bytes) -> bool:
        return any(path == one or path.startswith(one + b"/") for one in self._excluded)


class _Overflow:
    """Hears in watchdog's log that events were lost: a file may be there that nothing told of."""

    def __init__(self, watch: Watch, ring: Callable[[], None]) -> None:
        self._watch = watch
        self._ring = ring

    def take(self, record: logging.LogRecord) -> bool:
        """Take a record; ours says the same in our words."""
        if "overflowed" not in str(record.msg):
            return True
        self._watch.tell("more happened than events could tell")
        self._ring()
        return False

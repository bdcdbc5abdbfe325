"""A process that dies at its n-th durable effect, and what may have changed until the restart."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType


class SimulatedCrashError(BaseException):
    """The process is dead: no `Exception`, so that no tidy-up code can swallow it."""


class Moment(Enum):
    """When, around the effect, the process dies."""

    BEFORE = "before"
    AFTER = "after"


class Failure(Enum):
    """What happens at the effect."""

    CRASH = "the process dies"
    DISK_FULL = "the disk is full for a moment"
    NO_PERMISSION = "from there on nothing may be changed"


@dataclass(frozen=True, slots=True)
class CrashPoint:
    """Die before or after the effect of this number; the first one is 0."""

    effect: int
    moment: Moment


@dataclass(slots=True)
class Effects:
    """Counts durable effects, and lets none happen once the process is dead."""

    point: CrashPoint | None
    failure: Failure = Failure.CRASH
    done: int = 0
    dead: bool = False
    denied: bool = False
    failed: bool = False

    def around(self, effect: Callable[..., Any]) -> Callable[..., Any]:
        """Make calls of `effect` count."""

        def counted(*args: Any, **settings: Any) -> Any:
            self._die_at(Moment.BEFORE)
            result = effect(*args, **settings)  # one that fails is none
            self._die_at(Moment.AFTER)
            self.done += 1
            return result

        return counted

    def unless_dead(self, effect: Callable[..., Any]) -> Callable[..., Any]:
        """Let calls of `effect` happen, but none of a dead process."""

        def guarded(*args: Any, **settings: Any) -> Any:
            self._check_alive()
            return effect(*args, **settings)

        return guarded

    def _die_at(self, moment: Moment) -> None:
        self._check_alive()
        if self.failed or self.point != CrashPoint(self.done, moment):
            return
        self.failed = True
        match self.failure:
            case Failure.CRASH:
                self.dead = True
            case Failure.NO_PERMISSION:
                self.denied = True
            case Failure.DISK_FULL:
                raise OSError(errno.ENOSPC, "No space left on device")
        self._check_alive()

    def _check_alive(self) -> None:
        if self.dead:
            raise SimulatedCrashError
        if self.denied:
            raise PermissionError(errno.EACCES, "Permission denied")


@contextmanager
def durable_effects(
    point: CrashPoint | None, failure: Failure = Failure.CRASH
) -> Iterator[Effects]:
    """Count what changes the disk for good, and die, or fail, at one of these effects.

    They are: a log entry gets its name (`os.link`), file state is committed (SQLite), a data file
    is written. A dead process removes nothing either. Syncing takes time and changes nothing that
    a test could see, so it is left out.
    """
    effects = Effects(point, failure)

    class Connection(sqlite3.Connection):
        def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
            call = super().execute
            return (self._counted(call) if sql == "COMMIT" else call)(sql, *args)

        def __exit__(
            self,
            kind: type[BaseException] | None,
            error: BaseException | None,
            trace: TracebackType | None,
        ) -> Any:
            leave = super().__exit__
            return (self._counted(leave) if error is None else leave)(kind, error, trace)

        def _counted(self, commit: Callable[..., Any]) -> Callable[..., Any]:
            def counted(*args: Any) -> Any:
                try:
                    return effects.around(commit)(*args)
                except OSError as error:  # SQLite undoes what it cannot commit
                    self.rollback()
                    raise sqlite3.OperationalError(str(error)) from error

            return counted

    connect = sqlite3.connect

    def counted_connect(*args: Any, **settings: Any) -> sqlite3.Connection:
        return connect(*args, factory=Connection, **settings)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "link", effects.around(os.link))
        patch.setattr(os, "unlink", effects.unless_dead(os.unlink))
        patch.setattr(os, "fsync", lambda _descriptor: None)
        patch.setattr(sqlite3, "connect", counted_connect)
        patch.setattr(pl.DataFrame, "write_parquet", effects.around(pl.DataFrame.write_parquet))
        yield effects

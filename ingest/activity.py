"""What a query is doing at this moment; the engine says it, other threads ask (Spark's status)."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.file_entry import BatchId


@dataclass(frozen=True, slots=True)
class Status:
    """Spark's `StreamingQueryStatus`."""

    message: str
    is_data_available: bool
    is_trigger_active: bool


class Activity:
    """Says what is done now, and lets others wait until everything is taken."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._status = Status(
            "Initializing sources", is_data_available=False, is_trigger_active=False
        )
        self._looks = 0
        self._idle_after = 0
        self._waiters = 0
        self._is_over = False

    @property
    def status(self) -> Status:
        """What is done now."""
        return self._status

    @property
    def is_over(self) -> bool:
        """Whether the query has ended."""
        return self._is_over

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits until everything is taken."""
        return self._waiters > 0

    def looks(self, source: str) -> None:
        """Say that a trigger has begun: new files are looked for."""
        with self._changed:
            self._looks += 1
            self._status = Status(
                f"Getting offsets from {source}",
                is_data_available=self._status.is_data_available,
                is_trigger_active=True,
            )

    def runs(self, batch_id: BatchId) -> None:
        """Say that a batch is being read and written."""
        self._status = Status(
            f"Processing batch {batch_id}", is_data_available=True, is_trigger_active=True
        )

    def rests(self, *, has_files: bool, is_all_taken: bool) -> None:
        """Say that a trigger has ended; `is_all_taken`: its listing left nothing for later."""
        message = "Waiting for next trigger" if has_files else "Waiting for data to arrive"
        with self._changed:
            self._status = Status(message, is_data_available=has_files, is_trigger_active=False)
            if is_all_taken:
                self._idle_after = self._looks
                self._changed.notify_all()

    def ends(self, message: str) -> None:
        """Say that the query has ended; whoever waits goes on."""
        with self._changed:
            self._status = Status(message, is_data_available=False, is_trigger_active=False)
            self._is_over = True
            self._changed.notify_all()

    def wait_until_taken(self, ring: Callable[[], None]) -> None:
        """Wait until a listing that begins from now on finds nothing; `ring` makes it begin."""
        with self._changed:
            asked = self._looks
            self._waiters += 1
            try:
                ring()
                self._changed.wait_for(lambda: self._is_over or self._idle_after > asked)
            finally:
                self._waiters -= 1

"""How a stream that goes on spends its time between batches: pure decisions and who waits.

Under `processingTime` triggers begin on a grid, as in Spark (`ProcessingTimeExecutor`); with no
interval, the default, as soon as possible, and every 500 ms while nothing comes (Databricks,
"Configure Structured Streaming trigger intervals").
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ingest.settling import SETTLE_SECONDS

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable

POLL_SECONDS = 0.5
"""How often a stream without an interval looks for files while none come."""

MIN_REST_SECONDS = 0.02
MAX_REST_SECONDS = 1.0


class Wait(Protocol):
    """Waits; somebody may end it early."""

    def __call__(self, seconds: float, *, rest: float) -> None:
        """Wait so many seconds; for the first `rest` of them only for the end of the stream."""


def sleep(seconds: float, *, rest: float) -> None:
    """Wait to the end; nobody wakes."""
    del rest
    time.sleep(seconds)


@dataclass(frozen=True, slots=True)
class Pacing:
    """How a stream waits.

    * `settle_seconds`: how long a file has to be quiet before it is taken.
    * `is_watched`: somebody ends a wait when a file may have arrived; then the interval is only
      how long to wait at most.
    * `clock`: seconds by a clock that never steps.
    """

    settle_seconds: float = SETTLE_SECONDS
    is_watched: bool = False
    clock: Callable[[], float] = time.monotonic
    wait: Wait = sleep


@dataclass(frozen=True, slots=True)
class Lull:
    """What is known when a trigger has ended.

    * `interval`: of the triggers, in seconds.
    * `begun`: when the trigger began; `elapsed` seconds ago.
    * `has_files`: more is waiting than the batch could take.
    * `due`: in how many seconds the next file will have been quiet long enough, None: no file.
    * `is_eager`: files are to be taken as soon as they can be, whatever the interval.
    """

    interval: float
    begun: dt.datetime
    elapsed: float
    has_files: bool
    due: float | None
    is_eager: bool


def pause(lull: Lull) -> float:
    """Give the seconds until the next trigger."""
    is_soon = lull.is_eager or lull.interval <= 0
    if is_soon and lull.has_files:
        return 0.0
    left = until_next_trigger(lull.interval, lull.begun, lull.elapsed)
    if is_soon and lull.due is not None:
        left = min(left, lull.due)
    return max(0.0, left)


def until_next_trigger(interval: float, begun: dt.datetime, elapsed: float) -> float:
    """Give the seconds until the grid's next point after `begun`; none left when it has passed.

    >>> import datetime as dt
    >>> until_next_trigger(10, dt.datetime(2024, 1, 1, 0, 0, 4, tzinfo=dt.UTC), 1.5)
    4.5
    >>> until_next_trigger(0, dt.datetime(2024, 1, 1, tzinfo=dt.UTC), 0.1)
    0.4
    """
    if interval <= 0:
        return max(0.0, POLL_SECONDS - elapsed)
    return max(0.0, interval - begun.timestamp() % interval - elapsed)


def rest_after(listing_seconds: float) -> float:
    """Give how long not to list again whatever happens: listing takes half of the time at most."""
    return min(max(listing_seconds, MIN_REST_SECONDS), MAX_REST_SECONDS)

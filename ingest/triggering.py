"""Which batches a stream runs, and when: its trigger, carried out (contract 7.2).

A batch that a crash left over comes first. `availableNow` and `once` list once; under
`processingTime` each trigger lists, runs one batch, and waits for the next one, as in Spark
(`TriggerExecutor`, `MicroBatchExecution`).
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.pacing import POLL_SECONDS, Lull, pause, rest_after
from ingest.trigger import AvailableNow, Once, ProcessingTime

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterator

    from ingest.backlog import Backlog
    from ingest.checkpoint import PlannedBatch
    from ingest.stream import StreamRun
    from ingest.stream_options import ReadLimit


@dataclass(frozen=True, slots=True)
class TriggerStart:
    """When a trigger began, by the time of day and by the clock that never steps.

    `since_previous`: seconds since the trigger before it began, None for the first one. `millis`
    adds up what its parts take, by Spark's names.
    """

    at: dt.datetime
    clock: float
    since_previous: float | None
    millis: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timing(self, part: str, clock: Callable[[], float]) -> Iterator[None]:
        """Count the time of what is inside to a part."""
        began = clock()
        yield
        self.millis[part] = self.millis.get(part, 0.0) + (clock() - began) * 1000


@dataclass(frozen=True, slots=True)
class TriggeredBatch:
    """A batch to run now, planned on disk, and the trigger it belongs to."""

    planned: PlannedBatch
    start: TriggerStart


def triggered_batches(
    stream: StreamRun, backlog: Backlog, upkeep: Callable[[], None]
) -> Iterator[TriggeredBatch]:
    """Give the batches to run, each planned; they are done when the next one is asked for.

    `upkeep` is called between batches, and at triggers that find nothing.
    """
    left_over = backlog.left_over
    previous: TriggerStart | None = None
    if left_over is not None:
        previous = _begin(stream, None)
        stream.activity.runs(left_over.batch_id)
        yield TriggeredBatch(left_over, previous)
    upkeep()
    if left_over is not None and isinstance(stream.trigger, Once):
        return
    match stream.trigger:
        case AvailableNow() | Once():
            batches = _until_taken(stream, backlog, previous)
        case ProcessingTime(seconds):
            batches = _going_on(stream, backlog, previous, interval=seconds, upkeep=upkeep)
            yield from batches
            return
    for batch in batches:
        yield batch
        upkeep()


def _until_taken(
    stream: StreamRun, backlog: Backlog, previous: TriggerStart | None
) -> Iterator[TriggeredBatch]:
    """Take what one listing finds, in batches within the limits, or in one without."""
    limit = None if isinstance(stream.trigger, Once) else stream.loaded.options.limit
    start = _begin(stream, previous)
    _look(stream, backlog, start, settle_seconds=0.0)
    while backlog.has_files and not stream.stopped():
        yield _plan(stream, backlog, start, limit)
        start = _begin(stream, start)


def _going_on(
    stream: StreamRun,
    backlog: Backlog,
    previous: TriggerStart | None,
    *,
    interval: float,
    upkeep: Callable[[], None],
) -> Iterator[TriggeredBatch]:
    """Run a batch at each trigger that finds files, until the stream is stopped."""
    settle_seconds = stream.pacing.settle_seconds
    start = previous
    while not stream.stopped():
        start = _begin(stream, start)
        looks = _has_to_look(backlog)
        if looks:
            _look(stream, backlog, start, settle_seconds=settle_seconds)
        if backlog.has_files:
            yield _plan(stream, backlog, start, stream.loaded.options.limit)
        upkeep()
        has_files = backlog.has_files
        is_all_taken = looks and not has_files and backlog.is_settled
        stream.activity.rests(has_files=has_files, is_all_taken=is_all_taken)
        if not stream.stopped() and (looks or has_files):  # else look before waiting
            seconds = pause(_lull(stream, backlog, start, interval))
            stream.pacing.wait(seconds, rest=rest_after(backlog.listing_seconds))


def _has_to_look(backlog: Backlog) -> bool:
    """Skip a listing while there is enough to do and the last one is fresh."""
    age = backlog.seconds_since_listing()
    return not backlog.has_files or age is None or age >= POLL_SECONDS


def _lull(stream: StreamRun, backlog: Backlog, start: TriggerStart, interval: float) -> Lull:
    return Lull(
        interval=interval,
        begun=start.at,
        elapsed=stream.pacing.clock() - start.clock,
        has_files=backlog.has_files,
        due=backlog.next_due(stream.pacing.settle_seconds),
        is_eager=stream.pacing.is_watched or stream.activity.is_awaited,
    )


def _begin(stream: StreamRun, previous: TriggerStart | None) -> TriggerStart:
    clock = stream.pacing.clock()
    since = None if previous is None else clock - previous.clock
    return TriggerStart(stream.now(), clock, since)


def _look(
    stream: StreamRun, backlog: Backlog, start: TriggerStart, *, settle_seconds: float
) -> None:
    stream.activity.looks(stream.loaded.source)
    with start.timing("latestOffset", stream.pacing.clock):
        backlog.look(settle_seconds=settle_seconds)


def _plan(
    stream: StreamRun, backlog: Backlog, start: TriggerStart, limit: ReadLimit | None
) -> TriggeredBatch:
    with start.timing("walCommit", stream.pacing.clock):
        planned = backlog.plan(limit)
    stream.activity.runs(planned.batch_id)
    return TriggeredBatch(planned, start)

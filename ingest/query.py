"""A running stream: a thread around the engine, in the shape of PySpark's `StreamingQuery`."""

from __future__ import annotations

import atexit
import logging
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ingest.activity import Activity
from ingest.errors import OperationNotSupportedError, OptionValueError, StreamingQueryException
from ingest.pacing import Pacing
from ingest.progress import QueryFacts, Reading, progress_to_json
from ingest.query_progress import StreamingQueryProgress, query_progress
from ingest.settling import SETTLE_SECONDS
from ingest.stream import StreamRun, run
from ingest.trigger import ProcessingTime
from ingest.wakeup import Alarm, watching

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import NoReturn

    from ingest.ledger import LedgerEntry
    from ingest.progress import BatchProgress
    from ingest.sinks import Sink
    from ingest.stream import LoadedStream
    from ingest.trigger import Trigger

_LOG = logging.getLogger("ingest")

KEPT_PROGRESS = 100
"""Reports that `recentProgress` keeps (Spark's numRecentProgressUpdates)."""


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """How a query runs: its state, its trigger, its name if it has one.

    For one that goes on: how long a file has to be quiet, and whether the landing folder is
    watched, so that a file is found before the interval has passed.
    """

    checkpoint_location: Path
    trigger: Trigger
    name: str | None
    settle_seconds: float = SETTLE_SECONDS
    is_watched: bool = False

    @property
    def is_endless(self) -> bool:
        """Whether only a stop or a failure ends it."""
        return isinstance(self.trigger, ProcessingTime)


class StreamingQuery:
    """One running ingestion; it starts at once, in a thread that keeps the process alive.

    One that goes on does so until it is stopped, or until the main thread has ended; then it ends
    after the running batch, as a Spark application does. A failure that nobody asks about is
    printed to standard error when the process ends (contract 1.1).
    """

    def __init__(
        self,
        loaded: LoadedStream,
        sink: Sink,
        plan: QueryPlan,
        *,
        now: Callable[[], dt.datetime],
        new_id: Callable[[], str],
    ) -> None:
        self.name = plan.name
        self.runId = new_id()
        self.reading = Reading()
        self._id = new_id()
        self._source = loaded.source
        self._sink = sink
        self._progress: list[tuple[StreamingQueryProgress, tuple[LedgerEntry, ...]]] = []
        self._failure: BaseException | None = None
        self._asked = False
        self._told = loaded.notices
        self._alarm = Alarm(_is_abandoned if plan.is_endless else lambda: False)
        self._activity = Activity()
        self._ended = threading.Event()
        self._id_known = threading.Event()
        self._listeners: list[Callable[[StreamingQuery], None]] = []
        self._ending = threading.Lock()
        stream = StreamRun(
            loaded,
            sink,
            checkpoint_location=plan.checkpoint_location,
            trigger=plan.trigger,
            now=now,
            stopped=self._alarm.is_stopped,
            reading=self.reading,
            report=self._report,
            pacing=Pacing(plan.settle_seconds, plan.is_watched, wait=self._alarm.wait),
            activity=self._activity,
            tell=self._tell,
        )
        is_watched = plan.is_watched and plan.is_endless
        self._thread = threading.Thread(
            target=self._run, args=(stream, is_watched), name="ingest-stream"
        )
        self._thread.start()

    def __repr__(self) -> str:
        return f"<StreamingQuery {self.name or self.runId}: {self.status['message']}>"

    @property
    def id(self) -> str:
        """The query's id: as old as its checkpoint, which is opened first (as Spark's `start`)."""
        if threading.current_thread() is not self._thread:
            self._id_known.wait()
        return self._id

    @property
    def isActive(self) -> bool:  # noqa: N802 - PySpark's name
        """Whether it is still running."""
        return not self._ended.is_set()

    @property
    def has_failed(self) -> bool:
        """Whether a failure has ended it; this does not count as asking what failed."""
        return self._failure is not None

    @property
    def status(self) -> dict[str, object]:
        """What it is doing now."""
        status = self._activity.status
        return {
            "message": status.message,
            "isDataAvailable": status.is_data_available,
            "isTriggerActive": status.is_trigger_active,
        }

    @property
    def recentProgress(self) -> list[StreamingQueryProgress]:  # noqa: N802 - PySpark's name
        """Reports of the last batches, oldest first, as Spark's `StreamingQueryProgress` JSON."""
        return [report for report, _ in self._progress]

    @property
    def lastProgress(self) -> StreamingQueryProgress | None:  # noqa: N802 - PySpark's name
        """The report of the last batch, or None when there was none."""
        recent = self.recentProgress
        return recent[-1] if recent else None

    @property
    def losses(self) -> tuple[LedgerEntry, ...]:
        """What the last batches lost (contract 9.1); `<checkpoint>/ledger` keeps it all."""
        return tuple(entry for _, losses in self._progress for entry in losses)

    def exception(self) -> StreamingQueryException | None:
        """Give the failure that ended the query, or None."""
        if self._failure is None:
            return None
        self._asked = True
        _failed.discard(self)
        error = StreamingQueryException(self._id, self.runId, self._failure)
        error.__cause__ = self._failure
        return error

    def awaitTermination(self, timeout: float | None = None) -> bool | None:  # noqa: N802 - PySpark's
        """Wait for the end, at most `timeout` seconds; say whether it ended when one is given.

        Raises `StreamingQueryException`, whose cause is the error itself, if the query failed,
        `OptionValueError` for a timeout that is no number of seconds.
        """
        check_timeout("awaitTermination", timeout)
        if not self._ended.wait(timeout):
            return False
        error = self.exception()
        if error is not None:
            raise error from error.cause
        return None if timeout is None else True

    def processAllAvailable(self) -> None:  # noqa: N802 - PySpark's name
        """Wait until everything that is there now is ingested; raises the failure if it fails.

        A file that is still being written is waited for, so this may take as long as somebody
        goes on writing.
        """
        self._activity.wait_until_taken(self._alarm.ring)
        if self._activity.is_over:
            self.awaitTermination()

    def stop(self) -> None:
        """End after the running batch, and wait for that."""
        self._alarm.stop()
        if threading.current_thread() is not self._thread:
            self._ended.wait()

    def when_ended(self, listener: Callable[[StreamingQuery], None]) -> None:
        """Call the listener when the query has ended; at once if it has."""
        with self._ending:
            if self.isActive:
                self._listeners.append(listener)
                return
        listener(self)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise OperationNotSupportedError(
            name,
            of="StreamingQuery",
            supported="id, runId, name, isActive, status, lastProgress, recentProgress, losses,"
            " awaitTermination, processAllAvailable, stop, exception",
            remedy="Leave it out.",
        )

    def _run(self, stream: StreamRun, is_watched: bool) -> None:  # noqa: FBT001 - a thread's argument
        message = "Stopped"
        try:
            with self._watching(stream, is_watched=is_watched) as watched:
                run(watched, new_id=self._id, opened=self._opened)
        except BaseException as error:  # noqa: BLE001 - told by whoever asks; a panic is no Exception
            message = f"Terminated with exception: {error}"
            self._failure = error
            if not isinstance(error, KeyboardInterrupt):  # Polars raises it in whatever thread
                _failed.add(self)
        finally:
            self._activity.ends(message)
            self._id_known.set()
            with self._ending:
                self._ended.set()
            for listener in self._listeners:
                listener(self)

    @contextmanager
    def _watching(self, stream: StreamRun, *, is_watched: bool) -> Iterator[StreamRun]:
        """Have events below the landing folder end the stream's waits."""
        if not is_watched:
            yield stream
            return
        landing = stream.loaded.landing
        with watching(landing.base, self._alarm.ring, excluded=landing.excluded) as watch:

            def wait(seconds: float, *, rest: float) -> None:
                watch.check()
                self._alarm.wait(seconds, rest=rest)

            yield replace(stream, pacing=replace(stream.pacing, wait=wait))

    def _opened(self, query_id: str) -> None:
        self._id = query_id
        self._id_known.set()

    def _report(self, progress: BatchProgress) -> None:
        self._tell(progress.findings.notices)
        facts = QueryFacts(self._id, self.runId, self.name, self._source, self._sink.description)
        report = query_progress(progress_to_json(progress, facts))
        kept = self._progress[1 - KEPT_PROGRESS :]
        self._progress = [*kept, (report, progress.findings.losses)]

    def _tell(self, notices: frozenset[str]) -> None:
        """Say each notice once."""
        for notice in sorted(notices - self._told):
            _LOG.warning(notice)
        self._told |= notices

    def tell_unasked(self) -> None:
        """Print the failure to standard error unless somebody has asked for it."""
        if self._failure is not None and not self._asked:
            sys.stderr.write(f"{self.exception()}\n")


def check_timeout(call: str, timeout: float | None) -> None:
    """Refuse a timeout that is no number of seconds; raises `OptionValueError`."""
    if timeout is not None and not (isinstance(timeout, int | float) and timeout >= 0):
        raise OptionValueError(call, timeout, allowed="a number of seconds from 0 on")


def _is_abandoned() -> bool:
    """Tell whether the main thread has ended, so that the process only waits for its streams."""
    return not threading.main_thread().is_alive()


_failed: set[StreamingQuery] = set()
"""Queries that ended with a failure which nobody has asked about yet."""


@atexit.register
def _tell_unasked_failures() -> None:
    for query in list(_failed):
        query.tell_unasked()

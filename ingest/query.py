"""A running stream: a thread around the engine, in the shape of PySpark's `StreamingQuery`."""

from __future__ import annotations

import atexit
import logging
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.errors import OperationNotSupportedError, OptionValueError, StreamingQueryException
from ingest.progress import BatchProgress, QueryFacts, Reading, progress_to_json
from ingest.stream import StreamRun, run

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable
    from pathlib import Path
    from typing import NoReturn

    from ingest.ledger import LedgerEntry
    from ingest.sinks import Sink
    from ingest.stream import LoadedStream
    from ingest.trigger import Trigger

_LOG = logging.getLogger("ingest")

KEPT_PROGRESS = 100
"""Reports that `recentProgress` keeps (Spark's numRecentProgressUpdates)."""


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """How a query runs: its state, its trigger, its name if it has one."""

    checkpoint_location: Path
    trigger: Trigger
    name: str | None


class StreamingQuery:
    """One running ingestion; it starts at once, in a thread that keeps the process alive.

    A failure that nobody asks about is printed to standard error when the process ends
    (contract 1.1).
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
        self._source = f"CloudFilesSource[{loaded.landing.description}]"
        self._sink = sink
        self._progress: list[tuple[BatchProgress, dict[str, object]]] = []
        self._failure: BaseException | None = None
        self._asked = False
        self._told = loaded.notices
        self._stopping = threading.Event()
        self._ended = threading.Event()
        self._id_known = threading.Event()
        stream = StreamRun(
            loaded,
            sink,
            checkpoint_location=plan.checkpoint_location,
            trigger=plan.trigger,
            now=now,
            stopped=self._stopping.is_set,
            reading=self.reading,
            report=self._report,
        )
        self._thread = threading.Thread(target=self._run, args=(stream,), name="ingest-stream")
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
    def status(self) -> dict[str, object]:
        """What it is doing now."""
        active = self.isActive
        reading = self.reading
        message = (
            f"Processing batch {reading.batch_id}" if reading.batch_id >= 0 else "Initializing"
        )
        return {
            "message": message if active else "Stopped",
            "isDataAvailable": active and reading.files_done < reading.files_total,
            "isTriggerActive": active,
        }

    @property
    def recentProgress(self) -> list[dict[str, object]]:  # noqa: N802 - PySpark's name
        """Reports of the last batches, oldest first, as Spark's `StreamingQueryProgress` JSON."""
        return [report for _, report in self._progress]

    @property
    def lastProgress(self) -> dict[str, object] | None:  # noqa: N802 - PySpark's name
        """The report of the last batch, or None when there was none."""
        recent = self.recentProgress
        return recent[-1] if recent else None

    @property
    def losses(self) -> tuple[LedgerEntry, ...]:
        """What the last batches lost (contract 9.1); `<checkpoint>/ledger` keeps it all."""
        return tuple(entry for progress, _ in self._progress for entry in progress.findings.losses)

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
        if timeout is not None and not (isinstance(timeout, int | float) and timeout >= 0):
            raise OptionValueError(
                "awaitTermination", timeout, allowed="a number of seconds from 0 on"
            )
        if not self._ended.wait(timeout):
            return False
        error = self.exception()
        if error is not None:
            raise error from error.cause
        return None if timeout is None else True

    def processAllAvailable(self) -> None:  # noqa: N802 - PySpark's name
        """Wait until everything that was there is ingested."""
        self.awaitTermination()

    def stop(self) -> None:
        """End after the running batch, and wait for that."""
        self._stopping.set()
        if threading.current_thread() is not self._thread:
            self._ended.wait()

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

    def _run(self, stream: StreamRun) -> None:
        try:
            run(stream, new_id=self._id, opened=self._opened)
        except KeyboardInterrupt as error:  # Polars raises it in whatever thread it reads
            self._failure = error
        except BaseException as error:  # noqa: BLE001 - told by whoever asks; a panic is no Exception
            self._failure = error
            _failed.add(self)
        finally:
            self._id_known.set()
            self._ended.set()

    def _opened(self, query_id: str) -> None:
        self._id = query_id
        self._id_known.set()

    def _report(self, progress: BatchProgress) -> None:
        for notice in sorted(progress.findings.notices - self._told):
            _LOG.warning(notice)
        self._told |= progress.findings.notices
        facts = QueryFacts(self._id, self.runId, self.name, self._source, self._sink.description)
        report = progress_to_json(progress, facts)
        self._progress = [*self._progress[1 - KEPT_PROGRESS :], (progress, report)]

    def tell_unasked(self) -> None:
        """Print the failure to standard error unless somebody has asked for it."""
        if self._failure is not None and not self._asked:
            sys.stderr.write(f"{self.exception()}\n")


_failed: set[StreamingQuery] = set()
"""Queries that ended with a failure which nobody has asked about yet."""


@atexit.register
def _tell_unasked_failures() -> None:
    for query in list(_failed):
        query.tell_unasked()

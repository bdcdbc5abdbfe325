"""`ingest run`: start a stream, watch it, and tell how it ended."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import orjson

from ingest.cli.display import Display, bar, lines, silence
from ingest.cli.exit_codes import ExitCode, exit_code
from ingest.cli.interrupting import (
    interrupts_held,
    stop_after_batch,
    termination_as_interrupt,
)
from ingest.cli.outcome import (
    Outcome,
    Stop,
    Totals,
    ending_lines,
    interrupted_lines,
    outcome_to_json,
    stop_lines,
    summary_lines,
)
from ingest.cli.request import MEMORY, RunRequest, run_request
from ingest.errors import IngestError, StreamingQueryException, UnknownFieldException
from ingest.landing import landing_folder
from ingest.session import Session
from ingest.table_places import check_table_folder
from schema_store.errors import SchemaStoreError
from schema_store.store import SchemaStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from ingest.dataframe import DataFrame
    from ingest.query import StreamingQuery
    from schema_store.store import SchemaVersion

POLL_SECONDS = 0.05
"""How often a running stream is looked at."""


@dataclass(slots=True)
class _Heard:
    """What the streams of a run have told so far; each warning and note is told once."""

    totals: Totals = field(default_factory=Totals)
    told: dict[str, int] = field(default_factory=dict)

    def take(self, record: logging.LogRecord) -> bool:
        """Tell a log record of ours, as a logger's filter that keeps it from anyone else."""
        text = record.getMessage()
        if text not in self.told:
            self.told[text] = record.levelno
            word = "warning" if record.levelno >= logging.WARNING else "note"
            click.echo(f"{word}: {text}", err=True)
        return False

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings, in the order they came."""
        return tuple(text for text, level in self.told.items() if level >= logging.WARNING)


def run_command(given: Mapping[str, Any]) -> ExitCode:
    """Run a stream from the command's arguments and print how it ended."""
    as_json = given["as_json"]
    with ExitStack() as stack:
        temporary = None
        if given["sink"] == MEMORY and not given["state"]:
            temporary = stack.enter_context(tempfile.TemporaryDirectory(prefix="ingest-"))
        request = run_request(given, temporary)
        session = Session(conf=request.conf)
        display = stack.enter_context(_display(as_json=as_json))
        stack.enter_context(termination_as_interrupt())
        try:
            outcome = run_stream(session, request, display)
        except KeyboardInterrupt:
            _echo(interrupted_lines(request), err=True)
            return ExitCode.INTERRUPTED
    rows = _memory_rows(session, request, outcome)
    if as_json:
        document = outcome_to_json(outcome, request)
        if rows is not None:
            document["data"] = rows.to_arrow().to_pylist()
        click.echo(orjson.dumps(document, default=str, option=orjson.OPT_INDENT_2).decode())
    else:
        _echo([] if rows is None else [rows.to_text()])
        _echo(summary_lines(outcome, request))
    _echo(ending_lines(outcome, request), err=True)
    return exit_code(outcome.error)


def run_stream(session: Session, request: RunRequest, display: Display) -> Outcome:
    """Run the stream, and again after a stop to evolve as often as was asked for."""
    heard = _Heard()
    stops: list[Stop] = []
    with _listening(heard):
        while True:
            error = _run_once(session, request, display, heard)
            if not (isinstance(error, UnknownFieldException) and error.retryable):
                break
            stops.append(Stop(error, _number(_latest(session, request))))
            _echo(stop_lines(stops[-1], request), err=True)
            if len(stops) > request.restarts:
                break
    return Outcome(heard.totals, tuple(stops), error, _latest(session, request), heard.warnings)


@contextmanager
def _listening(heard: _Heard) -> Iterator[None]:
    """Hear what the library logs, notes included, for as long as it runs."""
    logger = logging.getLogger("ingest")
    level = logger.level
    logger.addFilter(heard.take)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeFilter(heard.take)
        logger.setLevel(level)


def _run_once(
    session: Session, request: RunRequest, display: Display, heard: _Heard
) -> BaseException | None:
    try:
        _watch(_prepare(session, request), request, display, heard)
    except StreamingQueryException as error:
        if isinstance(error.cause, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        return error.cause
    except (IngestError, SchemaStoreError, OSError) as error:
        return error
    return None


def _prepare(session: Session, request: RunRequest) -> Callable[[], StreamingQuery]:
    """Load the stream; what is given starts it."""
    if request.sink != MEMORY:
        base = landing_folder(str(session.locate(request.landing))).base
        check_table_folder(Path(request.table), Path(os.fsdecode(base)))
    reader = session.readStream.format("cloudFiles")
    for key, value in request.reader.items():
        reader = reader.option(key, value)
    if request.schema is not None:
        reader = reader.schema(request.schema)
    trigger: dict[str, object] = {"availableNow": True}
    if request.watch_interval is not None:
        trigger = {"processingTime": request.watch_interval}
    writer = (
        reader.load(request.landing)
        .writeStream.format(request.sink)
        .options(**request.writer)
        .option("checkpointLocation", request.checkpoint)
        .queryName(request.table)
        .trigger(**trigger)
    )
    return partial(writer.start, None if request.sink == MEMORY else request.table)


def _watch(
    start: Callable[[], StreamingQuery], request: RunRequest, display: Display, heard: _Heard
) -> None:
    """Start a query and follow it to its end; raises what ended it.

    Ctrl-C is how an endless one ends: it raises nothing then, unless the batch was given up. Waits
    by sleeping, not by joining the thread: before Python 3.13 an interrupted `join` takes the
    thread for dead (bpo-45274), and the running batch would not be finished.
    """
    query = None
    try:
        with interrupts_held():
            query = start()
        if request.watch_interval is not None:
            click.echo(f"watching {request.landing}; Ctrl-C ends it", err=True)
        while query.isActive:
            time.sleep(POLL_SECONDS)
            _take_reports(query, display, heard)
            display.reading(query.reading)
    except KeyboardInterrupt:
        if query is None:
            raise
        stop_after_batch(query)
        _take_reports(query, display, heard)
        if request.watch_interval is not None and not query.has_failed:
            return
        if query.exception() is not None:
            click.echo("the running batch was given up; the next run takes it again", err=True)
        raise
    _take_reports(query, display, heard)
    query.awaitTermination()


def _take_reports(query: StreamingQuery, display: Display, heard: _Heard) -> None:
    """Take the reports of batches that nobody has seen; Ctrl-C may come in the middle of it."""
    for report in query.recentProgress:
        if report["batchId"] > heard.totals.last_batch:
            heard.totals = heard.totals.plus(report)
            display.batch(report)


def _latest(session: Session, request: RunRequest) -> SchemaVersion | None:
    """Read the newest schema version; what is wrong with the folder was told already."""
    try:
        return SchemaStore(session.locate(request.schema_location)).latest()
    except (IngestError, SchemaStoreError, OSError):
        return None


def _number(version: SchemaVersion | None) -> int | None:
    return None if version is None else version.number


def _memory_rows(session: Session, request: RunRequest, outcome: Outcome) -> DataFrame | None:
    if request.sink != MEMORY or not outcome.totals.batches:
        return None
    return session.table(request.table)


def _display(*, as_json: bool) -> AbstractContextManager[Display]:
    if as_json:
        return silence()
    return bar() if sys.stderr.isatty() else lines()


def _echo(texts: Iterable[str], *, err: bool = False) -> None:
    for text in texts:
        click.echo(text, err=err)

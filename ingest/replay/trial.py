"""A trial: a stream over a landing folder, started as often as wanted, that tells all it does.

Each `run` loads and starts the stream anew, as a job does (contract 1.5, 4.7): `availableNow`, into
a real table. The default is Delta, as in production, with `mergeSchema` and type widening allowed:
a start over a small file takes some 20 ms, 5 ms more than a Parquet table, and what Delta refuses
is part of the truth.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ingest.errors import IngestError, StreamingQueryException, TableNotFoundError
from ingest.file_entry import file_uri
from ingest.partitions.folders import with_partitions
from ingest.replay.batch_reports import (
    counts_of,
    landed_files,
    ledger_of,
    take_reports,
    waiting_files,
)
from ingest.replay.hearing import hear_warnings
from ingest.replay.outcome import Outcome, VersionChange
from ingest.session import Session, utc_now
from schema_store.errors import SchemaStoreError
from schema_store.schema_diff import diff_schemas
from schema_store.store import SchemaStore
from schema_store.types import StructType

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from ingest.dataframe import DataFrame
    from ingest.progress import Reading
    from ingest.query import StreamingQuery
    from ingest.replay.batch_reports import Reports
    from ingest.streaming_dataframe import StreamingDataFrame
    from ingest.user_schema import UserSchema
    from schema_store.evolution import EvolutionMode
    from schema_store.store import AuditCause, SchemaVersion
    from schema_store.types import Schema

TABLE = "trial"
"""The table's name in the warehouse of a trial."""

LOOK_SECONDS = 0.2
"""How often a running stream is looked at."""

_NO_COLUMNS = StructType(())
_MODE = "cloudFiles.schemaEvolutionMode"
_SCHEMA_LOCATION = "cloudFiles.schemaLocation"


class TrialSink(Enum):
    """Where a trial's rows go."""

    DELTA = "delta"
    PARQUET = "parquet"

    @property
    def options(self) -> dict[str, object]:
        """What the table needs to follow the stream's schema (contract 8.1, 8.2)."""
        match self:
            case TrialSink.DELTA:
                return {"mergeSchema": "true", "delta.enableTypeWidening": "true"}
            case TrialSink.PARQUET:
                return {}


@dataclass(frozen=True, slots=True)
class TrialSettings:
    """How a trial's stream reads and writes.

    `reader` are options as `readStream` takes them, `cloudFiles.format` among them; `mode` wins
    over the option, None leaves it to them. `writer` are options as `writeStream` takes them, over
    those of the sink. `path` is a glob or a folder below the landing folder, for `load`.
    """

    reader: Mapping[str, object]
    mode: EvolutionMode | None = None
    schema: UserSchema | None = None
    conf: Mapping[str, object] = field(default_factory=dict)
    writer: Mapping[str, object] = field(default_factory=dict)
    sink: TrialSink = TrialSink.DELTA
    path: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    r"""A stream over a landing folder, with its state and its table in another folder.

    `state` may be empty, or what an earlier trial, also of another process, has left; it holds
    `schema/`, `checkpoint/` and `tables/`. `now` tells the time. `watch` is shown the counts of the
    running batch.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     landing = pathlib.Path(folder, "landing")
    ...     landing.mkdir()
    ...     _ = (landing / "people.csv").write_text("id,name\n1,Ann\n")
    ...     settings = TrialSettings({"cloudFiles.format": "csv"})
    ...     trial = Trial(landing, pathlib.Path(folder, "state"), settings)
    ...     outcome = trial.run()
    >>> outcome.counts.rows, outcome.files, outcome.version.after, outcome.error
    (1, ('people.csv',), 0, None)
    """

    landing: Path
    state: Path
    settings: TrialSettings
    now: Callable[[], dt.datetime] = utc_now
    watch: Callable[[Reading], None] = lambda _reading: None

    @property
    def schema_location(self) -> Path:
        """Where the schema versions are, unless an option says otherwise."""
        given = {key.lower(): value for key, value in self.settings.reader.items()}
        place = given.get(_SCHEMA_LOCATION.lower())
        return self.state / "schema" if place is None else self._session.locate(str(place))

    @property
    def checkpoint(self) -> Path:
        """Where the stream's progress is."""
        return self.state / "checkpoint"

    def run(self) -> Outcome:
        """Load the stream and start it once; a restart after a stop is the same call.

        What the stream is stopped by is in the outcome, not raised.
        """
        before = self._latest()
        reports: Reports = {}
        loaded: StreamingDataFrame | None = None
        error: Exception | None = None
        with hear_warnings() as warnings:
            try:
                loaded = self._load()
                self._follow(self._start(loaded), reports)
            except StreamingQueryException as failure:
                error = _failure(failure)
            except (IngestError, SchemaStoreError, OSError) as failure:
                error = failure
        return Outcome(
            counts=counts_of(reports),
            files=landed_files(self.checkpoint, self.landing, reports),
            waiting=() if error is None else waiting_files(self.checkpoint, self.landing),
            version=self._change(before),
            stream_schema=None if loaded is None else loaded.schema,
            error=error,
            ledger=ledger_of(self.checkpoint, reports),
            warnings=tuple(warnings),
        )

    def run_until_stable(self, *, max_restarts: int = 10) -> tuple[Outcome, ...]:
        """Run, and again after each stop that a restart goes on from, as a job with retries does.

        The last outcome tells how it ended; it is a stop still when there were too many.
        """
        outcomes = [self.run()]
        while outcomes[-1].is_retryable and len(outcomes) <= max_restarts:
            outcomes.append(self.run())
        return tuple(outcomes)

    def table(self) -> DataFrame | None:
        """Give the table as it is now; None when nothing has made it."""
        try:
            return self._session.table(TABLE)
        except TableNotFoundError:
            return None

    def short(self, text: str) -> str:
        """Give a text without the names of the trial's own folders: files by their names alone."""
        landing = self.landing.resolve()
        for place in (file_uri(os.fsencode(landing)), str(landing), str(self.landing)):
            text = text.replace(f"{place}/", "").replace(place, "the landing folder")
        return text.replace(str(self.state / "tables" / TABLE), "the table")

    @property
    def _session(self) -> Session:
        return Session(self.state / "tables", conf=self.settings.conf, now=self.now)

    def _load(self) -> StreamingDataFrame:
        given = self.settings
        reader = self._session.readStream.format("cloudFiles")
        if given.schema is not None:
            reader = reader.schema(given.schema)
        else:
            reader = reader.option(_SCHEMA_LOCATION, str(self.schema_location))
        reader = reader.options(**_without(given.reader, _SCHEMA_LOCATION))
        if given.mode is not None:
            reader = reader.option(_MODE, given.mode.value)
        return reader.load(self.landing / given.path)

    def _start(self, loaded: StreamingDataFrame) -> StreamingQuery:
        sink = self.settings.sink
        return (
            loaded.writeStream.format(sink.value)
            .options(**_over(sink.options, self.settings.writer))
            .option("checkpointLocation", str(self.checkpoint))
            .trigger(availableNow=True)
            .toTable(TABLE)
        )

    def _follow(self, query: StreamingQuery, reports: Reports) -> None:
        """Wait for the end and take every batch's report; a query keeps the last 100 only."""
        try:
            while not query.awaitTermination(LOOK_SECONDS):
                take_reports(query, reports)
                self.watch(query.reading)
        finally:
            take_reports(query, reports)

    def _latest(self) -> SchemaVersion | None:
        """Read the newest version; what is wrong with the place is told when it is loaded."""
        try:
            return SchemaStore(self.schema_location).latest()
        except (SchemaStoreError, OSError):
            return None

    def _change(self, before: SchemaVersion | None) -> VersionChange:
        after = self._latest()
        old, new = _columns(before), _columns(after)
        return VersionChange(
            before=None if before is None else before.number,
            after=None if after is None else after.number,
            schema=new,
            diff=diff_schemas(old or _NO_COLUMNS, new or _NO_COLUMNS),
            causes=self._causes(before, after),
        )

    def _causes(
        self, before: SchemaVersion | None, after: SchemaVersion | None
    ) -> tuple[AuditCause, ...]:
        if after is None:
            return ()
        store = SchemaStore(self.schema_location)
        first = 0 if before is None else before.number + 1
        audits = (store.audit(number) for number in range(first, after.number + 1))
        return tuple(cause for audit in audits if audit is not None for cause in audit.causes)


def file_name(uri: str) -> str:
    """Give the last part of a file's URI as its name is written.

    >>> file_name("file:///landing/a%20b.csv")
    'a b.csv'
    """
    return unquote(uri.rpartition("/")[2])


def _without(options: Mapping[str, object], name: str) -> dict[str, object]:
    """Leave out an option that was taken already (its spelling may differ in case)."""
    return {key: value for key, value in options.items() if key.lower() != name.lower()}


def _over(options: Mapping[str, object], given: Mapping[str, object]) -> dict[str, object]:
    names = {key.lower() for key in given}
    return {**{k: v for k, v in options.items() if k.lower() not in names}, **given}


def _failure(failure: StreamingQueryException) -> Exception:
    cause = failure.cause
    if isinstance(cause, KeyboardInterrupt):
        raise KeyboardInterrupt from failure
    return cause if isinstance(cause, Exception) else failure


def _columns(version: SchemaVersion | None) -> Schema | None:
    if version is None:
        return None
    return with_partitions(version.schema, version.partition_schema)

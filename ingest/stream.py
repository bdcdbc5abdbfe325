"""The engine: list → discover → plan → begin → read → (decide → evolve, stop) → write → commit.

A crash between any two steps is repaired by the restart (contract 7.4): a planned batch is replayed
with the same files, and the sink says whether it has the batch already.
"""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ingest.activity import Activity
from ingest.backlog import Backlog
from ingest.bad_records import BadRecords, BatchStaging
from ingest.checkpoint import Checkpoint, PlannedBatch, open_checkpoint
from ingest.errors import ForeignFormatError
from ingest.evolving import is_due, stop_for_evolution
from ingest.file_entry import BatchId, FileEntry, MicroBatch
from ingest.file_state import FileState, open_file_state
from ingest.ledger import LedgerEntry, LossKind
from ingest.pacing import Pacing
from ingest.partitions.folders import with_partitions
from ingest.progress import BatchProgress
from ingest.read_batch import Findings
from ingest.reading import read_files
from ingest.transform.transformation import transform_batch
from ingest.triggering import triggered_batches
from ingest.upkeep import Upkeep
from schema_store.types import Field, Schema, StringType, StructType

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable
    from pathlib import Path

    from ingest.formats import Format
    from ingest.landing import LandingFolder
    from ingest.progress import Reading
    from ingest.read_batch import ReadBatch
    from ingest.sinks import Sink
    from ingest.stream_options import StreamOptions
    from ingest.transform.transformation import Transformation
    from ingest.trigger import Trigger
    from ingest.triggering import TriggeredBatch
    from schema_store.store import SchemaStore, SchemaVersion

NO_COLUMNS = StructType(())


@dataclass(frozen=True, slots=True)
class LoadedStream:
    """What `.load()` gives: a landing folder under a schema that is locked (contract 1.5).

    `version` is the schema version it was locked to, None with a schema of the user's. `notices` is
    what inference wants the user to know. `transformation` is what the calls after `load` add up
    to, None when there were none. `schema` has the columns of the files, `partitions` those of
    their folders.
    """

    landing: LandingFolder
    options: StreamOptions
    format: Format
    schema: Schema
    store: SchemaStore | None
    version: SchemaVersion | None
    notices: frozenset[str] = frozenset()
    transformation: Transformation | None = None
    partitions: Schema = NO_COLUMNS

    @property
    def source(self) -> str:
        """What Spark calls the source in its reports."""
        return f"CloudFilesSource[{self.landing.description}]"

    @property
    def output_schema(self) -> Schema:
        """The columns of the rows that go to the sink."""
        if self.transformation is None:
            return self.read_schema
        return self.transformation.schema

    @property
    def read_schema(self) -> Schema:
        """The files' columns, partition columns, the rescued column if any (contract 2.6, 4.3)."""
        rescued = self.options.reading.rescued_column
        extra = () if rescued is None else (Field(rescued, StringType()),)
        return StructType(with_partitions(self.schema, self.partitions).fields + extra)


@dataclass(frozen=True, slots=True)
class StreamRun:
    """A loaded stream on its way into a sink.

    `now` tells the time (with zone UTC), `stopped` whether to end after the running batch, and
    `report` hears of every finished batch. `pacing` says how a stream that goes on waits, and
    `activity` is told what is done at the moment. `tell` hears what the user should know that
    belongs to no batch; the same may come again.
    """

    loaded: LoadedStream
    sink: Sink
    checkpoint_location: Path
    trigger: Trigger
    now: Callable[[], dt.datetime]
    stopped: Callable[[], bool]
    reading: Reading
    report: Callable[[BatchProgress], None]
    pacing: Pacing = field(default_factory=Pacing)
    activity: Activity = field(default_factory=Activity)
    tell: Callable[[frozenset[str]], None] = lambda _notices: None

    @property
    def now_ms(self) -> int:
        """The time in milliseconds since 1970."""
        return round(self.now().timestamp() * 1000)


def run(stream: StreamRun, *, new_id: str, opened: Callable[[str], None]) -> None:
    """Run the stream until its trigger is satisfied, or until it is stopped.

    `new_id` becomes the query's id when the checkpoint is new; `opened` hears the id in force.
    A stream that finds nothing at its first start leaves a table without rows, as Spark does.
    Raises `UnknownFieldException` when the stream has to stop for new fields, any other
    `IngestError` when a step fails; the batch is then not committed.
    """
    with (
        open_checkpoint(stream.checkpoint_location, new_id=new_id) as checkpoint,
        open_file_state(checkpoint.file_state_path) as files,
    ):
        opened(checkpoint.query_id)
        backlog = Backlog(stream, checkpoint, files)
        landing, discovery = stream.loaded.landing, stream.loaded.options.discovery
        upkeep = Upkeep(landing, discovery, checkpoint, files)
        for triggered in triggered_batches(
            stream, backlog, lambda: stream.tell(upkeep.run(now_ms=stream.now_ms))
        ):
            _run_triggered(stream, checkpoint, files, triggered)
        if checkpoint.last_offset() is None:
            stream.sink.create(stream.loaded.output_schema)


def _run_triggered(
    stream: StreamRun, checkpoint: Checkpoint, files: FileState, triggered: TriggeredBatch
) -> None:
    """Run a batch and report it."""
    start, clock = triggered.start, stream.pacing.clock
    with start.timing("getBatch", clock):
        batch = _micro_batch(stream, files, triggered.planned)
    with start.timing("addBatch", clock):
        rows, findings = _run_batch(stream, checkpoint, batch)
    with start.timing("commitOffsets", clock):
        checkpoint.commit(batch.batch_id)
    seconds = clock() - start.clock
    stream.report(
        BatchProgress(
            batch_id=batch.batch_id,
            start=batch.start,
            end=batch.end,
            files=len(batch.files),
            rows=0 if rows is None else stream.reading.rows,
            rows_written=rows or 0,
            findings=findings,
            replayed=rows is None,
            started=start.at,
            seconds=seconds,
            since_previous=start.since_previous,
            millis={**start.millis, "triggerExecution": seconds * 1000},
            outstanding=files.outstanding(batch.end),
        )
    )


def _micro_batch(stream: StreamRun, files: FileState, planned: PlannedBatch) -> MicroBatch:
    """Give the batch its files; with allowOverwrites a superseded entry is skipped (7.3)."""
    start = max(planned.start, files.first_offset())
    entries = tuple(files.between(start, planned.end))
    if stream.loaded.options.discovery.allow_overwrites:
        entries = tuple(entry for entry in entries if _is_current(files, entry))
    return MicroBatch(planned.batch_id, planned.start, planned.end, entries)


def _is_current(files: FileState, entry: FileEntry) -> bool:
    """Tell whether no newer entry of the path delivers, or will deliver, what is there now."""
    if files.is_superseded(entry):
        return False
    try:
        return os.stat(entry.path).st_mtime_ns == entry.modified_ns
    except OSError:
        return True  # reading says that it is missing, or what else is wrong


def _run_batch(
    stream: StreamRun, checkpoint: Checkpoint, batch: MicroBatch
) -> tuple[int | None, Findings]:
    """Read the batch into the sink; count the rows there, None if it had the batch already."""
    loaded = stream.loaded
    rows = stream.sink.begin(checkpoint.query_id, batch.batch_id, loaded.output_schema)
    if rows is None:
        return None, Findings()
    place = loaded.options.reading.bad_records_path
    bad = BadRecords(place, checkpoint.query_id, batch.batch_id, stream.now())
    staging = BatchStaging(rows, bad)
    try:
        files, gone = _present_files(checkpoint, batch)
        files = bad.openable(files)
        stream.reading.begin(batch.batch_id, files)
        batch = MicroBatch(batch.batch_id, batch.start, batch.end, files)
        findings = gone + _write_rows(stream, checkpoint, batch, staging)
        checkpoint.write_ledger(batch.batch_id, findings.losses)
        staging.commit()
    except BaseException as error:
        staging.abort()
        if isinstance(error, ForeignFormatError):
            checkpoint.refuse(batch.batch_id, ())  # so that the file may be moved away
        raise
    return stream.reading.rows_written, findings


def _write_rows(
    stream: StreamRun, checkpoint: Checkpoint, batch: MicroBatch, staging: BatchStaging
) -> Findings:
    """Read optimistically under the current schema; stop as soon as evolution is due."""
    loaded = stream.loaded
    findings = loaded.format.look(batch.files, loaded.schema)
    settled = is_due(loaded, findings)
    if settled:
        stop_for_evolution(loaded, checkpoint, batch, findings, at=stream.now())
    transform = _transforming(loaded, checkpoint, batch.batch_id)
    rows = read_files(loaded.format, batch.files, loaded.schema, done=stream.reading.done)
    with closing(rows):
        for read_batch in rows:
            findings = findings + read_batch.findings
            if not settled and is_due(loaded, findings):
                stop_for_evolution(loaded, checkpoint, batch, findings, at=stream.now())
                settled = True  # the whole batch was looked at
            written = transform(read_batch)
            staging.write(written)
            stream.reading.rows += read_batch.rows.num_rows
            stream.reading.rows_written += written.rows.num_rows
    return findings


def _transforming(
    loaded: LoadedStream, checkpoint: Checkpoint, batch_id: BatchId
) -> Callable[[ReadBatch], ReadBatch]:
    """Give what turns rows as they are read into those that go to the sink (contract 1.6).

    `current_timestamp()` is the time at which the batch was planned, as in Spark.
    """
    transformation = loaded.transformation
    if transformation is None:
        return lambda read_batch: read_batch
    at = checkpoint.planned_at(batch_id)

    def transform(read_batch: ReadBatch) -> ReadBatch:
        rows = transform_batch(transformation, read_batch.rows, read_batch.files, at=at)
        return replace(read_batch, rows=rows)

    return transform


def _present_files(
    checkpoint: Checkpoint, batch: MicroBatch
) -> tuple[tuple[FileEntry, ...], Findings]:
    """Leave out files of a refused batch that the user has removed (contract 4.2, case E11).

    A batch is refused for new columns (failOnNewColumns), or for a file of another format.
    """
    if not checkpoint.is_refused(batch.batch_id):
        return batch.files, Findings()
    absent = {entry.seq_num for entry in batch.files if _is_gone(entry)}
    gone = tuple(
        LedgerEntry(LossKind.DROPPED, entry.uri, None, "file of a refused batch is gone", 1, ())
        for entry in batch.files
        if entry.seq_num in absent
    )
    present = tuple(entry for entry in batch.files if entry.seq_num not in absent)
    return present, Findings(losses=gone)


def _is_gone(entry: FileEntry) -> bool:
    """Tell whether there is no such file; one that may not be looked at is not gone."""
    try:
        os.stat(entry.path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False

"""The mutants that must die: ways to break exactly-once, and the check that catches each.

`MUTANTS` is the list; `test_mutants.py` runs it, for Delta and for Parquet, and the README's
"Reliability" shows it.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from filelock import FileLock

from ingest import evolving, stream
from ingest.checkpoint import Checkpoint, PlannedBatch, open_checkpoint, planned_batch
from ingest.delta import commits
from ingest.delta.data_files import FileStaging, stream_files
from ingest.errors import CheckpointInUseError, IngestError
from ingest.file_entry import BatchId
from ingest.sinks import delta_table
from ingest.sinks.manifest import Manifest
from ingest.sinks.parquet_table import ParquetStaging
from schema_store import metadata_log
from schema_store.ddl import parse_ddl
from tests.ingest.crash_sweep import (
    Table,
    failure_violations,
    file_lands_early,
    limit_is_raised,
    new_world,
    violations,
)
from tests.ingest.crashes import Failure
from tests.ingest.engine_world import World

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from ingest.sinks import Sink, Staging


# checks: each gives what is wrong, None when all is well


def crash_sweep(root: Path, table: Table) -> str | None:
    """Crash everywhere while files land."""
    try:
        outcomes = violations(root, [file_lands_early, limit_is_raised], table)
        return next((f"{name}: {wrong}" for name, wrong in outcomes if wrong is not None), None)
    except IngestError as error:
        return f"a run without a crash fails: {error!r}"


def full_disk(root: Path, table: Table) -> str | None:
    """Let each durable effect fail once, before or after it was done."""
    outcomes = failure_violations(root, table, Failure.DISK_FULL)
    return next((f"{name}: {wrong}" for name, wrong in outcomes if wrong is not None), None)


def lost_race(root: Path, table: Table) -> str | None:
    """Let another writer commit between a batch's begin and its commit: a twin, or a stranger."""
    for writer, times in (("query", 1), ("stranger", 2)):
        world = World(root / writer, delta=table is Table.DELTA)
        _staged(world.sink(), "query", 0).commit()
        for number in (1, 2):
            _race(world, writer, number)
        if Counter(world.ids()) != Counter({0: 1, 1: times, 2: times}):
            return f"beside {writer} the table has {world.ids()}"
    return None


def second_query(root: Path, table: Table) -> str | None:
    """Start a query on a checkpoint that another one has open."""
    world = new_world(root / "world", table)
    with open_checkpoint(world.checkpoint, new_id="query"):
        try:
            world.start_until_stable()
        except CheckpointInUseError:
            return None
    return "two queries have run on one checkpoint"


def _race(world: World, writer: str, number: int) -> None:
    ours, theirs = world.sink(), world.sink()
    # they do not take our files for their own leavings
    setattr(theirs, "_is_clean" if world.delta else "_cleaned", True)
    staging = _staged(ours, "query", number)
    _staged(theirs, writer, number).commit()
    staging.commit()


def _staged(sink: Sink, writer: str, number: int) -> Staging:
    staging = sink.begin(writer, BatchId(number), parse_ddl("id INT"))
    assert staging is not None
    staging.write(pa.RecordBatch.from_pydict({"id": pa.array([number], pa.int32())}))
    return staging


# mutants


def commit_before_sink(patch: pytest.MonkeyPatch) -> None:
    """The batch is committed before its rows are in the table."""
    run_batch = stream._run_batch  # noqa: SLF001 - the mutant of a step

    def mutant(run: stream.StreamRun, checkpoint: Checkpoint, batch: Any) -> Any:
        checkpoint.commit(batch.batch_id)
        return run_batch(run, checkpoint, batch)

    patch.setattr(stream, "_run_batch", mutant)


def no_write_ahead(patch: pytest.MonkeyPatch) -> None:
    """The offset is written when the batch is done, not before it is read."""
    plan, commit = Checkpoint.plan, Checkpoint.commit
    plans: dict[BatchId, PlannedBatch] = {}

    def late_plan(_self: Checkpoint, batch: PlannedBatch, *, now_ms: int) -> None:
        del now_ms
        plans[batch.batch_id] = batch

    def planning_commit(self: Checkpoint, batch_id: BatchId) -> None:
        plan(self, plans[batch_id], now_ms=0)
        commit(self, batch_id)

    patch.setattr(Checkpoint, "plan", late_plan)
    patch.setattr(Checkpoint, "commit", planning_commit)


def replan_instead_of_replay(patch: pytest.MonkeyPatch) -> None:
    """A batch that was planned and not committed is planned again."""
    plan = Checkpoint.plan

    def last_committed(self: Checkpoint) -> PlannedBatch | None:
        folder = self.location / "commits"
        ids = [int(path.name) for path in folder.glob("[0-9]*")] if folder.exists() else []
        return planned_batch(self.location, BatchId(max(ids))) if ids else None

    def plan_again(self: Checkpoint, batch: PlannedBatch, *, now_ms: int) -> None:
        (self.location / "offsets" / str(batch.batch_id)).unlink(missing_ok=True)
        plan(self, batch, now_ms=now_ms)

    patch.setattr(Checkpoint, "last_offset", last_committed)
    patch.setattr(Checkpoint, "plan", plan_again)


def sink_not_idempotent(patch: pytest.MonkeyPatch) -> None:
    """The sink does not ask whether it has the batch."""
    patch.setattr(Manifest, "holds", lambda *_: False)
    patch.setattr(delta_table, "is_there", lambda *_: False)


def tidying_removes_what_counts(patch: pytest.MonkeyPatch) -> None:
    """Tidying up after a crash removes data files that are in the table."""
    patch.setattr(Manifest, "part_names", lambda _: frozenset())

    def of_no_batch(*given: Any, **settings: Any) -> list[tuple[Path, int]]:
        return [(path, 1 << 31) for path, _ in stream_files(*given, **settings)]

    patch.setattr(delta_table, "stream_files", of_no_batch)
    patch.setattr(delta_table, "_file_paths", lambda *_: frozenset())


def abort_removes_what_counts(patch: pytest.MonkeyPatch) -> None:
    """A commit that fails after its entry was there removes the entry's files."""

    def abort(self: ParquetStaging) -> None:
        self._writing.wait()
        for name in self._names:
            (self._table.folder / name).unlink(missing_ok=True)

    def remove(files: FileStaging) -> None:
        files.remove(but=frozenset())

    patch.setattr(ParquetStaging, "abort", abort)
    patch.setattr(delta_table, "remove_uncounted", remove)


def log_entry_overwritten(patch: pytest.MonkeyPatch) -> None:
    """An entry of a log replaces the one that is there."""
    patch.setattr(metadata_log, "give_name", lambda temporary, path: temporary.replace(path))


def check_and_write_on_different_snapshots(patch: pytest.MonkeyPatch) -> None:
    """The sink asks one snapshot whether it has the batch, and writes on top of a later one."""
    add = Manifest.add

    def add_to_newest(self: Manifest, entry: Any) -> bool:
        self.refresh()
        return add(self, entry)

    patch.setattr(Manifest, "add", add_to_newest)
    patch.setattr(commits, "is_there", lambda *_: False)


def source_cleaned_before_commit(patch: pytest.MonkeyPatch) -> None:
    """The files of a batch are removed when they were read, before its commit."""
    write_rows = stream._write_rows  # noqa: SLF001 - the mutant of a step

    def mutant(run: Any, checkpoint: Any, batch: Any, staging: Any) -> Any:
        findings = write_rows(run, checkpoint, batch, staging)
        for entry in batch.files:
            os.unlink(entry.path)  # noqa: PTH108 - the path is bytes
        return findings

    patch.setattr(stream, "_write_rows", mutant)


def schema_version_not_stored(patch: pytest.MonkeyPatch) -> None:
    """The stream stops for a new column before the new schema version is on disk."""
    patch.setattr(evolving, "_store", lambda *_: None)


def no_lock(patch: pytest.MonkeyPatch) -> None:
    """The checkpoint is not locked."""
    patch.setattr(FileLock, "acquire", lambda _self: None)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A way to break the program, and the check that must catch it."""

    apply: Callable[[pytest.MonkeyPatch], None]
    caught_by: Callable[[Path, Table], str | None]

    @property
    def name(self) -> str:
        return self.apply.__name__

    @property
    def breaks(self) -> str:
        return (self.apply.__doc__ or "").strip()


MUTANTS = (
    Mutant(commit_before_sink, crash_sweep),
    Mutant(no_write_ahead, crash_sweep),
    Mutant(replan_instead_of_replay, crash_sweep),
    Mutant(sink_not_idempotent, crash_sweep),
    Mutant(tidying_removes_what_counts, crash_sweep),
    Mutant(source_cleaned_before_commit, crash_sweep),
    Mutant(schema_version_not_stored, crash_sweep),
    Mutant(abort_removes_what_counts, full_disk),
    Mutant(log_entry_overwritten, lost_race),
    Mutant(check_and_write_on_different_snapshots, lost_race),
    Mutant(no_lock, second_query),
)

"""A sink that fails once, and two queries where there should be one (contract 7.4, 7.5, 10)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import pytest

from ingest.checkpoint import open_checkpoint
from ingest.errors import CheckpointInUseError, SinkNotWritableError, UnknownFieldException
from schema_store.errors import ConcurrentWriteError
from tests.ingest.crash_sweep import Table, log_entries, new_world, violation
from tests.ingest.engine_world import World

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from ingest.file_entry import BatchId
    from ingest.sinks import Sink, Staging
    from schema_store.types import Schema


class Step(Enum):
    """When the sink fails."""

    BEGIN = "begin"
    WRITE = "write"
    BEFORE_COMMIT = "before commit"
    AFTER_COMMIT = "after commit"


@dataclass
class FailingSink:
    """A sink that fails at one step of one batch."""

    inner: Sink
    step: Step
    batch: int
    description: str = "FailingSink"

    def create(self, schema: Schema) -> None:
        self.inner.create(schema)

    def begin(self, query_id: str, batch_id: BatchId, schema: Schema) -> Staging | None:
        is_it = batch_id == self.batch
        fail_at(Step.BEGIN, self.step if is_it else None)
        staging = self.inner.begin(query_id, batch_id, schema)
        return staging if staging is None or not is_it else FailingStaging(staging, self.step)


@dataclass
class FailingStaging:
    inner: Staging
    step: Step

    def write(self, rows: pa.RecordBatch) -> None:
        self.inner.write(rows)
        fail_at(Step.WRITE, self.step)

    def commit(self) -> None:
        fail_at(Step.BEFORE_COMMIT, self.step)
        self.inner.commit()
        fail_at(Step.AFTER_COMMIT, self.step)

    def abort(self) -> None:
        self.inner.abort()


def fail_at(step: Step, failing: Step | None) -> None:
    if step is failing:
        raise SinkNotWritableError("table", "it has failed once")


@pytest.mark.parametrize("table", Table)
@pytest.mark.parametrize("batch", [0, 1, 2])
@pytest.mark.parametrize("step", Step)
def test_every_row_is_there_once_after_a_sink_has_failed(
    step: Step, batch: int, table: Table, memory: Path
) -> None:
    world = new_world(memory / "world", table)
    with pytest.raises(SinkNotWritableError):  # noqa: PT012 - it stops to evolve before batch 1
        for _ in range(2):
            try:
                world.start(sink=FailingSink(world.sink(), step, batch))
            except UnknownFieldException:
                continue
    assert violation(world, log_entries(world)) is None


@pytest.mark.parametrize("table", Table)
def test_second_query_on_a_checkpoint_is_refused_and_changes_nothing(
    table: Table, memory: Path
) -> None:
    world = new_world(memory / "world", table)
    with open_checkpoint(world.checkpoint, new_id="query"):
        before = log_entries(world)
        with pytest.raises(CheckpointInUseError):
            world.start()
        after = log_entries(world)
    assert (after, violation(world, before)) == (before, None)


def test_second_query_on_a_schema_location_cannot_evolve_what_the_first_has_evolved(
    memory: Path,
) -> None:
    world = World(memory / "world")
    world.land("a", {"id": 1})
    loaded, twin = world.load(), world.load()
    world.land("b", {"id": 2, "x": 2}, at=2)
    with pytest.raises(UnknownFieldException):
        world.start(loaded)
    world.land("b", {"id": 2, "y": 2}, at=2)
    with pytest.raises(ConcurrentWriteError):
        world.start(twin)
    assert [version.schema.names for version in world.store.versions()] == [("id",), ("id", "x")]

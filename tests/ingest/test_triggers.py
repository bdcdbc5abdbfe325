"""Streams that go on: which batch runs when (contract 7.2). Time passes only while they wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ingest.checkpoint import open_checkpoint
from ingest.errors import CheckpointInUseError, UnknownFieldException
from ingest.sinks.parquet_table import ParquetTable
from ingest.stream_options import ReadLimit
from ingest.trigger import AvailableNow, Once, ProcessingTime
from schema_store.errors import ConcurrentWriteError
from tests.ingest.engine_world import World
from tests.ingest.fake_time import FakeTime

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pyarrow as pa

    from ingest.file_entry import BatchId
    from ingest.sinks import Staging
    from ingest.trigger import Trigger
    from schema_store.types import Schema
    from tests.ingest.fake_format import Record

TEN_SECONDS = ProcessingTime(10.0)


@pytest.fixture
def world(tmp_path: Path) -> World:
    found = World(tmp_path)
    found.landing.mkdir()
    found.land("0", {"id": 0})
    return found


def nothing() -> None:
    """Let time pass."""


def landing(world: World, *names: str) -> Callable[[], None]:
    """Give a step in which files land that are old already."""

    def step() -> None:
        for name in names:
            world.land(name, {"id": int(name)})

    return step


def test_files_are_taken_as_they_come(world: World) -> None:
    time = FakeTime([landing(world, "1"), nothing, landing(world, "2", "3"), nothing])
    reports = world.start(trigger=TEN_SECONDS, time=time)
    assert [report.files for report in reports] == [1, 1, 2]
    assert sorted(map(str, world.ids())) == ["0", "1", "2", "3"]


def test_triggers_begin_on_the_grid_of_the_interval(world: World) -> None:
    time = FakeTime([nothing, nothing, nothing])
    world.start(trigger=TEN_SECONDS, time=time)
    assert time.waits == [6, 10, 10]


def test_each_trigger_runs_one_batch_within_the_limits(world: World) -> None:
    world.limit = ReadLimit(1, None)
    landing(world, "1", "2")()
    time = FakeTime([nothing, nothing, nothing])
    reports = world.start(trigger=TEN_SECONDS, time=time)
    assert [(one.files, one.since_previous) for one in reports] == [(1, None), (1, 6), (1, 10)]


def test_default_trigger_takes_all_that_waits_before_it_waits(world: World) -> None:
    world.limit = ReadLimit(1, None)
    landing(world, "1", "2")()
    time = FakeTime([nothing, nothing, nothing, nothing])
    world.start(time=time)
    assert (time.waits, len(world.ids())) == ([0, 0, 0.5, 0.5], 3)


def test_file_is_not_taken_while_it_is_written(world: World) -> None:
    time = FakeTime([])

    def grow(*ids: int) -> Callable[[], object]:
        records: list[Record] = [{"id": number} for number in ids]
        return lambda: world.land("1", *records, at=time.file_time())

    time.steps = [grow(1), grow(1, 2), grow(1, 2, 3), nothing, nothing, nothing]
    reports = world.start(time=time)
    assert ([report.rows for report in reports], world.ids()) == ([1, 3], [0, 1, 2, 3])


def test_file_that_is_quiet_is_taken_as_soon_as_that_is_known(world: World) -> None:
    time = FakeTime([], is_watched=True)
    time.steps = [
        lambda: world.land("1", {"id": 1}, at=time.file_time()),
        nothing,
        nothing,
    ]
    world.start(trigger=TEN_SECONDS, time=time)
    assert (time.waits, world.ids()) == ([6, 0.5, 9.5], [0, 1])


@pytest.mark.parametrize("trigger", [AvailableNow(), Once()])
def test_stream_that_ends_takes_young_files_too(world: World, trigger: Trigger) -> None:
    time = FakeTime([])
    world.land("1", {"id": 1}, at=time.file_time())
    world.start(trigger=trigger, time=time)
    assert world.ids() == [0, 1]


def test_young_file_of_the_first_start_exists_already(world: World) -> None:
    world.include_existing = False
    time = FakeTime([])
    world.land("1", {"id": 1}, at=time.file_time())
    time.steps = [nothing, landing(world, "2"), nothing, nothing]
    world.start(time=time)
    assert world.ids() == [2]


def test_file_that_vanishes_before_it_is_quiet_is_no_error(world: World) -> None:
    time = FakeTime([])
    path = world.land("1", {"id": 1}, at=time.file_time())
    time.steps = [path.unlink, nothing, nothing]
    world.start(time=time)
    assert world.ids() == [0]


def test_batch_left_over_comes_first_and_the_stream_goes_on(world: World) -> None:
    world.start()
    world.land("1", {"id": 1})
    with pytest.raises(TableAwayError):
        world.start(sink=FailsOnce(ParquetTable(world.table), after_commit=True))
    world.land("2", {"id": 2})
    reports = world.start(time=FakeTime([nothing, nothing]))
    assert [(one.batch_id, one.replayed) for one in reports] == [(1, True), (2, False)]
    assert world.ids() == [0, 1, 2]


def test_stop_ends_the_stream_after_the_running_batch(world: World) -> None:
    world.limit = ReadLimit(1, None)
    landing(world, "1")()
    time = FakeTime([nothing])
    world.start(time=time)
    assert (world.entries("commits"), world.ids()) == ([0], [0])


def test_stream_stops_to_evolve_when_a_new_column_comes(world: World) -> None:
    time = FakeTime([lambda: world.land("1", {"id": 1, "x": 2}), nothing, nothing])
    with pytest.raises(UnknownFieldException):
        world.start(time=time)
    world.start(time=FakeTime([nothing]))
    assert world.rows() == [{"id": 0, "x": None}, {"id": 1, "x": 2}]


class TableAwayError(ConnectionError):
    """The table is not there for a moment."""


@dataclass
class FailsOnce:
    """A sink that fails in its first batch: before it takes rows, or when it has them."""

    sink: ParquetTable
    after_commit: bool = False
    begun: int = 0

    @property
    def description(self) -> str:
        return self.sink.description

    def create(self, schema: Schema) -> None:
        self.sink.create(schema)

    def begin(self, query_id: str, batch_id: BatchId, schema: Schema) -> Staging | None:
        self.begun += 1
        if self.begun > 1:
            return self.sink.begin(query_id, batch_id, schema)
        if not self.after_commit:
            raise TableAwayError
        staging = self.sink.begin(query_id, batch_id, schema)
        assert staging is not None
        return FailsAfterCommit(staging)


@dataclass
class FailsAfterCommit:
    """The rows are there, and nobody hears of it."""

    staging: Staging

    def write(self, rows: pa.RecordBatch) -> None:
        self.staging.write(rows)

    def commit(self) -> None:
        self.staging.commit()
        raise TableAwayError

    def abort(self) -> None:
        """Nothing is left to remove."""


@pytest.mark.parametrize("after_commit", [False, True])
def test_batch_of_a_sink_that_fails_is_taken_again_at_the_next_start(
    world: World, *, after_commit: bool
) -> None:
    """It is not tried again in a loop: the query fails, as in Spark."""
    sink = FailsOnce(ParquetTable(world.table), after_commit)
    with pytest.raises(TableAwayError):
        world.start(time=FakeTime([nothing, nothing]), sink=sink)
    assert (sink.begun, world.entries("commits")) == (1, [])
    world.land("1", {"id": 1})
    reports = world.start(time=FakeTime([nothing, nothing]), sink=sink)
    assert ([one.files for one in reports], world.ids()) == ([1, 1], [0, 1])


def test_two_streams_on_one_schema_location_do_not_evolve_apart(tmp_path: Path) -> None:
    """The second one to store another version is told that the location is used (contract 3.2)."""
    one, two = World(tmp_path), World(tmp_path)
    one.land("0", {"id": 0})
    loaded = one.load(), two.load()
    one.land("1", {"id": 1, "x": 1})
    with pytest.raises(UnknownFieldException):
        one.start(loaded[0])
    one.land("1", {"id": 1, "y": "text"})
    with pytest.raises(ConcurrentWriteError, match="_schemas"):
        two.start(loaded[1])


def test_checkpoint_in_use_names_its_holder(world: World) -> None:
    world.start()
    with (
        open_checkpoint(world.checkpoint, new_id="other"),
        pytest.raises(CheckpointInUseError, match=r"in use by process [0-9]+ on "),
    ):
        world.start(time=FakeTime([nothing]))

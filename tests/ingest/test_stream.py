"""The engine: batches, triggers, replays, overwritten files (contract 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ingest.errors import (
    DamagedCheckpointError,
    MalformedRecordError,
)
from ingest.file_state import open_file_state
from ingest.sinks.parquet_table import ParquetTable
from ingest.stream_options import ReadLimit
from ingest.trigger import Once
from tests.ingest.engine_world import World

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from ingest.file_entry import BatchId
    from ingest.sinks import Staging
    from schema_store.types import Schema


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@dataclass
class BrokenStaging:
    """Commits, and dies before anybody hears of it."""

    staging: Staging

    def write(self, rows: pa.RecordBatch) -> None:
        self.staging.write(rows)

    def commit(self) -> None:
        self.staging.commit()
        raise ConnectionAbortedError

    def abort(self) -> None:
        self.staging.abort()


@dataclass
class BrokenTable:
    """A table whose batches land, but nobody hears of it."""

    table: ParquetTable

    @property
    def description(self) -> str:
        return "BrokenTable"

    def create(self, schema: Schema) -> None:
        self.table.create(schema)

    def begin(self, query_id: str, batch_id: BatchId, schema: Schema) -> Staging | None:
        staging = self.table.begin(query_id, batch_id, schema)
        return None if staging is None else BrokenStaging(staging)


def land_without_a_commit(world: World) -> None:
    """Run one batch that lands and is not committed."""
    with pytest.raises(ConnectionAbortedError):
        world.start(sink=BrokenTable(ParquetTable(world.table)))


def test_available_now_takes_several_batches_within_the_limit(world: World) -> None:
    world.limit = ReadLimit(2, None)
    for number in range(5):
        world.land(str(number), {"id": number}, at=number)
    reports = world.start()
    found = [(one.batch_id, one.start, one.end, one.files, one.outstanding[0]) for one in reports]
    assert (found, world.ids()) == (
        [(0, 0, 2, 2, 3), (1, 2, 4, 2, 1), (2, 4, 5, 1, 0)],
        [0, 1, 2, 3, 4],
    )


def test_once_takes_one_batch_without_limits(world: World) -> None:
    world.limit = ReadLimit(2, 1)
    for number in range(5):
        world.land(str(number), {"id": number})
    reports = world.start(trigger=Once())
    assert [(one.files, one.outstanding) for one in reports] == [(5, (0, 0))]


def test_once_replays_what_was_left_over_and_no_more(world: World) -> None:
    world.land("a", {"id": 1})
    land_without_a_commit(world)
    world.land("b", {"id": 2})
    first = world.start(trigger=Once())
    second = world.start(trigger=Once())
    assert ([r.replayed for r in first + second], world.ids()) == ([True, False], [1, 2])


def test_size_limit_includes_the_file_that_crosses_it(world: World) -> None:
    world.limit = ReadLimit(None, 10)
    for number in range(3):
        world.land(str(number), {"id": number})  # nine bytes each
    assert [report.files for report in world.start()] == [2, 1]


def test_start_without_new_files_runs_no_batch(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()
    assert (world.start(), world.entries("offsets")) == ([], [0])


def test_stop_ends_between_batches_and_a_restart_goes_on(world: World) -> None:
    world.limit = ReadLimit(1, None)
    for number in range(3):
        world.land(str(number), {"id": number}, at=number)
    first = world.start(stop_after=1)
    world.start()
    assert (len(first), world.ids()) == (1, [0, 1, 2])


def test_file_with_an_old_time_is_ingested(world: World) -> None:
    """Case F20."""
    world.land("a", {"id": 1}, at=100)
    world.start()
    world.land("b", {"id": 2}, at=1)
    world.start()
    assert world.ids() == [1, 2]


def test_renamed_file_is_a_new_file(world: World) -> None:
    """Case F08."""
    path = world.land("a", {"id": 1})
    world.start()
    path.rename(path.with_name("b"))
    world.start()
    assert world.ids() == [1, 1]


def test_existing_files_can_be_left_out_at_the_first_start(world: World) -> None:
    world.include_existing = False
    world.land("a", {"id": 1})
    first = world.start()
    world.land("b", {"id": 2}, at=0)
    world.start()
    assert (first, world.ids(), world.entries("offsets")) == ([], [2], [0])


def test_including_existing_files_later_has_no_effect(world: World) -> None:
    world.include_existing = False
    world.land("a", {"id": 1})
    world.start()
    world.include_existing = True
    world.start()
    assert world.ids() == []


def test_existing_files_left_out_stay_out_of_a_replay(world: World) -> None:
    world.include_existing = False
    world.land("a", {"id": 1})
    world.start()
    path = world.land("b")
    path.write_text("no json")
    with pytest.raises(MalformedRecordError):
        world.start()
    world.land("b", {"id": 2})
    world.start()
    assert world.ids() == [2]


# replays


def test_failed_batch_is_replayed_with_the_same_files(world: World) -> None:
    world.limit = ReadLimit(2, None)
    world.land("b", {"id": 1}, at=2)
    world.load()
    world.land("c", at=3).write_text("no json")
    with pytest.raises(MalformedRecordError):
        world.start()
    world.land("a", {"id": 0}, at=1)
    world.land("c", {"id": 2}, at=3)
    world.limit = ReadLimit(100, None)
    reports = world.start()
    assert ([one.files for one in reports], world.ids()) == ([2, 1], [1, 2, 0])


def test_replay_of_a_landed_batch_reads_nothing(world: World) -> None:
    """Contract 8.3."""
    world.land("a", {"id": 1})
    land_without_a_commit(world)
    world.opened.clear()
    (report,) = world.start()
    assert (report.replayed, report.rows, world.opened, world.ids()) == (True, 0, [], [1])


def test_replay_reads_what_a_file_holds_then(world: World) -> None:
    """Contract 7.3."""
    path = world.land("a", {"id": 1})
    world.load()
    path.write_text("no json")
    with pytest.raises(MalformedRecordError):
        world.start()
    world.land("a", {"id": 2}, {"id": 3}, {"id": 4}, at=9)
    world.start()
    world.start()
    assert world.ids() == [2, 3, 4]


def test_file_state_older_than_the_offsets_is_an_error_with_facts(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()
    path = world.checkpoint / "sources" / "0" / "file_state.db"
    path.unlink()
    with pytest.raises(DamagedCheckpointError) as caught:
        world.start()
    assert (caught.value.where, world.ids()) == (str(path), [1])


# allowOverwrites


def test_replaced_file_is_not_read_again_by_default(world: World) -> None:
    """Case F04."""
    world.land("a", {"id": 1})
    world.start()
    world.land("a", {"id": 2}, at=9)
    world.start()
    assert world.ids() == [1]


def test_replaced_file_is_read_again_as_a_whole_when_overwrites_are_allowed(
    world: World,
) -> None:
    """Case F05."""
    world.allow_overwrites = True
    world.land("a", {"id": 1})
    world.start()
    world.land("a", {"id": 1}, {"id": 2}, at=9)
    world.start()
    assert world.ids() == [1, 1, 2]


def test_superseded_entry_is_skipped_and_its_newer_entry_delivers(world: World) -> None:
    """Contract 7.3: replaced between discovery and reading."""
    world.allow_overwrites, world.limit = True, ReadLimit(1, None)
    world.land("a", {"id": 1}, at=1)
    world.land("b", {"id": 2}, at=2)
    world.start(stop_after=1)
    world.land("b", {"id": 3}, at=9)
    reports = world.start()
    assert (world.ids(), [one.files for one in reports]) == ([1, 3], [0, 1])


def test_file_replaced_while_its_batch_was_down_is_delivered_once(world: World) -> None:
    world.allow_overwrites = True
    path = world.land("a", {"id": 1}, at=1)
    world.load()
    path.write_text("no json")
    world.land("b", {"id": 2}, at=2)
    with pytest.raises(MalformedRecordError):
        world.start()
    world.land("a", {"id": 3}, at=9)
    world.start()
    assert world.ids() == [2, 3]


def test_older_version_that_comes_back_is_delivered(world: World) -> None:
    """The newest content is guaranteed to be read, whatever its time."""
    world.allow_overwrites = True
    world.land("a", {"id": 1}, at=5)
    world.start()
    for number, at in ((2, 9), (1, 5)):
        world.land("a", {"id": number}, at=at)
        with open_file_state(world.checkpoint / "sources" / "0" / "file_state.db") as files:
            files.discover(
                world.load().landing.list_files(),
                allow_overwrites=True,
                include_existing=True,
                now_ms=0,
            )
    world.start()
    assert world.ids() == [1, 1]

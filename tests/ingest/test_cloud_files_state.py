"""What a checkpoint knows of its files, asked as in Databricks (contract 7.6)."""

from __future__ import annotations

import datetime as dt
import os
from typing import TYPE_CHECKING

import pytest

from ingest import Session
from ingest.checkpoint import open_checkpoint
from ingest.checkpoint_report import cloud_files_state
from ingest.errors import DamagedCheckpointError, SqlNotSupportedError, SqlSyntaxError
from ingest.stream_options import ReadLimit
from schema_store.ddl import to_ddl
from tests.ingest.engine_world import World

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Give a checkpoint in which one file is committed and one waits."""
    found = World(tmp_path, limit=ReadLimit(1, None))
    found.land("a", {"id": 1}, at=1)
    found.land("b", {"id": 22}, at=2)
    found.start(stop_after=1)
    return found


def test_columns_are_the_documented_ones(world: World) -> None:
    state = Session().cloud_files_state(world.checkpoint)
    assert to_ddl(state.schema) == (
        "path STRING NOT NULL, size BIGINT, create_time TIMESTAMP, discovery_time TIMESTAMP,"
        " processed_time TIMESTAMP, commit_time TIMESTAMP, archive_time TIMESTAMP,"
        " archive_mode STRING, move_location STRING, source_id STRING"
    )


def test_file_that_waits_has_no_commit_time(world: World) -> None:
    rows = Session().cloud_files_state(str(world.checkpoint)).collect()
    found = [(row.path, row.size, row.commit_time is None, row.source_id) for row in rows]
    assert found == [
        (f"file://{world.landing}/a", 9, False, "0"),
        (f"file://{world.landing}/b", 10, True, "0"),
    ]


def test_create_time_is_the_files_own(world: World) -> None:
    first = Session().cloud_files_state(world.checkpoint).collect()[0]
    assert first.create_time == dt.datetime(1970, 1, 1, 0, 0, 1, tzinfo=dt.UTC)


def test_file_of_a_far_time_has_one(world: World) -> None:
    path = world.land("c", {"id": 3})
    os.utime(path, ns=(-1, -1))
    world.start()
    *_, last = cloud_files_state(world.checkpoint)
    assert last["create_time"] == dt.datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=dt.UTC)


def test_sql_gives_the_same_rows(world: World) -> None:
    session = Session()
    rows = session.sql(f"SELECT * FROM cloud_files_state('{world.checkpoint}')").collect()
    assert rows == session.cloud_files_state(world.checkpoint).collect()


def test_sql_takes_a_limit(world: World) -> None:
    text = f"select * from CLOUD_FILES_STATE('{world.checkpoint}') limit 1;"
    assert Session().sql(text).count() == 1


def test_state_of_a_table_is_refused_by_name() -> None:
    with pytest.raises(SqlNotSupportedError, match=r"cloud_files_state\(TABLE"):
        Session().sql("SELECT * FROM cloud_files_state(TABLE(t))")


@pytest.mark.parametrize(
    "text", ["cloud_files_state(", "cloud_files_state('a'", "cloud_files_state(a)"]
)
def test_half_a_call_is_no_sql(text: str) -> None:
    with pytest.raises(SqlSyntaxError):
        Session().sql(f"SELECT * FROM {text}")


def test_folder_that_is_no_checkpoint_is_told(tmp_path: Path) -> None:
    with pytest.raises(DamagedCheckpointError) as caught:
        Session().cloud_files_state(tmp_path)
    assert caught.value.where == str(tmp_path)


def test_state_may_be_asked_while_a_query_holds_the_checkpoint(world: World) -> None:
    with open_checkpoint(world.checkpoint, new_id="other"):
        assert Session().cloud_files_state(world.checkpoint).count() == 2

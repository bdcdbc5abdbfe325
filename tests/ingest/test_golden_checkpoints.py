"""Checkpoints that earlier versions have written stay readable for ever (contract 7.3).

They lie in `tests/golden/checkpoints`, with the script that wrote them: two batches are done, the
third is planned and waits for a new column. Each test goes on with a copy.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ingest import Session
from ingest.file_state import FORMAT_VERSION
from tests.golden.checkpoints.write import KEPT_AS, move_file_state, run

if TYPE_CHECKING:
    from collections.abc import Mapping

GOLDEN = Path(__file__).parents[1] / "golden" / "checkpoints"
NAMES = ["format_1_parquet", "format_2_delta", "format_2_parquet"]
KEPT = [(1, "one", None), (2, "two", None), (3, "three", None), (4, "four", 44)]
LOGS = ["checkpoint/offsets", "checkpoint/commits", "schema/_schemas", "table/_delta_log"]


@pytest.fixture(params=NAMES)
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Copy a kept checkpoint, with all that lies beside it, and have it know its new place."""
    copy = tmp_path / str(request.param)
    shutil.copytree(GOLDEN / copy.name, copy)
    move_file_state(copy / "checkpoint/sources/0/file_state.db", KEPT_AS, bytes(copy))
    return copy


def go_on(root: Path) -> None:
    run(root, root.name.rpartition("_")[2])


def rows(root: Path) -> list[tuple[int, str, int | None]]:
    table = Session(warehouse=root).table("table").to_arrow().select(["id", "name", "age"])
    return sorted(tuple(row.values()) for row in table.to_pylist())


def entries(root: Path) -> Mapping[Path, bytes]:
    paths = [path for log in LOGS for path in (root / log).glob("[0-9]*")]
    return {path: path.read_bytes() for path in paths}


def test_kept_checkpoint_goes_on_with_its_planned_batch(root: Path) -> None:
    go_on(root)
    assert rows(root) == KEPT


def test_kept_checkpoint_goes_on_with_a_new_file(root: Path) -> None:
    (root / "landing" / "4.csv").write_text("id,name,age\n5,five,55\n")
    go_on(root)
    assert rows(root) == [*KEPT, (5, "five", 55)]


def test_batch_that_is_in_the_kept_table_but_not_committed_is_not_doubled(root: Path) -> None:
    (root / "checkpoint/offsets/2").unlink()
    (root / "checkpoint/commits/1").unlink()
    go_on(root)
    assert rows(root) == KEPT


def test_nothing_of_a_kept_log_changes(root: Path) -> None:
    before = entries(root)
    go_on(root)
    after = entries(root)
    assert before
    assert {path: after.get(path) for path in before} == before


def test_kept_file_state_is_brought_up_to_date(root: Path) -> None:
    go_on(root)
    with closing(sqlite3.connect(root / "checkpoint/sources/0/file_state.db")) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (FORMAT_VERSION,)


def test_kept_file_state_can_be_asked_before_it_is_brought_up_to_date(root: Path) -> None:
    state = Session(warehouse=root).cloud_files_state(root / "checkpoint").to_arrow()
    paths = [path.rpartition("/")[2] for path in state["path"].to_pylist()]
    assert paths == ["1.csv", "2.csv", "3.csv"]
    assert [time is not None for time in state["commit_time"].to_pylist()] == [True, True, False]


def test_kept_format_is_the_one_that_its_name_says() -> None:
    for name in NAMES:
        path = GOLDEN / name / "checkpoint/sources/0/file_state.db"
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
            assert db.execute("PRAGMA user_version").fetchone() == (int(name.split("_")[1]),)

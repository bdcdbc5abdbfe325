"""A snapshot that follows a log does not grow with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ingest.delta import snapshot as snapshots
from ingest.delta.snapshot import open_snapshot
from ingest.errors import DamagedTableError
from ingest.sinks.delta_table import DeltaTable
from schema_store.ddl import parse_ddl
from tests.delta.tables import arrow_rows, settings, stream_rows

if TYPE_CHECKING:
    from pathlib import Path

ID = parse_ddl("id INT")


@pytest.fixture(autouse=True)
def _few_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "LATER_CHANGES", 3)


def write(folder: Path, *numbers: int) -> None:
    sink = DeltaTable(folder, settings())
    for number in numbers:
        stream_rows(sink, number, arrow_rows([{"id": number}], ID), ID)


def test_snapshot_carries_no_more_than_so_many_changes(tmp_path: Path) -> None:
    write(tmp_path, 0)
    snapshot = open_snapshot(tmp_path)
    assert snapshot is not None
    carried = []
    for number in range(1, 10):
        write(tmp_path, number)
        snapshot = snapshot.newest()
        carried.append(len(snapshot.later))
    assert carried == [1, 2, 3, 0, 1, 2, 3, 0, 1]


def test_snapshot_that_was_opened_anew_is_the_same(tmp_path: Path) -> None:
    write(tmp_path, 0)
    old, query = open_snapshot(tmp_path), "query"
    assert old is not None
    write(tmp_path, *range(1, 10))
    fresh, moved = open_snapshot(tmp_path), old.newest()
    assert fresh is not None
    assert (moved.version, moved.transaction_version(query)) == (9, 9)
    assert {add.path for add in moved.files()} == {add.path for add in fresh.files()}


def test_batches_of_a_sink_that_opens_its_table_anew_are_there_once(tmp_path: Path) -> None:
    write(tmp_path, *range(10))
    write(tmp_path, *range(10))
    found = open_snapshot(tmp_path)
    assert found is not None
    assert (found.version, sum(add.rows or 0 for add in found.files())) == (9, 10)


def test_table_that_is_made_anew_meanwhile_is_told(tmp_path: Path) -> None:
    write(tmp_path / "old", *range(6))
    write(tmp_path / "new", *range(6))
    snapshot = open_snapshot(tmp_path / "old", 0)
    assert snapshot is not None
    (tmp_path / "old").rename(tmp_path / "gone")
    (tmp_path / "new").rename(tmp_path / "old")
    with pytest.raises(DamagedTableError):
        snapshot.newest()

"""Compaction and vacuum of Delta tables: rows, transactions and older versions stay."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from threading import Thread
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from ingest.delta import maintenance
from ingest.delta.actions import AddFile, Protocol, RemoveFile
from ingest.delta.data_files import FileStaging
from ingest.delta.history import read_history
from ingest.delta.log import DeltaLog
from ingest.delta.maintenance import AUTO_COMPACT, compact, compact_if_due, small_files
from ingest.delta.snapshot import open_snapshot
from ingest.delta.vacuum import HOUR_MS, find_unneeded, remove_files
from ingest.errors import (
    DamagedTableError,
    SinkNotWritableError,
    TableNotFoundError,
    UnsupportedTableFeatureError,
)
from ingest.table_reader import read_table
from schema_store.ddl import parse_ddl
from tests.delta.deleted_rows import deletion_vector
from tests.delta.tables import (
    LEGACY,
    WIDENING,
    HandWritten,
    append_rows,
    metadata,
    protocol,
    settings,
    stream_batches,
)
from tests.ingest.crashes import CrashPoint, Moment, SimulatedCrashError, durable_effects

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ingest.delta.snapshot import Snapshot

DAY_MS = 24 * HOUR_MS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "table"


def opened(folder: Path) -> Snapshot:
    snapshot = open_snapshot(folder)
    assert snapshot is not None
    return snapshot


def ids(folder: Path, version: int | None = None) -> list[int]:
    return sorted(read_table(folder, version)[1].column("id").to_pylist())


def data_names(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*.parquet") if "_delta_log" not in path.parts}


def later(folder: Path, hours: int) -> int:
    """Give a time so many hours after the newest file was written."""
    newest = max(path.stat().st_mtime_ns for path in folder.rglob("*.parquet"))
    return newest // 1_000_000 + hours * HOUR_MS + 60_000


def test_small_files_become_one_and_rows_stay(folder: Path) -> None:
    stream_batches(folder, range(20))
    done = compact(folder, settings())
    assert done is not None
    assert (len(done.removed), len(done.added)) == (20, 1)
    assert len(opened(folder).files()) == 1
    assert ids(folder) == list(range(20))


def test_a_compaction_changes_no_data(folder: Path) -> None:
    stream_batches(folder, range(3))
    done = compact(folder, settings())
    assert done is not None
    actions = DeltaLog(folder).read(done.version) or ()
    changes = [a for a in actions if isinstance(a, AddFile | RemoveFile)]
    assert [change.data_change for change in changes] == [False] * 4


def test_a_compaction_keeps_the_applications_transaction(folder: Path) -> None:
    stream_batches(folder, range(5))
    compact(folder, settings())
    assert opened(folder).transaction_version("query") == 4
    stream_batches(folder, range(6))
    assert ids(folder) == list(range(6))


def test_older_versions_are_still_read(folder: Path) -> None:
    stream_batches(folder, range(3))
    compact(folder, settings())
    assert ids(folder, 1) == [0, 1]


def test_a_widened_table_is_rewritten_in_its_types_of_today(folder: Path) -> None:
    append_rows(folder, "id INT, m MAP<INT, INT>", [{"id": 1, "m": [(1, 1)]}], settings(WIDENING))
    append_rows(folder, "id BIGINT, m MAP<BIGINT, INT>", [{"id": 2**40, "m": [(2**40, 2)]}])
    before = read_table(folder)
    assert compact(folder, settings()) is not None
    assert read_table(folder)[0] == before[0]
    assert read_table(folder)[1].to_pylist() == before[1].to_pylist()


def test_a_file_is_compacted_with_its_own_partition(folder: Path) -> None:
    given = settings(partition=("p",))
    for number in range(6):
        rows = [{"id": number, "p": "a/b" if number % 2 else None}]
        append_rows(folder, "id INT, p STRING", rows, given)
    done = compact(folder, settings())
    assert done is not None
    assert sorted(str(add.partition_values["p"]) for add in done.added) == ["None", "a/b"]
    assert ids(folder) == list(range(6))


def test_one_small_file_is_left_alone(folder: Path) -> None:
    stream_batches(folder, range(1))
    assert compact(folder, settings()) is None
    assert opened(folder).version == 0


def test_a_compacted_table_is_not_compacted_again(folder: Path) -> None:
    stream_batches(folder, range(4))
    compact(folder, settings())
    assert compact(folder, settings()) is None


def test_files_that_would_not_become_fewer_are_left(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.delta.data_files.PART_SIZE", 1)
    stream_batches(folder, range(3))
    before = data_names(folder)
    assert compact(folder, settings()) is None
    assert data_names(folder) == before


def when_staged(monkeypatch: pytest.MonkeyPatch, action: Callable[[], object]) -> None:
    """Let something happen between the writing of a compaction's files and its commit."""
    finish = FileStaging.finish
    waiting = [action]

    def finish_late(staging: FileStaging) -> tuple[AddFile, ...]:
        adds = finish(staging)
        if waiting:
            waiting.pop()()
        return adds

    monkeypatch.setattr(FileStaging, "finish", finish_late)


def test_an_append_that_comes_first_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stream_batches(folder, range(3))
    when_staged(monkeypatch, lambda: stream_batches(folder, range(3, 5)))
    done = compact(folder, settings())
    assert done is not None
    assert (done.version, len(done.removed)) == (5, 3)
    assert ids(folder) == list(range(5))
    assert opened(folder).transaction_version("query") == 4


def test_a_stream_goes_on_while_its_table_is_compacted(folder: Path) -> None:
    stream_batches(folder, range(2))
    stream = Thread(target=stream_batches, args=(folder, range(2, 80)))
    stream.start()
    while stream.is_alive():
        compact(folder, settings())
    stream.join()
    assert ids(folder) == list(range(80))
    assert any(entry.operation == "OPTIMIZE" for entry in read_history(folder))


def test_a_widening_that_comes_first_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        append_rows(folder, "id INT", [{"id": number}], settings(WIDENING))
    when_staged(monkeypatch, lambda: append_rows(folder, "id BIGINT", [{"id": 2**40}]))
    assert compact(folder, settings()) is not None
    assert ids(folder) == [0, 1, 2, 2**40]


def one_row(number: int) -> pa.Table:
    return pa.table({"id": pa.array([number], pa.int64())})


def test_rows_that_are_deleted_meanwhile_stay_deleted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = HandWritten(folder)
    adds = [
        table.file(f"{name}.parquet", one_row(number), stats='{"numRecords":1}')
        for number, name in enumerate("abc")
    ]
    table.entry(protocol("deletionVectors"), metadata(parse_ddl("id BIGINT")), *adds)
    remove = {"remove": {"path": "a.parquet", "deletionTimestamp": 1, "dataChange": True}}
    add = {"add": {**adds[0]["add"], "deletionVector": deletion_vector([0])}}
    when_staged(monkeypatch, lambda: table.entry(remove, add))
    done = compact(folder, settings())
    assert done is not None
    assert len(done.removed) == 2
    assert ids(folder) == [1, 2]


def test_a_feature_that_comes_first_is_honoured(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream_batches(folder, range(3))
    numbering = Protocol(1, 7, None, ("rowTracking", "domainMetadata"))
    when_staged(monkeypatch, lambda: DeltaLog(folder).add(3, (numbering,)))
    with pytest.raises(UnsupportedTableFeatureError):
        compact(folder, settings())
    assert (opened(folder).version, len(data_names(folder))) == (3, 3)


def test_a_file_with_a_new_deletion_vector_counts_whatever_the_order(folder: Path) -> None:
    stream_batches(folder, range(1))
    (add,) = opened(folder).files()
    again, remove = replace(add, deletion_vector={"storageType": "u"}), RemoveFile(add.path, 1)
    snapshots = [opened(folder).advance(one) for one in ((again, remove), (remove, again))]
    assert [snapshot.files() for snapshot in snapshots] == [(again,), (again,)]


def test_the_second_of_two_compactions_gives_way(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream_batches(folder, range(4))
    when_staged(monkeypatch, lambda: compact(folder, settings()))
    assert compact(folder, settings()) is None
    assert ids(folder) == list(range(4))
    assert opened(folder).version == 4
    assert len(data_names(folder)) == 5


def test_a_missing_file_is_named_and_nothing_is_left_behind(folder: Path) -> None:
    stream_batches(folder, range(3))
    path = max(folder.glob("*.parquet"))
    path.unlink()
    before = data_names(folder)
    with pytest.raises(DamagedTableError) as caught:
        compact(folder, settings())
    assert caught.value.where == str(path)
    assert data_names(folder) == before


@pytest.mark.parametrize("moment", Moment)
@pytest.mark.parametrize("effect", range(2))
def test_a_killed_compaction_changes_no_row(folder: Path, effect: int, moment: Moment) -> None:
    stream_batches(folder, range(4))
    point = CrashPoint(effect, moment)
    with durable_effects(point), pytest.raises(SimulatedCrashError):
        compact(folder, settings())
    assert ids(folder) == list(range(4))
    stream_batches(folder, range(6))
    assert compact(folder, settings()) is not None
    assert ids(folder) == list(range(6))
    assert opened(folder).transaction_version("query") == 5


def test_an_entry_that_could_not_be_synced_keeps_its_files(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_sync(_folder: Path) -> None:
        raise OSError(5, "Input/output error")

    stream_batches(folder, range(4))
    monkeypatch.setattr("schema_store.metadata_log.sync_folder", no_sync)
    with pytest.raises(SinkNotWritableError):
        compact(folder, settings())
    assert ids(folder) == list(range(4))
    assert opened(folder).version == 4


def test_a_table_that_must_not_be_written_is_refused_by_name(folder: Path) -> None:
    found = protocol("typeWidening")
    found["protocol"]["writerFeatures"].append("rowTracking")
    HandWritten(folder).entry(found, metadata(parse_ddl("id BIGINT")))
    with pytest.raises(UnsupportedTableFeatureError, match="rowTracking"):
        compact(folder, settings())


def test_a_stream_compacts_when_there_are_many_small_files(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream_batches(folder, range(5))
    monkeypatch.setattr(maintenance, "DUE_FILES", 3)
    monkeypatch.setattr(maintenance, "DUE_EVERY", 3)
    assert compact_if_due(folder, opened(folder), settings()) is None  # version 4
    monkeypatch.setattr(maintenance, "DUE_EVERY", 4)
    done = compact_if_due(folder, opened(folder), settings())
    assert done is not None
    assert len(small_files(opened(folder))) <= 1


def test_the_property_keeps_a_stream_from_compacting(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maintenance, "DUE_FILES", 1)
    monkeypatch.setattr(maintenance, "DUE_EVERY", 1)
    stream_batches(folder, range(3), settings({AUTO_COMPACT: "false"}))
    assert compact_if_due(folder, opened(folder), settings()) is None


def test_a_compaction_that_fails_stops_no_stream(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stream_batches(folder, range(3))
    monkeypatch.setattr(maintenance, "DUE_FILES", 1)
    monkeypatch.setattr(maintenance, "DUE_EVERY", 1)
    next(folder.glob("*.parquet")).unlink()
    assert compact_if_due(folder, opened(folder), settings()) is None
    assert "was not compacted" in caplog.text


@pytest.mark.parametrize("scheme", ["", "file:"])
def test_vacuum_knows_files_by_absolute_paths_and_through_links(
    folder: Path, tmp_path: Path, scheme: str
) -> None:
    table = HandWritten(folder)
    add = table.file("a.parquet", one_row(1))
    add["add"]["path"] = f"{scheme}{folder.resolve()}/a.parquet"
    table.entry(LEGACY, metadata(parse_ddl("id BIGINT")), add)
    link = tmp_path / "link"
    link.symlink_to(folder)
    found = [find_unneeded(place, now_ms=later(folder, 1000)) for place in (folder, link)]
    assert found == [[], []]


def test_vacuum_keeps_what_older_versions_need(folder: Path) -> None:
    stream_batches(folder, range(3))
    compact(folder, settings())
    assert find_unneeded(folder, now_ms=later(folder, 167)) == []
    found = find_unneeded(folder, now_ms=later(folder, 168))
    assert [file.is_orphan for file in found] == [False] * 3


def test_vacuum_leaves_the_newest_version_whole(folder: Path) -> None:
    stream_batches(folder, range(3))
    compact(folder, settings())
    remove_files(find_unneeded(folder, now_ms=later(folder, 1), hours=0))
    assert len(data_names(folder)) == 1
    assert ids(folder) == [0, 1, 2]


def test_vacuum_finds_what_a_killed_writer_left(folder: Path) -> None:
    stream_batches(folder, range(1))
    orphan = folder / "p=1" / "part-00000-left.c000.snappy.parquet"
    orphan.parent.mkdir()
    orphan.write_bytes(b"half")
    (found,) = find_unneeded(folder, now_ms=later(folder, 168))
    assert (found.path, found.size, found.is_orphan) == (orphan, 4, True)


def test_vacuum_keeps_what_a_writer_at_work_has_staged(folder: Path) -> None:
    stream_batches(folder, range(1))
    (folder / "part-00000-staged.c000.snappy.parquet").write_bytes(b"half")
    assert find_unneeded(folder, now_ms=later(folder, 0), hours=0) == []
    assert len(find_unneeded(folder, now_ms=later(folder, 1), hours=0)) == 1


@pytest.mark.parametrize("name", ["_hidden/a.parquet", ".a.parquet", "_a.parquet", "notes.txt"])
def test_vacuum_does_not_look_at_what_is_hidden_or_foreign(folder: Path, name: str) -> None:
    stream_batches(folder, range(1))
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"mine")
    assert find_unneeded(folder, now_ms=later(folder, 1000), hours=0) == []


def test_vacuum_knows_removals_that_only_a_checkpoint_remembers(folder: Path) -> None:
    stream_batches(folder, range(3))
    compact(folder, settings())
    opened(folder).opened.create_checkpoint()
    for version in range(4):
        DeltaLog(folder).path(version).unlink()
    for path in folder.glob("*.parquet"):
        os.utime(path, (1, 1))
    assert find_unneeded(folder, now_ms=later(folder / "_delta_log", 1)) == []


def test_vacuum_of_no_table_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(TableNotFoundError):
        find_unneeded(tmp_path, now_ms=0)


def test_the_history_tells_a_compaction(folder: Path) -> None:
    stream_batches(folder, range(3))
    compact(folder, settings())
    newest, *older = read_history(folder)
    assert (newest.operation, newest.added, newest.removed, newest.rows) == ("OPTIMIZE", 1, 3, 3)
    assert [entry.version for entry in older] == [2, 1, 0]


def test_an_entry_that_is_missing_in_the_middle_is_named(folder: Path) -> None:
    stream_batches(folder, range(3))
    DeltaLog(folder).path(1).unlink()
    with pytest.raises(DamagedTableError) as caught:
        list(read_history(folder))
    assert caught.value.where == str(DeltaLog(folder).path(1))


def test_the_log_of_a_compacted_table_is_plain_delta(folder: Path) -> None:
    stream_batches(folder, range(2))
    done = compact(folder, settings())
    assert done is not None
    lines = DeltaLog(folder).path(done.version).read_text().splitlines()
    kinds = [next(iter(json.loads(line))) for line in lines]
    assert kinds == ["commitInfo", "remove", "remove", "add"]

"""The sink: batches, each in the table once; what the log says; what is refused."""

from __future__ import annotations

import contextlib
import datetime as dt
import errno
import itertools
import os
import shutil
import threading
import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.arrow import to_arrow_schema
from ingest.delta import commits, data_files, maintenance
from ingest.delta.actions import AddFile, CommitInfo, Metadata, Protocol, Transaction
from ingest.delta.log import DeltaLog
from ingest.delta.properties import set_properties
from ingest.delta.settings import DeltaSettings
from ingest.delta.snapshot import open_snapshot
from ingest.errors import (
    DamagedTableError,
    InvalidColumnNamesError,
    MetadataChangedError,
    MetadataMismatchError,
    OptionValueError,
    SinkError,
    SinkNotWritableError,
    TypeWideningNotEnabledError,
    UnsupportedTableFeatureError,
    ValueCastError,
)
from ingest.file_entry import BatchId
from ingest.sinks.delta_table import DeltaStaging, DeltaTable
from ingest.table_reader import read_table
from schema_store.ddl import parse_ddl, to_ddl

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.delta.actions import Action
    from schema_store.types import Schema

QUERY = "5a3c"
FIRST, SECOND = BatchId(0), BatchId(1)
ID = parse_ddl("id INT")
NOW = dt.datetime(2024, 5, 17, 12, tzinfo=dt.UTC)
WIDENS = {"delta.enableTypeWidening": "true"}


def settings(**given: Any) -> DeltaSettings:
    numbers = itertools.count(1)
    return DeltaSettings(
        now=lambda: NOW,
        **{
            "new_id": lambda: f"00000000-0000-4000-8000-{next(numbers):012x}",
            "merge_schema": True,
            **given,
        },
    )


def sink(folder: Path, **given: Any) -> DeltaTable:
    return DeltaTable(folder, settings(**given))


def batch(schema: Schema, *rows: dict[str, Any]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(list(rows), schema=to_arrow_schema(schema))


def begin(
    table: DeltaTable, batch_id: int, schema: Schema = ID, *, query: str = QUERY
) -> DeltaStaging:
    staging = table.begin(query, BatchId(batch_id), schema)
    assert staging is not None
    return staging


def add(table: DeltaTable, batch_id: int, ddl: str, *rows: dict[str, Any]) -> None:
    schema = parse_ddl(ddl)
    staging = begin(table, batch_id, schema)
    staging.write(batch(schema, *rows))
    staging.commit()


def rows_of(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = read_table(folder)[1].to_pylist()
    return rows


def ids_of(folder: Path) -> list[Any]:
    return sorted(row["id"] for row in rows_of(folder))


def part_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*.parquet") if "_delta_log" not in path.parts)


def entry(folder: Path, version: int) -> tuple[Action, ...]:
    actions = DeltaLog(folder).read(version)
    assert actions is not None
    return actions


def kinds(folder: Path, version: int) -> list[type]:
    return [type(action) for action in entry(folder, version)]


def test_first_entry_is_spelled_as_sparks(tmp_path: Path) -> None:
    add(sink(tmp_path, properties={"delta.appendOnly": "TRUE"}), 7, "id INT", {"id": 1}, {"id": 2})
    lines = DeltaLog(tmp_path).path(0).read_bytes().splitlines()
    info, protocol, metadata, transaction, added = (orjson.loads(line) for line in lines)
    (name,) = part_files(tmp_path)
    state = (tmp_path / name).stat()
    now_ms = 1715947200000
    assert info["commitInfo"] == {
        "timestamp": now_ms,
        "operation": "STREAMING UPDATE",
        "operationParameters": {"outputMode": "Append", "queryId": QUERY, "epochId": "7"},
        "isolationLevel": "Serializable",
        "isBlindAppend": True,
        "operationMetrics": {
            "numRemovedFiles": "0",
            "numOutputRows": "2",
            "numOutputBytes": str(state.st_size),
            "numAddedFiles": "1",
        },
        "engineInfo": "ingest-autoloader",
    }
    assert protocol == {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}
    assert metadata == {
        "metaData": {
            "id": "00000000-0000-4000-8000-000000000001",
            "format": {"provider": "parquet", "options": {}},
            "schemaString": '{"type":"struct","fields":[{"name":"id","type":"integer",'
            '"nullable":true,"metadata":{}}]}',
            "partitionColumns": [],
            "configuration": {"delta.appendOnly": "true"},
            "createdTime": now_ms,
        }
    }
    assert transaction == {"txn": {"appId": QUERY, "version": 7, "lastUpdated": now_ms}}
    assert added == {
        "add": {
            "path": name,
            "partitionValues": {},
            "size": state.st_size,
            "modificationTime": state.st_mtime_ns // 1_000_000,
            "dataChange": True,
            "stats": '{"numRecords":2,"minValues":{"id":1},"maxValues":{"id":2},'
            '"nullCount":{"id":0}}',
        }
    }


def test_append_has_no_metadata(tmp_path: Path) -> None:
    table = sink(tmp_path)
    add(table, 0, "id INT", {"id": 1})
    add(table, 1, "id INT", {"id": 2})
    assert (kinds(tmp_path, 1), ids_of(tmp_path)) == ([CommitInfo, Transaction, AddFile], [1, 2])


def test_new_column_comes_in_the_entry_of_its_rows(tmp_path: Path) -> None:
    table = sink(tmp_path)
    add(table, 0, "id INT, _rescued_data STRING", {"id": 1})
    add(table, 1, "id INT, n STRING, _rescued_data STRING", {"id": 2, "n": "x"})
    assert kinds(tmp_path, 1) == [CommitInfo, Metadata, Transaction, AddFile]
    assert to_ddl(read_table(tmp_path)[0]) == "id INT, _rescued_data STRING, n STRING"
    assert sorted(rows_of(tmp_path), key=lambda row: row["id"]) == [
        {"id": 1, "_rescued_data": None, "n": None},
        {"id": 2, "_rescued_data": None, "n": "x"},
    ]


def test_wider_type_comes_with_its_record(tmp_path: Path) -> None:
    table = sink(tmp_path, properties=WIDENS)
    add(table, 0, "id INT", {"id": 1})
    add(table, 1, "id BIGINT", {"id": 2**40})
    (metadata,) = (one for one in entry(tmp_path, 1) if isinstance(one, Metadata))
    assert metadata.schema.fields[0].metadata == (
        '{"delta.typeChanges":[{"fromType":"integer","toType":"long"}]}'
    )
    assert ids_of(tmp_path) == [1, 2**40]


def test_table_that_widens_lists_the_feature(tmp_path: Path) -> None:
    add(sink(tmp_path, properties=WIDENS), 0, "id INT", {"id": 1})
    features = ("appendOnly", "invariants", "typeWidening")
    assert entry(tmp_path, 0)[1] == Protocol(3, 7, ("typeWidening",), features)


def test_local_timestamps_bring_their_feature_when_they_come(tmp_path: Path) -> None:
    table = sink(tmp_path)
    add(table, 0, "id INT", {"id": 1})
    add(table, 1, "t TIMESTAMP_NTZ", {"t": NOW.replace(tzinfo=None)})
    features = ("appendOnly", "invariants", "timestampNtz")
    assert entry(tmp_path, 1)[1] == Protocol(3, 7, ("timestampNtz",), features)


def test_rows_narrower_than_the_table_are_widened_in_the_file(tmp_path: Path) -> None:
    table = sink(tmp_path)
    add(table, 0, "id BIGINT, s STRING", {"id": 1, "s": "x"})
    add(table, 1, "ID INT", {"ID": 2})
    (added,) = (one for one in entry(tmp_path, 1) if isinstance(one, AddFile))
    schema = pq.read_schema(added.local_path(tmp_path))
    assert (schema.names, schema.field("id").type) == (["id", "s"], pa.int64())


def test_batch_that_is_there_already_is_told_by_a_fresh_table(tmp_path: Path) -> None:
    add(sink(tmp_path), 0, "id INT", {"id": 1})
    table = sink(tmp_path)
    found = [table.begin(QUERY, FIRST, ID), table.begin("other", FIRST, ID)]
    assert [one is None for one in found] == [True, False]


def test_batch_without_rows_is_there_too(tmp_path: Path) -> None:
    begin(sink(tmp_path), 0).commit()
    table = sink(tmp_path)
    assert (table.begin(QUERY, FIRST, ID), rows_of(tmp_path)) == (None, [])


def test_transaction_survives_a_checkpoint_and_the_loss_of_older_entries(tmp_path: Path) -> None:
    table = sink(tmp_path, properties={"delta.checkpointInterval": "2"})
    for number in range(4):
        add(table, number, "id INT", {"id": number})
    for version in range(2):
        DeltaLog(tmp_path).path(version).unlink()
    fresh = sink(tmp_path)
    assert DeltaLog(tmp_path).checkpoints() == (2,)
    assert (fresh.begin(QUERY, BatchId(3), ID), ids_of(tmp_path)) == (None, [0, 1, 2, 3])


def test_checkpoint_that_fails_is_told_and_fails_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(commits, "library_table", broken)
    table = sink(tmp_path, properties={"delta.checkpointInterval": "1"})
    add(table, 0, "id INT", {"id": 1})
    add(table, 1, "id INT", {"id": 2})
    assert (ids_of(tmp_path), "no checkpoint of" in caplog.text) == ([1, 2], True)


def test_create_makes_a_table_without_rows_once(tmp_path: Path) -> None:
    for ddl in ("id INT NOT NULL, v VOID", "other INT"):
        sink(tmp_path).create(parse_ddl(ddl))
    schema, rows = read_table(tmp_path)
    assert (to_ddl(schema), rows.num_rows) == ("id INT, v STRING", 0)
    assert DeltaLog(tmp_path).versions() == (0,)


def test_rows_are_invisible_before_commit(tmp_path: Path) -> None:
    table = sink(tmp_path)
    add(table, 0, "id INT", {"id": 1})
    begin(table, 1).write(batch(ID, {"id": 2}))
    assert ids_of(tmp_path) == [1]


def test_large_batch_is_written_in_several_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_files, "PART_SIZE", 8)
    staging = begin(sink(tmp_path), 0)
    for number in range(6):
        staging.write(batch(ID, {"id": number}))
    staging.commit()
    assert (ids_of(tmp_path), len(part_files(tmp_path))) == ([0, 1, 2, 3, 4, 5], 3)


def test_abort_waits_for_files_under_way_and_removes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_files, "PART_SIZE", 1)
    may_end = threading.Event()
    sync = os.fsync

    def late(descriptor: int) -> None:
        may_end.wait()
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", late)
    staging = begin(sink(tmp_path), 0)
    staging.write(batch(ID, {"id": 1}))
    threading.Timer(0.05, may_end.set).start()
    staging.abort()
    assert part_files(tmp_path) == []


def test_file_that_fails_beside_the_stream_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_files, "PART_SIZE", 1)
    add(sink(tmp_path), 0, "id INT, n INT", {"id": 0, "n": 0})
    kept = part_files(tmp_path)
    staging = begin(sink(tmp_path), 1)
    for value in ([1], [2], ["no number"], [3]):
        rows = pa.record_batch({"id": pa.array(value)})
        with contextlib.suppress(ValueCastError):
            staging.write(rows)
    staging.abort()
    assert (part_files(tmp_path), DeltaLog(tmp_path).versions()) == (kept, (0,))


def test_abort_removes_what_was_staged(tmp_path: Path) -> None:
    staging = begin(sink(tmp_path), 0)
    staging.write(batch(ID, {"id": 1}))
    staging._files.finish()  # noqa: SLF001 - waits for the file
    staged = len(part_files(tmp_path))
    staging.abort()
    assert (staged, part_files(tmp_path)) == (1, [])


def test_abort_keeps_what_a_failed_commit_made_visible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log entry has its name when its folder cannot be synced."""
    staging = begin(sink(tmp_path), 0)
    staging.write(batch(ID, {"id": 1}))

    def full(folder: Path) -> None:
        if folder.name == "_delta_log":
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("schema_store.metadata_log.sync_folder", full)
    with pytest.raises(SinkNotWritableError):
        staging.commit()
    staging.abort()
    assert ids_of(tmp_path) == [1]


def test_file_of_a_killed_attempt_is_removed_when_the_query_comes_back(tmp_path: Path) -> None:
    add(sink(tmp_path), 0, "id INT", {"id": 1})
    killed = begin(sink(tmp_path), 1)
    killed.write(pa.record_batch({"id": pa.array([2], pa.int32())}))
    killed._files.finish()  # noqa: SLF001 - as a killed process leaves it
    before = len(part_files(tmp_path))
    begin(sink(tmp_path), 1)
    assert (before, len(part_files(tmp_path)), ids_of(tmp_path)) == (2, 1, [1])


def test_files_of_other_queries_and_of_earlier_batches_stay(tmp_path: Path) -> None:
    staging = begin(sink(tmp_path), 0, query="other")
    staging.write(batch(ID, {"id": 1}))
    add(sink(tmp_path), 0, "id INT", {"id": 2})
    begin(sink(tmp_path), 1)
    staging.commit()
    assert ids_of(tmp_path) == [1, 2]


def test_two_writers_that_race_both_land_once(tmp_path: Path) -> None:
    stagings = [begin(sink(tmp_path), 0, query=query) for query in ("one", "two")]
    for number, staging in enumerate(stagings):
        staging.write(batch(ID, {"id": number}))
    for staging in stagings:
        staging.commit()
    assert (ids_of(tmp_path), DeltaLog(tmp_path).versions()) == ([0, 1], (0, 1))


def test_twin_of_a_batch_lands_once(tmp_path: Path) -> None:
    stagings = [begin(sink(tmp_path, new_id=lambda: str(uuid.uuid4())), 0) for _ in range(2)]
    for staging in stagings:
        staging.write(batch(ID, {"id": 1}))
    for staging in stagings:
        staging.commit()
    assert (ids_of(tmp_path), len(part_files(tmp_path))) == ([1], 1)


def test_writers_that_race_merge_their_schemas(tmp_path: Path) -> None:
    add(sink(tmp_path, properties=WIDENS), 0, "id INT", {"id": 0})
    a, b = parse_ddl("id INT, a STRING"), parse_ddl("id BIGINT, b STRING")
    first, second = (
        begin(sink(tmp_path), 1, schema, query=query) for query, schema in (("x", b), ("y", a))
    )
    for staging, schema in ((first, b), (second, a)):
        staging.write(batch(schema, {"id": 1}))
        staging.commit()
    assert to_ddl(read_table(tmp_path)[0]) == "id BIGINT, b STRING, a STRING"
    assert ids_of(tmp_path) == [0, 1, 1]


def test_winner_that_sets_a_property_does_no_harm(tmp_path: Path) -> None:
    add(sink(tmp_path), 0, "id INT", {"id": 0})
    staging = begin(sink(tmp_path), 1)
    staging.write(batch(ID, {"id": 1}))
    set_properties(tmp_path, WIDENS, now_ms=1)
    staging.commit()
    snapshot = open_snapshot(tmp_path)
    assert snapshot is not None
    assert (ids_of(tmp_path), dict(snapshot.metadata.configuration)) == ([0, 1], WIDENS)


def test_new_column_without_merge_schema_leaves_nothing_behind(tmp_path: Path) -> None:
    add(sink(tmp_path), 0, "id INT", {"id": 1})
    with pytest.raises(MetadataMismatchError) as caught:
        sink(tmp_path, merge_schema=False).begin(QUERY, SECOND, parse_ddl("id INT, n INT"))
    assert (caught.value.columns, DeltaLog(tmp_path).versions()) == (("n",), (0,))


def test_wider_type_without_the_property_names_table_and_command(tmp_path: Path) -> None:
    add(sink(tmp_path), 0, "id INT", {"id": 1})
    with pytest.raises(TypeWideningNotEnabledError) as caught:
        sink(tmp_path, sql_name="a.b").begin(QUERY, SECOND, parse_ddl("id BIGINT"))
    assert caught.value.statement.startswith("ALTER TABLE a.b SET TBLPROPERTIES")
    assert str(tmp_path) in caught.value.command


def test_names_that_delta_refuses_make_no_table(tmp_path: Path) -> None:
    with pytest.raises(InvalidColumnNamesError) as caught:
        sink(tmp_path).begin(QUERY, FIRST, parse_ddl("`order id` INT"))
    assert (caught.value.columns, list(tmp_path.iterdir())) == (("`order id`",), [])


def test_mapped_table_takes_any_name_and_evolves(tmp_path: Path) -> None:
    table = sink(tmp_path, properties={"delta.columnMapping.mode": "name", **WIDENS})
    add(table, 0, "`order id` INT, s STRUCT<a: INT>", {"order id": 1, "s": {"a": 2}})
    add(
        table,
        1,
        "`order id` BIGINT, s STRUCT<a: INT, b: MAP<STRING, INT>>, `n=1` INT",
        {"order id": 2, "s": {"a": 3, "b": [("k", 4)]}, "n=1": 5},
    )
    assert sorted(rows_of(tmp_path), key=lambda row: row["order id"]) == [
        {"order id": 1, "s": {"a": 2, "b": None}, "n=1": None},
        {"order id": 2, "s": {"a": 3, "b": [("k", 4)]}, "n=1": 5},
    ]
    snapshot = open_snapshot(tmp_path)
    assert snapshot is not None
    assert snapshot.metadata.configuration["delta.columnMapping.maxColumnId"] == "5"


def test_files_of_a_mapped_table_go_by_physical_names_and_ids(tmp_path: Path) -> None:
    add(sink(tmp_path, properties={"delta.columnMapping.mode": "name"}), 0, "a INT", {"a": 1})
    (added,) = (one for one in entry(tmp_path, 0) if isinstance(one, AddFile))
    (column,) = pq.read_schema(added.local_path(tmp_path))
    stats = orjson.loads(added.stats or "")
    assert column.metadata == {b"PARQUET:field_id": b"1"}
    assert column.name.startswith("col-")
    assert stats["minValues"] == {column.name: 1}


def test_partitioned_table_has_a_folder_for_each_value(tmp_path: Path) -> None:
    table = sink(tmp_path, partition_columns=("P", "d"))
    rows: list[dict[str, Any]] = [
        {"id": 1, "p": "a/b", "d": dt.date(2024, 1, 2)},
        {"id": 2, "p": None, "d": None},
        {"id": 3, "p": "a/b", "d": dt.date(2024, 1, 2)},
        {"id": 4, "p": "", "d": None},
    ]
    add(table, 0, "id INT, p STRING, d DATE", *rows)
    found = {
        (one.path.rpartition("/")[0], one.rows): dict(one.partition_values)
        for one in entry(tmp_path, 0)
        if isinstance(one, AddFile)
    }
    null = "__HIVE_DEFAULT_PARTITION__"
    assert found == {
        ("p=a%252Fb/d=2024-01-02", 2): {"p": "a/b", "d": "2024-01-02"},
        (f"p={null}/d={null}", 1): {"p": None, "d": None},
    }
    expected = [*rows[:3], {"id": 4, "p": None, "d": None}]
    assert sorted(rows_of(tmp_path), key=lambda row: row["id"]) == expected


def test_existing_partitions_are_kept_when_the_stream_names_none(tmp_path: Path) -> None:
    add(sink(tmp_path, partition_columns=("p",)), 0, "id INT, p INT", {"id": 1, "p": 7})
    add(sink(tmp_path), 1, "id INT, p INT", {"id": 2, "p": 8})
    folders = sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("p="))
    assert (folders, ids_of(tmp_path)) == (["p=7", "p=8"], [1, 2])


@pytest.mark.parametrize(
    ("configuration", "metadata", "feature"),
    [
        ({"delta.constraints.c": "id > 0"}, "{}", "checkConstraints"),
        ({"delta.enableInCommitTimestamps": "true"}, "{}", "inCommitTimestamp"),
        ({}, '{"delta.invariants":"{}"}', "invariants"),
        ({}, '{"delta.generationExpression":"1"}', "generatedColumns"),
        ({}, '{"CURRENT_DEFAULT":"1"}', "allowColumnDefaults"),
        ({}, '{"delta.identity.start":1}', "identityColumns"),
    ],
)
def test_table_with_a_feature_in_use_is_refused_by_name(
    configuration: dict[str, str], metadata: str, feature: str, tmp_path: Path
) -> None:
    column = replace(ID.fields[0], metadata=metadata)
    made = Metadata("id", replace(ID, fields=(column,)), configuration=configuration)
    DeltaLog(tmp_path).add(0, (Protocol(1, 6), made))
    with pytest.raises(UnsupportedTableFeatureError) as caught:
        sink(tmp_path).begin(QUERY, FIRST, ID)
    assert caught.value.feature == feature


@pytest.mark.parametrize("feature", ["rowTracking", "materializePartitionColumns", "ofTomorrow"])
def test_table_with_a_feature_that_we_cannot_honour_is_refused(
    feature: str, tmp_path: Path
) -> None:
    DeltaLog(tmp_path).add(0, (Protocol(1, 7, None, (feature,)), Metadata("id", ID)))
    with pytest.raises(UnsupportedTableFeatureError) as caught:
        sink(tmp_path).begin(QUERY, FIRST, ID)
    assert (caught.value.feature, feature in str(caught.value)) == (feature, True)


@pytest.mark.parametrize(
    "feature", ["appendOnly", "changeDataFeed", "domainMetadata", "clustering"]
)
def test_table_with_a_feature_that_an_append_respects_is_written(
    feature: str, tmp_path: Path
) -> None:
    DeltaLog(tmp_path).add(0, (Protocol(1, 7, None, (feature,)), Metadata("id", ID)))
    add(sink(tmp_path), 0, "id INT", {"id": 1})
    assert ids_of(tmp_path) == [1]


def test_folder_that_is_a_file_is_an_error_with_facts(tmp_path: Path) -> None:
    place = tmp_path / "table"
    place.write_text("x")
    with pytest.raises(SinkError) as caught:
        sink(place).begin(QUERY, FIRST, ID)
    assert str(place) in str(caught.value)


def test_full_disk_is_an_error_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    staging = begin(sink(tmp_path), 0)
    staging.write(batch(ID, {"id": 1}))

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SinkNotWritableError) as caught:
        staging.commit()
    staging.abort()
    assert ("no space left" in caught.value.found, part_files(tmp_path)) == (True, [])


def test_table_in_a_folder_of_an_odd_name(tmp_path: Path) -> None:
    folder = tmp_path / "a b#é%?"
    for number in range(2):
        add(sink(folder), number, "id INT", {"id": number})
    assert ids_of(folder) == [0, 1]


@pytest.mark.parametrize("name", ["a%20b", "a\\b"])
def test_folder_that_the_library_cannot_open_is_refused_before_any_effect(
    name: str, tmp_path: Path
) -> None:
    with pytest.raises(OptionValueError) as caught:
        sink(tmp_path / name).begin(QUERY, FIRST, ID)
    assert (str(tmp_path / name) == caught.value.value, list(tmp_path.iterdir())) == (True, [])


@pytest.mark.parametrize(
    ("key", "value"),
    [("delta.checkpointInterval", "often"), ("delta.dataSkippingNumIndexedCols", "some")],
)
def test_property_that_no_writer_understands_stops_no_stream(
    key: str, value: str, tmp_path: Path
) -> None:
    DeltaLog(tmp_path).add(0, (Protocol(1, 2), Metadata("id", ID, configuration={key: value})))
    add(sink(tmp_path), 0, "id INT", {"id": 1})
    assert ids_of(tmp_path) == [1]


def test_stream_makes_few_files_of_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maintenance, "DUE_FILES", 3)
    monkeypatch.setattr(maintenance, "DUE_EVERY", 4)
    table = sink(tmp_path, new_id=lambda: str(uuid.uuid4()))
    for number in range(7):
        add(table, number, "id INT", {"id": number})
    snapshot = open_snapshot(tmp_path)
    assert snapshot is not None
    assert (ids_of(tmp_path), len(snapshot.files())) == (list(range(7)), 3)
    assert sink(tmp_path).begin(QUERY, BatchId(6), ID) is None


def test_table_that_is_removed_while_it_is_written_is_an_error(tmp_path: Path) -> None:
    table = sink(tmp_path / "t")
    for number in range(2):
        add(table, number, "id INT", {"id": number})
    shutil.rmtree(tmp_path / "t")
    with pytest.raises(DamagedTableError) as caught:
        table.begin(QUERY, BatchId(2), ID)
    assert "is gone" in str(caught.value)


def test_files_that_a_second_writer_has_taken_are_an_error_before_the_entry(tmp_path: Path) -> None:
    staging = begin(sink(tmp_path), 0)
    staging.write(batch(ID, {"id": 1}))
    staging._files.finish()  # noqa: SLF001 - waits for the file
    begin(sink(tmp_path), 0)  # the lock of the checkpoint keeps this from happening
    with pytest.raises(SinkNotWritableError):
        staging.commit()
    assert DeltaLog(tmp_path).versions() == ()


def test_schema_that_a_winner_has_replaced_is_an_error_to_start_again_from(tmp_path: Path) -> None:
    mapped = {"delta.columnMapping.mode": "name"}
    add(sink(tmp_path, properties=mapped), 0, "id INT", {"id": 0})
    wider = parse_ddl("id INT, n INT")
    tables = [sink(tmp_path, new_id=lambda: str(uuid.uuid4())) for _ in "ab"]
    stagings = [begin(table, 1, wider, query=q) for table, q in zip(tables, "ab", strict=True)]
    for staging in stagings:
        staging.write(batch(wider, {"id": 1, "n": 2}))
    stagings[0].commit()
    with pytest.raises(MetadataChangedError) as caught:
        stagings[1].commit()
    stagings[1].abort()
    assert (caught.value.condition, caught.value.version) == ("DELTA_METADATA_CHANGED", 1)
    assert (ids_of(tmp_path), len(part_files(tmp_path))) == ([0, 1], 2)


def test_mapped_files_fit_when_a_winner_adds_another_column(tmp_path: Path) -> None:
    """Whatever the order in which the library gives the keys of a field's metadata."""
    for turn in range(8):
        folder = tmp_path / str(turn)
        mapped = {"delta.columnMapping.mode": "name"}
        add(sink(folder, properties=mapped), 0, "id INT", {"id": 0})
        staging = begin(sink(folder), 0, query="other")
        staging.write(batch(ID, {"id": 1}))
        add(sink(folder), 1, "id INT, n INT", {"id": 2, "n": 3})
        staging.commit()
        assert ids_of(folder) == [0, 1, 2]


def test_notes_of_another_table_do_not_come_along(tmp_path: Path) -> None:
    notes = (
        '{"comment":"c","delta.columnMapping.id":7,"delta.typeChanges":[],"CURRENT_DEFAULT":"1"}'
    )
    schema = replace(ID, fields=(replace(ID.fields[0], metadata=notes),))
    sink(tmp_path).create(schema)
    assert read_table(tmp_path)[0].fields[0].metadata == '{"comment":"c"}'

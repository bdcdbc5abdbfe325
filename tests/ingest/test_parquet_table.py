"""The Parquet table: each batch once, visible by its manifest entry (contract 7.4, 8.3)."""

from __future__ import annotations

import errno
import os
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import orjson
import pyarrow as pa
import pytest

from ingest.arrow import to_arrow_schema
from ingest.errors import (
    DamagedTableError,
    IncompatibleTableError,
    SinkError,
    SinkNotWritableError,
    TableNotFoundError,
)
from ingest.file_entry import BatchId
from ingest.sinks import parquet_table
from ingest.sinks.parquet_table import ParquetStaging, ParquetTable
from ingest.table_reader import read_parquet_table
from schema_store.ddl import parse_ddl, to_ddl
from schema_store.spark_json import schema_to_json

if TYPE_CHECKING:
    from pathlib import Path

    from schema_store.types import Schema

QUERY = "5a3c"
FIRST, SECOND = BatchId(0), BatchId(1)
ID = parse_ddl("id INT")


def batch(schema: Schema, *rows: dict[str, Any]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(list(rows), schema=to_arrow_schema(schema))


def begin(
    table: ParquetTable, batch_id: BatchId, schema: Schema = ID, *, query: str = QUERY
) -> ParquetStaging:
    staging = table.begin(query, batch_id, schema)
    assert staging is not None
    return staging


def add(table: ParquetTable, batch_id: BatchId, schema: Schema, *rows: dict[str, Any]) -> None:
    staging = begin(table, batch_id, schema)
    staging.write(batch(schema, *rows))
    staging.commit()


def rows_of(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = read_parquet_table(folder)[1].to_pylist()
    return rows


def part_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.parquet"))


def test_manifest_entry_is_spelled_as_documented(tmp_path: Path) -> None:
    add(ParquetTable(tmp_path), BatchId(7), ID, {"id": 1}, {"id": 2})
    (name,) = part_files(tmp_path)
    size = (tmp_path / name).stat().st_size
    expected = {
        "queryId": QUERY,
        "batchId": 7,
        "schema": schema_to_json(ID),
        "files": [{"name": name, "rows": 2, "size": size}],
    }
    assert (tmp_path / "_manifest" / "0").read_bytes() == b"v1\n" + orjson.dumps(expected)


def test_part_is_named_by_query_and_batch(tmp_path: Path) -> None:
    add(ParquetTable(tmp_path), BatchId(7), ID, {"id": 1})
    (name,) = part_files(tmp_path)
    assert name.startswith("part-5a3c-00007-0000-")
    assert name.endswith(".snappy.parquet")


def test_rows_come_back_in_the_order_of_batches(tmp_path: Path) -> None:
    table = ParquetTable(tmp_path)
    add(table, FIRST, ID, {"id": 3}, {"id": None})
    add(table, SECOND, ID, {"id": 1})
    assert rows_of(tmp_path) == [{"id": 3}, {"id": None}, {"id": 1}]


def test_rows_are_invisible_before_commit(tmp_path: Path) -> None:
    table = ParquetTable(tmp_path)
    add(table, FIRST, ID, {"id": 1})
    begin(table, SECOND).write(batch(ID, {"id": 2}))
    assert rows_of(tmp_path) == [{"id": 1}]


def test_batch_that_is_there_already_is_told_by_a_fresh_table(tmp_path: Path) -> None:
    add(ParquetTable(tmp_path), FIRST, ID, {"id": 1})
    table = ParquetTable(tmp_path)
    found = [table.begin(QUERY, FIRST, ID), table.begin("other", FIRST, ID)]
    assert [one is None for one in found] == [True, False]


def test_batch_without_rows_is_there_too(tmp_path: Path) -> None:
    begin(ParquetTable(tmp_path), FIRST).commit()
    table = ParquetTable(tmp_path)
    assert (table.begin(QUERY, FIRST, ID), rows_of(tmp_path)) == (None, [])


def test_abort_removes_what_was_staged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_table, "PART_SIZE", 1)
    staging = begin(ParquetTable(tmp_path), FIRST)
    for number in range(parquet_table.WRITERS + 1):  # the last one waits for the first
        staging.write(batch(ID, {"id": number}))
    staged = len(part_files(tmp_path))
    staging.abort()
    assert (staged > 0, part_files(tmp_path)) == (True, [])


def test_abort_keeps_what_a_failed_commit_made_visible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manifest entry has its name when its folder cannot be synced."""
    staging = begin(ParquetTable(tmp_path), FIRST)
    staging.write(batch(ID, {"id": 1}))

    def full(folder: Path) -> None:
        if folder.name == "_manifest":
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("schema_store.metadata_log.sync_folder", full)
    with pytest.raises(SinkNotWritableError):
        staging.commit()
    staging.abort()
    assert rows_of(tmp_path) == [{"id": 1}]


def test_large_batch_is_written_in_several_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_table, "PART_SIZE", 8)
    staging = begin(ParquetTable(tmp_path), FIRST)
    for number in range(6):
        staging.write(batch(ID, {"id": number}))
    staging.commit()
    assert ([row["id"] for row in rows_of(tmp_path)], len(part_files(tmp_path))) == (
        [0, 1, 2, 3, 4, 5],
        3,
    )


def test_batches_with_different_arrow_text_types_go_into_one_part(tmp_path: Path) -> None:
    staging = begin(ParquetTable(tmp_path), FIRST, parse_ddl("s STRING"))
    for kind in (pa.string(), pa.string_view(), pa.large_string()):
        staging.write(pa.RecordBatch.from_arrays([pa.array(["ü"], kind)], names=["s"]))
    staging.commit()
    assert (rows_of(tmp_path), len(part_files(tmp_path))) == ([{"s": "ü"}] * 3, 1)


def test_part_of_a_killed_attempt_is_invisible_then_removed(tmp_path: Path) -> None:
    table = ParquetTable(tmp_path)
    add(table, FIRST, ID, {"id": 1})
    (good,) = part_files(tmp_path)
    orphan = tmp_path / good.replace("-00000-", "-00001-")
    orphan.write_bytes((tmp_path / good).read_bytes())
    seen = rows_of(tmp_path)
    begin(ParquetTable(tmp_path), SECOND)
    assert (seen, part_files(tmp_path)) == ([{"id": 1}], [good])


def test_parts_of_other_queries_stay(tmp_path: Path) -> None:
    staging = begin(ParquetTable(tmp_path), FIRST, query="other")
    staging.write(batch(ID, {"id": 1}))
    add(ParquetTable(tmp_path), FIRST, ID, {"id": 2})
    staging.commit()
    assert [row["id"] for row in rows_of(tmp_path)] == [2, 1]


def test_two_writers_that_race_both_land_once(tmp_path: Path) -> None:
    one, two = ParquetTable(tmp_path), ParquetTable(tmp_path)
    stagings = [begin(one, FIRST, query="one"), begin(two, FIRST, query="two")]
    for number, staging in enumerate(stagings):
        staging.write(batch(ID, {"id": number}))
    for staging in stagings:
        staging.commit()
    assert [row["id"] for row in rows_of(tmp_path)] == [0, 1]


def test_twin_of_a_batch_lands_once(tmp_path: Path) -> None:
    stagings = [begin(ParquetTable(tmp_path), FIRST) for _ in range(2)]
    for staging in stagings:
        staging.write(batch(ID, {"id": 1}))
        staging.commit()
    assert (rows_of(tmp_path), len(part_files(tmp_path))) == ([{"id": 1}], 1)


def test_writers_that_race_merge_their_schemas(tmp_path: Path) -> None:
    one, two = ParquetTable(tmp_path), ParquetTable(tmp_path)
    a, b = parse_ddl("id INT, a STRING"), parse_ddl("id BIGINT, b STRING")
    first, second = begin(one, FIRST, a, query="one"), begin(two, FIRST, b, query="two")
    first.commit()
    second.commit()
    assert to_ddl(read_parquet_table(tmp_path)[0]) == "id BIGINT, b STRING, a STRING"


@pytest.mark.parametrize(
    ("old", "value", "new", "expected"),
    [
        ("INT", 1, "BIGINT", 1),
        ("BIGINT", 2**40, "INT", 2**40),  # the table stays wider than the stream
        ("INT", 7, "DOUBLE", 7.0),
        ("INT", 7, "DECIMAL(12,2)", Decimal("7.00")),
        ("BIGINT", 2**62, "DECIMAL(22,2)", Decimal(2**62)),
        ("DECIMAL(5,2)", Decimal("1.25"), "DECIMAL(12,4)", Decimal("1.2500")),
        ("FLOAT", 0.5, "DOUBLE", 0.5),
        ("ARRAY<INT>", [1, None], "ARRAY<BIGINT>", [1, None]),
        ("STRUCT<a: INT>", {"a": 1}, "STRUCT<a: BIGINT>", {"a": 1}),
    ],
)
def test_rows_of_a_narrower_schema_are_read_back_in_the_table_type(
    old: str, value: Any, new: str, expected: Any, tmp_path: Path
) -> None:
    table = ParquetTable(tmp_path)
    add(table, FIRST, parse_ddl(f"v {old}"), {"v": value})
    begin(table, SECOND, parse_ddl(f"v {new}")).commit()
    assert rows_of(tmp_path) == [{"v": expected}]


def test_new_columns_are_null_in_earlier_rows(tmp_path: Path) -> None:
    table = ParquetTable(tmp_path)
    add(table, FIRST, ID, {"id": 1})
    add(table, SECOND, parse_ddl("id INT, n STRING"), {"id": 2, "n": "x"})
    assert rows_of(tmp_path) == [{"id": 1, "n": None}, {"id": 2, "n": "x"}]


def test_columns_that_the_stream_lacks_stay_at_the_end(tmp_path: Path) -> None:
    table = ParquetTable(tmp_path)
    add(table, FIRST, parse_ddl("old STRING, id INT"), {"old": "x", "id": 1})
    add(table, SECOND, ID, {"id": 2})
    assert rows_of(tmp_path) == [{"id": 1, "old": "x"}, {"id": 2, "old": None}]


@pytest.mark.parametrize(
    ("old", "new"),
    [("v STRING", "v INT"), ("v INT", "v STRING"), ("v INT", "V INT"), ("v BIGINT", "v DOUBLE")],
)
def test_schema_that_does_not_fit_is_refused_by_column(old: str, new: str, tmp_path: Path) -> None:
    table = ParquetTable(tmp_path)
    begin(table, FIRST, parse_ddl(old)).commit()
    with pytest.raises(IncompatibleTableError) as caught:
        table.begin(QUERY, SECOND, parse_ddl(new))
    assert (caught.value.where, caught.value.column, caught.value.incoming) == (
        str(tmp_path),
        old,
        new,
    )


def test_table_in_a_hive_style_folder_has_no_more_columns(tmp_path: Path) -> None:
    folder = tmp_path / "country=no"
    add(ParquetTable(folder), FIRST, parse_ddl("country STRING"), {"country": "se"})
    assert rows_of(folder) == [{"country": "se"}]


def test_missing_table_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(TableNotFoundError) as caught:
        read_parquet_table(tmp_path / "t")
    assert caught.value.where == "t"


@pytest.mark.parametrize(
    "content", [b"", b"v1\n{}", b"v1\nno json", b"v2\n{}", b'v1\n{"queryId":"a","batchId":0}']
)
def test_damaged_manifest_is_an_error_with_facts(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "_manifest").mkdir()
    (tmp_path / "_manifest" / "0").write_bytes(content)
    with pytest.raises(DamagedTableError) as caught:
        ParquetTable(tmp_path).begin(QUERY, FIRST, ID)
    assert str(tmp_path / "_manifest" / "0") in str(caught.value)


def test_gap_in_the_manifest_is_an_error_with_facts(tmp_path: Path) -> None:
    table = ParquetTable(tmp_path)
    for number in range(3):
        add(table, BatchId(number), ID, {"id": number})
    (tmp_path / "_manifest" / "1").unlink()
    with pytest.raises(DamagedTableError) as caught:
        read_parquet_table(tmp_path)
    assert caught.value.where == str(tmp_path / "_manifest" / "1")


def test_missing_data_file_is_an_error_with_facts(tmp_path: Path) -> None:
    add(ParquetTable(tmp_path), FIRST, ID, {"id": 1})
    (name,) = part_files(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(DamagedTableError) as caught:
        read_parquet_table(tmp_path)
    assert caught.value.where == str(tmp_path / name)


def test_folder_that_is_a_file_is_an_error_with_facts(tmp_path: Path) -> None:
    place = tmp_path / "table"
    place.write_text("x")
    with pytest.raises(SinkError) as caught:
        ParquetTable(place).begin(QUERY, FIRST, ID)
    assert str(place) in str(caught.value)


def test_full_disk_is_an_error_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    staging = begin(ParquetTable(tmp_path), FIRST)
    staging.write(batch(ID, {"id": 1}))

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SinkNotWritableError) as caught:
        staging.commit()
    assert ("no space left" in caught.value.found, part_files(tmp_path)) == (True, [])

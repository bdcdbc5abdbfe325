"""Reading Delta tables: every file under its own schema, at any version, as Arrow and lazily."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest import scan_table
from ingest.delta.scan import partition_scalar
from ingest.errors import (
    DamagedTableError,
    OperationNotSupportedError,
    TableFeatureNotSupportedError,
    TableNotFoundError,
    TableVersionNotFoundError,
)
from ingest.sinks.parquet_table import ParquetTable
from ingest.table_reader import read_table
from schema_store.ddl import parse_ddl
from schema_store.types import DateType, DecimalType, TimestampType
from tests.delta.deleted_rows import deletion_vector
from tests.delta.tables import (
    LEGACY,
    WIDENING,
    HandWritten,
    append_rows,
    metadata,
    protocol,
    settings,
)

if TYPE_CHECKING:
    from pathlib import Path

ID = parse_ddl("id BIGINT")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "table"


def rows_of(folder: Path, version: int | None = None) -> list[dict[str, Any]]:
    """Read the rows both ways, which must agree."""
    rows: list[dict[str, Any]] = read_table(folder, version)[1].to_pylist()
    lazy = scan_table(folder, version).collect().to_arrow().to_pylist()
    assert lazy == rows
    return rows


def test_a_column_that_a_file_lacks_is_null(folder: Path) -> None:
    append_rows(folder, "id BIGINT", [{"id": 1}])
    append_rows(folder, "id BIGINT, name STRING", [{"id": 2, "name": "b"}])
    assert rows_of(folder) == [{"id": 1, "name": None}, {"id": 2, "name": "b"}]


def test_a_nested_field_that_a_file_lacks_is_null(folder: Path) -> None:
    append_rows(folder, "s STRUCT<a: INT>", [{"s": {"a": 1}}, {"s": None}])
    append_rows(folder, "s STRUCT<a: INT, b: STRING>", [{"s": {"a": 2, "b": "x"}}])
    assert rows_of(folder) == [
        {"s": {"a": 1, "b": None}},
        {"s": None},
        {"s": {"a": 2, "b": "x"}},
    ]


def test_an_older_version_is_read_as_it_was(folder: Path) -> None:
    append_rows(folder, "id INT", [{"id": 1}], settings(WIDENING))
    append_rows(folder, "id BIGINT", [{"id": 2**40}])
    assert rows_of(folder, 0) == [{"id": 1}]
    assert read_table(folder, 0)[0] == parse_ddl("id INT")
    assert rows_of(folder) == [{"id": 1}, {"id": 2**40}]


def test_a_table_without_rows_has_its_columns(folder: Path) -> None:
    HandWritten(folder).entry(LEGACY, metadata(parse_ddl("id BIGINT, m MAP<STRING, INT>")))
    assert read_table(folder)[1].num_rows == 0
    assert scan_table(folder).collect_schema() == {
        "id": pl.Int64(),
        "m": pl.Map(pl.String, pl.Int32),
    }


def test_maps_are_maps_in_polars(folder: Path) -> None:
    append_rows(folder, "m MAP<INT, INT>", [{"m": [(1, 2)]}, {"m": None}], settings(WIDENING))
    append_rows(folder, "m MAP<BIGINT, INT>", [{"m": [(2**40, None)]}])
    assert scan_table(folder).collect_schema()["m"] == pl.Map(pl.Int64, pl.Int32)
    assert rows_of(folder) == [{"m": [(1, 2)]}, {"m": None}, {"m": [(2**40, None)]}]


def test_a_predicate_and_a_projection_reach_every_file(folder: Path) -> None:
    append_rows(folder, "id INT, x STRING", [{"id": 1, "x": "a"}], settings(WIDENING))
    append_rows(folder, "id BIGINT, x STRING", [{"id": 2**40, "x": "b"}])
    asked = scan_table(folder).filter(pl.col("id") > 1).select("id")
    plan = asked.explain()
    assert plan.count("PROJECT 1/2 COLUMNS") == 2
    assert plan.count("SELECTION:") == 2
    assert asked.collect().to_dicts() == [{"id": 2**40}]


@pytest.mark.parametrize("columns", [["day"], ["new"], ["day", "new"], ["id"]])
def test_any_projection_has_all_rows(folder: Path, columns: list[str]) -> None:
    given = settings(partition=("day",))
    append_rows(
        folder, "id INT, day DATE", [{"id": n, "day": dt.date(2024, 1, 1)} for n in range(3)], given
    )
    append_rows(folder, "id INT, new INT, day DATE", [{"id": 3, "new": 3, "day": None}], given)
    assert scan_table(folder).select(columns).collect().height == 4


def test_partition_values_come_from_the_log(folder: Path) -> None:
    ddl = "id INT, day DATE, price DECIMAL(5, 2)"
    rows: list[dict[str, Any]] = [
        {"id": 1, "day": dt.date(2024, 2, 29), "price": Decimal("1.50")},
        {"id": 2, "day": None, "price": Decimal("-0.01")},
    ]
    append_rows(folder, ddl, rows, settings(partition=("day", "price")))
    assert sorted(rows_of(folder), key=lambda row: row["id"]) == rows


def test_a_filter_on_a_partition_column_is_exact(folder: Path) -> None:
    rows: list[dict[str, Any]] = [{"id": n, "p": "a" if n % 2 else None} for n in range(4)]
    append_rows(folder, "id INT, p STRING", rows, settings(partition=("p",)))
    found = scan_table(folder).filter(pl.col("p") == "a").select("id").collect()
    assert sorted(found["id"]) == [1, 3]


def test_a_timestamp_partition_without_a_zone_is_utc() -> None:
    found = partition_scalar("2024-01-02 03:04:05.678", TimestampType()).as_py()
    assert found == dt.datetime(2024, 1, 2, 3, 4, 5, 678000, tzinfo=dt.UTC)


def test_an_empty_partition_value_is_null() -> None:
    assert partition_scalar("", DateType()).as_py() is None
    assert partition_scalar("7.5", DecimalType(5, 2)).as_py() == Decimal("7.50")


def test_a_bad_partition_value_is_one_error(folder: Path) -> None:
    table = HandWritten(folder)
    rows = pa.table({"id": pa.array([1], pa.int64())})
    add = table.file("a.parquet", rows, partitionValues={"n": "x"})
    table.entry(LEGACY, metadata(parse_ddl("id BIGINT, n INT"), partition=["n"]), add)
    with pytest.raises(DamagedTableError) as caught:
        read_table(folder)
    assert str(folder) in caught.value.where


def mapped_metadata(mode: str) -> dict[str, Any]:
    """Give columns `b BIGINT, s STRUCT<y BIGINT>` that are a, b, c3 in the files."""

    def renamed(kind: object, physical: str, number: int) -> dict[str, Any]:
        keys = {"delta.columnMapping.physicalName": physical, "delta.columnMapping.id": number}
        return {"type": kind, "nullable": True, "metadata": keys}

    inner = {"type": "struct", "fields": [{"name": "y", **renamed("long", "c3", 3)}]}
    fields = [{"name": "b", **renamed("long", "a", 1)}, {"name": "s", **renamed(inner, "b", 2)}]
    properties = {"delta.columnMapping.mode": mode, "delta.columnMapping.maxColumnId": "3"}
    found = metadata(ID, **properties)
    found["metaData"]["schemaString"] = json.dumps({"type": "struct", "fields": fields})
    return found


def test_renamed_columns_are_found_by_their_physical_names(folder: Path) -> None:
    inner = pa.array([{"c3": 5}], pa.struct([("c3", pa.int32())]))
    table = HandWritten(folder)
    add = table.file("a.parquet", pa.table({"a": pa.array([1], pa.int32()), "b": inner}))
    table.entry(protocol("columnMapping", "typeWidening"), mapped_metadata("name"), add)
    assert rows_of(folder) == [{"b": 1, "s": {"y": 5}}]


def test_deleted_rows_are_left_out(folder: Path) -> None:
    table = HandWritten(folder)
    add = table.file(
        "a.parquet",
        pa.table({"id": pa.array(range(10), pa.int64())}),
        deletionVector=deletion_vector([0, 3, 7]),
        stats='{"numRecords":10}',
    )
    whole = table.file("b.parquet", pa.table({"id": pa.array([100], pa.int64())}))
    table.entry(protocol("deletionVectors"), metadata(ID), add, whole)
    assert [row["id"] for row in rows_of(folder)] == [1, 2, 4, 5, 6, 8, 9, 100]


def test_a_deletion_vector_that_cannot_be_read_is_one_error(folder: Path) -> None:
    table = HandWritten(folder)
    vector = {**deletion_vector([1]), "storageType": "p", "pathOrInlineDv": f"{folder}/gone.bin"}
    rows = pa.table({"id": pa.array(range(3), pa.int64())})
    add = table.file("a.parquet", rows, deletionVector=vector, stats='{"numRecords":3}')
    table.entry(protocol("deletionVectors"), metadata(ID), add)
    with pytest.raises(DamagedTableError, match="deletion vectors that cannot be read"):
        read_table(folder)


def test_deleted_rows_are_left_out_behind_a_symbolic_link(folder: Path, tmp_path: Path) -> None:
    table = HandWritten(folder)
    rows = pa.table({"id": pa.array(range(3), pa.int64())})
    add = table.file("a b%.parquet", rows, path="a%20b%25.parquet")
    add["add"] |= {"deletionVector": deletion_vector([1]), "stats": '{"numRecords":3}'}
    table.entry(protocol("deletionVectors"), metadata(ID), add)
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert [row["id"] for row in rows_of(link)] == [0, 2]


def test_a_frame_may_be_collected_in_another_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_rows(folder, "id INT", [{"id": 1}])
    monkeypatch.chdir(tmp_path)
    frame = scan_table(folder.name)
    monkeypatch.chdir("/")
    assert frame.collect().to_dicts() == [{"id": 1}]


@pytest.mark.parametrize("name", ["a[1]", "a*", "a?", "{a}"])
def test_a_folder_is_no_pattern(name: str, tmp_path: Path) -> None:
    append_rows(tmp_path / name, "id INT", [{"id": 1}])
    assert rows_of(tmp_path / name) == [{"id": 1}]


def test_old_timestamps_of_spark_are_utc(folder: Path) -> None:
    moment = dt.datetime(2024, 1, 2, 3, 4, 5, 678901)  # noqa: DTZ001 - INT96 has no zone
    rows = pa.table({"at": pa.array([moment], pa.timestamp("us"))})
    table = HandWritten(folder)
    add = table.file("a.parquet", rows)
    pq.write_table(rows, folder / "a.parquet", use_deprecated_int96_timestamps=True)
    table.entry(LEGACY, metadata(parse_ddl("at TIMESTAMP")), add)
    assert rows_of(folder) == [{"at": moment.replace(tzinfo=dt.UTC)}]


def test_an_unknown_reader_feature_is_refused_by_name(folder: Path) -> None:
    HandWritten(folder).entry(protocol("typeWidening", "variantType"), metadata(ID))
    with pytest.raises(TableFeatureNotSupportedError) as caught:
        read_table(folder)
    assert caught.value.features == ("variantType",)
    assert caught.value.where == str(folder)


def test_column_mapping_by_id_is_refused_by_name(folder: Path) -> None:
    HandWritten(folder).entry(protocol("columnMapping"), mapped_metadata("id"))
    with pytest.raises(TableFeatureNotSupportedError) as caught:
        scan_table(folder)
    assert caught.value.features == ("delta.columnMapping.mode=id",)


def test_no_table_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(TableNotFoundError, match="no table at"):
        read_table(tmp_path / "nowhere")
    with pytest.raises(TableNotFoundError):
        scan_table(tmp_path)


def test_a_version_that_is_not_there_is_one_error(folder: Path) -> None:
    append_rows(folder, "id INT", [{"id": 1}])
    with pytest.raises(TableVersionNotFoundError) as caught:
        scan_table(folder, 7)
    assert (caught.value.version, caught.value.newest) == (7, 0)


@pytest.mark.parametrize("read", [read_table, scan_table])
def test_a_missing_data_file_is_named(folder: Path, read: Any) -> None:
    append_rows(folder, "id INT", [{"id": 1}])
    (path,) = folder.glob("*.parquet")
    path.unlink()
    with pytest.raises(DamagedTableError) as caught:
        read(folder)
    assert (caught.value.where, caught.value.found) == (str(path), "a data file that is missing")


@pytest.mark.parametrize("read", [read_table, scan_table])
def test_a_damaged_data_file_is_named(folder: Path, read: Any) -> None:
    append_rows(folder, "id INT", [{"id": 1}])
    (path,) = folder.glob("*.parquet")
    path.write_bytes(b"PAR1 no Parquet")
    with pytest.raises(DamagedTableError) as caught:
        read(folder)
    assert caught.value.where == str(path)


@pytest.mark.parametrize("text", ["{", '{"add": 5}', "[]"])
def test_a_damaged_log_entry_is_named(folder: Path, text: str) -> None:
    append_rows(folder, "id INT", [{"id": 1}])
    append_rows(folder, "id INT", [{"id": 2}])
    entry = folder / "_delta_log" / f"{1:020}.json"
    entry.write_text(text)
    with pytest.raises(DamagedTableError) as caught:
        read_table(folder)
    assert caught.value.where == str(entry)


@pytest.mark.parametrize("read", [read_table, scan_table])
def test_a_file_of_another_type_is_no_guess(folder: Path, read: Any) -> None:
    table = HandWritten(folder)
    add = table.file("a.parquet", pa.table({"id": ["x"]}))
    table.entry(LEGACY, metadata(ID), add)
    with pytest.raises(DamagedTableError) as caught:
        read(folder)
    assert caught.value.where == str(folder / "a.parquet")
    assert "id" in caught.value.found


def test_a_parquet_table_is_read_by_what_lies_there(folder: Path) -> None:
    ParquetTable(folder).create(ID)
    assert read_table(folder)[0] == ID
    assert scan_table(folder).collect_schema() == {"id": pl.Int64()}
    with pytest.raises(OperationNotSupportedError):
        read_table(folder, 0)

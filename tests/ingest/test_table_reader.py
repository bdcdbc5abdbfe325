"""A table is read by what lies in its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest import scan_table
from ingest.errors import DamagedTableError
from ingest.file_entry import BatchId
from ingest.sinks.parquet_table import ParquetTable
from ingest.table_reader import read_table
from schema_store.ddl import parse_ddl
from tests.delta.tables import append_rows, arrow_rows

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "table"


def write_parquet(folder: Path, batch_id: int, ddl: str, *rows: dict[str, Any]) -> None:
    schema = parse_ddl(ddl)
    staging = ParquetTable(folder).begin("query", BatchId(batch_id), schema)
    assert staging is not None
    for batch in arrow_rows(rows, schema).to_batches():
        staging.write(batch)
    staging.commit()


def rows_of(folder: Path) -> list[dict[str, Any]]:
    """Read the rows both ways, which must agree."""
    rows: list[dict[str, Any]] = read_table(folder)[1].to_pylist()
    assert scan_table(folder).collect().to_arrow().to_pylist() == rows
    return rows


def test_nested_types_of_a_parquet_table_may_have_become_wider(folder: Path) -> None:
    write_parquet(folder, 0, "s STRUCT<a: INT>, l ARRAY<INT>", {"s": {"a": 1}, "l": [1, None]})
    write_parquet(folder, 1, "s STRUCT<a: BIGINT>, l ARRAY<BIGINT>", {"s": None, "l": [2**40]})
    assert rows_of(folder) == [{"s": {"a": 1}, "l": [1, None]}, {"s": None, "l": [2**40]}]


def test_not_null_of_a_users_schema_binds_no_parquet_table(folder: Path) -> None:
    write_parquet(folder, 0, "id INT", {"id": None})
    write_parquet(folder, 1, "id INT NOT NULL", {"id": 1})
    assert rows_of(folder) == [{"id": None}, {"id": 1}]


def test_a_part_of_another_type_is_named(folder: Path) -> None:
    write_parquet(folder, 0, "id INT", {"id": 1})
    (part,) = folder.glob("*.parquet")
    pq.write_table(pa.table({"id": ["x"]}), part)
    with pytest.raises(DamagedTableError) as caught:
        read_table(folder)
    assert caught.value.where == str(part)


def test_a_delta_table_wins_over_other_files_in_its_folder(folder: Path) -> None:
    append_rows(folder, "id INT", [{"id": 1}])
    (folder / "notes.txt").write_text("mine")
    assert rows_of(folder) == [{"id": 1}]

"""The table in memory: exact within one process (contract 7.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from ingest.errors import IncompatibleTableError
from ingest.file_entry import BatchId
from ingest.sinks.memory_table import MemoryStaging, MemoryTable
from ingest.table_reader import conform_batches
from schema_store.ddl import parse_ddl

if TYPE_CHECKING:
    from schema_store.types import Schema

FIRST, SECOND = BatchId(0), BatchId(1)
ID = parse_ddl("id INT")


def begin(table: MemoryTable, batch_id: BatchId, schema: Schema = ID) -> MemoryStaging:
    staging = table.begin("query", batch_id, schema)
    assert staging is not None
    return staging


def add(table: MemoryTable, batch_id: BatchId, schema: Schema, **columns: list[Any]) -> None:
    staging = begin(table, batch_id, schema)
    staging.write(pa.RecordBatch.from_pydict(columns))
    staging.commit()


def rows(table: MemoryTable) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = conform_batches(*table.snapshot()).to_pylist()
    return found


def test_rows_are_invisible_before_commit() -> None:
    table = MemoryTable("t")
    begin(table, FIRST).write(pa.RecordBatch.from_pydict({"id": [1]}))
    assert rows(table) == []


def test_rows_come_back_in_order() -> None:
    table = MemoryTable("t")
    add(table, FIRST, ID, id=[2, None])
    add(table, SECOND, ID, id=[1])
    assert rows(table) == [{"id": 2}, {"id": None}, {"id": 1}]


def test_batch_that_is_there_already_is_told() -> None:
    table = MemoryTable("t")
    add(table, FIRST, ID, id=[1])
    found = [table.begin("query", FIRST, ID), table.begin("other", FIRST, ID)]
    assert [one is None for one in found] == [True, False]


def test_aborted_batch_can_begin_again() -> None:
    table = MemoryTable("t")
    staging = begin(table, FIRST)
    staging.write(pa.RecordBatch.from_pydict({"id": [1]}))
    staging.abort()
    add(table, FIRST, ID, id=[2])
    assert rows(table) == [{"id": 2}]


def test_schema_grows_and_widens() -> None:
    table = MemoryTable("t")
    add(table, FIRST, ID, id=[1])
    add(table, SECOND, parse_ddl("id BIGINT, n STRING"), id=[2**40], n=["x"])
    assert rows(table) == [{"id": 1, "n": None}, {"id": 2**40, "n": "x"}]


def test_schema_that_does_not_fit_is_refused_by_column() -> None:
    table = MemoryTable("t")
    add(table, FIRST, ID, id=[1])
    with pytest.raises(IncompatibleTableError) as caught:
        table.begin("query", SECOND, parse_ddl("id STRING"))
    assert (caught.value.where, caught.value.column) == ("t", "id INT")


def test_snapshot_stays_as_it_is_while_batches_come() -> None:
    table = MemoryTable("t")
    add(table, FIRST, ID, id=[1])
    batches, schema = table.snapshot()
    add(table, SECOND, parse_ddl("id BIGINT"), id=[2])
    assert (conform_batches(batches, schema).to_pylist(), schema) == ([{"id": 1}], ID)


def test_columns_of_two_queries_that_run_at_once_are_all_kept() -> None:
    table = MemoryTable("t")
    add(table, FIRST, ID, id=[1])
    one = begin(table, SECOND, parse_ddl("id INT, a INT"))
    other = table.begin("other", FIRST, parse_ddl("id INT, b INT"))
    assert other is not None
    for staging, column in ((one, "a"), (other, "b")):
        staging.write(pa.RecordBatch.from_pydict({"id": [2], column: [3]}))
        staging.commit()
    assert rows(table) == [
        {"id": 1, "a": None, "b": None},
        {"id": 2, "a": 3, "b": None},
        {"id": 2, "a": None, "b": 3},
    ]

"""A table in memory: exact within one process (contract 7.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.sinks.parquet_table import merge_table_schema
from schema_store.types import Schema, StructType

if TYPE_CHECKING:
    import pyarrow as pa

    from ingest.file_entry import BatchId


@dataclass(slots=True)
class MemoryTable:
    """The sink: batches by (query, batch id), in the order they came."""

    name: str
    schema: Schema = field(default_factory=lambda: StructType(()))
    batches: dict[tuple[str, int], list[pa.RecordBatch]] = field(default_factory=dict)

    @property
    def description(self) -> str:
        """Name the sink for progress reports."""
        return f"MemoryTable[{self.name}]"

    def snapshot(self) -> tuple[list[pa.RecordBatch], Schema]:
        """Give the rows of all batches and a schema that holds them; a stream may be running."""
        batches = list(self.batches.values())  # a copy: the stream's thread adds to it
        return [rows for batch in batches for rows in batch], self.schema

    def create(self, schema: Schema) -> None:
        """Show the columns, without rows, unless there are batches."""
        if not self.batches:
            self.schema = schema

    def begin(self, query_id: str, batch_id: BatchId, schema: Schema) -> MemoryStaging | None:
        """Give a staging, or None when the batch is already there."""
        if (query_id, batch_id) in self.batches:
            return None
        table = self.schema if self.batches else None
        merged = merge_table_schema(self.name, table, schema)
        return MemoryStaging(self, (query_id, batch_id), merged)


@dataclass(slots=True)
class MemoryStaging:
    """Rows of one batch that the table does not show yet."""

    table: MemoryTable
    key: tuple[str, int]
    schema: Schema
    rows: list[pa.RecordBatch] = field(default_factory=list)

    def write(self, rows: pa.RecordBatch) -> None:
        """Take rows."""
        self.rows.append(rows)

    def commit(self) -> None:
        """Show the rows; another query may have added columns since this batch began."""
        table = self.table
        known = table.schema if table.batches else None
        table.schema = merge_table_schema(table.name, known, self.schema)
        self.table.batches[self.key] = self.rows

    def abort(self) -> None:
        """Forget the rows."""
        self.rows = []

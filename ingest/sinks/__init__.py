"""Where rows go. A sink is staged: nothing is visible before `commit` (contract 8.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import pyarrow as pa

    from ingest.file_entry import BatchId
    from schema_store.types import Schema


class Staging(Protocol):
    """Rows of one batch on their way into a table."""

    def write(self, rows: pa.RecordBatch) -> None:
        """Take rows; they are not visible yet."""

    def commit(self) -> None:
        """Make all rows visible in one atomic step, together with the batch's id."""

    def abort(self) -> None:
        """Remove what was staged."""


class Sink(Protocol):
    """A table, or something like it, that takes each batch once."""

    def begin(self, query_id: str, batch_id: BatchId, schema: Schema) -> Staging | None:
        """Give a staging for the batch, or None when the batch is already there."""

    def create(self, schema: Schema) -> None:
        """Make the table, without rows, unless it is there."""

    @property
    def description(self) -> str:
        """Name the sink for progress reports."""

"""`foreachBatch`: each batch's rows are handed to a function of the user's.

At least once, with a stable batch id (contract 7.4): nothing tells whether the function has taken a
batch, so a crash after the function and before the commit calls it again with the same id and the
same files. A function that must not act twice keeps the batch id beside what it writes.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from ingest.errors import ForeachBatchError
from ingest.sinks.gathered import gather

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from ingest.file_entry import BatchId
    from schema_store.types import Schema

BatchFunction: TypeAlias = "Callable[[Schema, pa.Table, int], None]"
"""What is called with a batch's schema, its rows and its id."""


@dataclass(frozen=True, slots=True)
class ForeachBatch:
    """The sink; it keeps nothing, so every batch is new to it."""

    call: BatchFunction

    @property
    def description(self) -> str:
        """Name the sink for progress reports, as Spark does."""
        return "ForeachBatchSink"

    def create(self, schema: Schema) -> None:
        """Do nothing: without a batch there is no call (seen on Spark 4.3.0)."""

    def begin(self, query_id: str, batch_id: BatchId, schema: Schema) -> ForeachBatchStaging:  # noqa: ARG002 - the protocol's
        """Give a staging; the batch is never there already."""
        return ForeachBatchStaging(self.call, batch_id, schema)


@dataclass(slots=True)
class ForeachBatchStaging:
    """Rows of one batch, in memory until the function is called."""

    call: BatchFunction
    batch_id: BatchId
    schema: Schema
    rows: list[pa.RecordBatch] = field(default_factory=list)

    def write(self, rows: pa.RecordBatch) -> None:
        """Take rows."""
        self.rows.append(rows)

    def commit(self) -> None:
        """Call the function; raises `ForeachBatchError` from whatever it raises."""
        table = gather(self.rows, self.schema)
        self.rows = []
        try:
            self.call(self.schema, table, self.batch_id)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            trace = "".join(traceback.format_exception(error))
            raise ForeachBatchError(self.batch_id, reason, trace) from error

    def abort(self) -> None:
        """Forget the rows."""
        self.rows = []

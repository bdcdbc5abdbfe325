"""`format("console")`: each batch is printed, as Spark's `ConsoleTable` prints it.

At least once: a batch that was printed and not committed is printed again.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from ingest.sinks.gathered import gather

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from ingest.file_entry import BatchId
    from schema_store.types import Schema

Draw: TypeAlias = "Callable[[Schema, pa.Table], str]"
"""What draws a table of the first rows, as `show` does."""

_RULE = "-" * 43


@dataclass(frozen=True, slots=True)
class Console:
    """The sink; `draw` gets the first `rows` rows of a batch, and one more if there are more."""

    draw: Draw
    rows: int

    @property
    def description(self) -> str:
        """Name the sink for progress reports."""
        return "ConsoleTable"

    def create(self, schema: Schema) -> None:
        """Do nothing: without a batch nothing is printed."""

    def begin(self, query_id: str, batch_id: BatchId, schema: Schema) -> ConsoleStaging:  # noqa: ARG002 - the protocol's
        """Give a staging; the batch is never there already."""
        return ConsoleStaging(self, batch_id, schema)


@dataclass(slots=True)
class ConsoleStaging:
    """The first rows of one batch; the others are not kept."""

    sink: Console
    batch_id: BatchId
    schema: Schema
    kept: list[pa.RecordBatch] = field(default_factory=list)
    missing: int = field(init=False)

    def __post_init__(self) -> None:
        self.missing = self.sink.rows + 1

    def write(self, rows: pa.RecordBatch) -> None:
        """Take rows, as many as are shown and one more."""
        if self.missing > 0:
            part = rows.slice(0, self.missing)
            self.kept.append(part)
            self.missing -= part.num_rows

    def commit(self) -> None:
        """Print the batch."""
        table = gather(self.kept, self.schema)
        text = self.sink.draw(self.schema, table)
        sys.stdout.write(f"{_RULE}\nBatch: {self.batch_id}\n{_RULE}\n{text}\n\n")
        sys.stdout.flush()

    def abort(self) -> None:
        """Forget the rows."""
        self.kept = []

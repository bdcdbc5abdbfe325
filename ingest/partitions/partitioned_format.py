"""Rows get what their files' folders say, whatever the format (contract 2.7).

A format sees the columns of the files only; here the others are added to what it has read, as
constants of each file. Partition columns never evolve: a value that does not fit is rescued, and a
column of the same name in a file is no news.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pyarrow as pa

from ingest.ledger import sum_entries
from ingest.partitions.losses import changed_entries, differing_entries, misfit_entries
from ingest.partitions.rescuing import add_to_rescued
from ingest.partitions.runs import Paths
from ingest.read_batch import Findings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.file_entry import FileEntry
    from ingest.formats import Format
    from ingest.ledger import LedgerEntry
    from ingest.partitions.runs import Run
    from ingest.read_batch import Inferred, ReadBatch
    from ingest.stream_options import ReadSettings
    from schema_store.types import Schema


@dataclass(frozen=True, slots=True)
class PartitionedFormat:
    """A format whose rows have partition columns, too; `base` is the landing folder's fixed part.

    Raises what the format raises.
    """

    inner: Format
    base: bytes
    columns: Schema
    settings: ReadSettings

    def infer(self, files: Sequence[FileEntry]) -> Inferred:
        """Give the observed schema of what is in the files."""
        return self.inner.infer(files)

    def look(self, files: Sequence[FileEntry], schema: Schema) -> Findings:
        """Find unknown fields; a partition column is none."""
        return self._without_known(self.inner.look(files, schema))

    def read(self, files: Sequence[FileEntry], schema: Schema) -> Iterator[ReadBatch]:
        """Read consecutive files; `schema` has the columns of the files."""
        paths = Paths(self.base, self.settings)
        for batch in self.inner.read(files, schema):
            yield self._add(batch, schema, paths)

    def _without_known(self, findings: Findings) -> Findings:
        unknown = tuple(
            one for one in findings.unknown if self.columns.find_ignoring_case(one.path[0]) is None
        )
        return replace(findings, unknown=unknown)

    def _add(self, batch: ReadBatch, schema: Schema, paths: Paths) -> ReadBatch:
        runs = paths.runs(batch)
        values = [paths.values(runs, column) for column in self.columns]
        losses = [*self._replaced(batch, schema, paths, runs)]
        losses += (entry for one in values for entry in changed_entries(runs, one))
        rows, rescued_rows = batch.rows, 0
        if self.settings.rescued_column is None:
            losses += (entry for one in values for entry in misfit_entries(runs, one))
        else:
            file_path = self.settings.file_path_in_rescued
            last = rows.num_columns - 1
            rescued, rescued_rows = add_to_rescued(
                rows.column(last), runs, values, file_path=file_path
            )
            rows = rows.set_column(last, self.settings.rescued_column, rescued)
        met = Findings(rescued_rows=rescued_rows, losses=sum_entries(losses))
        findings = self._without_known(batch.findings) + met
        rows = _with_columns(rows, schema, [(one.field.name, one.to_arrow(runs)) for one in values])
        return replace(batch, rows=rows, findings=findings)

    def _replaced(
        self, batch: ReadBatch, schema: Schema, paths: Paths, runs: tuple[Run, ...]
    ) -> Iterator[LedgerEntry]:
        """Tell what the files' own columns of these names hold; it is compared in their types."""
        for place, field in enumerate(schema):
            column = self.columns.find_ignoring_case(field.name)
            if column is not None:
                in_path = paths.values(runs, field).to_arrow(runs)
                yield from differing_entries(runs, column.name, batch.rows.column(place), in_path)


def _with_columns(
    rows: pa.RecordBatch, schema: Schema, added: list[tuple[str, pa.Array]]
) -> pa.RecordBatch:
    """Put columns after the schema's, or in the place of those of their names."""
    left = {name.lower(): (name, column) for name, column in added}
    named = list(zip(rows.schema.names, rows.columns, strict=True))
    data = [left.pop(name.lower(), (name, column)) for name, column in named[: len(schema)]]
    columns = [*data, *left.values(), *named[len(schema) :]]
    return pa.RecordBatch.from_arrays(
        [column for _, column in columns], names=[name for name, _ in columns]
    )

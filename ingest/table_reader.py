"""Read a Parquet table back: every file cast to the table's schema, in the manifest's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.arrow import to_arrow_schema
from ingest.errors import DamagedTableError, TableNotFoundError
from ingest.sinks.manifest import part_paths, read_manifest

if TYPE_CHECKING:
    from pathlib import Path

    from schema_store.types import Schema


def read_parquet_table(folder: Path) -> tuple[Schema, pa.Table]:
    """Give the table's schema and rows; columns that a file lacks are NULL.

    Raises `TableNotFoundError` when there is no table, `DamagedTableError` when its manifest
    cannot be read.
    """
    manifest = read_manifest(folder)
    if manifest.schema is None:
        raise TableNotFoundError(folder.name, str(folder))
    target = to_arrow_schema(manifest.schema)
    parts = [conform(_read_part(path), target) for path in part_paths(manifest, folder)]
    return manifest.schema, pa.concat_tables(parts) if parts else target.empty_table()


def _read_part(path: Path) -> pa.Table:
    try:
        return pq.read_table(path, partitioning=None)
    except (OSError, pa.ArrowInvalid) as error:
        raise DamagedTableError(
            str(path),
            found=f"a data file that cannot be read ({error})",
            expected="every data file that the manifest names",
        ) from error


def conform(table: pa.Table, target: pa.Schema) -> pa.Table:
    """Give the table the target's columns and types; casts are checked, nothing is cut."""
    columns = [
        table.column(field.name).cast(field.type)
        if field.name in table.column_names
        else pa.nulls(table.num_rows, field.type)
        for field in target
    ]
    return pa.Table.from_arrays(columns, schema=target)


def conform_batches(batches: list[pa.RecordBatch], schema: Schema) -> pa.Table:
    """Give record batches as one table of the schema."""
    target = to_arrow_schema(schema)
    tables = [conform(pa.Table.from_batches([batch]), target) for batch in batches]
    return pa.concat_tables(tables) if tables else target.empty_table()

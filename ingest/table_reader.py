"""Read a table back, Delta's or Parquet's: every file cast to the table's schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.arrow import to_arrow_schema
from ingest.delta.casting import arrow_type, cast_table
from ingest.delta.log import DELTA_LOG
from ingest.delta.merging import stored_schema
from ingest.delta.scan import read_delta_table
from ingest.errors import (
    DamagedTableError,
    OperationNotSupportedError,
    TableNotFoundError,
    UnsupportedArrowTypeError,
    ValueCastError,
)
from ingest.sinks.manifest import MANIFEST, part_paths, read_manifest

if TYPE_CHECKING:
    from pathlib import Path

    from schema_store.types import Schema


def read_table(folder: Path, version: int | None = None) -> tuple[Schema, pa.Table]:
    """Give the schema and the rows of the table that lies in a folder.

    A Delta table can be read as it was at a version. Raises `TableNotFoundError` when there is no
    table, `DamagedTableError`, naming the file, when one of its files is missing or cannot be read,
    and `OperationNotSupportedError` for a version of a Parquet table, which keeps none.
    """
    if (folder / DELTA_LOG).is_dir():
        return read_delta_table(folder, version)
    if version is not None and (folder / MANIFEST).is_dir():
        raise OperationNotSupportedError(
            "version",
            of="a Parquet table",
            supported="the newest rows",
            remedy="Leave the version out; only Delta tables keep older ones.",
        )
    return read_parquet_table(folder)


def read_parquet_table(folder: Path) -> tuple[Schema, pa.Table]:
    """Give the table's schema and rows, in the manifest's order; columns a file lacks are NULL.

    Raises `TableNotFoundError` when there is no table, `DamagedTableError` when its manifest or a
    data file cannot be read.
    """
    manifest = read_manifest(folder)
    schema = manifest.schema
    if schema is None:
        raise TableNotFoundError(folder.name, str(folder))
    parts = [_conform_part(path, schema) for path in part_paths(manifest, folder)]
    return schema, pa.concat_tables(parts) if parts else _empty(schema)


def _empty(schema: Schema) -> pa.Table:
    fields = [pa.field(field.name, arrow_type(field.data_type)) for field in stored_schema(schema)]
    return pa.schema(fields).empty_table()


def _conform_part(path: Path, schema: Schema) -> pa.Table:
    try:
        return cast_table(_read_part(path), stored_schema(schema))  # its NOT NULL binds nobody
    except (ValueCastError, UnsupportedArrowTypeError) as error:
        raise DamagedTableError(
            str(path),
            found=f"{error.where}: {error.found}",
            expected="the table's type, or one that widens to it",
        ) from error


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

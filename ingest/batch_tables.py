"""A batch write as one step: rows in memory become visible in the table together, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.delta.batch_writes import append, overwrite
from ingest.delta.settings import DeltaSettings
from ingest.errors import TableColumnsError, UnsupportedOptionError
from ingest.file_entry import BatchId
from ingest.sinks.manifest import read_manifest
from ingest.sinks.parquet_table import ParquetTable
from ingest.table_places import TableFormat
from schema_store.ddl import to_ddl

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable
    from pathlib import Path

    import pyarrow as pa

    from ingest.stream_options import BatchOptions
    from schema_store.types import Schema


@dataclass(frozen=True, slots=True)
class TableWrite:
    """Where the rows of a batch write go, and how; `name` is what SQL calls the table."""

    folder: Path
    name: str
    format: TableFormat
    overwrite: bool
    options: BatchOptions
    partitions: tuple[str, ...]
    now: Callable[[], dt.datetime]
    new_id: Callable[[], str]


def write_rows(write: TableWrite, schema: Schema, rows: pa.Table) -> None:
    """Append the rows, or put them in place of the table's.

    Raises an `AnalysisException` when the table does not take the columns, `SinkNotWritableError`
    when its folder cannot be written.
    """
    match write.format:
        case TableFormat.DELTA:
            _write_delta(write, schema, rows)
        case TableFormat.PARQUET:
            _write_parquet(write, schema, rows)


def _write_delta(write: TableWrite, schema: Schema, rows: pa.Table) -> None:
    options = write.options
    settings = DeltaSettings(
        now=write.now,
        new_id=write.new_id,
        merge_schema=options.merge_schema,
        properties=options.properties,
        partition_columns=write.partitions,
        sql_name=write.name,
    )
    if not write.overwrite:
        append(write.folder, rows, schema, settings, transaction=options.transaction)
        return
    if options.transaction is not None:
        raise UnsupportedOptionError(
            "txnAppId",
            options.transaction[0],
            supported='it with mode("append")',
            remedy="Append, or leave txnAppId and txnVersion out.",
        )
    overwrite(write.folder, rows, schema, settings, overwrite_schema=options.overwrite_schema)


def _write_parquet(write: TableWrite, schema: Schema, rows: pa.Table) -> None:
    _check_parquet(write, schema)
    staging = ParquetTable(write.folder).begin(write.new_id(), BatchId(0), schema)
    assert staging is not None, "an id that no other write has"
    try:
        for batch in rows.to_batches():
            staging.write(batch)
        staging.commit()
    except BaseException:
        staging.abort()
        raise


def _check_parquet(write: TableWrite, schema: Schema) -> None:
    """Refuse what only Delta tables can do, and other columns than the table's."""
    refused = {
        "partitionBy": ", ".join(write.partitions),
        "txnAppId": write.options.transaction and write.options.transaction[0],
    }
    for call, value in refused.items():
        if value:
            raise UnsupportedOptionError(
                call, value, supported='it with format("delta")', remedy="Leave it out."
            )
    table = read_manifest(write.folder).schema
    if table is None:
        return
    if write.overwrite:
        raise UnsupportedOptionError(
            "mode",
            "overwrite",
            supported="append to a Parquet table that is there",
            remedy='Write .format("delta"), or remove the folder first.',
        )
    same = {name.lower() for name in table.names} == {name.lower() for name in schema.names}
    if not same and not write.options.merge_schema:
        raise TableColumnsError(write.name, table=to_ddl(table), data=to_ddl(schema))

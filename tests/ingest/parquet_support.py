"""Parquet files for tests: landed from Arrow tables, read by the format under a schema."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.formats.parquet_files import ParquetFormat
from ingest.read_batch import Findings
from ingest.stream_options import ParquetOptions, Rebase
from schema_store.ddl import parse_ddl
from schema_store.hints import parse_hints
from tests.ingest.csv_support import land, reading

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.file_entry import FileEntry

CORRECTED = ParquetOptions(Rebase.CORRECTED, Rebase.CORRECTED)


def parquet_bytes(table: pa.Table, **options: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)
    return sink.getvalue()


def land_tables(folder: Path, *tables: pa.Table | dict[str, pa.Array]) -> list[FileEntry]:
    """Land tables as `1.parquet`, `2.parquet`, …"""
    files = {
        f"{number}.parquet": parquet_bytes(
            table if isinstance(table, pa.Table) else pa.table(table)
        )
        for number, table in enumerate(tables, 1)
    }
    return land(folder, files)


def parquet(
    *, hints: str = "", options: ParquetOptions = CORRECTED, **settings: Any
) -> ParquetFormat:
    return ParquetFormat(options, reading(**settings), parse_hints(hints).pinned)


def read_all(
    file_format: ParquetFormat, files: list[FileEntry], schema: str
) -> tuple[list[dict[str, Any]], Findings]:
    """Read all rows as dicts, the rescued data parsed without its file path; and the findings."""
    rows: list[dict[str, Any]] = []
    findings = Findings()
    for batch in file_format.read(files, parse_ddl(schema)):
        batch.rows.validate(full=True)
        assert sum(count for _, count in batch.files) == batch.rows.num_rows
        rows += batch.rows.to_pylist()
        findings += batch.findings
    for row in rows:
        if row.get("_rescued_data") is not None:
            row["_rescued_data"] = json.loads(row["_rescued_data"])
            row["_rescued_data"].pop("_file_path", None)
    return rows, findings


def losses(findings: Findings) -> list[tuple[str, str | None, int]]:
    return [(one.kind.value, one.column, one.count) for one in findings.losses]

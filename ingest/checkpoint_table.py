"""What a checkpoint knows of its files, as rows under Databricks' columns."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pyarrow as pa

from ingest.arrow import to_arrow_schema
from ingest.checkpoint_report import cloud_files_state
from schema_store.ddl import parse_ddl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from schema_store.types import Schema

STATE_COLUMNS = (
    "path STRING NOT NULL, size BIGINT, create_time TIMESTAMP, discovery_time TIMESTAMP,"
    " processed_time TIMESTAMP, commit_time TIMESTAMP, archive_time TIMESTAMP,"
    " archive_mode STRING, move_location STRING, source_id STRING"
)
"""As documented (Databricks, "cloud_files_state table-valued function")."""

_ROWS_AT_ONCE = 50_000


def cloud_files_table(checkpoint: Path) -> tuple[Schema, pa.Table]:
    """Give one row per discovered file; raises `DamagedCheckpointError`."""
    schema = parse_ddl(STATE_COLUMNS)
    arrow = to_arrow_schema(schema)
    records = iter(cloud_files_state(checkpoint))
    return schema, pa.Table.from_batches(_batches(records, arrow), schema=arrow)


def _batches(records: Iterator[dict[str, object]], arrow: pa.Schema) -> Iterator[pa.RecordBatch]:
    while rows := list(islice(records, _ROWS_AT_ONCE)):
        yield pa.RecordBatch.from_pylist(rows, schema=arrow)

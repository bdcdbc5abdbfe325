"""A table without rows: version 0 of its log. An edge to the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from ingest.delta.commits import Commit, entry_actions
from ingest.delta.log import DeltaLog
from ingest.delta.merging import stored_schema
from ingest.delta.planning import plan_creation
from ingest.delta.snapshot import check_place, is_delta_table

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.delta.settings import DeltaSettings
    from schema_store.types import Schema


def create_table(folder: Path, schema: Schema, settings: DeltaSettings) -> bool:
    """Make a table without rows for a stream of this schema; False when there is a table."""
    return define_table(folder, stored_schema(schema), settings)


def define_table(folder: Path, schema: Schema, settings: DeltaSettings) -> bool:
    """Make a table of exactly these columns, NOT NULL included; False when there is a table.

    Raises what `plan_creation` does, and `SinkNotWritableError`.
    """
    check_place(folder)
    if is_delta_table(folder):
        return False
    plan = plan_creation(folder, schema, settings)
    metadata = plan.metadata
    entry = Commit(
        operation="CREATE TABLE",
        parameters={
            "partitionBy": orjson.dumps(metadata.partition_columns).decode(),
            "description": None,
            "isManaged": "false",
            "properties": orjson.dumps(dict(metadata.configuration)).decode(),
        },
        timestamp=settings.now_ms,
    )
    return DeltaLog(folder).add(0, entry_actions(plan, entry))

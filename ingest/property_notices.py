"""What is to be said of table properties that come too late: the table is there already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.delta.snapshot import open_snapshot
from ingest.options import told_properties
from ingest.table_places import TableFormat, format_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def late_properties(folder: Path, sql_name: str, raw: Mapping[str, object]) -> tuple[str, ...]:
    """Warn of each option `delta.<property>` that an existing table does not have so.

    Such options count when a table is made (contract 1.1); Spark ignores them without a word.
    """
    wanted = told_properties(raw)
    if not wanted or format_of(folder) is not TableFormat.DELTA:
        return ()
    snapshot = open_snapshot(folder)
    if snapshot is None:
        return ()
    present = snapshot.metadata.configuration
    return tuple(
        f"{key} is not set: the table is there already and has {present.get(key, 'no value')};"
        f" write ALTER TABLE {sql_name} SET TBLPROPERTIES ('{key}' = '{value}')"
        for key, value in wanted.items()
        if present.get(key) != value
    )

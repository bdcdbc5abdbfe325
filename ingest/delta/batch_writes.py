"""Rows of a batch `DataFrame` into a Delta table: append, or replace all there is.

An edge to the disk. Who calls twice writes twice, unless a transaction is named.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import orjson

from ingest.delta.actions import RemoveFile, Transaction
from ingest.delta.commits import (
    AlreadyThere,
    Commit,
    checkpoint_if_due,
    commit,
    is_there,
    remove_uncounted,
)
from ingest.delta.data_files import FileStaging, file_name
from ingest.delta.guard import check_schema
from ingest.delta.mapping import maps_names
from ingest.delta.merging import stored_schema
from ingest.delta.planning import (
    WritePlan,
    changed_plan,
    check_partitions,
    plan_write,
)
from ingest.delta.protocol import check_writable, is_on, writer_features
from ingest.delta.snapshot import open_snapshot
from ingest.errors import AppendOnlyTableError, UnsupportedTableFeatureError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pyarrow as pa

    from ingest.delta.settings import DeltaSettings
    from ingest.delta.snapshot import Snapshot
    from schema_store.types import Schema


_ROWS = 1 << 16
"""Rows that are handed on at once, so that large tables become several files."""


def append(
    folder: Path,
    rows: pa.Table,
    schema: Schema,
    settings: DeltaSettings,
    *,
    transaction: tuple[str, int] | None = None,
) -> int:
    """Add rows, making the table if there is none; give the version that has them.

    With a `transaction` (`txnAppId`, `txnVersion`) a table takes each write once. Raises what
    `plan_write` does, `ValueCastError`, `NotNullViolatedError`, `MetadataChangedError` and
    `SinkNotWritableError`; the table is then as it was.
    """

    def plan(snapshot: Snapshot | None) -> WritePlan:
        return plan_write(folder, snapshot, schema, settings)

    entry = _entry("Append", settings, transaction)
    return _write(folder, rows, plan, entry, settings)


def overwrite(
    folder: Path,
    rows: pa.Table,
    schema: Schema,
    settings: DeltaSettings,
    *,
    overwrite_schema: bool = False,
) -> int:
    """Put rows in the place of all that there are; give the version that has them.

    The old rows stay readable at the versions before. Another schema than the table's takes
    `overwrite_schema` (`overwriteSchema`), or what an append would take. Raises as `append`, and
    `AppendOnlyTableError`.
    """

    def plan(snapshot: Snapshot | None) -> WritePlan:
        if snapshot is None:
            return plan_write(folder, snapshot, schema, settings)
        _check_removable(str(folder), snapshot)
        if not overwrite_schema:
            planned = plan_write(folder, snapshot, schema, settings)
        else:
            planned = _plan_new_schema(folder, snapshot, schema, settings)
        return replace(planned, removes=_removes(snapshot, settings))

    return _write(folder, rows, plan, _entry("Overwrite", settings, None), settings)


def _entry(mode: str, settings: DeltaSettings, transaction: tuple[str, int] | None) -> Commit:
    return Commit(
        operation="WRITE",
        parameters={
            "mode": mode,
            "partitionBy": orjson.dumps(settings.partition_columns).decode(),
        },
        timestamp=settings.now_ms,
        transaction=transaction and Transaction(*transaction, settings.now_ms),
    )


def _write(
    folder: Path,
    rows: pa.Table,
    plan: Callable[[Snapshot | None], WritePlan],
    entry: Commit,
    settings: DeltaSettings,
) -> int:
    snapshot = open_snapshot(folder)
    if snapshot is not None and is_there(snapshot, entry.transaction):
        return snapshot.version
    planned = plan(snapshot)
    files = FileStaging(folder, planned, lambda number: file_name(number, settings.new_id()))
    try:
        for part in rows.to_batches(max_chunksize=_ROWS):
            files.write(part)
        done = commit(folder, planned, replace(entry, adds=files.finish()), plan)
    except BaseException:
        remove_uncounted(files)
        raise
    if isinstance(done, AlreadyThere):
        remove_uncounted(files)
        return done.snapshot.version
    checkpoint_if_due(folder, done.version, planned)
    return done.version


def _plan_new_schema(
    folder: Path, snapshot: Snapshot, schema: Schema, settings: DeltaSettings
) -> WritePlan:
    """Plan the table of exactly the rows' columns, with the old table's id and properties."""
    place, old, stored = str(folder), snapshot.metadata, stored_schema(schema)
    check_writable(place, snapshot.protocol, old)
    check_schema(stored, place, maps_names=maps_names(old.configuration))
    partitions = settings.partition_columns or tuple(
        name for name in old.partition_columns if stored.find_ignoring_case(name) is not None
    )
    metadata = replace(
        old,
        schema=stored,
        partition_columns=check_partitions(folder, stored, partitions),
    )
    if metadata == old:
        return WritePlan(snapshot, snapshot.protocol, old, ())
    return changed_plan(snapshot, metadata, settings)


def _check_removable(place: str, snapshot: Snapshot) -> None:
    if is_on(snapshot.metadata.configuration, "delta.appendOnly"):
        raise AppendOnlyTableError(place)
    if "deletionVectors" in writer_features(snapshot.protocol) and _has_deleted_rows(snapshot):
        raise UnsupportedTableFeatureError(
            place, "deletionVectors", reason="files with deleted rows cannot be replaced here"
        )


def _has_deleted_rows(snapshot: Snapshot) -> bool:
    return any(add.deletion_vector for add in snapshot.files()) or bool(
        len(snapshot.opened.deletion_vectors().read_all())
    )


def _removes(snapshot: Snapshot, settings: DeltaSettings) -> tuple[RemoveFile, ...]:
    return tuple(
        RemoveFile(
            path=add.path,
            deletion_timestamp=settings.now_ms,
            partition_values=add.partition_values,
            size=add.size,
        )
        for add in snapshot.files()
    )

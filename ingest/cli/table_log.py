"""`ingest table history|properties|set-property`: what the log of a Delta table says, in lines."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import click
import orjson

from ingest.cli.display import counted
from ingest.cli.text_table import align
from ingest.delta.history import HistoryEntry, read_history
from ingest.delta.log import DELTA_LOG
from ingest.delta.properties import set_properties
from ingest.delta.snapshot import Snapshot, open_snapshot
from ingest.errors import NotDeltaTableError, TableNotFoundError
from ingest.sinks.manifest import MANIFEST
from schema_store.ddl import to_ddl
from schema_store.schema_diff import diff_schemas

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ingest.delta.actions import Metadata

_HEAD = ("version", "time", "operation", "rows", "changes")

CLOSED_TO = {
    "typeWidening": "Spark, Databricks, DuckDB, ClickHouse, Trino, daft and ingest.scan_table"
    " still read it; polars.scan_delta and delta-rs (deltalake) do not",
    "columnMapping": "Spark, Databricks, DuckDB, ClickHouse, Trino, daft and ingest.scan_table"
    " still read it; polars.scan_delta does not, deltalake's to_pyarrow_table gives NULLs",
    "deletionVectors": "Spark, Databricks and DuckDB still read it; older readers do not",
}
"""Who reads a table with a feature and who does not (measured)."""


def require_delta(folder: Path, operation: str) -> None:
    """Refuse what only Delta tables have; raises `NotDeltaTableError`, `TableNotFoundError`."""
    if (folder / DELTA_LOG).is_dir():
        return
    if (folder / MANIFEST).is_dir():
        raise NotDeltaTableError(str(folder), operation)
    raise TableNotFoundError(folder.name, str(folder))


def now_ms() -> int:
    """Tell the time as Delta's log does."""
    return int(dt.datetime.now(dt.UTC).timestamp() * 1000)  # noqa: TID251 - the rim


def history_lines(folder: Path, count: int | None, *, as_json: bool) -> Iterator[str]:
    """Tell the versions, the newest first, with what each did to the schema and the properties."""
    require_delta(folder, "history")
    entries = list(read_history(folder))
    shown = entries[:count]
    if as_json:
        yield orjson.dumps([_document(entry) for entry in shown], default=str).decode()
        return
    lines = align([_HEAD, *(_cells(entry) for entry in shown)])
    yield lines[0]
    for line, details in zip(lines[1:], _details(entries), strict=False):
        yield line
        yield from (f"  {detail}" for detail in details)


def properties_lines(folder: Path, *, as_json: bool) -> Iterator[str]:
    """Tell the table's properties, and the versions and features of its protocol."""
    snapshot = _open(folder, "properties")
    protocol, configuration = snapshot.protocol, snapshot.metadata.configuration
    facts: dict[str, int | list[str]] = {
        "minReaderVersion": protocol.min_reader_version,
        "minWriterVersion": protocol.min_writer_version,
        "readerFeatures": list(protocol.reader_features or ()),
        "writerFeatures": list(protocol.writer_features or ()),
    }
    if as_json:
        document = {"table": str(folder), "properties": dict(configuration), "protocol": facts}
        yield orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()
        return
    rows = [*sorted(configuration.items()), *((key, _fact(value)) for key, value in facts.items())]
    yield from align([(key, value) for key, value in rows if value])


def set_property_lines(folder: Path, key: str, value: str) -> Iterator[str]:
    """Set a property and tell what changed; warns on standard error when readers are shut out."""
    require_delta(folder, "set-property")
    change = set_properties(folder, {key: value}, now_ms=now_ms())
    changed = [
        (name, f"{change.old.get(name) or '(not set)'} -> {value}")
        for name, value in change.new.items()
    ]
    if not changed and not change.added_features:
        yield f"nothing changed: {key} is {value} already"
        return
    yield f"{folder}: version {change.version}"
    features = [("feature", f"+ {name}") for name in change.added_features]
    yield from (f"  {line}" for line in align([*changed, *features]))
    for name in change.added_features:
        if name in CLOSED_TO:
            click.echo(f"warning: the table now needs {name}: {CLOSED_TO[name]}", err=True)


def _open(folder: Path, operation: str) -> Snapshot:
    require_delta(folder, operation)
    snapshot = open_snapshot(folder)
    if snapshot is None:
        raise TableNotFoundError(folder.name, str(folder))
    return snapshot


def _fact(value: int | list[str]) -> str:
    return str(value) if isinstance(value, int) else ", ".join(value)


def _cells(entry: HistoryEntry) -> tuple[str, ...]:
    at = "-" if entry.at is None else entry.at.replace(tzinfo=None).isoformat(" ", "seconds")
    rows = "?" if entry.rows is None else f"{entry.rows:,}"
    return str(entry.version), at, entry.operation, rows, ", ".join(_changes(entry))


def _changes(entry: HistoryEntry) -> Iterator[str]:
    if entry.added:
        yield f"+{counted(entry.added, 'file')}"
    if entry.removed:
        yield f"-{counted(entry.removed, 'file')}"
    if entry.transaction is not None:
        yield f"batch {entry.transaction.version}"
    if entry.protocol is not None:
        yield "protocol"


def _details(entries: list[HistoryEntry]) -> list[list[str]]:
    """Tell, version by version, what changed of columns and properties since the one before."""
    found: list[list[str]] = []
    known: Metadata | None = None
    for entry in reversed(entries):
        changed = entry.metadata
        found.append([] if changed is None else list(_metadata_changes(known, changed, entry)))
        known = changed or known
    return found[::-1]


def _metadata_changes(old: Metadata | None, new: Metadata, entry: HistoryEntry) -> Iterator[str]:
    if old is None:
        word = "columns" if entry.version == 0 else "columns from here on"
        yield f"{word}: {to_ddl(new.schema)}"
    else:
        yield from diff_schemas(old.schema, new.schema)
    before = {} if old is None else old.configuration
    for key in sorted({*before, *new.configuration}):
        if before.get(key) != new.configuration.get(key):
            yield f"{key} = {new.configuration.get(key, '(not set any more)')}"


def _document(entry: HistoryEntry) -> dict[str, object]:
    transaction = entry.transaction
    return {
        "version": entry.version,
        "timestamp": None if entry.at is None else entry.at.isoformat(),
        "operation": entry.operation,
        "rows": entry.rows,
        "filesAdded": entry.added,
        "filesRemoved": entry.removed,
        "appId": None if transaction is None else transaction.app_id,
        "appVersion": None if transaction is None else transaction.version,
        "schema": None if entry.metadata is None else to_ddl(entry.metadata.schema),
        "commitInfo": dict(entry.info),
    }

"""`ingest schema`: the history of a schema location in lines."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ingest.cli.text_table import align
from ingest.errors import NoSchemaVersionError
from ingest.partitions.folders import with_partitions
from schema_store.ddl import to_ddl
from schema_store.schema_diff import diff_schemas
from schema_store.spark_json import schema_to_json
from schema_store.store import SchemaStore
from schema_store.types import StructType

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from schema_store.store import Audit, SchemaVersion
    from schema_store.types import Schema

_NO_COLUMNS = StructType(())


def log_lines(location: Path) -> Iterator[str]:
    """Tell every version: when, in which batch, what changed, and what caused it."""
    store = _store(location)
    versions = store.versions()
    if not versions:
        raise NoSchemaVersionError(str(store.location), None)
    schemas = [_NO_COLUMNS, *(_columns(version) for version in versions)]
    for version, (old, new) in zip(versions, pairwise(schemas), strict=True):
        audit = store.audit(version.number)
        yield f"version {version.number}  {_origin(audit)}"
        yield from (f"  {line}" for line in diff_schemas(old, new))
        yield from _cause_lines(audit)


def show_lines(location: Path, number: int | None, *, spark_json: bool) -> Iterator[str]:
    """Give one version, the newest if no number is given."""
    columns = _columns(_version(_store(location), number))
    yield schema_to_json(columns) if spark_json else to_ddl(columns)


def diff_lines(location: Path, old: int, new: int) -> Iterator[str]:
    """Tell what changed from one version to another."""
    store = _store(location)
    lines = diff_schemas(_columns(_version(store, old)), _columns(_version(store, new)))
    yield from lines or ("no difference",)


def _columns(version: SchemaVersion) -> Schema:
    """Give the columns of a version: those of the files, then partition columns."""
    return with_partitions(version.schema, version.partition_schema)


def _store(location: Path) -> SchemaStore:
    """Open a schema location; a state folder that holds `schema/` is one too."""
    inner = location / "schema"
    if not (location / "_schemas").is_dir() and (inner / "_schemas").is_dir():
        return SchemaStore(inner)
    return SchemaStore(location)


def _version(store: SchemaStore, number: int | None) -> SchemaVersion:
    version = store.latest() if number is None else store.get(number)
    if version is None:
        latest = store.latest()
        raise NoSchemaVersionError(
            str(store.location), number, latest=None if latest is None else latest.number
        )
    return version


def _origin(audit: Audit | None) -> str:
    if audit is None:
        return "(nothing is known of its cause)"
    batch = "at the start" if audit.batch_id is None else f"batch {audit.batch_id}"
    return f"{audit.at}  {batch}"


def _cause_lines(audit: Audit | None) -> Iterator[str]:
    if audit is None or not audit.causes:
        return
    yield "  caused by"
    rows = [
        (cause.file, cause.column, cause.change, "" if cause.value is None else repr(cause.value))
        for cause in audit.causes
    ]
    yield from (f"    {line}" for line in align(rows))

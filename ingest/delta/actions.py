"""What an entry of a Delta log says: one action a line, both ways (PROTOCOL.md, "Actions").

Keys that this module does not know are kept in `rest` and written back, so that an action that is
carried on loses nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import unquote

import orjson

from schema_store.spark_json import schema_from_json, schema_to_json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from schema_store.types import Schema

_FILE_SCHEME = re.compile("^file:/+")


@dataclass(frozen=True, slots=True)
class Protocol:
    """Which readers and writers may touch the table; features are None below (3,7)."""

    min_reader_version: int
    min_writer_version: int
    reader_features: tuple[str, ...] | None = None
    writer_features: tuple[str, ...] | None = None
    rest: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Metadata:
    """The table's id, columns, partitioning and properties; `schema` keeps field metadata."""

    id: str
    schema: Schema
    partition_columns: tuple[str, ...] = ()
    configuration: Mapping[str, str] = field(default_factory=dict)
    name: str | None = None
    description: str | None = None
    created_time: int | None = None
    format_options: Mapping[str, str] = field(default_factory=dict)
    rest: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AddFile:
    """A data file counts from here on.

    `path` is spelled as in the log: relative and URL-encoded (`local_path` decodes it).
    `partition_values` are texts, or None, by physical column name. `stats` is JSON text.
    """

    path: str
    partition_values: Mapping[str, str | None]
    size: int
    modification_time: int
    data_change: bool = True
    stats: str | None = None
    deletion_vector: Mapping[str, Any] | None = None
    rest: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rows(self) -> int | None:
        """Rows of the file by its statistics (`numRecords`), deleted ones included."""
        found = orjson.loads(self.stats).get("numRecords") if self.stats else None
        return found if isinstance(found, int) else None

    def local_path(self, folder: Path) -> Path:
        """Give the file's place; an absolute path in the log wins over the folder."""
        return _local_path(folder, self.path)


@dataclass(frozen=True, slots=True)
class RemoveFile:
    """A data file counts no longer; it may be deleted when the retention time is over."""

    path: str
    deletion_timestamp: int | None
    data_change: bool = True
    partition_values: Mapping[str, str | None] | None = None
    size: int | None = None
    rest: Mapping[str, Any] = field(default_factory=dict)

    def local_path(self, folder: Path) -> Path:
        """Give the file's place; an absolute path in the log wins over the folder."""
        return _local_path(folder, self.path)


@dataclass(frozen=True, slots=True)
class Transaction:
    """An application's own version, for exactly-once writes (`txn`)."""

    app_id: str
    version: int
    last_updated: int | None = None
    rest: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CommitInfo:
    """Who wrote the entry and why; free-form."""

    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OtherAction:
    """An action that this package does not act on, as it came (`domainMetadata`, `cdc`, …)."""

    kind: str
    value: Mapping[str, Any]


Action: TypeAlias = (
    Protocol | Metadata | AddFile | RemoveFile | Transaction | CommitInfo | OtherAction
)


def _local_path(folder: Path, path: str) -> Path:
    """Decode a path of the log; Hadoop spells absolute ones `file:/…` and `file:///…`."""
    return folder / unquote(_FILE_SCHEME.sub("/", path))


def actions_to_json(actions: tuple[Action, ...]) -> bytes:
    """Write an entry of the log: one JSON object a line."""
    return b"".join(orjson.dumps(_to_value(action)) + b"\n" for action in actions)


def actions_from_json(data: bytes) -> tuple[Action, ...]:
    """Read an entry of the log.

    Raises `ValueError`, `KeyError`, `TypeError`, `AttributeError` or `SchemaStoreError` when it is
    none.
    """
    if not data.strip():
        raise ValueError("it is empty")
    return tuple(_from_line(line) for line in data.splitlines() if line.strip())


def _to_value(action: Action) -> dict[str, Any]:
    match action:
        case Protocol():
            return {"protocol": _protocol_value(action)}
        case Metadata():
            return {"metaData": _metadata_value(action)}
        case AddFile():
            return {"add": _add_value(action)}
        case RemoveFile():
            return {"remove": _remove_value(action)}
        case Transaction(app_id, version, updated, rest):
            times = {} if updated is None else {"lastUpdated": updated}
            return {"txn": {"appId": app_id, "version": version, **times, **rest}}
        case CommitInfo(values):
            return {"commitInfo": dict(values)}
        case OtherAction(kind, value):
            return {kind: dict(value)}


def _protocol_value(protocol: Protocol) -> dict[str, Any]:
    features = {
        "readerFeatures": protocol.reader_features,
        "writerFeatures": protocol.writer_features,
    }
    return {
        "minReaderVersion": protocol.min_reader_version,
        "minWriterVersion": protocol.min_writer_version,
        **{key: list(names) for key, names in features.items() if names is not None},
        **protocol.rest,
    }


def _metadata_value(metadata: Metadata) -> dict[str, Any]:
    texts = {"name": metadata.name, "description": metadata.description}
    created = metadata.created_time
    return {
        "id": metadata.id,
        **{key: text for key, text in texts.items() if text is not None},
        "format": {"provider": "parquet", "options": dict(metadata.format_options)},
        "schemaString": schema_to_json(metadata.schema),
        "partitionColumns": list(metadata.partition_columns),
        "configuration": dict(metadata.configuration),
        **({} if created is None else {"createdTime": created}),
        **metadata.rest,
    }


def _add_value(add: AddFile) -> dict[str, Any]:
    vector = add.deletion_vector
    return {
        "path": add.path,
        "partitionValues": dict(add.partition_values),
        "size": add.size,
        "modificationTime": add.modification_time,
        "dataChange": add.data_change,
        **({} if add.stats is None else {"stats": add.stats}),
        **({} if vector is None else {"deletionVector": dict(vector)}),
        **add.rest,
    }


def _remove_value(remove: RemoveFile) -> dict[str, Any]:
    has_values = remove.partition_values is not None and remove.size is not None
    extended = {
        "extendedFileMetadata": True,
        "partitionValues": dict(remove.partition_values or {}),
        "size": remove.size,
    }
    deleted = remove.deletion_timestamp
    return {
        "path": remove.path,
        **({} if deleted is None else {"deletionTimestamp": deleted}),
        "dataChange": remove.data_change,
        **(extended if has_values else {}),
        **remove.rest,
    }


def _from_line(line: bytes) -> Action:
    ((kind, value),) = orjson.loads(line).items()
    known = dict(value)
    match kind:
        case "protocol":
            return _protocol(known)
        case "metaData":
            return _metadata(known)
        case "add":
            return _add(known)
        case "remove":
            return _remove(known)
        case "txn":
            updated = known.pop("lastUpdated", None)
            return Transaction(known.pop("appId"), int(known.pop("version")), updated, known)
        case "commitInfo":
            return CommitInfo(known)
        case _:
            return OtherAction(kind, known)


def _protocol(value: dict[str, Any]) -> Protocol:
    return Protocol(
        int(value.pop("minReaderVersion")),
        int(value.pop("minWriterVersion")),
        _names(value.pop("readerFeatures", None)),
        _names(value.pop("writerFeatures", None)),
        value,
    )


def _names(value: list[str] | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(value)


def _metadata(value: dict[str, Any]) -> Metadata:
    table_format = value.pop("format", None) or {}
    return Metadata(
        id=value.pop("id"),
        schema=schema_from_json(value.pop("schemaString")),
        partition_columns=tuple(value.pop("partitionColumns", None) or ()),
        configuration=value.pop("configuration", None) or {},
        name=value.pop("name", None),
        description=value.pop("description", None),
        created_time=value.pop("createdTime", None),
        format_options=table_format.get("options") or {},
        rest=value,
    )


def _add(value: dict[str, Any]) -> AddFile:
    return AddFile(
        path=value.pop("path"),
        partition_values=value.pop("partitionValues", None) or {},
        size=int(value.pop("size")),
        modification_time=int(value.pop("modificationTime")),
        data_change=bool(value.pop("dataChange", True)),
        stats=value.pop("stats", None),
        deletion_vector=value.pop("deletionVector", None),
        rest=value,
    )


def _remove(value: dict[str, Any]) -> RemoveFile:
    value.pop("extendedFileMetadata", None)
    return RemoveFile(
        path=value.pop("path"),
        deletion_timestamp=value.pop("deletionTimestamp", None),
        data_change=bool(value.pop("dataChange", True)),
        partition_values=value.pop("partitionValues", None),
        size=value.pop("size", None),
        rest=value,
    )

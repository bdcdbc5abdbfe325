"""The history of a schema on disk: `<schema location>/_schemas/0`, `1`, … (contract 3).

An edge to the disk. After `add` has returned, the new version is durable and so is its audit
sidecar, which is written first.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from schema_store.audit import (
    AUDIT_VERSION,
    Audit,
    AuditCause,
    audit_from_value,
    audit_to_json,
    audit_version,
)
from schema_store.errors import (
    ConcurrentWriteError,
    DamagedEntryError,
    EntryExistsError,
    EntryTooNewError,
    MissingEntryError,
    SchemaJsonError,
)
from schema_store.metadata_log import MetadataLog, put_if_absent
from schema_store.spark_json import schema_from_json, schema_to_json

if TYPE_CHECKING:
    from pathlib import Path

    from schema_store.types import Schema

__all__ = ["Audit", "AuditCause", "SchemaStore", "SchemaVersion"]

_AUDIT_NAME = re.compile(r"(0|[1-9][0-9]*)(?:\.([1-9][0-9]*))?\.json\Z")


@dataclass(frozen=True, slots=True)
class SchemaVersion:
    """One entry of the history; the rescued column is not part of it (contract 3.1)."""

    number: int
    schema: Schema
    partition_schema: Schema


@dataclass(frozen=True, slots=True)
class SchemaStore:
    r"""All schema versions below a schema location.

    Version N is the file `_schemas/N`, without a line end after its second line:

        v1
        {"dataSchemaJson":"{\"type\":\"struct\",…}","partitionSchemaJson":"{…}"}

    Why it exists is told by `_schemas/.audit/N.json`, or by `N.1.json`, `N.2.json`, … when an
    attempt before it crashed between the sidecar and the version; the last one counts.
    """

    location: Path

    def latest(self) -> SchemaVersion | None:
        """Read the newest version; None when there is none. Creates nothing.

        Raises `DamagedEntryError`, `EntryTooNewError`, `MissingEntryError` (contract 3.2).
        """
        self._log.require_no_gaps()
        newest = self._log.latest()
        return None if newest is None else self._parse(*newest)

    def get(self, number: int) -> SchemaVersion | None:
        """Read one version; None when there is none of this number."""
        text = self._log.get(number)
        return None if text is None else self._parse(number, text)

    def versions(self) -> tuple[SchemaVersion, ...]:
        """Read the whole history, oldest first."""
        self._log.require_no_gaps()
        numbers = self._log.ids()
        return tuple(v for number in numbers if (v := self.get(number)) is not None)

    def add(
        self,
        schema: Schema,
        partition_schema: Schema,
        *,
        after: SchemaVersion | None,
        audit: Audit | None,
    ) -> SchemaVersion:
        """Store the version that follows `after`, None for the first one.

        An unchanged schema makes no new version: `after` comes back. A version that is there
        already with this content comes back as it is.

        Raises `ConcurrentWriteError` when the next version exists with another content.
        """
        if after is not None and _same_content(after, schema, partition_schema):
            return after
        version = SchemaVersion(0 if after is None else after.number + 1, schema, partition_schema)
        self._require_predecessors(version.number)
        existing = self.get(version.number)
        if existing is not None:
            return self._agreed(existing, version)
        if audit is not None:
            self._add_audit(version.number, audit)
        try:
            self._log.add(version.number, _to_text(version))
        except ConcurrentWriteError:
            # two streams at once; another spelling of the same content is no conflict
            return self._agreed(self.get(version.number), version)
        return version

    def audit(self, number: int) -> Audit | None:
        """Read why a version exists; None when there is no such version or nothing is known."""
        attempts = self._audit_attempts(number)
        if not attempts or not self._log.path(number).exists():
            return None
        return _read_audit(self._audit_path(number, attempts[-1]))

    @property
    def _log(self) -> MetadataLog:
        return MetadataLog(self.location / "_schemas")

    def _parse(self, number: int, text: str) -> SchemaVersion:
        path = self._log.path(number)
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            raise DamagedEntryError(path, f"its second line is not JSON ({error.msg})") from error
        if not isinstance(value, dict):
            raise DamagedEntryError(path, "its second line is not a JSON object")
        return SchemaVersion(
            number,
            _schema_of(path, value, "dataSchemaJson"),
            _schema_of(path, value, "partitionSchemaJson"),
        )

    def _require_predecessors(self, number: int) -> None:
        self._log.require_no_gaps()
        if number > len(self._log.ids()):
            raise MissingEntryError(self._log.path(len(self._log.ids())), number)

    def _agreed(self, existing: SchemaVersion | None, wanted: SchemaVersion) -> SchemaVersion:
        if existing != wanted:
            raise ConcurrentWriteError(self._log.path(wanted.number))
        self._log.sync()
        return wanted

    def _audit_path(self, number: int, attempt: int) -> Path:
        name = f"{number}.{attempt}.json" if attempt else f"{number}.json"
        return self._log.folder / ".audit" / name

    def _audit_attempts(self, number: int) -> list[int]:
        folder = self._log.folder / ".audit"
        if not folder.is_dir():
            return []
        names = [_AUDIT_NAME.match(path.name) for path in folder.iterdir()]
        return sorted(int(name[2] or 0) for name in names if name and int(name[1]) == number)

    def _add_audit(self, number: int, audit: Audit) -> None:
        for attempt in itertools.count():
            try:
                put_if_absent(self._audit_path(number, attempt), audit_to_json(audit))
            except EntryExistsError:
                continue
            return


def _same_content(version: SchemaVersion, schema: Schema, partition_schema: Schema) -> bool:
    return (version.schema, version.partition_schema) == (schema, partition_schema)


def _to_text(version: SchemaVersion) -> str:
    return orjson.dumps(
        {
            "dataSchemaJson": schema_to_json(version.schema),
            "partitionSchemaJson": schema_to_json(version.partition_schema),
        }
    ).decode()


def _schema_of(path: Path, value: dict[str, object], key: str) -> Schema:
    text = value.get(key)
    if not isinstance(text, str):
        raise DamagedEntryError(path, f"it has no text under {key!r}")
    try:
        return schema_from_json(text)
    except SchemaJsonError as error:
        raise DamagedEntryError(path, f"{key}: {error}") from error


def _read_audit(path: Path) -> Audit:
    try:
        value = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise DamagedEntryError(path, f"it cannot be read ({error})") from error
    version = audit_version(value)
    if version is not None and version > AUDIT_VERSION:
        raise EntryTooNewError(path, version, AUDIT_VERSION)
    audit = audit_from_value(value)
    if audit is None:
        raise DamagedEntryError(path, "it is not an audit of a schema version")
    return audit

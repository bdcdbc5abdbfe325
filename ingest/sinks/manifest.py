"""The manifest of a Parquet table: which data files count, in order.

    _manifest/0, 1, 2, …

An entry is written once, by an operation that fails if the name exists:

    v1
    {"queryId":"…","batchId":0,"schema":"<Spark schema JSON>","files":[{"name","rows","size"}]}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from ingest.errors import DamagedTableError
from schema_store.errors import (
    ConcurrentWriteError,
    LocationNotReadableError,
    MetadataLogError,
    SchemaStoreError,
)
from schema_store.metadata_log import MetadataLog
from schema_store.spark_json import schema_from_json, schema_to_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from schema_store.types import Schema

MANIFEST = "_manifest"


@dataclass(frozen=True, slots=True)
class Part:
    """One data file of the table."""

    name: str
    rows: int
    size: int


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """One batch of one query: the files it brought, and the table's schema from then on."""

    query_id: str
    batch_id: int
    schema: Schema
    parts: tuple[Part, ...]


class Manifest:
    """The table's history, read forward as it grows."""

    def __init__(self, folder: Path) -> None:
        self._log = MetadataLog(folder / MANIFEST)
        self._folder = folder
        self.entries: list[ManifestEntry] = []

    def refresh(self) -> None:
        """Read the entries that are new since the last look.

        Raises `DamagedTableError` for an entry that cannot be understood.
        """
        try:
            if not self.entries:
                self._log.require_no_gaps()
            while (text := self._log.get(len(self.entries))) is not None:
                self.entries.append(_entry_from_json(text, self._path(len(self.entries))))
        except LocationNotReadableError as error:
            raise DamagedTableError(
                error.where, found=error.found, expected=error.expected, remedy=error.remedy
            ) from error
        except MetadataLogError as error:
            raise DamagedTableError(
                error.where, found=error.found, expected=error.expected
            ) from error

    def sync(self) -> None:
        """Make durable what was read: its writer may have died before it did."""
        self._log.sync()

    def holds(self, query_id: str, batch_id: int) -> bool:
        """Tell whether this batch is in the table."""
        return any(
            entry.batch_id == batch_id and entry.query_id == query_id
            for entry in reversed(self.entries)
        )

    @property
    def schema(self) -> Schema | None:
        """The table's schema, or None when the table has no entry."""
        return self.entries[-1].schema if self.entries else None

    def part_names(self) -> frozenset[str]:
        """Give the names of all data files that count."""
        return frozenset(part.name for entry in self.entries for part in entry.parts)

    def add(self, entry: ManifestEntry) -> bool:
        """Write the next entry; False when another writer took its number."""
        try:
            self._log.add(len(self.entries), _entry_to_json(entry))
        except ConcurrentWriteError:
            return False
        self.entries.append(entry)
        return True

    def _path(self, number: int) -> str:
        return str(self._folder / MANIFEST / str(number))


def read_manifest(folder: Path) -> Manifest:
    """Read the whole manifest of a table."""
    manifest = Manifest(folder)
    manifest.refresh()
    return manifest


def part_paths(manifest: Manifest, folder: Path) -> Iterator[Path]:
    """Give the table's data files in the order they were added."""
    return (folder / part.name for entry in manifest.entries for part in entry.parts)


def _entry_to_json(entry: ManifestEntry) -> str:
    return orjson.dumps(
        {
            "queryId": entry.query_id,
            "batchId": entry.batch_id,
            "schema": schema_to_json(entry.schema),
            "files": [{"name": p.name, "rows": p.rows, "size": p.size} for p in entry.parts],
        }
    ).decode()


def _entry_from_json(text: str, path: str) -> ManifestEntry:
    try:
        value = orjson.loads(text)
        return ManifestEntry(
            value["queryId"],
            int(value["batchId"]),
            schema_from_json(value["schema"]),
            tuple(Part(p["name"], int(p["rows"]), int(p["size"])) for p in value["files"]),
        )
    except (ValueError, KeyError, TypeError, SchemaStoreError) as error:
        raise DamagedTableError(path) from error

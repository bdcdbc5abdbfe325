"""A folder of Parquet files with a manifest: each batch is in it exactly once.

    part-<query>-<batch>-<n>-<random>.snappy.parquet    rows
    _manifest/0, 1, 2, …                                which files count, see `manifest.py`

Rows become visible by their manifest entry. What a killed attempt left behind is removed when the
same batch begins again; until then a reader that goes by the manifest does not see it.
"""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import polars as pl

from ingest.ahead import Ahead
from ingest.errors import DamagedTableError, IncompatibleTableError, SinkNotWritableError
from ingest.sinks.manifest import MANIFEST, Manifest, ManifestEntry, Part
from schema_store.ddl import type_to_sql
from schema_store.errors import SchemaStoreError
from schema_store.metadata_log import make_folder, sync_folder
from schema_store.types import ArrayType, DataType, Field, MapType, Schema, StructType
from schema_store.widening import widen

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from ingest.file_entry import BatchId

__all__ = ["MANIFEST", "ParquetStaging", "ParquetTable", "merge_table_schema"]

NO_BATCH = -1
"""The batch id of the entry that makes a table without rows."""

PART_SIZE = 32 << 20
"""Bytes of Arrow data after which a part file is closed."""
WRITERS = 2
"""Part files that are written at once: one alone does not keep both cores busy."""


@dataclass(slots=True)
class ParquetTable:
    """The sink; `begin` reads the manifest before anything else is read."""

    folder: Path
    manifest: Manifest = field(init=False)
    _cleaned: bool = False

    def __post_init__(self) -> None:
        self.manifest = Manifest(self.folder)

    @property
    def description(self) -> str:
        """Name the sink for progress reports."""
        return f"ParquetTable[{self.folder}]"

    def create(self, schema: Schema) -> None:
        """Write a manifest entry without files, of no query's, unless the table has an entry."""
        self.manifest.refresh()
        if not self.manifest.entries:
            try:
                self.manifest.add(ManifestEntry("", NO_BATCH, schema, ()))
            except SchemaStoreError as error:
                raise SinkNotWritableError(str(self.folder), str(error)) from error

    def begin(self, query_id: str, batch_id: BatchId, schema: Schema) -> ParquetStaging | None:
        """Give a staging, or None when the batch is already there.

        Raises `IncompatibleTableError` when a column of the table cannot take the new type,
        `SinkNotWritableError` when the folder cannot be written.
        """
        self.manifest.refresh()
        if self.manifest.holds(query_id, batch_id):
            self.manifest.sync()
            return None
        merged = merge_table_schema(str(self.folder), self.manifest.schema, schema)
        try:
            make_folder(self.folder)
            self._remove_orphans(query_id)
        except OSError as error:
            raise SinkNotWritableError(str(self.folder), error.strerror or str(error)) from error
        return ParquetStaging(self, ManifestEntry(query_id, batch_id, merged, ()), schema)

    def _remove_orphans(self, query_id: str) -> None:
        """Remove what a killed attempt of this query left; nobody else writes for it."""
        if self._cleaned:
            return
        counted = self.manifest.part_names()
        for path in self.folder.glob(f"part-{query_id}-*.parquet"):
            if path.name not in counted:
                path.unlink()
        self._cleaned = True


class ParquetStaging:
    """Rows of one batch, in part files that no manifest entry names yet."""

    def __init__(self, table: ParquetTable, entry: ManifestEntry, schema: Schema) -> None:
        self._table = table
        self._entry = entry
        self._schema = schema
        self._waiting: list[pa.RecordBatch] = []
        self._waiting_size = 0
        self._names: list[str] = []
        self._parts: list[Part] = []
        self._writing: Ahead[Part] = Ahead()

    def write(self, rows: pa.RecordBatch) -> None:
        """Take rows; a part file is written, beside the caller, as soon as there is enough for one.

        Raises `SinkNotWritableError`, perhaps for an earlier part.
        """
        if rows.num_rows == 0:
            return
        self._waiting.append(rows)
        self._waiting_size += rows.nbytes
        if self._waiting_size >= PART_SIZE:
            self._write_part()

    def commit(self) -> None:
        """Write the manifest entry: from here on the rows are in the table.

        Starts over against the table as it is when another writer came first.
        """
        self._write_part()
        while len(self._writing):
            self._parts.append(self._writing.take())
        manifest = self._table.manifest
        entry = replace(self._entry, parts=tuple(self._parts))
        place = str(self._table.folder)
        try:
            if self._parts:
                sync_folder(self._table.folder)
            while not manifest.add(entry):
                manifest.refresh()
                if manifest.holds(entry.query_id, entry.batch_id):
                    self.abort()
                    return
                merged = merge_table_schema(place, manifest.schema, self._schema)
                entry = replace(entry, schema=merged)
        except SchemaStoreError as error:
            raise SinkNotWritableError(place, str(error)) from error
        except OSError as error:
            raise SinkNotWritableError(place, error.strerror or str(error)) from error

    def abort(self) -> None:
        """Remove the part files, unless the manifest names them.

        It may do so although `commit` has failed: the entry was there already when its folder
        could not be synced.
        """
        self._waiting.clear()
        self._writing.wait()
        try:
            self._table.manifest.refresh()
        except DamagedTableError:
            return  # what does not count is removed when the batch begins again
        counted = self._table.manifest.part_names()
        with suppress(OSError):  # as for a damaged manifest
            for name in self._names:
                if name not in counted:
                    (self._table.folder / name).unlink(missing_ok=True)
        self._names.clear()

    def _write_part(self) -> None:
        if not self._waiting:
            return
        entry = self._entry
        name = (
            f"part-{entry.query_id}-{entry.batch_id:05}-{len(self._names):04}"
            f"-{uuid.uuid4().hex[:8]}.snappy.parquet"
        )
        if len(self._writing) == WRITERS:
            self._parts.append(self._writing.take())
        self._names.append(name)
        work = partial(_write_file, self._table.folder / name, tuple(self._waiting))
        self._writing.start(work, name="ingest-write")
        self._waiting.clear()
        self._waiting_size = 0


def _write_file(path: Path, batches: tuple[pa.RecordBatch, ...]) -> Part:
    # one by one: batches may differ in the Arrow type of their text columns
    frame = pl.concat([pl.DataFrame(rows) for rows in batches])
    try:
        with path.open("xb") as file:
            frame.write_parquet(file, compression="snappy")
            file.flush()
            os.fsync(file.fileno())
            return Part(path.name, frame.height, file.tell())
    except OSError as error:
        with suppress(OSError):  # the error is what to tell of; the next begin removes what is left
            path.unlink(missing_ok=True)
        raise SinkNotWritableError(str(path), error.strerror or str(error)) from error


def merge_table_schema(place: str, table: Schema | None, stream: Schema) -> Schema:
    """Give the table's next schema: the stream's columns, then those only the table has.

    A column may keep its type, widen (contract 6.1), gain fields in its structs, or stay wider than
    the stream's. Raises `IncompatibleTableError` otherwise.
    """
    if table is None:
        return stream
    fields = tuple(_merge_column(place, table, column) for column in stream)
    return StructType(fields + _only_in(table, stream))


def _only_in(table: StructType, stream: StructType) -> tuple[Field, ...]:
    return tuple(one for one in table if stream.find_ignoring_case(one.name) is None)


def _merge_column(place: str, table: Schema, column: Field) -> Field:
    known = table.find_ignoring_case(column.name)
    if known is None:
        return column
    if known.name == column.name:
        merged = _merge_type(known.data_type, column.data_type)
        if merged is not None:
            return Field(column.name, merged, nullable=True, metadata=column.metadata)
    raise IncompatibleTableError(
        place,
        f"{known.name} {type_to_sql(known.data_type)}",
        f"{column.name} {type_to_sql(column.data_type)}",
    )


def _merge_type(table: DataType, stream: DataType) -> DataType | None:
    """Give the type that holds both, with the fields of either; None when there is none."""
    match table, stream:
        case StructType(), StructType():
            merged = [_merge_field(table, field) for field in stream]
            fields = tuple(field for field in merged if field is not None)
            whole = len(fields) == len(merged)
            return StructType((*fields, *_only_in(table, stream))) if whole else None
        case ArrayType(element), ArrayType(other):
            inner = _merge_type(element, other)
            return None if inner is None else ArrayType(inner)
        case MapType(key, value), MapType(other_key, other):
            inner = _merge_type(value, other)
            return None if inner is None or key != other_key else MapType(key, inner)
        case _:
            return widen(table, stream, dates=True)


def _merge_field(table: StructType, field: Field) -> Field | None:
    known = table.find_ignoring_case(field.name)
    if known is None:
        return field
    merged = _merge_type(known.data_type, field.data_type) if known.name == field.name else None
    return None if merged is None else Field(field.name, merged, nullable=True)

"""Read a Delta table at one version: every file under its own schema, cast to the table's.

An edge to the disk; nothing is written. deltalake's own reading is not used: it gives NULLs for
mapped columns and refuses widened tables.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.arrow import to_arrow_type
from ingest.delta import library
from ingest.delta.casting import Naming, arrow_type, cast_table
from ingest.delta.mapping import physical_name
from ingest.delta.snapshot import Snapshot, open_snapshot
from ingest.errors import (
    DamagedTableError,
    NotNullViolatedError,
    TableFeatureNotSupportedError,
    TableNotFoundError,
    UnsupportedArrowTypeError,
    ValueCastError,
)
from schema_store.type_names import type_to_sql
from schema_store.types import DataType, Field, Schema, StructType, TimestampType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ingest.delta.actions import AddFile
    from ingest.errors import IngestError

READER_FEATURES = (
    "columnMapping",
    "deletionVectors",
    "timestampNtz",
    "typeWidening",
    "typeWidening-preview",
    "v2Checkpoint",
    "vacuumProtocolCheck",
)
"""The reader features that this module honours (PROTOCOL.md, "Valid Feature Names")."""

READER_VERSION = 3
"""The newest reader version that this module knows."""

CAST_ERRORS = (ValueCastError, NotNullViolatedError, UnsupportedArrowTypeError)
"""What `casting` says of a column that cannot be read as the table's."""


PHYSICAL = Naming(incoming=physical_name)


@dataclass(frozen=True, slots=True)
class DataFile:
    """A data file that counts: where, its partition values, and which rows of it are kept.

    `partition` has texts by physical column name; `kept` is None when no row was deleted.
    """

    path: Path
    partition: Mapping[str, str | None]
    kept: pa.BooleanArray | None = None


def read_delta_table(folder: Path, version: int | None = None) -> tuple[Schema, pa.Table]:
    """Give a table's schema and rows at a version, the newest if None.

    Raises `TableNotFoundError`, `TableVersionNotFoundError`, `TableFeatureNotSupportedError`, and
    `DamagedTableError`, naming the file.
    """
    snapshot = readable_snapshot(folder, version)
    return snapshot.schema, read_files(snapshot, data_files(snapshot))


def readable_snapshot(folder: Path, version: int | None = None) -> Snapshot:
    """Open a table whose features are all known to this reader.

    Raises `TableNotFoundError`, `TableVersionNotFoundError`, `TableFeatureNotSupportedError` and
    `DamagedTableError`.
    """
    snapshot = open_snapshot(folder, version)
    if snapshot is None:
        raise TableNotFoundError(folder.name, str(folder))
    unknown = _unknown_features(snapshot)
    if unknown:
        raise TableFeatureNotSupportedError(str(folder), unknown, READER_FEATURES)
    return snapshot


def data_files(snapshot: Snapshot) -> tuple[DataFile, ...]:
    """Give the table's files in the order they were written."""
    ordered = sorted(snapshot.files(), key=lambda add: (add.modification_time, add.path))
    return tuple(as_data_files(snapshot, ordered))


def as_data_files(snapshot: Snapshot, adds: Iterable[AddFile]) -> list[DataFile]:
    """Give files of the snapshot as they are to be read."""
    kept = _kept_rows(snapshot)
    placed = ((add, add.local_path(snapshot.folder)) for add in adds)
    return [DataFile(path, add.partition_values, kept.get(path.resolve())) for add, path in placed]


def read_files(snapshot: Snapshot, files: Iterable[DataFile]) -> pa.Table:
    """Give the rows of some files with the table's columns."""
    tables = [read_file(snapshot, file) for file in files]
    return pa.concat_tables(tables) if tables else arrow_schema(snapshot.schema).empty_table()


def read_first(snapshot: Snapshot, count: int) -> pa.Table:
    """Give the first rows; files after them are not opened."""
    tables = [arrow_schema(snapshot.schema).empty_table()]
    missing = count
    for file in data_files(snapshot):
        if missing <= 0:
            break
        tables.append(read_file(snapshot, file).slice(0, missing))
        missing -= tables[-1].num_rows
    return pa.concat_tables(tables)


def row_count(snapshot: Snapshot) -> int | None:
    """Count the rows by the log; None when a file does not tell."""
    counts = [add.rows for add in snapshot.files()]
    if None in counts or _kept_rows(snapshot):
        return None
    return sum(count or 0 for count in counts)


def read_file(snapshot: Snapshot, file: DataFile) -> pa.Table:
    """Give the rows of a file with the table's columns.

    Raises `DamagedTableError` for a file that is missing or that cannot be read.
    """
    schema = inside_schema(snapshot)
    try:
        with pq.ParquetFile(file.path, coerce_int96_timestamp_unit="us") as source:
            rows = source.read()
        read = cast_table(with_zones(rows, schema), schema, PHYSICAL)
    except FileNotFoundError as error:
        raise missing_file(file.path) from error
    except (OSError, pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise unreadable_file(file.path, str(error)) from error
    except CAST_ERRORS as error:
        raise column_mismatch(file.path, error) from error
    values = partition_scalars(file, partition_fields(snapshot))
    whole = _with_partition(read, rows.num_rows, snapshot.schema, values)
    return whole if file.kept is None else whole.filter(_padded(file.kept, whole.num_rows))


def partition_fields(snapshot: Snapshot) -> tuple[Field, ...]:
    """Give the partition columns, whose values are in the log and not in the files."""
    names = snapshot.metadata.partition_columns
    found = (snapshot.schema.find_ignoring_case(name) for name in names)
    return tuple(field for field in found if field is not None)


def arrow_schema(schema: Schema) -> pa.Schema:
    """Give the Arrow schema that rows are read with."""
    return pa.schema([pa.field(field.name, arrow_type(field.data_type)) for field in schema])


def with_zones(rows: pa.Table, schema: Schema) -> pa.Table:
    """Give TIMESTAMP columns without a zone UTC: Spark's and Hive's old INT96 has none."""
    for field in schema:
        at = rows.schema.get_field_index(physical_name(field))
        if (
            at >= 0
            and isinstance(field.data_type, TimestampType)
            and _is_naive(rows.schema.types[at])
        ):
            utc = rows.column(at).cast(pa.timestamp("us")).cast(to_arrow_type(field.data_type))
            rows = rows.set_column(at, rows.column_names[at], utc)
    return rows


def inside_schema(snapshot: Snapshot) -> Schema:
    """Give the columns whose values are in the files."""
    partition = partition_fields(snapshot)
    return StructType(tuple(field for field in snapshot.schema if field not in partition))


def partition_scalar(text: str | None, data_type: DataType) -> pa.Scalar:
    """Read a partition value (PROTOCOL.md, "Partition Value Serialization").

    A timestamp without `Z` counts as UTC. Raises `pa.ArrowInvalid` for text that is no such value.

    >>> partition_scalar("2024-01-02 03:04:05", TimestampType()).as_py().isoformat()
    '2024-01-02T03:04:05+00:00'
    """
    target = to_arrow_type(data_type)
    if text is None or text == "":
        return pa.scalar(None, target)
    if isinstance(data_type, TimestampType):
        moment = dt.datetime.fromisoformat(text)
        return pa.scalar(moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC), target)
    return pa.scalar(text, pa.string()).cast(target)


def partition_scalars(file: DataFile, partition: Iterable[Field]) -> dict[str, pa.Scalar]:
    """Read a file's partition values; raises `DamagedTableError` for one that is no such value."""
    found: dict[str, pa.Scalar] = {}
    for field in partition:
        text = file.partition.get(physical_name(field))
        try:
            found[field.name] = partition_scalar(text, field.data_type)
        except (pa.ArrowInvalid, ValueError) as error:
            wanted = type_to_sql(field.data_type)
            raise unreadable_file(file.path, f"partition value {text!r} is no {wanted}") from error
    return found


def missing_file(path: Path) -> DamagedTableError:
    """Say that a file which counts is not there."""
    return DamagedTableError(
        str(path),
        found="a data file that is missing",
        expected="every data file that the Delta log names",
        remedy="Restore the file from a backup, or read an older version of the table.",
    )


def unreadable_file(path: Path, reason: str) -> DamagedTableError:
    """Say that a file which counts cannot be read."""
    return DamagedTableError(
        str(path),
        found="a data file that cannot be read (" + reason.partition("\n")[0] + ")",
        expected="every data file that the Delta log names, whole",
    )


def column_mismatch(path: Path, error: IngestError) -> DamagedTableError:
    """Say that a file has a column of a type that the table cannot have had."""
    return DamagedTableError(
        str(path),
        found=f"{error.where}: {error.found}",
        expected="the table's type, or a type that widens to it",
        remedy="Another program has written the file or changed the schema; read an older version.",
    )


def _is_naive(kind: pa.DataType) -> bool:
    return bool(pa.types.is_timestamp(kind)) and kind.tz is None


def _with_partition(
    inside: pa.Table, rows: int, schema: Schema, values: Mapping[str, pa.Scalar]
) -> pa.Table:
    """Put the partition values beside the file's own columns, in the table's order."""
    if not values:
        return inside
    columns = [
        pa.repeat(values[field.name], rows) if field.name in values else inside.column(field.name)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=arrow_schema(schema))


def _unknown_features(snapshot: Snapshot) -> tuple[str, ...]:
    mode = snapshot.metadata.configuration.get("delta.columnMapping.mode", "none")
    by_id = ("delta.columnMapping.mode=id",) if mode == "id" else ()
    features = snapshot.protocol.reader_features or ()
    version = snapshot.protocol.min_reader_version
    newer = (f"reader version {version}",) if version > READER_VERSION else ()
    return (*newer, *(name for name in features if name not in READER_FEATURES), *by_id)


def _kept_rows(snapshot: Snapshot) -> dict[Path, pa.BooleanArray]:
    """Give, by a file's path, which of its rows are kept; files without deleted rows are absent."""
    if "deletionVectors" not in (snapshot.protocol.reader_features or ()):
        return {}
    try:
        found = pa.table(snapshot.opened.deletion_vectors())
    except library.DeltaError as error:
        raise DamagedTableError(
            str(snapshot.folder),
            found=f"deletion vectors that cannot be read ({error})",
            expected="every deletion vector that the Delta log names, and numRecords beside it",
        ) from error
    paths = (Path(unquote(urlsplit(uri).path)).resolve() for uri in found.column(0).to_pylist())
    masks = (mask.values for mask in found.column(1))
    return dict(zip(paths, masks, strict=True))


def _padded(kept: pa.BooleanArray, rows: int) -> pa.BooleanArray:
    """Lengthen a mask to the file's rows: those after the last deleted one are kept."""
    return pa.concat_arrays([kept, pa.repeat(pa.scalar(value=True), rows - len(kept))])

"""What `.load()` does: resolve the schema once and lock it (contract 1.5, 2.1, 2.8).

A stored version is the truth; hints are laid over it at every start. With none, a sample of the
landing folder is inferred and becomes version 0 before anything else happens.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.errors import (
    ColumnTypeNotSupportedError,
    EmptyDirError,
    FailedToInferSchemaError,
    OptionConflictError,
    PartitionColumnsNotSupportedError,
)
from ingest.file_entry import FileEntry, ListedFile, SeqNum, display_path
from ingest.formats.csv_files import CsvFormat
from ingest.landing import landing_folder
from ingest.partitions import partition_keys
from ingest.stream import LoadedStream
from schema_store.ddl import type_to_sql
from schema_store.hints import apply_hints
from schema_store.schema_diff import diff_schemas
from schema_store.store import Audit, AuditCause, SchemaStore, SchemaVersion
from schema_store.types import ArrayType, MapType, NullType, StringType, StructType, VariantType

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

    from ingest.formats import Format
    from ingest.landing import LandingFolder
    from ingest.read_batch import Inferred
    from ingest.stream_options import SampleLimit, StreamOptions
    from schema_store.types import Schema

NO_COLUMNS = StructType(())

_NO_COLUMN_TYPES = (ArrayType, MapType, NullType, StructType, VariantType)


def load_stream(path: str, options: StreamOptions, *, at: dt.datetime) -> LoadedStream:
    """Give the stream over a landing path under its schema, storing a version where one is due.

    Raises `EmptyDirError` when there is nothing to infer from, and what the landing folder, the
    format and the schema store raise. With an unknown option key nothing is stored.
    """
    discovery = options.discovery
    landing = landing_folder(
        path, name_glob=discovery.path_glob_filter, strict=discovery.use_strict_globber
    )
    landing = _without_bad_records(landing, options.reading.bad_records_path)
    file_format = CsvFormat(options.csv, options.reading)
    if options.user_schema is not None:
        _check_columns(options.user_schema, options)
        _check_partitions(landing, options.user_schema, options)
        return LoadedStream(landing, options, file_format, options.user_schema, None, None)
    assert options.schema_location is not None
    store = SchemaStore(options.schema_location)
    latest = store.latest()
    if latest is None:
        inferred = _infer(landing, file_format, options)
        schema, notices = apply_hints(inferred.schema, options.hints), inferred.notices
    else:
        schema, notices = apply_hints(latest.schema, options.hints), frozenset[str]()
    _check_columns(schema, options)
    version = _store_version(store, latest, schema, options, at)
    return LoadedStream(landing, options, file_format, version.schema, store, version, notices)


def _check_columns(schema: Schema, options: StreamOptions) -> None:
    """Refuse columns that CSV cannot have (Spark `CSVFileFormat.supportDataType`)."""
    _check_corrupt_column(schema, options)
    _check_rescued_column(schema, options)
    for field in schema:
        if isinstance(field.data_type, _NO_COLUMN_TYPES):
            raise ColumnTypeNotSupportedError(
                field.name, type_to_sql(field.data_type), options.format_name
            )


def _check_partitions(landing: LandingFolder, schema: Schema, options: StreamOptions) -> None:
    """Refuse a schema with partition columns: their values would be lost (contract 2.7)."""
    if options.discovery.drop_partition_columns:
        return
    keys = partition_keys(landing.base, (file.path for file in landing.list_files()))
    wanted = tuple(key for key in keys if schema.find_ignoring_case(key) is not None)
    if wanted:
        raise PartitionColumnsNotSupportedError(display_path(landing.base), wanted)


def choose_sample(files: Sequence[ListedFile], limit: SampleLimit) -> tuple[ListedFile, ...]:
    """Take files with content up to the limit, whichever part of it comes first.

    The newest ones when there are more (contract 2.1, 11.15); given back in (time, path) order.
    """
    newest = sorted(
        (file for file in files if file.size), key=lambda file: (file.modified_ns, file.path)
    )
    taken: list[ListedFile] = []
    size = 0
    while newest and len(taken) < limit.files and size < limit.size:
        taken.append(newest.pop())
        size += taken[-1].size
    return tuple(reversed(taken))


def _store_version(
    store: SchemaStore,
    latest: SchemaVersion | None,
    schema: Schema,
    options: StreamOptions,
    at: dt.datetime,
) -> SchemaVersion:
    """Store the schema when it differs from the latest version, unless an option is unknown."""
    known = NO_COLUMNS if latest is None else latest.schema
    if options.unknown_keys:
        return SchemaVersion(0 if latest is None else latest.number, schema, NO_COLUMNS)
    if latest is not None and schema == known:
        return latest
    hints = AuditCause("", "cloudFiles.schemaHints", "schema hints", None)
    audit = Audit(
        at=at.isoformat(timespec="milliseconds"),
        batch_id=None,
        causes=() if latest is None else (hints,),
        diff=diff_schemas(known, schema),
    )
    return store.add(schema, NO_COLUMNS, after=latest, audit=audit)


def _without_bad_records(landing: LandingFolder, path: Path | None) -> LandingFolder:
    """Leave out what the stream itself writes to `badRecordsPath`."""
    if path is None:
        return landing
    base = Path(os.fsdecode(landing.base)).resolve()
    if base.is_relative_to(path.resolve()):
        raise OptionConflictError(
            ("load path", "badRecordsPath"),
            found=f"the landing folder {base} lies in badRecordsPath {path}",
            expected="a folder for bad records beside the landing folder, or in it",
            remedy="Choose another badRecordsPath.",
        )
    return landing.without([path])


def _check_corrupt_column(schema: Schema, options: StreamOptions) -> None:
    """Take only text for corrupt records (Spark `verifyColumnNameOfCorruptRecord`)."""
    field = schema.find(options.reading.corrupt_column)
    if field is None or isinstance(field.data_type, StringType):
        return
    raise OptionConflictError(
        ("columnNameOfCorruptRecord", "schema"),
        found=f"{field.name} {type_to_sql(field.data_type)}, the column of corrupt records",
        expected=f"{field.name} STRING, as it takes their text",
        remedy="Give the column this type, or set columnNameOfCorruptRecord to another name.",
    )


def _check_rescued_column(schema: Schema, options: StreamOptions) -> None:
    """Refuse a schema or hints that have a column of that name already (contract 5.8)."""
    rescued = options.reading.rescued_column
    taken = None if rescued is None else schema.find_ignoring_case(rescued)
    if taken is None:
        return
    given = "cloudFiles.schemaHints" if options.user_schema is None else "schema"
    raise OptionConflictError(
        ("rescuedDataColumn", given),
        found=f"a column {taken.name} in the schema beside the rescued data column {rescued}",
        expected="a schema without it: the rescued data column is added to every schema",
        remedy="Leave the column out, or give another name by the option rescuedDataColumn.",
    )


def _infer(landing: LandingFolder, file_format: Format, options: StreamOptions) -> Inferred:
    files = landing.list_files()
    keys = partition_keys(landing.base, (file.path for file in files))
    if keys and not options.discovery.drop_partition_columns:
        raise PartitionColumnsNotSupportedError(display_path(landing.base), keys)
    sample = choose_sample(files, options.sample)
    if not sample:
        raise EmptyDirError(landing.description, name_glob=options.discovery.path_glob_filter)
    entries = [
        FileEntry(SeqNum(i), file.path, file.size, file.modified_ns)
        for i, file in enumerate(sample, start=1)
    ]
    inferred = file_format.infer(entries)
    if not inferred.schema.fields:
        raise FailedToInferSchemaError(landing.description, files=len(entries))
    return inferred

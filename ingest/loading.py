"""What `.load()` does: resolve the schema once and lock it (contract 1.5, 2.1, 2.8).

A stored version is the truth; hints are laid over it at every start. With none, a sample of the
landing folder is inferred and becomes version 0 before anything else happens.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.clean_source import check_move_destination
from ingest.errors import (
    CannotMergeTypesError,
    ColumnTypeNotSupportedError,
    EmptyDirError,
    FailedToInferSchemaError,
    OptionConflictError,
)
from ingest.file_entry import FileEntry, ListedFile, SeqNum
from ingest.formats.choosing import can_fill, format_of
from ingest.formats.fixed_schemas import FIXED_SCHEMAS
from ingest.formats.forgiving import forgiving
from ingest.landing import landing_folder
from ingest.partitions.finding import (
    LandingPaths,
    check_partition_types,
    given_partitions,
    inferred_partitions,
    split_hints,
)
from ingest.partitions.folders import with_partitions, without_partitions
from ingest.partitions.partitioned_format import PartitionedFormat
from ingest.stream import LoadedStream
from schema_store.ddl import type_to_sql
from schema_store.hints import apply_hints
from schema_store.schema_diff import diff_schemas
from schema_store.store import Audit, AuditCause, SchemaStore, SchemaVersion
from schema_store.types import StringType, StructType

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

    from ingest.formats import Format
    from ingest.landing import LandingFolder
    from ingest.read_batch import Inferred
    from ingest.stream_options import SampleLimit, StreamOptions
    from schema_store.types import Schema

NO_COLUMNS = StructType(())


def load_stream(path: str, options: StreamOptions, *, at: dt.datetime) -> LoadedStream:
    """Give the stream over a landing path under its schema, storing a version where one is due.

    Raises `EmptyDirError` when there is nothing to infer from, and what the landing folder, the
    format and the schema store raise. With an unknown option key nothing is stored.
    """
    discovery = options.discovery
    landing = _landing(path, options)
    file_format = forgiving(format_of(options), discovery, options.reading)
    paths = LandingPaths(landing.base, landing.glob_depth, cache(landing.list_files))
    fixed = _fixed_schema(options)
    if options.schema_location is None or (options.user_schema is not None and fixed is None):
        return _load_given(landing, file_format, options, _given_partitions(paths, options))
    store = SchemaStore(options.schema_location)
    latest = store.latest()
    notices = frozenset[str]()
    if latest is not None:
        found = latest.schema
    elif fixed is not None:
        found = fixed
    else:
        inferred = _infer(landing, paths.list_files(), file_format, options)
        found, notices = inferred.schema, inferred.notices
    partitions = inferred_partitions(
        paths,
        discovery.partition_columns,
        known=None if latest is None else latest.partition_schema,
        typed=options.reading.typed,
    )
    columns = _hinted(latest, found, partitions, options)
    version = _store_version(store, latest, columns, options, at)
    partitioned = _partitioned(file_format, landing, version.partition_schema, options)
    return LoadedStream(
        landing,
        options,
        partitioned,
        version.schema,
        store,
        version,
        notices,
        partitions=version.partition_schema,
    )


def _landing(path: str, options: StreamOptions) -> LandingFolder:
    """Give the landing folder as the options of discovery have it."""
    discovery = options.discovery
    landing = landing_folder(
        path,
        name_glob=discovery.path_glob_filter,
        strict=discovery.use_strict_globber,
        modified_after_ms=discovery.modified_after_ms,
        modified_before_ms=discovery.modified_before_ms,
    )
    landing = _without_bad_records(landing, options.reading.bad_records_path)
    check_move_destination(landing, discovery.clean_source)
    return landing


def _fixed_schema(options: StreamOptions) -> Schema | None:
    """Give the schema that the format has by itself, unless the user gave one."""
    fixed = FIXED_SCHEMAS.get(options.format_name)
    return fixed if options.user_schema is fixed else None


def _given_partitions(paths: LandingPaths, options: StreamOptions) -> Schema:
    """Give the partition columns of a schema that is not inferred.

    They are part of what the user has given; a format's fixed schema gets them as an inferred one
    does, at each start anew when there is no schema location (Databricks, "schema inference").
    """
    named, schema = options.discovery.partition_columns, options.user_schema
    if _fixed_schema(options) is not None:
        return inferred_partitions(paths, named, known=None, typed=options.reading.typed)
    assert schema is not None
    return given_partitions(paths, named, schema)


def _load_given(
    landing: LandingFolder, file_format: Format, options: StreamOptions, partitions: Schema
) -> LoadedStream:
    """Give the stream under a schema of the user's, which has the partition columns, too."""
    assert options.user_schema is not None
    data = without_partitions(options.user_schema, partitions)
    _check_columns(data, partitions, options)
    named = options.discovery.partition_columns or ()
    lacking = [name for name in named if partitions.find_ignoring_case(name) is None]
    notice = f"cloudFiles.partitionColumns: the schema has no column {', '.join(lacking)}"
    return LoadedStream(
        landing,
        options,
        _partitioned(file_format, landing, partitions, options),
        data,
        None,
        None,
        frozenset([notice] if lacking else []),
        partitions=partitions,
    )


def _hinted(
    latest: SchemaVersion | None, found: Schema, partitions: Schema, options: StreamOptions
) -> SchemaVersion:
    """Lay the hints over the columns of the files and over those of the folders."""
    of_data, of_partitions = split_hints(options.hints, partitions)
    schema, partitions = apply_hints(found, of_data), apply_hints(partitions, of_partitions)
    _check_columns(schema, partitions, options)
    return SchemaVersion(0 if latest is None else latest.number, schema, partitions)


def _partitioned(
    file_format: Format, landing: LandingFolder, partitions: Schema, options: StreamOptions
) -> Format:
    """Let the format's rows have the partition columns; without any it stays as it is."""
    if not partitions.fields:
        return file_format
    return PartitionedFormat(file_format, landing.base, partitions, options.reading)


def _check_columns(schema: Schema, partitions: Schema, options: StreamOptions) -> None:
    """Refuse columns that the format cannot have (Spark's `supportDataType`)."""
    _check_corrupt_column(schema, options)
    _check_rescued_column(with_partitions(schema, partitions), options)
    check_partition_types(partitions)
    for field in schema:
        if not can_fill(options.format_name, field.data_type):
            raise ColumnTypeNotSupportedError(
                field.name, type_to_sql(field.data_type), options.format_name
            )


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
    columns: SchemaVersion,
    options: StreamOptions,
    at: dt.datetime,
) -> SchemaVersion:
    """Store the columns when they differ from the latest version, unless an option is unknown."""
    if options.unknown_keys or columns == latest:
        return columns
    audit = Audit(
        at=at.isoformat(timespec="milliseconds"),
        batch_id=None,
        causes=() if latest is None else _causes(latest, columns),
        diff=diff_schemas(_all_columns(latest), _all_columns(columns)),
    )
    return store.add(columns.schema, columns.partition_schema, after=latest, audit=audit)


def _all_columns(version: SchemaVersion | None) -> Schema:
    if version is None:
        return NO_COLUMNS
    return with_partitions(version.schema, version.partition_schema)


def _causes(latest: SchemaVersion, columns: SchemaVersion) -> tuple[AuditCause, ...]:
    """Tell which options have changed the columns."""
    named = AuditCause("", "cloudFiles.partitionColumns", "partition columns", None)
    hints = AuditCause("", "cloudFiles.schemaHints", "schema hints", None)
    if columns.partition_schema.names == latest.partition_schema.names:
        return (hints,)
    return (named,) if columns.schema == latest.schema else (named, hints)


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


def _infer(
    landing: LandingFolder,
    files: Sequence[ListedFile],
    file_format: Format,
    options: StreamOptions,
) -> Inferred:
    sample = choose_sample(files, options.sample)
    if not sample:
        raise EmptyDirError(landing.description, name_glob=options.discovery.path_glob_filter)
    entries = [
        FileEntry(SeqNum(i), file.path, file.size, file.modified_ns)
        for i, file in enumerate(sample, start=1)
    ]
    inferred = file_format.infer(entries)
    if inferred.conflicts:
        raise CannotMergeTypesError(landing.description, inferred.conflicts)
    if not inferred.schema.fields:
        raise FailedToInferSchemaError(
            landing.description, files=len(entries), format_name=options.format_name
        )
    return inferred

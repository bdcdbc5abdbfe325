"""Infer files as production would, and tell how each type came about; nothing is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ingest.errors import CannotMergeTypesError, EmptyDirError, FailedToInferSchemaError
from ingest.file_entry import FileEntry, SeqNum
from ingest.formats.choosing import format_of
from ingest.formats.json_inference import InferenceRules
from ingest.insight.csv_origins import CsvColumns, csv_origins
from ingest.insight.json_origins import JsonRecords, json_facts, json_origins
from ingest.insight.origins import ColumnFacts, Origin, leaves
from ingest.insight.parquet_origins import parquet_facts, parquet_origins, read_footers
from ingest.insight.surprises import find_surprises
from ingest.insight.text_facts import csv_facts
from ingest.landing import landing_folder
from ingest.loading import choose_sample
from ingest.partitions.finding import LandingPaths, inferred_partitions, split_hints
from ingest.partitions.folders import with_partitions
from schema_store.hints import apply_hints
from schema_store.types import StructType, fold_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.errors import IngestError
    from ingest.file_entry import ListedFile
    from ingest.insight.surprises import Surprise
    from ingest.landing import LandingFolder
    from ingest.stream_options import StreamOptions
    from schema_store.types import DataType, FieldPath, Schema

NO_COLUMNS = StructType(())

_Of = TypeVar("_Of")


@dataclass(frozen=True, slots=True)
class InferredColumn:
    """A column, or a field inside of one, of the schema that a stream would start with.

    `origin` is None where no value decides: of a `hinted` column, of one `in_path`, where every
    column is STRING, and in formats with one schema.
    """

    path: FieldPath
    data_type: DataType
    origin: Origin | None
    hinted: bool
    in_path: bool


@dataclass(frozen=True, slots=True)
class InferredFiles:
    """What inference makes of files, and why.

    `files` are those of the sample, of `found` ones. `conflict` is what production fails with: the
    schema then has the first type met.
    """

    schema: Schema
    columns: tuple[InferredColumn, ...]
    surprises: tuple[Surprise, ...]
    files: tuple[FileEntry, ...]
    found: int
    notices: tuple[str, ...]
    conflict: IngestError | None = None


def infer_files(paths: Sequence[str], options: StreamOptions) -> InferredFiles:
    """Infer files, folders or globs as the first start of a stream over them does (contract 2).

    With one path its folders may give partition columns.

    Raises what loading a stream raises: `EmptyDirError`, `FailedToInferSchemaError`,
    `LandingFolderError`, a `ReadError`.
    """
    discovery = options.discovery
    folders = [
        landing_folder(
            path, name_glob=discovery.path_glob_filter, strict=discovery.use_strict_globber
        )
        for path in paths
    ]
    listed = _listed(folders)
    sample = choose_sample(listed, options.sample)
    where = ", ".join(folder.description for folder in folders)
    if not sample:
        raise EmptyDirError(where, name_glob=discovery.path_glob_filter)
    entries = tuple(
        FileEntry(SeqNum(number), file.path, file.size, file.modified_ns)
        for number, file in enumerate(sample, start=1)
    )
    inferred = format_of(options).infer(entries)
    if not inferred.schema.fields:
        raise FailedToInferSchemaError(where, files=len(entries), format_name=options.format_name)
    partitions = _partitions(folders, options)
    of_data, of_partitions = split_hints(options.hints, partitions)
    schema = apply_hints(inferred.schema, of_data)
    partitions = apply_hints(partitions, of_partitions)
    columns, surprises = _explained(entries, options, (schema, partitions))
    conflicts = inferred.conflicts
    return InferredFiles(
        with_partitions(schema, partitions),
        columns,
        surprises,
        entries,
        len(listed),
        tuple(sorted(inferred.notices)),
        CannotMergeTypesError(where, conflicts) if conflicts else None,
    )


def _listed(folders: Sequence[LandingFolder]) -> tuple[ListedFile, ...]:
    """List all files, each once, in the order in which a stream would take them."""
    files = {file.path: file for folder in folders for file in folder.list_files()}
    return tuple(sorted(files.values(), key=lambda file: (file.modified_ns, file.path)))


def _partitions(folders: Sequence[LandingFolder], options: StreamOptions) -> Schema:
    if len(folders) > 1:
        return NO_COLUMNS
    folder = folders[0]
    paths = LandingPaths(
        folder.base,
        folder.glob_depth,
        folder.list_files,
    )
    named, typed = options.discovery.partition_columns, options.reading.typed
    return inferred_partitions(paths, named, known=None, typed=typed)


def _explained(
    entries: tuple[FileEntry, ...],
    options: StreamOptions,
    schemas: tuple[Schema, Schema],
) -> tuple[tuple[InferredColumn, ...], tuple[Surprise, ...]]:
    """Tell of each column, and of each field in one, how it got its type."""
    schema, partitions = schemas
    origins, facts = _origins(entries, options)
    pinned = {fold_path(path) for path in options.hints.pinned}
    columns: list[InferredColumn] = []
    surprises: list[Surprise] = []
    for path, data_type in leaves(with_partitions(schema, partitions)):
        key = fold_path(path)
        hinted = any(key[:length] in pinned for length in range(1, len(key) + 1))
        in_path = partitions.find_ignoring_case(path[0]) is not None
        origin = None if hinted or in_path else origins.get(key)
        columns.append(InferredColumn(path, data_type, origin, hinted, in_path))
        if origin is not None:
            known = facts.get(key, ColumnFacts())
            surprises += find_surprises(origin, known, options.format_name)
    return tuple(columns), tuple(surprises)


def _origins(
    entries: tuple[FileEntry, ...], options: StreamOptions
) -> tuple[dict[FieldPath, Origin], dict[FieldPath, ColumnFacts]]:
    """Find origins and facts; formats with one fixed schema have none, nor have STRING columns."""
    settings = options.reading
    match options.format_name:
        case "parquet":
            footers = read_footers(entries, options.hints.pinned)
            origins = parquet_origins(footers)
            return origins, parquet_facts(footers, origins)
        case _ if not settings.typed:
            return {}, {}
        case "csv":
            columns = CsvColumns(entries, options.csv, settings)
            found = csv_origins(columns)
            known = csv_facts(columns, {key: one.observed for key, one in found.items()})
            return _by_path(found), _by_path(known)
        case "json":
            records = JsonRecords(entries, options.json, _rules(options))
            origins = json_origins(records)
            return origins, json_facts(records, origins)
        case _:
            return {}, {}


def _by_path(found: dict[str, _Of]) -> dict[FieldPath, _Of]:
    return {(name,): one for name, one in found.items()}


def _rules(options: StreamOptions) -> InferenceRules:
    json = options.json
    return InferenceRules(
        prefers_decimal=options.reading.prefers_decimal,
        infer_timestamp=json.infer_timestamp,
        primitives_as_string=json.primitives_as_string,
        drop_field_if_all_null=json.drop_field_if_all_null,
        text=options.reading.text,
    )

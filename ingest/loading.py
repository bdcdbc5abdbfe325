"""What `.load()` does: resolve the schema once and lock it (contract 1.5, 2.1, 2.8).

A stored version is the truth; hints are laid over it at every start. With none, a sample of the
landing folder is inferred and becomes version 0 before anything else happens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.errors import EmptyDirError, PartitionColumnsNotSupportedError
from ingest.file_entry import FileEntry, ListedFile, SeqNum, display_path
from ingest.formats.csv_files import CsvFormat
from ingest.landing import landing_folder
from ingest.partitions import partition_keys
from ingest.stream import LoadedStream
from schema_store.hints import apply_hints
from schema_store.schema_diff import diff_schemas
from schema_store.store import Audit, AuditCause, SchemaStore, SchemaVersion
from schema_store.types import StructType

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
    landing = landing_folder(
        path, name_glob=discovery.path_glob_filter, strict=discovery.use_strict_globber
    )
    file_format = CsvFormat(options.csv, options.reading)
    if options.user_schema is not None:
        return LoadedStream(landing, options, file_format, options.user_schema, None, None)
    assert options.schema_location is not None
    store = SchemaStore(options.schema_location)
    latest = store.latest()
    if latest is None:
        inferred = _infer(landing, file_format, options)
        schema, notices = apply_hints(inferred.schema, options.hints), inferred.notices
    else:
        schema, notices = apply_hints(latest.schema, options.hints), frozenset[str]()
    version = _store_version(store, latest, schema, options, at)
    return LoadedStream(landing, options, file_format, version.schema, store, version, notices)


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


def _infer(landing: LandingFolder, file_format: Format, options: StreamOptions) -> Inferred:
    files = landing.list_files()
    keys = partition_keys(landing.base, (file.path for file in files))
    if keys and not options.discovery.drop_partition_columns:
        raise PartitionColumnsNotSupportedError(display_path(landing.base), keys)
    sample = choose_sample(files, options.sample)
    if not sample:
        raise EmptyDirError(landing.description)
    entries = [
        FileEntry(SeqNum(i), file.path, file.size, file.modified_ns)
        for i, file in enumerate(sample, start=1)
    ]
    return file_format.infer(entries)

"""Compaction: many small files of a Delta table become few, and no row changes.

An edge to the disk. Rows are rewritten in the table's types of today, and one entry of the log
takes the small files away and brings the large ones (`dataChange` false, so that nobody who reads
the table as a stream sees a change). Transactions of applications stay as they are. Appends that
come first do no harm; whoever removes one of the same files first wins, and the compaction looks
again.
"""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pyarrow as pa

from ingest.delta import library
from ingest.delta.actions import RemoveFile
from ingest.delta.commits import (
    Commit,
    Committed,
    checkpoint_if_due,
    commit,
    remove_uncounted,
)
from ingest.delta.data_files import FileStaging, stream_file_name
from ingest.delta.planning import WritePlan
from ingest.delta.protocol import check_writable
from ingest.delta.scan import as_data_files, read_file, readable_snapshot
from ingest.errors import IngestError, MetadataChangedError

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.delta.actions import AddFile
    from ingest.delta.settings import DeltaSettings
    from ingest.delta.snapshot import Snapshot

_LOG = logging.getLogger("ingest")

SMALL_SIZE = 4 << 20
SMALL_ROWS = 250_000
"""A file below both is small: what a compaction writes is above one of them, or the last one."""

DUE_FILES = 100
"""Small files that a stream's table may have before the stream compacts it."""

DUE_EVERY = 50
"""Versions after which a stream looks at the number of its table's files."""

AUTO_COMPACT = "delta.autoOptimize.autoCompact"
"""Databricks' property; `false` keeps streams from compacting the table."""

COMPACTION = "ingest-compaction"
"""What files of a compaction tell in their name, where a stream's tell the query."""

_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Compaction:
    """What a compaction did: the version it made, and the files it took away and brought."""

    version: int
    removed: tuple[AddFile, ...]
    added: tuple[AddFile, ...]


class _FilesGoneError(Exception):
    """Another writer has removed a file that was being compacted, or rows of it."""


def compact(folder: Path, settings: DeltaSettings) -> Compaction | None:
    """Rewrite the table's small files as large ones; None when that would not make them fewer.

    Raises `TableNotFoundError`, `UnsupportedTableFeatureError` for a table that must not be written
    here, `DamagedTableError`, naming the file, and `SinkNotWritableError`.
    """
    for _ in range(_ATTEMPTS):
        snapshot = readable_snapshot(folder)
        check_writable(str(folder), snapshot.protocol, snapshot.metadata)
        small = small_files(snapshot)
        if len(small) <= 1:
            return None
        try:
            return _rewrite(snapshot, small, settings)
        except (_FilesGoneError, MetadataChangedError):
            continue
    return None


def compact_if_due(folder: Path, snapshot: Snapshot, settings: DeltaSettings) -> Compaction | None:
    """Compact after a stream's commit if it is time; the stream goes on whatever comes of it.

    It looks every `DUE_EVERY` versions, and compacts when there are more than `DUE_FILES` small
    files; a failure is told, and fails nothing.
    """
    is_off = snapshot.metadata.configuration.get(AUTO_COMPACT, "true").lower() == "false"
    if is_off or snapshot.version % DUE_EVERY:
        return None
    try:
        return compact(folder, settings) if len(small_files(snapshot)) > DUE_FILES else None
    except (IngestError, library.DeltaError, pa.ArrowException, OSError) as error:
        _LOG.warning("%s was not compacted: %s", folder, error)
        return None


def small_files(snapshot: Snapshot) -> tuple[AddFile, ...]:
    """Give the small files that share a partition with another one, partition by partition.

    Files with deleted rows stay as they are.
    """
    small = [add for add in snapshot.files() if _is_small(add)]
    shared = Counter(map(_partition, small))
    found = [add for add in small if shared[_partition(add)] > 1]
    return tuple(sorted(found, key=lambda add: (_partition(add), add.modification_time, add.path)))


def _partition(add: AddFile) -> str:
    return str(sorted(add.partition_values.items()))


def _is_small(add: AddFile) -> bool:
    return add.size < SMALL_SIZE and (add.rows or 0) < SMALL_ROWS and not add.deletion_vector


def _rewrite(
    snapshot: Snapshot, small: tuple[AddFile, ...], settings: DeltaSettings
) -> Compaction | None:
    """Write the small files' rows again and commit; raises `_FilesGoneError` on a lost race."""
    folder = snapshot.folder
    files = as_data_files(snapshot, small)
    whole = [(add, file) for add, file in zip(small, files, strict=True) if file.kept is None]
    plan = WritePlan(
        snapshot,
        snapshot.protocol,
        snapshot.metadata,
        (),
        tuple(_removal(add, settings.now_ms) for add, _ in whole),
    )
    staging = FileStaging(
        folder,
        plan,
        lambda number: stream_file_name(
            COMPACTION, snapshot.version + 1, number, settings.new_id()
        ),
    )
    try:
        for _, file in whole:
            staging.write(read_file(snapshot, file))
        adds = tuple(replace(add, data_change=False) for add in staging.finish())
        if len(adds) >= len(whole):
            staging.remove()
            return None
        version = _commit(folder, plan, adds, settings)
    except BaseException:
        remove_uncounted(staging)
        raise
    return Compaction(version, tuple(add for add, _ in whole), adds)


def _commit(
    folder: Path, plan: WritePlan, adds: tuple[AddFile, ...], settings: DeltaSettings
) -> int:
    gone = frozenset(remove.path for remove in plan.removes)

    def replan(newest: Snapshot) -> WritePlan:
        same = {add.path for add in newest.files() if not add.deletion_vector}
        if not gone <= same:
            raise _FilesGoneError
        protocol, metadata = newest.protocol, newest.metadata
        check_writable(str(folder), protocol, metadata)
        return replace(plan, snapshot=newest, protocol=protocol, metadata=metadata)

    entry = Commit(
        operation="OPTIMIZE",
        parameters={"predicate": "[]", "auto": False, "clusterBy": "[]", "zOrderBy": "[]"},
        timestamp=settings.now_ms,
        adds=adds,
    )
    made = commit(folder, plan, entry, replan)
    assert isinstance(made, Committed), "a compaction has no transaction that could be there"
    checkpoint_if_due(folder, made.version, plan)
    return made.version


def _removal(add: AddFile, now_ms: int) -> RemoveFile:
    return RemoveFile(
        add.path,
        now_ms,
        data_change=False,
        partition_values=add.partition_values,
        size=add.size,
    )

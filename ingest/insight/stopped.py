"""Why a stream's last run ended, and what a restart will do; nothing is created or changed.

Known from the checkpoint (offsets, commits, refused batches, ledger, file state, the note
`.last_stop`, the lock) and the schema location (versions and their audits). The landing folder is
not known there: files that arrived since the last run come on top.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from ingest.checkpoint import planned_batch, read_ledger, read_query_id, refused_fields
from ingest.errors import CheckpointError, DamagedCheckpointError
from ingest.file_entry import BatchId, SeqNum
from ingest.file_state import read_file_state
from ingest.last_stop import read_last_stop
from ingest.ledger import LossKind
from ingest.lock_holder import Holder, find_holder
from schema_store.metadata_log import MetadataLog
from schema_store.store import SchemaStore

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.checkpoint import PlannedBatch
    from ingest.file_entry import FileEntry
    from ingest.last_stop import LastStop
    from schema_store.store import Audit, SchemaVersion


class Ending(Enum):
    """How the last run ended."""

    RUNNING = "running"
    NOT_RUN = "not run"
    """No batch was ever planned."""
    SETTLED = "settled"
    """Every known file is in the table."""
    WAITING = "waiting"
    """All batches are done, but known files wait for the next one."""
    EVOLVED = "evolved"
    """A new schema version was stored; a restart goes on with it."""
    REFUSED = "refused"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    """A batch was begun and not finished, and nobody noted why: killed, or stopped by hand."""


class FileFate(Enum):
    """What a restart finds in the place of a file."""

    SAME = "as planned"
    CHANGED = "changed since"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class WaitingFile:
    """A file of the batch that is read again."""

    uri: str
    size: int
    fate: FileFate


@dataclass(frozen=True, slots=True)
class Batches:
    """How far the stream is: the last planned batch, None before the first, and the ones done.

    `unfinished` says that the last one is not committed; then `files` are its files. `fields` are
    those it was refused for, None if it was not refused. `waiting` are files and bytes known
    beyond it, None where the file state cannot be read (`trouble` says why).
    """

    last: PlannedBatch | None
    committed: int
    unfinished: bool
    fields: tuple[str, ...] | None
    files: tuple[WaitingFile, ...]
    waiting: tuple[int, int] | None
    trouble: str | None


@dataclass(frozen=True, slots=True)
class Losses:
    """What the ledger counts over all batches, and in the last one."""

    dropped: int
    changed: int
    in_last: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known of a stream that is not running, or running elsewhere.

    `version` is None where the stream has a schema of the user's, or no schema location was found;
    `audit` tells why that version exists.
    """

    query_id: str | None
    holder: Holder | None
    batches: Batches
    note: LastStop | None
    version: SchemaVersion | None
    audit: Audit | None
    losses: Losses

    @property
    def ending(self) -> Ending:
        """How the last run ended."""
        return _ending(self)

    @property
    def evolved_in_batch(self) -> bool:
        """Whether the unfinished batch is what caused the newest schema version."""
        last, audit = self.batches.last, self.audit
        return (
            self.batches.unfinished
            and last is not None
            and audit is not None
            and audit.batch_id == last.batch_id
        )


def explain_stream(checkpoint: Path, schema_location: Path | None) -> Explanation:
    """Look at a stream's durable state.

    Raises `DamagedCheckpointError` when there is no checkpoint or an entry cannot be understood,
    and what the schema store raises.
    """
    if not (checkpoint / "metadata").is_file():
        raise DamagedCheckpointError(
            str(checkpoint),
            found="no metadata",
            expected="the checkpoint folder of a stream that has run, or the folder above it",
            remedy="Give the folder named by checkpointLocation, or by --state.",
        )
    store = None if schema_location is None else SchemaStore(schema_location)
    version = None if store is None else store.latest()
    audit = None if store is None or version is None else store.audit(version.number)
    ids = MetadataLog(checkpoint / "offsets").ids()
    return Explanation(
        read_query_id(checkpoint),
        find_holder(checkpoint),
        _batches(checkpoint, ids),
        read_last_stop(checkpoint),
        version,
        audit,
        _losses(checkpoint, ids),
    )


def _ending(known: Explanation) -> Ending:
    batches, note = known.batches, known.note
    if known.holder is not None and known.holder.holds:
        return Ending.RUNNING
    if batches.unfinished and (note is None or note.type == "UnknownFieldException"):
        if known.evolved_in_batch:
            return Ending.EVOLVED
        if batches.fields:
            return Ending.REFUSED
    if note is not None:
        return Ending.FAILED
    if batches.unfinished:
        return Ending.INTERRUPTED if batches.fields is None else Ending.FAILED
    if batches.last is None:
        return Ending.NOT_RUN
    return Ending.WAITING if batches.waiting and batches.waiting[0] else Ending.SETTLED


def _batches(checkpoint: Path, ids: tuple[int, ...]) -> Batches:
    last = planned_batch(checkpoint, BatchId(ids[-1])) if ids else None
    done = MetadataLog(checkpoint / "commits").ids()
    unfinished = last is not None and last.batch_id not in done
    fields = refused_fields(checkpoint, last.batch_id) if last is not None and unfinished else None
    try:
        files, waiting = _files(checkpoint, last, unfinished=unfinished)
        trouble = None
    except CheckpointError as error:
        files, waiting, trouble = (), None, error.found
    return Batches(last, len(done), unfinished, fields, files, waiting, trouble)


def _files(
    checkpoint: Path, last: PlannedBatch | None, *, unfinished: bool
) -> tuple[tuple[WaitingFile, ...], tuple[int, int] | None]:
    """Give the files of an unfinished batch, and count those that wait after the last batch."""
    path = checkpoint / "sources" / "0" / "file_state.db"
    if not path.exists():
        return (), None
    with read_file_state(path) as state:
        first = state.first_offset()
        end = first if last is None else SeqNum(max(last.end, first))
        entries: list[FileEntry] = []
        if last is not None and unfinished:
            entries = list(state.between(SeqNum(max(last.start, first)), last.end))
        return tuple(_waiting_file(entry) for entry in entries), state.outstanding(end)


def _waiting_file(entry: FileEntry) -> WaitingFile:
    try:
        found = os.stat(entry.path)  # noqa: PTH116 - paths are bytes
    except OSError:
        return WaitingFile(entry.uri, entry.size, FileFate.GONE)
    same = (found.st_size, found.st_mtime_ns) == (entry.size, entry.modified_ns)
    return WaitingFile(entry.uri, entry.size, FileFate.SAME if same else FileFate.CHANGED)


def _losses(checkpoint: Path, ids: tuple[int, ...]) -> Losses:
    entries = [(number, read_ledger(checkpoint, BatchId(number))) for number in ids]
    counts = {
        kind: sum(one.count for _, found in entries for one in found if one.kind is kind)
        for kind in LossKind
    }
    in_last = sum(one.count for one in entries[-1][1]) if entries else 0
    return Losses(counts[LossKind.DROPPED], counts[LossKind.CHANGED], in_last)

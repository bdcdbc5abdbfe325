"""The one way into the log: an entry put in place where none was, or another try.

An edge to the disk. A lost race is never an error by itself: the winner's entry is read, and the
commit goes on top of it as far as Delta's rules for blind appends allow.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ingest.delta import library
from ingest.delta.actions import AddFile, CommitInfo, Transaction
from ingest.delta.log import DeltaLog
from ingest.delta.planning import files_fit
from ingest.delta.protocol import writer_features
from ingest.delta.snapshot import library_table, open_snapshot
from ingest.errors import DamagedTableError, MetadataChangedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from ingest.delta.actions import Action
    from ingest.delta.data_files import FileStaging
    from ingest.delta.planning import WritePlan
    from ingest.delta.snapshot import Snapshot

_LOG = logging.getLogger("ingest")

ENGINE = "ingest-autoloader"

CHECKPOINT_INTERVAL = 100
"""Versions between checkpoints, unless the table's `delta.checkpointInterval` says otherwise.

Spark's default is 10. A checkpoint lists every file, so that its cost grows with the table; opening
reads the entries since the last one. See the README's "Performance" for what was measured.
"""


@dataclass(frozen=True, slots=True)
class Commit:
    """What an entry says beside the changes of the table: who, and which files.

    `timestamp` is in milliseconds.
    """

    operation: str
    parameters: Mapping[str, Any]
    timestamp: int
    adds: tuple[AddFile, ...] = ()
    transaction: Transaction | None = None
    tags: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Committed:
    """The entry is in the log; `snapshot` is the table after it, None when it was made."""

    version: int
    snapshot: Snapshot | None


@dataclass(frozen=True, slots=True)
class AlreadyThere:
    """Another writer has committed this application's version."""

    snapshot: Snapshot


def commit(
    folder: Path, plan: WritePlan, entry: Commit, replan: Callable[[Snapshot], WritePlan]
) -> Committed | AlreadyThere:
    """Write the entry on top of the newest version, whoever else is writing.

    `replan` is asked for a new plan when a winner has changed the table's columns or features.
    Raises `MetadataChangedError` when the files do not fit the table any more, and what `replan`
    raises. It ends: each turn but the last is another writer's success.
    """
    log = DeltaLog(folder)
    while True:
        actions = entry_actions(plan, entry)
        if _is_next(log, plan) and log.add(plan.version, actions):
            after = None if plan.snapshot is None else plan.snapshot.advance(actions)
            return Committed(plan.version, after)
        newest = _newest(folder, plan)
        if is_there(newest, entry.transaction):
            log.sync()
            return AlreadyThere(newest)
        plan = _moved(plan, newest, entry, replan)


def _is_next(log: DeltaLog, plan: WritePlan) -> bool:
    """Tell whether the plan's version, if it is free, is the one after the newest."""
    if plan.snapshot is None:
        return log.newest_version() is None
    return not plan.snapshot.is_overtaken()


def is_there(snapshot: Snapshot, transaction: Transaction | None) -> bool:
    """Tell whether the table has this version of the application, or a later one.

    Spark's `DeltaSink` asks the same: `currentVersion >= batchId`.
    """
    if transaction is None:
        return False
    version = snapshot.transaction_version(transaction.app_id)
    return version is not None and version >= transaction.version


def _newest(folder: Path, plan: WritePlan) -> Snapshot:
    newest = open_snapshot(folder) if plan.snapshot is None else plan.snapshot.newest()
    assert newest is not None, "another writer has written an entry"
    return newest


def _moved(
    plan: WritePlan, newest: Snapshot, entry: Commit, replan: Callable[[Snapshot], WritePlan]
) -> WritePlan:
    """Give the plan on top of what the winners have left."""
    old = plan.snapshot
    is_same = (
        old is not None
        and old.metadata == newest.metadata
        and old.protocol == newest.protocol
        and not plan.removes
    )
    if is_same:
        return replace(plan, snapshot=newest)
    moved = replan(newest)
    if entry.adds and not files_fit(plan, moved):
        raise MetadataChangedError(str(newest.folder), newest.version)
    return moved


def remove_uncounted(files: FileStaging) -> None:
    """Remove the files of a write that has failed, unless the log names them.

    It may name them: the entry was there already when its folder could not be synced. They stay
    when the log cannot be read; the query's next begin removes them, or a vacuum.
    """
    if not files.adds:
        return
    try:
        snapshot = open_snapshot(files.folder)
        counted = () if snapshot is None else snapshot.files()
    except DamagedTableError:
        return
    files.remove(but=frozenset(add.path for add in counted))


def entry_actions(plan: WritePlan, entry: Commit) -> tuple[Action, ...]:
    """Give the actions of an entry in Spark's order: `commitInfo` first."""
    transaction = () if entry.transaction is None else (entry.transaction,)
    info = _commit_info(plan, entry)
    return (info, *plan.changes, *transaction, *plan.removes, *entry.adds)


def _commit_info(plan: WritePlan, entry: Commit) -> CommitInfo:
    """Say what Spark's `commitInfo` says; every metric is a text there."""
    read = {} if plan.snapshot is None else {"readVersion": plan.snapshot.version}
    rows = sum(add.rows or 0 for add in entry.adds)
    metrics = {
        "numRemovedFiles": len(plan.removes),
        "numOutputRows": rows,
        "numOutputBytes": sum(add.size for add in entry.adds),
        "numAddedFiles": len(entry.adds),
    }
    return CommitInfo(
        {
            "timestamp": entry.timestamp,
            "operation": entry.operation,
            "operationParameters": dict(entry.parameters),
            **read,
            "isolationLevel": "Serializable",
            "isBlindAppend": not plan.removes,
            "operationMetrics": {key: str(number) for key, number in metrics.items()},
            "engineInfo": ENGINE,
            **entry.tags,
        }
    )


def checkpoint_if_due(folder: Path, version: int, plan: WritePlan) -> None:
    """Write a checkpoint of a version that is in the log, if it is its turn.

    A checkpoint only saves time: one that fails is told, and fails nothing.
    """
    text = plan.metadata.configuration.get("delta.checkpointInterval", "")
    interval = int(text) if text.isdecimal() and int(text) else CHECKPOINT_INTERVAL
    is_due = version > 0 and version % interval == 0
    if not is_due or "v2Checkpoint" in writer_features(plan.protocol):
        return
    try:
        library_table(folder, version).create_checkpoint()
    except (library.DeltaError, OSError) as error:
        _LOG.warning("no checkpoint of %s at version %s: %s", folder, version, error)

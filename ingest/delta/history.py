"""What has happened to a Delta table, version by version (Delta's `DESCRIBE HISTORY`).

An edge to the disk; it reads the log's entries as they are. Entries that a checkpoint has replaced
and that are gone tell nothing any more.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingest.delta.actions import (
    Action,
    AddFile,
    CommitInfo,
    Metadata,
    Protocol,
    RemoveFile,
    Transaction,
)
from ingest.delta.log import DeltaLog
from ingest.errors import DamagedTableError, TableNotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One version: what its writer says of it (`info`), and what it did by its actions.

    `at` is None when the writer does not tell the time, `rows` when a file does not tell its rows.
    """

    version: int
    at: dt.datetime | None
    operation: str
    added: int
    removed: int
    rows: int | None
    metadata: Metadata | None
    protocol: Protocol | None
    transaction: Transaction | None
    info: Mapping[str, Any]


def read_history(folder: Path) -> Iterator[HistoryEntry]:
    """Tell every version whose entry is still there, the newest first.

    Raises `TableNotFoundError`, and `DamagedTableError`, naming the entry.
    """
    log = DeltaLog(folder)
    versions = log.versions()
    if not versions and not log.checkpoints():
        raise TableNotFoundError(folder.name, str(folder))
    _require_no_gap(log, versions)
    return (history_entry(number, log.read(number) or ()) for number in reversed(versions))


def history_entry(version: int, actions: tuple[Action, ...]) -> HistoryEntry:
    """Sum up one entry of the log."""
    info = next((dict(a.values) for a in actions if isinstance(a, CommitInfo)), {})
    adds = [a for a in actions if isinstance(a, AddFile)]
    rows = [a.rows for a in adds]
    return HistoryEntry(
        version=version,
        at=_moment(info.get("inCommitTimestamp", info.get("timestamp"))),
        operation=str(info.get("operation", "unknown")),
        added=len(adds),
        removed=sum(isinstance(a, RemoveFile) for a in actions),
        rows=None if None in rows else sum(count or 0 for count in rows),
        metadata=next((a for a in actions if isinstance(a, Metadata)), None),
        protocol=next((a for a in actions if isinstance(a, Protocol)), None),
        transaction=next((a for a in actions if isinstance(a, Transaction)), None),
        info=info,
    )


def _moment(milliseconds: object) -> dt.datetime | None:
    if not isinstance(milliseconds, int):
        return None
    return _EPOCH + dt.timedelta(milliseconds=milliseconds)


def _require_no_gap(log: DeltaLog, versions: tuple[int, ...]) -> None:
    """Entries vanish from the beginning only; one that is missing between others is a damage."""
    for expected, number in enumerate(versions, start=versions[0] if versions else 0):
        if number != expected:
            raise DamagedTableError(
                str(log.path(expected)),
                found=f"an entry of the Delta log that is missing, before version {number}",
                expected="entries without a gap",
            )

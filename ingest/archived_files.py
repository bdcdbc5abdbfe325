"""What cleanSource has done with ingested files, and what it is about to do.

A part of the file state, in the same database. What is to be done with a file is written before it
is done: a crash in between leaves a plan, which is carried out again or found to be done.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from ingest.file_entry import FileEntry, SeqNum
from ingest.file_state_database import read_fact, set_fact, transaction

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from pathlib import Path


class ArchiveMode(Enum):
    """What is done with a file; the values are Databricks' `archive_mode`."""

    DELETE = "DELETE"
    MOVE = "MOVE"


@dataclass(frozen=True, slots=True)
class ArchivePlan:
    """What is to be done with an ingested file.

    `moved_to` is None when it is deleted; `committed_ms` is when its batch was committed.
    """

    entry: FileEntry
    mode: ArchiveMode
    moved_to: bytes | None
    committed_ms: int


class ArchivedFiles:
    """Plans and facts of cleanSource in the open file state of a stream."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._db = connection

    def cleaned_to(self) -> int | None:
        """Give the last batch that cleanSource has looked at; None before the first."""
        return read_fact(self._db, "cleaned_to")

    def plan(self, plans: Iterable[ArchivePlan], *, cleaned_to: int) -> None:
        """Write what is to be done with the files of a batch before it is done."""
        with transaction(self._path, self._db):
            self._db.executemany(
                "INSERT OR REPLACE INTO archived VALUES (?, ?, ?, ?, NULL)",
                (
                    (plan.entry.seq_num, plan.mode.value, plan.moved_to, plan.committed_ms)
                    for plan in plans
                ),
            )
            set_fact(self._db, "cleaned_to", cleaned_to)

    def planned(self) -> list[ArchivePlan]:
        """Give what was meant to be done and is not known to be done."""
        rows = self._db.execute(
            "SELECT archived.mode, archived.moved_to, archived.committed_ms,"
            " files.seq, folders.path, files.name, files.size, files.modified_ns"
            " FROM archived JOIN files ON files.seq = archived.seq"
            " JOIN folders ON folders.id = files.folder"
            " WHERE archived.archived_ms IS NULL ORDER BY archived.seq"
        )
        return [
            ArchivePlan(_entry(*row), ArchiveMode(mode), moved_to, committed_ms)
            for mode, moved_to, committed_ms, *row in rows
        ]

    def finish(
        self, *, done: Iterable[ArchivePlan], dropped: Iterable[ArchivePlan], now_ms: int
    ) -> None:
        """Write what was done, and forget what is not to be done any more."""
        with transaction(self._path, self._db):
            self._db.executemany(
                "UPDATE archived SET mode = ?, moved_to = ?, archived_ms = ? WHERE seq = ?",
                ((plan.mode.value, plan.moved_to, now_ms, plan.entry.seq_num) for plan in done),
            )
            self._db.executemany(
                "DELETE FROM archived WHERE seq = ?", ((plan.entry.seq_num,) for plan in dropped)
            )


def _entry(seq: int, folder: bytes, name: bytes, size: int, modified_ns: int) -> FileEntry:
    return FileEntry(SeqNum(seq), folder + b"/" + name, size, modified_ns)

"""Every file ever seen, and its place in the sequence.

Second step of the walk: after `discover`, each new file has its number for good. One SQLite
database (rollback journal, synchronous=FULL: it needs no shared memory, so it works in containers
and on mounts) in `sources/0/` of the checkpoint, so that ten million files stay one file of about
1 GB. `PRAGMA user_version` is the format's version.

    files(seq INTEGER PRIMARY KEY, path BLOB, size, modified_ns, discovered_ms)
    facts(name PRIMARY KEY, value)     skip_to: files up to this number are not ingested
                                       (includeExistingFiles=false at the first start)
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.errors import DamagedCheckpointError, StateNotWritableError
from ingest.file_entry import FileEntry, ListedFile, SeqNum
from schema_store.metadata_log import make_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

FORMAT_VERSION = 1

BUSY_SECONDS = 60
"""How long to wait while somebody reads a report of many files (`checkpoint_report.py`)."""

_TABLES = """
CREATE TABLE files(
    seq INTEGER PRIMARY KEY, path BLOB NOT NULL, size INTEGER NOT NULL,
    modified_ns INTEGER NOT NULL, discovered_ms INTEGER NOT NULL
);
CREATE INDEX files_path ON files(path, seq);
CREATE TABLE facts(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class DiscoveredFile:
    """A file with the time it was discovered, for reports."""

    entry: FileEntry
    discovered_ms: int


class FileState:
    """The open file state of one stream; one process has it open (the checkpoint is locked)."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._db = connection
        self._known: dict[bytes, int] | None = None
        self._counted: tuple[SeqNum, int, int] | None = None

    def discover(
        self,
        listed: Sequence[ListedFile],
        *,
        allow_overwrites: bool,
        include_existing: bool,
        now_ms: int,
    ) -> int:
        """Give each new file its number, in the order given, in one transaction; say how many.

        A file is its path; with `allow_overwrites` it is its path and modification time
        (contract 7.1), and an old modification time that comes back is new again.
        `include_existing` counts at the very first discovery only.
        """
        known = self._known_files()
        new = [
            file
            for file in listed
            if file.path not in known or (allow_overwrites and known[file.path] != file.modified_ns)
        ]
        first = self._fact("skip_to") is None
        if not new and not first:
            return 0
        seq = self.latest()
        rows = (
            (seq + i, file.path, file.size, file.modified_ns, now_ms)
            for i, file in enumerate(new, start=1)
        )
        with _writing(self._path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT INTO files VALUES (?, ?, ?, ?, ?)", rows)
            if first:
                skip_to = 0 if include_existing else seq + len(new)
                self._db.execute("INSERT INTO facts VALUES ('skip_to', ?)", (skip_to,))
        known.update((file.path, file.modified_ns) for file in new)
        self._counted = None
        return len(new)

    def latest(self) -> SeqNum:
        """Give the highest number given out; 0 when there is none."""
        (seq,) = self._db.execute("SELECT coalesce(max(seq), 0) FROM files").fetchone()
        return SeqNum(seq)

    def first_offset(self) -> SeqNum:
        """Give the number after which ingestion starts (contract 7.3, includeExistingFiles)."""
        return SeqNum(self._fact("skip_to") or 0)

    def between(self, start: SeqNum, end: SeqNum) -> Iterator[FileEntry]:
        """Give the files numbered after `start` up to `end`, in sequence."""
        rows = self._db.execute(
            "SELECT seq, path, size, modified_ns FROM files WHERE seq > ? AND seq <= ?"
            " ORDER BY seq",
            (start, end),
        )
        return (FileEntry(SeqNum(seq), path, size, ns) for seq, path, size, ns in rows)

    def is_superseded(self, entry: FileEntry) -> bool:
        """Tell whether the same path was discovered again later (contract 7.3)."""
        (newer,) = self._db.execute(
            "SELECT EXISTS(SELECT 1 FROM files WHERE path = ? AND seq > ?)",
            (entry.path, entry.seq_num),
        ).fetchone()
        return bool(newer)

    def outstanding(self, after: SeqNum) -> tuple[int, int]:
        """Count files and bytes numbered after this; quick while the number only grows."""
        if self._counted is None or self._counted[0] > after:
            self._counted = (after, *self._count(after, self.latest()))
        start, files, size = self._counted
        done_files, done_size = self._count(start, after)
        self._counted = (after, files - done_files, size - done_size)
        return self._counted[1:]

    def _count(self, start: SeqNum, end: SeqNum) -> tuple[int, int]:
        files, size = self._db.execute(
            "SELECT count(*), coalesce(sum(size), 0) FROM files WHERE seq > ? AND seq <= ?",
            (start, end),
        ).fetchone()
        return files, size

    def all_files(self) -> Iterator[DiscoveredFile]:
        """Give every file in sequence, for a report."""
        for seq, path, size, ns, ms in self._db.execute(
            "SELECT seq, path, size, modified_ns, discovered_ms FROM files ORDER BY seq"
        ):
            yield DiscoveredFile(FileEntry(SeqNum(seq), path, size, ns), ms)

    def _known_files(self) -> dict[bytes, int]:
        """Give the newest modification time of each known path; read once, then kept."""
        if self._known is None:
            self._known = dict(
                self._db.execute("SELECT path, modified_ns FROM files ORDER BY seq").fetchall()
            )
        return self._known

    def _fact(self, name: str) -> int | None:
        row = self._db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if row is None else int(row[0])


@contextmanager
def open_file_state(path: Path) -> Iterator[FileState]:
    """Open the file state, or make a new one.

    Raises `DamagedCheckpointError` when it cannot be understood, `StateNotWritableError` when it
    cannot be written.
    """
    with _writing(path):
        make_folder(path.parent)
        db = sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS)
    try:
        with _writing(path):
            _prepare(path, db)
        with _reading(path):
            yield FileState(path, db)
    finally:
        db.close()


def _prepare(path: Path, db: sqlite3.Connection) -> None:
    db.execute("PRAGMA synchronous = FULL")
    version = _version_of(db)
    if version > FORMAT_VERSION:
        raise DamagedCheckpointError(
            str(path),
            found=f"file state of version {version}",
            expected=f"version {FORMAT_VERSION} or older",
            remedy="It was produced by a newer version of this program; upgrade.",
        )
    if version == 0:
        db.execute("BEGIN IMMEDIATE")
        if _version_of(db) == 0:  # else another process has made it meanwhile
            for statement in _TABLES.split(";"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
        db.execute("COMMIT")


def _version_of(db: sqlite3.Connection) -> int:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return int(version)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StateNotWritableError(str(path), str(error)) from error
    except sqlite3.DatabaseError as error:
        raise _damaged(path, error) from error
    except OSError as error:
        raise StateNotWritableError(str(path), error.strerror or str(error)) from error


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, error: sqlite3.DatabaseError) -> DamagedCheckpointError:
    return DamagedCheckpointError(
        str(path),
        found=f"file state that cannot be read ({error})",
        expected="the SQLite database of this stream",
        remedy="Restore the checkpoint from a backup, or start over with a new one.",
    )

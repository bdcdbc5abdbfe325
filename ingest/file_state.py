"""Every file ever seen, and its place in the sequence.

Second step of the walk: after `discover`, each new file has its number for good. One SQLite
database (rollback journal, synchronous=FULL: it needs no shared memory, so it works in containers
and on mounts) in `sources/0/` of the checkpoint. A folder's path is there once, so that ten million
files stay one file of about 1 GB, and nothing of it is kept in memory: names are looked up folder
by folder. `PRAGMA user_version` is the format's version.

    folders(id INTEGER PRIMARY KEY, path BLOB)
    files(seq INTEGER PRIMARY KEY, folder, name BLOB, size, modified_ns, discovered_ms)
    archived(seq INTEGER PRIMARY KEY, mode, moved_to BLOB, committed_ms, archived_ms)
        what cleanSource does with files; without archived_ms it is meant to be done, and may be
    facts(name PRIMARY KEY, value)
        skip_to       files up to this number are not ingested (includeExistingFiles=false at the
                      first start)
        newest_ns     the newest modification time of all files (maxFileAge)
        cleaned_to    cleanSource has looked at the batches up to this one

Version 1 had `path` in `files` and no folders; it is brought up to date when a stream opens it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from ingest.archived_files import ArchivedFiles
from ingest.file_entry import FileEntry, ListedFile, SeqNum
from ingest.file_state_database import (
    FORMAT_VERSION,
    bring_up_to_date,
    read_fact,
    reading,
    set_fact,
    transaction,
    version_of,
    writing,
)
from schema_store.metadata_log import make_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = [
    "FORMAT_VERSION",
    "DiscoveredFile",
    "FileState",
    "open_file_state",
    "read_file_state",
]

BUSY_SECONDS = 60
"""How long to wait while somebody reads a report of many files (`checkpoint_report.py`)."""

LOOKED_UP = 1000
"""Names in one look-up; SQLite takes at most 32,766."""

_ENTRIES = (
    "SELECT files.seq, folders.path, files.name, files.size, files.modified_ns"
    " FROM files JOIN folders ON folders.id = files.folder"
)


@dataclass(frozen=True, slots=True)
class DiscoveredFile:
    """A file with the time it was discovered, for reports, and what cleanSource did with it."""

    entry: FileEntry
    discovered_ms: int
    archived_ms: int | None = None
    archive_mode: str | None = None
    move_location: bytes | None = None


class FileState:
    """The open file state of one stream; one process has it open (the checkpoint is locked)."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._db = connection
        self._counted: tuple[SeqNum, int, int] | None = None
        self.archived = ArchivedFiles(path, connection)

    @property
    def is_new(self) -> bool:
        """Whether nothing was ever discovered, not even an empty folder."""
        return self._fact("skip_to") is None

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
        known = self._known_times(listed)
        new = [
            file
            for file in listed
            if file.path not in known or (allow_overwrites and known[file.path] != file.modified_ns)
        ]
        first = self.is_new
        if not new and not first:
            return 0
        seq = self.latest()
        with transaction(self._path, self._db):
            self._insert(new, after=seq, now_ms=now_ms)
            if first:
                skip_to = 0 if include_existing else seq + len(new)
                self._db.execute("INSERT INTO facts VALUES ('skip_to', ?)", (skip_to,))
        self._counted = None
        return len(new)

    def unknown(self, folder: bytes, names: Sequence[bytes]) -> list[bytes]:
        """Give the names of a folder that were never discovered, in the order given."""
        found = self._folder_id(folder)
        if found is None or not names:
            return list(names)
        known = self._all_names(found, limit=len(names) * 5 // 4 + 10)
        if known is None:
            known = set()
            for some in _chunks(names):
                known.update(name for (name,) in self._look_up("name", found, some))
        return [name for name in names if name not in known]

    def newest_ns(self) -> int | None:
        """Give the newest modification time of all files ever discovered."""
        return self._fact("newest_ns")

    def forget(self, *, older_than_ns: int, up_to: SeqNum) -> int:
        """Forget files numbered up to `up_to` that were modified before; say how many.

        The file with the highest number stays, as numbers go on after it, and so do files that
        cleanSource is about to remove.
        """
        chosen = (
            "SELECT seq FROM files WHERE seq <= min(?, (SELECT max(seq) FROM files) - 1)"
            " AND modified_ns < ? AND seq NOT IN"
            " (SELECT seq FROM archived WHERE archived_ms IS NULL)"
        )
        with transaction(self._path, self._db):
            # S608: no text of a user's
            facts = (up_to, older_than_ns)
            self._db.execute(f"DELETE FROM archived WHERE seq IN ({chosen})", facts)  # noqa: S608
            done = self._db.execute(f"DELETE FROM files WHERE seq IN ({chosen})", facts)  # noqa: S608
        self._counted = None
        return done.rowcount

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
            f"{_ENTRIES} WHERE files.seq > ? AND files.seq <= ? ORDER BY files.seq", (start, end)
        )
        return (_entry(*row) for row in rows)

    def is_superseded(self, entry: FileEntry) -> bool:
        """Tell whether the same path was discovered again later (contract 7.3)."""
        folder, _, name = entry.path.rpartition(b"/")
        (newer,) = self._db.execute(
            "SELECT EXISTS(SELECT 1 FROM files WHERE folder = ? AND name = ? AND seq > ?)",
            (self._folder_id(folder), name, entry.seq_num),
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

    def all_files(self) -> Iterator[DiscoveredFile]:
        """Give every file in sequence, for a report."""
        for *row, discovered, archived, mode, moved_to in self._db.execute(
            "SELECT files.seq, folders.path, files.name, files.size, files.modified_ns,"
            " files.discovered_ms, archived.archived_ms, archived.mode, archived.moved_to"
            " FROM files JOIN folders ON folders.id = files.folder"
            " LEFT JOIN archived ON archived.seq = files.seq AND archived_ms IS NOT NULL"
            " ORDER BY files.seq"
        ):
            yield DiscoveredFile(_entry(*row), discovered, archived, mode, moved_to)

    def _insert(self, new: Sequence[ListedFile], *, after: SeqNum, now_ms: int) -> None:
        ids: dict[bytes, int] = {}
        rows = []
        for seq, file in enumerate(new, start=after + 1):
            folder, _, name = file.path.rpartition(b"/")
            if folder not in ids:
                ids[folder] = self._add_folder(folder)
            rows.append((seq, ids[folder], name, file.size, file.modified_ns, now_ms))
        self._db.executemany("INSERT INTO files VALUES (?, ?, ?, ?, ?, ?)", rows)
        if new:
            newest = max(file.modified_ns for file in new)
            set_fact(self._db, "newest_ns", max(newest, self._fact("newest_ns") or newest))

    def _add_folder(self, folder: bytes) -> int:
        self._db.execute("INSERT OR IGNORE INTO folders(path) VALUES (?)", (folder,))
        found = self._folder_id(folder)
        assert found is not None
        return found

    def _folder_id(self, folder: bytes) -> int | None:
        row = self._db.execute("SELECT id FROM folders WHERE path = ?", (folder,)).fetchone()
        return None if row is None else int(row[0])

    def _known_times(self, listed: Sequence[ListedFile]) -> dict[bytes, int]:
        """Give the newest modification time of each of these paths that is known."""
        known: dict[bytes, int] = {}
        paths = sorted(file.path for file in listed)
        for folder, some in groupby(paths, key=lambda path: path.rpartition(b"/")[0]):
            found = self._folder_id(folder)
            names = [path[len(folder) + 1 :] for path in some]
            for chunk in _chunks(names) if found is not None else ():
                rows = self._look_up("name, modified_ns, seq", found, chunk)
                times = sorted((seq, name, ns) for name, ns, seq in rows)
                known.update((folder + b"/" + name, ns) for _, name, ns in times)
        return known

    def _all_names(self, folder: int, *, limit: int) -> set[bytes] | None:
        """Give all names of a folder, None when there are more: reading on is 3 times as quick."""
        rows = self._db.execute(
            "SELECT name FROM files WHERE folder = ? LIMIT ?", (folder, limit + 1)
        ).fetchall()
        return {name for (name,) in rows} if len(rows) <= limit else None

    def _look_up(self, columns: str, folder: int | None, names: Sequence[bytes]) -> sqlite3.Cursor:
        marks = ",".join("?" * len(names))
        sql = f"SELECT {columns} FROM files WHERE folder = ? AND name IN ({marks})"  # noqa: S608 - no text of a user's
        return self._db.execute(sql, [folder, *names])

    def _count(self, start: SeqNum, end: SeqNum) -> tuple[int, int]:
        files, size = self._db.execute(
            "SELECT count(*), coalesce(sum(size), 0) FROM files WHERE seq > ? AND seq <= ?",
            (start, end),
        ).fetchone()
        return files, size

    def _fact(self, name: str) -> int | None:
        return read_fact(self._db, name)


@contextmanager
def open_file_state(path: Path) -> Iterator[FileState]:
    """Open the file state, or make a new one.

    Raises `DamagedCheckpointError` when it cannot be understood, `StateNotWritableError` when it
    cannot be written.
    """
    with writing(path):
        make_folder(path.parent)
        db = sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS)
    try:
        with writing(path):
            db.execute("PRAGMA synchronous = FULL")
            bring_up_to_date(path, db)
        with reading(path):
            yield FileState(path, db)
    finally:
        db.close()


@contextmanager
def read_file_state(path: Path) -> Iterator[FileState]:
    """Open a file state for a report: it must exist, and nothing is created or changed.

    Raises `DamagedCheckpointError` when it cannot be understood, also one that a crash has left in
    the middle of a write: the next start of the stream mends it.
    """
    with reading(path), closing(_open_to_read(path)) as db:
        yield FileState(path, db)


def _open_to_read(path: Path) -> sqlite3.Connection:
    """Open the database; an older one is copied, and the copy brought up to date."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    db = sqlite3.connect(uri, isolation_level=None, timeout=BUSY_SECONDS, uri=True)
    if version_of(db) == FORMAT_VERSION:
        return db
    with closing(db):
        copy = sqlite3.connect(":memory:", isolation_level=None)
        db.backup(copy)
    bring_up_to_date(path, copy)
    return copy


def _entry(seq: int, folder: bytes, name: bytes, size: int, modified_ns: int) -> FileEntry:
    return FileEntry(SeqNum(seq), folder + b"/" + name, size, modified_ns)


def _chunks(names: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    return (names[at : at + LOOKED_UP] for at in range(0, len(names), LOOKED_UP))

"""The database of the file state: its tables, older versions of it, its transactions and errors."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ingest.errors import DamagedCheckpointError, StateNotWritableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FORMAT_VERSION = 2

_TABLES = """
CREATE TABLE folders(id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE);
CREATE TABLE files(
    seq INTEGER PRIMARY KEY, folder INTEGER NOT NULL, name BLOB NOT NULL, size INTEGER NOT NULL,
    modified_ns INTEGER NOT NULL, discovered_ms INTEGER NOT NULL
);
CREATE INDEX files_name ON files(folder, name);
CREATE TABLE archived(
    seq INTEGER PRIMARY KEY, mode TEXT NOT NULL, moved_to BLOB, committed_ms INTEGER NOT NULL,
    archived_ms INTEGER
);
CREATE INDEX archived_planned ON archived(seq) WHERE archived_ms IS NULL;
CREATE TABLE IF NOT EXISTS facts(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
"""

_FROM_VERSION_1 = """
INSERT INTO folders(path) SELECT DISTINCT folder_of(path) FROM files_1;
INSERT INTO files SELECT seq, (SELECT id FROM folders WHERE folders.path = folder_of(files_1.path)),
    name_of(path), size, modified_ns, discovered_ms FROM files_1 ORDER BY seq;
INSERT INTO facts SELECT 'newest_ns', max(modified_ns) FROM files HAVING count(*) > 0;
DROP TABLE files_1;
"""


def bring_up_to_date(path: Path, db: sqlite3.Connection) -> None:
    """Make the tables of a new file state, or those of an older one anew, in one transaction.

    Raises `DamagedCheckpointError` when a newer version of this program has produced it.
    """
    if version_of(db) == FORMAT_VERSION:
        return
    db.execute("BEGIN IMMEDIATE")
    version = version_of(db)  # another process may have done it meanwhile
    if version > FORMAT_VERSION:
        db.execute("ROLLBACK")
        raise DamagedCheckpointError(
            str(path),
            found=f"file state of version {version}",
            expected=f"version {FORMAT_VERSION} or older",
            remedy="It was produced by a newer version of this program; upgrade.",
        )
    if version == 0:
        _run(db, _TABLES)
    if version == 1:
        db.create_function("folder_of", 1, _folder_of, deterministic=True)
        db.create_function("name_of", 1, _name_of, deterministic=True)
        _run(db, "DROP INDEX files_path; ALTER TABLE files RENAME TO files_1;" + _TABLES)
        _run(db, _FROM_VERSION_1)
    db.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
    db.execute("COMMIT")


def version_of(db: sqlite3.Connection) -> int:
    """Give the version of a file state; 0 when it is new."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return int(version)


def read_fact(db: sqlite3.Connection, name: str) -> int | None:
    """Give the value of a fact; None when it is not there yet."""
    row = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return None if row is None else int(row[0])


def set_fact(db: sqlite3.Connection, name: str, value: int) -> None:
    """Set a fact, in a transaction of the caller's."""
    db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))


@contextmanager
def transaction(path: Path, db: sqlite3.Connection) -> Iterator[None]:
    """Change the file state; all of it is there afterwards, or nothing."""
    with writing(path), db:
        db.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say what cannot be written as an error of this package's."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StateNotWritableError(str(path), str(error)) from error
    except sqlite3.DatabaseError as error:
        raise _damaged(path, error) from error
    except OSError as error:
        raise StateNotWritableError(str(path), error.strerror or str(error)) from error


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Say what cannot be understood as an error of this package's."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _damaged(path, error) from error


def _run(db: sqlite3.Connection, statements: str) -> None:
    for statement in statements.split(";"):
        db.execute(statement)


def _folder_of(path: bytes) -> bytes:
    return path.rpartition(b"/")[0]


def _name_of(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]


def _damaged(path: Path, error: sqlite3.DatabaseError) -> DamagedCheckpointError:
    return DamagedCheckpointError(
        str(path),
        found=f"file state that cannot be read ({error})",
        expected="the SQLite database of this stream",
        remedy="Restore the checkpoint from a backup, or start over with a new one.",
    )

"""Removal of files that a Delta table does not need any more.

An edge to the disk. A file is needed when the newest version has it, or when it was replaced less
than the retention time ago: older versions and readers at work may still want it. What no entry of
the log has ever named was left by a writer that was killed, or belongs to one at work; it is kept
for the retention time, and for an hour at least. Hidden folders and files, and files that are not
Parquet's, are not looked at (Delta's `VACUUM`).
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.delta.actions import AddFile, RemoveFile
from ingest.delta.log import DELTA_LOG, DeltaLog
from ingest.delta.scan import readable_snapshot
from ingest.errors import DamagedTableError, SinkNotWritableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOUR_MS = 3_600_000
RETENTION_HOURS = 168
"""How long replaced files are kept by default (`delta.deletedFileRetentionDuration`: a week)."""


@dataclass(frozen=True, slots=True)
class UnneededFile:
    """A file that may go; `is_orphan` when no entry of the log names it."""

    path: Path
    size: int
    is_orphan: bool


def find_unneeded(folder: Path, *, now_ms: int, hours: int = RETENTION_HOURS) -> list[UnneededFile]:
    """Find the files that the table has not needed for so many hours.

    Raises `TableNotFoundError`, `TableFeatureNotSupportedError`, and `DamagedTableError`, naming
    the file.
    """
    before = _walk(folder)  # first: what is committed from here on is not among them
    snapshot = readable_snapshot(folder)
    current = {_place(folder, add) for add in snapshot.files()}
    removed, named = _removed(folder)
    found = []
    for path, state in before:
        place = path.resolve()
        since = removed.get(place, state.st_mtime_ns // 1_000_000)
        is_orphan = place not in removed and place not in named
        kept_for = max(hours, 1) if is_orphan else hours
        if place not in current and since <= now_ms - kept_for * HOUR_MS:
            found.append(UnneededFile(path, state.st_size, is_orphan))
    return found


def remove_files(files: list[UnneededFile]) -> None:
    """Remove files; one that is gone already is no error. Raises `SinkNotWritableError`."""
    for file in files:
        try:
            file.path.unlink(missing_ok=True)
        except OSError as error:
            raise SinkNotWritableError(str(file.path), error.strerror or str(error)) from error


def _walk(folder: Path) -> list[tuple[Path, os.stat_result]]:
    """List the Parquet files of the table's folder, without what is hidden."""
    found: list[tuple[Path, os.stat_result]] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_hidden(name))
        for name in sorted(names):
            if name.endswith(".parquet") and not _is_hidden(name):
                path = folder.__class__(place, name)
                with contextlib.suppress(FileNotFoundError):  # another vacuum was first
                    found.append((path, path.stat()))
    return found


def _place(folder: Path, action: AddFile | RemoveFile) -> Path:
    """Give a file's one place: the log may name it as absolute, and the folder be a link."""
    return action.local_path(folder).resolve()


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def _removed(folder: Path) -> tuple[dict[Path, int], set[Path]]:
    """Give when files were removed, and all files that the entries still there have named."""
    log = DeltaLog(folder)
    removed: dict[Path, int] = dict(_checkpoint_removals(folder, log))
    named: set[Path] = set()
    for version in log.versions():
        for action in log.read(version) or ():
            match action:
                case RemoveFile():
                    removed[_place(folder, action)] = action.deletion_timestamp or 0
                case AddFile():
                    named.add(_place(folder, action))
                case _:
                    pass
    return removed, named


def _checkpoint_removals(folder: Path, log: DeltaLog) -> Iterator[tuple[Path, int]]:
    """Give the removals that the newest checkpoint remembers."""
    newest = max(log.checkpoints(), default=None)
    if newest is None:
        return
    place = folder / DELTA_LOG
    parts = [*place.glob(f"{newest:020}.checkpoint*.parquet"), *place.glob("_sidecars/*.parquet")]
    for path in parts:
        try:
            if "remove" not in pq.read_schema(path).names:
                continue
            rows = pq.read_table(path, columns=["remove"], partitioning=None).column("remove")
        except (OSError, pa.ArrowInvalid) as error:
            raise DamagedTableError(
                str(path),
                found="a checkpoint that cannot be read",
                expected="a Parquet file, whole",
            ) from error
        for row in rows.drop_null().to_pylist():
            removal = RemoveFile(row["path"], row["deletionTimestamp"])
            yield _place(folder, removal), removal.deletion_timestamp or 0

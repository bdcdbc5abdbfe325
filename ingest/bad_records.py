"""Where malformed records go under `badRecordsPath`, and the files that cannot be opened.

Databricks, "Handle bad records and files"; each line is one JSON object:

    <badRecordsPath>/20301231T235959/bad_records/part-<batch>-<query>-<random>
                                                {"path":…,"record":…,"reason":…}
    <badRecordsPath>/20301231T235959/bad_files/part-<batch>-<query>-<random>
                                                {"path":…,"reason":…}

Filled while a batch is read, and given its name right before the sink takes the batch: no record is
lost. A batch that is replayed after that writes them again, beside the first ones. What a killed
attempt has not named is hidden, and removed when the query has bad records again.
"""

from __future__ import annotations

import contextlib
import os
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

import orjson

from ingest.errors import BadRecordsNotWritableError
from ingest.read_batch import BadFile, BadRecord
from schema_store.metadata_log import give_name, make_folder, sync_folder

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from ingest.file_entry import BatchId, FileEntry
    from ingest.read_batch import ReadBatch
    from ingest.sinks import Staging


@dataclass(frozen=True, slots=True)
class _StagedFile:
    """A file under its hidden name."""

    temporary: Path
    path: Path
    handle: BinaryIO


@dataclass(frozen=True, slots=True)
class BadRecords:
    """Bad records and files of one attempt at a batch.

    `path` is `badRecordsPath`, None without the option: then readers give no bad records.
    """

    path: Path | None
    query_id: str
    batch_id: BatchId
    at: dt.datetime
    _staged: dict[str, _StagedFile] = field(default_factory=dict)

    def openable(self, files: Sequence[FileEntry]) -> tuple[FileEntry, ...]:
        """Set aside the files that are gone or cannot be opened; without a path, take all."""
        if self.path is None:
            return tuple(files)
        kept = []
        for file in files:
            problem = _problem_of(file)
            if problem is None:
                kept.append(file)
            else:
                self.write([BadFile(file.uri, problem)])
        return tuple(kept)

    def write(self, bad: Iterable[BadRecord | BadFile]) -> None:
        """Take bad records; nobody sees them yet.

        Raises `BadRecordsNotWritableError`.
        """
        for one in bad:
            staged = self._staged_file("bad_records" if isinstance(one, BadRecord) else "bad_files")
            with _not_writable(staged.path):
                staged.handle.write(orjson.dumps(one) + b"\n")

    def commit(self) -> None:
        """Give the files their names.

        Raises `BadRecordsNotWritableError`.
        """
        for staged in self._staged.values():
            with _not_writable(staged.path):
                staged.handle.flush()
                os.fsync(staged.handle.fileno())
                staged.handle.close()
                give_name(staged.temporary, staged.path)
                staged.temporary.unlink(missing_ok=True)
                sync_folder(staged.path.parent)

    def abort(self) -> None:
        """Remove what has no name yet.

        What has one stays: the sink may have the batch although its commit has failed.
        """
        for staged in self._staged.values():
            with contextlib.suppress(OSError):
                staged.handle.close()
                staged.temporary.unlink(missing_ok=True)
                staged.path.parent.rmdir()
                staged.path.parent.parent.rmdir()

    def _staged_file(self, kind: str) -> _StagedFile:
        known = self._staged.get(kind)
        if known is not None:
            return known
        assert self.path is not None
        folder = self.path / f"{self.at:%Y%m%dT%H%M%S}" / kind
        name = f"part-{self.batch_id:05}-{self.query_id}-{uuid.uuid4().hex[:8]}"
        with _not_writable(folder):
            if not self._staged:
                self._remove_orphans(self.path)
            make_folder(folder)
            temporary = folder / f".{name}.tmp"
            staged = _StagedFile(temporary, folder / name, temporary.open("xb"))
        self._staged[kind] = staged
        return staged

    def _remove_orphans(self, path: Path) -> None:
        """Remove what a killed attempt of this query left; nobody else writes for it."""
        for orphan in path.glob(f"*/bad_*/.part-*-{self.query_id}-*.tmp"):
            orphan.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class BatchStaging:
    """A batch on its way: rows to the sink, bad records beside it."""

    rows: Staging
    bad: BadRecords

    def write(self, batch: ReadBatch) -> None:
        """Take what was read."""
        self.bad.write(batch.bad)
        self.rows.write(batch.rows)

    def commit(self) -> None:
        """Name the bad records, then make the rows visible: a crash in between loses nothing."""
        self.bad.commit()
        self.rows.commit()

    def abort(self) -> None:
        """Remove what was staged."""
        self.bad.abort()
        self.rows.abort()


@contextlib.contextmanager
def _not_writable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadRecordsNotWritableError(str(path), error.strerror or str(error)) from error


def _problem_of(file: FileEntry) -> str | None:
    try:
        with open(file.path, "rb"):  # noqa: PTH123 - the path is bytes
            return None
    except OSError as error:
        return f"[{_condition_of(error)}] {error.strerror or error}"


def _condition_of(error: OSError) -> str:
    gone = isinstance(error, FileNotFoundError | NotADirectoryError)
    return "FAILED_READ_FILE.FILE_NOT_EXIST" if gone else "FAILED_READ_FILE.NO_HINT"

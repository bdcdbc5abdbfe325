"""The durable state of a stream: who it is, what is planned, what is done.

Third and last step of a batch's walk. Layout and text format are Spark's (contract 7.3):

    metadata        {"id":"<uuid>"}
    offsets/N       v1 / {"batchWatermarkMs":0,"batchTimestampMs":…,"conf":{}} / {"seqNum":n,…}
    commits/N       v1 / {"nextBatchWatermarkMs":0}
    ledger/N        v1 / {"entries":[…]}   what batch N lost (contract 9.1); N.1, N.2 are replays
    refused/N       v1 / {"fields":[…]}    batch N was refused for new columns (contract 4.2),
                                           or, without fields, for a file of another format
    sources/0/      file state, see `file_state.py`
    .lock           the operating system's lock; `.lock.holder` says who has it
    .last_stop      how the last run failed, for people (`last_stop.py`); gone after a good one

A batch's life: `plan` writes offsets/N before a byte is read; the sink takes the rows; `commit`
writes commits/N. A batch with an offset and no commit is replayed with exactly the same files.
"""

from __future__ import annotations

import datetime as dt
import os
import socket
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

import orjson
from filelock import FileLock, Timeout

from ingest.errors import CheckpointInUseError, DamagedCheckpointError, StateNotWritableError
from ingest.file_entry import BatchId, SeqNum
from ingest.last_stop import recording_stop
from ingest.ledger import LedgerEntry, LossExample, LossKind
from schema_store.errors import (
    DamagedEntryError,
    EntryTooNewError,
    LocationNotReadableError,
    LocationNotWritableError,
)
from schema_store.metadata_log import EntryExistsError, MetadataLog, make_folder, put_if_absent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCE_VERSION = 1
_RESTORE = "Restore the checkpoint from a backup, or start over with a new one."


@dataclass(frozen=True, slots=True)
class PlannedBatch:
    """A batch whose offset is written: its files are those after `start` up to `end`."""

    batch_id: BatchId
    start: SeqNum
    end: SeqNum


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """An open checkpoint: this process holds its lock.

    `query_id` lives as long as the checkpoint does; sinks use it to know a batch again.
    """

    location: Path
    query_id: str

    @property
    def file_state_path(self) -> Path:
        """Where the state of all files is."""
        return self.location / "sources" / "0" / "file_state.db"

    def last_offset(self) -> PlannedBatch | None:
        """Give the batch that was planned last."""
        with _checkpoint_errors():
            ids = self._offsets.ids()
        return planned_batch(self.location, BatchId(ids[-1])) if ids else None

    def is_committed(self, batch_id: BatchId) -> bool:
        """Tell whether this batch is done."""
        with _checkpoint_errors():
            return self._commits.get(batch_id) is not None

    def plan(self, batch: PlannedBatch, *, now_ms: int) -> None:
        """Write the batch's offset, before anything of it is read."""
        head = {"batchWatermarkMs": 0, "batchTimestampMs": now_ms, "conf": {}}
        offset = {"seqNum": batch.end, "sourceVersion": SOURCE_VERSION}
        with _checkpoint_errors():
            self._offsets.add(batch.batch_id, f"{_text(head)}\n{_text(offset)}")

    def planned_at(self, batch_id: BatchId) -> dt.datetime:
        """Give the time at which the batch was planned: it stays the same in a replay.

        Raises `DamagedCheckpointError`.
        """
        millis = _offset_fact(self.location, batch_id, "batchTimestampMs")
        return dt.datetime.fromtimestamp(0, dt.UTC) + dt.timedelta(milliseconds=millis)

    def commit(self, batch_id: BatchId) -> None:
        """Write that the batch is done."""
        with _checkpoint_errors():
            self._commits.add(batch_id, _text({"nextBatchWatermarkMs": 0}))

    def write_ledger(self, batch_id: BatchId, entries: tuple[LedgerEntry, ...]) -> None:
        """Write what the batch lost; a replay writes beside what an earlier attempt wrote."""
        attempt = _ledger_attempts(self.location, batch_id)
        if not entries and not attempt:
            return
        body = b"v1\n" + ledger_to_json(entries).encode()
        with _checkpoint_errors():
            put_if_absent(_ledger_path(self.location, batch_id, attempt), body)

    def refuse(self, batch_id: BatchId, fields: tuple[str, ...]) -> None:
        """Write that the batch was refused: for new columns, or for a file of another format."""
        if not self.is_refused(batch_id):
            with _checkpoint_errors():
                self._refused.add(batch_id, _text({"fields": list(fields)}))

    def is_refused(self, batch_id: BatchId) -> bool:
        """Tell whether an earlier run refused this batch."""
        with _checkpoint_errors():
            return self._refused.get(batch_id) is not None

    @property
    def _offsets(self) -> MetadataLog:
        return MetadataLog(self.location / "offsets")

    @property
    def _commits(self) -> MetadataLog:
        return MetadataLog(self.location / "commits")

    @property
    def _refused(self) -> MetadataLog:
        return MetadataLog(self.location / "refused")


@contextmanager
def open_checkpoint(location: Path, *, new_id: str) -> Iterator[Checkpoint]:
    """Take the checkpoint's lock and give it; `new_id` is the query's id if it has none yet.

    Raises `CheckpointInUseError` at once when another query holds it (contract 7.5).
    """
    lock = FileLock(location / ".lock", timeout=0)
    holder = location / ".lock.holder"
    try:
        make_folder(location)
        lock.acquire()
    except Timeout as error:
        raise CheckpointInUseError(str(location), _read_holder(holder)) from error
    except OSError as error:
        raise StateNotWritableError(str(location), error.strerror or str(error)) from error
    try:
        with suppress(OSError):  # it is for people only
            holder.write_text(f"process {os.getpid()} on {socket.gethostname()}", encoding="utf-8")
        with recording_stop(location):
            yield _open(location, new_id)
    finally:
        try:
            with suppress(OSError):
                holder.unlink()
        finally:
            lock.release()


def _open(location: Path, new_id: str) -> Checkpoint:
    with _checkpoint_errors():
        checkpoint = Checkpoint(location, _query_id(location / "metadata", new_id))
        offsets = MetadataLog(location / "offsets")
        if offsets.ids():
            offsets.sync()  # the last writer may have died before it did
    return checkpoint


def planned_batch(location: Path, batch_id: BatchId) -> PlannedBatch:
    """Read a batch's place in the sequence from the offset log.

    Raises `DamagedCheckpointError` when an offset is missing or cannot be understood.
    """
    start = _offset(location, BatchId(batch_id - 1)) if batch_id > 0 else SeqNum(0)
    return PlannedBatch(batch_id, start, _offset(location, batch_id))


def read_query_id(location: Path) -> str | None:
    """Read the query's id, for a report; None when there is none yet."""
    path = location / "metadata"
    return _parse_query_id(path) if path.exists() else None


def refused_fields(location: Path, batch_id: BatchId) -> tuple[str, ...] | None:
    """Read what a batch was refused for, for a report; None when it was not refused."""
    with _checkpoint_errors():
        text = MetadataLog(location / "refused").get(batch_id)
    return None if text is None else tuple(orjson.loads(text)["fields"])


def ledger_to_json(entries: tuple[LedgerEntry, ...]) -> str:
    """Give the ledger of one batch as one JSON object."""
    return _text({"entries": list(entries)})


def read_ledger(location: Path, batch_id: BatchId) -> tuple[LedgerEntry, ...]:
    """Read what a batch lost; the last attempt counts."""
    attempts = _ledger_attempts(location, batch_id)
    if not attempts:
        return ()
    path = _ledger_path(location, batch_id, attempts - 1)
    try:
        version, _, body = path.read_bytes().partition(b"\n")
        entries = orjson.loads(body if version == b"v1" else b"")["entries"]
        return tuple(_ledger_entry(entry) for entry in entries)
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedCheckpointError(
            str(path),
            found="a ledger that cannot be read",
            expected="the line v1 and one JSON object",
            remedy="Remove the file; it holds a report, no state.",
        ) from error


def _ledger_entry(entry: dict[str, object]) -> LedgerEntry:
    examples = entry["examples"]
    assert isinstance(examples, list)
    column = entry["column"]
    return LedgerEntry(
        LossKind(entry["kind"]),
        str(entry["file"]),
        None if column is None else str(column),
        str(entry["reason"]),
        int(str(entry["count"])),
        tuple(LossExample(int(one["row"]), str(one["text"])) for one in examples),
    )


def _ledger_path(location: Path, batch_id: BatchId, attempt: int) -> Path:
    return location / "ledger" / (f"{batch_id}.{attempt}" if attempt else str(batch_id))


def _ledger_attempts(location: Path, batch_id: BatchId) -> int:
    """Count the attempts that have written a ledger of this batch."""
    return next(n for n in count() if not _ledger_path(location, batch_id, n).exists())


@contextmanager
def _checkpoint_errors() -> Iterator[None]:
    """Say what the logs say in this package's words: they are parts of a checkpoint here."""
    try:
        yield
    except LocationNotWritableError as error:
        raise StateNotWritableError(str(error.path), error.reason) from error
    except (DamagedEntryError, LocationNotReadableError) as error:
        raise DamagedCheckpointError(
            str(error.path),
            found=error.reason,
            expected="an entry as this program writes it",
            remedy=_RESTORE,
        ) from error
    except EntryTooNewError as error:
        raise DamagedCheckpointError(
            str(error.path),
            found=f"an entry of version {error.version}",
            expected=f"version {error.supported} or older",
            remedy="It was produced by a newer version of this program; upgrade.",
        ) from error


def _offset(location: Path, batch_id: BatchId) -> SeqNum:
    return SeqNum(_offset_fact(location, batch_id, "seqNum"))


def _offset_fact(location: Path, batch_id: BatchId, key: str) -> int:
    """Read a number from an offset: the last line is the offset, the one before the batch's."""
    with _checkpoint_errors():
        text = MetadataLog(location / "offsets").get(batch_id)
    path = location / "offsets" / str(batch_id)
    try:
        lines = (text or "").splitlines()
        return int(orjson.loads(lines[-1 if key == "seqNum" else 0])[key])
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise DamagedCheckpointError(
            str(path),
            found="no such offset" if text is None else "an offset that cannot be read",
            expected='the line v1, a line of batch facts and {"seqNum": n}',
            remedy=_RESTORE,
        ) from error


def _query_id(path: Path, new_id: str) -> str:
    try:
        put_if_absent(path, _text({"id": new_id}).encode())
    except EntryExistsError:
        pass
    else:
        return new_id
    return _parse_query_id(path)


def _parse_query_id(path: Path) -> str:
    try:
        return str(orjson.loads(path.read_bytes())["id"])
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedCheckpointError(
            str(path),
            found="a file that cannot be read",
            expected='{"id": "<uuid>"}',
            remedy=_RESTORE,
        ) from error


def _read_holder(holder: Path) -> str:
    try:
        return holder.read_text(encoding="utf-8") or "another query"
    except OSError:
        return "another query"


def _text(value: object) -> str:
    return orjson.dumps(value).decode()

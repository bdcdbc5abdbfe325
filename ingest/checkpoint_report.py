"""What a checkpoint knows of its files, for people: `cloud_files_state` as a table.

Changes nothing and takes no lock: it may be asked while the stream runs.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from typing import TYPE_CHECKING

from ingest.checkpoint import planned_batch
from ingest.errors import DamagedCheckpointError
from ingest.file_entry import BatchId, file_uri
from ingest.file_state import read_file_state
from schema_store.metadata_log import MetadataLog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ingest.file_entry import SeqNum
    from ingest.file_state import DiscoveredFile


_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def cloud_files_state(checkpoint: Path) -> Iterator[dict[str, object]]:
    """Give one record per discovered file, in sequence (contract 7.6).

    It has the columns of Databricks' function (`checkpoint_table.py`), and `batch_id`: the
    micro-batch that the file belongs to, None while it waits. Times are aware datetimes in UTC;
    create_time is the modification time at discovery, processed_time the commit's.

    Raises `DamagedCheckpointError` when the folder is no checkpoint.
    """
    path = checkpoint / "sources" / "0" / "file_state.db"
    if not path.exists():
        raise DamagedCheckpointError(
            str(checkpoint),
            found="no file state",
            expected="the checkpoint folder of a stream that has run",
            remedy="Give the folder named by checkpointLocation.",
        )
    batches = _Batches(checkpoint)
    with read_file_state(path) as files:
        first = files.first_offset()
        for file in files.all_files():
            yield batches.record(file, skipped=file.entry.seq_num <= first)


class _Batches:
    """Which batch a file belongs to, and when that batch was committed."""

    def __init__(self, checkpoint: Path) -> None:
        self._ids = MetadataLog(checkpoint / "offsets").ids()
        self._ends: list[SeqNum] = [
            planned_batch(checkpoint, BatchId(batch_id)).end for batch_id in self._ids
        ]
        commits = MetadataLog(checkpoint / "commits")
        self._committed = {
            batch_id: _time_of(commits.path(batch_id).stat().st_mtime_ns)
            for batch_id in commits.ids()
        }

    def record(self, file: DiscoveredFile, *, skipped: bool) -> dict[str, object]:
        """Give one file's record."""
        at = bisect_left(self._ends, file.entry.seq_num)
        batch_id = None if skipped or at == len(self._ends) else self._ids[at]
        committed = None if batch_id is None else self._committed.get(batch_id)
        return {
            "path": file.entry.uri,
            "size": file.entry.size,
            "create_time": _time_of(file.entry.modified_ns),
            "discovery_time": _moment(file.discovered_ms),
            "processed_time": committed,
            "commit_time": committed,
            "archive_time": _moment(file.archived_ms),
            "archive_mode": file.archive_mode,
            "move_location": None if file.move_location is None else file_uri(file.move_location),
            "source_id": "0",
            "batch_id": batch_id,
        }


def _time_of(nanoseconds: int) -> dt.datetime:
    """Give the moment, cut to microseconds; counted from 1970 so that any file time has one."""
    return _EPOCH + dt.timedelta(microseconds=nanoseconds // 1000)


def _moment(milliseconds: int | None) -> dt.datetime | None:
    return None if milliseconds is None else _time_of(milliseconds * 1_000_000)

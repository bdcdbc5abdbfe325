"""What a checkpoint knows of its files, for people: `cloud_files_state` as a table.

Changes nothing; takes no lock. What is not known (archiving belongs to cleanSource) is None.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from typing import TYPE_CHECKING

from ingest.checkpoint import planned_batch
from ingest.errors import DamagedCheckpointError
from ingest.file_entry import BatchId
from ingest.file_state import open_file_state
from schema_store.metadata_log import MetadataLog

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.file_entry import SeqNum
    from ingest.file_state import DiscoveredFile


def cloud_files_state(checkpoint: Path) -> list[dict[str, object]]:
    """Give one record per discovered file, in sequence (contract 7.6).

    Databricks' columns: path, size, create_time, discovery_time, processed_time, commit_time,
    archive_time, archive_mode, move_location, source_id; and `batch_id`, the micro-batch that the
    file belongs to, None while it waits. Times are aware datetimes in UTC; create_time is the
    modification time at discovery.

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
    with open_file_state(path) as files:
        first = files.first_offset()
        return [
            batches.record(file, skipped=file.entry.seq_num <= first) for file in files.all_files()
        ]


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
            "discovery_time": _time_of(file.discovered_ms * 1_000_000),
            "processed_time": committed,
            "commit_time": committed,
            "archive_time": None,
            "archive_mode": None,
            "move_location": None,
            "source_id": "0",
            "batch_id": batch_id,
        }


def _time_of(nanoseconds: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(nanoseconds / 1e9, dt.UTC)

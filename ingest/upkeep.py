"""What a stream does between batches so that neither its source nor its state grows for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.clean_source import SourceCleaner
from ingest.listing import forgotten_before_ns

if TYPE_CHECKING:
    from ingest.checkpoint import Checkpoint
    from ingest.file_state import FileState
    from ingest.landing import LandingFolder
    from ingest.stream_options import DiscoveryOptions

FORGET_EVERY_MS = 3_600_000
"""Forgetting looks at the state of every file, so it is done seldom."""


class Upkeep:
    """Cleans a running stream's source (`cleanSource`), forgets old files (`maxFileAge`)."""

    def __init__(
        self,
        landing: LandingFolder,
        discovery: DiscoveryOptions,
        checkpoint: Checkpoint,
        files: FileState,
    ) -> None:
        self._cleaner = SourceCleaner(landing, discovery.clean_source, checkpoint, files)
        self._max_file_age = discovery.max_file_age
        self._checkpoint = checkpoint
        self._files = files
        self._forget_ms: int | None = None

    def run(self, *, now_ms: int) -> frozenset[str]:
        """Do what is due; give what the user should know. Cheap when nothing is.

        Raises `StateNotWritableError` or `DamagedCheckpointError` for the stream's own state; a
        file that cannot be removed is only told of.
        """
        notices = self._cleaner.clean(now_ms=now_ms)
        if self._max_file_age is not None and self._is_forgetting_due(now_ms):
            self._forget_ms = now_ms
            self._forget(self._max_file_age)
        return notices

    def _is_forgetting_due(self, now_ms: int) -> bool:
        last = self._forget_ms
        return last is None or abs(now_ms - last) >= FORGET_EVERY_MS

    def _forget(self, max_file_age: float) -> None:
        """Forget files of committed batches that are older than the newest one by more."""
        newest, batch = self._files.newest_ns(), self._checkpoint.last_offset()
        if newest is None or batch is None:
            return
        done = batch.end if self._checkpoint.is_committed(batch.batch_id) else batch.start
        self._files.forget(older_than_ns=forgotten_before_ns(newest, max_file_age), up_to=done)

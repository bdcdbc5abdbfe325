"""What is discovered and in no batch yet, and the next batch of it.

Steps list, discover and plan of the walk (`stream.py`). After `plan` the batch is written down, so
a crash replays it with the same files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.admission import admit
from ingest.checkpoint import PlannedBatch
from ingest.errors import DamagedCheckpointError
from ingest.file_entry import BatchId
from ingest.listing import NewFileListing
from ingest.settling import NOTHING_SEEN, ListingTime, Settled, settle

if TYPE_CHECKING:
    from ingest.checkpoint import Checkpoint
    from ingest.file_entry import SeqNum
    from ingest.file_state import FileState
    from ingest.stream import StreamRun
    from ingest.stream_options import ReadLimit


class Backlog:
    """The files between the last batch and the newest one; batches follow without gaps."""

    def __init__(self, stream: StreamRun, checkpoint: Checkpoint, files: FileState) -> None:
        last = checkpoint.last_offset()
        _check_file_state(checkpoint, files, last)
        self._stream = stream
        self._listing = NewFileListing(
            stream.loaded.landing, files, stream.loaded.options.discovery
        )
        self._checkpoint = checkpoint
        self._files = files
        self._last = last
        self._settled = Settled((), NOTHING_SEEN)
        self._listed: ListingTime | None = None

    @property
    def left_over(self) -> PlannedBatch | None:
        """The batch that was planned and not committed, if there is one; it comes first."""
        last = self._last
        return None if last is None or self._checkpoint.is_committed(last.batch_id) else last

    @property
    def position(self) -> SeqNum:
        """The number up to which files are in a batch, or are skipped for good."""
        first = self._files.first_offset()
        return first if self._last is None else max(self._last.end, first)

    @property
    def has_files(self) -> bool:
        """Whether a file waits for a batch."""
        return self.position < self._files.latest()

    @property
    def is_settled(self) -> bool:
        """Whether the last listing left no file for later."""
        return not self._settled.waiting

    @property
    def listing_seconds(self) -> float:
        """How long the last listing took."""
        return 0.0 if self._listed is None else self._listed.ended - self._listed.began

    def seconds_since_listing(self) -> float | None:
        """Tell how long ago the last listing was; None when there was none."""
        return None if self._listed is None else self._stream.pacing.clock() - self._listed.ended

    def next_due(self, settle_seconds: float) -> float | None:
        """Tell in how many seconds the next file will have been quiet long enough."""
        due = self._settled.next_due(settle_seconds)
        return None if due is None else max(0.0, due - self._stream.pacing.clock())

    def look(self, *, settle_seconds: float) -> None:
        """List the landing folder and discover what is new and quiet."""
        stream, clock = self._stream, self._stream.pacing.clock
        discovery = stream.loaded.options.discovery
        began, wall = clock(), stream.now()
        listed = self._listing.list_files()
        stream.tell(self._listing.notices)
        self._listed = ListingTime(began, clock(), round(wall.timestamp() * 1e9))
        exists_already = self._files.is_new and not discovery.include_existing_files
        self._settled = settle(
            listed,
            self._settled.waiting,
            seconds=0.0 if exists_already else settle_seconds,
            at=self._listed,
        )
        self._files.discover(
            self._settled.quiet,
            allow_overwrites=discovery.allow_overwrites,
            include_existing=discovery.include_existing_files,
            now_ms=stream.now_ms,
        )

    def plan(self, limit: ReadLimit | None) -> PlannedBatch:
        """Write down the next batch: as many files as the limit admits, or all of them."""
        start, end = self.position, self._files.latest()
        if limit is not None:
            end = admit(self._files.between(start, end), limit)[-1].seq_num
        last = self._last
        batch = PlannedBatch(BatchId(0 if last is None else last.batch_id + 1), start, end)
        self._checkpoint.plan(batch, now_ms=self._stream.now_ms)
        self._last = batch
        return batch


def _check_file_state(checkpoint: Checkpoint, files: FileState, last: PlannedBatch | None) -> None:
    """Refuse a file state that is older than the offsets: files would be left out or doubled."""
    if last is not None and files.latest() < last.end:
        raise DamagedCheckpointError(
            str(checkpoint.file_state_path),
            found=f"file state that ends at number {files.latest()}",
            expected=f"the files up to number {last.end}, which batch {last.batch_id} ends with",
            remedy="Restore the checkpoint from a backup, or start over with a new one.",
        )

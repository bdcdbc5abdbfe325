"""cleanSource: what becomes of files some time after their batch was committed.

Last step of the walk (Databricks, "Auto Loader options": `cloudFiles.cleanSource`). A file is
removed only when all of this holds: its batch is committed; the retention has passed since; what is
there now is what was ingested (size and modification time). What is to be done is written into the
file state first, then done, then noted as done; a crash in between leaves a plan that is carried
out by the next run. The setting that is in force decides, not the one when the file was ingested.
Files that cannot be removed are tried again; they never stop the stream.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from ingest.archived_files import ArchiveMode, ArchivePlan
from ingest.checkpoint import planned_batch
from ingest.errors import OptionConflictError
from ingest.file_entry import BatchId, display_path
from ingest.moving import move_file
from ingest.stream_options import DeleteSource, KeepSource, MoveSource
from schema_store.metadata_log import MetadataLog

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.checkpoint import Checkpoint
    from ingest.file_entry import FileEntry
    from ingest.file_state import FileState
    from ingest.landing import LandingFolder
    from ingest.stream_options import CleanSource

RETRY_MS = 60_000
"""How long a file is left alone that could not be removed."""


class SourceCleaner:
    """Removes ingested files as the options say; knows when it has something to do next."""

    def __init__(
        self,
        landing: LandingFolder,
        option: CleanSource,
        checkpoint: Checkpoint,
        files: FileState,
    ) -> None:
        self._base = landing.base
        self._option = option
        self._checkpoint = checkpoint
        self._files = files
        self._retry_ms = 0

    def clean(self, *, now_ms: int) -> frozenset[str]:
        """Remove every file whose time has come; give what the user should know."""
        option = self._option
        if isinstance(option, KeepSource):
            return frozenset()
        notices = frozenset[str]()
        if now_ms >= self._retry_ms:
            self._retry_ms = now_ms + RETRY_MS
            notices |= self._carry_out(option, self._files.archived.planned(), now_ms)
        while (plans := self._plan_next_batch(option, now_ms)) is not None:
            notices |= self._carry_out(option, plans, now_ms)
        return notices

    def _plan_next_batch(
        self, option: DeleteSource | MoveSource, now_ms: int
    ) -> list[ArchivePlan] | None:
        """Write what is to be done with the files of the next batch; None if it is not due yet."""
        cleaned = self._files.archived.cleaned_to()
        batch_id = BatchId(0 if cleaned is None else cleaned + 1)
        committed_ms = self._committed_ms(batch_id)
        if committed_ms is None or not _is_due(option, committed_ms, now_ms):
            return None
        plans = [self._plan_of(option, entry, committed_ms) for entry in self._batch(batch_id)]
        self._files.archived.plan(plans, cleaned_to=batch_id)
        return plans

    def _carry_out(
        self, option: DeleteSource | MoveSource, plans: list[ArchivePlan], now_ms: int
    ) -> frozenset[str]:
        done: list[ArchivePlan] = []
        dropped: list[ArchivePlan] = []
        notices: set[str] = set()
        for plan in plans:
            if not _is_due(option, plan.committed_ms, now_ms):
                continue  # the retention is longer now than it was when this was planned
            try:
                outcome = self._archive(option, plan)
            except OSError as error:
                notices.add(
                    f"cleanSource: {display_path(plan.entry.path)} cannot be removed"
                    f" ({(error.strerror or str(error)).lower()}); it is tried again later"
                )
                continue
            if outcome is None:
                dropped.append(plan)
                notices.add(
                    f"cleanSource: {display_path(plan.entry.path)} is kept: it is not the file"
                    " that was ingested"
                )
            else:
                done.append(outcome)
        if done or dropped:
            self._files.archived.finish(done=done, dropped=dropped, now_ms=now_ms)
        return frozenset(notices)

    def _archive(self, option: DeleteSource | MoveSource, plan: ArchivePlan) -> ArchivePlan | None:
        """Remove a file; give what was done with it, None when it has to stay.

        A file that is gone was removed by an attempt that could not note it, or by the user.
        """
        try:
            found = os.stat(plan.entry.path)  # noqa: PTH116 - the path is bytes
        except (FileNotFoundError, NotADirectoryError):
            return plan
        if (found.st_size, found.st_mtime_ns) != (plan.entry.size, plan.entry.modified_ns):
            return None
        now = self._plan_of(option, plan.entry, plan.committed_ms)
        if now.moved_to is None:
            os.unlink(now.entry.path)  # noqa: PTH108 - the path is bytes
            return now
        return replace(now, moved_to=move_file(now.entry, now.moved_to))

    def _plan_of(
        self, option: DeleteSource | MoveSource, entry: FileEntry, committed_ms: int
    ) -> ArchivePlan:
        match option:
            case DeleteSource():
                return ArchivePlan(entry, ArchiveMode.DELETE, None, committed_ms)
            case MoveSource(destination=destination):
                below = os.path.relpath(entry.path, self._base)
                if below == b".":  # the landing folder is a single file
                    below = os.path.basename(entry.path)  # noqa: PTH119 - the path is bytes
                target = os.path.join(os.fsencode(destination), below)  # noqa: PTH118 - as above
                return ArchivePlan(entry, ArchiveMode.MOVE, target, committed_ms)
            case _:
                assert_never(option)

    def _batch(self, batch_id: BatchId) -> Iterator[FileEntry]:
        """Give the files of a batch that were ingested."""
        batch = planned_batch(self._checkpoint.location, batch_id)
        return self._files.between(max(batch.start, self._files.first_offset()), batch.end)

    def _committed_ms(self, batch_id: BatchId) -> int | None:
        """Tell when a batch was committed; None when it is not.

        Never before it was planned, whatever the clock of the checkpoint's file system says.
        """
        try:
            found = MetadataLog(self._checkpoint.location / "commits").path(batch_id).stat()
        except FileNotFoundError:
            return None
        planned_ms = round(self._checkpoint.planned_at(batch_id).timestamp() * 1000)
        return max(found.st_mtime_ns // 1_000_000, planned_ms)


def check_move_destination(landing: LandingFolder, option: CleanSource) -> None:
    """Refuse a destination that is in the landing folder: files would be ingested again.

    Raises `OptionConflictError`, also for a landing folder that lies in the destination.
    """
    if not isinstance(option, MoveSource):
        return
    base, target = Path(os.fsdecode(landing.base)).resolve(), option.destination.resolve()
    if not (target.is_relative_to(base) or base.is_relative_to(target)):
        return
    raise OptionConflictError(
        ("load path", "cloudFiles.cleanSource.moveDestination"),
        found=f"the landing folder {base} and the destination {target}, of which one is in the"
        " other",
        expected="a folder beside the landing folder: files in it would be ingested again",
        remedy="Choose another moveDestination.",
    )


def _is_due(option: DeleteSource | MoveSource, committed_ms: int, now_ms: int) -> bool:
    return now_ms >= committed_ms + round(option.retention * 1000)

"""A Delta table: each batch is in it exactly once (contract 7.4, 8.1).

A batch's data files are written first and count from the log entry on that names them together
with the transaction (query id, batch id); what killed attempts left is removed when the query
begins its next batch. See `ingest/delta/` for the log, the schema guard and the files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.delta.actions import Transaction
from ingest.delta.commits import (
    AlreadyThere,
    Commit,
    checkpoint_if_due,
    commit,
    is_there,
    remove_uncounted,
)
from ingest.delta.creation import create_table
from ingest.delta.data_files import FileStaging, stream_file_name, stream_files
from ingest.delta.log import DeltaLog
from ingest.delta.maintenance import compact_if_due
from ingest.delta.planning import WritePlan, plan_write
from ingest.delta.settings import DeltaSettings
from ingest.delta.snapshot import Snapshot, open_snapshot
from ingest.errors import SinkNotWritableError
from schema_store.metadata_log import make_folder

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from ingest.file_entry import BatchId
    from schema_store.types import Schema

__all__ = ["DeltaSettings", "DeltaStaging", "DeltaTable"]

_RETENTION = "delta.setTransactionRetentionDuration"


@dataclass(slots=True)
class DeltaTable:
    """The sink; it opens the table once and follows its log from there."""

    folder: Path
    settings: DeltaSettings
    _snapshot: Snapshot | None = None
    _is_clean: bool = False

    @property
    def description(self) -> str:
        """Name the sink for progress reports."""
        return f"DeltaSink[{self.folder}]"

    def create(self, schema: Schema) -> None:
        """Make the table, without rows, unless it is there."""
        if self._newest() is None:
            create_table(self.folder, schema, self.settings)

    def begin(self, query_id: str, batch_id: BatchId, schema: Schema) -> DeltaStaging | None:
        """Give a staging, or None when the batch is already there.

        Raises what `plan_write` does for a schema or a table that does not fit, and
        `SinkNotWritableError`.
        """
        transaction = Transaction(query_id, batch_id, self.settings.now_ms)
        snapshot = self._newest()
        if snapshot is not None and is_there(snapshot, transaction):
            DeltaLog(self.folder).sync()
            return None
        plan = plan_write(self.folder, snapshot, schema, self.settings)
        try:
            make_folder(self.folder)
            self._remove_orphans(query_id, plan)
        except OSError as error:
            raise SinkNotWritableError(str(self.folder), error.strerror or str(error)) from error
        return DeltaStaging(self, plan, schema, transaction)

    def moved(self, snapshot: Snapshot | None) -> None:
        """Go on from this snapshot; None opens the table anew."""
        self._snapshot = snapshot

    def _newest(self) -> Snapshot | None:
        known = self._snapshot
        self._snapshot = open_snapshot(self.folder) if known is None else known.newest()
        return self._snapshot

    def _remove_orphans(self, query_id: str, plan: WritePlan) -> None:
        """Remove what killed attempts of this query left; nobody else writes for it.

        Commits carry the batch id, so that a file of a later batch than the table's transaction
        counts for nobody, unless the table forgets transactions.
        """
        if self._is_clean:
            return
        self._is_clean = True
        snapshot = plan.snapshot
        if _RETENTION in plan.metadata.configuration:
            return
        done = None if snapshot is None else snapshot.transaction_version(query_id)
        partitioned = bool(plan.metadata.partition_columns)
        left = [
            path
            for path, batch_id in stream_files(self.folder, query_id, partitioned=partitioned)
            if done is None or batch_id > done
        ]
        counted = _file_paths(snapshot, self.folder) if left else frozenset()
        for path in left:
            if path not in counted:
                path.unlink(missing_ok=True)


class DeltaStaging:
    """Rows of one batch, in files that no log entry names yet."""

    def __init__(
        self, table: DeltaTable, plan: WritePlan, schema: Schema, transaction: Transaction
    ) -> None:
        self._table = table
        self._plan = plan
        self._schema = schema
        self._transaction = transaction
        self._files = FileStaging(table.folder, plan, self._file_name)

    def write(self, rows: pa.RecordBatch) -> None:
        """Take rows; a data file is written as soon as there is enough for one."""
        self._files.write(rows)

    def commit(self) -> None:
        """Write the log entry: from here on the rows are in the table.

        Goes on top of what other writers have committed meanwhile, if the files still fit.
        """
        table, transaction = self._table, self._transaction
        entry = Commit(
            operation="STREAMING UPDATE",
            parameters={
                "outputMode": "Append",
                "queryId": transaction.app_id,
                "epochId": str(transaction.version),
            },
            timestamp=table.settings.now_ms,
            adds=self._files.finish(),
            transaction=transaction,
        )
        done = commit(table.folder, self._plan, entry, self._replan)
        table.moved(done.snapshot)
        if isinstance(done, AlreadyThere):
            paths = frozenset(add.path for add in done.snapshot.files())
            self._files.remove(but=paths)
            return
        checkpoint_if_due(table.folder, done.version, self._plan)
        if done.snapshot is not None:
            compact_if_due(table.folder, done.snapshot, table.settings)

    def abort(self) -> None:
        """Remove the data files, unless the log names them although `commit` has failed."""
        self._table.moved(None)
        remove_uncounted(self._files)

    def _replan(self, snapshot: Snapshot) -> WritePlan:
        return plan_write(self._table.folder, snapshot, self._schema, self._table.settings)

    def _file_name(self, number: int) -> str:
        transaction, settings = self._transaction, self._table.settings
        return stream_file_name(transaction.app_id, transaction.version, number, settings.new_id())


def _file_paths(snapshot: Snapshot | None, folder: Path) -> frozenset[Path]:
    if snapshot is None:
        return frozenset()
    return frozenset(add.local_path(folder) for add in snapshot.files())

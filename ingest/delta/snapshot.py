"""A Delta table as it is at one version.

An edge to the disk: the log up to a version is replayed by `deltalake` once; from there on a
snapshot is moved forward by the entries themselves, so that a commit of ours costs the same
whatever the table's age.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import orjson
import pyarrow as pa

from ingest.delta import library
from ingest.delta.actions import (
    Action,
    AddFile,
    CommitInfo,
    Metadata,
    OtherAction,
    Protocol,
    RemoveFile,
    Transaction,
)
from ingest.delta.log import DELTA_LOG, DeltaLog
from ingest.delta.partition_values import partition_text
from ingest.errors import DamagedTableError, OptionValueError, TableVersionNotFoundError
from schema_store.errors import SchemaStoreError
from schema_store.spark_json import schema_from_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from schema_store.types import Schema

LATER_CHANGES = 200
"""Changes of files that a snapshot carries along before the table is opened anew.

Each commit copies them, so that without a limit a stream's memory would grow with its age; opening
is cheap beside that many commits, as there was a checkpoint since (`CHECKPOINT_INTERVAL`).
"""

_FEATURE_VERSIONS = (3, 7)
_PERCENT_ESCAPE = re.compile("%[0-9A-Fa-f]{2}")
_PHYSICAL_NAME = "delta.columnMapping.physicalName"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table at `version`.

    `opened` is the library's table at the version it was opened with, `later` the changes of files
    and `transactions` the applications' versions since then.
    """

    folder: Path
    version: int
    protocol: Protocol
    metadata: Metadata
    opened: library.DeltaTable
    later: tuple[AddFile | RemoveFile, ...] = ()
    transactions: Mapping[str, int] = field(default_factory=dict)

    @property
    def schema(self) -> Schema:
        """The table's columns, with their field metadata."""
        return self.metadata.schema

    def transaction_version(self, app_id: str) -> int | None:
        """Give the version that an application has written last; None when it has written none."""
        later = self.transactions.get(app_id)
        if later is not None:
            return later
        try:
            return self.opened.transaction_version(app_id)
        except library.DeltaError:  # it reads the log again, which may have been cleaned up since
            return _transaction_now(self.folder, app_id)

    def files(self) -> tuple[AddFile, ...]:
        """Give the files that count; computed at each call.

        Of files from before the snapshot was opened, `stats` has no more than `numRecords`, and
        `deletion_vector` is None: ask `opened.deletion_vectors()` when the table has that feature.
        """
        found = {add.path: add for add in _opened_files(self.opened, self.schema)}
        for change in self.later:
            found.pop(change.path, None)
            if isinstance(change, AddFile):
                found[change.path] = change
        return tuple(found.values())

    def advance(self, actions: Iterable[Action]) -> Snapshot:
        """Give the snapshot one version later, after the actions of that version's entry.

        Actions of an entry have no order. A path may be in a removal and an addition, when the
        file gets another deletion vector: what is added counts.
        """
        moved, transactions = self, dict(self.transactions)
        removes: list[AddFile | RemoveFile] = []
        adds: list[AddFile | RemoveFile] = []
        for action in actions:
            match action:
                case Protocol():
                    moved = replace(moved, protocol=action)
                case Metadata():
                    moved = replace(moved, metadata=action)
                case RemoveFile():
                    removes.append(action)
                case AddFile():
                    adds.append(action)
                case Transaction():
                    transactions[action.app_id] = action.version
                case CommitInfo() | OtherAction():
                    pass
        later = (*self.later, *removes, *adds)
        return replace(moved, version=self.version + 1, later=later, transactions=transactions)

    def newest(self) -> Snapshot:
        """Give the newest snapshot, by the entries that came since.

        Raises `DamagedTableError` for an entry that cannot be read, and when the log is gone or
        another table's.
        """
        log, snapshot = DeltaLog(self.folder), self
        while (actions := log.read(snapshot.version + 1)) is not None:
            snapshot = snapshot.advance(actions)
        if snapshot.is_overtaken():
            return _opened_anew(snapshot, after=snapshot.version)
        if len(snapshot.later) > LATER_CHANGES:
            return _opened_anew(snapshot, after=snapshot.version - 1)
        return snapshot

    def is_overtaken(self) -> bool:
        """Tell whether entries after this version may be gone, so that their numbers look free.

        Log cleanup removes entries, in any order, that a later checkpoint has replaced; and a table
        that is made anew starts at 0. An entry put into such a gap would count for nobody.
        """
        log = DeltaLog(self.folder)
        checkpoint = log.last_checkpoint()
        if checkpoint is not None and checkpoint > self.version:
            return checkpoint in log.checkpoints()
        return not log.path(self.version).exists() and self.version not in log.checkpoints()


def is_delta_table(folder: Path) -> bool:
    """Tell whether a Delta table lies there: its log has an entry or a checkpoint."""
    return DeltaLog(folder).newest_version() is not None


def open_snapshot(folder: Path, version: int | None = None) -> Snapshot | None:
    """Open a table at a version, the newest if None; give None when there is no table.

    Raises `TableVersionNotFoundError` for a version that is not there, `DamagedTableError` when
    the log cannot be read, `OptionValueError` for a folder that the library cannot open.
    """
    check_place(folder)
    newest = DeltaLog(folder).newest_version()
    if newest is None:
        return None
    if version is not None and not 0 <= version <= newest:
        raise TableVersionNotFoundError(str(folder), version, newest=newest)
    try:
        opened = library_table(folder, version)
        return Snapshot(folder, opened.version(), _protocol(opened), _metadata(opened), opened)
    except (
        library.DeltaError,
        library.TableNotFoundError,
        SchemaStoreError,
        OSError,
        ValueError,
    ) as error:
        raise _not_opened(folder, version, error) from error


def _transaction_now(folder: Path, app_id: str) -> int | None:
    anew = open_snapshot(folder)
    try:
        return None if anew is None else anew.opened.transaction_version(app_id)
    except library.DeltaError as error:
        raise _not_opened(folder, None, error) from error


def _opened_anew(old: Snapshot, *, after: int) -> Snapshot:
    """Open the table of a snapshot as it is now: where its log goes on after a gap, or to forget.

    It is still there only if its version is later than `after`.
    """
    found = open_snapshot(old.folder)
    if found is None or found.version <= after or found.metadata.id != old.metadata.id:
        raise DamagedTableError(
            str(DeltaLog(old.folder).path(old.version)),
            found="an entry of the Delta log that is gone since it was read",
            expected="a table that stays while it is written",
            remedy="Start again: a table that was removed is made anew.",
        )
    return found


def library_table(folder: Path, version: int | None = None) -> library.DeltaTable:
    """Open the library's table."""
    return library.DeltaTable(folder.absolute(), version=version)


def check_place(folder: Path) -> None:
    """Refuse a folder that the library takes for another: `%20` for a blank, a backslash for `/`.

    Raises `OptionValueError`.
    """
    place = folder.absolute().as_posix()
    if _PERCENT_ESCAPE.search(place) or "\\" in place:
        raise OptionValueError(
            "table",
            str(folder),
            allowed="a folder whose path has no percent escape such as %20, and no backslash",
        )


def _not_opened(folder: Path, version: int | None, error: Exception) -> DamagedTableError:
    """Say which entry is damaged, if it can be found out, or what the library says."""
    log = DeltaLog(folder)
    for number in log.versions():
        if version is None or number <= version:
            log.read(number)  # raises, naming the file
    reason = str(error).partition("\n")[0]
    return DamagedTableError(
        str(folder / DELTA_LOG),
        found=f"a Delta log that cannot be read ({reason})",
        expected="entries without a gap, and reader features that this version knows",
    )


def _protocol(opened: library.DeltaTable) -> Protocol:
    found = opened.protocol()
    versions = (found.min_reader_version, found.min_writer_version)
    has_reader, has_writer = (
        version >= least for version, least in zip(versions, _FEATURE_VERSIONS, strict=True)
    )
    return Protocol(
        *versions,
        tuple(found.reader_features or ()) if has_reader else None,
        tuple(found.writer_features or ()) if has_writer else None,
    )


def _metadata(opened: library.DeltaTable) -> Metadata:
    found = opened.metadata()
    return Metadata(
        id=str(found.id),
        schema=schema_from_json(opened.schema().to_json()),
        partition_columns=tuple(found.partition_columns),
        configuration=MappingProxyType(dict(found.configuration)),
        name=found.name,
        description=found.description,
        created_time=found.created_time,
    )


def _opened_files(opened: library.DeltaTable, schema: Schema) -> list[AddFile]:
    rows = pa.table(opened.get_add_actions()).to_pylist()
    return [_opened_file(row, schema) for row in rows]


def _opened_file(row: Mapping[str, Any], schema: Schema) -> AddFile:
    count = row["num_records"]
    values = {
        physical_name_in(schema, name): partition_text(value)
        for name, value in (row.get("partition") or {}).items()
    }
    return AddFile(
        path=row["path"],
        partition_values=values,
        size=row["size_bytes"],
        modification_time=row["modification_time"],
        stats=None if count is None else orjson.dumps({"numRecords": count}).decode(),
    )


def physical_name_in(schema: Schema, name: str) -> str:
    """Give a column's physical name: its own without column mapping."""
    column = schema.find_ignoring_case(name)
    if column is None or column.metadata == "{}":
        return name
    found = orjson.loads(column.metadata).get(_PHYSICAL_NAME)
    return found if isinstance(found, str) else name

"""Setting and removing a table's properties (`ALTER TABLE … SET | UNSET TBLPROPERTIES`).

An edge to the disk. A property that needs a feature brings it into the table's protocol in the
same entry: from (1,2) to table features, where what the old version implied stays listed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import orjson

from ingest.delta.commits import Commit, commit
from ingest.delta.mapping import MAX_ID, MODE, maps_names, with_mapping
from ingest.delta.planning import WritePlan
from ingest.delta.protocol import (
    check_writable,
    needed_features,
    with_features,
    writer_features,
)
from ingest.delta.snapshot import open_snapshot
from ingest.errors import TableNotFoundError, TablePropertyError
from ingest.options.table_properties import check_properties, property_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from ingest.delta.actions import Metadata, Protocol
    from ingest.delta.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class PropertyChange:
    """What a change of properties has done.

    `old` and `new` hold the properties that differ (None: not set), `added_features` what the
    protocol lists in addition. Nothing differed: `version` is the table's as it was.
    """

    version: int
    old: Mapping[str, str | None]
    new: Mapping[str, str | None]
    added_features: tuple[str, ...]


def set_properties(folder: Path, properties: Mapping[str, str], *, now_ms: int) -> PropertyChange:
    """Set properties of the table in the folder, in one entry of its log.

    Raises `TableNotFoundError`, `TablePropertyError` for a key or a value that Delta does not
    know, `UnsupportedTableFeatureError`, `SinkNotWritableError`.
    """
    checked = check_properties(properties)
    entry = _entry("SET TBLPROPERTIES", {"properties": _json(checked.stored)}, now_ms)
    return _change(
        folder,
        entry,
        lambda snapshot: _plan(
            snapshot, {**snapshot.metadata.configuration, **checked.stored}, checked.features
        ),
    )


def unset_properties(
    folder: Path, keys: Iterable[str], *, now_ms: int, if_exists: bool = False
) -> PropertyChange:
    """Remove properties of the table in the folder; features that they brought stay.

    Raises as `set_properties`, and `TablePropertyError` (`DELTA_UNSET_NON_EXISTENT_PROPERTY`) for
    one that is not set, unless `if_exists`.
    """
    names = tuple(property_name(key) for key in keys)
    parameters = {"properties": _json(names), "ifExists": if_exists}

    def plan(snapshot: Snapshot) -> WritePlan:
        old = snapshot.metadata.configuration
        if MAX_ID in names and maps_names(old):
            raise TablePropertyError(
                MAX_ID,
                "",
                expected="a property that may be removed",
                remedy="Leave it out: a new column must not get the id of a dropped one.",
            )
        missing = next((name for name in names if name not in old), None)
        if missing is not None and not if_exists:
            raise TablePropertyError(
                missing,
                "",
                expected="a property that the table has",
                remedy="Leave it out, or write UNSET TBLPROPERTIES IF EXISTS.",
            )
        kept = {key: value for key, value in old.items() if key not in names}
        return _plan(snapshot, kept, ())

    return _change(folder, _entry("UNSET TBLPROPERTIES", parameters, now_ms), plan)


def _change(folder: Path, entry: Commit, plan: Callable[[Snapshot], WritePlan]) -> PropertyChange:
    snapshot = open_snapshot(folder)
    if snapshot is None:
        raise TableNotFoundError(folder.name, str(folder))
    planned = plan(snapshot)
    if not planned.changes:
        return PropertyChange(snapshot.version, {}, {}, ())
    done = commit(folder, planned, entry, plan)
    assert done.snapshot is not None, "the table was there before"
    old = snapshot.metadata.configuration
    new = done.snapshot.metadata.configuration
    keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    features = writer_features(done.snapshot.protocol) - writer_features(snapshot.protocol)
    return PropertyChange(
        done.snapshot.version,
        {key: old.get(key) for key in keys},
        {key: new.get(key) for key in keys},
        tuple(sorted(features)),
    )


def _plan(
    snapshot: Snapshot, configuration: Mapping[str, str], features: tuple[str, ...]
) -> WritePlan:
    old = snapshot.metadata
    check_writable(str(snapshot.folder), snapshot.protocol, old)
    _check_mapping(old.configuration.get(MODE, "none"), configuration.get(MODE, "none"))
    metadata = with_mapping(
        replace(old, configuration=dict(configuration)), lambda field: field.name
    )
    needed = (*needed_features(metadata.schema, configuration), *features)
    protocol = with_features(snapshot.protocol, needed)
    changes: list[Protocol | Metadata] = []
    if protocol != snapshot.protocol:
        changes.append(protocol)
    if metadata != old:
        changes.append(metadata)
    return WritePlan(snapshot, protocol, metadata, tuple(changes))


def _check_mapping(old: str, new: str) -> None:
    """Allow only the change that leaves the files as they are (Delta: none to name)."""
    if old != new and (old, new) != ("none", "name"):
        raise TablePropertyError(
            MODE,
            new,
            expected=f"{old}, which the table has, or a change from none to name",
            remedy="Write the rows to a new table that has this mode.",
        )


def _entry(operation: str, parameters: Mapping[str, Any], now_ms: int) -> Commit:
    return Commit(operation=operation, parameters=parameters, timestamp=now_ms)


def _json(value: object) -> str:
    return orjson.dumps(value).decode()

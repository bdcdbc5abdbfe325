"""What a write does to a table beside bringing files: the table's next protocol and metadata.

Pure: `plan_write` looks at a snapshot and at the rows' schema, and gives the actions of a commit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ingest.delta.actions import Metadata, Protocol, RemoveFile
from ingest.delta.guard import Change, Same, TableRules, check_schema, plan_change
from ingest.delta.mapping import file_schema, maps_names, with_mapping
from ingest.delta.merging import TypesDoNotMergeError, merge_into, stored_schema, widened_columns
from ingest.delta.protocol import (
    LEGACY,
    TYPE_WIDENING,
    check_writable,
    needed_features,
    widens_types,
    with_features,
    writer_features,
)
from ingest.errors import OptionConflictError, UnsupportedTableFeatureError
from ingest.options.table_properties import check_properties
from schema_store.types import (
    ArrayType,
    BinaryType,
    Field,
    MapType,
    NullType,
    Schema,
    StructType,
)

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from ingest.delta.settings import DeltaSettings
    from ingest.delta.snapshot import Snapshot


NO_PARTITION_TYPES = (StructType, ArrayType, MapType, BinaryType)
"""Types without a partition value; that of BINARY means different bytes to different readers."""


@dataclass(frozen=True, slots=True)
class WritePlan:
    """What a commit on top of `snapshot` says of the table; None when the table is made.

    `changes` are the actions to write because protocol or metadata change, `removes` the files
    that count no longer.
    """

    snapshot: Snapshot | None
    protocol: Protocol
    metadata: Metadata
    changes: tuple[Protocol | Metadata, ...]
    removes: tuple[RemoveFile, ...] = ()

    @property
    def version(self) -> int:
        """The version that the commit makes."""
        return 0 if self.snapshot is None else self.snapshot.version + 1

    @property
    def stored_columns(self) -> Schema:
        """The columns that files hold: all but the partition columns, and those without a type."""
        partitions = {name.lower() for name in self.metadata.partition_columns}
        return StructType(
            tuple(
                field
                for field in self.metadata.schema
                if field.name.lower() not in partitions
                and not isinstance(field.data_type, NullType)
            )
        )


def plan_write(
    folder: Path, snapshot: Snapshot | None, stream: Schema, settings: DeltaSettings
) -> WritePlan:
    """Plan an append of rows of this schema; it makes the table if there is none.

    Raises what `plan_change` does, `UnsupportedTableFeatureError`, and `OptionConflictError` for
    other partition columns than the table's.
    """
    if snapshot is None:
        return plan_creation(folder, stored_schema(stream), settings)
    place = str(folder)
    check_writable(place, snapshot.protocol, snapshot.metadata)
    _check_partitioning(place, snapshot.metadata, settings)
    match plan_change(snapshot.schema, stream, table_rules(place, snapshot.metadata, settings)):
        case Same():
            return WritePlan(snapshot, snapshot.protocol, snapshot.metadata, ())
        case Change(schema):
            return changed_plan(snapshot, replace(snapshot.metadata, schema=schema), settings)


def plan_creation(folder: Path, schema: Schema, settings: DeltaSettings) -> WritePlan:
    """Plan version 0 of a table of exactly this schema.

    Raises `TablePropertyError`, `InvalidColumnNamesError`, `UnsupportedTypesError`, and
    `OptionConflictError` for a partition column that is none of the schema's.
    """
    checked = check_properties(settings.properties)
    check_schema(schema, str(folder), maps_names=maps_names(checked.stored))
    metadata = with_mapping(
        Metadata(
            id=settings.new_id(),
            schema=schema,
            partition_columns=check_partitions(folder, schema, settings.partition_columns),
            configuration=checked.stored,
            created_time=settings.now_ms,
        ),
        lambda _: f"col-{settings.new_id()}",
    )
    needed = (*needed_features(schema, metadata.configuration), *checked.features)
    protocol = with_features(LEGACY, needed)
    return WritePlan(None, protocol, metadata, (protocol, metadata))


def table_rules(place: str, metadata: Metadata, settings: DeltaSettings) -> TableRules:
    """Give what the guard has to know."""
    return TableRules(
        place=place,
        sql_name=settings.sql_name or f"delta.`{place}`",
        table_id=metadata.id,
        merges_schema=settings.merge_schema,
        widens_types=widens_types(metadata.configuration),
        maps_names=maps_names(metadata.configuration),
    )


def files_fit(written: WritePlan, planned: WritePlan) -> bool:
    """Tell whether files written under one plan can be read under another.

    Partitioning and physical names must be the same, and types too unless the table may widen.
    """
    old, new = written.metadata, planned.metadata
    if old.partition_columns != new.partition_columns:
        return False
    if maps_names(old.configuration) != maps_names(new.configuration):
        return False
    return all(
        _fits(field, planned.stored_columns.find(field.name), planned)
        for field in written.stored_columns
    )


def _fits(field: Field, other: Field | None, planned: WritePlan) -> bool:
    if other is None:
        return False
    if maps_names(planned.metadata.configuration):
        return bool(_in_files(field).equals(_in_files(other), check_metadata=True))
    wide = StructType((Field("column", other.data_type),))
    narrow = StructType((Field("column", field.data_type),))
    try:
        merged = merge_into(wide, narrow)
    except TypesDoNotMergeError:
        return False
    widens = TYPE_WIDENING in writer_features(planned.protocol)
    return merged == wide and (widens or not widened_columns(narrow, wide))


def _in_files(field: Field) -> pa.Schema:
    """Give what files hold of a field: types, physical names and ids."""
    return file_schema(StructType((field,)))


def changed_plan(snapshot: Snapshot, metadata: Metadata, settings: DeltaSettings) -> WritePlan:
    """Plan a change of an existing table's metadata, with the features that it needs."""
    mapped = with_mapping(metadata, lambda _: f"col-{settings.new_id()}")
    features = needed_features(mapped.schema, mapped.configuration)
    protocol = with_features(snapshot.protocol, features)
    changes: tuple[Protocol | Metadata, ...] = (
        (mapped,) if protocol == snapshot.protocol else (protocol, mapped)
    )
    return WritePlan(snapshot, protocol, mapped, changes)


def check_partitions(folder: Path, schema: Schema, columns: tuple[str, ...]) -> tuple[str, ...]:
    """Give the partition columns as the schema spells them.

    Raises `OptionConflictError` for one that is none of the schema's or has no value that a folder
    could be named by, or when they are all of it.
    """
    found = [schema.find_ignoring_case(name) for name in columns]
    names = tuple(dict.fromkeys(field.name for field in found if field is not None))
    usable = [f.name for f in schema if not isinstance(f.data_type, NO_PARTITION_TYPES)]
    is_all_found = len(names) == len(columns) and set(names).issubset(usable)
    if not is_all_found or len(names) == len(schema) > 0:
        raise OptionConflictError(
            ("partitionBy",),
            found=f"{', '.join(columns)} for {folder}",
            expected=f"some, not all, of the columns {', '.join(usable)}, each once",
            remedy="Name columns that the rows have; not arrays, maps, structs or BINARY.",
        )
    return names


def _check_partitioning(place: str, metadata: Metadata, settings: DeltaSettings) -> None:
    for name in metadata.partition_columns:
        column = metadata.schema.find_ignoring_case(name)
        if column is not None and isinstance(column.data_type, NO_PARTITION_TYPES):
            raise UnsupportedTableFeatureError(
                place, f"partitioning by {name}", reason="its type has no exact partition value"
            )
    given = [name.lower() for name in settings.partition_columns]
    if given and given != [name.lower() for name in metadata.partition_columns]:
        table = ", ".join(metadata.partition_columns) or "no columns"
        raise OptionConflictError(
            ("partitionBy",),
            found=f"{', '.join(settings.partition_columns)}, but {place} is partitioned by {table}",
            expected="the partition columns that the table has",
            remedy="Leave partitionBy out: the table keeps its partitioning.",
        )

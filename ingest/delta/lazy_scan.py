"""A Delta table as a Polars LazyFrame: files of one physical schema are one scan, cast lazily.

An edge to the disk: the files' footers are read when the frame is made, their rows when it is
collected. Projections and predicates reach the Parquet scans, also through the casts of plain
columns; nested columns that are not stored as the table has them are cast by the same code as
`scan.read_file`. Maps are Polars' own `Map`. Needs polars; nothing of the package loads it before
the first scan.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.delta.casting import cast_array, cast_table
from ingest.delta.mapping import physical_name
from ingest.delta.scan import (
    CAST_ERRORS,
    PHYSICAL,
    DataFile,
    arrow_schema,
    column_mismatch,
    data_files,
    inside_schema,
    missing_file,
    partition_fields,
    partition_scalars,
    readable_snapshot,
    unreadable_file,
    with_zones,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from ingest.delta.snapshot import Snapshot
    from schema_store.types import Field, Schema

ROW = "__row_of_the_file__"
"""A column that numbers a file's rows while deleted ones are left out."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """What the files of one scan have in common: physical schema, partition values, deleted rows.

    A file with deleted rows is a scan of its own.
    """

    physical: pa.Schema
    partition: tuple[tuple[str, str | None], ...]
    alone: Path | None


def scan_delta_table(folder: Path, version: int | None = None) -> pl.LazyFrame:
    """Give a table at a version, the newest if None, as a LazyFrame.

    Raises what `scan.read_delta_table` raises.
    """
    snapshot = readable_snapshot(folder, version)
    target = polars_schema(snapshot.schema)
    kinds = [(_kind(file), file) for file in data_files(snapshot)]
    frames = [
        _scan(snapshot, kind, [file for _, file in run], target)
        for kind, run in groupby(kinds, key=lambda pair: pair[0])
    ]
    return pl.concat(frames) if frames else pl.LazyFrame(schema=target)


def polars_schema(schema: Schema) -> pl.Schema:
    """Give the types that Polars has for the columns."""
    empty = pl.from_arrow(arrow_schema(schema).empty_table())
    assert isinstance(empty, pl.DataFrame)
    return empty.schema


def _kind(file: DataFile) -> _Kind:
    try:
        physical = pq.read_schema(file.path).remove_metadata()
    except FileNotFoundError as error:
        raise missing_file(file.path) from error
    except (OSError, pa.ArrowInvalid) as error:
        raise unreadable_file(file.path, str(error)) from error
    partition = tuple(sorted(file.partition.items()))
    return _Kind(physical, partition, None if file.kept is None else file.path)


def _scan(
    snapshot: Snapshot, kind: _Kind, files: list[DataFile], target: pl.Schema
) -> pl.LazyFrame:
    first = files[0]
    inside = inside_schema(snapshot)
    try:
        cast_table(with_zones(kind.physical.empty_table(), inside), inside, PHYSICAL)
    except CAST_ERRORS as error:
        raise column_mismatch(first.path, error) from error
    values = partition_scalars(first, partition_fields(snapshot))
    columns = [
        *_columns(_stored_columns(first.path), inside, target),
        *(
            pl.lit(scalar.as_py(), dtype=target[name]).alias(name)
            for name, scalar in values.items()
        ),
    ]
    rows = _kept_rows(first, [file.path for file in files])
    return rows.with_columns(columns).select(list(target))


def _stored_columns(path: Path) -> dict[str, pl.DataType]:
    with path.open("rb") as file:  # the path itself would count as a pattern
        return dict(pl.read_parquet_schema(file))


def _kept_rows(first: DataFile, paths: list[Path]) -> pl.LazyFrame:
    if first.kept is None:
        return pl.scan_parquet(paths, glob=False, hive_partitioning=False)
    kept = pl.Series(first.kept)
    deleted = (~kept).arg_true().implode()
    rows = pl.scan_parquet(paths, glob=False, hive_partitioning=False, row_index_name=ROW)
    return rows.filter(~pl.col(ROW).is_in(deleted))


def _columns(
    stored: dict[str, pl.DataType], inside: Schema, target: pl.Schema
) -> Iterable[pl.Expr]:
    """Give the columns of the table that the file does not have as they are."""
    names = {name.lower(): name for name in stored}
    for field in inside:
        kind = target[field.name]
        name = names.get(physical_name(field).lower())
        if name is None:
            yield pl.lit(None, dtype=kind).alias(field.name)
        elif name != field.name or stored[name] != kind:
            yield _cast(pl.col(name), stored[name], field, kind).alias(field.name)


def _cast(column: pl.Expr, stored: pl.DataType, field: Field, kind: pl.DataType) -> pl.Expr:
    if stored == kind:
        return column
    if kind.is_nested():
        return column.map_batches(_by_arrow(field), return_dtype=kind, is_elementwise=True)
    if isinstance(stored, pl.Datetime) and isinstance(kind, pl.Datetime):
        return column.cast(pl.Datetime("us")).dt.replace_time_zone(kind.time_zone)
    return column.cast(kind)


def _by_arrow(field: Field) -> Callable[[pl.Series], pl.Series]:
    def cast(values: pl.Series) -> pl.Series:
        found = cast_array(values.to_arrow(), field.data_type, (field.name,), PHYSICAL)
        return pl.Series(field.name, found)

    return cast

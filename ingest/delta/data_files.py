"""Data files of a Delta table: written whole and synced, not visible before a commit names them.

An edge to the disk. A file of a stream tells in its name which query and which batch wrote it, so
that what a killed attempt left behind can be told from files that count:

    part-<n>-<query, 12 digits>-<batch, 8 digits>-<random>.c000.snappy.parquet
"""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.ahead import Ahead
from ingest.delta.actions import AddFile
from ingest.delta.casting import LOGICAL, Naming, cast_table, logical_name
from ingest.delta.mapping import file_schema, maps_names, physical_name, physical_schema
from ingest.delta.partition_values import log_path, partition_folder, partition_text
from ingest.delta.statistics import indexed_columns, statistics
from ingest.errors import NotNullViolatedError, SinkNotWritableError
from schema_store.metadata_log import make_folder, sync_folder
from schema_store.type_names import path_text
from schema_store.types import ArrayType, DataType, MapType, StructType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from io import BufferedWriter
    from pathlib import Path

    from ingest.delta.planning import WritePlan
    from schema_store.types import Schema

PART_SIZE = 32 << 20
"""Bytes of Arrow data after which a file is closed."""
WRITERS = 2
"""Files that are written at once: one alone does not keep both cores busy."""

_TO_FILE = Naming(logical_name, physical_name)
_STREAM_FILE = re.compile(
    r"part-\d{5}-([0-9a-f]{8}-[0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-[0-9a-f]{12}"
    r"\.c000\.snappy\.parquet"
)


def file_name(number: int, random_id: str) -> str:
    """Name a file of a batch write, as Spark does."""
    return f"part-{number:05}-{random_id}.c000.snappy.parquet"


def stream_file_name(query_id: str, batch_id: int, number: int, random_id: str) -> str:
    """Name a file of a stream's batch; it looks like Spark's, too."""
    digits = f"{batch_id:08x}"
    middle = f"{_query_digits(query_id)}-{digits[:4]}-{digits[4:8]}"
    return file_name(number, f"{middle}-{random_id.replace('-', '')[-12:]}")


def batch_of(query_id: str, name: str) -> int | None:
    """Give the batch that wrote the file for this query; None for other files."""
    found = _STREAM_FILE.fullmatch(name)
    if found is None or found[1] != _query_digits(query_id):
        return None
    return int(found[2] + found[3], 16)


def _query_digits(query_id: str) -> str:
    digits = hashlib.sha256(query_id.encode()).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}"


def stream_files(folder: Path, query_id: str, *, partitioned: bool) -> Iterator[tuple[Path, int]]:
    """Find the files that batches of this query have written, with their batch."""
    pattern = f"part-*-{_query_digits(query_id)}-*.parquet"
    for path in folder.rglob(pattern) if partitioned else folder.glob(pattern):
        batch_id = batch_of(query_id, path.name)
        if batch_id is not None:
            yield path, batch_id


@dataclass(slots=True)
class FileStaging:
    """Rows on their way into files; `name` names the file of a number."""

    folder: Path
    plan: WritePlan
    name: Callable[[int], str]
    adds: list[AddFile] = field(default_factory=list)
    _waiting: list[pa.Table] = field(default_factory=list)
    _waiting_size: int = 0
    _writing: Ahead[AddFile] = field(default_factory=Ahead)
    _written: int = 0

    def write(self, rows: pa.RecordBatch | pa.Table) -> None:
        """Take rows in the stream's columns; a file is written, beside the caller, when it is due.

        Raises what is wrong with these rows or earlier ones: `SinkNotWritableError`,
        `ValueCastError`, `NotNullViolatedError`.
        """
        if rows.num_rows == 0:
            return
        table = pa.Table.from_batches([rows]) if isinstance(rows, pa.RecordBatch) else rows
        self._waiting.append(table)
        self._waiting_size += table.nbytes
        if self._waiting_size >= PART_SIZE:
            self._flush()

    def finish(self) -> tuple[AddFile, ...]:
        """Write what is left and make the files' names durable.

        A file that is gone again is an error: a second writer under this query's name has taken it
        for one of a killed attempt.
        """
        self._flush()
        while len(self._writing):
            self._take()
        paths = [add.local_path(self.folder) for add in self.adds]
        try:
            for folder in {path.parent for path in paths}:
                sync_folder(folder)
            for path in paths:
                path.stat()
        except OSError as error:
            raise _not_writable(self.folder, error) from error
        return tuple(self.adds)

    def remove(self, *, but: frozenset[str] = frozenset()) -> None:
        """Remove the files, but for those of these paths.

        One that cannot be removed stays: the next begin removes it, or a vacuum, and the error that
        has led here is what to tell of.
        """
        self._waiting.clear()
        self._writing.wait()
        for add in self.adds:
            if add.path not in but:
                with suppress(OSError):
                    add.local_path(self.folder).unlink(missing_ok=True)
        self.adds.clear()

    def _flush(self) -> None:
        if not self._waiting:
            return
        if self.plan.metadata.partition_columns:
            schema = self.plan.metadata.schema
            rows = pa.concat_tables([cast_table(one, schema) for one in self._waiting])
            for values, part in _partitions(rows, self.plan.metadata.partition_columns):
                self._write_file([part], values)
        else:
            self._write_file(self._waiting, {})
        self._waiting.clear()
        self._waiting_size = 0

    def _write_file(self, waiting: list[pa.Table], values: dict[str, object]) -> None:
        schema = self.plan.metadata.schema
        texts = {name: partition_text(value) for name, value in values.items()}
        _require_values(schema, texts)
        parts = (
            *(partition_folder(name, text) for name, text in texts.items()),
            self.name(len(self.adds)),
        )
        path = self.folder.joinpath(*parts)
        names = {name: _physical_of(schema, name) for name in texts}
        add = AddFile(
            path=log_path(*parts),
            partition_values={names[name]: text for name, text in texts.items()},
            size=0,
            modification_time=0,
        )
        if len(self._writing) == WRITERS:
            self._take()
        self.adds.append(add)
        work = partial(_written, path, add, tuple(waiting), self.plan)
        self._writing.start(work, name="ingest-write")

    def _take(self) -> None:
        """Take the oldest file that is under way."""
        self.adds[self._written] = self._writing.take()
        self._written += 1


def _written(path: Path, add: AddFile, waiting: Sequence[pa.Table], plan: WritePlan) -> AddFile:
    try:
        make_folder(path.parent)
        with path.open("xb") as file:
            return _filled(file, add, waiting, plan)
    except OSError as error:
        raise _not_writable(path, error) from error


def _filled(
    file: BufferedWriter, add: AddFile, waiting: Sequence[pa.Table], plan: WritePlan
) -> AddFile:
    """Write the rows into a new file, durably; give its action."""
    columns = plan.stored_columns
    configuration = plan.metadata.configuration
    is_plain = not maps_names(configuration) and not _has_map(columns)
    naming = LOGICAL if is_plain else _TO_FILE
    rows = pa.concat_tables([cast_table(one, columns, naming) for one in waiting])
    if is_plain:
        pl.DataFrame(rows).write_parquet(file, compression="snappy")
    else:
        pq.write_table(rows.cast(file_schema(columns)), file, compression="snappy")
    file.flush()
    os.fsync(file.fileno())
    state = os.fstat(file.fileno())
    return AddFile(
        add.path,
        add.partition_values,
        size=state.st_size,
        modification_time=state.st_mtime_ns // 1_000_000,
        stats=statistics(rows, physical_schema(columns), limit=indexed_columns(configuration)),
    )


def _partitions(
    rows: pa.Table, columns: tuple[str, ...]
) -> Iterator[tuple[dict[str, object], pa.Table]]:
    """Split rows by their partition values, in the order in which they come.

    Columns go by their position meanwhile: Arrow takes `a.b` for a field of a struct.
    """
    keys = [str(at) for at, _ in enumerate(columns)]
    numbers = pa.array(range(rows.num_rows), pa.int64())
    numbered = pa.table([*rows.select(columns).columns, numbers], names=[*keys, "row"])
    grouped = numbered.group_by(keys, use_threads=False).aggregate([("row", "list")])
    for group in grouped.to_pylist():
        values = {name: group[key] for name, key in zip(columns, keys, strict=True)}
        yield values, rows.take(pa.array(group["row_list"], pa.int64()))


def _require_values(schema: Schema, texts: Mapping[str, str | None]) -> None:
    """Refuse NULL for a partition column that is NOT NULL; the empty text is NULL there."""
    for name, text in texts.items():
        column = schema.find_ignoring_case(name)
        if text is None and column is not None and not column.nullable:
            raise NotNullViolatedError(path_text((name,)))


def _physical_of(schema: Schema, name: str) -> str:
    column = schema.find_ignoring_case(name)
    return name if column is None else physical_name(column)


def _has_map(data_type: DataType) -> bool:
    match data_type:
        case MapType():
            return True
        case ArrayType(element):
            return _has_map(element)
        case StructType(fields):
            return any(_has_map(field.data_type) for field in fields)
        case _:
            return False


def _not_writable(path: Path, error: OSError) -> SinkNotWritableError:
    return SinkNotWritableError(str(path), error.strerror or str(error))

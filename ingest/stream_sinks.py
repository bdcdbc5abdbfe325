"""Which sink a stream's rows go to, from what `writeStream` was told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from ingest.delta.settings import DeltaSettings
from ingest.errors import (
    MissingOptionError,
    OptionConflictError,
    UnsupportedOptionError,
)
from ingest.options import resolve_console_options
from ingest.sinks.console import Console
from ingest.sinks.delta_table import DeltaTable
from ingest.sinks.foreach_batch import ForeachBatch
from ingest.sinks.parquet_table import ParquetTable
from ingest.table_places import TableFormat, check_table_format

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import pyarrow as pa

    from ingest.dataframe import DataFrame
    from ingest.session import Session
    from ingest.sinks import Sink
    from ingest.stream_options import WriterOptions
    from schema_store.types import Schema


class SinkFormat(Enum):
    """What `format` chooses; `foreachBatch` is chosen by the call of that name."""

    DELTA = "delta"
    PARQUET = "parquet"
    MEMORY = "memory"
    CONSOLE = "console"
    FOREACH_BATCH = "foreachbatch"

    @property
    def table(self) -> TableFormat | None:
        """The format of the table in a folder; None for a sink that is none."""
        match self:
            case SinkFormat.DELTA:
                return TableFormat.DELTA
            case SinkFormat.PARQUET:
                return TableFormat.PARQUET
            case SinkFormat.MEMORY | SinkFormat.CONSOLE | SinkFormat.FOREACH_BATCH:
                return None


@dataclass(frozen=True, slots=True)
class TableRequest:
    """A table in a folder; `sql_name` is what SQL calls it."""

    folder: Path
    sql_name: str
    format: TableFormat
    partitions: tuple[str, ...]


def parse_sink_format(text: str) -> SinkFormat:
    """Understand the text of `format`, in any case; raises `UnsupportedOptionError`."""
    known = {one.value: one for one in SinkFormat if one is not SinkFormat.FOREACH_BATCH}
    found = known.get(str(text).lower())
    if found is None:
        raise UnsupportedOptionError(
            "writeStream.format",
            text,
            supported="delta, parquet, memory or console",
            remedy='Write .format("delta"), or take each batch with .foreachBatch(function).',
        )
    return found


def table_sink(request: TableRequest, options: WriterOptions, session: Session) -> Sink:
    """Give the sink of a table in a folder.

    Raises `TableFormatError` when a table of the other format is there, an `OptionError` for a
    folder where no table can be.
    """
    check_table_format(request.folder, request.format)
    match request.format:
        case TableFormat.DELTA:
            return _delta_table(request, options, session)
        case TableFormat.PARQUET:
            _check_unpartitioned(request.partitions, "parquet")
            return ParquetTable(request.folder)


def _delta_table(request: TableRequest, options: WriterOptions, session: Session) -> DeltaTable:
    settings = DeltaSettings(
        now=session.now,
        new_id=session.new_id,
        merge_schema=options.merge_schema,
        properties=options.properties,
        partition_columns=request.partitions,
        sql_name=request.sql_name,
    )
    return DeltaTable(request.folder, settings)


def console_sink(options: Mapping[str, object], session: Session) -> Console:
    """Give the sink that prints each batch as `show` does; raises `OptionValueError`."""
    told = resolve_console_options(options)

    def draw(schema: Schema, rows: pa.Table) -> str:
        return session.data_frame(schema, rows).to_text(told.rows, truncate=told.truncate)

    return Console(draw, told.rows)


def foreach_batch_sink(function: Callable[[DataFrame, int], Any], session: Session) -> ForeachBatch:
    """Give the sink that calls a function of the user's with each batch."""

    def call(schema: Schema, rows: pa.Table, batch_id: int) -> None:
        function(session.data_frame(schema, rows), batch_id)

    return ForeachBatch(call)


def memory_sink(name: str | None, session: Session) -> Sink:
    """Give the table in memory of a query's name; raises `MissingOptionError` without one."""
    if name is None:
        raise MissingOptionError(
            "queryName", needed_for="a name for the table in memory", example='.queryName("rows")'
        )
    return session.memory_table(name)


def check_no_place(kind: SinkFormat, place: object, partitions: tuple[str, ...]) -> None:
    """Refuse a path, a table's name or partitions beside a sink that has no folder."""
    _check_unpartitioned(partitions, kind.value)
    if place is not None:
        raise OptionConflictError(
            ("path", "writeStream.format"),
            found=f"{place} beside {_NAMES[kind]}",
            expected="a path or a table's name beside delta or parquet, a query name beside memory",
            remedy='Leave it out, or write .format("delta").',
        )


def _check_unpartitioned(partitions: tuple[str, ...], kind: str) -> None:
    if partitions:
        raise UnsupportedOptionError(
            "writeStream.partitionBy",
            ", ".join(partitions),
            supported=f"it with delta, not with {kind}",
            remedy='Leave it out, or write .format("delta").',
        )


_NAMES = {
    SinkFormat.MEMORY: "a table in memory",
    SinkFormat.CONSOLE: "the console",
    SinkFormat.FOREACH_BATCH: "foreachBatch",
}

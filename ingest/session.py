"""The session: where tables are, how it is configured, and the way to readers and tables."""

from __future__ import annotations

import datetime as dt
import os
import uuid
from typing import TYPE_CHECKING

from ingest import sql
from ingest.batch_reader import DataFrameReader
from ingest.checkpoint_table import cloud_files_table
from ingest.dataframe import DataFrame
from ingest.errors import (
    OperationNotSupportedError,
    SqlNotSupportedError,
    StreamingQueryException,
    TableNotFoundError,
    UnknownFieldException,
    UnsupportedOptionError,
)
from ingest.options import session_zone
from ingest.path_map import local_path
from ingest.python_rows.frames import to_table
from ingest.queries import StreamingQueryManager
from ingest.reader import DataStreamReader
from ingest.runtime_conf import RuntimeConf
from ingest.sinks.memory_table import MemoryTable
from ingest.table_names import table_folder
from ingest.table_places import format_of
from ingest.table_reader import conform_batches, read_table
from ingest.user_schema import parse_row_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import NoReturn

    import pyarrow as pa

    from ingest.query import StreamingQuery
    from ingest.user_schema import RowSchema
    from schema_store.types import Schema


def utc_now() -> dt.datetime:
    """Tell the time; the one place that asks the clock."""
    return dt.datetime.now(dt.UTC)  # noqa: TID251 - the rim


class Session:
    """The front door, in the shape of a SparkSession.

    Args:
        warehouse: folder of the tables; `a.b.c` is the folder `a/b/c` in it.
        conf: configuration, e.g. `{"spark.sql.session.timeZone": "Europe/Oslo"}`.
        path_map: where cloud paths are here, e.g. `{"dbfs:/landing": "./landing"}`.
        now: tells the time, with a zone; for tests.

    >>> Session(warehouse="lake").readStream.format("cloudFiles")
    <DataStreamReader cloudFiles>
    """

    def __init__(
        self,
        warehouse: str | Path = "spark-warehouse",
        *,
        conf: Mapping[str, object] | None = None,
        path_map: Mapping[str, str] | None = None,
        now: Callable[[], dt.datetime] = utc_now,
    ) -> None:
        self.path_map = dict(path_map or {})
        self.warehouse = self.locate(os.fspath(warehouse))
        self.conf = RuntimeConf(conf or {})
        self.now = now
        self.streams = StreamingQueryManager()
        self._memory: dict[str, MemoryTable] = {}

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise OperationNotSupportedError(
            name,
            of="spark",
            supported="readStream, read, table, sql, createDataFrame, streams, conf,"
            " cloud_files_state, run_until_stable",
            remedy="Take the rows from spark.table(name), or use real Spark.",
        )

    @property
    def readStream(self) -> DataStreamReader:  # noqa: N802 - PySpark's name
        """Start to describe a stream."""
        return DataStreamReader(self)

    @property
    def read(self) -> DataFrameReader:
        """Read tables."""
        return DataFrameReader(self)

    def table(self, tableName: str, *, version: int | None = None) -> DataFrame:  # noqa: N803 - PySpark's name
        """Give the rows of a table; of a Delta table also as it was at an older version.

        Raises `TableNotFoundError` when nothing has written it.
        """
        folder = self.table_folder(tableName)
        memory = self._memory.get(tableName.lower())
        if memory is not None and version is None:
            batches, schema = memory.snapshot()
            return self.data_frame(schema, conform_batches(batches, schema))
        if memory is not None:
            raise OperationNotSupportedError(
                "version",
                of="a table in memory",
                supported="the newest rows",
                remedy="Leave the version out; only Delta tables keep older ones.",
            )
        if format_of(folder) is None:
            raise TableNotFoundError(tableName, str(folder))
        return self.data_frame(*read_table(folder, version))

    def sql(self, sqlQuery: str, args: object = None, **kwargs: object) -> DataFrame:  # noqa: N803 - PySpark's name
        """Carry out one statement about a table: properties, history, creation, all its rows.

        Raises `SqlSyntaxError` for what is no SQL, `SqlNotSupportedError` for other statements and
        for parameters.
        """
        if args or kwargs:
            raise SqlNotSupportedError("a parameter", supported="the statement as it is meant")
        return sql.run_sql(self, sqlQuery)

    def cloud_files_state(self, checkpoint: str | os.PathLike[str]) -> DataFrame:
        """Give what a stream's checkpoint knows of its files (Databricks' function of this name).

        Raises `DamagedCheckpointError` when the folder is no checkpoint.
        """
        return self.data_frame(*cloud_files_table(self.locate(os.fspath(checkpoint))))

    def createDataFrame(  # noqa: N802 - PySpark's name
        self,
        data: object,
        schema: RowSchema | None = None,
        samplingRatio: float | None = None,  # noqa: N803 - PySpark's name
        verifySchema: bool = True,  # noqa: FBT001, FBT002, N803 - PySpark's form
    ) -> DataFrame:
        """Make rows from a list of tuples, lists, dicts or Rows, or from a table.

        `schema` is DDL text, a `Schema`, an Arrow schema, or a list of names. All rows are looked
        at and checked: `samplingRatio` and `verifySchema` may only say so. Raises `RowTypeError`
        and `RowValueError` for what has no type, or another one than the schema's.
        """
        if samplingRatio not in {None, 1.0} or not verifySchema:
            raise UnsupportedOptionError(
                "createDataFrame",
                f"samplingRatio={samplingRatio}, verifySchema={verifySchema}",
                supported="them to be left out",
                remedy="Leave them out: all rows are looked at and checked.",
            )
        zone = session_zone(self.conf.as_dict())
        return self.data_frame(*to_table(data, parse_row_schema(schema), zone=zone))

    def data_frame(self, schema: Schema, rows: pa.Table) -> DataFrame:
        """Give rows that are shown in the session's time zone (contract 11.18)."""
        return DataFrame(schema, rows, zone=session_zone(self.conf.as_dict()), session=self)

    def table_folder(self, name: str) -> Path:
        """Give the folder of a table: one folder for each part of its name."""
        return table_folder(self.warehouse, name)

    def memory_table(self, name: str) -> MemoryTable:
        """Give the table in memory of this name, a new one if there is none."""
        return self._memory.setdefault(name.lower(), MemoryTable(name))

    def is_in_memory(self, name: str) -> bool:
        """Tell whether a memory sink of this session has a table of that name."""
        return name.lower() in self._memory

    def locate(self, path: str) -> Path:
        """Give the local place of a path that the user wrote.

        It is absolute: a stream goes on in its folders when the process changes its own.
        """
        return local_path(path, self.path_map).absolute()

    @staticmethod
    def new_id() -> str:
        """Make an id for a query or a run."""
        return str(uuid.uuid4())

    def run_until_stable(
        self, build: Callable[[], StreamingQuery], *, max_restarts: int = 10
    ) -> list[StreamingQueryException]:
        """Start the stream again for as long as it stops to evolve, as a job with retries does.

        `build` loads and starts the stream anew each time; give back why it stopped. Raises the
        failure itself when it is not retryable, or when there were more stops than `max_restarts`.
        """
        stops: list[StreamingQueryException] = []
        while True:
            try:
                build().awaitTermination()
            except StreamingQueryException as error:
                cause = error.cause
                retryable = isinstance(cause, UnknownFieldException) and cause.retryable
                if not retryable or len(stops) >= max_restarts:
                    raise
                stops.append(error)
            else:
                return stops

"""The session: where tables are, how it is configured, and the way to readers and tables."""

from __future__ import annotations

import datetime as dt
import os
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.dataframe import DataFrame
from ingest.errors import (
    OperationNotSupportedError,
    StreamingQueryException,
    TableNotFoundError,
    UnknownFieldException,
)
from ingest.options import session_zone
from ingest.path_map import local_path
from ingest.reader import DataStreamReader
from ingest.sinks.memory_table import MemoryTable
from ingest.table_names import parse_table_name
from ingest.table_reader import conform_batches, read_parquet_table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import NoReturn

    import pyarrow as pa

    from ingest.query import StreamingQuery
    from schema_store.types import Schema


def utc_now() -> dt.datetime:
    """Tell the time; the one place that asks the clock."""
    return dt.datetime.now(dt.UTC)  # noqa: TID251 - the rim


class RuntimeConf:
    """The session's configuration, as PySpark's `spark.conf`."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = dict(values)

    def set(self, key: str, value: object) -> None:
        """Set a configuration value."""
        self._values[key] = value

    def get(self, key: str, default: object = None) -> object:
        """Give a configuration value, or the default."""
        return self._values.get(key, default)

    def unset(self, key: str) -> None:
        """Forget a configuration value."""
        self._values.pop(key, None)

    def as_dict(self) -> dict[str, object]:
        """Give all values."""
        return dict(self._values)


class DataFrameReader:
    """Batch reads of tables that streams have written."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def table(self, name: str) -> DataFrame:
        """Give the rows of a table, as `Session.table`."""
        return self._session.table(name)

    def parquet_table(self, path: str | Path) -> DataFrame:
        """Give the rows of a Parquet table by its folder, which may be a mapped cloud path."""
        folder = self._session.locate(os.fspath(path))
        return self._session.data_frame(*read_parquet_table(folder))

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise OperationNotSupportedError(
            name,
            of="spark.read",
            supported="table, parquet_table",
            remedy="Read other files with Polars, pyarrow or real Spark.",
        )


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
        self.warehouse = Path(warehouse)
        self.conf = RuntimeConf(conf or {})
        self.path_map = dict(path_map or {})
        self.now = now
        self._memory: dict[str, MemoryTable] = {}

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise OperationNotSupportedError(
            name,
            of="spark",
            supported="readStream, read, table, conf, run_until_stable",
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

    def table(self, name: str) -> DataFrame:
        """Give the rows of a table.

        Raises `TableNotFoundError` when no stream has written it.
        """
        memory = self._memory.get(name)
        if memory is not None:
            batches, schema = memory.snapshot()
            return self.data_frame(schema, conform_batches(batches, schema))
        folder = self.table_folder(name)
        if not folder.exists():
            raise TableNotFoundError(name, str(folder))
        return self.data_frame(*read_parquet_table(folder))

    def data_frame(self, schema: Schema, rows: pa.Table) -> DataFrame:
        """Give rows that are shown in the session's time zone (contract 11.18)."""
        return DataFrame(schema, rows, zone=session_zone(self.conf.as_dict()))

    def table_folder(self, name: str) -> Path:
        """Give the folder of a table: one folder for each part of its name."""
        return self.warehouse.joinpath(*parse_table_name(name))

    def memory_table(self, name: str) -> MemoryTable:
        """Give the table in memory of this name, a new one if there is none."""
        return self._memory.setdefault(name, MemoryTable(name))

    def locate(self, path: str) -> Path:
        """Give the local place of a path that the user wrote."""
        return local_path(path, self.path_map)

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

"""`spark.read`: tables as rows in memory, in the shape of PySpark's `DataFrameReader`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ingest.errors import (
    OperationNotSupportedError,
    TableFormatError,
    TableNotFoundError,
    UnsupportedOptionError,
)
from ingest.options import resolve_read_options
from ingest.table_places import TableFormat, format_of
from ingest.table_reader import read_parquet_table, read_table
from ingest.user_paths import one_path

if TYPE_CHECKING:
    from pathlib import Path
    from typing import NoReturn

    from ingest.dataframe import DataFrame
    from ingest.session import Session

_FORMATS = {one.value: one for one in TableFormat}


class DataFrameReader:
    """Batch reads of tables that streams and batch writes have written."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._format = TableFormat.DELTA
        self._options: dict[str, object] = {}

    def format(self, source: str) -> DataFrameReader:
        """Choose the table's format: `delta`, the default, or `parquet`."""
        known = _FORMATS.get(str(source).lower())
        if known is None:
            raise UnsupportedOptionError(
                "read.format",
                source,
                supported="delta or parquet, a table's",
                remedy="Read other files with Polars, pyarrow or real Spark.",
            )
        self._format = known
        return self

    def option(self, key: str, value: object) -> DataFrameReader:
        """Set an option; names are not case-sensitive. `versionAsOf` reads an older version."""
        self._options.pop(key, None)
        self._options[key] = value
        return self

    def options(self, **options: object) -> DataFrameReader:
        """Set several options."""
        for key, value in options.items():
            self.option(key, value)
        return self

    def table(self, tableName: str) -> DataFrame:  # noqa: N803 - PySpark's name
        """Give the rows of a table of the warehouse, or in memory."""
        version = resolve_read_options(self._options).version
        return self._session.table(tableName, version=version)

    def load(
        self,
        path: str | os.PathLike[str] | None = None,
        format: str | None = None,  # noqa: A002 - PySpark's name
        **options: object,
    ) -> DataFrame:
        """Give the rows of the table in a folder, which may be a mapped cloud path.

        Raises `TableNotFoundError` when there is none, `TableFormatError` when it is of the other
        format.
        """
        if format is not None:
            self.format(format)
        self.options(**options)
        told = resolve_read_options(self._options)
        place = one_path(path, told.path, call="load", folder="the folder of the table")
        folder = self._session.locate(place)
        present = format_of(folder)
        if present is None:
            raise TableNotFoundError(place, str(folder))
        if present is not self._format:
            raise TableFormatError(place, present=present.value, wanted=self._format.value)
        return self._session.data_frame(*read_table(folder, told.version))

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
            supported="table, format, option, options, load, parquet_table",
            remedy="Read other files with Polars, pyarrow or real Spark.",
        )

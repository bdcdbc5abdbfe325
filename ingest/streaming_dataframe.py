"""A stream that is loaded but not started, in the shape of a PySpark streaming DataFrame."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from ingest.errors import NoColumnsError, OperationNotSupportedError
from ingest.options import session_zone
from ingest.schema_tree import schema_tree
from ingest.transform.calls import (
    add_columns,
    column_of,
    drop_columns,
    keep_rows,
    select_columns,
    select_text,
)
from ingest.transform.operands import REMEDY
from ingest.transform.transformation import Transformation, identity, rename
from ingest.writer import DataStreamWriter
from schema_store.ddl import type_to_simple_string
from schema_store.type_names import quote_name

if TYPE_CHECKING:
    from ingest.session import Session
    from ingest.stream import LoadedStream
    from ingest.transform.column import Column
    from schema_store.types import Schema

_SUPPORTED = (
    "select, selectExpr, withColumn, withColumns, withColumnRenamed, withColumnsRenamed, drop,"
    " where, filter, columns, schema, dtypes, printSchema, writeStream"
)


class StreamingDataFrame:
    """The rows to come, under a schema that is locked until `load` is called again.

    Calls such as `select` give another stream; names are found, and types checked, when they are
    made.
    """

    isStreaming = True  # noqa: N815 - PySpark's name

    def __init__(self, session: Session, loaded: LoadedStream) -> None:
        self._session = session
        self._loaded = loaded

    @property
    def schema(self) -> Schema:
        """The columns and their types, the rescued column last.

        Raises `ColumnAlreadyExistsError` when two columns have one name.
        """
        return self._loaded.output_schema

    @property
    def columns(self) -> list[str]:
        """The columns' names."""
        return list(self._transformation.names)

    @property
    def dtypes(self) -> list[tuple[str, str]]:
        """The columns' names and types, as text."""
        return [
            (output.name, type_to_simple_string(output.value.data_type))
            for output in self._transformation.outputs
        ]

    def printSchema(self) -> None:  # noqa: N802 - PySpark's name
        """Print the schema as Spark does, a blank line after it."""
        sys.stdout.write(schema_tree(self.schema) + "\n\n")

    def select(self, *cols: str | Column | list[str | Column]) -> StreamingDataFrame:
        """Give these columns, in this order: names, `"*"`, `"_metadata.file_path"`, Columns."""
        return self._changed(select_columns(self._transformation, cols))

    def selectExpr(self, *expr: str | list[str]) -> StreamingDataFrame:  # noqa: N802 - PySpark's
        """Give columns by SQL text: `"id AS key"`, `"CAST(amount AS DOUBLE)"`, `"*"`."""
        return self._changed(select_text(self._transformation, expr))

    def withColumn(self, colName: str, col: Column) -> StreamingDataFrame:  # noqa: N802, N803
        """Add a column, or put it in the place of one of the same name."""
        return self.withColumns({colName: col})

    def withColumns(self, colsMap: dict[str, Column]) -> StreamingDataFrame:  # noqa: N802, N803
        """Add or replace several columns; all of them see the columns as they were."""
        return self._changed(add_columns(self._transformation, colsMap))

    def withColumnRenamed(self, existing: str, new: str) -> StreamingDataFrame:  # noqa: N802
        """Give a column another name; nothing happens when it is not there."""
        return self.withColumnsRenamed({existing: new})

    def withColumnsRenamed(self, colsMap: dict[str, str]) -> StreamingDataFrame:  # noqa: N802, N803
        """Give several columns other names."""
        return self._changed(rename(self._transformation, colsMap))

    def drop(self, *cols: str | Column) -> StreamingDataFrame:
        """Leave columns out; nothing happens for one that is not there."""
        return self._changed(drop_columns(self._transformation, cols))

    def where(self, condition: str | Column) -> StreamingDataFrame:
        """Keep the rows for which a condition, a Column or SQL text, is true."""
        return self._changed(keep_rows(self._transformation, condition))

    filter = where

    @property
    def writeStream(self) -> DataStreamWriter:  # noqa: N802 - PySpark's name
        """Start to describe where the rows go.

        Raises `ColumnAlreadyExistsError` when two columns have one name, `NoColumnsError` when
        there is none.
        """
        if not self.schema.fields:
            raise NoColumnsError
        return DataStreamWriter(self._session, self._loaded)

    def __getitem__(self, name: str) -> Column:
        return column_of(self._transformation, name)

    def __getattr__(self, name: str) -> Column:
        if name.startswith("_"):
            raise AttributeError(name)
        if name.lower() in {column.lower() for column in self.columns}:
            return column_of(self._transformation, quote_name(name))
        raise OperationNotSupportedError(
            name, of="DataFrame", supported=f"{_SUPPORTED}, and the columns", remedy=REMEDY
        )

    @property
    def _transformation(self) -> Transformation:
        known = self._loaded.transformation
        if known is not None:
            return known
        zone = str(session_zone(self._session.conf.as_dict()))
        return identity(self._loaded.read_schema, zone)

    def _changed(self, transformation: Transformation) -> StreamingDataFrame:
        return StreamingDataFrame(
            self._session, replace(self._loaded, transformation=transformation)
        )

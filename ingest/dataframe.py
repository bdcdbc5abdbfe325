"""Rows in memory, in the shape of a PySpark DataFrame: of a table, a micro-batch, or the user's."""

from __future__ import annotations

import datetime as dt
import sys
from typing import TYPE_CHECKING, Any

import polars as pl

from ingest.batch_writer import DataFrameWriter
from ingest.errors import ColumnCountError, OperationNotSupportedError, OptionValueError
from ingest.row import Row, collected
from ingest.schema_tree import schema_tree
from ingest.shown import shown, table_text
from ingest.transform.calls import (
    add_columns,
    column_of,
    drop_columns,
    keep_rows,
    select_columns,
    select_text,
)
from ingest.transform.transformation import Transformation, identity, rename, transform_table
from schema_store.ddl import type_to_simple_string
from schema_store.type_names import quote_name
from schema_store.types import Field, Schema, StructType

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from ingest.session import Session
    from ingest.transform.column import Column

__all__ = ["DataFrame", "Row", "schema_tree"]

_SUPPORTED = (
    "select, selectExpr, withColumn, withColumns, withColumnRenamed, withColumnsRenamed, drop,"
    " where, filter, toDF, limit, write, collect, first, head, take, count, isEmpty, show,"
    " printSchema, schema, columns, dtypes, to_arrow, to_polars, toPandas, sparkSession, and the"
    " columns"
)
SHOWN_WIDTH = 20
"""Characters that `show` keeps of a value, as Spark does."""


class DataFrame:
    """Rows in memory, as Arrow; `zone` is the one that timestamps are shown in.

    Only rows of a session can be written and transformed. Calls such as `select` find names and
    check types at once; values are worked out when they are asked for.
    """

    isStreaming = False  # noqa: N815 - PySpark's name

    def __init__(
        self,
        schema: Schema,
        rows: pa.Table,
        *,
        zone: dt.tzinfo = dt.UTC,
        session: Session | None = None,
        given: Transformation | None = None,
    ) -> None:
        self._schema = schema
        self._source = rows
        self._given = given
        self._result = rows if given is None else None
        self._zone = zone
        self._session = session

    def __repr__(self) -> str:
        return f"DataFrame[{', '.join(f'{name}: {kind}' for name, kind in self.dtypes)}]"

    @property
    def schema(self) -> Schema:
        """The columns and their types."""
        return self._schema

    @property
    def columns(self) -> list[str]:
        """The columns' names."""
        return list(self._schema.names)

    @property
    def dtypes(self) -> list[tuple[str, str]]:
        """The columns' names and types, as text."""
        return [(field.name, type_to_simple_string(field.data_type)) for field in self._schema]

    @property
    def sparkSession(self) -> Session:  # noqa: N802 - PySpark's name
        """The session that the rows are of."""
        if self._session is None:
            raise OperationNotSupportedError(
                "sparkSession",
                of="DataFrame",
                supported="rows that a session gave: spark.table, spark.createDataFrame",
                remedy="Make the rows with spark.createDataFrame.",
            )
        return self._session

    @property
    def write(self) -> DataFrameWriter:
        """Start to describe where the rows go."""
        return DataFrameWriter(self.sparkSession, self._schema, self._rows)

    def to_arrow(self) -> pa.Table:
        """Give the rows as a pyarrow Table."""
        return self._rows

    toArrow = to_arrow  # noqa: N815 - PySpark's name

    def to_polars(self) -> pl.DataFrame:
        """Give the rows as a Polars DataFrame."""
        frame = pl.from_arrow(self._rows)
        assert isinstance(frame, pl.DataFrame)
        return frame

    def toPandas(self) -> Any:  # noqa: ANN401, N802 - pandas is not among our dependencies
        """Give the rows as a pandas DataFrame; needs pandas."""
        return self._rows.to_pandas()

    def collect(self) -> list[Row]:
        """Give the rows as a list of `Row`; structs are rows too, maps dictionaries."""
        types = [field.data_type for field in self._schema]
        return [
            Row(row.__fields__, tuple(map(collected, row, types)))
            for row in self._iterate(self._rows)
        ]

    def take(self, num: int) -> list[Row]:
        """Give the first rows as a list."""
        return self.limit(num).collect()

    def first(self) -> Row | None:
        """Give the first row, or None when there is none."""
        return next(iter(self.take(1)), None)

    def head(self, n: int | None = None) -> Row | list[Row] | None:
        """Give the first row, or a list of the first `n`."""
        return self.first() if n is None else self.take(n)

    def count(self) -> int:
        """Count the rows."""
        return int(self._rows.num_rows)

    def isEmpty(self) -> bool:  # noqa: N802 - PySpark's name
        """Tell whether there are no rows."""
        return self.count() == 0

    def limit(self, num: int) -> DataFrame:
        """Give only the first rows."""
        if num < 0:
            raise OptionValueError("limit", num, allowed="a number from 0 on")
        return self._with(self._schema, self._rows.slice(0, num))

    def select(self, *cols: str | Column | list[str | Column]) -> DataFrame:
        """Give these columns, in this order: names, `"*"`, Columns."""
        return self._changed(select_columns(self._transformation, cols))

    def selectExpr(self, *expr: str | list[str]) -> DataFrame:  # noqa: N802 - PySpark's name
        """Give columns by SQL text, such as `"CAST(amount AS DOUBLE) AS amount"`."""
        return self._changed(select_text(self._transformation, expr))

    def withColumn(self, colName: str, col: Column) -> DataFrame:  # noqa: N802, N803 - PySpark's
        """Add a column, or put it in the place of one of the same name."""
        return self.withColumns({colName: col})

    def withColumns(self, colsMap: dict[str, Column]) -> DataFrame:  # noqa: N802, N803 - PySpark's
        """Add or replace several columns; all of them see the columns as they were."""
        return self._changed(add_columns(self._transformation, colsMap))

    def withColumnRenamed(self, existing: str, new: str) -> DataFrame:  # noqa: N802 - PySpark's
        """Give a column another name; nothing happens when it is not there."""
        return self.withColumnsRenamed({existing: new})

    def withColumnsRenamed(self, colsMap: dict[str, str]) -> DataFrame:  # noqa: N802, N803
        """Give several columns other names."""
        return self._changed(rename(self._transformation, colsMap))

    def drop(self, *cols: str | Column) -> DataFrame:
        """Leave columns out; nothing happens for one that is not there."""
        return self._changed(drop_columns(self._transformation, cols))

    def where(self, condition: str | Column) -> DataFrame:
        """Keep the rows for which a condition, a Column or SQL text, is true."""
        return self._changed(keep_rows(self._transformation, condition))

    filter = where

    def toDF(self, *cols: str) -> DataFrame:  # noqa: N802 - PySpark's name
        """Give the columns new names, all of them in order."""
        if len(cols) != len(self._schema):
            raise ColumnCountError(
                "toDF",
                condition="ASSIGNMENT_ARITY_MISMATCH",
                found=f"{len(cols)} names for {len(self._schema)} columns",
                expected=f"a name for each of {', '.join(self._schema.names)}",
            )
        fields = (
            Field(name, field.data_type, nullable=field.nullable, metadata=field.metadata)
            for name, field in zip(cols, self._schema, strict=True)
        )
        return self._with(StructType(tuple(fields)), self._rows.rename_columns(list(cols)))

    def show(
        self,
        n: int = 20,
        truncate: bool | int = True,  # noqa: FBT001, FBT002 - PySpark's form
        vertical: bool = False,  # noqa: FBT001, FBT002 - PySpark's form
    ) -> None:
        """Print the first rows as Spark does, a blank line after them."""
        if vertical:
            raise OptionValueError("show(vertical)", vertical, allowed="False")
        sys.stdout.write(self.to_text(n, truncate=truncate) + "\n\n")

    def printSchema(self) -> None:  # noqa: N802 - PySpark's name
        """Print the schema as Spark does, a blank line after it."""
        sys.stdout.write(schema_tree(self._schema) + "\n\n")

    def to_text(self, n: int = 20, *, truncate: bool | int = True) -> str:
        """Give what `show` prints: values cut to 20 (or `truncate`) characters, to the right.

        With `truncate=False` they are whole, and aligned to the left.
        """
        n = max(n, 0)
        width = SHOWN_WIDTH if truncate is True else int(truncate)
        types = [field.data_type for field in self._schema]
        rows = [
            [
                shown(_local(value, self._zone), kind, width)
                for value, kind in zip(row, types, strict=True)
            ]
            for row in self._iterate(self._rows.slice(0, n))
        ]
        text = table_text(self._schema.names, rows, align_left=width == 0)
        if self.count() <= n:
            return text
        return f"{text}\nonly showing top {n} {'row' if n == 1 else 'rows'}"

    def __getitem__(self, name: str) -> Column:
        return column_of(self._transformation, name)

    def __getattr__(self, name: str) -> Column:
        if name.startswith("_"):
            raise AttributeError(name)
        if self._schema.find_ignoring_case(name) is not None:
            return column_of(self._transformation, quote_name(name))
        raise OperationNotSupportedError(
            name,
            of="DataFrame",
            supported=_SUPPORTED,
            remedy="Go on with .to_polars() or .to_arrow(), or use real Spark.",
        )

    @property
    def _rows(self) -> pa.Table:
        result = self._result
        if result is None:
            at = self.sparkSession.now()
            result = transform_table(self._transformation, self._source, at=at)
            self._result = result  # nothing else ever changes, so threads may share rows
        return result

    @property
    def _transformation(self) -> Transformation:
        if self._given is not None:
            return self._given
        return identity(self._schema, str(self._zone))

    def _changed(self, transformation: Transformation) -> DataFrame:
        return DataFrame(
            transformation.schema,
            self._source,
            zone=self._zone,
            session=self.sparkSession,
            given=transformation,
        )

    def _with(self, schema: Schema, rows: pa.Table) -> DataFrame:
        return DataFrame(schema, rows, zone=self._zone, session=self._session)

    def _iterate(self, rows: pa.Table) -> Iterator[Row]:
        names = self._schema.names
        columns = [column.to_pylist() for column in rows.columns]
        return (Row(names, values) for values in zip(*columns, strict=True))


def _local(value: object, zone: dt.tzinfo) -> object:
    """Give an instant as it is shown (Spark: in the session time zone), anything else as it is."""
    if not isinstance(value, dt.datetime) or value.tzinfo is None:
        return value
    try:
        return value.astimezone(zone)
    except OverflowError:  # the first or last hours that Python knows
        return value

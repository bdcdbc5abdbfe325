"""Functions that make columns, as `pyspark.sql.functions` has them (contract 1.6).

>>> from ingest import functions as F
>>> F.col("amount").cast("DECIMAL(10,2)")
Column<'CAST(amount AS DECIMAL(10,2))'>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest import transform
from ingest.errors import OperationNotSupportedError
from ingest.transform.column import Column, column_named
from ingest.transform.expressions import CurrentTimestamp, InputFileName
from ingest.transform.literals import literal_of
from ingest.transform.operands import REMEDY

if TYPE_CHECKING:
    from schema_store.types import DataType

__all__ = ["cast", "col", "column", "current_timestamp", "expr", "input_file_name", "lit", "now"]


def col(col: str) -> Column:
    """Give a column by its name: `a.b` is a field of a struct, "`a.b`" a column with a dot.

    >>> col("_metadata.file_name")
    Column<'_metadata.file_name'>
    """
    return column_named(col)


column = col


def lit(col: object) -> Column:
    """Give the same value in every row.

    >>> lit("web").alias("channel")
    Column<'web AS channel'>
    """
    return col if isinstance(col, Column) else Column(literal_of(col))


def cast(col: Column | str, dataType: str | DataType) -> Column:  # noqa: N803 - as Column.cast
    """Give a column as another type, as `Column.cast`."""
    return _column(col).cast(dataType)


def expr(str: str) -> Column:  # noqa: A002 - PySpark's name
    """Understand SQL text.

    >>> expr("amount * 2 AS double")
    Column<'(amount * 2) AS double'>
    """
    return Column(transform.parse_expression(str))


def current_timestamp() -> Column:
    """Give the batch's start time, the same for all of its rows."""
    return Column(CurrentTimestamp())


def now() -> Column:
    """Give the batch's start time, as `current_timestamp`."""
    return Column(CurrentTimestamp("now"))


def input_file_name() -> Column:
    """Give the URI of the file that a row is from."""
    return Column(InputFileName())


def _column(value: Column | str) -> Column:
    return column_named(value) if isinstance(value, str) else value


def __getattr__(name: str) -> object:
    if name.startswith("_"):
        raise AttributeError(name)
    raise OperationNotSupportedError(
        name, of="functions", supported=", ".join(__all__), remedy=REMEDY
    )

"""From what `createDataFrame` is given to a schema and an Arrow table.

Rows in Python are inferred or checked one by one, as PySpark does; tables of Arrow, Polars and
pandas (anything with `__arrow_c_stream__`) are taken as columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ingest.arrow import from_arrow_schema, to_arrow_schema, to_arrow_type
from ingest.errors import RowTypeError, RowValueError
from ingest.python_rows.conversion import check_types, convert_row
from ingest.python_rows.inference import infer_rows, renamed
from schema_store.types import DataType, Field, Schema, StructType

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

Names: TypeAlias = "tuple[str, ...]"
"""Columns that are only named; their types come from the data."""


def to_table(
    data: object, schema: DataType | Names | None, *, zone: dt.tzinfo
) -> tuple[Schema, pa.Table]:
    """Give the columns of rows, or of a table; times without a zone are of `zone`.

    A schema that is no struct is the type of rows that are plain values; their column is `value`.
    Raises `RowTypeError` and `RowValueError` for what has no type, or another one than the
    schema's.
    """
    if schema is not None and not isinstance(schema, tuple):
        check_types(schema)
    if hasattr(data, "__arrow_c_stream__"):
        return _from_arrow(_arrow_table(data), schema, zone)
    if isinstance(data, (str, bytes, dict)) or not hasattr(data, "__iter__"):
        raise RowTypeError(
            "createDataFrame",
            condition="CANNOT_INFER_SCHEMA_FOR_TYPE",
            found=f"data that are a Python {type(data).__name__}",
            expected="a list of rows, or a pandas, Polars or Arrow table",
        )
    rows = list(data)
    match schema:
        case StructType():
            return schema, _build(rows, schema, zone, given=True)
        case None | tuple():
            names = schema or ()
            inferred = infer_rows(rows, names)
            table = _build(rows, inferred, zone, given=False)
            named = renamed(inferred, names)
            return named, table.rename_columns(list(named.names))
        case _:
            column = StructType((Field("value", schema),))
            return column, _build([(value,) for value in rows], column, zone, given=True)


def _arrow_table(data: object) -> pa.Table:
    """Take a table of any library; a pandas index is no column, as in PySpark."""
    if type(data).__module__.partition(".")[0] == "pandas":
        return pa.Table.from_pandas(data, preserve_index=False)
    return pa.table(data)


def _build(rows: Sequence[object], schema: Schema, zone: dt.tzinfo, *, given: bool) -> pa.Table:
    converted = [convert_row(row, schema, zone=zone, given=given) for row in rows]
    columns: list[Any] = [list(values) for values in zip(*converted, strict=True)]
    target = to_arrow_schema(schema)
    if not rows:
        return target.empty_table()
    arrays = [_array(values, field) for values, field in zip(columns, target, strict=True)]
    return pa.Table.from_arrays(arrays, schema=target)


def _array(values: list[Any], field: pa.Field) -> pa.Array:
    try:
        return pa.array(values, field.type)
    except (pa.ArrowInvalid, OverflowError) as error:
        raise RowValueError(
            field.name,
            condition="VALUE_OUT_OF_BOUNDS",
            found=str(error),
            expected=f"values of {field.type}",
        ) from error


def _from_arrow(
    table: pa.Table, schema: DataType | Names | None, zone: dt.tzinfo
) -> tuple[Schema, pa.Table]:
    zoned = _with_zone(table, zone)
    found = from_arrow_schema(zoned.schema)
    match schema:
        case StructType():
            _check_count(zoned, schema)
            target = schema
        case None:
            target = StructType(tuple(Field(field.name, field.data_type) for field in found))
        case tuple():
            target = renamed(found, schema)
        case _:
            target = StructType((Field("value", schema),))
            _check_count(zoned, target)
    columns = [
        _cast(column, field) for column, field in zip(zoned.columns, target.fields, strict=True)
    ]
    return target, pa.Table.from_arrays(columns, schema=to_arrow_schema(target))


def _check_count(table: pa.Table, schema: Schema) -> None:
    """Refuse a schema of another length; names of a given schema replace the table's (pandas)."""
    if table.num_columns != len(schema):
        raise RowValueError(
            "createDataFrame",
            condition="AXIS_LENGTH_MISMATCH",
            found=f"{table.num_columns} columns and a schema of {len(schema)}",
            expected="a type for each column",
        )


def _with_zone(table: pa.Table, zone: dt.tzinfo) -> pa.Table:
    """Take times without a zone as TIMESTAMP, in the session's zone (Spark's `timestampType`)."""
    for place, field in enumerate(table.schema):
        if pa.types.is_timestamp(field.type) and field.type.tz is None:
            local = table.column(place).cast(pa.timestamp("us"), safe=False)
            name = str(zone).removeprefix("UTC") or "UTC"  # an offset: Arrow knows `+02:00`
            zoned = pc.assume_timezone(local, name, ambiguous="earliest", nonexistent="earliest")
            table = table.set_column(place, field.name, zoned)
    return table


def _cast(column: pa.ChunkedArray, field: Field) -> pa.ChunkedArray:
    target = to_arrow_type(field.data_type)
    both_times = pa.types.is_timestamp(column.type) and pa.types.is_timestamp(target)
    try:
        cast = column.cast(target, safe=not both_times)  # nanoseconds are cut, as Spark cuts them
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise RowValueError(
            field.name,
            condition="VALUE_OUT_OF_BOUNDS",
            found=f"values of the Arrow type {column.type} that do not fit: {error}",
            expected=str(target),
        ) from error
    if not field.nullable and cast.null_count:
        raise RowValueError(
            field.name,
            condition="FIELD_NOT_NULLABLE_WITH_NAME",
            found="This field is not nullable, but got None",
            expected="a value in each row",
        )
    return cast

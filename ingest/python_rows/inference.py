"""The schema of Python rows, by PySpark's rules (`pyspark.sql.types._infer_schema`, `_merge_type`).

Seen on Spark 4.3.0: `int` is BIGINT, `Decimal` DECIMAL(38,18), a `dict` in a column a MAP, a tuple
or a `Row` in one a STRUCT; two atomic types of which one is STRING merge to STRING, others do not.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from functools import reduce
from typing import TYPE_CHECKING

from ingest.errors import RowTypeError, RowValueError
from schema_store.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    DataType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    DoubleType,
    Field,
    LongType,
    MapType,
    NullType,
    Schema,
    StringType,
    StructType,
    TimestampType,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_ATOMS: dict[type, DataType] = {
    type(None): NullType(),
    bool: BooleanType(),
    int: LongType(),
    float: DoubleType(),
    str: StringType(),
    bytes: BinaryType(),
    bytearray: BinaryType(),
    Decimal: DecimalType(38, 18),
    dt.date: DateType(),
    dt.datetime: TimestampType(),
    dt.timedelta: DayTimeIntervalType(0, 3),
}
_NULL = NullType()


def infer_rows(rows: Sequence[object], names: tuple[str, ...]) -> Schema:
    """Give the schema of all rows; `names` are those of values that have none of their own.

    Raises `RowValueError` when there are no rows or a column has no value, `RowTypeError` for
    values without a type or of types that do not merge.

    >>> from schema_store.ddl import to_ddl
    >>> to_ddl(infer_rows([(1, None), (2, "x")], ("id", "name")))
    'id BIGINT, name STRING'
    """
    if not rows:
        raise RowValueError(
            "createDataFrame",
            condition="CANNOT_INFER_EMPTY_SCHEMA",
            found="Can not infer schema from an empty dataset",
            expected="at least one row",
        )
    schema = reduce(_merge_structs, (_infer_row(row, names) for row in rows))
    for field in schema:
        _check_determined(field.data_type, field.name)
    return schema


def renamed(schema: Schema, names: tuple[str, ...]) -> Schema:
    """Give the columns these names in order, as far as they go; raises `RowValueError`."""
    if len(names) > len(schema):
        raise RowValueError(
            "createDataFrame",
            condition="AXIS_LENGTH_MISMATCH",
            found=f"{len(names)} names for {len(schema)} columns",
            expected=f"at most {len(schema)} names",
        )
    renamed = (*names, *schema.names[len(names) :])
    fields = (
        Field(name, field.data_type) for name, field in zip(renamed, schema.fields, strict=True)
    )
    return StructType(tuple(fields))


def row_items(row: object) -> tuple[tuple[str | None, object], ...] | None:
    """Give a row's values with their names, where it has some; None for what is no row."""
    match row:
        case tuple() if hasattr(row, "__fields__"):  # a Row, ours or PySpark's
            return tuple(zip(row.__fields__, row, strict=True))
        case dict():
            return tuple(sorted(row.items()))
        case tuple() if hasattr(row, "_fields"):  # a namedtuple
            return tuple(zip(row._fields, row, strict=True))
        case tuple() | list():
            return tuple((None, value) for value in row)
        case _:
            fields = getattr(row, "__dict__", None)
            return None if fields is None else tuple(sorted(fields.items()))


def _infer_row(row: object, names: tuple[str, ...]) -> StructType:
    items = None if row is None else row_items(row)
    if items is None:
        raise RowTypeError(
            "createDataFrame",
            condition="CANNOT_INFER_SCHEMA_FOR_TYPE",
            found=f"Can not infer schema for type: `{type(row).__name__}`",
            expected="rows that are tuples, lists, dicts or Rows",
        )
    fields = []
    for place, (name, value) in enumerate(items):
        named = names[place] if place < len(names) else f"_{place + 1}"
        called = named if name is None else str(name)
        fields.append(Field(called, _infer(value, called)))
    return StructType(tuple(fields))


def _infer(value: object, column: str) -> DataType:
    known = _ATOMS.get(type(value))
    if known is not None:
        return known
    match value:
        case list():
            return ArrayType(_merge_all([_infer(item, column) for item in value], column))
        case dict():
            keys = [_infer(key, column) for key in value]
            values = [_infer(item, column) for item in value.values()]
            return MapType(_merge_all(keys, column), _merge_all(values, column))
        case tuple():
            return _infer_row(value, ())
        case _:
            raise RowTypeError(
                column,
                condition="CANNOT_INFER_TYPE_FOR_FIELD",
                found=f"Unable to infer the type of the field `{column}`:"
                f" a Python {type(value).__name__}",
                expected="None, bool, int, float, str, bytes, Decimal, date, datetime, timedelta,"
                " list, dict, tuple or Row",
            )


def _merge_all(types: list[DataType], column: str) -> DataType:
    merged: DataType = NullType()
    for data_type in types:
        merged = _merge(merged, data_type, column)
    return merged


def _merge_structs(left: StructType, right: StructType) -> StructType:
    fields = []
    for field in left:
        other = right.find(field.name)
        merged = _merge(field.data_type, _NULL if other is None else other.data_type, field.name)
        fields.append(Field(field.name, merged))
    new = [field for field in right if left.find(field.name) is None]
    return StructType((*fields, *new))


def _merge(left: DataType, right: DataType, column: str) -> DataType:
    match left, right:
        case NullType(), _:
            return right
        case _, NullType():
            return left
        case _ if left == right:
            return left
        case StructType(), StructType():
            return _merge_structs(left, right)
        case ArrayType(element), ArrayType(other):
            return ArrayType(_merge(element, other, column))
        case MapType(key, value), MapType(other_key, other):
            return MapType(_merge(key, other_key, column), _merge(value, other, column))
        case _ if StringType() in (left, right) and not _is_nested(left, right):
            return StringType()
        case _:
            raise RowTypeError(
                column,
                condition="CANNOT_MERGE_TYPE",
                found=f"Can not merge type `{_name(left)}` and `{_name(right)}`",
                expected="values of one type",
            )


def _is_nested(*types: DataType) -> bool:
    return any(isinstance(one, (ArrayType, MapType, StructType)) for one in types)


def _name(data_type: DataType) -> str:
    return type(data_type).__name__


def _check_determined(data_type: DataType, column: str) -> None:
    match data_type:
        case NullType():
            raise RowValueError(
                column,
                condition="CANNOT_DETERMINE_TYPE",
                found="Some of types cannot be determined after inferring: no row has a value",
                expected="a value in at least one row",
            )
        case ArrayType(element):
            _check_determined(element, column)
        case MapType(key, value):
            _check_determined(key, column)
            _check_determined(value, column)
        case StructType(fields):
            for field in fields:
                _check_determined(field.data_type, f"{column}.{field.name}")
        case _:
            return

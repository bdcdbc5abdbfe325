"""A Python value as the value of a type, checked as PySpark checks it.

`verify` reproduces `pyspark.sql.types._make_type_verifier`: which Python types a column takes when
the user gives the schema. `convert` gives what Arrow builds its arrays from, and reproduces what
Spark makes of a value (`EvaluatePython.makeFromJava`): any value is text in a STRING, a decimal is
rounded HALF_UP.
"""

from __future__ import annotations

import datetime as dt
import decimal
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ingest.errors import RowTypeError, RowValueError
from ingest.python_rows.inference import row_items
from ingest.shown import value_text
from schema_store.ddl import type_to_sql
from schema_store.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    ByteType,
    DataType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    NullType,
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_BITS: dict[type[DataType], int] = {ByteType: 8, ShortType: 16, IntegerType: 32, LongType: 64}

_ACCEPTED: dict[type[DataType], tuple[type, ...]] = {
    BooleanType: (bool,),
    ByteType: (int,),
    ShortType: (int,),
    IntegerType: (int,),
    LongType: (int,),
    FloatType: (float,),
    DoubleType: (float,),
    DecimalType: (Decimal,),
    BinaryType: (bytes, bytearray),
    DateType: (dt.date, dt.datetime),
    TimestampType: (dt.datetime,),
    TimestampNTZType: (dt.datetime,),
    DayTimeIntervalType: (dt.timedelta,),
    NullType: (),
    ArrayType: (list, tuple),
    MapType: (dict,),
}
"""PySpark's `_acceptable_types`: exactly these classes, so `True` is no INT and `1` no DOUBLE."""


def convert_row(row: object, schema: StructType, *, zone: dt.tzinfo, given: bool) -> list[Any]:
    """Give a row's values in the schema's order; `given` says that the user wrote the schema.

    Values go by name where a row is a dict or an object, else by place. Raises `RowTypeError` and
    `RowValueError`.
    """
    condition = "FIELD_STRUCT_LENGTH_MISMATCH" if given else "STRUCT_ARRAY_LENGTH_MISMATCH"
    values = _row_values(row, schema, condition, "a row")
    return [
        _convert(value, field.data_type, _Place(field.name, zone, nullable=field.nullable))
        for value, field in zip(values, schema, strict=True)
    ]


def check_types(data_type: DataType, column: str = "") -> None:
    """Refuse a type that rows cannot have: CHAR, VARCHAR, VARIANT, months (as Spark does).

    Raises `RowTypeError`, naming the column.
    """
    match data_type:
        case StructType(fields):
            for field in fields:
                check_types(field.data_type, f"{column}.{field.name}" if column else field.name)
        case ArrayType(element):
            check_types(element, column)
        case MapType(key, value):
            check_types(key, column)
            check_types(value, column)
        case StringType():
            return
        case _ if type(data_type) not in _ACCEPTED:
            raise RowTypeError(
                column,
                condition="UNSUPPORTED_DATA_TYPE",
                found=f"a column of the type {type_to_sql(data_type)}",
                expected="a type that Python has values of",
            )
        case _:
            return


class _Place:
    """Where a value is, for messages, and what holds there."""

    __slots__ = ("column", "nullable", "zone")

    def __init__(self, column: str, zone: dt.tzinfo, *, nullable: bool) -> None:
        self.column = column
        self.zone = zone
        self.nullable = nullable

    def inside(self, name: str, *, nullable: bool) -> _Place:
        return _Place(name, self.zone, nullable=nullable)


def _row_values(row: object, schema: StructType, condition: str, where: str) -> list[object]:
    if isinstance(row, dict):
        return [row.get(name) for name in schema.names]
    items = None if row is None else row_items(row)
    if items is None:
        raise RowTypeError(
            where,
            condition="FIELD_DATA_TYPE_UNACCEPTABLE",
            found=f"{type_to_sql(schema)} can not accept object {row!r} in type {type(row)}",
            expected="a tuple, list, dict or Row",
        )
    if len(items) != len(schema):
        raise RowValueError(
            where,
            condition=condition,
            found=f"Length of object ({len(items)}) does not match with length of fields"
            f" ({len(schema)})",
            expected=f"values for {', '.join(schema.names)}",
        )
    if not isinstance(row, (tuple, list)):
        by_name = dict(items)
        return [by_name.get(name) for name in schema.names]
    return [value for _, value in items]


def _convert(value: Any, data_type: DataType, place: _Place) -> Any:  # noqa: ANN401 - any value
    if value is None:
        if not place.nullable:
            raise RowValueError(
                place.column,
                condition="FIELD_NOT_NULLABLE_WITH_NAME",
                found="This field is not nullable, but got None",
                expected="a value",
            )
        return None
    _verify(value, data_type, place)
    return _converter(data_type)(value, data_type, place)


def _verify(value: object, data_type: DataType, place: _Place) -> None:
    if isinstance(data_type, (StringType, StructType)):
        return  # text takes anything; a struct is checked by its fields
    accepted = _ACCEPTED[type(data_type)]
    if type(value) not in accepted:
        raise RowTypeError(
            place.column,
            condition="FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME",
            found=f"{type_to_sql(data_type)} can not accept object {value!r} in type {type(value)}",
            expected=" or ".join(one.__name__ for one in accepted) or "None",
        )


def _converter(data_type: DataType) -> Callable[[Any, Any, _Place], Any]:
    return _CONVERTERS.get(type(data_type), _as_it_is)


def _as_it_is(value: object, _data_type: DataType, _place: _Place) -> object:
    return value


def _integer(value: int, data_type: DataType, place: _Place) -> int:
    limit = 1 << (_BITS[type(data_type)] - 1)
    if not -limit <= value < limit:
        raise RowValueError(
            place.column,
            condition="VALUE_OUT_OF_BOUNDS",
            found=f"Value for `obj` must be between {-limit} and {limit - 1} (inclusive),"
            f" got {value}",
            expected=type_to_sql(data_type),
        )
    return value


def _decimal(value: Decimal, data_type: DecimalType, place: _Place) -> Decimal:
    """Round HALF_UP to the scale, as Spark's `Decimal.fromDecimal`."""
    with decimal.localcontext() as context:
        context.prec = 200
        rounded = (
            value.quantize(Decimal(1).scaleb(-data_type.scale), rounding=decimal.ROUND_HALF_UP)
            if value.is_finite() and value.adjusted() < data_type.precision
            else None
        )
    if rounded is None or abs(rounded) >= Decimal(10) ** data_type.integer_digits:
        raise RowValueError(
            place.column,
            condition="NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION",
            found=f"{value} cannot be represented as"
            f" Decimal({data_type.precision}, {data_type.scale})",
            expected=f"at most {data_type.integer_digits} digits before the point",
        )
    return rounded


def _text(value: object, _data_type: DataType, _place: _Place) -> str:
    """Give a value that is no text as Java's `toString`, which Spark calls."""
    match value:
        case str():
            return value
        case bool():
            return str(value).lower()
        case float():
            return value_text(value, DoubleType())
        case _:
            return str(value)


def _date(value: dt.date, _data_type: DataType, _place: _Place) -> dt.date:
    return value.date() if isinstance(value, dt.datetime) else value


def _instant(value: dt.datetime, _data_type: DataType, place: _Place) -> dt.datetime:
    """Give the instant; a time without a zone is one of the session's zone."""
    local = value if value.tzinfo is not None else value.replace(tzinfo=place.zone)
    return local.astimezone(dt.UTC)


def _local_time(value: dt.datetime, _data_type: DataType, _place: _Place) -> dt.datetime:
    return value.replace(tzinfo=None)


def _elements(value: list[Any], data_type: ArrayType, place: _Place) -> list[Any]:
    inside = place.inside(
        f"element in array field {place.column}", nullable=data_type.contains_null
    )
    return [_convert(item, data_type.element, inside) for item in value]


def _pairs(value: dict[Any, Any], data_type: MapType, place: _Place) -> list[tuple[Any, Any]]:
    keys = place.inside(f"key of map in field {place.column}", nullable=False)
    values = place.inside(
        f"value of map in field {place.column}", nullable=data_type.value_contains_null
    )
    return [
        (_convert(key, data_type.key, keys), _convert(item, data_type.value, values))
        for key, item in value.items()
    ]


def _struct(value: object, data_type: StructType, place: _Place) -> dict[str, Any]:
    condition = "FIELD_STRUCT_LENGTH_MISMATCH_WITH_NAME"
    values = _row_values(value, data_type, condition, place.column)
    return {
        field.name: _convert(
            item,
            field.data_type,
            place.inside(f"{place.column}.{field.name}", nullable=field.nullable),
        )
        for item, field in zip(values, data_type, strict=True)
    }


_CONVERTERS: dict[type[DataType], Callable[[Any, Any, _Place], Any]] = {
    ByteType: _integer,
    ShortType: _integer,
    IntegerType: _integer,
    LongType: _integer,
    DecimalType: _decimal,
    StringType: _text,
    DateType: _date,
    TimestampType: _instant,
    TimestampNTZType: _local_time,
    ArrayType: _elements,
    MapType: _pairs,
    StructType: _struct,
}

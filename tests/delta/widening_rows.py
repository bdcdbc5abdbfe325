"""The widening table (contract 6.1), each row at each place where a type can be.

Every row is two values: one that the narrow type holds, in a file written before the column was
widened, and one that only the wide type holds, in a file written after it.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Any

from schema_store.types import (
    ArrayType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    Field,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    Schema,
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
)

PLACES = ("top", "struct_field", "array_element", "map_key", "map_value")
_DIGITS = Context(prec=38)


@dataclass(frozen=True, slots=True)
class Widening:
    """One row of the table: two types, and a value of each."""

    name: str
    narrow: DataType
    wide: DataType
    narrow_value: Any
    wide_value: Any


WIDENINGS = (
    Widening("byte_to_short", ByteType(), ShortType(), -128, 32767),
    Widening("byte_to_int", ByteType(), IntegerType(), 127, 2**31 - 1),
    Widening("byte_to_long", ByteType(), LongType(), -1, 2**63 - 1),
    Widening("byte_to_decimal", ByteType(), DecimalType(12, 2), 7, Decimal("9999999999.99")),
    Widening("byte_to_double", ByteType(), DoubleType(), 5, 0.1),
    Widening("short_to_int", ShortType(), IntegerType(), -32768, -(2**31)),
    Widening("short_to_long", ShortType(), LongType(), 32767, -(2**63)),
    Widening("short_to_decimal", ShortType(), DecimalType(10, 0), 300, Decimal(10**10 - 1)),
    Widening("short_to_double", ShortType(), DoubleType(), -300, 1e300),
    Widening("int_to_long", IntegerType(), LongType(), 2**31 - 1, 2**31),
    Widening("int_to_decimal", IntegerType(), DecimalType(12, 2), -(2**31), Decimal("0.05")),
    Widening("int_to_double", IntegerType(), DoubleType(), 2**31 - 1, -0.5),
    Widening("long_to_decimal", LongType(), DecimalType(22, 2), 2**63 - 1, Decimal(f"{10**19}.25")),
    Widening("float_to_double", FloatType(), DoubleType(), 3.4000000953674316, 3.4),
    Widening(
        "decimal_to_decimal", DecimalType(5, 2), DecimalType(12, 4), Decimal("123.45"),
        Decimal("12345678.1234"),
    ),
    Widening(
        "long_decimal", DecimalType(18, 2), DecimalType(38, 10), Decimal("9999999999999999.99"),
        Decimal("1234567890123456789012345678.0123456789"),
    ),
    Widening(
        "date_to_ntz", DateType(), TimestampNTZType(), dt.date(2024, 2, 29),
        dt.datetime(2024, 3, 1, 5, 6, 7, 890123),  # noqa: DTZ001 - it has no zone
    ),
)  # fmt: skip


def typed_at(place: str, data_type: DataType) -> DataType:
    """Give the type of a column that has this type at the place."""
    match place:
        case "struct_field":
            return StructType((Field("f", data_type), Field("keep", StringType())))
        case "array_element":
            return ArrayType(data_type)
        case "map_key":
            return MapType(data_type, StringType())
        case "map_value":
            return MapType(StringType(), data_type)
        case _:
            return data_type


def valued_at(place: str, value: object) -> object:
    """Give a column's value that has this value at the place."""
    match place:
        case "struct_field":
            return {"f": value, "keep": "k"}
        case "array_element":
            return [value, None] if value is not None else [None]
        case "map_key":
            return [(value, "v")] if value is not None else []
        case "map_value":
            return [("k", value)]
        case _:
            return value


def narrow_schema() -> Schema:
    """Give the columns before they were widened; `n` tells the rows apart."""
    return _schema("narrow")


def wide_schema() -> Schema:
    """Give the same columns with the wide types."""
    return _schema("wide")


def narrow_rows() -> list[dict[str, Any]]:
    """Give two rows: the narrow values, and none."""
    return [_row(0, "narrow_value"), _nothing(1)]


def wide_rows() -> list[dict[str, Any]]:
    """Give two rows: the wide values, and none."""
    return [_row(2, "wide_value"), _nothing(3)]


def expected_rows() -> list[dict[str, Any]]:
    """Give all rows as the wide types show them."""
    return [_row(0, "narrow_value", wide=True), *narrow_rows()[1:], *wide_rows()]


def _columns() -> list[tuple[str, str, Widening]]:
    return [(f"{place}_{one.name}", place, one) for place in PLACES for one in WIDENINGS]


def _schema(side: str) -> Schema:
    fields = [
        Field(name, typed_at(place, getattr(widening, side)))
        for name, place, widening in _columns()
    ]
    return StructType((Field("n", LongType()), *fields))


def _row(number: int, side: str, *, wide: bool = False) -> dict[str, Any]:
    values = {
        name: valued_at(
            place, _as_wide(getattr(one, side), one.wide) if wide else getattr(one, side)
        )
        for name, place, one in _columns()
    }
    return {"n": number, **values}


def _nothing(number: int) -> dict[str, Any]:
    return {"n": number, **{name: None for name, _, _ in _columns()}}


def _as_wide(value: Any, data_type: DataType) -> object:
    """Give a value as the wide type shows it: the same number, in its own digits."""
    match data_type:
        case DecimalType(_, scale):
            return Decimal(value).quantize(Decimal(1).scaleb(-scale), context=_DIGITS)
        case DoubleType():
            return float(value)
        case TimestampNTZType():
            return dt.datetime(value.year, value.month, value.day)  # noqa: DTZ001 - it has no zone
        case _:
            return value

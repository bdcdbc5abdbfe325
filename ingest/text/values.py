"""Text to value and text to type, one cell at a time: the reference for everything faster.

Values as Spark's `UnivocityParser` makes them, types as `CSVInferSchema` finds them.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from ingest.text.numbers import (
    big_decimal,
    decimal_from_text,
    digits_of,
    double_from_text,
    float_from_text,
    integer_from_text,
)
from ingest.text.times import (
    SessionTime,
    date_from_text,
    is_strict_date,
    is_timestamp,
    local_timestamp_from_text,
    timestamp_from_text,
)
from schema_store.merge import merge_types
from schema_store.types import (
    MAX_PRECISION,
    BinaryType,
    BooleanType,
    ByteType,
    CharType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    NullType,
    ShortType,
    StringType,
    TimestampNTZType,
    TimestampType,
    VarcharType,
)

TextValue: TypeAlias = bool | int | float | Decimal | dt.date | dt.datetime | str | bytes

BITS: dict[type[DataType], int] = {ByteType: 8, ShortType: 16, IntegerType: 32, LongType: 64}
"""The width of the integer types."""


@dataclass(frozen=True, slots=True)
class Converted:
    """A cell's value; `changed` when it was rounded or cut (contract 11.5, 11.19)."""

    value: TextValue
    changed: bool = False


@dataclass(frozen=True, slots=True)
class TextType:
    """The type of some texts; `beyond_decimal` when numbers needed more than 38 digits."""

    data_type: DataType = NullType()  # noqa: RUF009 - a frozen value
    beyond_decimal: bool = False


def convert_text(
    text: str, data_type: DataType, session: SessionTime, *, exact_decimals: bool = False
) -> Converted | None:
    """Give the cell's value in a column of this type; None is a misfit.

    With `exact_decimals` more fraction digits than the scale are a misfit (contract 6.3).

    >>> convert_text("1.5", IntegerType(), SessionTime("UTC", dt.date(2030, 1, 1)))
    """
    match data_type:
        case DecimalType(precision, scale):
            return _decimal(text, precision, scale, exact=exact_decimals)
        case DateType():
            date = date_from_text(text)
            return None if date is None else Converted(*date)
        case TimestampType():
            value = timestamp_from_text(text, session)
            return None if value is None else Converted(value)
        case _:
            plain = _plain_value(text, data_type)
            return None if plain is None else Converted(plain)


def infer_text_type(text: str, running: TextType, *, prefers_decimal: bool) -> TextType:
    """Merge one more cell into a column's type (Spark's `CSVInferSchema.inferField`).

    The running type decides where the ladder is entered, so the order of cells counts. With
    `prefers_decimal` a fraction is a DECIMAL of its digits, and the order of numbers does not
    count (contract 6.4).

    >>> infer_text_type("2020", TextType(DateType()), prefers_decimal=False).data_type
    TimestampType()
    """
    if text == "" or isinstance(running.data_type, StringType):
        return running
    if prefers_decimal and not _is_past_numbers(running.data_type):
        found = _decimal_rung(text)
    else:
        found = TextType(_rung(text, running.data_type))
    merged = merge_types(running.data_type, found.data_type)
    beyond = running.beyond_decimal or found.beyond_decimal or _overflows(running, found, merged)
    return TextType(merged, beyond and isinstance(merged, DoubleType))


def merge_text_types(left: TextType, right: TextType) -> TextType:
    """Merge a column's types of two files, in their order (`CSVInferSchema.mergeRowTypes`)."""
    merged = merge_types(left.data_type, right.data_type)
    beyond = left.beyond_decimal or right.beyond_decimal or _overflows(left, right, merged)
    return TextType(merged, beyond and isinstance(merged, DoubleType))


def _plain_value(text: str, data_type: DataType) -> TextValue | None:
    """Give a value that depends on nothing else and is never changed."""
    match data_type:
        case TimestampNTZType():
            return local_timestamp_from_text(text)
        case BooleanType():
            return {"true": True, "false": False}.get(text.lower())
        case FloatType():
            return float_from_text(text)
        case DoubleType():
            return double_from_text(text)
        case StringType() | CharType() | VarcharType():
            return text
        case BinaryType():
            return text.encode()
        case ByteType() | ShortType() | IntegerType() | LongType():
            return integer_from_text(text, BITS[type(data_type)])
        case _:
            return None


def _decimal(text: str, precision: int, scale: int, *, exact: bool) -> Converted | None:
    found = decimal_from_text(text, precision, scale)
    if found is None:
        return None
    rounded, number = found
    if exact and digits_of(number)[1] > scale:
        return None
    return Converted(rounded, changed=rounded != number)


def _rung(text: str, running: DataType) -> DataType:
    """Enter the ladder at the running type's rung, and climb until the text fits."""
    match running:
        case DateType():
            return _date_rung(text)
        case TimestampType():
            return _timestamp_rung(text)
        case BooleanType():
            return _boolean_rung(text)
        case DoubleType():
            return _double_rung(text)
        case DecimalType():
            return _big_integer_rung(text)
        case LongType():
            return _long_rung(text)
        case _ if integer_from_text(text, 32) is not None:
            return IntegerType()
        case _:
            return _long_rung(text)


def _long_rung(text: str) -> DataType:
    return LongType() if integer_from_text(text, 64) is not None else _big_integer_rung(text)


def _big_integer_rung(text: str) -> DataType:
    number = big_decimal(text)
    if number is not None:
        precision, scale = digits_of(number)
        if scale == 0 and precision <= MAX_PRECISION:
            return DecimalType(precision, 0)
        return DoubleType()
    return _double_rung(text)


def _double_rung(text: str) -> DataType:
    return DoubleType() if double_from_text(text) is not None else _date_rung(text)


def _date_rung(text: str) -> DataType:
    return DateType() if is_strict_date(text) else _timestamp_rung(text)


def _timestamp_rung(text: str) -> DataType:
    return TimestampType() if is_timestamp(text) else _boolean_rung(text)


def _boolean_rung(text: str) -> DataType:
    return BooleanType() if text.lower() in {"true", "false"} else StringType()


def _decimal_rung(text: str) -> TextType:
    """Infer a number by its digits, whatever came before (contract 6.4)."""
    for data_type in (IntegerType(), LongType()):
        if integer_from_text(text, BITS[type(data_type)]) is not None:
            return TextType(data_type)
    number = big_decimal(text)
    if number is None:
        return TextType(_double_rung(text))
    precision, scale = digits_of(number)
    precision, scale = max(precision - min(scale, 0), scale), max(scale, 0)
    if precision > MAX_PRECISION:
        return TextType(DoubleType(), beyond_decimal=True)
    return TextType(DecimalType(precision, scale))


def _is_past_numbers(running: DataType) -> bool:
    return isinstance(running, DateType | TimestampType | TimestampNTZType | BooleanType)


def _overflows(left: TextType, right: TextType, merged: DataType) -> bool:
    """Tell whether only the merge of two exact types needs more than 38 digits."""
    exact = (IntegerType, LongType, DecimalType)
    return (
        isinstance(merged, DoubleType)
        and isinstance(left.data_type, exact)
        and isinstance(right.data_type, exact)
    )

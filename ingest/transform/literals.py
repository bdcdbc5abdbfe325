"""Literals: Python values, and numbers, dates and times in SQL text (Spark's `AstBuilder`)."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal

from ingest.errors import LiteralError, OperationNotSupportedError
from ingest.shown import value_text
from ingest.text.numbers import big_decimal, digits_of, float_from_text, integer_from_text
from ingest.text.times import (
    SessionTime,
    date_from_text,
    local_timestamp_from_text,
    timestamp_from_text,
)
from ingest.text.values import BITS
from ingest.transform.expressions import Literal, TimestampText
from schema_store.ddl import type_to_sql
from schema_store.types import (
    MAX_PRECISION,
    BinaryType,
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    NullType,
    StringType,
    TimestampNTZType,
    TimestampType,
)

_INT, _LONG = 1 << 31, 1 << 63
_WHOLE = re.compile(r"[0-9]+")


def literal_of(value: object) -> Literal:
    """Give a Python value as a literal (PySpark's `lit`).

    >>> literal_of(5).data_type, literal_of("x").text
    (IntegerType(), 'x')
    """
    match value:
        case None:
            return Literal(None, NullType(), "NULL")
        case bool():
            return Literal(value, BooleanType(), str(value).lower())
        case int():
            return _integer(value)
        case float():
            return Literal(value, DoubleType(), value_text(value, DoubleType()))
        case str():
            return Literal(value, StringType(), value)
        case Decimal() if value.is_finite():
            return _decimal(value, str(value))
        case bytes() | bytearray():
            return Literal(bytes(value), BinaryType(), f"X'{bytes(value).hex().upper()}'")
        case dt.datetime():
            return _timestamp(value)
        case dt.date():
            return Literal(value, DateType(), f"DATE '{value}'")
    raise OperationNotSupportedError(
        f"lit({type(value).__name__})",
        of="functions",
        supported="None, bool, int, float, str, Decimal, bytes, date and datetime",
        remedy="Give one of these values.",
    )


def number_literal(text: str) -> Literal:
    """Give an unsigned or negative number of SQL text: INT, BIGINT, DECIMAL or, with `e`, DOUBLE.

    >>> number_literal("3000000000").data_type, number_literal("1.50").data_type
    (LongType(), DecimalType(precision=3, scale=2))
    """
    if "e" in text.lower():
        return literal_of(float(text))
    number = big_decimal(text)
    if number is None:
        raise LiteralError(
            text,
            condition="PARSE_SYNTAX_ERROR",
            found="a number that cannot be understood",
            expected="digits, perhaps with a point or an exponent",
        )
    if _WHOLE.fullmatch(text.removeprefix("-")) and -_LONG <= number < _LONG:
        return _integer(int(number))
    return _decimal(number, text)


def suffixed_literal(text: str, data_type: DataType) -> Literal | None:
    """Give a number whose suffix says its type (`1L`, `1.5D`, `1.5BD`); None when it has no value.

    >>> suffixed_literal("1", LongType())
    Literal(value=1, data_type=LongType(), text='1')
    """
    bits = BITS.get(type(data_type))
    if bits is not None:
        value = integer_from_text(text, bits)
        return None if value is None else Literal(value, data_type, str(value))
    if isinstance(data_type, DecimalType):
        return number_literal(f"{text}" if "." in text else f"{text}.")
    number = float_from_text(text) if isinstance(data_type, FloatType) else float(text)
    assert number is not None, "digits with a point"
    return Literal(number, data_type, value_text(number, data_type))


def typed_literal(text: str, data_type: DataType) -> Literal | TimestampText:
    """Give `DATE '…'`, `TIMESTAMP '…'` or `TIMESTAMP_NTZ '…'`.

    Raises `LiteralError` when the text is no such value.
    """
    match data_type:
        case DateType():
            found = date_from_text(text)
            if found is not None:
                return Literal(found[0], data_type, f"DATE '{found[0]}'")
        case TimestampType():
            if timestamp_from_text(text, SessionTime("UTC", dt.date.min)) is not None:
                return TimestampText(text)
        case _:
            value = local_timestamp_from_text(text)
            if value is not None:
                return Literal(value, data_type, f"TIMESTAMP_NTZ '{value_text(value, data_type)}'")
    name = type_to_sql(data_type)
    raise LiteralError(
        f"{name} '{text}'",
        condition="INVALID_TYPED_LITERAL",
        found=f"The value of the typed literal {name} is invalid: '{text}'",
        expected="2030-01-05, with 10:00:00 after it for a time",
    )


def _integer(value: int) -> Literal:
    kind: DataType
    if -_INT <= value < _INT:
        kind = IntegerType()
    elif -_LONG <= value < _LONG:
        kind = LongType()
    else:
        return _decimal(Decimal(value), str(value))
    return Literal(value, kind, str(value))


def _decimal(value: Decimal, text: str) -> Literal:
    digits, scale = digits_of(value)
    scale = max(scale, 0)
    precision = max(digits, scale, 1)
    if precision > MAX_PRECISION:
        raise LiteralError(
            text,
            condition="DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION",
            found=f"a number of {precision} digits",
            expected=f"at most {MAX_PRECISION} digits",
        )
    return Literal(value, DecimalType(precision, scale), format(value, "f"))


def _timestamp(value: dt.datetime) -> Literal:
    """Give a datetime: with a zone an instant, else a local time of this computer."""
    instant = value.astimezone(dt.UTC)
    text = value_text(instant, TimestampNTZType())
    return Literal(instant, TimestampType(), f"TIMESTAMP '{text}'")

"""A scalar of JSON under a type, as Spark's `JacksonParser` reads it: the reference for speed.

Strings never become numbers (except for DECIMAL), nothing but `true` and `false` is a boolean, and
anything becomes text (`spark-inference.md` 1.3, contract 5.4).
"""

from __future__ import annotations

import base64
import datetime as dt
import math
import re
from typing import TYPE_CHECKING, TypeAlias

from ingest.formats.json_tokens import JsonScalar, JsonValue, Kind
from ingest.text.numbers import (
    big_decimal,
    digits_of,
    double_from_text,
    float_from_text,
    integer_from_text,
    round_decimal,
)
from ingest.text.times import SessionTime
from ingest.text.values import Converted, convert_text
from schema_store.types import (
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
    ShortType,
    StringType,
    TimestampNTZType,
    TimestampType,
    VarcharType,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.stream_options import ReadSettings

Scalar: TypeAlias = "Callable[[JsonScalar], Converted | None]"

_RANGES: dict[type[DataType], range] = {
    ByteType: range(-128, 256),
    ShortType: range(-(2**15), 2**15),
    IntegerType: range(-(2**31), 2**31),
    LongType: range(-(2**63), 2**63),
}
"""What Jackson's getters take; a byte above 127 comes out negative (`getByteValue`)."""

_MOST_DIGITS = 20
"""Characters of a 64-bit integer at most: JSON has no leading zeros unless an option says so."""
_QUAD = re.compile(r"[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=")
_QUADS = re.compile(rf"(?:[\0- ]*(?:{_QUAD.pattern}))*[\0- ]*")
_YEAR_DIGITS = range(4, 8)
_EPOCH = dt.date(1970, 1, 1)
_EPOCH_INSTANT = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_INFINITE = {
    **dict.fromkeys(("Infinity", "+Infinity", "+INF"), math.inf),
    **dict.fromkeys(("-Infinity", "-INF"), -math.inf),
    "NaN": math.nan,
}


def scalar_reader(data_type: DataType, settings: ReadSettings, *, non_numeric: bool) -> Scalar:
    """Give the function that reads a scalar other than null under a type; None is a misfit."""
    match data_type:
        case StringType() | CharType() | VarcharType():
            return lambda value: Converted(text_of(value))
        case BooleanType():
            return _boolean
        case ByteType() | ShortType() | IntegerType() | LongType():
            return _integer_reader(_RANGES[type(data_type)])
        case FloatType() | DoubleType():
            parse = float_from_text if isinstance(data_type, FloatType) else double_from_text
            return lambda value: _double(value, parse, non_numeric=non_numeric)
        case DecimalType():
            return _decimal_reader(data_type, settings)
        case BinaryType():
            return _binary
        case DateType() | TimestampType() | TimestampNTZType():
            return _time_reader(data_type, settings)
        case _:
            return lambda _: None


def text_of(value: JsonValue) -> str:
    """Give what a STRING column holds: a string's text, else the exact source (contract 5.4).

    Half a surrogate pair is `?`, as when Java encodes it.
    """
    if isinstance(value, JsonScalar) and value.kind is Kind.TEXT:
        text = value.text
        return text if text.isascii() else text.encode("utf-8", "replace").decode()
    return value.source


def _boolean(value: JsonScalar) -> Converted | None:
    if value.kind is Kind.TRUE:
        return Converted(value=True)
    return Converted(value=False) if value.kind is Kind.FALSE else None


def _integer_reader(allowed: range) -> Scalar:
    def read(value: JsonScalar) -> Converted | None:
        if value.kind is not Kind.INTEGER:
            return None
        digits = value.source.lstrip("-").lstrip("0")
        if len(digits) > _MOST_DIGITS:
            return None
        number = -int(digits or 0) if value.source[0] == "-" else int(digits or 0)
        if number not in allowed:
            return None
        return Converted(number - 256 if allowed.stop == 256 and number > 127 else number)  # noqa: PLR2004 - a byte

    return read


def _double(
    value: JsonScalar, parse: Callable[[str], float | None], *, non_numeric: bool
) -> Converted | None:
    match value.kind:
        case Kind.INTEGER | Kind.FLOAT:
            number = parse(value.source)
            zero = value.kind is Kind.INTEGER and number == 0
            return None if number is None else Converted(0.0 if zero else number)
        case Kind.NOT_A_NUMBER:
            return Converted(_INFINITE[value.source])
        case Kind.TEXT if non_numeric and value.text in _INFINITE:
            return Converted(_INFINITE[value.text])
        case _:
            return None


def _decimal_reader(data_type: DecimalType, settings: ReadSettings) -> Scalar:
    session = SessionTime(settings.time_zone, settings.today)
    exact = settings.exact_decimals

    def read(value: JsonScalar) -> Converted | None:
        if value.kind is Kind.TEXT:
            return convert_text(
                value.text, data_type, session, exact_decimals=exact, rules=settings.text
            )
        if value.kind not in {Kind.INTEGER, Kind.FLOAT}:
            return None
        number = big_decimal(value.source)
        if number is None:
            return None
        found = round_decimal(number, data_type.precision, data_type.scale)
        if found is None or (exact and digits_of(number)[1] > data_type.scale):
            return None
        return Converted(found[0], changed=found[0] != found[1])

    return read


def _binary(value: JsonScalar) -> Converted | None:
    """Read base64 as Jackson does: blanks before each four characters, padding anywhere."""
    if value.kind is not Kind.TEXT or not _QUADS.fullmatch(value.text):
        return None
    return Converted(b"".join(map(base64.b64decode, _QUAD.findall(value.text))))


def _time_reader(data_type: DataType, settings: ReadSettings) -> Scalar:
    session = SessionTime(settings.time_zone, settings.today)

    def read(value: JsonScalar) -> Converted | None:
        if value.kind is Kind.INTEGER and isinstance(data_type, TimestampType):
            return _instant(value.source)
        if value.kind is not Kind.TEXT:
            return None
        found = convert_text(value.text, data_type, session, rules=settings.text)
        if found is None and isinstance(data_type, DateType):
            return _day(value.text) if settings.text.falls_back_for_dates else None
        return found

    return read


def _instant(source: str) -> Converted | None:
    """Read seconds since 1970; None beyond the years that have a value here."""
    if len(source) > _MOST_DIGITS:
        return None
    try:
        return Converted(_EPOCH_INSTANT + dt.timedelta(seconds=int(source)))
    except OverflowError:
        return None


def _day(text: str) -> Converted | None:
    """Read days since 1970, as Spark 1.5 wrote dates; four to seven digits are a year."""
    days = integer_from_text(text, 32)
    if days is None or (text.isascii() and len(text.lstrip("+-")) in _YEAR_DIGITS):
        return None
    try:
        return Converted(_EPOCH + dt.timedelta(days=days))
    except OverflowError:
        return None

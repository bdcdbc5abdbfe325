"""Text to value, one cell at a time, as Spark's `UnivocityParser`: the reference for speed."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from ingest.text.number_symbols import localized_big_decimal
from ingest.text.numbers import (
    big_decimal,
    digits_of,
    double_from_text,
    float_from_text,
    integer_from_text,
    round_decimal,
)
from ingest.text.pattern_values import (
    date_by_pattern,
    local_timestamp_by_pattern,
    timestamp_by_pattern,
)
from ingest.text.rules import DEFAULT_RULES, TextRules
from ingest.text.times import (
    SessionTime,
    date_from_text,
    is_strict_date,
    local_timestamp_from_text,
    timestamp_from_text,
)
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

TextValue: TypeAlias = bool | int | float | Decimal | dt.date | dt.datetime | str | bytes

BITS: dict[type[DataType], int] = {ByteType: 8, ShortType: 16, IntegerType: 32, LongType: 64}
"""The width of the integer types."""

_GMT = "GMT"
"""What the lenient fallback takes out first (`DateTimeUtils.cleanLegacyTimestampStr`)."""


@dataclass(frozen=True, slots=True)
class Converted:
    """A cell's value; `changed` when it was rounded or cut (contract 11.5, 11.19)."""

    value: TextValue
    changed: bool = False


def convert_text(
    text: str,
    data_type: DataType,
    session: SessionTime,
    *,
    exact_decimals: bool = False,
    rules: TextRules = DEFAULT_RULES,
) -> Converted | None:
    """Give the cell's value in a column of this type; None is a misfit.

    With `exact_decimals` more fraction digits than the scale are a misfit (contract 6.3).

    >>> convert_text("1.5", IntegerType(), SessionTime("UTC", dt.date(2030, 1, 1)))
    """
    match data_type:
        case DecimalType():
            return _decimal(text, data_type, rules, exact=exact_decimals)
        case DateType():
            date = _date(text, rules)
            return None if date is None else Converted(*date)
        case TimestampType():
            value = _timestamp(text, session, rules)
            return None if value is None else Converted(value)
        case _:
            plain = _plain_value(text, data_type, rules)
            return None if plain is None else Converted(plain)


def _plain_value(text: str, data_type: DataType, rules: TextRules) -> TextValue | None:
    """Give a value that depends on nothing else and is never changed."""
    match data_type:
        case TimestampNTZType():
            return _local_timestamp(text, rules)
        case BooleanType():
            return {"true": True, "false": False}.get(text.lower())
        case FloatType():
            named = named_double(text, rules)
            return float_from_text(text) if named is None else named
        case DoubleType():
            named = named_double(text, rules)
            return double_from_text(text) if named is None else named
        case StringType() | CharType() | VarcharType():
            return text
        case BinaryType():
            return text.encode()
        case ByteType() | ShortType() | IntegerType() | LongType():
            return integer_from_text(text, BITS[type(data_type)])
        case _:
            return None


def _date(text: str, rules: TextRules) -> tuple[dt.date, bool] | None:
    found = None
    if rules.date_format is not None:
        found = date_by_pattern(text, rules.date_format)
    elif is_strict_date(text) or rules.falls_back_for_dates:
        found = date_from_text(text)
    if found is None and rules.falls_back_for_dates:
        return date_from_text(text.replace(_GMT, ""))
    return found


def _timestamp(text: str, session: SessionTime, rules: TextRules) -> dt.datetime | None:
    if rules.timestamp_format is None:
        found = timestamp_from_text(text, session)
    else:
        found = timestamp_by_pattern(text, rules.timestamp_format, session.zone)
    if found is None and rules.falls_back_for_timestamps:
        return timestamp_from_text(text.replace(_GMT, ""), session)
    return found


def _local_timestamp(text: str, rules: TextRules) -> dt.datetime | None:
    if rules.timestamp_ntz_format is None:
        return local_timestamp_from_text(text)
    return local_timestamp_by_pattern(text, rules.timestamp_ntz_format)


def named_double(text: str, rules: TextRules) -> float | None:
    """Give the double that has a name of its own (`nanValue`, `negativeInf`, `positiveInf`)."""
    if text == rules.nan:
        return math.nan
    if text == rules.negative_infinity:
        return -math.inf
    return math.inf if text == rules.positive_infinity else None


def _decimal(
    text: str, data_type: DecimalType, rules: TextRules, *, exact: bool
) -> Converted | None:
    plain = text.replace(",", "") if rules.number_symbols is None else text
    given = exact_number(plain, rules)
    found = None if given is None else round_decimal(given, data_type.precision, data_type.scale)
    if found is None:
        return None
    rounded, number = found
    if exact and digits_of(number)[1] > data_type.scale:
        return None
    return Converted(rounded, changed=rounded != number)


def exact_number(text: str, rules: TextRules) -> Decimal | None:
    """Give the number as it is written in the locale, with its digits kept."""
    if rules.number_symbols is None:
        return big_decimal(text)
    return localized_big_decimal(text, rules.number_symbols)

"""Columns of one type to columns of another, by Spark's ANSI casts.

A value that does not fit becomes NULL here; `evaluation` makes an error of it unless it is a
`try_cast`.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from ingest.arrow import to_arrow_type
from ingest.text.casting import polars_type
from ingest.text.times import SessionTime, find_zone
from ingest.transform.decimals import rescale
from ingest.transform.polars_arrays import from_polars, to_polars
from ingest.transform.text_casts import cast_text
from ingest.transform.time_casts import to_instants, to_local
from ingest.transform.to_text import cast_to_text
from ingest.transform.type_rules import INTEGRAL, TEXTUAL
from schema_store.types import (
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    LongType,
    NullType,
    TimestampNTZType,
    TimestampType,
)

_BITS = {pa.int8(): 8, pa.int16(): 16, pa.int32(): 32, pa.int64(): 64}
_ANY_FRACTION = pl.Decimal(38, 21)
_MICROS = 1_000_000
_MICROSECOND = Decimal("0.000001")
_FIRST, _LAST = -62_135_596_800_000_000, 253_402_300_799_999_999
"""The years 1 to 9999 in microseconds since 1970."""


def cast_values(
    values: pa.Array, source: DataType, target: DataType, session: SessionTime
) -> pa.Array:
    """Cast an array whose type is `source`; NULL where a value does not fit."""
    if isinstance(source, NullType):
        return pa.nulls(len(values), to_arrow_type(target))
    if isinstance(source, TEXTUAL):
        return cast_text(values, target, session)
    zone = find_zone(session.zone)
    assert zone is not None, "the session's zone is checked"
    if isinstance(target, TEXTUAL):
        return cast_to_text(values, source, zone)
    if isinstance(source, DateType | TimestampType | TimestampNTZType):
        return _from_time(values, source, target, zone)
    if isinstance(target, TimestampType):
        return _to_instant(values, source)
    return _number(values, source, target)


def _number(values: pa.Array, source: DataType, target: DataType) -> pa.Array:
    """Cast numbers and booleans to each other."""
    if isinstance(source, BooleanType):
        return _number(values.cast(pa.int8()), LongType(), target)
    match target:
        case BooleanType():
            return pc.not_equal(values, _scalar(0, values.type))
        case DecimalType():
            return _to_decimal(values, source, target)
        case FloatType() | DoubleType():
            return _to_fraction(values, source, target)
        case _:
            return _to_integer(values, source, to_arrow_type(target))


def _to_decimal(values: pa.Array, source: DataType, target: DecimalType) -> pa.Array:
    match source:
        case DecimalType():
            return rescale(values, target)
        case FloatType() | DoubleType():
            return _fraction_to_decimal(to_polars(values.cast(pa.float64())), target)
        case _:
            return rescale(values.cast(pa.int64()).cast(pa.decimal128(19, 0)), target)


def _fraction_to_decimal(doubles: pl.Series, target: DecimalType) -> pa.Array:
    """Go by the shortest text (`BigDecimal.valueOf`): at most 21 fraction digits, or an `e`."""
    texts = doubles.set(~doubles.is_finite(), None).cast(pl.String)
    has_exponent = texts.str.contains("e", literal=True)
    plain = texts.set(has_exponent.fill_null(value=False), None)
    exact = rescale(from_polars(plain.cast(_ANY_FRACTION, strict=False)), target)
    if not has_exponent.any():
        return exact
    others = texts.set(~has_exponent, None).str.replace("e+", "e", literal=True)
    session = SessionTime("UTC", dt.date.min)
    odd = cast_text(from_polars(others), DecimalType(38, target.scale), session)
    return pc.coalesce(exact, rescale(odd, target))


def _to_fraction(values: pa.Array, source: DataType, target: DataType) -> pa.Array:
    if isinstance(source, DecimalType):
        # by its text: the nearest float of the exact number
        return from_polars(
            to_polars(values).cast(pl.String).cast(polars_type(target) or pl.Float64)
        )
    return values.cast(to_arrow_type(target), safe=False)


def _to_integer(values: pa.Array, source: DataType, target: pa.DataType) -> pa.Array:
    """Cut fractions off; NULL where the number is too large."""
    largest = (1 << (_BITS[target] - 1)) - 1
    if isinstance(source, DecimalType):
        return _decimal_to_integer(values, source, largest).cast(target)
    if isinstance(source, FloatType | DoubleType):
        return _fraction_to_integer(values.cast(pa.float64()), largest).cast(target)
    if _BITS[values.type] <= _BITS[target]:
        return values.cast(target)
    wide = values.cast(pa.int64())
    fits = pc.and_(pc.less_equal(wide, largest), pc.greater_equal(wide, -largest - 1))
    return pc.if_else(fits, wide, pa.scalar(None, pa.int64())).cast(target)


def _fraction_to_integer(values: pa.Array, largest: int) -> pa.Array:
    whole = pc.trunc(values)
    top, bottom = float(largest), float(-largest - 1)
    fits = pc.and_(pc.less_equal(whole, top), pc.greater_equal(whole, bottom))
    is_top = pc.equal(whole, top)  # 2^63 is the largest BIGINT to Java
    inside = pc.if_else(pc.and_not(fits, is_top), whole, pa.scalar(None, pa.float64()))
    numbers = inside.cast(pa.int64(), safe=False)
    return pc.if_else(pc.and_(fits, is_top), pa.scalar(largest, pa.int64()), numbers)


def _decimal_to_integer(values: pa.Array, source: DecimalType, largest: int) -> pa.Array:
    whole = rescale(pc.trunc(values), DecimalType(38, 0)) if source.scale else values
    exact = whole.cast(pa.decimal128(38, 0))
    top, bottom = (_scalar(one, exact.type) for one in (largest, -largest - 1))
    fits = pc.and_(pc.less_equal(exact, top), pc.greater_equal(exact, bottom))
    return pc.if_else(fits, exact, pa.scalar(None, exact.type)).cast(pa.int64())


def _from_time(values: pa.Array, source: DataType, target: DataType, zone: dt.tzinfo) -> pa.Array:
    series = to_polars(values)
    if isinstance(source, TimestampType):
        if not isinstance(target, DateType | TimestampNTZType):
            return _from_instant(series, target)
        local = to_local(series, zone)
    else:
        local = series.cast(pl.Datetime("us"))
    match target:
        case DateType():
            return from_polars(local.dt.date())
        case TimestampType():
            return from_polars(to_instants(local, zone))
        case _:
            return from_polars(local)


def _from_instant(instants: pl.Series, target: DataType) -> pa.Array:
    """Give the seconds since 1970 (`timestampToLong`, `timestampToDouble`)."""
    micros = instants.to_physical()
    if isinstance(target, INTEGRAL):
        seconds = from_polars(micros // _MICROS)
        return _to_integer(seconds, LongType(), to_arrow_type(target))
    if isinstance(target, DecimalType):
        exact = from_polars(micros).cast(pa.decimal256(19, 0))
        return rescale(pc.multiply(exact, pa.scalar(_MICROSECOND, pa.decimal256(7, 6))), target)
    fractions = from_polars(micros.cast(pl.Float64) / _MICROS)
    return _number(fractions, DoubleType(), target)


def _to_instant(values: pa.Array, source: DataType) -> pa.Array:
    """Take numbers as seconds since 1970; NULL outside the years 1 to 9999."""
    match source:
        case FloatType() | DoubleType():
            micros = pc.multiply(values.cast(pa.float64()), float(_MICROS))
        case DecimalType():
            million = pa.scalar(Decimal(_MICROS), pa.decimal256(7, 0))
            scaled = pc.multiply(values.cast(pa.decimal256(38, values.type.scale)), million)
            micros = rescale(pc.trunc(scaled), DecimalType(38, 0))
        case _:
            seconds = values.cast(pa.int64())
            inside = _within(seconds, _FIRST // _MICROS, _LAST // _MICROS)
            micros = pc.multiply(inside, _MICROS)
    inside = _within(micros, _FIRST, _LAST)
    if not pa.types.is_integer(inside.type):
        inside = pc.trunc(inside).cast(pa.int64(), safe=False)
    return inside.cast(to_arrow_type(TimestampType()))


def _scalar(number: int, kind: pa.DataType) -> pa.Scalar:
    if pa.types.is_floating(kind):
        return pa.scalar(float(number), kind)
    return pa.scalar(Decimal(number) if pa.types.is_decimal(kind) else number, kind)


def _within(values: pa.Array, first: int, last: int) -> pa.Array:
    low, high = (_scalar(one, values.type) for one in (first, last))
    fits = pc.and_(pc.greater_equal(values, low), pc.less_equal(values, high))
    return pc.if_else(fits, values, pa.scalar(None, values.type))

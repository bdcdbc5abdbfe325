"""Columns of dates and timestamps cast by their shape; null where a closer look is needed.

What Arrow can cast it casts at once (`iso_times`). Of the rest a shape is read from the data
(`2030-01-05 10:00:00`, a `T`, a fraction, `Z`, an offset); cells of exactly this shape are cast
together, a few shapes a column. Whatever remains is null.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import polars as pl

from ingest.text.iso_times import iso_dates, iso_local_timestamps, iso_utc_timestamps
from ingest.text.times import find_zone

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.text.times import SessionTime

MAX_SHAPES = 4
"""Shapes tried in one column; cells of further ones are cast one by one."""

_DAY = "%Y-%m-%d"
_DAY_LENGTH = 10
_SECONDS_LENGTH = 19
_MAX_FRACTION = 6
_END_OF_RULES = "2099"
"""Polars' zones have no summer time from 2100 on."""

_SHAPE = re.compile(
    r"\d{4}-\d\d-\d\d(?:([ T])\d\d:\d\d:\d\d(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d)?)?", re.ASCII
)


@dataclass(frozen=True, slots=True)
class _Shape:
    """A date alone (`mark` is empty), or a date and a time."""

    mark: str
    fraction: int
    zone_length: int

    @property
    def length(self) -> int:
        if not self.mark:
            return _DAY_LENGTH
        return _SECONDS_LENGTH + (self.fraction + 1 if self.fraction else 0) + self.zone_length


def fast_dates(text: pl.Series) -> pl.Series:
    """Cast `yyyy-MM-dd`, years 0001 to 9999."""
    done = iso_dates(text)
    return _evaluate(text, _day(pl.col("t"))) if done is None else done


def fast_local_timestamps(text: pl.Series) -> pl.Series:
    """Cast date and time without a zone (TIMESTAMP_NTZ)."""

    def cast(shape: _Shape) -> pl.Expr | None:
        return None if shape.zone_length else _local(shape)

    return _by_shape(text, cast, pl.Datetime("us"), iso_local_timestamps(text))


def fast_timestamps(text: pl.Series, session: SessionTime) -> pl.Series:
    """Cast instants; text without a zone is in the session's zone."""
    zone = find_zone(session.zone)

    def cast(shape: _Shape) -> pl.Expr | None:
        if shape.zone_length:
            return _with_offset(shape)
        return in_zone(_local(shape), zone, _far_from_the_ends(pl.col("t")))

    return _by_shape(text, cast, pl.Datetime("us", "UTC"), _iso_timestamps(text, zone))


def _iso_timestamps(text: pl.Series, zone: dt.tzinfo | None) -> pl.Series | None:
    local = iso_local_timestamps(text)
    if local is None:
        return iso_utc_timestamps(text)
    placed = in_zone(pl.col("local"), zone, _far_from_the_ends(pl.col("t")))
    if placed is None:
        return None
    frame = pl.DataFrame({"t": text, "local": local})
    return frame.select(placed.alias(text.name)).to_series()


def _by_shape(
    text: pl.Series,
    cast: Callable[[_Shape], pl.Expr | None],
    target: pl.DataType,
    done: pl.Series | None,
) -> pl.Series:
    """Cast shape after shape: the shape of the first cell that is still null comes next.

    `done` is what has been cast before, if anything.
    """
    seen: set[_Shape] = set()
    for _ in range(MAX_SHAPES):
        shape = _next_shape(text, done)
        if shape is None or shape in seen:
            break
        seen.add(shape)
        expression = cast(shape)
        if expression is None:
            break
        found = _evaluate(text, expression)
        done = found if done is None else done.zip_with(done.is_not_null(), found)
    if done is None:
        return pl.Series(text.name, [None], dtype=target).new_from_index(0, len(text))
    return done


def _next_shape(text: pl.Series, done: pl.Series | None) -> _Shape | None:
    if done is None:
        first = text.is_not_null().arg_max() if len(text) else None
    elif done.null_count() == text.null_count():
        return None
    else:
        first = (done.is_null() & text.is_not_null()).arg_max()
    cell = None if first is None else text[first]
    match = None if cell is None else _SHAPE.fullmatch(cell)
    if match is None:
        return None
    mark, fraction, zone = match.groups()
    return _Shape(mark or "", len(fraction or ""), len(zone or ""))


def _evaluate(text: pl.Series, expression: pl.Expr) -> pl.Series:
    return pl.DataFrame({"t": text}).select(expression.alias(text.name)).to_series()


def _day(text: pl.Expr) -> pl.Expr:
    # `>= "0001"` keeps out signs and the year 0, which polars would take.
    clean = (
        (text.str.len_bytes() == _DAY_LENGTH)
        & (text >= "0001")
        & ~text.str.contains(" ", literal=True)
    )
    return pl.when(clean).then(text.str.strptime(pl.Date, _DAY, strict=False, cache=False))


def _local(shape: _Shape) -> pl.Expr:
    """Cast the date and time of cells of exactly this shape."""
    text = pl.col("t")
    if not shape.mark:
        return _day(text).cast(pl.Datetime("us"))
    blanks = 1 if shape.mark == " " else 0
    clean = (
        (text.str.len_bytes() == shape.length)
        & (text >= "0001")
        & (text.str.slice(17, 1) < "6")  # polars takes a 60th second
        & (text.str.count_matches(" ", literal=True) == blanks)
    )
    format_ = f"%Y-%m-%d{shape.mark}%H:%M:%S"
    seconds = text if shape.length == _SECONDS_LENGTH else text.str.slice(0, _SECONDS_LENGTH)
    moment = seconds.str.strptime(pl.Datetime("us"), format_, strict=False, cache=False)
    if shape.fraction:
        digits = text.str.slice(_SECONDS_LENGTH + 1, shape.fraction)
        clean &= (text.str.slice(_SECONDS_LENGTH, 1) == ".") & (digits >= "0")
        micros = digits.cast(pl.Int64, strict=False) * 10 ** (_MAX_FRACTION - shape.fraction)
        moment += pl.duration(microseconds=micros)
    return pl.when(clean).then(moment)


def _with_offset(shape: _Shape) -> pl.Expr:
    """Cast cells that end with `Z` or `+hh:mm`."""
    text = pl.col("t")
    local = _local(shape)
    start = shape.length - shape.zone_length
    if shape.zone_length == 1:
        ends = text.str.ends_with("Z")
        return pl.when(ends).then(local).dt.replace_time_zone("UTC")
    sign, hours, colon, minutes = (
        text.str.slice(start + at, size) for at, size in ((0, 1), (1, 2), (3, 1), (4, 2))
    )
    clean = (
        sign.is_in(["+", "-"])
        & (colon == ":")
        & (hours >= "0")
        & (hours < "18")
        & (minutes >= "0")
        & (minutes < "6")
        & _far_from_the_ends(text)
    )
    size = hours.cast(pl.Int64, strict=False) * 60 + minutes.cast(pl.Int64, strict=False)
    offset = pl.duration(minutes=pl.when(sign == "-").then(-size).otherwise(size))
    return pl.when(clean).then(local - offset).dt.replace_time_zone("UTC")


def in_zone(local: pl.Expr, zone: dt.tzinfo | None, safe: pl.Expr) -> pl.Expr | None:
    """Take local times as times of the session's zone (overlap: the earlier offset, as Java).

    Other zones than UTC only where it is `safe`: far from the years 1 and 9999.
    """
    match zone:
        case None:
            return None
        case dt.timezone():
            offset = zone.utcoffset(None)
            shifted = local - offset if offset else local
        case ZoneInfo(key=key):
            placed = local.dt.replace_time_zone(key, ambiguous="earliest", non_existent="null")
            shifted = placed.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        case _:
            return None
    if zone is not dt.UTC:
        shifted = pl.when(safe).then(shifted)
    if isinstance(zone, ZoneInfo):
        shifted = pl.when(pl.col("t") < _END_OF_RULES).then(shifted)
    return shifted.dt.replace_time_zone("UTC")


def _far_from_the_ends(text: pl.Expr) -> pl.Expr:
    """Keep clear of the years 1 and 9999, where an offset leads out of the range."""
    return (text >= "0002") & (text < "9999")

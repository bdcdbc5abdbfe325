"""Dates and times to each other and to numbers, in the session's time zone.

Whole columns are moved by polars' zones; what they do not know (gaps, years from 2100 on) goes to
Python's, distinct values once. NULL where the years 1 to 9999 are left.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import polars as pl

from ingest.text.times import to_utc

if TYPE_CHECKING:
    from collections.abc import Callable

_LOCAL, _UTC = pl.Datetime("us"), pl.Datetime("us", "UTC")
_END_OF_RULES = 2100
"""Polars' zones have no summer time from this year on."""
_FIRST_YEAR, _LAST_YEAR = 2, 9998
"""Years in which no offset leads out of the range."""


def to_instants(local: pl.Series, zone: dt.tzinfo) -> pl.Series:
    """Take local times as times of the zone; in an overlap the earlier one, a gap is moved on."""
    if zone is dt.UTC:
        return local.dt.replace_time_zone("UTC")
    if isinstance(zone, ZoneInfo):
        placed = local.dt.replace_time_zone(zone.key, ambiguous="earliest", non_existent="null")
        moved = placed.dt.convert_time_zone("UTC")
    else:
        moved = (local - _offset(zone)).dt.replace_time_zone("UTC")
    return _mended(local, moved, lambda value: to_utc(value, zone))


def to_local(instants: pl.Series, zone: dt.tzinfo) -> pl.Series:
    """Give the local times of the zone."""
    if zone is dt.UTC:
        return instants.dt.replace_time_zone(None)
    if isinstance(zone, ZoneInfo):
        moved = instants.dt.convert_time_zone(zone.key).dt.replace_time_zone(None)
    else:
        moved = instants.dt.replace_time_zone(None) + _offset(zone)
    return _mended(instants, moved, lambda value: _local(value, zone))


def _mended(
    given: pl.Series, moved: pl.Series, exact: Callable[[dt.datetime], dt.datetime | None]
) -> pl.Series:
    """Move the odd values one by one, distinct ones once."""
    year = given.dt.year()
    odd = (year >= _END_OF_RULES) | (year < _FIRST_YEAR) | (moved.is_null() & given.is_not_null())
    rows = odd.fill_null(value=False).arg_true()
    if not len(rows):
        return moved
    cells = given.gather(rows)
    unique = cells.unique()
    values = pl.Series([exact(value) for value in unique], dtype=moved.dtype)
    answers = pl.DataFrame({"given": unique, "value": values})
    joined = cells.to_frame("given").join(answers, on="given", how="left", maintain_order="left")
    return moved.scatter(rows, joined["value"])


def _local(instant: dt.datetime, zone: dt.tzinfo) -> dt.datetime | None:
    try:
        return instant.astimezone(zone).replace(tzinfo=None)
    except OverflowError:
        return None


def _offset(zone: dt.tzinfo) -> dt.timedelta:
    offset = zone.utcoffset(None)
    assert offset is not None, "a zone without rules has one offset"
    return offset

"""Dates and timestamps of the Julian calendar, as Spark 2 and Hive wrote them, counted anew.

Such files count days in the hybrid calendar of old Java: the day that users saw was Julian before
1582-10-15. Reading gives the same day of the month in the proleptic calendar (Spark
`RebaseDateTime`, mode LEGACY).
"""

from __future__ import annotations

import polars as pl

SWITCH_DAY = -141_427
"""1582-10-15, the first Gregorian day, in days since 1970."""

_DAY_MICROS = 86_400_000_000
_JULIAN_1970 = 2_440_588
"""The Julian day number of 1970-01-01."""
_FIRST_OF_MARCH = 1_721_118
"""The Julian day number of 1 March of the year 0 in the Julian calendar."""
_FOUR_YEARS = 1461


def rebase_days(days: pl.Series) -> pl.Series:
    """Give the days of the proleptic Gregorian calendar that look like these Julian ones.

    >>> rebase_days(pl.Series([-171664])).cast(pl.Date).to_list()
    [datetime.date(1499, 12, 23)]
    """
    found = days.to_frame("days").select(_rebased(pl.col("days").cast(pl.Int64))).to_series()
    return days.cast(pl.Int64).zip_with(days >= SWITCH_DAY, found)


def rebase_micros(micros: pl.Series) -> pl.Series:
    """As `rebase_days`, for microseconds; the time of day stays (zone UTC)."""
    days = micros // _DAY_MICROS
    return micros + (rebase_days(days) - days) * _DAY_MICROS


def _rebased(days: pl.Expr) -> pl.Expr:
    """Split into the Julian year, month and day; then count them as Gregorian ones."""
    since_march = days + _JULIAN_1970 - _FIRST_OF_MARCH
    cycle, day_of_cycle = since_march // _FOUR_YEARS, since_march % _FOUR_YEARS
    year_of_cycle = pl.min_horizontal(day_of_cycle // 365, pl.lit(3))
    day_of_year = day_of_cycle - year_of_cycle * 365
    month = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month + 2) // 5
    year = cycle * 4 + year_of_cycle
    first_of_march = year * 365 + year // 4 - year // 100 + year // 400
    return first_of_march + (153 * month + 2) // 5 + day - 719_468

"""Days as ISO dates, also those that no library shows: an INT32 counts far beyond its calendars."""

from __future__ import annotations

import polars as pl

_FAR = 90_000_000
"""Days from 1970 to about the year 248,000; polars panics at dates after 262,142."""
_DAYS_OF_400_YEARS = 146_097
_LAST_YEAR_OF_FOUR_DIGITS = 9999


def date_texts(days: pl.Series) -> pl.Series:
    """Write days since 1970, or dates, as ISO dates of the proleptic Gregorian calendar.

    >>> date_texts(pl.Series([0, 2_147_483_647, None])).to_list()
    ['1970-01-01', '+5881580-07-11', None]
    """
    days = days.cast(pl.Int64)
    far = ((days < -_FAR) | (days > _FAR)).fill_null(value=False)
    near = days.zip_with(~far, pl.Series([None], dtype=pl.Int64).new_from_index(0, len(days)))
    texts = near.cast(pl.Int32).cast(pl.Date).cast(pl.String)
    if not far.any():
        return texts
    places = far.arg_true()
    return texts.scatter(places, [_far_date(day) for day in days.gather(places)])


def _far_date(day: int) -> str:
    """Move a day by whole cycles of 400 years to where a library knows the calendar."""
    cycles, near = divmod(day, _DAYS_OF_400_YEARS)
    year, rest = str(pl.Series([near], dtype=pl.Int32).cast(pl.Date).cast(pl.String)[0]).split(
        "-", maxsplit=1
    )
    far_year = int(year) + 400 * cycles
    sign = "+" if far_year > _LAST_YEAR_OF_FOUR_DIGITS else "-"
    return f"{sign}{abs(far_year):04}-{rest}"

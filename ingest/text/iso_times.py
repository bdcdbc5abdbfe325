"""Columns of dates and times in ISO 8601 cast at once by Arrow, which is quick and strict.

Of some lengths Arrow takes just what Spark takes: `2030-01-05`, and with a time after a blank or a
`T` and up to six digits of a second. It refuses the whole column for one cell that is none, so
cells of other lengths are left out beforehand.
"""

from __future__ import annotations

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

DAY = 10
SECONDS = 19
_LOCAL = frozenset({DAY, SECONDS, *range(21, 27)})
_UTC = frozenset(size + 1 for size in _LOCAL - {DAY})
_FIRST_DAY = -719_162
"""The first day of the year 1, from 1970 on: Spark's text has no year 0."""
_DAY_MICROS = 86_400_000_000


def iso_dates(text: pl.Series) -> pl.Series | None:
    """Cast `yyyy-MM-dd`; others are null. None when a cell only looks like one."""
    return _cast(text, frozenset({DAY}), pa.date32())


def iso_local_timestamps(text: pl.Series) -> pl.Series | None:
    """Cast dates and times without a zone; as `iso_dates`."""
    return _cast(text, _LOCAL, pa.timestamp("us"))


def iso_utc_timestamps(text: pl.Series) -> pl.Series | None:
    """Cast dates and times that end with `Z`; as `iso_dates`."""
    ends = text.str.ends_with("Z").all()
    return _cast(text, _UTC, pa.timestamp("us", "UTC")) if ends else None


def _cast(text: pl.Series, sizes: frozenset[int], target: pa.DataType) -> pl.Series | None:
    cells = text.to_arrow()
    lengths = pc.binary_length(cells)
    limits = pc.min_max(lengths)
    if limits["min"] != limits["max"] or limits["min"].as_py() not in sizes:
        fits = pc.is_in(lengths, pa.array(sorted(sizes), lengths.type))
        cells = pc.if_else(fits, cells, None)
    if cells.null_count == len(cells):
        return None
    try:
        values = cells.cast(target)
    except pa.ArrowInvalid:
        return None
    first = _FIRST_DAY if pa.types.is_date(target) else _FIRST_DAY * _DAY_MICROS
    return pl.Series(text.name, values) if pc.min(values).value >= first else None

"""Arrow arrays and polars series, both ways, without a copy where there is a way."""

from __future__ import annotations

import polars as pl
import pyarrow as pa


def to_polars(values: pa.Array) -> pl.Series:
    """Give an array of a type without parts as a series."""
    return pl.Series(values)


def from_polars(series: pl.Series) -> pa.Array:
    """Give a series as an array; texts are `large_string`, which Arrow computes with."""
    found = series.rechunk().to_arrow(compat_level=pl.CompatLevel.oldest())
    return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found

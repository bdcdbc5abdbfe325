"""Values as text, as Spark casts them (`ToStringBase`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from ingest.shown import value_text
from ingest.transform.polars_arrays import from_polars, to_polars
from ingest.transform.time_casts import to_local
from schema_store.types import (
    BinaryType,
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    TimestampNTZType,
    TimestampType,
)

if TYPE_CHECKING:
    import datetime as dt

_PLAIN_FROM, _PLAIN_TO = 1e-3, 1e7
"""Sizes of numbers that Java writes without an exponent."""


def cast_to_text(values: pa.Array, source: DataType, zone: dt.tzinfo) -> pa.Array:
    """Give values of a type without parts as text; NULL where bytes are no UTF-8."""
    match source:
        case BooleanType():
            return pc.if_else(values, "true", "false").cast(pa.large_string())
        case FloatType() | DoubleType():
            return _fractions(to_polars(values), source)
        case DecimalType():
            return from_polars(to_polars(values).cast(pl.String))
        case BinaryType():
            return _utf8(values)
        case DateType():
            return from_polars(to_polars(values).dt.to_string("%Y-%m-%d"))
        case TimestampType():
            return _times(to_local(to_polars(values), zone))
        case TimestampNTZType():
            return _times(to_polars(values))
        case _:
            return values.cast(pa.large_string())


def _fractions(values: pl.Series, source: DataType) -> pa.Array:
    size = values.abs()
    plain = ((size >= _PLAIN_FROM) & (size < _PLAIN_TO)) | (values == 0)
    texts = values.cast(pl.String)
    rows = (~plain & values.is_not_null()).arg_true()
    if len(rows):
        cells = values.gather(rows)
        unique = cells.unique()
        written = pl.Series([value_text(value, source) for value in unique], dtype=pl.String)
        answers = pl.DataFrame({"value": unique, "text": written})
        joined = cells.to_frame("value").join(
            answers, on="value", how="left", maintain_order="left", nulls_equal=True
        )
        texts = texts.scatter(rows, joined["text"])
    return from_polars(texts)


def _times(local: pl.Series) -> pa.Array:
    text = pl.first().dt.to_string("%Y-%m-%d %H:%M:%S%.6f")
    short = text.str.strip_chars_end("0").str.strip_suffix(".")
    ends = pl.first().dt.microsecond() == 0
    whole = pl.first().dt.to_string("%Y-%m-%d %H:%M:%S")
    return from_polars(
        local.to_frame().select(pl.when(ends).then(whole).otherwise(short)).to_series()
    )


def _utf8(values: pa.Array) -> pa.Array:
    try:
        return values.cast(pa.large_string())
    except pa.ArrowInvalid:
        texts = [_decoded(value) for value in values.to_pylist()]
        return pa.array(texts, pa.large_string())


def _decoded(value: bytes | None) -> str | None:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        return None

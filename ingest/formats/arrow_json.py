"""Arrow values as JSON text, column by column: how typed formats put values in the rescued column.

Numbers are JSON numbers, dates and timestamps ISO texts, bytes base64, structs and maps objects
(contract 5.2). Values that are no JSON number (NaN, infinities) are texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from ingest.formats.arrow_text import read_text
from ingest.formats.far_dates import date_texts
from ingest.rescue import json_string
from schema_store.types import MAX_PRECISION

if TYPE_CHECKING:
    from collections.abc import Callable

_SPELLED = {"inf": '"Infinity"', "-inf": '"-Infinity"', "NaN": '"NaN"'}
_SECONDS = {"us": "%.6f", "ns": "%.9f"}
_PER_MILLISECOND = {"us": 1_000, "ns": 1_000_000}
_UNITS_PER_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
_NANOS_PER_SECOND = 1_000_000_000
_SECONDS_PER_DAY = 86_400


def json_texts(array: pa.Array) -> pl.Series:
    """Give each value as JSON text, null for NULL.

    >>> json_texts(pa.array([1.5, None])).to_list()
    ['1.5', None]
    >>> json_texts(pa.array([[{"a": None, "b": "x"}], []])).to_list()
    ['[{"a":null,"b":"x"}]', '[]']
    """
    if isinstance(array, pa.ExtensionArray):
        return json_texts(array.storage)
    kind = array.type
    if pa.types.is_dictionary(kind):
        return json_texts(array.cast(kind.value_type))
    if not len(array) or array.null_count == len(array):
        return pl.Series([None], dtype=pl.String).new_from_index(0, len(array))
    return _writer(kind)(array)


def list_lengths(array: pa.Array) -> pl.Series:
    """Give the number of elements of each list that `flatten` gives; 0 for NULL."""
    return _series(pc.fill_null(pc.list_value_length(array), 0)).cast(pl.Int64)


def map_entries(array: pa.MapArray) -> tuple[pa.Array, pa.Array, pl.Series]:
    """Give the keys and values of all entries, and how many each map has; NULL has none."""
    lengths = _series(pc.subtract(array.offsets[1:], array.offsets[:-1])).cast(pl.Int64)
    if array.null_count:  # a NULL map may hide entries, which are no values
        lengths = lengths * _series(array.is_valid()).cast(pl.Int64)
        array = array.drop_null()
    first, last = array.offsets[0].as_py(), array.offsets[-1].as_py()
    return array.keys.slice(first, last - first), array.items.slice(first, last - first), lengths


def _writer(kind: pa.DataType) -> Callable[[pa.Array], pl.Series]:
    types = pa.types
    checks: tuple[tuple[Callable[[pa.DataType], bool], Callable[[pa.Array], pl.Series]], ...] = (
        (types.is_struct, _structs),
        (types.is_map, _maps),
        (_is_list, _lists),
        (types.is_boolean, _plain),
        (types.is_integer, _plain),
        (types.is_decimal, _decimals),
        (types.is_floating, _floats),
        (_is_text, _texts),
        (_is_binary, _binaries),
        (types.is_date, lambda array: _quoted(date_texts(_series(array.cast(pa.date32()))))),
        (types.is_timestamp, _timestamps),
        (types.is_time, lambda array: _quoted(_series(array).dt.to_string("%H:%M:%S%.f"))),
        (types.is_duration, lambda array: _plain(array.view(pa.int64()))),
    )
    return next(write for is_kind, write in checks if is_kind(kind))


def _is_list(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(
        types.is_list(kind)
        or types.is_large_list(kind)
        or types.is_fixed_size_list(kind)
        or types.is_list_view(kind)
        or types.is_large_list_view(kind)
    )


def _is_text(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _is_binary(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(
        types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_binary_view(kind)
        or types.is_fixed_size_binary(kind)
    )


def _series(array: pa.Array) -> pl.Series:
    series = pl.from_arrow(array)
    assert isinstance(series, pl.Series)
    return series


def _texts(array: pa.Array) -> pl.Series:
    return json_string(_series(read_text(array).values))


def _plain(array: pa.Array) -> pl.Series:
    return _series(array).cast(pl.String)


def _decimals(array: pa.Array) -> pl.Series:
    """Write all digits, as Arrow would not; polars has no decimals of more than 38."""
    kind = array.type
    if kind.precision > MAX_PRECISION:
        return _series(array.cast(pa.string()))
    return _plain(array.cast(pa.decimal128(kind.precision, kind.scale)))


def _floats(array: pa.Array) -> pl.Series:
    if pa.types.is_float16(array.type):
        array = array.cast(pa.float32())
    return _plain(array).replace(_SPELLED)


def _binaries(array: pa.Array) -> pl.Series:
    return _quoted(_series(array.cast(pa.large_binary())).bin.encode("base64"))


def _timestamps(array: pa.Array) -> pl.Series:
    """Write milliseconds as Spark's `to_json` does, and smaller parts where there are some."""
    unit, suffix = array.type.unit, "" if array.type.tz is None else "Z"
    counts = _series(array.view(pa.int64()))
    per_day = _UNITS_PER_SECOND[unit] * _SECONDS_PER_DAY
    days, of_day = counts // per_day, counts % per_day
    to_time = (of_day * (_NANOS_PER_SECOND // _UNITS_PER_SECOND[unit])).cast(pl.Time)
    times = to_time.dt.to_string(f"T%H:%M:%S%.3f{suffix}")
    if unit in _PER_MILLISECOND:
        fine = to_time.dt.to_string(f"T%H:%M:%S{_SECONDS[unit]}{suffix}")
        times = times.zip_with(of_day % _PER_MILLISECOND[unit] == 0, fine)
    return _quoted(date_texts(days) + times)


def _quoted(texts: pl.Series) -> pl.Series:
    """Put quotes round texts that need no escapes."""
    return pl.select(pl.concat_str([pl.lit('"'), texts, pl.lit('"')])).to_series()


def _structs(array: pa.StructArray) -> pl.Series:
    parts = zip(array.type, array.flatten(), strict=True)
    members = [
        (f"{orjson.dumps(field.name).decode()}:", json_texts(part).fill_null("null"))
        for field, part in parts
    ]
    return _nulled(objects(members, len(array)), array)


def objects(members: list[tuple[str, pl.Series]], height: int) -> pl.Series:
    """Make JSON objects of members: `"name":` and texts; a null text leaves its member out."""
    if not members:
        return pl.Series(["{}"]).new_from_index(0, height)
    columns = [
        pl.concat_str([pl.lit(key), texts]).alias(str(at))
        for at, (key, texts) in enumerate(members)
    ]
    inside = pl.concat_str(columns, separator=",", ignore_nulls=True)
    return pl.select(pl.concat_str([pl.lit("{"), inside, pl.lit("}")])).to_series()


def _lists(array: pa.Array) -> pl.Series:
    elements = json_texts(array.flatten()).fill_null("null")
    return _nulled(_joined(elements, list_lengths(array), "[]"), array)


def _maps(array: pa.MapArray) -> pl.Series:
    keys, values, lengths = map_entries(array)
    names = json_texts(keys)
    if not _is_text(keys.type):
        bare = names.str.strip_chars('"')
        names = json_string(bare)
    entries = pl.select(
        pl.concat_str([names, pl.lit(":"), json_texts(values).fill_null("null")])
    ).to_series()
    return _nulled(_joined(entries, lengths, "{}"), array)


def _joined(texts: pl.Series, lengths: pl.Series, brackets: str) -> pl.Series:
    """Join consecutive texts into as many as there are lengths."""
    offsets = pl.concat([pl.Series([0], dtype=pl.Int64), lengths.cum_sum()])
    lists = pa.LargeListArray.from_arrays(offsets.to_arrow(), texts.cast(pl.String).to_arrow())
    inside = _series(lists).list.join(",")
    return pl.select(pl.concat_str([pl.lit(brackets[0]), inside, pl.lit(brackets[1])])).to_series()


def _nulled(texts: pl.Series, array: pa.Array) -> pl.Series:
    if not array.null_count:
        return texts
    nothing = pl.Series([None], dtype=pl.String).new_from_index(0, len(texts))
    return texts.zip_with(_series(array.is_valid()), nothing)

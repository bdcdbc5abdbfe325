"""What an `add` says of its file's rows (PROTOCOL.md, "Per-file Statistics").

For the first 32 leaf columns: how many are NULL, and the least and the greatest value where order
lets a reader skip files. A bound may be looser than the values, never tighter: text is cut to 32
characters, timestamps to milliseconds, upwards for the greatest.
"""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from schema_store.types import (
    ArrayType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schema_store.types import Schema

INDEXED_COLUMNS = 32
"""Leaf columns with statistics (Delta `dataSkippingNumIndexedCols`)."""

PREFIX = 32
"""Characters of text that a bound keeps (Delta `DATA_SKIPPING_STRING_PREFIX_LENGTH`)."""

_LAST_CHARACTER = "\U0010ffff"
_BOUNDED = (
    ByteType
    | ShortType
    | IntegerType
    | LongType
    | FloatType
    | DoubleType
    | DecimalType
    | StringType
    | DateType
    | TimestampType
    | TimestampNTZType
)
_EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - a local time, as TIMESTAMP_NTZ is
_FIRST_MS, _LAST_MS = -62_135_596_800_000, 253_402_300_799_999


def indexed_columns(configuration: Mapping[str, str]) -> int:
    """Give how many leaf columns get statistics; -1 in the property means all of them."""
    text = configuration.get("delta.dataSkippingNumIndexedCols", "")
    if text == "-1":
        return 1 << 30
    return int(text) if text.isdecimal() else INDEXED_COLUMNS


def statistics(rows: pa.Table, schema: Schema, *, limit: int = INDEXED_COLUMNS) -> str:
    """Give the statistics of a file with these rows as JSON text.

    Names are those of the file, so that `schema` is the physical one.
    """
    left = [limit]
    parts = [(field.name, field.data_type, rows.column(at)) for at, field in enumerate(schema)]
    least, greatest, nulls = _of_parts(parts, left)
    return orjson.dumps(
        {
            "numRecords": rows.num_rows,
            "minValues": least,
            "maxValues": greatest,
            "nullCount": nulls,
        }
    ).decode()


_Bounds = tuple[dict[str, Any], dict[str, Any], dict[str, Any]]


def _of_parts(parts: list[tuple[str, DataType, pa.ChunkedArray]], left: list[int]) -> _Bounds:
    """Give least, greatest and NULL counts by name; `left` counts the leaf columns down."""
    least: dict[str, Any] = {}
    greatest: dict[str, Any] = {}
    nulls: dict[str, Any] = {}
    for name, data_type, array in parts:
        if left[0] <= 0:
            break
        match data_type:
            case StructType(fields):
                inner = [
                    (field.name, field.data_type, part)
                    for field, part in zip(fields, _flattened(array), strict=True)
                ]
                found = _of_parts(inner, left)
                for target, part in zip((least, greatest, nulls), found, strict=True):
                    if part:
                        target[name] = part
            case _:
                left[0] -= 1
                nulls[name] = array.null_count
                bounds = _bounds(array, data_type)
                if bounds is not None:
                    least[name], greatest[name] = bounds
    return least, greatest, nulls


def _flattened(array: pa.ChunkedArray) -> list[pa.ChunkedArray]:
    parts: list[pa.ChunkedArray] = array.flatten()
    return parts


def _bounds(array: pa.ChunkedArray, data_type: DataType) -> tuple[Any, Any] | None:
    if not isinstance(data_type, _BOUNDED) or isinstance(data_type, ArrayType | MapType):
        return None
    if isinstance(data_type, FloatType | DoubleType) and _has_odd_floats(array):
        return None
    kind = array.type
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        array = array.cast(pa.int64() if pa.types.is_timestamp(kind) else pa.int32())
    found = pc.min_max(array)
    least, greatest = found["min"].as_py(), found["max"].as_py()
    if least is None:
        return None
    low, high = _bound(least, data_type, up=False), _bound(greatest, data_type, up=True)
    return None if low is None or high is None else (low, high)


def _has_odd_floats(array: pa.ChunkedArray) -> bool:
    """Tell whether there is a NaN or an infinity, for which JSON has no number."""
    finite = pc.is_finite(array)
    return bool(pc.any(pc.invert(finite)).as_py())


def _bound(value: Any, data_type: DataType, *, up: bool) -> Any:  # noqa: ANN401 - JSON
    match data_type:
        case StringType():
            return _cut(value, up=up)
        case DecimalType():
            return orjson.Fragment(format(Decimal(value), "f"))
        case FloatType() | DoubleType():
            return math.copysign(value, 1.0 if up else -1.0) if value == 0 else value
        case DateType():
            ms = value * 86_400_000
            return _day(ms) if _FIRST_MS <= ms <= _LAST_MS else None
        case TimestampType() | TimestampNTZType():
            ms = -(-value // 1000) if up else value // 1000
            suffix = "Z" if isinstance(data_type, TimestampType) else ""
            return _instant(ms) + suffix if _FIRST_MS <= ms <= _LAST_MS else None
        case _:
            return value


def _cut(text: str, *, up: bool) -> str:
    """Cut a text to a prefix that sorts before it, or for `up` to one that sorts after it."""
    if len(text) <= PREFIX:
        return text
    if not up:
        return text[:PREFIX]
    end = PREFIX
    while end < len(text) and text[end] == _LAST_CHARACTER:
        end += 1
    return text if end >= len(text) else text[:end] + _LAST_CHARACTER


def _day(ms: int) -> str:
    return (_EPOCH + dt.timedelta(milliseconds=ms)).date().isoformat()


def _instant(ms: int) -> str:
    return (_EPOCH + dt.timedelta(milliseconds=ms)).isoformat(timespec="milliseconds")

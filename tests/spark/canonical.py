"""Arrow columns as plain JSON values, so that two readers' values can be compared and stored."""

from __future__ import annotations

import decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from tests.spark.questions import Json


def canonical_rows(columns: list[Any], height: int) -> list[list[Json]]:
    """Give rows of plain values; `columns` are Arrow arrays, chunked or not."""
    plain = [_plain(column) for column in columns]
    return [[column[row] for column in plain] for row in range(height)]


def _plain(column: Any) -> list[Json]:
    """Times become counts of days or microseconds, numbers their shortest exact text."""
    kind = column.type
    if pa.types.is_timestamp(kind):
        return list(column.cast(pa.timestamp("us", kind.tz)).cast(pa.int64()).to_pylist())
    if pa.types.is_date32(kind):
        return list(column.cast(pa.int32()).to_pylist())
    return [_text(value) for value in column.to_pylist()]


def _text(value: Any) -> Json:
    match value:
        case decimal.Decimal():
            return format(value, "f")
        case float():
            return repr(value)
        case bytes():
            return value.hex()
        case _:
            return value

"""Values of a table as JSON has them, as Spark's `to_json` writes them."""

from __future__ import annotations

import base64
import datetime as dt
import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ingest.shown import value_text
from schema_store.types import ArrayType, DataType, MapType, Schema, StructType

if TYPE_CHECKING:
    from collections.abc import Mapping


def json_row(row: Mapping[str, Any], schema: Schema) -> dict[str, object]:
    """Give a row as a JSON object, NULLs included."""
    return {field.name: json_value(row[field.name], field.data_type) for field in schema}


def json_value(value: Any, data_type: DataType) -> object:  # noqa: ANN401 - a value of any column
    """Give a value as JSON: exact decimals as text, bytes as base64, a map's keys as text.

    >>> from schema_store.types import LongType, StringType
    >>> json_value([(1, "a")], MapType(LongType(), StringType()))
    {'1': 'a'}
    """
    match data_type:
        case _ if value is None:
            return None
        case StructType():
            return json_row(value, data_type)
        case ArrayType(element):
            return [json_value(one, element) for one in value]
        case MapType(key, item):
            return {value_text(k, key): json_value(v, item) for k, v in value}
        case _:
            return _json_atom(value)


def _json_atom(value: object) -> object:
    match value:
        case float() if not math.isfinite(value):
            return "NaN" if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"
        case Decimal():
            return format(value, "f")
        case bytes():
            return base64.b64encode(value).decode()
        case dt.date() | dt.timedelta():
            return value.isoformat() if isinstance(value, dt.date) else str(value)
        case _:
            return value

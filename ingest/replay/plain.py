"""Values of rows as scenarios and JSON have them: texts for what YAML and JSON cannot hold."""

from __future__ import annotations

import base64
import datetime as dt
import json
import math
from decimal import Decimal
from typing import Any

from ingest.replay.trial import file_name
from ingest.row import Row
from ingest.shown import value_text
from schema_store.types import StringType

RESCUED = "_rescued_data"
_FILE_PATH = "_file_path"


def plain(value: Any) -> Any:  # noqa: ANN401 - a value of any column
    """Give a value: decimals, dates, times (in UTC), NaN as text, bytes as base64, structs as dict.

    >>> plain([Decimal("1.50"), dt.date(2026, 1, 2), {1: float("nan")}])
    ['1.50', '2026-01-02', {'1': 'NaN'}]
    """
    match value:
        case Row():
            return {name: plain(inner) for name, inner in value.asDict().items()}
        case dict():
            return {str(plain(key)): plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [plain(inner) for inner in value]
        case bytes():
            return base64.b64encode(value).decode()
        case float() if not math.isfinite(value):
            return value_text(value, StringType())
        case Decimal() | dt.date() | dt.timedelta():
            return value_text(value, StringType())
        case _:
            return value


def plain_rescued(text: str) -> Any:  # noqa: ANN401 - parsed JSON
    """Give rescued data parsed, its file by the last part of its name alone.

    >>> plain_rescued('{"age":"25","_file_path":"file:///landing/b.csv"}')
    {'age': '25', '_file_path': 'b.csv'}
    """
    try:
        value = json.loads(text)
    except ValueError:
        return text
    if isinstance(value, dict) and isinstance(value.get(_FILE_PATH), str):
        value[_FILE_PATH] = file_name(value[_FILE_PATH])
    return value


def plain_row(row: Row, rescued: str | None) -> dict[str, Any]:
    """Give a row; `rescued` names its rescued column."""
    values = {name: plain(value) for name, value in row.asDict().items()}
    if rescued is not None and isinstance(values.get(rescued), str):
        values[rescued] = plain_rescued(values[rescued])
    return values

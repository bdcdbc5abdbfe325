"""Rows in one line each, as replays and comparisons show them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ingest.replay.compare import ModeResult


def result_row_text(row: dict[str, Any], result: ModeResult) -> str:
    """Give a row in the order of the stream's columns; the file of rescued data is left out."""
    names = [*(name for name in result.types if name in row), *row]
    ordered = {name: row[name] for name in names}
    rescued = ordered.get(result.rescued)
    if isinstance(rescued, dict):
        ordered[result.rescued] = {k: v for k, v in rescued.items() if k != "_file_path"}
    return row_text(ordered)


def row_text(row: dict[str, Any]) -> str:
    """Give a row in one line, NULLs left out.

    >>> row_text({"id": 1, "name": "Bob", "age": None})
    'id=1 name=Bob'
    """
    cells = [f"{name}={_cell(value)}" for name, value in row.items() if value is not None]
    return " ".join(cells) or "(every column is NULL)"


def _cell(value: object) -> str:
    if isinstance(value, str):
        return value if value.strip() == value != "" and "\n" not in value else json.dumps(value)
    return json.dumps(value, ensure_ascii=False)

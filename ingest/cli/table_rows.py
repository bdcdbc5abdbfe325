"""`ingest table show`: a table's first rows, as text for people and as one JSON document."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from ingest.cli.display import counted
from ingest.cli.json_values import json_row
from ingest.delta.log import DELTA_LOG
from ingest.delta.scan import read_first, readable_snapshot, row_count
from ingest.shown import shown, table_text
from ingest.table_reader import read_table
from schema_store.ddl import to_ddl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pyarrow as pa

    from schema_store.types import Schema

CELL_WIDTH = 20
"""Characters that a cell of the table keeps, as in Spark's `show`."""

USUAL_WIDTH = (80, 24)
"""The size of a terminal that does not tell it, and of a pipe."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is shown of a table: its first `rows`, and whether there are more.

    `total` is None when the log does not tell it.
    """

    kind: str
    version: int | None
    schema: Schema
    total: int | None
    rows: pa.Table
    has_more: bool


def show_lines(folder: Path, count: int, *, version: int | None, as_json: bool) -> Iterator[str]:
    """Show the first rows of a table, at a version of it if one is given."""
    found = _look(folder, count, version)
    if as_json:
        yield _document(folder, found)
        return
    yield _headline(folder, found)
    yield from _row_lines(found)
    if found.rows.num_rows and found.has_more:
        yield f"only showing top {counted(found.rows.num_rows, 'row')}"


def _look(folder: Path, count: int, version: int | None) -> _Shown:
    if (folder / DELTA_LOG).is_dir():
        snapshot = readable_snapshot(folder, version)
        rows = read_first(snapshot, count + 1)
        total, schema = row_count(snapshot), snapshot.schema
        return _Shown(
            "delta", snapshot.version, schema, total, rows.slice(0, count), rows.num_rows > count
        )
    schema, whole = read_table(folder, version)
    total = whole.num_rows
    return _Shown("parquet", None, schema, total, whole.slice(0, count), total > count)


def _document(folder: Path, found: _Shown) -> str:
    return orjson.dumps(
        {
            "table": str(folder),
            "format": found.kind,
            "version": found.version,
            "rows": found.total,
            "schema": to_ddl(found.schema),
            "data": [json_row(row, found.schema) for row in found.rows.to_pylist()],
        },
        option=orjson.OPT_INDENT_2,
    ).decode()


def _headline(folder: Path, found: _Shown) -> str:
    facts = [
        found.kind if found.version is None else f"{found.kind} version {found.version}",
        *([] if found.total is None else [counted(found.total, "row")]),
        counted(len(found.schema), "column"),
    ]
    return f"{folder}: {', '.join(facts)}"


def _row_lines(found: _Shown) -> Iterator[str]:
    """Draw the rows as Spark's `show` does: below each other if they are wider than the screen."""
    names = found.schema.names
    screen = shutil.get_terminal_size(USUAL_WIDTH).columns
    drawn = table_text(names, _cells(found, CELL_WIDTH), align_left=False)
    if drawn.index("\n") <= screen:
        yield drawn
        return
    left = max(map(len, names))
    for number, row in enumerate(_cells(found, max(CELL_WIDTH, screen - left - len("  | ")))):
        yield f"-RECORD {number}".ljust(min(screen, left + CELL_WIDTH), "-")
        yield from (f" {name.ljust(left)} | {cell}" for name, cell in zip(names, row, strict=True))


def _cells(found: _Shown, width: int) -> list[list[str]]:
    types = [field.data_type for field in found.schema]
    columns: list[list[Any]] = [column.to_pylist() for column in found.rows.columns]
    return [
        [shown(value, kind, width) for value, kind in zip(row, types, strict=True)]
        for row in zip(*columns, strict=True)
    ]

"""The message of a comparison that failed: what differs, and what the stream has done.

Pure: two values to lines, for `pytest_assertrepr_compare`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ingest.row import Row
from ingest.testing.values import LandedSchema, Rows, same, schema_of, unmatched
from schema_store.ddl import to_ddl
from schema_store.schema_diff import diff_schemas
from schema_store.types import StructType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from schema_store.types import Schema

SHOWN = 10
"""Rows of each side that are shown."""

WIDTH = 40
"""Characters that are shown of a value."""

_ABSENT = "·"


def compare(left: object, right: object) -> list[str] | None:
    """Give the message for `assert left == right`; None when neither is a value of ours."""
    if _is_rows(left) and isinstance(right, (list, tuple)):
        return _rows_message(left, right)
    if _is_rows(right) and isinstance(left, (list, tuple)):
        return _rows_message(right, left)
    if isinstance(left, (LandedSchema, StructType)):
        return _schema_message(left, right)
    if isinstance(right, (LandedSchema, StructType)):
        return _schema_message(right, left)
    return None


def _is_rows(value: object) -> bool:
    """Tell rows from other lists: ours, or what `collect()` gives."""
    if isinstance(value, Rows):
        return True
    return isinstance(value, list) and bool(value) and all(isinstance(row, Row) for row in value)


def _rows_message(found: Any, expected: Sequence[Any]) -> list[str]:  # noqa: ANN401 - rows
    only_found, only_expected = unmatched(found, expected)
    count = len(found) - len(only_found)
    noun = found.noun if isinstance(found, Rows) else "row"
    have, want = _counted(len(found), noun), _counted(len(expected), noun)
    return [
        f"{noun}s as expected",
        f"{have} found, {want} expected, {count} the same:",
        *_diff_table(found, only_found, only_expected),
        *_column_lines(found, only_found, only_expected),
        *_copy_lines(only_found, expected),
    ]


def _diff_table(found: Any, only_found: list[Any], only_expected: list[Any]) -> Iterator[str]:  # noqa: ANN401 - rows
    names = _names(found, only_found, only_expected)
    lines = [
        ("", *names, ""),
        *(("-", *_cells(row, names), "expected") for row in only_expected[:SHOWN]),
        *(("+", *_cells(row, names), "found") for row in only_found[:SHOWN]),
    ]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        yield "  " + "  ".join(cells).rstrip()
    for word, rows in (("expected", only_expected), ("found", only_found)):
        if len(rows) > SHOWN:
            yield f"  … and {len(rows) - SHOWN} more {word}"


def _column_lines(found: Any, only_found: list[Any], only_expected: list[Any]) -> Iterator[str]:  # noqa: ANN401 - rows
    """Tell which columns the expected rows lack or have beyond those of the table."""
    names = _known_names(found, only_found)
    if not names:
        return
    given = [row for row in only_expected if isinstance(row, dict)]
    for name in dict.fromkeys(name for row in given for name in row if name not in names):
        yield f"  column {name} is expected and not in the table"
    for name in names:
        if given and all(name not in row for row in given):
            yield f"  column {name} is in the table and not expected"
    if len(only_found) == len(only_expected) == 1 and not given:
        pairs = zip(names, only_found[0], only_expected[0], strict=False)
        for name, have, want in pairs:
            if not same(have, want):
                yield f"  column {name}: {_value(want)} expected, {_value(have)} found"


def _copy_lines(only_found: list[Any], expected: Sequence[Any]) -> Iterator[str]:
    """Tell of rows that are there more often than expected."""
    copies = sum(any(same(row, other) for other in expected) for row in only_found)
    if copies:
        verb = "is" if copies == 1 else "are"
        yield f"  {_counted(copies, 'row')} {verb} there more often than expected: landed twice?"


def _known_names(found: Any, rows: list[Any]) -> list[str]:  # noqa: ANN401 - rows
    if isinstance(found, Rows) and found.columns:
        return list(found.columns)
    first = next((row for row in [*found, *rows] if isinstance(row, Row)), None)
    if first is not None:
        return list(first.__fields__)
    return list(dict.fromkeys(name for row in [*found, *rows] for name in _keys(row)))


def _names(found: Any, only_found: list[Any], only_expected: list[Any]) -> list[str]:  # noqa: ANN401 - rows
    """Give the columns of the table, then those that only expected rows have."""
    names = _known_names(found, only_found)
    width = max((len(row) for row in only_expected if isinstance(row, (tuple, list))), default=0)
    named = [name for row in only_expected for name in _keys(row)]
    names = list(dict.fromkeys([*names, *named]))
    return [*names, *(f"#{i + 1}" for i in range(len(names), width))]


def _keys(row: object) -> list[str]:
    return [str(key) for key in row] if isinstance(row, dict) else []


def _cells(row: Any, names: list[str]) -> list[str]:  # noqa: ANN401 - a row in any form
    match row:
        case Row():
            values = row.asDict()
        case dict():
            values = row
        case tuple() | list():
            values = dict(zip(names, row, strict=False))
        case _:
            values = {names[0]: row} if names else {}
    return [_value(values[name]) if name in values else _ABSENT for name in names]


def _value(value: object) -> str:
    text = "NULL" if value is None else repr(value)
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def _schema_message(found: LandedSchema | StructType, other: object) -> list[str] | None:
    schema = found.schema if isinstance(found, LandedSchema) else found
    expected = schema_of(other)
    if expected is None:
        text = f"{other!r} is no DDL" if isinstance(other, str) else f"{other!r} is no schema"
        return ["schema as expected", text] if isinstance(found, LandedSchema) else None
    origins = found.origins() if isinstance(found, LandedSchema) else {}
    return ["schema as expected", *schema_lines(expected, schema, origins)]


def schema_lines(expected: Schema, found: Schema, origins: Mapping[str, str]) -> tuple[str, ...]:
    """Tell how a schema differs, by column; `origins` tells what decided the type of some."""
    return (
        f"expected {to_ddl(expected)}",
        f"found    {to_ddl(found)}",
        *_column_changes(expected, found, origins),
    )


def _column_changes(expected: Schema, found: Schema, origins: Mapping[str, str]) -> Iterator[str]:
    lines = diff_schemas(expected, found)
    if not lines:
        yield "  the same columns in another order"
    hints = []
    for line in lines:
        kind, _, text = line.partition(" ")
        column, _, types = text.partition(" ")
        origin = f" ({origins[column]})" if column in origins else ""
        match kind:
            case "~":
                old, _, new = types.partition(" -> ")
                yield f"  column {column}: {old} expected, {new} found{origin}"
                hints.append(f"{column} {old}")
            case "-":
                yield f"  column {column}: {types} expected, not found"
            case _:
                yield f"  column {column}: not expected, {types} found{origin}"
    if lines:
        yield "  what to do: if this is right, expect it; if not, correct the file"
    if hints:
        yield f'  or fix the types: .option("cloudFiles.schemaHints", "{", ".join(hints)}")'


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

"""Rows as they should be against rows as they are, in any order."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingest.replay.plain import plain, plain_rescued

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FILE_PATH = "_file_path"
SHOWN_ROWS = 5
"""Rows of each kind that a failure shows."""


@dataclass(frozen=True, slots=True)
class SpecialColumns:
    """Columns whose values have several spellings: the rescued one, and those of times of day."""

    rescued: str | None
    times: frozenset[str] = frozenset()


def differing_rows(
    expected: Sequence[Any],
    actual: Sequence[Mapping[str, Any]],
    columns: Sequence[str],
    *,
    special: SpecialColumns,
) -> tuple[str, ...]:
    """Tell the rows that are missing and those nobody expected, in lines; none when they agree.

    `actual` are rows as `plain_row` gives them. Expected lists have a value for each of `columns`,
    expected mappings for those that they name; all of them for the same ones.

    >>> none = SpecialColumns(None)
    >>> differing_rows([[1, "Ann"]], [{"id": 1, "name": "Bob"}], ["id", "name"], special=none)
    ('missing     id=1 name="Ann"', 'unexpected  id=1 name="Bob"')
    """
    named = _named(expected, columns)
    if isinstance(named, str):
        return (named,)
    names = _names(named, columns)
    rescued = special.rescued
    bare = rescued is not None and not any(_has_file(row.get(rescued)) for row in named)
    wanted = [_text(row, names, special, bare=bare) for row in named]
    found = [_text(row, names, special, bare=bare) for row in actual]
    missing, unexpected = Counter(wanted) - Counter(found), Counter(found) - Counter(wanted)
    return (
        *_lines("missing   ", list(missing.elements())),
        *_lines("unexpected", list(unexpected.elements())),
    )


def _named(expected: Sequence[Any], columns: Sequence[str]) -> list[dict[str, Any]] | str:
    """Give the rows by column; a text where a list has another number of values."""
    rows = []
    for row in expected:
        if isinstance(row, dict):
            rows.append(row)
        elif len(row) != len(columns):
            return f"{row!r} has {len(row)} values; the columns are {', '.join(columns)}"
        else:
            rows.append(dict(zip(columns, row, strict=True)))
    return rows


def _names(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> list[str]:
    used = {name: None for row in rows for name in row}
    return list(used) if used else list(columns)


def _has_file(value: object) -> bool:
    return isinstance(value, dict) and _FILE_PATH in value


def _text(
    row: Mapping[str, Any], names: Sequence[str], special: SpecialColumns, *, bare: bool
) -> str:
    cells = []
    for name in names:
        value = plain(row.get(name))
        if name == special.rescued:
            value = _rescued(value, bare=bare)
        elif name in special.times:
            value = _time(value)
        cells.append(f"{name}={json.dumps(_canonical(value), ensure_ascii=False, sort_keys=True)}")
    return " ".join(cells)


def _rescued(value: object, *, bare: bool) -> object:
    if isinstance(value, str):
        value = plain_rescued(value)
    if bare and isinstance(value, dict):
        return {key: inner for key, inner in value.items() if key != _FILE_PATH}
    return value


def _time(value: object) -> object:
    """Give a time as `plain` spells it, whatever its zone and its zeros; what is none stays."""
    if not isinstance(value, str):
        return value
    try:
        moment = dt.datetime.fromisoformat(value)
    except ValueError:
        return value
    return plain(moment.astimezone(dt.UTC) if moment.tzinfo else moment)


def _canonical(value: Any) -> Any:  # noqa: ANN401 - a plain value
    """Make numbers that are equal look alike: 2.0 is 2."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [_canonical(inner) for inner in value]
        case dict():
            return {key: _canonical(inner) for key, inner in value.items()}
        case _:
            return value


def _lines(word: str, rows: list[str]) -> list[str]:
    shown = [f"{word}  {row}" for row in rows[:SHOWN_ROWS]]
    more = len(rows) - SHOWN_ROWS
    return [*shown, f"{word}  … and {more:,} more"] if more > 0 else shown

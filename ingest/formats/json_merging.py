"""Rows that were read fast and lines that were not, in the order of the lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from ingest.formats.json_rows import OddRow, Rows, columns_of, read_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ingest.formats.json_raw import Leftover
    from ingest.formats.json_rows import JsonTarget


@dataclass(frozen=True, slots=True)
class Fast:
    """Rows read fast: columns, the number of each row's line, rows that are odd after all.

    `told` is what is to be told of some lines beside their columns.
    """

    columns: tuple[pa.Array, ...]
    lines: Sequence[int]
    odd: frozenset[int]
    leftovers: tuple[Leftover, ...]
    told: Mapping[int, OddRow]


def merge_rows(fast: Fast, lines: Sequence[bytes], target: JsonTarget) -> Rows:
    """Read the lines that are left the exact way, and put all rows in order."""
    if not fast.odd and len(fast.lines) == len(lines):
        told = tuple(one._replace(row=row) for row, one in sorted(fast.told.items()))
        return Rows(fast.columns, len(lines), told, _with_rows(fast.leftovers))
    rows = {line: row for row, line in enumerate(fast.lines) if row not in fast.odd}
    order: list[int] = []
    places: dict[int, int] = {}
    left: list[dict[str, object]] = []
    odd: list[OddRow] = []
    height = len(fast.lines)
    for number, line in enumerate(lines):
        row = rows.get(number)
        if row is not None:
            places[row] = len(order)
            if number in fast.told:
                odd.append(fast.told[number]._replace(row=len(order)))
            order.append(row)
            continue
        values, found = read_record(line, target)
        odd += [one._replace(row=one.row + len(order)) for one in found]
        order += range(height + len(left), height + len(left) + len(values))
        left += values
    columns = _interleave(fast, columns_of(left, target.data), order)
    moved = (_moved(one, places) for one in fast.leftovers)
    return Rows(columns, len(order), tuple(odd), _with_rows(moved))


def _interleave(fast: Fast, left: tuple[pa.Array, ...], order: list[int]) -> tuple[pa.Array, ...]:
    places = pa.array(order, pa.int64())
    return tuple(
        pa.concat_arrays([column, other.cast(column.type)]).take(places)
        for column, other in zip(fast.columns, left, strict=True)
    )


def _moved(one: Leftover, places: dict[int, int]) -> Leftover:
    """Give the leftovers of rows that stayed, at their places."""
    kept = [
        (places[row], text) for row, text in zip(one.rows, one.texts, strict=True) if row in places
    ]
    return one._replace(rows=[row for row, _ in kept], texts=[text for _, text in kept])


def _with_rows(leftovers: Iterable[Leftover]) -> tuple[Leftover, ...]:
    return tuple(one for one in leftovers if one.rows)

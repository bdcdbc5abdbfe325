"""Misfits and unknown fields to the rescued column: compact JSON, only for the rows concerned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


FILE_PATH = "_file_path"
"""The last key of the rescued JSON."""

_ESCAPED = r'["\\\x00-\x1f]'
"""Characters that JSON text must escape (RFC 8259, 7)."""


@dataclass(frozen=True, slots=True)
class Rescued:
    """Texts of one field that go to the rescued column: row numbers, ascending, and their texts."""

    name: str
    rows: pl.Series
    texts: pl.Series


@dataclass(frozen=True, slots=True)
class RescuedJson:
    """As `Rescued`, but the texts are JSON already."""

    name: str
    rows: pl.Series
    texts: pl.Series


def build_rescued(
    height: int,
    parts: Sequence[Rescued | RescuedJson],
    path_members: Callable[[pl.Series], pl.Series] | None,
) -> pl.Series:
    """Make the rescued column of so many rows; null where nothing was rescued.

    Members keep the order of `parts`; `_file_path` is last (contract 5.1). `path_members` gives
    rows their last member (see `json_members`); None leaves it out.
    """
    parts = [part for part in parts if len(part.rows)]
    if not parts:
        return pl.Series([None], dtype=pl.String).new_from_index(0, height)
    rows, members = _by_row(parts)
    if path_members is not None:
        members.append(path_members(rows))
    return _spread_to(_objects(members), rows, height)


def json_members(name: str, texts: pl.Series) -> pl.Series:
    r"""Write `"name":"text"`, escaped as JSON.

    >>> json_members("a", pl.Series(["x", 'say "y"'])).to_list()
    ['"a":"x"', '"a":"say \\"y\\""']
    """
    if texts.str.contains(_ESCAPED).any():
        objects = texts.alias(name).to_frame().select(pl.struct(pl.first()).struct.json_encode())
        return objects.to_series().str.strip_prefix("{").str.strip_suffix("}")
    key = orjson.dumps(name).decode()
    member = pl.concat_str([pl.lit(f'{key}:"'), pl.first(), pl.lit('"')])
    return texts.to_frame().select(member).to_series()


def json_string(texts: pl.Series) -> pl.Series:
    r"""Write texts as JSON strings, null as null.

    >>> json_string(pl.Series(['say "y"', None])).to_list()
    ['"say \\"y\\""', None]
    """
    members = json_members("", texts.fill_null("")).str.strip_prefix('"":')
    nothing = pl.Series([None], dtype=pl.String).new_from_index(0, len(texts))
    return members.zip_with(texts.is_not_null(), nothing)


def _objects(members: list[pl.Series]) -> pl.Series:
    """Join the members of each row, leaving out nulls."""
    frame = pl.DataFrame([one.alias(str(at)) for at, one in enumerate(members)])
    inside = pl.concat_str(pl.all(), separator=",", ignore_nulls=True)
    return frame.select(pl.concat_str([pl.lit("{"), inside, pl.lit("}")])).to_series()


def _members(part: Rescued | RescuedJson) -> pl.Series:
    match part:
        case Rescued(name, _, texts):
            return json_members(name, texts)
        case RescuedJson(name, _, texts):
            key = pl.lit(f"{orjson.dumps(name).decode()}:")
            return texts.to_frame().select(pl.concat_str([key, pl.first()])).to_series()


def _by_row(parts: Sequence[Rescued | RescuedJson]) -> tuple[pl.Series, list[pl.Series]]:
    """Give the rows of all parts, and columns of members that belong to them."""
    members = [_members(part) for part in parts]
    first = parts[0].rows
    if all(len(part.rows) == len(first) and part.rows.equals(first) for part in parts[1:]):
        return first, members
    every = pl.concat([part.rows for part in parts])
    order = every.arg_sort()
    rows = every.gather(order)
    if not (rows == rows.shift()).any():  # no row has two members
        return rows, [pl.concat(members, rechunk=True).gather(order)]
    rows = rows.unique(maintain_order=True)
    return rows, [
        _spread_to(one, rows.search_sorted(part.rows), len(rows))
        for one, part in zip(members, parts, strict=True)
    ]


def _spread_to(values: pl.Series, places: pl.Series, height: int) -> pl.Series:
    """Put values at ascending places of a column of this height; null elsewhere."""
    if len(values) == height:
        return values
    nowhere = pl.Series([None], dtype=pl.UInt32).new_from_index(0, height)
    order = pl.int_range(len(values), dtype=pl.UInt32, eager=True)
    return values.gather(nowhere.scatter(places, order))

"""Misfits and unknown fields to the rescued column: compact JSON, only for the rows concerned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable


FILE_PATH = "_file_path"
"""The last key of the rescued JSON."""


@dataclass(frozen=True, slots=True)
class Rescued:
    """Texts of one field that go to the rescued column: row numbers, ascending, and their texts."""

    name: str
    rows: pl.Series
    texts: pl.Series


def build_rescued(
    height: int, parts: list[Rescued], paths_of: Callable[[pl.Series], pl.Series] | None
) -> pl.Series:
    """Make the rescued column of so many rows; null where nothing was rescued.

    Members keep the order of `parts`; `_file_path` is last (contract 5.1). `paths_of` gives the
    paths of rows' files; None leaves them out.
    """
    nulls = pl.Series([None], dtype=pl.String).new_from_index(0, height)
    parts = [part for part in parts if len(part.rows)]
    if not parts:
        return nulls
    rows, members = _join(parts)
    if paths_of is not None:
        members = members + "," + _members(FILE_PATH, paths_of(rows))
    objects = "{" + members + "}"
    return objects if len(rows) == height else nulls.scatter(rows, objects)


def _join(parts: list[Rescued]) -> tuple[pl.Series, pl.Series]:
    """Join the members of each row."""
    members = [_members(part.name, part.texts) for part in parts]
    rows = parts[0].rows
    if all(len(part.rows) == len(rows) and part.rows.equals(rows) for part in parts[1:]):
        frame = pl.DataFrame([one.alias(str(at)) for at, one in enumerate(members)])
        return rows, frame.select(pl.concat_str(pl.all(), separator=",")).to_series()
    every = pl.DataFrame(
        {"row": pl.concat([part.rows for part in parts]), "member": pl.concat(members)}
    )
    joined = (
        every.sort("row", maintain_order=True)
        .group_by("row", maintain_order=True)
        .agg(pl.col("member").str.join(","))
    )
    return joined["row"], joined["member"]


def _members(name: str, texts: pl.Series) -> pl.Series:
    """Write `"name":"text"`, escaped as JSON."""
    frame = texts.alias(name).to_frame()
    objects = frame.select(pl.struct(pl.first()).struct.json_encode()).to_series()
    return objects.str.strip_prefix("{").str.strip_suffix("}").alias("member")

"""Folder values that do not fit their columns, into the rescued column of their files' rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import polars as pl

from ingest.rescue import FILE_PATH, json_members

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from ingest.partitions.runs import Run, RunValues

_NEWEST = pl.CompatLevel.newest()


def add_to_rescued(
    rescued: pa.Array, runs: tuple[Run, ...], columns: Sequence[RunValues], *, file_path: bool
) -> tuple[pa.Array, int]:
    """Give the rescued column with the misfits of the paths, and how many rows are new in it.

    Only the rows of files with a misfit are touched. `file_path` tells whether each object ends
    with `_file_path` (contract 5.1); misfits go before it.
    """
    misfits = {place: text for place in range(len(runs)) if (text := _members(place, columns))}
    if not misfits:
        return rescued, 0
    concerned = [runs[place] for place in misfits]
    known = pl.Series(rescued, dtype=pl.String)
    rows = pl.concat(
        [pl.int_range(run.start, run.start + run.rows, eager=True) for run in concerned]
    )
    per_row = pl.DataFrame(
        {"members": list(misfits.values()), "end": _ends(concerned, file_path=file_path)}
    ).select(pl.all().repeat_by(pl.Series([run.rows for run in concerned])).explode())
    found = known.scatter(rows, _with_members(known.gather(rows), per_row))
    return found.to_arrow(compat_level=_NEWEST), rescued.null_count - found.null_count()


def _members(place: int, columns: Sequence[RunValues]) -> str:
    """Write the misfits of one file as JSON members, in the columns' alphabetical order."""
    misfits = {
        column.field.name: column.values[place].text
        for column in columns
        if column.values[place].is_misfit
    }
    return orjson.dumps(misfits, option=orjson.OPT_SORT_KEYS).decode()[1:-1] if misfits else ""


def _ends(runs: Sequence[Run], *, file_path: bool) -> pl.Series:
    """Give what every rescued object of these files ends with."""
    if not file_path:
        return pl.Series(["}"] * len(runs), dtype=pl.String)
    return "," + json_members(FILE_PATH, pl.Series([run.file.uri for run in runs])) + "}"


def _with_members(texts: pl.Series, per_row: pl.DataFrame) -> pl.Series:
    """Put members before the end of objects, and make objects of nulls."""
    text, members, end = pl.col("text"), pl.col("members"), pl.col("end")
    longer = pl.concat_str([text.str.strip_suffix(end), pl.lit(","), members, end])
    whole = pl.coalesce(longer, pl.concat_str([pl.lit("{"), members, end]))
    return per_row.with_columns(texts.alias("text")).select(whole).to_series()

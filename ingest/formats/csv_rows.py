"""A chunk of cells to rows under a schema: cast, rescue, and tell what was met."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa

from ingest.arrow import to_arrow_type
from ingest.errors import MalformedRecordError
from ingest.formats.csv_bad_records import bad_records
from ingest.formats.csv_chunks import find_parts
from ingest.formats.csv_findings import Leftovers, Target, find_all
from ingest.formats.csv_lines import cut_block
from ingest.read_batch import Findings, ReadBatch
from ingest.rescue import FILE_PATH, Rescued, build_rescued, json_members
from ingest.stream_options import ParseMode
from ingest.text.casting import Cast, cast_column, polars_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.formats.csv_chunks import Chunk, Parts
    from ingest.formats.csv_dialect import Dialect
    from ingest.formats.csv_header import Layout
    from ingest.formats.csv_lines import Cells
    from ingest.read_batch import BadRecord

_NEWEST = pl.CompatLevel.newest()
_END = r"(?:\r\n|\n|\r)\z"
_NO_ROWS = pl.Series([], dtype=pl.UInt32)


def read_chunk(chunk: Chunk, dialect: Dialect, target: Target, before: dict[int, int]) -> ReadBatch:
    """Read a chunk's records under the schema; `before` is as in `find_parts`."""
    cells, casts, misfits = _cut_and_cast(chunk, dialect, target)
    parts = find_parts(chunk, cells.columns.height, before)
    return _read_rows(cells, casts, misfits, parts, target)


def _cut_and_cast(
    chunk: Chunk, dialect: Dialect, target: Target
) -> tuple[Cells, list[Cast | None], tuple[Rescued, ...]]:
    """Cut and cast; cells of numbers and times are checked by the cast (see `cut_block`)."""
    block = chunk.block
    checked = frozenset(_checked_by_cast(target))
    cells = cut_block(block, target.layout.width, dialect, unchecked=checked)
    casts = _cast_columns(cells.columns, target)
    misfits = _misfits(cells.columns, target, casts)
    marks = [dialect.quote, dialect.escape]
    if any(one.texts.str.contains_any(marks).any() for one in misfits):
        cells = cut_block(block, target.layout.width, dialect)
        casts = _cast_columns(cells.columns, target)
        misfits = _misfits(cells.columns, target, casts)
    return cells, casts, misfits


def _checked_by_cast(target: Target) -> Iterator[int]:
    """Give the cells whose type has no text with quotes."""
    for field, position in zip(target.schema, target.layout.positions, strict=True):
        data_type = polars_type(field.data_type)
        if position is not None and data_type not in {None, pl.String(), pl.Binary()}:
            yield position


def _read_rows(
    cells: Cells,
    casts: list[Cast | None],
    misfits: tuple[Rescued, ...],
    parts: Parts,
    target: Target,
) -> ReadBatch:
    left = Leftovers(
        _unknown_cells(cells.columns, target.layout),
        cells.ragged.surplus,
        misfits,
        _changes(cells.columns, target, casts),
    )
    malformed = _malformed_rows(cells, left, target)
    dropped, bad = _set_aside(cells, parts, target, left, malformed)
    if len(dropped):
        left = left.without(dropped)
    rescued = _rescue(cells.columns.height, left, parts, target)
    findings = find_all(cells, parts, target, left, _NO_ROWS if bad else dropped)
    findings += Findings(bad_records=len(bad))
    if rescued is not None:
        findings += Findings(rescued_rows=len(rescued) - rescued.null_count())
    columns = _assemble(cells, target, casts, malformed)
    height = cells.columns.height
    if len(dropped):
        kept = _kept_rows(height, dropped)
        columns = [column if column is None else column.gather(kept) for column in columns]
        rescued = rescued if rescued is None else rescued.gather(kept)
        height = len(kept)
    rows = _to_arrow(columns, rescued, target, height=height)
    return ReadBatch(rows, findings, bad, parts.without(dropped))


def _cast_columns(columns: pl.DataFrame, target: Target) -> list[Cast | None]:
    return [
        None
        if position is None
        else cast_column(columns.to_series(position), field.data_type, target.settings)
        for field, position in zip(target.schema, target.layout.positions, strict=True)
    ]


def _misfits(
    columns: pl.DataFrame, target: Target, casts: list[Cast | None]
) -> tuple[Rescued, ...]:
    return _texts(columns, target, [None if cast is None else cast.misfits for cast in casts])


def _changes(
    columns: pl.DataFrame, target: Target, casts: list[Cast | None]
) -> tuple[Rescued, ...]:
    return _texts(columns, target, [None if cast is None else cast.changed for cast in casts])


def _texts(
    columns: pl.DataFrame, target: Target, rows: list[pl.Series | None]
) -> tuple[Rescued, ...]:
    """Take the texts of these rows of each column, in the columns' alphabetical order."""
    found = [
        Rescued(field.name, some, columns.to_series(position).gather(some))
        for field, position, some in zip(target.schema, target.layout.positions, rows, strict=True)
        if position is not None and some is not None
    ]
    return tuple(sorted(found, key=lambda one: one.name))


def _unknown_cells(columns: pl.DataFrame, layout: Layout) -> tuple[Rescued, ...]:
    found = []
    for position, name in layout.unknown:
        cells = columns.to_series(position)
        if cells.null_count() < len(cells):
            found.append(Rescued(name, cells.is_not_null().arg_true(), cells.drop_nulls()))
    return tuple(found)


def _malformed_rows(cells: Cells, left: Leftovers, target: Target) -> pl.Series:
    """Give the records of a wrong length, and without a rescued column those with a misfit."""
    rows = [cells.ragged.rows]
    if not target.rescues:
        rows += [misfits.rows for misfits in left.misfits]
    return pl.concat(rows).unique().sort() if len(rows) > 1 else rows[0]


def _set_aside(
    cells: Cells, parts: Parts, target: Target, left: Leftovers, malformed: pl.Series
) -> tuple[pl.Series, tuple[BadRecord, ...]]:
    """Tell which records are no rows of the result, and give them if `badRecordsPath` is set.

    Malformed records stay in PERMISSIVE mode without that option.
    """
    if not len(malformed):
        return _NO_ROWS, ()
    match target.settings.parse_mode:
        case ParseMode.FAILFAST:
            raise _malformed_error(cells, parts, target, malformed)
        case ParseMode.DROPMALFORMED:
            return malformed, ()
        case ParseMode.PERMISSIVE if target.settings.bad_records_path is not None:
            return malformed, bad_records(cells, parts, target, left, malformed)
        case ParseMode.PERMISSIVE:
            return _NO_ROWS, ()


def _malformed_error(
    cells: Cells, parts: Parts, target: Target, malformed: pl.Series
) -> MalformedRecordError:
    first = malformed.head(1)
    part, _, _ = next(parts.split(first))
    return MalformedRecordError(
        part.file.uri,
        row=first[0] - part.start + part.before + 1,
        record=cells.lines(first)[0],
        expected=f"records of {target.layout.width} cells that fit their columns",
    )


def _rescue(height: int, left: Leftovers, parts: Parts, target: Target) -> pl.Series | None:
    if not target.rescues:
        return None
    rescuable = list(left.rescuable(target))
    if not target.settings.file_path_in_rescued:
        return build_rescued(height, rescuable, None)
    uris = pl.Series([part.file.uri for part in parts.parts], dtype=pl.String)
    members = json_members(FILE_PATH, uris)
    return build_rescued(height, rescuable, lambda rows: members.gather(parts.of_rows(rows)))


def _assemble(
    cells: Cells,
    target: Target,
    casts: list[Cast | None],
    malformed: pl.Series,
) -> list[pl.Series | None]:
    """Give the schema's columns; None for one that is null throughout."""
    return [
        _corrupt_column(cells, malformed)
        if place == target.layout.corrupt
        else None
        if cast is None or cast.values.dtype == pl.Null
        else cast.values
        for place, cast in enumerate(casts)
    ]


def _to_arrow(
    columns: list[pl.Series | None], rescued: pl.Series | None, target: Target, *, height: int
) -> pa.RecordBatch:
    arrays = [
        pa.nulls(height, to_arrow_type(field.data_type))
        if column is None
        else column.to_arrow(compat_level=_NEWEST)
        for field, column in zip(target.schema, columns, strict=True)
    ]
    names = list(target.schema.names)
    if rescued is not None:
        arrays.append(rescued.to_arrow(compat_level=_NEWEST))
        names.append(str(target.settings.rescued_column))
    return pa.RecordBatch.from_arrays(arrays, names=names)


def _corrupt_column(cells: Cells, malformed: pl.Series) -> pl.Series:
    """Give the text of malformed records without a line end (`UnivocityParser.currentInput`)."""
    nulls = pl.Series([None], dtype=pl.String).new_from_index(0, cells.columns.height)
    if not len(malformed):
        return nulls
    return nulls.scatter(malformed, cells.lines(malformed).str.replace(_END, ""))


def _kept_rows(height: int, dropped: pl.Series) -> pl.Series:
    rows = pl.Series(range(height), dtype=pl.UInt32)
    return rows.filter(~rows.is_in(dropped.implode()))

"""Rows of JSON to a read batch: parse modes, corrupt records, the rescued column (contract 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa

from ingest.arrow import to_arrow_type
from ingest.errors import MalformedRecordError
from ingest.formats.json_findings import find_all, find_leftovers, is_malformed
from ingest.formats.json_fitting import MISFITS, Met
from ingest.formats.json_records import record_text
from ingest.formats.json_writing import write_compact
from ingest.read_batch import BadRecord, Findings, ReadBatch
from ingest.rescue import FILE_PATH, RescuedJson, build_rescued, json_members
from ingest.stream_options import ParseMode

if TYPE_CHECKING:
    from ingest.file_entry import FileEntry
    from ingest.formats.json_raw import Leftover
    from ingest.formats.json_rows import JsonTarget, OddRow, Rows

_CONDITION = "[MALFORMED_RECORD_IN_PARSING]"
_EXPECTED = "JSON objects whose values fit their columns"


def make_batch(rows: Rows, target: JsonTarget, file: FileEntry, before: int) -> ReadBatch:
    """Make the batch of some rows of a file; `before` of its rows came earlier.

    Raises `MalformedRecordError` in FAILFAST.
    """
    odd = tuple(one for one in rows.odd if one.is_row)
    malformed = [one for one in odd if is_malformed(one, target)]
    dropped, bad = _set_aside(malformed, target, file, before)
    findings = find_all(
        rows.odd, frozenset() if bad else dropped, target, (file, before)
    ) + Findings(bad_records=len(bad))
    kept = [one for one in odd if one.row not in dropped]
    rescued = _rescued(kept, rows, file, target)
    findings = _in_order(findings, find_leftovers(rows.leftovers, target, (file, before)))
    if rescued is not None:
        findings += Findings(rescued_rows=len(rescued) - rescued.null_count)
    batch = _assemble(rows, target, malformed, rescued)
    if dropped:
        batch = batch.take(pa.array(sorted(set(range(rows.height)) - dropped), pa.int64()))
    return ReadBatch(batch, findings, bad, ((file, batch.num_rows),))


def _in_order(odd: Findings, others: Findings) -> Findings:
    """Add findings of the same rows up: of unknown fields the first row's count."""
    unknown = sorted(odd.unknown + others.unknown, key=lambda one: one.row)
    return Findings(unknown=tuple(unknown)) + odd + others


def _set_aside(
    malformed: list[OddRow], target: JsonTarget, file: FileEntry, before: int
) -> tuple[frozenset[int], tuple[BadRecord, ...]]:
    """Tell which rows are none of the result, and give them if `badRecordsPath` is set."""
    rows = frozenset(one.row for one in malformed)
    match target.settings.parse_mode:
        case ParseMode.FAILFAST if malformed:
            raise MalformedRecordError(
                file.uri,
                row=before + malformed[0].row + 1,
                record=record_text(malformed[0].raw),
                expected=_EXPECTED,
            )
        case ParseMode.DROPMALFORMED:
            return rows, ()
        case ParseMode.PERMISSIVE if target.settings.bad_records_path is not None:
            return rows, tuple(
                BadRecord(file.uri, record_text(one.raw), f"{_CONDITION} {_reason(one)}")
                for one in malformed
            )
        case _:
            return frozenset(), ()


def _reason(one: OddRow) -> str:
    if one.problem is not None:
        return one.problem
    if one.others:
        return "another object of the array does not fit"
    note = next(note for note in one.notes if note.met in MISFITS)
    return f"{write_compact(note.value)} does not fit the column {'.'.join(note.path)}"


def _rescued(odd: list[OddRow], rows: Rows, file: FileEntry, target: JsonTarget) -> pa.Array | None:
    if not target.rescues:
        return None
    if not odd and not rows.leftovers:
        return pa.nulls(rows.height, pa.string())
    path = json_members(FILE_PATH, pl.Series([file.uri]))
    keeps_path = target.settings.file_path_in_rescued
    column = build_rescued(
        rows.height,
        [_part(one) for one in _ordered(rows.leftovers)],
        (lambda found: path.new_from_index(0, len(found))) if keeps_path else None,
    )
    if not odd:
        return column.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(pa.string())
    texts = column.to_list()
    end = f",{path[0]}}}" if keeps_path else "}"
    for one in odd:
        if one.rescued is not None:
            texts[one.row] = one.rescued[:-1] + end
    return pa.array(texts, pa.string())


def _ordered(leftovers: tuple[Leftover, ...]) -> list[Leftover]:
    """Put the members of rows with leftovers in order: unknown fields, then misfits by name."""
    unknown = [one for one in leftovers if one.met is Met.UNKNOWN]
    misfits = [one for one in leftovers if one.met is Met.MISFIT]
    return unknown + sorted(misfits, key=lambda one: one.name)


def _part(one: Leftover) -> RescuedJson:
    return RescuedJson(
        one.name, pl.Series(one.rows, dtype=pl.UInt32), pl.Series(one.texts, dtype=pl.String)
    )


def _assemble(
    rows: Rows, target: JsonTarget, malformed: list[OddRow], rescued: pa.Array | None
) -> pa.RecordBatch:
    columns = dict(zip(target.data.names, rows.columns, strict=True))
    arrays = [
        columns[field.name] if field.name in columns else _corrupt(malformed, rows.height)
        for field in target.schema
    ]
    fields = [
        pa.field(field.name, to_arrow_type(field.data_type), nullable=True)
        for field in target.schema
    ]
    if rescued is not None:
        arrays.append(rescued)
        fields.append(pa.field(str(target.settings.rescued_column), pa.string()))
    if not arrays:
        return pa.RecordBatch.from_struct_array(pa.array([{}] * rows.height, pa.struct([])))
    schema = pa.schema(
        [field.with_type(array.type) for field, array in zip(fields, arrays, strict=True)]
    )
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _corrupt(malformed: list[OddRow], height: int) -> pa.Array:
    texts: list[str | None] = [None] * height
    for one in malformed:
        texts[one.row] = record_text(one.raw)
    return pa.array(texts, pa.string())

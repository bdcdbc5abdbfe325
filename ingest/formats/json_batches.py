"""Rows of JSON to a read batch: parse modes, corrupt records, the rescued column (contract 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa

from ingest.arrow import to_arrow_type
from ingest.errors import MalformedRecordError
from ingest.formats.json_findings import find_all, find_leftovers, is_malformed
from ingest.formats.json_fitting import Met
from ingest.formats.json_records import record_text
from ingest.formats.json_writing import quote, write_compact
from ingest.read_batch import BadRecord, Findings, ReadBatch
from ingest.rescue import FILE_PATH, json_members
from ingest.stream_options import ParseMode

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    note = next(note for note in one.notes if note.met is Met.MISFIT)
    return f"{write_compact(note.value)} does not fit the column {'.'.join(note.path)}"


def _rescued(odd: list[OddRow], rows: Rows, file: FileEntry, target: JsonTarget) -> pa.Array | None:
    if not target.rescues:
        return None
    texts: list[str | None] = [None] * rows.height
    end = "}"
    if target.settings.file_path_in_rescued:
        end = f",{json_members(FILE_PATH, pl.Series([file.uri]))[0]}}}"
    for one in odd:
        if one.rescued is not None:
            texts[one.row] = one.rescued[:-1] + end
    for row, members in _members(rows.leftovers):
        texts[row] = f"{{{members}{end}"
    return pa.array(texts, pa.string())


def _members(leftovers: tuple[Leftover, ...]) -> Iterator[tuple[int, str]]:
    """Give the members of rows with leftovers: unknown fields, then misfits by name."""
    ordered = [one for one in leftovers if one.met is Met.UNKNOWN]
    ordered += sorted((one for one in leftovers if one.met is Met.MISFIT), key=lambda one: one.name)
    if len(ordered) == 1:
        key = quote(ordered[0].name)
        for row, text in zip(ordered[0].rows, ordered[0].texts, strict=True):
            yield row, f"{key}:{text}"
        return
    members: dict[int, list[str]] = {}
    for one in ordered:
        key = quote(one.name)
        for row, text in zip(one.rows, one.texts, strict=True):
            members.setdefault(row, []).append(f"{key}:{text}")
    for row, each in members.items():
        yield row, ",".join(each)


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
        return pa.RecordBatch.from_pylist([{}] * rows.height, pa.schema([]))
    schema = pa.schema(
        [field.with_type(array.type) for field, array in zip(fields, arrays, strict=True)]
    )
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _corrupt(malformed: list[OddRow], height: int) -> pa.Array:
    texts: list[str | None] = [None] * height
    for one in malformed:
        texts[one.row] = record_text(one.raw)
    return pa.array(texts, pa.string())

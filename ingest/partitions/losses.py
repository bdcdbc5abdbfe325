"""What partition columns leave out, for the loss ledger (contract 9.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow.compute as pc

from ingest.formats.arrow_json import json_texts
from ingest.ledger import (
    MAX_EXAMPLE_LENGTH,
    MAX_EXAMPLES,
    LedgerEntry,
    LossExample,
    LossKind,
)
from schema_store.types import DateType

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from ingest.partitions.runs import Run, RunValues

MISFIT = "the folder's value does not fit the column's type"
FOLDER_WINS = "the folder's value wins over the file's"
ROUNDED = "the folder's value was rounded to the column's scale"
TIME_CUT = "the time of day of the folder's value was cut off"


def misfit_entries(runs: tuple[Run, ...], column: RunValues) -> Iterator[LedgerEntry]:
    """Tell values of folders that are gone, where nothing is rescued."""
    for run, value in zip(runs, column.values, strict=True):
        if value.is_misfit:
            yield _of_all_rows(run, LossKind.DROPPED, column, MISFIT, str(value.text))


def changed_entries(runs: tuple[Run, ...], column: RunValues) -> Iterator[LedgerEntry]:
    """Tell values of folders that were rounded or cut (contract 11.5, 11.19)."""
    reason = TIME_CUT if isinstance(column.field.data_type, DateType) else ROUNDED
    for run, value in zip(runs, column.values, strict=True):
        if value.converted is not None and value.converted.changed:
            yield _of_all_rows(run, LossKind.CHANGED, column, reason, str(value.text))


def differing_entries(
    runs: tuple[Run, ...], column: str, in_file: pa.Array, in_path: pa.Array
) -> Iterator[LedgerEntry]:
    """Tell values in a file's own column that its folder's value replaces (contract 11.9).

    Both arrays are of the type that the column has in the files.
    """
    lost = in_file.is_valid()
    if in_path.null_count < len(in_path):
        same = pc.fill_null(pc.equal(in_file.cast(in_path.type), in_path), fill_value=False)
        lost = pc.and_(lost, pc.invert(same))
    if not pc.any(lost).as_py():
        return
    for run in runs:
        rows = pc.indices_nonzero(lost.slice(run.start, run.rows))
        if len(rows):
            examples = tuple(
                LossExample(run.before + row + 1, _cut(_shown(in_file, run.start + row)))
                for row in rows[:MAX_EXAMPLES].to_pylist()
            )
            uri = run.file.uri
            yield LedgerEntry(LossKind.DROPPED, uri, column, FOLDER_WINS, len(rows), examples)


def _of_all_rows(
    run: Run, kind: LossKind, column: RunValues, reason: str, text: str
) -> LedgerEntry:
    rows = range(run.before + 1, run.before + 1 + min(run.rows, MAX_EXAMPLES))
    examples = tuple(LossExample(row, _cut(text)) for row in rows)
    return LedgerEntry(kind, run.file.uri, column.field.name, reason, run.rows, examples)


def _shown(values: pa.Array, place: int) -> str:
    try:
        return str(values[place].as_py())
    except (OverflowError, ValueError):  # years that Python does not know
        return str(json_texts(values.slice(place, 1))[0]).strip('"')


def _cut(text: str) -> str:
    return text[:MAX_EXAMPLE_LENGTH]

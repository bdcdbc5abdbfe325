"""Malformed records of CSV as they are written to `badRecordsPath`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.read_batch import BadRecord
from schema_store.ddl import type_to_sql

if TYPE_CHECKING:
    import polars as pl

    from ingest.formats.csv_chunks import Parts
    from ingest.formats.csv_findings import Leftovers, Target
    from ingest.formats.csv_lines import Cells

_CONDITION = "[MALFORMED_CSV_RECORD]"


def bad_records(
    cells: Cells, parts: Parts, target: Target, left: Leftovers, malformed: pl.Series
) -> tuple[BadRecord, ...]:
    """Give these records with their files, and why each is malformed.

    A wrong length is named first; a misfit only where nothing is rescued.
    """
    reasons = _reasons(cells, target, left)
    return tuple(
        BadRecord(path, text, f"{_CONDITION} {reasons[row]}")
        for row, path, text in zip(
            malformed.to_list(), parts.paths(malformed), cells.lines(malformed), strict=True
        )
    )


def _reasons(cells: Cells, target: Target, left: Leftovers) -> dict[int, str]:
    reasons: dict[int, str] = {}
    for misfits in () if target.rescues else left.misfits:
        field = target.schema.find(misfits.name)
        assert field is not None
        wanted = type_to_sql(field.data_type)
        for row, text in zip(misfits.rows.to_list(), misfits.texts.to_list(), strict=True):
            reasons.setdefault(row, f"{text!r} in column {misfits.name} is no {wanted}")
    expected = target.layout.width
    ragged = zip(cells.ragged.rows.to_list(), cells.ragged.lengths.to_list(), strict=True)
    lengths = {row: f"{length} cells, expected {expected}" for row, length in ragged}
    return reasons | lengths

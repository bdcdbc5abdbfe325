"""A piece of a Parquet file to rows under the schema, with what was met on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa

from ingest.errors import AncientDatetimeError, DamagedParquetError
from ingest.formats.arrow_json import json_texts
from ingest.formats.arrow_text import rows_not_utf_8
from ingest.formats.csv_findings import NAME_TAKEN, UNKNOWN_COLUMN
from ingest.formats.parquet_fit import Fitted, Left, LeftKind, extras_left, fit_part
from ingest.formats.parquet_plan import extras, misfits
from ingest.formats.parquet_values import NOT_UTF_8, OLD_CALENDAR, AncientDateError
from ingest.ledger import (
    MAX_EXAMPLE_LENGTH,
    MAX_EXAMPLES,
    LedgerEntry,
    LossExample,
    LossKind,
    sum_entries,
)
from ingest.read_batch import Findings, Misfits, ReadBatch, UnknownField
from ingest.rescue import FILE_PATH, RescuedJson, build_rescued, json_members
from schema_store.type_names import path_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.file_entry import FileEntry
    from ingest.formats.parquet_plan import Part, StructPlan
    from ingest.stream_options import ReadSettings
    from schema_store.types import DataType, FieldPath


@dataclass(frozen=True, slots=True)
class FileTarget:
    """A file and how its columns become those of the schema.

    `calendar_assumed`: nobody wrote down in which calendar its old dates are.
    """

    file: FileEntry
    plan: StructPlan
    settings: ReadSettings
    calendar_assumed: bool


def fit_rows(batch: pa.RecordBatch, before: int, target: FileTarget) -> ReadBatch:
    """Give rows in the schema's columns; `before` rows of the file came earlier.

    Raises `DamagedParquetError`, `AncientDatetimeError`.
    """
    plan, height = target.plan, batch.num_rows
    arrays = batch.columns
    fitted = [_fit_column(arrays, part, height, target) for part in plan.parts]
    left = [left for one in fitted for left in one.left]
    left += extras_left(arrays, plan.extras, None)
    names = [part.name for part in plan.parts]
    columns = [one.values for one in fitted]
    findings = _findings(left, before, target)
    if target.settings.rescued_column is not None:
        rescued, lost = _rescue(arrays, fitted, before, target)
        names.append(target.settings.rescued_column)
        columns.append(rescued.to_arrow(compat_level=pl.CompatLevel.newest()))
        findings += Findings(rescued_rows=height - rescued.null_count(), losses=lost)
    found = pa.RecordBatch.from_arrays(columns, names=names)
    return ReadBatch(found, findings, (), ((target.file, height),))


def _fit_column(arrays: list[pa.Array], part: Part, height: int, target: FileTarget) -> Fitted:
    try:
        return fit_part(arrays, part, height, None)
    except AncientDateError as error:
        raise AncientDatetimeError(target.file.uri, column=part.name, value=error.value) from error
    except pa.ArrowInvalid as error:
        raise DamagedParquetError(target.file.uri, str(error), column=part.name) from error


def _rescue(
    arrays: list[pa.Array], fitted: list[Fitted], before: int, target: FileTarget
) -> tuple[pl.Series, tuple[LedgerEntry, ...]]:
    """Give the rescued column, and what cannot go there because its name is taken (11.10)."""
    settings = target.settings
    taken = {FILE_PATH} if settings.file_path_in_rescued else set()
    members: list[RescuedJson] = []
    lost: list[LedgerEntry] = []
    for name, texts in _leftovers(arrays, fitted, target):
        rows = texts.is_not_null().arg_true()
        member = RescuedJson(name, rows, texts.gather(rows))
        if name in taken:
            what = LossKind.DROPPED, path_text((name,)), NAME_TAKEN
            lost.append(_entry(what, rows, member.texts, before, target))
        else:
            taken.add(name)
            members.append(member)
    height = len(arrays[0]) if arrays else 0
    if not settings.file_path_in_rescued:
        return build_rescued(height, members, None), tuple(lost)

    def path_members(rows: pl.Series) -> pl.Series:
        member = json_members(FILE_PATH, pl.Series([target.file.uri]))
        return member.new_from_index(0, len(rows))

    return build_rescued(height, members, path_members), tuple(lost)


def _leftovers(
    arrays: list[pa.Array], fitted: list[Fitted], target: FileTarget
) -> Iterator[tuple[str, pl.Series]]:
    """Give what is left over by name: unknown columns in file order, then the others (5.1)."""
    for extra in target.plan.extras:
        texts = json_texts(arrays[extra.position])
        if texts.null_count() < len(texts):
            yield extra.name, texts
    found = [
        (part.name, one.residue)
        for part, one in zip(target.plan.parts, fitted, strict=True)
        if one.residue is not None and one.residue.null_count() < len(one.residue)
    ]
    yield from sorted(found, key=lambda pair: pair[0])


def _findings(left: list[Left], before: int, target: FileTarget) -> Findings:
    settings = target.settings
    observed: dict[FieldPath, DataType | None] = {}
    if settings.observe_misfits:
        observed = {one.path: one.observed for one in misfits(target.plan)}
    evolving = {extra.path for extra in extras(target.plan) if extra.evolves}
    return Findings(
        unknown=tuple(
            UnknownField(one.path, target.file, _example(one))
            for one in left
            if one.kind is LeftKind.UNKNOWN and one.path in evolving
        ),
        misfits=tuple(
            Misfits(one.path, target.file, len(one.rows), _example(one), observed.get(one.path))
            for one in left
            if one.kind is LeftKind.MISFIT
        ),
        losses=sum_entries(_losses(left, before, target)),
    )


def _losses(left: list[Left], before: int, target: FileTarget) -> Iterator[LedgerEntry]:
    rescues = target.settings.rescued_column is not None
    for one in left:
        column = path_text(one.path)
        match one.kind:
            case LeftKind.UNKNOWN if not rescues:
                what = LossKind.DROPPED, column, UNKNOWN_COLUMN
            case LeftKind.UNKNOWN | LeftKind.MISFIT if rescues:
                wrong = rows_not_utf_8(one.values)
                if not len(wrong):
                    continue
                one = Left(  # noqa: PLW2901 - of its values only these are told
                    one.kind, one.path, one.rows.gather(wrong), one.values.take(wrong.to_arrow())
                )
                what = LossKind.CHANGED, column, NOT_UTF_8
            case LeftKind.CHANGED if one.reason != OLD_CALENDAR or target.calendar_assumed:
                what = LossKind.CHANGED, column, one.reason
            case _:
                continue
        yield _entry(what, one.rows, json_texts(one.values.slice(0, MAX_EXAMPLES)), before, target)


def _entry(
    what: tuple[LossKind, str, str],
    rows: pl.Series,
    texts: pl.Series,
    before: int,
    target: FileTarget,
) -> LedgerEntry:
    """Count lost or changed values, with the first ones as examples."""
    kind, column, reason = what
    pairs = zip(rows.head(MAX_EXAMPLES), texts.head(MAX_EXAMPLES), strict=True)
    examples = tuple(
        LossExample(before + row + 1, text[:MAX_EXAMPLE_LENGTH]) for row, text in pairs
    )
    return LedgerEntry(kind, target.file.uri, column, reason, len(rows), examples)


def _example(one: Left) -> str:
    """Give the first value as JSON."""
    return str(json_texts(one.values.slice(0, 1))[0])[:MAX_EXAMPLE_LENGTH]

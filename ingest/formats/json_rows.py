"""A block of JSON records to rows under a schema, one record at a time: the exact way.

Rows come out as columns; what a record has to tell beside them is kept with its row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from ingest.arrow import to_arrow_type
from ingest.formats.json_fitting import MISFITS, FittingRules, Note, Reader, reader_of
from ingest.formats.json_records import parse_record
from ingest.rescue import FILE_PATH
from schema_store.types import StructType

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ingest.formats.json_raw import Leftover
    from ingest.stream_options import JsonSyntax, ReadSettings
    from schema_store.types import Schema


class OddRow(NamedTuple):
    """A row that has something to tell.

    `rescued` is JSON text without the file; `problem` says why the record is corrupt (then the row
    is all nulls); `rest` is text after the record's value; `is_row` is False when there is only
    something lost, before this row; `others` tells that another row of its record does not fit.
    """

    row: int
    raw: bytes
    rescued: str | None = None
    notes: tuple[Note, ...] = ()
    problem: str | None = None
    rest: str = ""
    is_row: bool = True
    others: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """The schema's columns of some records (without the one for corrupt records), in order.

    `leftovers` are of rows that are not odd.
    """

    columns: tuple[pa.Array, ...]
    height: int
    odd: tuple[OddRow, ...]
    leftovers: tuple[Leftover, ...] = ()


@dataclass(frozen=True, slots=True)
class JsonTarget:
    """What records become: the schema, its columns that records fill, and how to read them."""

    schema: Schema
    data: Schema
    settings: ReadSettings
    syntax: JsonSyntax
    read: Reader

    @property
    def rescues(self) -> bool:
        """Tell whether there is a rescued column."""
        return self.settings.rescued_column is not None


def target_of(schema: Schema, settings: ReadSettings, syntax: JsonSyntax) -> JsonTarget:
    """Prepare a schema for reading; the column of corrupt records is no field of theirs."""
    data = StructType(tuple(one for one in schema if one.name != settings.corrupt_column))
    keeps_path = settings.rescued_column is not None and settings.file_path_in_rescued
    rules = FittingRules(settings, syntax.non_numeric, FILE_PATH if keeps_path else None)
    return JsonTarget(schema, data, settings, syntax, reader_of(data, rules))


def read_records(records: Iterable[bytes], target: JsonTarget) -> Rows:
    """Read records one by one."""
    values: list[dict[str, object]] = []
    odd: list[OddRow] = []
    for raw in records:
        found, told = read_record(raw, target)
        odd += [one._replace(row=one.row + len(values)) for one in told]
        values += found
    return Rows(columns_of(values, target.data), len(values), tuple(odd))


def read_record(raw: bytes, target: JsonTarget) -> tuple[list[dict[str, object]], list[OddRow]]:
    """Give a record's rows, and what they have to tell; most records are one row."""
    record = parse_record(raw, target.syntax)
    if record is None:
        return [], []
    if record.problem is not None:
        return [{}], [OddRow(0, raw, problem=record.problem)]
    if record.rest and not record.objects:
        return [], [OddRow(0, raw, rest=record.rest, is_row=False)]
    values: list[dict[str, object]] = []
    odd: list[OddRow] = []
    for number, one in enumerate(record.objects):
        fitted = target.read(one)
        assert isinstance(fitted.value, dict)
        values.append(fitted.value)
        rest = "" if number else record.rest
        if rest or fitted.notes or fitted.rescued is not None:
            odd.append(OddRow(number, raw, fitted.rescued, fitted.notes, rest=rest))
    if len(values) > 1 and any(is_misfit(one) for one in odd):
        odd = _all_odd(odd, raw, len(values))
    return values, odd


def is_misfit(one: OddRow) -> bool:
    """Tell whether something in a row does not fit."""
    return any(note.met in MISFITS for note in one.notes)


def _all_odd(odd: list[OddRow], raw: bytes, height: int) -> list[OddRow]:
    """Give every row of an array at the top; one that does not fit is told of all (Spark)."""
    known = {one.row: one for one in odd}
    rows = [known.get(row, OddRow(row, raw)) for row in range(height)]
    return [one if is_misfit(one) else one._replace(others=True) for one in rows]


def columns_of(values: Sequence[dict[str, object]], data: Schema) -> tuple[pa.Array, ...]:
    """Put rows of values into columns."""
    return tuple(
        pa.array([row.get(field.name) for row in values], to_arrow_type(field.data_type))
        for field in data
    )

"""What a chunk of CSV met on the way, told file by file: losses, misfits, unknown fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.formats.csv_inference import fold_column
from ingest.ledger import (
    MAX_EXAMPLE_LENGTH,
    MAX_EXAMPLES,
    LedgerEntry,
    LossExample,
    LossKind,
    sum_entries,
)
from ingest.read_batch import Findings, Misfits, UnknownField
from ingest.rescue import FILE_PATH, Rescued
from ingest.text.text_types import TextType
from schema_store.types import DateType

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from ingest.formats.csv_chunks import Parts
    from ingest.formats.csv_header import Layout
    from ingest.formats.csv_lines import Cells
    from ingest.stream_options import ReadSettings
    from schema_store.types import Schema

UNKNOWN_COLUMN = "the schema has no such column"
SURPLUS_CELL = "the record has more cells than there are columns"
MISFIT = "the text does not fit the column's type"
MALFORMED_RECORD = "malformed record"
ROUNDED = "rounded to the column's scale"
TIME_CUT = "the time of day was cut off"
NAME_TAKEN = "the rescued data has another member of this name"


@dataclass(frozen=True, slots=True)
class Target:
    """What records become: the schema, where its cells are, and how to read them."""

    schema: Schema
    layout: Layout
    settings: ReadSettings

    @property
    def rescues(self) -> bool:
        """Tell whether there is a rescued column."""
        return self.settings.rescued_column is not None


@dataclass(frozen=True, slots=True)
class Leftovers:
    """Texts that have no place in a column, by kind; `changed` ones have, rounded or cut.

    Row numbers are those of the chunk.
    """

    unknown: tuple[Rescued, ...]
    surplus: tuple[Rescued, ...]
    misfits: tuple[Rescued, ...]
    changed: tuple[Rescued, ...]

    def rescuable(self, target: Target) -> Iterator[Rescued]:
        """Give what goes to the rescued column, in the order of its members (contract 5.1)."""
        return (one for one, taken in self._in_order(target) if not taken)

    def losers(self, target: Target) -> Iterator[Rescued]:
        """Give what cannot go there because its name is taken (contract 11.10)."""
        return (one for one, taken in self._in_order(target) if taken)

    def _in_order(self, target: Target) -> Iterator[tuple[Rescued, bool]]:
        file_path = FILE_PATH if target.settings.file_path_in_rescued else None
        yield from ((one, one.name == file_path) for one in self.unknown)
        yield from ((one, one.name in target.layout.names) for one in self.surplus)
        yield from ((one, one.name == file_path) for one in self.misfits)

    def without(self, rows: pl.Series) -> Leftovers:
        """Leave out records that are dropped as a whole."""
        kinds = (self.unknown, self.surplus, self.misfits, self.changed)
        return Leftovers(*(tuple(_without(one, rows) for one in kind) for kind in kinds))


def find_all(
    cells: Cells, parts: Parts, target: Target, left: Leftovers, dropped: pl.Series
) -> Findings:
    """Tell everything that was met in a chunk; `dropped` records are gone as a whole."""
    losses = [*_lost(parts, target, left), *_changed(parts, target, left)]
    if len(dropped):
        records = Rescued("", dropped, cells.lines(dropped))
        losses += _entries(parts, records, MALFORMED_RECORD, whole_record=True)
    unknown = tuple(
        field
        for position, name in target.layout.unknown
        if position in target.layout.evolving
        for field in _unknown(parts, name, cells.columns.to_series(position))
    )
    misfits = tuple(
        field for one in left.misfits for field in _misfits(parts, one, target.settings)
    )
    corrupt = len(cells.ragged.rows)
    return Findings(unknown, misfits, corrupt_records=corrupt, losses=sum_entries(losses))


def _lost(parts: Parts, target: Target, left: Leftovers) -> Iterator[LedgerEntry]:
    """Tell what is in no column: where nothing is rescued, everything left over.

    A record with a column for corrupt records is kept there whole.
    """
    if target.rescues:
        for one in left.losers(target):
            yield from _entries(parts, one, NAME_TAKEN)
        return
    for one in left.unknown:
        yield from _entries(parts, one, UNKNOWN_COLUMN)
    if target.layout.corrupt is None:
        for one in left.surplus:
            yield from _entries(parts, one, SURPLUS_CELL)
        for one in left.misfits:
            yield from _entries(parts, one, MISFIT)


def _changed(parts: Parts, target: Target, left: Leftovers) -> Iterator[LedgerEntry]:
    for one in left.changed:
        field = target.schema.find(one.name)
        is_date = field is not None and isinstance(field.data_type, DateType)
        yield from _entries(parts, one, TIME_CUT if is_date else ROUNDED, kind=LossKind.CHANGED)


def _entries(
    parts: Parts,
    lost: Rescued,
    reason: str,
    *,
    kind: LossKind = LossKind.DROPPED,
    whole_record: bool = False,
) -> Iterator[LedgerEntry]:
    """Count lost or changed texts file by file, with a few examples."""
    column = None if whole_record else lost.name
    for part, start, count in parts.split(lost.rows):
        rows = lost.rows.slice(start, min(count, MAX_EXAMPLES)).to_list()
        texts = lost.texts.slice(start, min(count, MAX_EXAMPLES)).to_list()
        examples = tuple(
            LossExample(row - part.start + part.before + 1, text[:MAX_EXAMPLE_LENGTH])
            for row, text in zip(rows, texts, strict=True)
        )
        yield LedgerEntry(kind, part.file.uri, column, reason, count, examples)


def _misfits(parts: Parts, lost: Rescued, settings: ReadSettings) -> Iterator[Misfits]:
    for part, start, count in parts.split(lost.rows):
        texts = lost.texts.slice(start, count)
        observed = None
        if settings.observe_misfits:
            prefers, rules = settings.prefers_decimal, settings.text
            folded = fold_column(texts, TextType(), prefers_decimal=prefers, rules=rules)
            observed = folded.data_type
        yield Misfits((lost.name,), part.file, count, _example(texts), observed)


def _unknown(parts: Parts, name: str, cells: pl.Series) -> Iterator[UnknownField]:
    rows = cells.is_not_null().arg_true()
    texts = cells.drop_nulls()
    for part, start, _ in parts.split(rows):
        yield UnknownField((name,), part.file, _example(texts.slice(start, 1)))


def _example(texts: pl.Series) -> str:
    return str(texts[0])[:MAX_EXAMPLE_LENGTH]


def _without(one: Rescued, rows: pl.Series) -> Rescued:
    keep = ~one.rows.is_in(rows.implode())
    return Rescued(one.name, one.rows.filter(keep), one.texts.filter(keep))

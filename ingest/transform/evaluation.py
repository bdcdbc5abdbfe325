"""Typed expressions to Arrow arrays, a record batch at a time; no loop goes over rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from ingest.arrow import to_arrow_type
from ingest.text.times import SessionTime, find_zone
from ingest.transform.arithmetic import calculate, negate
from ingest.transform.casts import cast_values
from ingest.transform.comparing import compare, one_of, one_of_constants, test_text
from ingest.transform.expressions import OnMisfit, Operator
from ingest.transform.file_metadata import metadata_of, names_of
from ingest.transform.misfits import misfit_error
from ingest.transform.operands import refuse
from ingest.transform.typed import (
    BatchTime,
    Calculated,
    Combined,
    Compared,
    Constant,
    Converted,
    FieldOf,
    FileMetadata,
    FileName,
    Inverted,
    Missing,
    Negated,
    OneOf,
    Operation,
    Source,
    TextTested,
    Typed,
)
from schema_store.types import DecimalType

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

    from ingest.file_entry import FileEntry


@dataclass(frozen=True, slots=True)
class RowOrigin:
    """Where and when rows were read: their files with numbers of rows, and the batch's start.

    `zone` is the session's time zone.
    """

    files: Sequence[tuple[FileEntry, int]]
    at: dt.datetime
    zone: str


@dataclass(slots=True)
class Rows:
    """Rows that expressions are evaluated over; what was evaluated once is kept.

    `kept_from` are the rows before the last filter, and its mask.
    """

    batch: pa.RecordBatch
    origin: RowOrigin
    kept_from: tuple[Rows, pa.Array] | None = None
    _known: dict[int, pa.Array] = field(default_factory=dict)

    def keep(self, condition: Typed) -> Rows:
        """Give the rows for which the condition is true."""
        mask = self.values(condition)
        if mask.null_count == 0 and pc.all(mask).as_py() is not False:
            return self
        return Rows(_filter(self.batch, mask), self.origin, (self, mask))

    def column(self, value: Typed) -> pa.Array:
        """Give an expression's values as a column of the result: a source column as it is."""
        if isinstance(value, Source):
            return self.batch.column(value.name)
        return self.values(value)

    def values(self, value: Typed) -> pa.Array:
        """Evaluate an expression."""
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = self._evaluate(value)
        return known

    def _evaluate(self, value: Typed) -> pa.Array:
        match value:
            case Source(name):
                return plain(self.batch.column(name))
            case Constant(constant, data_type):
                return self._repeat(pa.scalar(constant, _computed(to_arrow_type(data_type))))
            case BatchTime():
                return self._repeat(pa.scalar(self.origin.at, pa.timestamp("us", tz="UTC")))
            case FileMetadata() | FileName():
                return self._of_files(value)
            case FieldOf(child, place):
                return self._field(child, place)
            case Converted():
                return self._converted(value)
            case _:
                return self._operation(value)

    def _operation(self, value: Operation) -> pa.Array:
        match value:
            case Calculated(left=left, right=right):
                return calculate(value, self.values(left), self.values(right))
            case Negated(child):
                return negate(value, self.values(child))
            case Compared(operator, left, right):
                return compare(operator, self.values(left), self.values(right))
            case Combined(operator, left, right):
                function = pc.and_kleene if operator is Operator.AND else pc.or_kleene
                return function(self.values(left), self.values(right))
            case Inverted(child):
                return pc.invert(self.values(child))
            case Missing(child):
                return pc.is_null(self.values(child))
            case OneOf(child, options):
                return self._one_of(child, options)
            case TextTested(test, child, pattern):
                return test_text(test, self.values(child), pattern)

    def _repeat(self, value: pa.Scalar) -> pa.Array:
        return pa.repeat(value, self.batch.num_rows)

    def _field(self, child: Typed, place: int) -> pa.Array:
        if isinstance(child, FileMetadata):
            files = metadata_of([file for file, _ in self.origin.files])
            return files.field(place).take(self._places())
        return plain(pc.struct_field(self.values(child), [place]))

    def _of_files(self, value: FileMetadata | FileName) -> pa.Array:
        files = [file for file, _ in self.origin.files]
        facts = metadata_of(files) if isinstance(value, FileMetadata) else names_of(files)
        return facts.take(self._places())

    def _places(self) -> pa.Array:
        """Give for each row the number of its file."""
        if self.kept_from is not None:
            before, mask = self.kept_from
            return before._places().filter(mask)  # noqa: SLF001 - the same class
        files = self.origin.files
        if not files and self.batch.num_rows:
            refuse("_metadata of rows that are not read from files")
        runs = [
            pa.repeat(pa.scalar(place, pa.int32()), rows) for place, (_, rows) in enumerate(files)
        ]
        return pa.concat_arrays(runs) if runs else pa.array([], pa.int32())

    def _converted(self, node: Converted) -> pa.Array:
        given = self.values(node.child)
        origin = self.origin
        session = SessionTime(origin.zone, origin.at.astimezone(find_zone(origin.zone)).date())
        found = cast_values(given, node.child.data_type, node.data_type, session)
        if found.null_count > given.null_count and node.on_misfit is OnMisfit.FAIL:
            lost = given.filter(pc.and_(pc.is_null(found), pc.is_valid(given)))
            if isinstance(node.data_type, DecimalType) and pa.types.is_floating(given.type):
                lost = lost.filter(pc.is_finite(lost))  # NaN and infinities are NULL in Spark too
            if len(lost):
                raise misfit_error(node, lost[0].as_py())
        return found

    def _one_of(self, child: Typed, options: tuple[Typed, ...]) -> pa.Array:
        values = self.values(child)
        constant = [one for one in options if isinstance(one, Constant)]
        if len(constant) == len(options) and not pa.types.is_floating(values.type):
            chosen = pa.array([one.value for one in constant], values.type)
            return one_of_constants(values, chosen)
        return one_of(values, [self.values(one) for one in options])


def plain(values: pa.Array) -> pa.Array:
    """Give texts and bytes in the form that Arrow computes with."""
    kind = _computed(values.type)
    return values if kind == values.type else values.cast(kind)


def _computed(kind: pa.DataType) -> pa.DataType:
    types = pa.types
    if types.is_string(kind) or types.is_string_view(kind):
        return pa.large_string()
    if types.is_binary(kind) or types.is_binary_view(kind):
        return pa.large_binary()
    return kind


def _may_be_view(kind: pa.DataType) -> bool:
    types = pa.types
    nested = types.is_struct(kind) or types.is_list(kind) or types.is_large_list(kind)
    return (
        types.is_string_view(kind)
        or types.is_binary_view(kind)
        or (nested and "map<" not in str(kind))
    )


def _filter(batch: pa.RecordBatch, mask: pa.Array) -> pa.RecordBatch:
    """Filter rows; Arrow cannot filter the views that polars' texts are, polars has no maps."""
    chosen = pl.Series(pc.fill_null(mask, fill_value=False))
    columns = [
        pl.Series(column).filter(chosen).to_arrow(compat_level=pl.CompatLevel.newest())
        if _may_be_view(column.type)
        else column.filter(mask)
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)

"""Plain values of a Parquet column in the type of the schema, where every value fits.

Little can still happen to them: nanoseconds are cut (contract 11.21), text that is not UTF-8 gets
U+FFFD, and old dates are counted in another calendar. All three are told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from ingest.formats.arrow_json import json_texts
from ingest.formats.arrow_text import read_text
from ingest.formats.julian import SWITCH_DAY, rebase_days, rebase_micros
from ingest.stream_options import Rebase

if TYPE_CHECKING:
    from ingest.formats.parquet_plan import Convert

NANOSECONDS_CUT = "nanoseconds were cut to microseconds"
NOT_UTF_8 = "bytes that are not UTF-8 became U+FFFD"
OLD_CALENDAR = "counted in the Julian calendar (datetimeRebaseMode, int96RebaseMode)"

_NANOS = 1000
_DAY_MICROS = 86_400_000_000


class AncientDateError(Exception):
    """A date before 1582 that is to be refused; the reader says in which file it is."""

    def __init__(self, value: str) -> None:
        self.value = value
        super().__init__(value)


@dataclass(frozen=True, slots=True)
class Changed:
    """Which values are no longer quite what they were: their places, ascending, and why.

    `shown` are the values that are told of: as they were, text as it has become.
    """

    places: pl.Series
    shown: pa.Array
    reason: str


@dataclass(frozen=True, slots=True)
class Converted:
    """Values in the type of the schema."""

    values: pa.Array
    changed: tuple[Changed, ...] = ()


def convert(array: pa.Array, plan: Convert) -> Converted:
    """Give the values in the plan's type.

    Raises `pa.ArrowInvalid` for values that their own type cannot hold, and `AncientDateError`.
    """
    array = plain_array(array)
    if pa.types.is_null(array.type):
        return Converted(pa.nulls(len(array), plan.kind))
    changed: list[Changed] = []
    if pa.types.is_timestamp(array.type) and array.type.unit == "ns":
        array = _cut_nanoseconds(array, changed)
    if pa.types.is_timestamp(plan.kind) and plan.kind.tz is not None and array.type.tz is None:
        array = array.cast(pa.timestamp(array.type.unit, "UTC"))
    if plan.rebase is not Rebase.CORRECTED:
        array = _rebase(array, plan.rebase, changed)
    if pa.types.is_string(plan.kind):
        checked = pa.types.is_string_view(array.type) and len(plan.path) == 1  # by Polars
        return Converted(array) if checked else to_text(array)
    return Converted(_cast(array, plan.kind), tuple(changed))


def plain_array(array: pa.Array) -> pa.Array:
    """Take off what only Arrow sees: extension types, dictionaries, durations, views."""
    if isinstance(array, pa.ExtensionArray):
        return plain_array(array.storage)
    kind = array.type
    if pa.types.is_dictionary(kind):
        return array.cast(kind.value_type)
    if pa.types.is_duration(kind):
        return array.view(pa.int64())
    if pa.types.is_date64(kind):
        return array.cast(pa.date32())
    return array


def _cast(array: pa.Array, kind: pa.DataType) -> pa.Array:
    if array.type == kind:
        return array
    if pa.types.is_duration(kind):
        return array.view(kind)
    return array.cast(kind, safe=True)


def _cut_nanoseconds(array: pa.Array, changed: list[Changed]) -> pa.Array:
    """Cut towards the past, so that an instant never moves into the next microsecond."""
    nanos = _integers(array.view(pa.int64()))
    cut = (nanos % _NANOS != 0).arg_true()
    if len(cut):
        changed.append(Changed(cut, array, NANOSECONDS_CUT))
    micros = (nanos // _NANOS).to_arrow().cast(pa.int64())
    return micros.view(pa.timestamp("us", array.type.tz))


def _rebase(array: pa.Array, rebase: Rebase, changed: list[Changed]) -> pa.Array:
    is_date = pa.types.is_date(array.type)
    if not is_date:
        array = array.cast(pa.timestamp("us", array.type.tz))
    numbers = array.view(pa.int32() if is_date else pa.int64())
    switch = SWITCH_DAY if is_date else SWITCH_DAY * _DAY_MICROS
    first = pc.min(numbers).as_py()
    if first is None or first >= switch:
        return array
    values = _integers(numbers)
    old = (values < switch).arg_true()
    if rebase is Rebase.EXCEPTION:
        raise AncientDateError(str(json_texts(array.slice(old[0], 1))[0]).strip('"'))
    changed.append(Changed(old, array, OLD_CALENDAR))
    rebased = rebase_days(values).cast(pl.Int32) if is_date else rebase_micros(values)
    return rebased.to_arrow().view(array.type)


def to_text(array: pa.Array) -> Converted:
    """Give text; bytes that are not UTF-8 become U+FFFD."""
    read = read_text(array)
    if not read.wrong:
        return Converted(read.values)
    places = pl.Series(read.wrong, dtype=pl.UInt32)
    return Converted(read.values, (Changed(places, read.values, NOT_UTF_8),))


def _integers(array: pa.Array) -> pl.Series:
    series = pl.from_arrow(array)
    assert isinstance(series, pl.Series)
    return series

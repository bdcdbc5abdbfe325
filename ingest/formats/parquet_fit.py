"""Values under a plan: the columns of the schema, and what is left over beside them.

What is left over is told twice: as JSON for the rescued column, one text for each top-level value
(contract 5.3), and value by value for findings and the ledger.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import orjson
import polars as pl
import pyarrow as pa

from ingest.formats.arrow_json import json_texts, list_lengths, map_entries, objects
from ingest.formats.parquet_fields import physical_array
from ingest.formats.parquet_plan import (
    Convert,
    Extra,
    Keep,
    ListPlan,
    MapPlan,
    Misfit,
    Missing,
    Part,
    Plan,
    StructPlan,
)
from ingest.formats.parquet_values import convert

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schema_store.types import FieldPath


class LeftKind(Enum):
    """Why a value is told: the schema lacks its field, it has another type, it was changed."""

    UNKNOWN = "unknown"
    MISFIT = "misfit"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Left:
    """Values of one field that did not go into a column as they are: the rows, and the values."""

    kind: LeftKind
    path: FieldPath
    rows: pl.Series
    values: pa.Array
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Values in the type of the schema; `residue` is JSON of what each of them leaves over."""

    values: pa.Array
    residue: pl.Series | None = None
    left: tuple[Left, ...] = ()


def fit(array: pa.Array, plan: Plan, rows: pl.Series | None) -> Fitted:
    """Give an array's values in the type of the schema.

    `rows` says which row each value belongs to; None: they are the rows in their order.
    """
    array = physical_array(array)
    match plan:
        case Keep(_, inner):
            return Fitted(array) if _is_text_valid(array) else fit(array, inner, rows)
        case Missing(kind):
            return Fitted(pa.nulls(len(array), kind))
        case Convert():
            return _converted(array, plan, rows)
        case Misfit(kind, path):
            left = left_over(LeftKind.MISFIT, path, array, rows)
            return Fitted(pa.nulls(len(array), kind), json_texts(array), left)
        case StructPlan():
            return _fit_struct(array, plan, rows)
        case ListPlan():
            return _fit_list(array, plan, rows)
        case MapPlan():
            return _fit_map(array, plan, rows)


def fit_part(arrays: list[pa.Array], part: Part, height: int, rows: pl.Series | None) -> Fitted:
    """Give the values of one field of a struct, or of one column, of so many."""
    if part.position is None:
        return Fitted(pa.nulls(height, part.plan.kind))
    return fit(arrays[part.position], part.plan, rows)


def left_over(
    kind: LeftKind, path: FieldPath, array: pa.Array, rows: pl.Series | None
) -> tuple[Left, ...]:
    """Tell all values; NULL is none."""
    if array.null_count == len(array):
        return ()
    places = _series(array.is_valid()).arg_true()
    if pa.types.is_string_view(array.type):
        array = array.cast(pa.string())  # Arrow does not filter views
    if array.null_count:
        array = array.drop_null()
    return (Left(kind, path, _rows_at(places, rows), array),)


def _rows_at(places: pl.Series, rows: pl.Series | None) -> pl.Series:
    return places if rows is None else rows.gather(places)


def _converted(array: pa.Array, plan: Convert, rows: pl.Series | None) -> Fitted:
    converted = convert(array, plan)
    left = tuple(
        Left(
            LeftKind.CHANGED,
            plan.path,
            _rows_at(changed.places, rows),
            changed.shown.take(changed.places.to_arrow()),
            changed.reason,
        )
        for changed in converted.changed
    )
    return Fitted(converted.values, None, left)


def _fit_struct(array: pa.StructArray, plan: StructPlan, rows: pl.Series | None) -> Fitted:
    inside = array.flatten()
    fitted = [fit_part(inside, part, len(array), rows) for part in plan.parts]
    unknown = [(extra.name, json_texts(inside[extra.position])) for extra in plan.extras]
    misfits = [(part.name, one.residue) for part, one in zip(plan.parts, fitted, strict=True)]
    found = [*unknown, *sorted(misfits, key=lambda pair: pair[0])]  # the order of contract 5.1
    values = pa.StructArray.from_arrays(
        [one.values for one in fitted], fields=list(plan.kind), mask=_mask(array)
    )
    left = (*_left_of(fitted), *extras_left(inside, plan.extras, rows))
    return Fitted(values, _residue(found, len(array)), left)


def extras_left(
    arrays: list[pa.Array], found: Iterable[Extra], rows: pl.Series | None
) -> tuple[Left, ...]:
    """Tell the values of fields that the schema lacks."""
    return tuple(
        left
        for extra in found
        for left in left_over(LeftKind.UNKNOWN, extra.path, arrays[extra.position], rows)
    )


def _fit_list(array: pa.Array, plan: ListPlan, rows: pl.Series | None) -> Fitted:
    lengths = list_lengths(array)
    owners = pl.int_range(len(array), eager=True).repeat_by(lengths).explode(empty_as_null=False)
    inner = fit(array.flatten(), plan.element, _rows_at(owners, rows))
    offsets = _offsets(lengths)
    values = pa.ListArray.from_arrays(offsets, inner.values, type=plan.kind, mask=_mask(array))
    return Fitted(values, _whole(array, owners, inner.residue), inner.left)


def _fit_map(array: pa.MapArray, plan: MapPlan, rows: pl.Series | None) -> Fitted:
    keys, items, lengths = map_entries(array)
    owners = pl.int_range(len(array), eager=True).repeat_by(lengths).explode(empty_as_null=False)
    below = _rows_at(owners, rows)
    key, item = fit(keys, plan.key, below), fit(items, plan.value, below)
    values = pa.MapArray.from_arrays(
        _offsets(lengths), key.values, item.values, type=plan.kind, mask=_mask(array)
    )
    return Fitted(values, _whole(array, owners, item.residue), (*key.left, *item.left))


def _whole(array: pa.Array, owners: pl.Series, residue: pl.Series | None) -> pl.Series | None:
    """Give lists and maps as a whole if anything in them is left over (contract 5.3)."""
    if residue is None or residue.null_count() == len(residue):
        return None
    places = owners.filter(residue.is_not_null()).unique().sort()
    texts = json_texts(array.take(places.to_arrow()))
    nothing = pl.Series([None], dtype=pl.String).new_from_index(0, len(array))
    return nothing.scatter(places, texts)


def _residue(found: list[tuple[str, pl.Series | None]], height: int) -> pl.Series | None:
    """Put what fields leave over under their names; null where none does."""
    members = [
        (f"{orjson.dumps(name).decode()}:", texts)
        for name, texts in found
        if texts is not None and texts.null_count() < len(texts)
    ]
    if not members:
        return None
    texts = objects(members, height)
    nothing = pl.Series([None], dtype=pl.String).new_from_index(0, height)
    return texts.zip_with(texts != "{}", nothing)


def _left_of(fitted: Iterable[Fitted]) -> tuple[Left, ...]:
    return tuple(left for one in fitted for left in one.left)


def _mask(array: pa.Array) -> pa.Array | None:
    return array.is_null() if array.null_count else None


def _offsets(lengths: pl.Series) -> pa.Array:
    starts = pl.concat([pl.Series([0], dtype=pl.Int64), lengths.cum_sum()])
    return starts.cast(pl.Int32).to_arrow()


def _series(array: pa.Array) -> pl.Series:
    series = pl.from_arrow(array)
    assert isinstance(series, pl.Series)
    return series


def _is_text_valid(array: pa.Array) -> bool:
    """Tell whether all text is UTF-8, which Arrow does not look at while it reads; Polars does."""
    if array.type.num_fields == 0 and not pa.types.is_string(array.type):
        return True
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True

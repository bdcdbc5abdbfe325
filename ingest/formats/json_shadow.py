"""Unknown names that every line has: Arrow reads them as columns, and gives their texts back.

A name that the schema lacks costs each line a decoder's look (`json_plan`), for ever in the mode
`rescue`. Where its values are simple the name joins the columns that Arrow parses, and no line is
looked at. What Arrow does not keep is refused: `NotExactError` sends the block the ordinary way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa

from ingest.formats.json_fitting import Met
from ingest.formats.json_native import NotExactError, respells
from ingest.formats.json_raw import Leftover
from ingest.formats.json_writing import quote
from ingest.rescue import json_string

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.formats.json_plan import Plan

_MINUS_ZERO = b"-0"
_BOOLEANS = {b"", b"true", b"false"}
_MOST_DIGITS = 18


def shadow_kinds(raws: Mapping[str, Sequence[bytes]]) -> dict[str, pa.DataType] | None:
    """Give types under which Arrow keeps these values' texts; None when some have none."""
    kinds = {name: _kind(texts) for name, texts in raws.items()}
    found = {name: kind for name, kind in kinds.items() if kind is not None}
    return found if len(found) == len(kinds) else None


def _kind(texts: Sequence[bytes]) -> pa.DataType | None:
    if all(not text or text.startswith(b'"') for text in texts):
        return pa.string()
    if all(text.isdigit() and len(text) <= _MOST_DIGITS for text in texts if text):
        return pa.int64()
    return pa.bool_() if set(texts) <= _BOOLEANS else None


def with_shadow(plan: Plan, kinds: Mapping[str, pa.DataType]) -> Plan | None:
    """Give the plan that parses these names as columns; None unless they are all it takes raw."""
    if plan.raw.keys() != kinds.keys():
        return None
    fields = [pa.field(name, kinds[name]) for name in plan.raw]
    return replace(plan, native=pa.schema([*plan.native, *fields]), raw={})


def shadow_leftovers(table: pa.Table, names: Sequence[str], data: bytes) -> list[Leftover]:
    """Give the texts of the names' values, as they stand in the block.

    Raises `NotExactError`.
    """
    if respells(data):
        raise NotExactError
    return [_leftover(name, pl.Series(table.column(name).combine_chunks()), data) for name in names]


def _leftover(name: str, values: pl.Series, data: bytes) -> Leftover:
    """Take a column's texts; a name that is met more often than it has a value is also null."""
    rows = values.is_not_null().arg_true()
    if data.count(quote(name).encode()) != len(rows):
        raise NotExactError
    found = values.drop_nulls()
    if values.dtype == pl.String:
        texts = json_string(found)
    else:
        texts = found.cast(pl.String)
        if values.dtype == pl.Int64 and (found == 0).any() and _MINUS_ZERO in data:
            raise NotExactError
    return Leftover(name, Met.UNKNOWN, rows.to_list(), texts.to_list(), {})

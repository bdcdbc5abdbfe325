"""Lines that Arrow's JSON parser reads exactly as Spark does; anything doubtful is refused.

Arrow's strict parser (explicit schema, unknown fields are errors) is parser and detector in one.
What it is too generous with is looked for afterwards: more than one value a line, NaN and infinite
numbers, `-0` as a double, decimals of too many digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import json as arrow_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.formats.json_plan import Plan


class NotExactError(Exception):
    """Some line is not, or may not be, read as Spark reads it."""


_NEWLINE, _OPENING, _CLOSING, _BACKSLASH = b"\n{}\\"
_RESPELLED = tuple(b"u/")
_MARKS = tuple(b",}]\n")


def count_plain(data: bytes) -> int | None:
    r"""Count the lines if every one is one object, given that the text is JSON at all.

    Lines begin and end with a brace, so a line break is between two objects; after a closing brace
    comes a comma, another bracket or a line break, so nothing else is at the top. (Arrow's parser
    must never meet a `null` there: it crashes.)

    >>> count_plain(b'{"a":1}\n{"a":2}\n'), count_plain(b'{"a":1} null\n')
    (2, None)
    """
    if not data.startswith(b"{") or not data.endswith(b"}\n"):
        return None
    view = _bytes_of(data)
    ends = (view == _NEWLINE).arg_true()
    starts = view.gather(ends.slice(0, len(ends) - 1) + 1)
    if not (view.gather(ends - 1) == _CLOSING).all() or not (starts == _OPENING).all():
        return None
    return len(ends) if _following(view, _CLOSING).is_in(_MARKS).all() else None


def respells(data: bytes) -> bool:
    r"""Tell whether there are escapes that no text is written with again: `\u` and `\/`."""
    return bool(_following(_bytes_of(data), _BACKSLASH).is_in(_RESPELLED).any())


def _following(view: pl.Series, byte: int) -> pl.Series:
    """Give what comes after each of these bytes but the last one of all."""
    return view.slice(1).filter(view.slice(0, len(view) - 1) == byte)


def _bytes_of(data: bytes) -> pl.Series:
    return pl.Series(pa.Array.from_buffers(pa.uint8(), len(data), [None, pa.py_buffer(data)]))


def parse_lines(data: bytes, height: int, plan: Plan) -> pa.Table:
    """Parse lines, one object each.

    Fields that the plan takes raw are passed over; the caller knows that there are no others.

    Raises `NotExactError`.
    """
    unknown = "ignore" if plan.raw else "error"
    try:
        table = arrow_json.read_json(
            pa.BufferReader(data),
            read_options=arrow_json.ReadOptions(use_threads=False, block_size=len(data) + 1),
            parse_options=arrow_json.ParseOptions(
                explicit_schema=plan.native, unexpected_field_behavior=unknown
            ),
        )
    except (pa.ArrowInvalid, UnicodeDecodeError) as error:
        raise NotExactError from error
    if table.num_rows != height:
        raise NotExactError
    for column in table.columns:
        for chunk in column.chunks:
            if any(not _is_exact(leaf) for leaf in _leaves(chunk)):
                raise NotExactError
    return table


def _leaves(array: pa.Array) -> Iterator[pa.Array]:
    """Give the arrays of numbers inside an array."""
    kind = array.type
    if pa.types.is_struct(kind):
        for child in array.flatten():
            yield from _leaves(child)
    elif pa.types.is_list(kind):
        yield from _leaves(array.flatten())
    elif pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        yield array


def _is_exact(numbers: pa.Array) -> bool:
    if pa.types.is_decimal(numbers.type):
        limit = 10 ** (numbers.type.precision - numbers.type.scale)
        ends = pc.min_max(numbers).as_py()
        return ends["max"] is None or (ends["max"] < limit and ends["min"] > -limit)
    if pc.all(pc.is_finite(numbers)).as_py() is False:
        return False
    zeros = pc.filter(numbers, pc.equal(numbers, 0))
    return not len(zeros) or pc.any(pc.less(pc.divide(1.0, zeros), 0)).as_py() is not True

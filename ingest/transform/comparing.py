"""Comparisons of columns, by Spark's rules: NULL is unknown; NaN equals NaN and is the largest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from ingest.transform.expressions import Operator, TextTest

if TYPE_CHECKING:
    from collections.abc import Sequence


def compare(operator: Operator, left: pa.Array, right: pa.Array) -> pa.Array:
    """Compare arrays of one type, row by row."""
    match operator:
        case Operator.EQUAL:
            return _equal(left, right)
        case Operator.SAME:
            both = pc.and_(pc.is_null(left), pc.is_null(right))
            return pc.or_(both, pc.fill_null(_equal(left, right), fill_value=False))
        case Operator.LESS:
            return _less(left, right)
        case Operator.GREATER:
            return _less(right, left)
        case Operator.LESS_EQUAL:
            return pc.invert(_less(right, left))
        case _:
            return pc.invert(_less(left, right))


def one_of(values: pa.Array, options: Sequence[pa.Array]) -> pa.Array:
    """Tell whether a value equals one of the options; NULL when only NULL could be it."""
    found = pa.nulls(0, pa.bool_())
    for place, option in enumerate(options):
        equal = _equal(values, option)
        found = equal if place == 0 else pc.or_kleene(found, equal)
    return found


def one_of_constants(values: pa.Array, options: pa.Array) -> pa.Array:
    """Tell the same of options that are the same for every row, at once."""
    found = pc.is_in(values, value_set=options.drop_null())
    unknown = pc.is_null(values)
    if options.null_count:
        unknown = pc.or_(unknown, pc.invert(found))
    return pc.if_else(unknown, pa.scalar(None, pa.bool_()), found)


def test_text(test: TextTest, texts: pa.Array, pattern: str) -> pa.Array:
    """Ask a question about every text."""
    match test:
        case TextTest.STARTS_WITH:
            return pc.starts_with(texts, pattern)
        case TextTest.ENDS_WITH:
            return pc.ends_with(texts, pattern)
        case TextTest.CONTAINS:
            return pc.match_substring(texts, pattern)
        case TextTest.LIKE:
            return pc.match_substring_regex(texts, pattern)


def _equal(left: pa.Array, right: pa.Array) -> pa.Array:
    equal = pc.equal(left, right)
    if not pa.types.is_floating(left.type):
        return equal
    return pc.or_(equal, pc.and_(pc.is_nan(left), pc.is_nan(right)))


def _less(left: pa.Array, right: pa.Array) -> pa.Array:
    less = pc.less(left, right)
    if not pa.types.is_floating(left.type):
        return less
    return pc.or_(less, pc.and_(pc.invert(pc.is_nan(left)), pc.is_nan(right)))

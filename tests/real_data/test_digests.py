"""A digest tells values apart, and only values."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from tests.real_data.digests import digest

STRUCT = pa.struct([("a", pa.int64()), ("b", pa.string())])
ROWS: list[tuple[pa.DataType, list[Any]]] = [
    (pa.string(), ["a", "bc", None, ""]),
    (pa.int32(), [1, 2, None, 0]),
    (pa.float64(), [1.5, 0.0, None, -0.0]),
    (pa.bool_(), [True, False, None, True]),
    (pa.date32(), [dt.date(1970, 1, 1), dt.date(2020, 1, 1), None, dt.date(2020, 1, 2)]),
    (pa.timestamp("us", "UTC"), [dt.datetime(2020, 1, day, tzinfo=dt.UTC) for day in (1, 2, 3, 4)]),
    (pa.decimal128(5, 2), [Decimal("1.50"), Decimal("0.00"), None, Decimal("-1.50")]),
    (pa.list_(pa.string()), [["a", None], ["b"], None, []]),
    (STRUCT, [{"a": 1, "b": "x"}, {"a": None, "b": "x"}, None, {"a": None, "b": None}]),
    (pa.list_(STRUCT), [[{"a": 1, "b": "x"}], [None], None, [{"a": 2, "b": "x"}]]),
]
IDS = [str(kind) for kind, _ in ROWS]


@pytest.mark.parametrize(("kind", "values"), ROWS, ids=IDS)
def test_the_cut_into_chunks_does_not_matter(kind: pa.DataType, values: list[Any]) -> None:
    whole = pa.array([values[3], *values, values[0]], kind)
    slices = pa.chunked_array([whole[1:3], whole[3:5]])

    assert digest(slices) == digest(pa.chunked_array([values], kind))


@pytest.mark.parametrize(("kind", "values"), ROWS, ids=IDS)
def test_each_value_matters(kind: pa.DataType, values: list[Any]) -> None:
    columns = [
        [*values[:row], other, *values[row + 1 :]]
        for row in range(len(values))
        for other in [*values, None]
    ]
    different = {repr(one) for one in columns}

    assert len({digest(pa.chunked_array([one], kind)) for one in columns}) == len(different)


def test_where_texts_part_matters() -> None:
    one, other = pa.chunked_array([["ab", "c"]]), pa.chunked_array([["a", "bc"]])

    assert digest(one) != digest(other)

"""Arrow values as JSON text."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.formats.arrow_json import json_texts

floats = st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(max_size=6)
nested = st.lists(
    st.one_of(
        st.none(),
        st.fixed_dictionaries(
            {
                "a": st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)),
                'b"': st.one_of(st.none(), st.lists(st.one_of(st.none(), texts))),
            }
        ),
    )
)
NESTED = pa.struct([("a", pa.int64()), ('b"', pa.list_(pa.string()))])


@given(st.lists(st.one_of(st.none(), floats)))
def test_floats_keep_their_value(values: list[float | None]) -> None:
    found = json_texts(pa.array(values, pa.float64()))
    assert [None if text is None else float(json.loads(text)) for text in found] == values


@given(st.lists(st.one_of(st.none(), texts)))
def test_text_is_escaped(values: list[str | None]) -> None:
    found = json_texts(pa.array(values, pa.string()))
    assert [None if text is None else json.loads(text) for text in found] == values


@given(nested, st.integers(0, 3))
def test_nested_values_are_what_json_says(values: list[Any], start: int) -> None:
    array = pa.array(values, NESTED).slice(start)
    found = [None if text is None else json.loads(text) for text in json_texts(array)]
    assert found == values[start:]


@given(st.lists(st.one_of(st.none(), st.dictionaries(st.text("ab", max_size=2), texts))))
def test_maps_are_objects(values: list[dict[str, str] | None]) -> None:
    kind = pa.map_(pa.string(), pa.string())
    array = pa.array([None if one is None else list(one.items()) for one in values], kind)
    found = [None if text is None else json.loads(text) for text in json_texts(array)]
    assert found == values


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (Decimal("-0.0000000001"), pa.decimal128(38, 10), "-0.0000000001"),
        (Decimal(10**37), pa.decimal128(38, 0), "1" + "0" * 37),
        (float("-inf"), pa.float64(), '"-Infinity"'),
        (0.1, pa.float32(), "0.1"),
        (b"\x00\xff", pa.binary(2), '"AP8="'),
        (dt.date(1, 1, 1), pa.date32(), '"0001-01-01"'),
        (-1, pa.timestamp("us", "UTC"), '"1969-12-31T23:59:59.999999Z"'),
        (1_000, pa.timestamp("us"), '"1970-01-01T00:00:00.001"'),
        (5, pa.timestamp("s"), '"1970-01-01T00:00:05.000"'),
        (1, pa.duration("us"), "1"),
    ],
)
def test_each_type_has_its_text(value: Any, kind: pa.DataType, expected: str) -> None:
    assert json_texts(pa.array([value], kind)).to_list() == [expected]

"""What an `add` says of its rows: never tighter than the values."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import Any

import orjson
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.arrow import to_arrow_schema
from ingest.delta.statistics import indexed_columns, statistics
from schema_store.ddl import parse_ddl


def stats(ddl: str, *rows: dict[str, Any], limit: int = 32) -> dict[str, Any]:
    schema = parse_ddl(ddl)
    table = pa.Table.from_pylist(list(rows), schema=to_arrow_schema(schema))
    found: dict[str, Any] = orjson.loads(statistics(table, schema, limit=limit))
    return found


def bounds(ddl: str, *values: object) -> tuple[Any, Any]:
    found = stats(f"v {ddl}", *({"v": value} for value in values))
    return found["minValues"].get("v"), found["maxValues"].get("v")


def test_statistics_are_spelled_as_spark_does() -> None:
    schema = parse_ddl("id INT, s STRUCT<a: DECIMAL(5,2), l ARRAY<INT>>, b BINARY, f BOOLEAN")
    rows = [
        {"id": 2, "s": {"a": Decimal("1.50"), "l": [1]}, "b": b"x", "f": True},
        {"id": None, "s": None, "b": None, "f": False},
    ]
    table = pa.Table.from_pylist(rows, schema=to_arrow_schema(schema))
    assert statistics(table, schema) == (
        '{"numRecords":2,"minValues":{"id":2,"s":{"a":1.50}},"maxValues":{"id":2,"s":{"a":1.50}},'
        '"nullCount":{"id":1,"s":{"a":1,"l":1},"b":1,"f":0}}'
    )


@pytest.mark.parametrize(
    ("ddl", "values", "expected"),
    [
        ("BIGINT", [2**63 - 1, -(2**63)], (-(2**63), 2**63 - 1)),
        ("DOUBLE", [1.5, -2.0], (-2.0, 1.5)),
        ("DOUBLE", [0.0], (-0.0, 0.0)),
        ("DOUBLE", [1.0, math.nan], (None, None)),
        ("FLOAT", [1.0, math.inf], (None, None)),
        ("DATE", [dt.date(2024, 2, 29), dt.date(1, 1, 1)], ("0001-01-01", "2024-02-29")),
        ("STRING", ["b", "a", "ü"], ("a", "ü")),
        ("STRING", [""], ("", "")),
        ("STRING", [None], (None, None)),
        ("BOOLEAN", [True], (None, None)),
    ],
)
def test_bounds(ddl: str, values: list[Any], expected: tuple[Any, Any]) -> None:
    assert bounds(ddl, *values) == expected


def test_timestamps_are_cut_to_milliseconds_downwards_and_upwards() -> None:
    value = dt.datetime(2024, 1, 2, 3, 4, 5, 678_901, tzinfo=dt.UTC)
    assert bounds("TIMESTAMP", value) == ("2024-01-02T03:04:05.678Z", "2024-01-02T03:04:05.679Z")


def test_local_timestamps_have_no_zone() -> None:
    value = dt.datetime(1900, 1, 2, 3, 4, 5, 1)  # noqa: DTZ001 - it has no zone
    assert bounds("TIMESTAMP_NTZ", value) == ("1900-01-02T03:04:05.000", "1900-01-02T03:04:05.001")


def test_long_text_is_cut_to_a_text_before_and_one_after_it() -> None:
    least, greatest = bounds("STRING", "x" * 40)
    assert (least, greatest) == ("x" * 32, "x" * 32 + "\U0010ffff")


def test_text_that_goes_on_with_the_last_character_has_a_bound_after_it() -> None:
    text = "x" * 32 + "\U0010ffff" * 2 + "y"
    assert bounds("STRING", text)[1] == "x" * 32 + "\U0010ffff" * 3


_texts = st.text(st.sampled_from("aé\U0010ffff"), max_size=40)


@given(st.lists(_texts, min_size=1, max_size=5))
def test_bounds_of_text_hold_every_value(values: list[str]) -> None:
    least, greatest = bounds("STRING", *values)
    assert all(least.encode() <= value.encode() <= greatest.encode() for value in values)


def test_only_the_first_leaf_columns_have_statistics() -> None:
    found = stats("a INT, s STRUCT<b: INT, c: INT>, d INT", {"a": 1}, limit=2)
    assert found["nullCount"] == {"a": 0, "s": {"b": 1}}


@pytest.mark.parametrize(
    ("given_properties", "expected"),
    [({}, 32), ({"delta.dataSkippingNumIndexedCols": "3"}, 3)],
)
def test_number_of_columns_is_a_property(given_properties: dict[str, str], expected: int) -> None:
    assert indexed_columns(given_properties) == expected


def test_all_columns_have_statistics_with_minus_one() -> None:
    assert indexed_columns({"delta.dataSkippingNumIndexedCols": "-1"}) > 10_000

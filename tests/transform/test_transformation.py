"""Laws of transformations, and what whole columns of casts must keep."""

from __future__ import annotations

import datetime as dt
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.arrow import from_arrow_schema
from ingest.errors import ExpressionError, OperationNotSupportedError
from ingest.file_entry import FileEntry, SeqNum
from ingest.transform import parse_expression
from ingest.transform.transformation import (
    Transformation,
    identity,
    keep,
    select,
    transform_batch,
    transform_table,
    with_columns,
)

NOW = dt.datetime(2030, 1, 5, 23, 30, tzinfo=dt.UTC)


def over(table: pa.Table, zone: str = "UTC") -> Transformation:
    return identity(from_arrow_schema(table.schema), zone)


def values(table: pa.Table, expression: str, zone: str = "UTC") -> list[Any]:
    chosen = select(over(table, zone), [parse_expression(expression)])
    return list(transform_table(chosen, table, at=NOW).column(0).to_pylist())


def column(kind: pa.DataType, *given_values: Any) -> pa.Table:
    return pa.table({"a": pa.array(given_values, kind)})


_MOMENTS = st.datetimes(dt.datetime(2, 1, 1), dt.datetime(9998, 1, 1))  # noqa: DTZ001 - local times


@given(st.lists(st.one_of(st.none(), _MOMENTS), min_size=1), st.sampled_from(["UTC", "-03:30"]))
def test_instant_comes_back_from_its_text(moments: list[dt.datetime | None], zone: str) -> None:
    instants = [None if one is None else one.replace(tzinfo=dt.UTC) for one in moments]
    table = column(pa.timestamp("us", tz="UTC"), *instants)

    assert values(table, "CAST(CAST(a AS STRING) AS TIMESTAMP)", zone) == instants


@given(st.lists(st.one_of(st.none(), st.floats(allow_nan=False)), min_size=1))
def test_double_comes_back_from_its_text(numbers: list[float | None]) -> None:
    table = column(pa.float64(), *numbers)

    assert values(table, "CAST(CAST(a AS STRING) AS DOUBLE)") == numbers


@given(st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)), min_size=1))
def test_quotient_and_remainder_of_integers_add_up(numbers: list[int | None]) -> None:
    table = column(pa.int64(), *numbers)
    rest = values(table, "a % 7")

    assert values(table, "CAST((CAST(a AS DECIMAL(20,0)) - a % 7) AS DECIMAL(20,0))") == [
        None if one is None else one - left for one, left in zip(numbers, rest, strict=True)
    ]


@given(st.lists(st.one_of(st.none(), st.booleans()), min_size=1))
def test_condition_and_its_opposite_keep_every_row_that_is_known(marks: list[bool | None]) -> None:
    table = column(pa.bool_(), *marks)
    sides = [keep(over(table), parse_expression(one)) for one in ("a", "NOT a", "a IS NULL")]

    kept = [transform_table(one, table, at=NOW).num_rows for one in sides]

    assert sum(kept) == len(marks)


def test_long_chain_of_calls_is_evaluated_once_each() -> None:
    table = column(pa.int64(), 1)
    chain = over(table)
    for _ in range(60):
        chain = with_columns(chain, {"a": parse_expression("a + a")})

    assert transform_table(chain, table, at=NOW).column(0).to_pylist() == [2**60]


@pytest.mark.parametrize(
    ("zone", "local"),
    [
        ("UTC", "2030-01-05 23:30:00"),
        ("Europe/Oslo", "2030-01-06 00:30:00"),
        ("UTC+02:00", "2030-01-06 01:30:00"),
        ("America/New_York", "2030-01-05 18:30:00"),
    ],
)
def test_instants_are_shown_in_the_sessions_zone(zone: str, local: str) -> None:
    table = column(pa.timestamp("us", tz="UTC"), NOW)

    assert values(table, "CAST(a AS STRING)", zone) == [local]
    assert values(column(pa.string(), local), "CAST(a AS TIMESTAMP)", zone) == [NOW]
    assert values(table, f"a = TIMESTAMP'{local}'", zone) == [True]


def test_summer_time_goes_on_after_polars_tables_end() -> None:
    table = column(pa.timestamp("us", tz="UTC"), dt.datetime(2150, 7, 1, tzinfo=dt.UTC))

    assert values(table, "CAST(a AS STRING)", "Europe/Oslo") == ["2150-07-01 02:00:00"]


def test_first_failing_row_is_named() -> None:
    table = column(pa.int64(), 1, 2**62, 2**62 + 1, 2**63 - 1)

    with pytest.raises(ExpressionError) as caught:
        values(table, "a * 2")

    assert (caught.value.condition, caught.value.value) == (
        "ARITHMETIC_OVERFLOW",
        f"{2**62} * 2",
    )


def test_division_by_zero_is_an_error_only_where_both_are_known() -> None:
    assert values(column(pa.float64(), None), "a / 0") == [None]
    with pytest.raises(ExpressionError) as caught:
        values(column(pa.float64(), 1.0), "a / 0")
    assert caught.value.condition == "DIVIDE_BY_ZERO"


@pytest.mark.parametrize("expression", ["a / 2.0BD", "a % 2.0BD"])
def test_quotients_of_decimals_are_refused(expression: str) -> None:
    with pytest.raises(OperationNotSupportedError):
        values(column(pa.decimal128(10, 2), None), expression)


def test_files_of_rows_are_told_after_filters() -> None:
    files = [FileEntry(SeqNum(n), f"/in/{n}.csv".encode(), n, 0) for n in (1, 2, 3)]
    table = pa.table({"a": [1, 2, 3, 4, 5]})
    chosen = select(over(table), [parse_expression("a"), parse_expression("_metadata.file_size")])
    kept = keep(keep(chosen, parse_expression("a > 1")), parse_expression("a <> 4"))

    found = transform_batch(
        kept, table.to_batches()[0], [(files[0], 2), (files[1], 0), (files[2], 3)], at=NOW
    )

    assert found.to_pylist() == [
        {"a": 2, "file_size": 1},
        {"a": 3, "file_size": 3},
        {"a": 5, "file_size": 3},
    ]


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("a b", "a%20b"),
        ("p%41", "p%2541"),
        ('q?[]{}|^"', "q%3F%5B%5D%7B%7D%7C%5E%22"),
        ("t~!@$&()=,;+'", "t~!@$&()=,;+'"),
        ("ü", "ü"),
        ("日本 😀", "日本%20😀"),
        ("a\u00a0b", "a%C2%A0b"),
    ],
)
def test_paths_are_spelled_as_spark_spells_them(name: str, spelled: str) -> None:
    table = pa.table({"a": [1]})
    names = ["_metadata.file_path", "_metadata.file_name", "input_file_name()"]
    chosen = select(over(table), [parse_expression(one) for one in names])
    file = FileEntry(SeqNum(1), f"/in/{name}".encode(), 1, 0)

    found = transform_batch(chosen, table.to_batches()[0], [(file, 1)], at=NOW)

    assert [column[0].as_py() for column in found.columns] == [
        f"file:/in/{spelled}",
        spelled,
        f"file:///in/{spelled}",
    ]


def test_bytes_of_a_path_that_are_no_utf_8_are_escaped() -> None:
    table = pa.table({"a": [1]})
    chosen = select(over(table), [parse_expression("_metadata.file_name")])
    file = FileEntry(SeqNum(1), b"/in/\xff\xc3\xbc", 1, 0)

    found = transform_batch(chosen, table.to_batches()[0], [(file, 1)], at=NOW)

    assert found.to_pylist() == [{"file_name": "%FFü"}]


def test_rows_without_files_have_no_facts_about_them() -> None:
    table = pa.table({"a": [1]})

    with pytest.raises(OperationNotSupportedError):
        values(table, "_metadata.file_name")


def test_columns_that_are_not_changed_are_handed_on_without_a_copy() -> None:
    texts = pl.Series(["a", "b"]).to_arrow(compat_level=pl.CompatLevel.newest())
    batch = pa.RecordBatch.from_arrays([texts], names=["a"])
    schema = from_arrow_schema(batch.schema)
    chosen = select(identity(schema, "UTC"), [parse_expression("a AS b")])

    found = transform_batch(chosen, batch, (), at=NOW)

    assert found.column("b").buffers()[1].address == texts.buffers()[1].address


def test_parts_of_structs_lists_and_maps_outlive_a_filter() -> None:
    table = pa.table(
        {
            "s": pa.array([{"f": "x"}, None, {"f": None}], pa.struct([("f", pa.string_view())])),
            "l": pa.array([["q"], None, []], pa.list_(pa.string_view())),
            "m": pa.array([[("k", 1)], None, []], pa.map_(pa.string(), pa.int64())),
        }
    )
    kept = keep(over(table), parse_expression("s.f IS NULL"))

    assert transform_table(kept, table, at=NOW).to_pylist() == [
        {"s": None, "l": None, "m": None},
        {"s": {"f": None}, "l": [], "m": []},
    ]


def test_table_without_rows_keeps_its_types() -> None:
    table = column(pa.int32())

    found = transform_table(select(over(table), [parse_expression("a + 1L AS b")]), table, at=NOW)

    assert found.schema == pa.schema([("b", pa.int64())])

"""Checked casts at every depth."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.arrow import to_arrow_schema
from ingest.delta.casting import Naming, cast_table, logical_name
from ingest.delta.mapping import physical_name
from ingest.errors import NotNullViolatedError, ValueCastError
from schema_store.ddl import parse_ddl
from schema_store.types import ArrayType, Field, IntegerType, LongType, MapType, StructType
from tests.delta.widening_rows import expected_rows, narrow_rows, narrow_schema, wide_schema


def cast(source: str, target: str, *values: object) -> list[Any]:
    schema = parse_ddl(f"v {source}")
    table = pa.Table.from_pylist([{"v": value} for value in values], to_arrow_schema(schema))
    column: list[Any] = cast_table(table, parse_ddl(f"v {target}"))["v"].to_pylist()
    return column


def test_every_row_of_the_widening_table_is_the_same_in_the_wide_type() -> None:
    table = pa.Table.from_pylist(narrow_rows(), to_arrow_schema(narrow_schema()))
    assert cast_table(table, wide_schema()).to_pylist() == expected_rows()[:2]


@pytest.mark.parametrize(
    ("source", "target", "value", "expected"),
    [
        ("STRUCT<a: INT>", "STRUCT<a: BIGINT, b: STRING>", {"a": 1}, {"a": 1, "b": None}),
        ("STRUCT<b: INT, a: INT>", "STRUCT<a: INT, b: INT>", {"a": 1, "b": 2}, {"a": 1, "b": 2}),
        ("STRUCT<A: INT>", "STRUCT<a: INT>", {"A": 1}, {"a": 1}),
        ("STRUCT<a: INT, gone: INT>", "STRUCT<a: INT>", {"a": 1, "gone": 2}, {"a": 1}),
        ("STRUCT<a: INT>", "STRUCT<a: BIGINT>", None, None),
        ("ARRAY<INT>", "ARRAY<BIGINT>", [1, None], [1, None]),
        ("ARRAY<INT>", "ARRAY<BIGINT>", None, None),
        ("ARRAY<ARRAY<INT>>", "ARRAY<ARRAY<DOUBLE>>", [[1], None, []], [[1.0], None, []]),
        ("MAP<INT, INT>", "MAP<BIGINT, DOUBLE>", [(1, 2), (3, None)], [(1, 2.0), (3, None)]),
        ("MAP<INT, INT>", "MAP<BIGINT, DOUBLE>", None, None),
        (
            "ARRAY<STRUCT<m: MAP<STRING, INT>>>",
            "ARRAY<STRUCT<m: MAP<STRING, BIGINT>, n: INT>>",
            [{"m": [("k", 1)]}, None],
            [{"m": [("k", 1)], "n": None}, None],
        ),
        ("VOID", "STRUCT<a: INT>", None, None),
    ],
)
def test_parts_are_cast_by_name(source: str, target: str, value: Any, expected: Any) -> None:
    assert cast(source, target, value, None, value) == [expected, None, expected]


_maps = st.none() | st.dictionaries(st.integers(-9, 9), st.none() | st.integers(-9, 9)).map(
    lambda found: list(found.items())
)
_rows = st.lists(
    st.fixed_dictionaries(
        {
            "m": _maps,
            "l": st.none() | st.lists(st.none() | st.integers(-9, 9)),
            "s": st.none() | st.fixed_dictionaries({"m": _maps}),
        }
    ),
    max_size=6,
)


@given(_rows, st.integers(0, 6), st.integers(0, 6))
def test_slices_are_cast_like_whole_columns(
    rows: list[dict[str, Any]], start: int, length: int
) -> None:
    narrow = parse_ddl("m MAP<INT, INT>, l ARRAY<INT>, s STRUCT<m: MAP<INT, INT>>")
    wide = parse_ddl("m MAP<BIGINT, BIGINT>, l ARRAY<BIGINT>, s STRUCT<m: MAP<BIGINT, BIGINT>>")
    table = pa.Table.from_pylist(rows, to_arrow_schema(narrow)).slice(start, length)
    found = cast_table(table, wide)
    found.validate(full=True)
    assert found.to_pylist() == rows[start : start + length]


@pytest.mark.parametrize(
    ("source", "target", "value"),
    [
        ("BIGINT", "INT", 1),
        ("DOUBLE", "INT", 1.0),
        ("DOUBLE", "FLOAT", 0.5),
        ("BIGINT", "DOUBLE", 1),
        ("STRING", "INT", "1"),
        ("INT", "STRING", 1),
    ],
)
def test_cast_that_may_change_a_value_is_refused(source: str, target: str, value: object) -> None:
    with pytest.raises(ValueCastError) as caught:
        cast(source, target, value)
    assert (caught.value.column, caught.value.source, caught.value.target) == ("v", source, target)


def test_refused_cast_is_named_by_its_path() -> None:
    with pytest.raises(ValueCastError) as caught:
        cast("MAP<STRING, STRUCT<a: BIGINT>>", "MAP<STRING, STRUCT<a: INT>>", [("k", {"a": 1})])
    assert caught.value.column == "v.value.a"


def test_nanoseconds_are_not_cut() -> None:
    rows = pa.table({"v": pa.array([1], pa.timestamp("ns", tz="UTC"))})
    with pytest.raises(ValueCastError):
        cast_table(rows, parse_ddl("v TIMESTAMP"))


@pytest.mark.parametrize(
    ("source", "target", "value", "column"),
    [
        ("INT", "INT NOT NULL", None, "v"),
        ("STRUCT<a: INT>", "STRUCT<a: INT NOT NULL>", {"a": None}, "v.a"),
        ("STRUCT<b: INT>", "STRUCT<a: INT NOT NULL>", {"b": 1}, "v.a"),
        ("ARRAY<STRUCT<a: INT>>", "ARRAY<STRUCT<a: INT NOT NULL>>", [{"a": None}], "v.element.a"),
    ],
)
def test_null_for_not_null_is_refused_by_column(
    source: str, target: str, value: object, column: str
) -> None:
    with pytest.raises(NotNullViolatedError) as caught:
        cast(source, target, value)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("target", "values", "column"),
    [
        (ArrayType(IntegerType(), contains_null=False), [1, None], "v.element"),
        (MapType(IntegerType(), IntegerType(), value_contains_null=False), [(1, None)], "v.value"),
    ],
)
def test_null_inside_is_refused_where_the_type_has_none(
    target: ArrayType | MapType, values: list[Any], column: str
) -> None:
    schema = StructType((Field("v", target),))
    table = pa.Table.from_pylist([{"v": values}, {"v": None}], to_arrow_schema(schema))
    with pytest.raises(NotNullViolatedError) as caught:
        cast_table(table, schema)
    assert caught.value.column == column


def test_null_struct_may_have_fields_that_are_not_null() -> None:
    assert cast("STRUCT<a: INT>", "STRUCT<a: INT NOT NULL>", None) == [None]


def test_missing_columns_are_null_and_others_left_out() -> None:
    rows = pa.table({"id": pa.array([1], pa.int32()), "more": [1]})
    found = cast_table(rows, parse_ddl("id INT, m MAP<INT, STRING>"))
    assert found.to_pylist() == [{"id": 1, "m": None}]


@pytest.mark.parametrize(
    "kind", [pa.string_view(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())]
)
def test_text_may_come_in_any_arrow_type(kind: pa.DataType) -> None:
    rows = pa.table({"s": pa.array(["ü", None]).cast(kind)})
    assert cast_table(rows, parse_ddl("s STRING"))["s"].type == pa.string()


def test_fields_go_by_physical_names() -> None:
    mapped = '{"delta.columnMapping.physicalName":"col-1"}'
    inner = StructType((Field("a", LongType(), nullable=True, metadata=mapped),))
    schema = StructType((Field("s", inner),))
    rows = pa.table({"s": pa.array([{"col-1": 1}], pa.struct([("col-1", pa.int64())]))})
    read = cast_table(rows, schema, Naming(physical_name, logical_name))
    written = cast_table(read, schema, Naming(logical_name, physical_name))
    assert (read.to_pylist(), written.to_pylist()) == ([{"s": {"a": 1}}], [{"s": {"col-1": 1}}])

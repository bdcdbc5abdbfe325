"""`createDataFrame`: expected answers were seen on PySpark 4.3.0."""

from __future__ import annotations

import datetime as dt
from collections import namedtuple
from decimal import Decimal
from typing import Any, NamedTuple

import polars as pl
import pyarrow as pa
import pytest

from ingest import Session
from ingest.errors import ColumnCountError, ColumnNotFoundError, RowTypeError, RowValueError
from ingest.row import Row
from schema_store.ddl import parse_ddl, to_ddl
from schema_store.errors import DdlError, DuplicateFieldError

D = Decimal
DAY = dt.date(2020, 1, 1)
NOON = dt.datetime(2020, 1, 1, 12)  # noqa: DTZ001 - it has no zone
EAST = dt.datetime(2020, 1, 1, 3, tzinfo=dt.timezone(dt.timedelta(hours=2)))


class User(NamedTuple):
    id: int
    name: str


def made(data: Any, schema: Any = None, **conf: Any) -> tuple[str, list[Any]]:
    """Give the columns as DDL, and the rows as tuples."""
    frame = Session(conf=conf).createDataFrame(data, schema)
    return to_ddl(frame.schema), [tuple(row) for row in frame.collect()]


@pytest.mark.parametrize(
    ("data", "schema", "ddl", "rows"),
    [
        ([(1, "a"), (2, "b")], None, "_1 BIGINT, _2 STRING", [(1, "a"), (2, "b")]),
        ([(1, "a")], ["id", "name"], "id BIGINT, name STRING", [(1, "a")]),
        ([(1, "a")], ("id", "x"), "id BIGINT, x STRING", [(1, "a")]),
        ([(1, "a")], ["id"], "id BIGINT, _2 STRING", [(1, "a")]),
        ([[1, "a"]], ["id", "name"], "id BIGINT, name STRING", [(1, "a")]),
        ([(1, "a")], "id INT, name STRING", "id INT, name STRING", [(1, "a")]),
        ([(1, 2)], "id INT, name STRING", "id INT, name STRING", [(1, "2")]),
        ([1, 2], "int", "value INT", [(1,), (2,)]),
        ([User(1, "a")], None, "id BIGINT, name STRING", [(1, "a")]),
        ([Row(id=1, x="a")], None, "id BIGINT, x STRING", [(1, "a")]),
        ([Row(id=1, x="a")], ["p", "q"], "p BIGINT, q STRING", [(1, "a")]),
        ([{"b": 1, "a": "x"}, {"a": "y"}], None, "a STRING, b BIGINT", [("x", 1), ("y", None)]),
        ([{"b": 1}, {"c": 2.0}], None, "b BIGINT, c DOUBLE", [(1, None), (None, 2.0)]),
        ([{"b": 1, "a": "x"}], ["p", "q"], "p STRING, q BIGINT", [("x", 1)]),
        ([{"b": 1, "a": "x"}], "a STRING, b INT", "a STRING, b INT", [("x", 1)]),
        ([], "a INT", "a INT", []),
        (((i,) for i in range(2)), ["a"], "a BIGINT", [(0,), (1,)]),
    ],
)
def test_rows_come_in_many_forms(data: Any, schema: Any, ddl: str, rows: list[Any]) -> None:
    assert made(data, schema) == (ddl, rows)


@pytest.mark.parametrize(
    ("value", "ddl", "collected"),
    [
        (1, "a BIGINT", 1),
        (1.5, "a DOUBLE", 1.5),
        (True, "a BOOLEAN", True),
        ("x", "a STRING", "x"),
        (b"x", "a BINARY", b"x"),
        (bytearray(b"y"), "a BINARY", b"y"),
        (D("1.1234567890123456789"), "a DECIMAL(38,18)", D("1.123456789012345679")),
        (DAY, "a DATE", DAY),
        (EAST, "a TIMESTAMP", dt.datetime(2020, 1, 1, 1, tzinfo=dt.UTC)),
        (dt.timedelta(days=1), "a INTERVAL DAY TO SECOND", dt.timedelta(days=1)),
        ([1, None, 2], "a ARRAY<BIGINT>", [1, None, 2]),
        ([1, "a"], "a ARRAY<STRING>", ["1", "a"]),
        ({"a": 1, "b": "x"}, "a MAP<STRING, STRING>", {"a": "1", "b": "x"}),
        ({"a": None, "b": 1}, "a MAP<STRING, BIGINT>", {"a": None, "b": 1}),
        ((1, "x"), "a STRUCT<_1: BIGINT, _2: STRING>", (1, "x")),
        (User(1, "x"), "a STRUCT<id: BIGINT, name: STRING>", (1, "x")),
    ],
)
def test_type_is_inferred_from_a_value(value: Any, ddl: str, collected: Any) -> None:
    assert made([(value,)], ["a"]) == (ddl, [(collected,)])


def test_type_of_all_rows_counts() -> None:
    assert made([(None,), (1,)], ["a"]) == ("a BIGINT", [(None,), (1,)])


def test_text_takes_the_other_values_of_its_column() -> None:
    rows = [(1,), ("a",), (True,), (1.0,), (1e20,)]
    texts = [("1",), ("a",), ("true",), ("1.0",), ("1.0E20",)]
    assert made(rows, ["a"]) == ("a STRING", texts)


@pytest.mark.parametrize(
    ("data", "schema", "condition", "where"),
    [
        ([(1,), (1.5,)], ["a"], "CANNOT_MERGE_TYPE", "a"),
        ([([1],), ("x",)], ["a"], "CANNOT_MERGE_TYPE", "a"),
        ([(object(),)], ["a"], "CANNOT_INFER_TYPE_FOR_FIELD", "a"),
        ([(dt.time(3),)], ["a"], "CANNOT_INFER_TYPE_FOR_FIELD", "a"),
        ([1, 2], None, "CANNOT_INFER_SCHEMA_FOR_TYPE", "createDataFrame"),
        (["x"], ["a"], "CANNOT_INFER_SCHEMA_FOR_TYPE", "createDataFrame"),
        (5, None, "CANNOT_INFER_SCHEMA_FOR_TYPE", "createDataFrame"),
        ({"a": [1]}, None, "CANNOT_INFER_SCHEMA_FOR_TYPE", "createDataFrame"),
        ([(1,)], 3, "NOT_EXPECTED_TYPE", "schema"),
        ([("x",)], "id INT", "FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME", "id"),
        ([(True,)], "id INT", "FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME", "id"),
        ([(1.0,)], "id INT", "FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME", "id"),
        ([(1,)], "id DOUBLE", "FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME", "id"),
        ([(1,)], "id DECIMAL(5,2)", "FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME", "id"),
        ([("2020-01-01",)], "id DATE", "FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME", "id"),
        ([(DAY,)], "id TIMESTAMP", "FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME", "id"),
        ([(["x"],)], "id ARRAY<INT>", "FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME", None),
        ([Row(("id", "s"), (1, "x"))], "s STRING, id INT", None, "id"),
        ([1], "a INT", "FIELD_DATA_TYPE_UNACCEPTABLE", "a row"),
        ([None], "a INT", "FIELD_DATA_TYPE_UNACCEPTABLE", "a row"),
        ([("abc",)], "a CHAR(3)", "UNSUPPORTED_DATA_TYPE", "a"),
        ([("abc",)], "a VARCHAR(3)", "UNSUPPORTED_DATA_TYPE", "a"),
        ([(None,)], "s STRUCT<v: VARIANT>", "UNSUPPORTED_DATA_TYPE", "s.v"),
        ([(1,)], "a VOID", "FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME", "a"),
    ],
)
def test_value_of_another_type_is_refused(
    data: Any, schema: Any, condition: str | None, where: str | None
) -> None:
    with pytest.raises(RowTypeError) as caught:
        made(data, schema)
    error = caught.value
    assert isinstance(error, TypeError)
    assert condition in (error.condition, None)
    assert where in (error.where, None)


@pytest.mark.parametrize(
    ("data", "schema", "condition"),
    [
        ([(None,)], ["a"], "CANNOT_DETERMINE_TYPE"),
        ([([],)], ["a"], "CANNOT_DETERMINE_TYPE"),
        ([({},)], ["a"], "CANNOT_DETERMINE_TYPE"),
        ([], ["a"], "CANNOT_INFER_EMPTY_SCHEMA"),
        ([], None, "CANNOT_INFER_EMPTY_SCHEMA"),
        ([(1,)], "id INT, name STRING", "FIELD_STRUCT_LENGTH_MISMATCH"),
        ([(1, 2, 3)], "id INT, name STRING", "FIELD_STRUCT_LENGTH_MISMATCH"),
        ([((1,),)], "s STRUCT<x: INT, y: STRING>", "FIELD_STRUCT_LENGTH_MISMATCH_WITH_NAME"),
        ([(1, 2), (3,)], ["a", "b"], "STRUCT_ARRAY_LENGTH_MISMATCH"),
        ([(None,)], "id INT NOT NULL", "FIELD_NOT_NULLABLE_WITH_NAME"),
        ([(2147483648,)], "id INT", "VALUE_OUT_OF_BOUNDS"),
        ([(200,)], "id TINYINT", "VALUE_OUT_OF_BOUNDS"),
        ([(2**63,)], "id BIGINT", "VALUE_OUT_OF_BOUNDS"),
        ([(2**63,)], ["id"], "VALUE_OUT_OF_BOUNDS"),
        ([(D("123456.789"),)], "a DECIMAL(5,2)", "NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION"),
        ([(D("NaN"),)], "a DECIMAL(5,2)", "NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION"),
        ([(D(10) ** 21,)], ["a"], "NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION"),
        ([(1,)], ["a", "b"], "AXIS_LENGTH_MISMATCH"),
    ],
)
def test_value_that_cannot_be_taken_is_refused(data: Any, schema: Any, condition: str) -> None:
    with pytest.raises(RowValueError) as caught:
        made(data, schema)
    assert isinstance(caught.value, ValueError)
    assert caught.value.condition == condition


def test_refusal_names_value_and_type() -> None:
    with pytest.raises(RowTypeError) as caught:
        made([("x",)], "id INT")
    assert caught.value.found == "INT can not accept object 'x' in type <class 'str'>"


@pytest.mark.parametrize(
    ("ddl", "value", "collected"),
    [
        ("a DECIMAL(5,2)", D("1.255"), D("1.26")),
        ("a DECIMAL(5,2)", D("-1.255"), D("-1.26")),
        ("a DATE", NOON, DAY),
        ("a TIMESTAMP_NTZ", EAST, dt.datetime(2020, 1, 1, 3)),  # noqa: DTZ001 - it has no zone
        ("a FLOAT", 0.5, 0.5),
        ("a STRUCT<x: INT, y: STRING>", {"x": 1}, (1, None)),
        ("a MAP<STRING, INT>", {1: 2}, {"1": 2}),
        ("a ARRAY<INT>", (1, 2), [1, 2]),
        ("a STRING", None, None),
    ],
)
def test_value_becomes_the_types(ddl: str, value: Any, collected: Any) -> None:
    assert made([(value,)], ddl) == (ddl, [(collected,)])


def test_time_without_a_zone_is_in_the_sessions() -> None:
    _, rows = made([(NOON,)], ["a"], **{"spark.sql.session.timeZone": "Asia/Tokyo"})
    assert rows == [(dt.datetime(2020, 1, 1, 3, tzinfo=dt.UTC),)]


def test_schema_may_be_a_schema_or_arrows() -> None:
    schema = parse_ddl("id INT")
    assert made([(1,)], schema) == made([(1,)], pa.schema([("id", pa.int32())]))


def test_bad_ddl_is_refused_with_its_place() -> None:
    with pytest.raises(DdlError):
        made([(1,)], "a FOO")


def test_names_that_differ_in_case_only_are_refused() -> None:
    with pytest.raises(DuplicateFieldError):
        made([(1, 2)], ["a", "A"])


def test_arrow_table_is_taken_as_it_is() -> None:
    table = pa.table({"a": [1, 2], "b": ["x", None]})
    assert made(table) == ("a BIGINT, b STRING", [(1, "x"), (2, None)])


def test_polars_frame_is_taken_as_it_is() -> None:
    frame = pl.DataFrame({"a": [1, 2], "s": [{"x": 1.5}, None]})
    assert made(frame) == ("a BIGINT, s STRUCT<x: DOUBLE>", [(1, (1.5,)), (2, None)])


def test_table_takes_names() -> None:
    assert made(pa.table({"a": [1]}), ["z"]) == ("z BIGINT", [(1,)])


def test_table_takes_types() -> None:
    assert made(pa.table({"a": [1]}), "z INT") == ("z INT", [(1,)])


@pytest.mark.parametrize(
    ("table", "schema", "condition"),
    [
        (pa.table({"a": [2**40]}), "a INT", "VALUE_OUT_OF_BOUNDS"),
        (pa.table({"a": [1]}), "a INT, b INT", "AXIS_LENGTH_MISMATCH"),
        (pa.table({"a": pa.array([None], pa.int64())}), "a INT NOT NULL", None),
    ],
)
def test_table_that_does_not_fit_the_schema_is_refused(
    table: pa.Table, schema: str, condition: str | None
) -> None:
    with pytest.raises(RowValueError) as caught:
        made(table, schema)
    assert condition in (caught.value.condition, None)


@pytest.mark.parametrize(
    ("zone", "hour"), [("UTC", 12), ("Asia/Tokyo", 3), ("+02:00", 10)], ids=str
)
def test_times_of_a_table_are_in_the_sessions_zone(zone: str, hour: int) -> None:
    table = pa.table({"a": pa.array([NOON], pa.timestamp("ns"))})
    ddl, rows = made(table, **{"spark.sql.session.timeZone": zone})
    assert (ddl, rows) == ("a TIMESTAMP", [(dt.datetime(2020, 1, 1, hour, tzinfo=dt.UTC),)])


def test_columns_are_renamed_by_to_df() -> None:
    frame = Session().createDataFrame([(1, "a")]).toDF("id", "name")
    assert (frame.columns, frame.dtypes) == (["id", "name"], [("id", "bigint"), ("name", "string")])


def test_to_df_takes_a_name_for_each_column() -> None:
    with pytest.raises(ColumnCountError) as caught:
        Session().createDataFrame([(1, "a")]).toDF("id")
    assert caught.value.condition == "ASSIGNMENT_ARITY_MISMATCH"


def test_unknown_column_is_named_with_those_there_are() -> None:
    with pytest.raises(ColumnNotFoundError) as caught:
        Session().createDataFrame([(1, "a")], ["id", "s"]).select("foo")
    assert (caught.value.name, caught.value.columns) == ("foo", ("id", "s"))


def test_first_rows_are_given_as_pyspark_does() -> None:
    frame = Session().createDataFrame([(1, "a"), (2, "b")], ["id", "s"])
    assert frame.first() == (1, "a")
    assert frame.take(1) == [(1, "a")]
    assert (frame.head(), frame.head(2)) == ((1, "a"), [(1, "a"), (2, "b")])
    assert (frame.limit(1).count(), frame.isEmpty()) == (1, False)


def test_frame_names_its_columns() -> None:
    frame = Session().createDataFrame([(1, "a")], ["id", "s"])
    assert repr(frame) == "DataFrame[id: bigint, s: string]"


def test_structs_are_rows_and_maps_dictionaries() -> None:
    pair = namedtuple("pair", ["x", "y"])  # noqa: PYI024 - also the untyped form
    (row,) = Session().createDataFrame([(pair(1, 2), {"k": [1]})], ["s", "m"]).collect()
    assert (row.s.x, row.m) == (1, {"k": [1]})

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.row import Row
from ingest.testing.comparing import compare
from ingest.testing.values import LandedSchema, Rows
from schema_store.ddl import parse_ddl

ANN = Row(id=1, name="Ann")
BOB = Row(id=2, name=None)
SCHEMA = LandedSchema(parse_ddl("id INT, name STRING"))
ROWS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["a", None])), max_size=5)


@pytest.mark.parametrize(
    "expected",
    [
        [(1, "Ann"), (2, None)],
        [(2, None), (1, "Ann")],
        [{"id": 1, "name": "Ann"}, [2, None]],
        [ANN, BOB],
    ],
)
def test_rows_equal_what_a_test_writes(expected: list[Any]) -> None:
    assert Rows([ANN, BOB]) == expected


@pytest.mark.parametrize(
    "expected",
    [
        [(1, "Ann")],
        [(1, "Ann"), (1, "Ann")],
        [(1, "Ann"), {"id": 2}],
        [(True, "Ann"), (2, None)],
        [(1, "Ann"), (2, None), (2, None)],
    ],
)
def test_rows_differ_by_a_value_a_column_or_a_copy(expected: list[Any]) -> None:
    assert Rows([ANN, BOB]) != expected


def test_nested_values_are_compared_alike() -> None:
    row = Row(s=Row(a=1, b=[Row(c=Decimal("1.5"))]), m={"k": (1,)})

    assert Rows([row]) == [({"a": 1, "b": [(Decimal("1.5"),)]}, {"k": (1,)})]
    assert Rows([row]) != [({"a": 1, "b": [(Decimal("1.6"),)]}, {"k": (1,)})]


@given(rows=ROWS, data=st.data())
def test_rows_equal_themselves_in_any_order(rows: list[Any], data: st.DataObject) -> None:
    assert Rows(rows) == data.draw(st.permutations(rows))


@given(left=ROWS, right=ROWS)
def test_rows_are_equal_when_they_are_the_same_bag(left: list[Any], right: list[Any]) -> None:
    assert (Rows(left) == right) == (sorted(left, key=repr) == sorted(right, key=repr))


@pytest.mark.parametrize("expected", ["id INT, name STRING", "id int,name string", SCHEMA.schema])
def test_a_schema_equals_its_ddl(expected: object) -> None:
    assert expected == SCHEMA


def test_a_schema_differs_by_type_and_by_order() -> None:
    assert SCHEMA != "id BIGINT, name STRING"
    assert SCHEMA != "name STRING, id INT"
    assert SCHEMA != "no DDL"
    assert SCHEMA["id"] == "INT"
    assert "name" in SCHEMA


def test_schemas_that_differ_are_told_by_column() -> None:
    assert compare(SCHEMA, "id BIGINT, age INT") == [
        "schema as expected",
        "expected id BIGINT, age INT",
        "found    id INT, name STRING",
        "  column id: BIGINT expected, INT found",
        "  column age: INT expected, not found",
        "  column name: not expected, STRING found",
        "  what to do: if this is right, expect it; if not, correct the file",
        '  or fix the types: .option("cloudFiles.schemaHints", "id BIGINT")',
    ]


def test_an_expected_schema_that_is_no_ddl_is_told() -> None:
    assert compare(SCHEMA, "no DDL at all") == [
        "schema as expected",
        "'no DDL at all' is no DDL",
    ]


def test_rows_of_other_columns_are_told_by_column() -> None:
    message = compare(Rows([ANN], columns=("id", "name")), [{"id": 1, "age": 3}])

    assert message == [
        "rows as expected",
        "1 row found, 1 row expected, 0 the same:",
        "     id  name   age",
        "  -  1   ·      3    expected",
        "  +  1   'Ann'  ·    found",
        "  column age is expected and not in the table",
        "  column name is in the table and not expected",
    ]


@pytest.mark.parametrize(("left", "right"), [([1], [2]), ("a", "b"), ([], []), ([ANN], 3)])
def test_other_comparisons_are_pytests_own(left: object, right: object) -> None:
    assert compare(left, right) is None

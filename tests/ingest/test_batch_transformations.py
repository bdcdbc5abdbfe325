"""The everyday calls on rows in memory (contract 1.6): the same ones as on streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ingest import Session
from ingest import functions as f
from ingest.errors import ColumnNotFoundError, ExpressionError, OperationNotSupportedError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ingest.dataframe import DataFrame


@pytest.fixture
def people(tmp_path: Path) -> DataFrame:
    session = Session(warehouse=tmp_path)
    return session.createDataFrame([(1, "Ann"), (2, "Bo")], "id INT, Name STRING")


CALLS: list[tuple[Callable[[DataFrame], DataFrame], list[dict[str, Any]]]] = [
    (lambda df: df.select("name", "id").limit(1), [{"name": "Ann", "id": 1}]),
    (lambda df: df.selectExpr("id + 1 AS next").limit(1), [{"next": 2}]),
    (lambda df: df.where("id > 1"), [{"id": 2, "Name": "Bo"}]),
    (lambda df: df.filter(df.id > 1).drop("id"), [{"Name": "Bo"}]),
    (
        lambda df: df.withColumn("x", f.lit(7)).where(df["id"] == 1),
        [{"id": 1, "Name": "Ann", "x": 7}],
    ),
    (lambda df: df.withColumnRenamed("Name", "who").limit(1), [{"id": 1, "who": "Ann"}]),
]


@pytest.mark.parametrize(("call", "expected"), CALLS)
def test_calls_give_what_they_give_on_a_stream(
    people: DataFrame, call: Callable[[DataFrame], DataFrame], expected: list[dict[str, Any]]
) -> None:
    assert [row.asDict() for row in call(people).collect()] == expected


def test_rows_that_are_filtered_out_later_fail_no_cast(people: DataFrame) -> None:
    cast = people.withColumn("n", f.col("Name").cast("INT"))
    assert cast.where("id > 5").collect() == []
    with pytest.raises(ExpressionError, match="CAST_INVALID_INPUT"):
        cast.collect()


def test_an_unknown_column_is_told_when_the_call_is_made(people: DataFrame) -> None:
    with pytest.raises(ColumnNotFoundError, match="nothing"):
        people.select("nothing")


def test_other_calls_are_refused_by_name(people: DataFrame) -> None:
    with pytest.raises(OperationNotSupportedError, match="groupBy"):
        _ = people.groupBy

"""Rows that a table gives back, printed as Spark prints them (Spark `Dataset.showString`)."""

from __future__ import annotations

import copy
import datetime as dt
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from ingest.arrow import to_arrow_schema
from ingest.dataframe import DataFrame, Row
from ingest.shown import value_text
from schema_store.ddl import parse_data_type, parse_ddl


def frame(ddl: str, *rows: tuple[Any, ...]) -> DataFrame:
    schema = parse_ddl(ddl)
    records = [dict(zip(schema.names, row, strict=True)) for row in rows]
    return DataFrame(schema, pa.Table.from_pylist(records, schema=to_arrow_schema(schema)))


def test_show_prints_as_spark_does(capsys: pytest.CaptureFixture[str]) -> None:
    frame("id BIGINT, name STRING", (1, "John"), (2147483648, None)).show()
    assert capsys.readouterr().out == (
        "+----------+----+\n"
        "|        id|name|\n"
        "+----------+----+\n"
        "|         1|John|\n"
        "|2147483648|NULL|\n"
        "+----------+----+\n"
        "\n"
    )


def test_show_makes_columns_three_wide_at_least(capsys: pytest.CaptureFixture[str]) -> None:
    frame("a INT", (1,)).show()
    assert capsys.readouterr().out == "+---+\n|  a|\n+---+\n|  1|\n+---+\n\n"


def test_show_of_an_empty_table_has_its_header(capsys: pytest.CaptureFixture[str]) -> None:
    frame("id INT").show()
    assert capsys.readouterr().out == "+---+\n| id|\n+---+\n+---+\n\n"


def test_show_cuts_long_values_to_twenty(capsys: pytest.CaptureFixture[str]) -> None:
    frame("s STRING", ("abcdefghijklmnopqrstuvwxyz",)).show()
    assert capsys.readouterr().out.splitlines()[3] == "|abcdefghijklmnopq...|"


@pytest.mark.parametrize(
    ("truncate", "expected"),
    [
        (False, "|abcdefghijklmnopqrstuvwxyz|"),
        (5, "|ab...|"),
        (2, "| ab|"),
        (0, "|abcdefghijklmnopqrstuvwxyz|"),
    ],
)
def test_show_truncates_as_told(
    truncate: int, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    frame("s STRING", ("abcdefghijklmnopqrstuvwxyz",)).show(truncate=truncate)
    assert capsys.readouterr().out.splitlines()[3] == expected


def test_show_without_truncating_aligns_to_the_left(capsys: pytest.CaptureFixture[str]) -> None:
    frame("name STRING", ("x",)).show(truncate=False)
    assert capsys.readouterr().out == "+----+\n|name|\n+----+\n|x   |\n+----+\n\n"


@pytest.mark.parametrize(
    ("n", "expected"), [(1, "only showing top 1 row"), (2, "only showing top 2 rows")]
)
def test_show_tells_that_there_are_more(
    n: int, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    frame("id INT", (1,), (2,), (3,)).show(n)
    assert capsys.readouterr().out.splitlines()[-2:] == [expected, ""]


def test_show_escapes_line_ends_and_counts_wide_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    frame("s STRING", ("a\nb",), ("東京都",)).show()
    assert capsys.readouterr().out.splitlines()[3:5] == ["|  a\\nb|", "|東京都|"]


@pytest.mark.parametrize(
    ("sql", "value", "expected"),
    [
        ("BOOLEAN", True, "true"),
        ("DOUBLE", 1.0, "1.0"),
        ("DOUBLE", 12345678.0, "1.2345678E7"),
        ("DOUBLE", 1e300, "1.0E300"),
        ("DOUBLE", -0.0005, "-5.0E-4"),
        ("DOUBLE", 0.001, "0.001"),
        ("DOUBLE", float("nan"), "NaN"),
        ("DOUBLE", float("-inf"), "-Infinity"),
        ("FLOAT", 0.10000000149011612, "0.1"),
        ("DECIMAL(38,18)", Decimal("0E-18"), "0.000000000000000000"),
        ("DATE", dt.date(2024, 1, 2), "2024-01-02"),
        ("TIMESTAMP", dt.datetime(2024, 1, 2, 3, tzinfo=dt.UTC), "2024-01-02 03:00:00"),
        (
            "TIMESTAMP_NTZ",
            dt.datetime(2024, 1, 2, 3, 4, 5, 120000),  # noqa: DTZ001 - it has no zone
            "2024-01-02 03:04:05.12",
        ),
        ("BINARY", b"\x01\xff", "[01 FF]"),
        ("ARRAY<INT>", [1, None], "[1, NULL]"),
        ("STRUCT<a: INT, b: STRING>", {"a": 1, "b": None}, "{1, NULL}"),
        ("MAP<STRING, INT>", [("k", 1), ("l", None)], "{k -> 1, l -> NULL}"),
        ("STRING", None, "NULL"),
    ],
)
def test_value_is_written_as_spark_casts_it(sql: str, value: Any, expected: str) -> None:
    assert value_text(value, parse_data_type(sql)) == expected


def test_print_schema_prints_as_spark_does(capsys: pytest.CaptureFixture[str]) -> None:
    frame(
        "id BIGINT, n INT, t TINYINT, d DECIMAL(10,2), at TIMESTAMP,"
        " s STRUCT<x: INT, y: ARRAY<STRING>>, m MAP<STRING, STRUCT<z: DATE>>"
    ).printSchema()
    assert capsys.readouterr().out == (
        "root\n"
        " |-- id: long (nullable = true)\n"
        " |-- n: integer (nullable = true)\n"
        " |-- t: byte (nullable = true)\n"
        " |-- d: decimal(10,2) (nullable = true)\n"
        " |-- at: timestamp (nullable = true)\n"
        " |-- s: struct (nullable = true)\n"
        " |    |-- x: integer (nullable = true)\n"
        " |    |-- y: array (nullable = true)\n"
        " |    |    |-- element: string (containsNull = true)\n"
        " |-- m: map (nullable = true)\n"
        " |    |-- key: string\n"
        " |    |-- value: struct (valueContainsNull = true)\n"
        " |    |    |-- z: date (nullable = true)\n"
        "\n"
    )


def test_collect_gives_rows_by_name_and_place() -> None:
    (row,) = frame("id INT, name STRING", (1, "John")).collect()
    assert (row.id, row["name"], row[0], row.asDict(), repr(row)) == (
        1,
        "John",
        1,
        {"id": 1, "name": "John"},
        "Row(id=1, name='John')",
    )


def test_row_without_the_column_says_so() -> None:
    row = Row(("id",), (1,))
    with pytest.raises(AttributeError, match="nothing"):
        _ = row.nothing


def test_row_can_be_copied() -> None:
    row = Row(("id",), (1,))
    assert copy.copy(row).asDict() == {"id": 1}


def test_rows_come_as_arrow_and_polars() -> None:
    rows = frame("id INT", (1,), (2,))
    assert (rows.count(), rows.to_arrow().num_rows, rows.to_polars()["id"].to_list()) == (
        2,
        2,
        [1, 2],
    )

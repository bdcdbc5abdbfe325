"""Why values were rescued, and that what is advised takes them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import polars as pl
import pytest

from ingest import Session
from ingest.insight.remedies import ADDING, WIDENING, remedies
from ingest.insight.rescued import Example, Reason, RescuedGroup, report_rescued
from ingest.insight.rescued_values import rescued_texts
from schema_store.ddl import parse_data_type, parse_ddl

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.insight.rescued import RescuedReport

URI = "file:///in/a.csv"
SCHEMA = "id INT, amount INT, Name STRING, s STRUCT<x: INT>, l ARRAY<STRUCT<k: INT>>, d DOUBLE"


def report(*texts: str | None, schema: str = SCHEMA, examples: int = 3) -> RescuedReport:
    series = pl.Series(texts, dtype=pl.String)
    batches = [(len(series), series.drop_nulls())]
    return report_rescued(parse_ddl(schema), batches, examples=examples)


def group(text: str, schema: str = SCHEMA) -> RescuedGroup:
    (found,) = report(text, schema=schema).groups
    return found


def advice(text: str, schema: str = SCHEMA) -> list[tuple[str | None, str]]:
    return [(one.key, one.value) for one in remedies(group(text, schema))]


@pytest.mark.parametrize(
    ("text", "path", "reason"),
    [
        ('{"age":"7"}', ("age",), Reason.UNKNOWN),
        ('{"age":null}', ("age",), Reason.UNKNOWN),
        ('{"id":"x"}', ("id",), Reason.MISFIT),
        ('{"id":99999999999}', ("id",), Reason.MISFIT),
        ('{"id":"7"}', ("id",), Reason.FITS_NOW),
        ('{"id":7}', ("id",), Reason.FITS_NOW),
        ('{"Name":5}', ("Name",), Reason.MISFIT),
        ('{"name":"x"}', ("name",), Reason.CASE),
        ('{"_c4":"x"}', ("_c4",), Reason.SURPLUS),
        ('{"s":{"x":"a"}}', ("s", "x"), Reason.MISFIT),
        ('{"s":{"X":1}}', ("s", "X"), Reason.CASE),
        ('{"s":{"y":1}}', ("s", "y"), Reason.UNKNOWN),
        ('{"s":"no struct"}', ("s",), Reason.MISFIT),
        ('{"l":[{"k":1,"n":2}]}', ("l",), Reason.UNKNOWN),
        ('{"l":[{"k":"a"}]}', ("l",), Reason.MISFIT),
    ],
)
def test_the_reason(text: str, path: tuple[str, ...], reason: Reason) -> None:
    found = group(text)

    assert (found.path, found.reason) == (path, reason)


def test_values_and_files_are_counted_and_shown_in_their_order() -> None:
    texts = [f'{{"id":"{value}","_file_path":"{URI}{file}"}}' for value, file in
             [("b", 1), ("a", 1), ("b", 1), ("b", 2), ("c", 2)]]  # fmt: skip
    found = report(*texts, None, examples=2)

    assert (found.rows, found.rescued_rows) == (6, 5)
    (one,) = found.groups
    assert (one.count, one.files) == (5, 2)
    assert one.examples == (Example('"b"', f"{URI}1"), Example('"a"', f"{URI}1"))


def test_what_is_no_json_is_counted() -> None:
    assert report("{", "5").unreadable == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{"age":"7"}',
            [("cloudFiles.schemaEvolutionMode", ADDING), ("cloudFiles.schemaHints", "age INT")],
        ),
        (
            '{"amount":"1.50"}',
            [
                ("cloudFiles.schemaEvolutionMode", WIDENING),
                ("cloudFiles.schemaHints", "amount DECIMAL(12,2)"),
            ],
        ),
        (
            '{"amount":"N/A"}',
            [("nullValue", "N/A"), ("cloudFiles.schemaHints", "amount STRING")],
        ),
        ('{"name":"x"}', [("readerCaseSensitive", "false")]),
        (
            '{"s":{"x":1.5}}',
            [
                ("cloudFiles.schemaEvolutionMode", WIDENING),
                ("cloudFiles.schemaHints", "s.x DECIMAL(11,1)"),
            ],
        ),
        ('{"l":[{"k":1,"n":2}]}', [("cloudFiles.schemaEvolutionMode", ADDING)]),
        (
            '{"id":99999999999,"_file_path":"file:///a.parquet"}',
            [("cloudFiles.schemaEvolutionMode", WIDENING)],
        ),
        (
            '{"id":"x","_file_path":"file:///a.parquet"}',
            [(None, "write the files anew with the column's type")],
        ),
        ('{"":1}', [(None, "nothing: it can be no column")]),
        ('{"e":{}}', [(None, "nothing: it can be no column")]),
    ],
)
def test_what_takes_values_in(text: str, expected: list[tuple[str | None, str]]) -> None:
    assert advice(text) == expected


def test_a_text_among_numbers_is_told_apart() -> None:
    (found,) = report('{"amount":"1.50"}', '{"amount":"n/a"}', '{"amount":"22.5"}').groups

    assert found.others == parse_data_type("DECIMAL(4,2)")
    assert remedies(found)[0].value == "amount DECIMAL(12,2)"


@pytest.mark.parametrize("kind", ["delta", "parquet"])
def test_advice_is_followed_and_true(tmp_path: Path, kind: str) -> None:
    landing = tmp_path / "in"
    landing.mkdir()
    (landing / "1.csv").write_text("id,amount,Name\n1,5,a\n")
    run(tmp_path, kind, "first", {"cloudFiles.schemaEvolutionMode": "rescue"})
    (landing / "2.csv").write_text("id,amount,name,age\n2,1.50,b,7\n3,2,c,8\n")
    run(tmp_path, kind, "first", {"cloudFiles.schemaEvolutionMode": "rescue"})
    found = rescued(tmp_path / "first")
    taken: dict[str, str] = {}
    for one in found.groups:
        *_, last = remedies(one)
        assert last.key is not None
        taken[last.key] = ", ".join(filter(None, [taken.get(last.key), last.value]))

    run(tmp_path, kind, "second", taken)

    assert rescued(tmp_path / "second").rescued_rows == 0
    assert {one.path: one.reason for one in found.groups} == {
        ("amount",): Reason.MISFIT,
        ("name",): Reason.CASE,
        ("age",): Reason.UNKNOWN,
    }


def run(root: Path, kind: str, table: str, options: dict[str, str]) -> None:
    spark = Session(warehouse=root)
    reader = spark.readStream.format("cloudFiles").option("cloudFiles.format", "csv")
    reader = reader.option("cloudFiles.inferColumnTypes", "true").options(**options)
    rows = reader.option("cloudFiles.schemaLocation", f"{root}/{table}.state").load(root / "in")
    writer = rows.writeStream.format(kind).option("checkpointLocation", f"{root}/{table}.state")
    writer.trigger(availableNow=True).start(str(root / table)).awaitTermination()


def rescued(table: Path) -> RescuedReport:
    schema, texts = rescued_texts(table, "_rescued_data")
    return report_rescued(schema, texts(), examples=3)


def test_deleted_rows_and_files_without_the_column_do_not_count(tmp_path: Path) -> None:
    spark = Session(warehouse=tmp_path)
    spark.createDataFrame([(1,)], ["id"]).write.saveAsTable("t")
    text = orjson.dumps({"id": "x"}).decode()
    more = spark.createDataFrame([(2, text), (3, None)], "id BIGINT, _rescued_data STRING")
    more.write.mode("append").option("mergeSchema", "true").saveAsTable("t")

    found = rescued(tmp_path / "t")
    assert (found.rows, found.rescued_rows) == (3, 1)

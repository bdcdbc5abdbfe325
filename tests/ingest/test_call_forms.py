"""Arguments have PySpark's names and forms; misuse is told in words (contract 1.1)."""

from __future__ import annotations

import inspect
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from ingest import Session
from ingest.batch_reader import DataFrameReader
from ingest.batch_writer import DataFrameWriter
from ingest.dataframe import DataFrame
from ingest.errors import (
    OperationNotSupportedError,
    OptionError,
    OptionValueError,
    SqlNotSupportedError,
    TableNameError,
    UnsupportedOptionError,
)
from ingest.query import StreamingQuery
from ingest.reader import DataStreamReader
from ingest.row import Row
from ingest.writer import DataStreamWriter
from tests.ingest.lake import Lake

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FORMS: list[tuple[Callable[..., Any], list[str]]] = [
    (Session.table, ["tableName"]),
    (Session.sql, ["sqlQuery", "args", "kwargs"]),
    (Session.createDataFrame, ["data", "schema", "samplingRatio", "verifySchema"]),
    (DataStreamReader.format, ["source"]),
    (DataStreamReader.option, ["key", "value"]),
    (DataStreamReader.load, ["path", "format", "schema", "options"]),
    (DataStreamWriter.format, ["source"]),
    (DataStreamWriter.foreachBatch, ["func"]),
    (DataStreamWriter.outputMode, ["outputMode"]),
    (DataStreamWriter.queryName, ["queryName"]),
    (
        DataStreamWriter.start,
        ["path", "format", "outputMode", "partitionBy", "queryName", "options"],
    ),
    (
        DataStreamWriter.toTable,
        ["tableName", "format", "outputMode", "partitionBy", "queryName", "options"],
    ),
    (DataFrameReader.table, ["tableName"]),
    (DataFrameWriter.format, ["source"]),
    (DataFrameWriter.mode, ["saveMode"]),
    (DataFrameWriter.save, ["path", "format", "mode", "partitionBy", "options"]),
    (DataFrameWriter.saveAsTable, ["name", "format", "mode", "partitionBy", "options"]),
    (DataFrame.show, ["n", "truncate", "vertical"]),
    (DataFrame.limit, ["num"]),
    (DataFrame.withColumn, ["colName", "col"]),
    (DataFrame.withColumnRenamed, ["existing", "new"]),
    (StreamingQuery.awaitTermination, ["timeout"]),
]
"""As `inspect` tells them of PySpark 4.3.0."""


@pytest.mark.parametrize(("call", "names"), FORMS)
def test_arguments_have_pysparks_names(call: Callable[..., Any], names: list[str]) -> None:
    given = [p.name for p in inspect.signature(call).parameters.values()]
    assert [name for name in given if name not in {"self", "version"}] == names


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    lake = Lake(tmp_path)
    lake.land("a.csv", "id,name\n1,a\n")
    return lake


@pytest.mark.parametrize("name", [None, 3, "x" * 256, "ä" * 128])
def test_table_name_that_no_folder_can_have_is_refused(name: Any, lake: Lake) -> None:
    with pytest.raises(TableNameError):
        lake.session.table(name)


@pytest.mark.parametrize("name", [None, "", " "])
def test_blank_query_name_is_refused(name: Any, lake: Lake) -> None:
    with pytest.raises(OptionValueError, match="queryName"):
        lake.writer().queryName(name)


@pytest.mark.parametrize("source", [None, "kafka"])
def test_format_that_is_no_sink_is_refused(source: Any, lake: Lake) -> None:
    with pytest.raises(UnsupportedOptionError, match=str(source)):
        lake.writer().format(source)


def test_unknown_argument_of_trigger_is_named(lake: Lake) -> None:
    with pytest.raises(OptionValueError, match="foo"):
        lake.writer().trigger(foo=1)


@pytest.mark.parametrize("timeout", ["1", -1])
def test_timeout_is_a_number_of_seconds(timeout: Any, lake: Lake) -> None:
    query = lake.writer().toTable("t")
    query.awaitTermination()
    with pytest.raises(OptionValueError, match="awaitTermination"):
        query.awaitTermination(timeout)


def test_call_that_a_query_does_not_have_is_refused_by_name(lake: Lake) -> None:
    query: Any = lake.writer().toTable("t")
    query.awaitTermination()
    with pytest.raises(OperationNotSupportedError, match="explain"):
        query.explain()


def test_query_shows_its_name_and_what_it_does(lake: Lake) -> None:
    query = lake.writer().queryName("q").toTable("t")
    query.awaitTermination()
    assert repr(query) == "<StreamingQuery q: Stopped>"


def test_query_tells_the_batch_whose_function_is_running(lake: Lake) -> None:
    told: list[object] = []
    writer = lake.writer().queryName("q")

    def look(rows: DataFrame, batch_id: int) -> None:
        (query,) = rows.sparkSession.streams.active
        told.append((batch_id, query.status["message"]))

    writer.foreachBatch(look).start().awaitTermination()
    assert told == [(0, "Processing batch 0")]


def test_negative_limit_is_refused(lake: Lake) -> None:
    with pytest.raises(OptionValueError, match="limit"):
        lake.session.createDataFrame([(1,)], ["id"]).limit(-1)


def test_show_of_fewer_than_no_rows_shows_none(
    lake: Lake, capsys: pytest.CaptureFixture[str]
) -> None:
    lake.session.createDataFrame([(1,)], ["id"]).show(-1)
    assert capsys.readouterr().out.endswith("only showing top 0 rows\n\n")


def test_vertical_show_is_refused_by_name(lake: Lake) -> None:
    with pytest.raises(OptionValueError, match="vertical"):
        lake.session.createDataFrame([(1,)], ["id"]).show(vertical=True)


def test_rows_are_always_checked(lake: Lake) -> None:
    with pytest.raises(OptionError, match="verifySchema=False"):
        lake.session.createDataFrame([(1,)], ["id"], verifySchema=False)


def test_parameters_of_sql_are_refused_by_name(lake: Lake) -> None:
    with pytest.raises(SqlNotSupportedError, match="parameter"):
        lake.session.sql("SELECT * FROM {t}", t="x")


def test_stream_stays_in_its_folders_when_the_process_changes_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    spark = Session(warehouse="lake", path_map={"dbfs:/": "dbfs"})
    places = (spark.warehouse, spark.locate("state"), spark.locate("dbfs:/x"))
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert places == (tmp_path / "lake", tmp_path / "state", tmp_path / "dbfs" / "x")


def test_rows_of_a_transformed_frame_are_the_same_in_every_thread(lake: Lake) -> None:
    frame = lake.session.createDataFrame([(n,) for n in range(1000)], ["id"])
    shared = frame.selectExpr("id + 1 AS id")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: shared.selectExpr("id + 1 AS id").first(), range(64)))
        found += pool.map(lambda _: shared.first(), range(64))
    assert set(found) == {(2,), (1,)}


def test_row_tells_its_columns_and_gives_dictionaries() -> None:
    row = Row(("id", "s", "l"), (1, Row(("a",), (2,)), [Row(("b",), (3,))]))
    assert ("s" in row, "x" in row) == (True, False)
    assert row.asDict(recursive=True) == {"id": 1, "s": {"a": 2}, "l": [{"b": 3}]}


def test_unmapped_path_is_mapped_to_a_folder_of_its_own_in_the_example(lake: Lake) -> None:
    with pytest.raises(OptionError, match=r'"s3://bucket/cp": "\./cp"'):
        lake.session.locate("s3://bucket/cp")


def test_memory_table_keeps_no_versions(lake: Lake) -> None:
    lake.writer().format("memory").queryName("m").start().awaitTermination()
    with pytest.raises(OperationNotSupportedError, match="memory"):
        lake.session.table("m", version=0)

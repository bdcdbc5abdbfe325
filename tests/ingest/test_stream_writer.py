"""`df.writeStream`: Delta by default, names, modes, places (contract 1.1, 8.1, 8.2)."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from ingest.errors import (
    AnalysisException,
    MetadataMismatchError,
    MissingOptionError,
    OptionConflictError,
    OutputModeError,
    QueryNameInUseError,
    StreamingQueryException,
    TableFormatError,
    TypeWideningNotEnabledError,
    UnsupportedOptionError,
)
from tests.ingest.lake import Lake

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ingest.dataframe import DataFrame
    from ingest.query import StreamingQuery

WIDENING: dict[str, Any] = {"cloudFiles.schemaEvolutionMode": "addNewColumnsWithTypeWidening"}


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    lake = Lake(tmp_path)
    lake.land("a.csv", "id,name\n1,a\n2,b\n")
    return lake


def run(lake: Lake, table: str = "t", *, restarts: int = 0, **options: Any) -> None:
    """Run the stream into a table, again after a stop to evolve."""

    def build() -> StreamingQuery:
        return lake.writer().options(**options).toTable(table)

    lake.session.run_until_stable(build, max_restarts=restarts)


def cause(lake: Lake, **options: Any) -> BaseException:
    with pytest.raises(StreamingQueryException) as caught:
        run(lake, restarts=1, **options)
    return caught.value.cause


# --- Delta by default


def test_table_is_a_delta_table_by_default(lake: Lake) -> None:
    run(lake)
    assert (lake.session.warehouse / "t" / "_delta_log").is_dir()
    assert lake.rows("t", "id", "name") == [(1, "a"), (2, "b")]


def test_path_is_a_delta_table_by_default(lake: Lake) -> None:
    lake.writer().start(lake.root / "out").awaitTermination()
    assert lake.session.read.format("delta").load(lake.root / "out").count() == 2


def test_second_run_adds_only_what_is_new(lake: Lake) -> None:
    run(lake)
    lake.land("b.csv", "id,name\n3,c\n")
    run(lake)
    assert lake.rows("t", "id") == [(1,), (2,), (3,)]


def test_new_column_without_merge_schema_fails_the_write(lake: Lake) -> None:
    run(lake)
    lake.land("b.csv", "id,name,age\n3,c,30\n")
    error = cause(lake)
    assert isinstance(error, MetadataMismatchError)
    assert error.condition == "DELTA_METADATA_MISMATCH"


def test_new_column_with_merge_schema_is_added(lake: Lake) -> None:
    run(lake)
    lake.land("b.csv", "id,name,age\n3,c,30\n")
    run(lake, restarts=1, mergeSchema="true")
    assert lake.rows("t", "id", "age") == [(1, None), (2, None), (3, 30)]


def test_new_column_with_auto_merge_is_added(lake: Lake) -> None:
    lake.session.conf.set("spark.databricks.delta.schema.autoMerge.enabled", "true")
    run(lake)
    lake.land("b.csv", "id,name,age\n3,c,30\n")
    run(lake, restarts=1)
    assert lake.session.table("t").columns == ["id", "name", "_rescued_data", "age"]


@pytest.fixture
def widening(lake: Lake) -> Lake:
    lake.options = WIDENING
    run(lake, mergeSchema="true")
    lake.land("b.csv", "id,name\n5000000000,c\n")
    return lake


def test_wider_type_needs_the_property(widening: Lake) -> None:
    error = cause(widening, mergeSchema="true")
    assert isinstance(error, TypeWideningNotEnabledError)
    assert "ALTER TABLE t SET TBLPROPERTIES" in error.statement


def test_wider_type_goes_in_after_the_statement_of_the_error(widening: Lake) -> None:
    error = cause(widening, mergeSchema="true")
    assert isinstance(error, TypeWideningNotEnabledError)
    widening.session.sql(error.statement)
    run(widening, mergeSchema="true")
    assert widening.rows("t", "id") == [(1,), (2,), (5000000000,)]


def test_property_is_set_by_the_configuration(lake: Lake) -> None:
    conf = "spark.databricks.delta.properties.defaults.enableTypeWidening"
    lake.session.conf.set(conf, "true")
    run(lake)
    (row,) = lake.session.sql("SHOW TBLPROPERTIES t('delta.enableTypeWidening')").collect()
    assert row.value == "true"


def test_property_is_set_by_the_writer(lake: Lake) -> None:
    lake.writer().option("delta.enableTypeWidening", "true").toTable("t").awaitTermination()
    (row,) = lake.session.sql("SHOW TBLPROPERTIES t('delta.enableTypeWidening')").collect()
    assert row.value == "true"


def test_table_is_partitioned(lake: Lake) -> None:
    lake.writer().partitionBy("name").toTable("t").awaitTermination()
    assert (lake.session.warehouse / "t" / "name=a").is_dir()


def test_two_streams_append_to_one_table(lake: Lake) -> None:
    queries = [lake.writer(f"state{number}").toTable("t") for number in range(2)]
    for query in queries:
        query.awaitTermination()
    assert lake.rows("t", "id") == [(1,), (1,), (2,), (2,)]


# --- places and names


@pytest.mark.parametrize("name", ["main.t", "main.crm.t", "main.`my t`"])
def test_names_have_up_to_three_parts(name: str, lake: Lake) -> None:
    run(lake, name)
    assert lake.session.table(name).count() == 2


def test_path_may_be_mapped(lake: Lake) -> None:
    lake.session.path_map["dbfs:/lake"] = str(lake.root / "mapped")
    lake.writer().start("dbfs:/lake/t").awaitTermination()
    assert lake.session.read.load("dbfs:/lake/t").count() == 2


@pytest.mark.parametrize(("present", "wanted"), [("delta", "parquet"), ("parquet", "delta")])
def test_table_of_the_other_format_is_refused(present: str, wanted: str, lake: Lake) -> None:
    lake.writer().format(present).toTable("t").awaitTermination()
    with pytest.raises(TableFormatError) as caught:
        lake.writer("other").format(wanted).toTable("t")
    assert (caught.value.present, caught.value.wanted) == (present, wanted)


def test_table_inside_a_table_is_refused(lake: Lake) -> None:
    run(lake)
    with pytest.raises(OptionConflictError) as caught:
        lake.writer("other").toTable("t.old")
    assert "t.old" not in caught.value.remedy
    assert str(lake.session.warehouse / "t") in caught.value.found


def test_unknown_format_is_refused_when_it_is_named(lake: Lake) -> None:
    with pytest.raises(UnsupportedOptionError) as caught:
        lake.writer().format("kafka")
    assert caught.value.value == "kafka"


def test_foreach_batch_is_no_format(lake: Lake) -> None:
    with pytest.raises(UnsupportedOptionError):
        lake.writer().format("foreachBatch")


def test_table_needs_a_checkpoint(lake: Lake) -> None:
    with pytest.raises(MissingOptionError) as caught:
        lake.load().writeStream.toTable("t")
    assert caught.value.key == "checkpointLocation"


# --- modes and query names


@pytest.mark.parametrize("mode", ["append", "Append", "APPEND"])
def test_append_is_the_output_mode(mode: str, lake: Lake) -> None:
    lake.writer().outputMode(mode).toTable("t").awaitTermination()
    assert lake.session.table("t").count() == 2


@pytest.mark.parametrize(
    ("mode", "condition"),
    [
        ("complete", "STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION"),
        ("update", "STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION"),
        ("all", "STREAMING_OUTPUT_MODE.INVALID"),
    ],
)
def test_other_output_mode_is_refused(mode: str, condition: str, lake: Lake) -> None:
    with pytest.raises(OutputModeError) as caught:
        lake.writer().outputMode(mode)
    assert (caught.value.mode, caught.value.condition) == (mode, condition)
    assert isinstance(caught.value, AnalysisException)


@pytest.fixture
def held(lake: Lake) -> Iterator[StreamingQuery]:
    """A query named `q` that runs for as long as the test does."""
    gate = threading.Event()

    def wait(_rows: DataFrame, _batch_id: int) -> None:
        gate.wait(60)

    query = lake.writer("held").foreachBatch(wait).queryName("q").start()
    yield query
    gate.set()
    query.awaitTermination()


@pytest.mark.usefixtures("held")
def test_name_of_a_running_query_is_taken(lake: Lake) -> None:
    with pytest.raises(QueryNameInUseError, match="Cannot start query with name q"):
        lake.writer().queryName("q").toTable("t")


@pytest.mark.usefixtures("held")
def test_query_that_was_refused_its_name_leaves_nothing_behind(lake: Lake) -> None:
    with pytest.raises(QueryNameInUseError):
        lake.writer().queryName("q").toTable("t")
    assert not (lake.root / "state").exists()
    assert not (lake.session.warehouse / "t").exists()


@pytest.mark.usefixtures("held")
def test_queries_without_a_name_run_side_by_side(lake: Lake) -> None:
    lake.writer().toTable("t").awaitTermination()
    assert lake.session.table("t").count() == 2


def test_name_is_free_again_when_the_query_has_ended(lake: Lake) -> None:
    for _ in range(2):
        lake.writer().queryName("q").toTable("t").awaitTermination()
    assert lake.session.table("t").count() == 2


def test_running_queries_are_known(lake: Lake, held: StreamingQuery) -> None:
    assert lake.session.streams.active == [held]
    assert lake.session.streams.get(held.id) is held


def test_ended_queries_are_not_active(lake: Lake) -> None:
    query = lake.writer().toTable("t")
    query.awaitTermination()
    assert (lake.session.streams.active, lake.session.streams.get(query.id)) == ([], None)

"""The PySpark-shaped front door, where it is more than passing on (contract 1.1, 4.7)."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from ingest import Session
from ingest.arrow import to_arrow_schema
from ingest.errors import (
    EmptyDirError,
    MissingOptionError,
    OperationNotSupportedError,
    OptionConflictError,
    OptionValueError,
    StreamingQueryException,
    TableFormatError,
    UnknownFieldException,
    UnsupportedOptionError,
)
from schema_store.ddl import parse_ddl

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.query import StreamingQuery
    from ingest.streaming_dataframe import StreamingDataFrame


def load(root: Path, path: str = "in") -> StreamingDataFrame:
    reader = Session(warehouse=root / "lake").readStream.format("cloudFiles")
    reader.option("cloudFiles.format", "csv").option("cloudFiles.schemaLocation", root / "schema")
    return reader.load(root / path)


def start(root: Path, table: str = "table") -> StreamingQuery:
    writer = load(root).writeStream.format("parquet").trigger(availableNow=True)
    return writer.option("checkpointLocation", root / "state").start(root / table)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text("id\n1\n")
    return tmp_path


@pytest.mark.parametrize("table", ["in", ".", "other/../in", "link"])
def test_table_around_the_landing_folder_is_refused(table: str, root: Path) -> None:
    (root / "other").mkdir()
    (root / "link").symlink_to(root / "in")
    with pytest.raises(OptionConflictError) as caught:
        start(root, table)
    assert str(root / "in") in caught.value.found


def test_delta_table_is_no_place_for_parquet_files(root: Path) -> None:
    (root / "table" / "_delta_log").mkdir(parents=True)
    with pytest.raises(TableFormatError) as caught:
        start(root)
    assert (caught.value.present, caught.value.wanted) == ("delta", "parquet")
    assert [path.name for path in (root / "table").iterdir()] == ["_delta_log"]


def test_glob_without_a_file_is_named_as_it_was_written(root: Path) -> None:
    with pytest.raises(EmptyDirError) as caught:
        load(root, "in/*.json")
    assert caught.value.where == str(root / "in" / "*.json")


def test_stream_is_started_again_for_as_long_as_it_evolves(root: Path) -> None:
    start(root).awaitTermination()
    (root / "in" / "b.csv").write_text("id,x\n2,y\n")
    stops = Session().run_until_stable(lambda: start(root))
    causes = [stop.cause for stop in stops]
    assert [isinstance(cause, UnknownFieldException) for cause in causes] == [True]


def test_stream_is_not_started_again_more_often_than_told(root: Path) -> None:
    start(root).awaitTermination()
    (root / "in" / "b.csv").write_text("id,x\n2,y\n")
    with pytest.raises(StreamingQueryException):
        Session().run_until_stable(lambda: start(root), max_restarts=0)


def test_failure_that_is_no_evolution_is_raised(root: Path) -> None:
    start(root).awaitTermination()
    path = root / "in" / "b.csv"
    path.write_bytes(b"PK\x03\x04" + bytes(100))
    with pytest.raises(StreamingQueryException) as caught:
        Session().run_until_stable(lambda: start(root))
    assert path.as_uri() in str(caught.value.cause)


@pytest.mark.parametrize(
    ("on", "name"),
    [
        ("spark", "catalog"),
        ("spark.read", "parquet"),
        ("spark.streams", "addListener"),
        ("readStream", "csv"),
        ("DataFrame", "groupBy"),
        ("writeStream", "foreach"),
    ],
)
def test_call_that_is_not_supported_is_refused_by_name(on: str, name: str, root: Path) -> None:
    session, stream = Session(), load(root)
    objects: dict[str, Any] = {
        "spark": session,
        "spark.read": session.read,
        "spark.streams": session.streams,
        "readStream": session.readStream,
        "DataFrame": stream,
        "writeStream": stream.writeStream,
    }
    with pytest.raises(OperationNotSupportedError) as caught:
        getattr(objects[on], name)
    assert caught.value.where == f"{on}.{name}"


def test_reader_without_a_format_says_which(root: Path) -> None:
    with pytest.raises(MissingOptionError) as caught:
        Session().readStream.load(root / "in")
    assert caught.value.expected == "cloudFiles"


def test_schema_that_is_none_is_a_bad_value() -> None:
    given: Any = 3
    with pytest.raises(OptionValueError) as caught:
        Session().readStream.schema(given)
    assert (caught.value.key, caught.value.value) == ("schema", 3)


def test_name_filter_that_leaves_nothing_is_named(root: Path) -> None:
    reader = Session().readStream.format("cloudFiles").option("cloudFiles.format", "csv")
    reader.option("cloudFiles.schemaLocation", root / "schema").option("pathGlobFilter", "*.tsv")
    with pytest.raises(EmptyDirError) as caught:
        reader.load(root / "in")
    assert caught.value.name_glob == "*.tsv"
    assert "*.tsv" in caught.value.expected


def test_last_spelling_of_an_option_wins(root: Path) -> None:
    reader = Session().readStream.format("cloudFiles").option("cloudFiles.format", "csv")
    reader.option("cloudFiles.schemaLocation", root / "schema")
    reader.option("Header", "true").options(header="false").option("Header", "true")
    assert reader.load(root / "in").columns == ["id", "_rescued_data"]


def test_table_is_read_by_a_mapped_path(root: Path) -> None:
    start(root).awaitTermination()
    session = Session(path_map={"dbfs:/lake": str(root)})
    assert session.read.parquet_table("dbfs:/lake/table").count() == 1


def test_arguments_of_load_and_start_are_pysparks(root: Path) -> None:
    session = Session(warehouse=root / "lake")
    options: dict[str, Any] = {"cloudFiles.format": "csv"}
    stream = session.readStream.load(str(root / "in"), "cloudFiles", "id INT", **options)
    state: dict[str, Any] = {"checkpointLocation": root / "state"}
    writer = stream.writeStream.trigger(availableNow=True)
    query = writer.toTable("t", format="memory", queryName="q", **state)
    query.awaitTermination()
    assert (query.name, session.table("t").columns) == ("q", ["id"])


def test_partitions_of_a_parquet_table_are_refused_by_name(root: Path) -> None:
    with pytest.raises(UnsupportedOptionError) as caught:
        load(root).writeStream.start(root / "table", format="parquet", partitionBy="id")
    assert (caught.value.key, caught.value.value) == ("writeStream.partitionBy", "id")


def test_path_beside_a_table_name_is_refused(root: Path) -> None:
    writer = load(root).writeStream.format("parquet").option("path", root / "elsewhere")
    with pytest.raises(OptionConflictError) as caught:
        writer.option("checkpointLocation", root / "state").toTable("t")
    assert (caught.value.keys, (root / "state").exists()) == (("option path", "toTable"), False)


def test_partition_columns_of_a_given_schema_come_last(root: Path) -> None:
    (root / "in" / "a.csv").unlink()
    (root / "in" / "country=no").mkdir()
    (root / "in" / "country=no" / "a.csv").write_text("id\n1\n")
    reader = Session().readStream.format("cloudFiles").option("cloudFiles.format", "csv")
    assert reader.schema("COUNTRY STRING, id INT").load(root / "in").columns == ["id", "COUNTRY"]


def test_named_partition_columns_that_a_given_schema_lacks_are_told(
    root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    reader = Session().readStream.format("cloudFiles").option("cloudFiles.format", "csv")
    reader.option("cloudFiles.partitionColumns", "id,year,month")
    loaded = reader.schema("id INT, name STRING").load(root / "in")
    assert loaded.columns == ["name", "id"]
    assert "cloudFiles.partitionColumns: the schema has no column year, month" in caplog.messages


def test_partition_folders_that_a_given_schema_does_not_name_are_read(root: Path) -> None:
    (root / "in" / "a.csv").unlink()
    (root / "in" / "country=no").mkdir()
    (root / "in" / "country=no" / "a.csv").write_text("id\n1\n")
    reader = Session().readStream.format("cloudFiles").option("cloudFiles.format", "csv")
    assert reader.schema("id INT").load(root / "in").columns == ["id"]


def test_timestamps_are_shown_in_the_sessions_time_zone(root: Path) -> None:
    session = Session(warehouse=root, conf={"spark.sql.session.timezone": "Asia/Tokyo"})
    schema = parse_ddl("t TIMESTAMP")
    noon = [{"t": dt.datetime(2030, 1, 1, 12, tzinfo=dt.UTC)}]
    rows = pa.Table.from_pylist(noon, schema=to_arrow_schema(schema))
    assert "|2030-01-01 21:00:00|" in session.data_frame(schema, rows).to_text()

"""The PySpark-shaped front door, where it is more than passing on (contract 1.1, 4.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ingest import Session
from ingest.errors import (
    EmptyDirError,
    MissingOptionError,
    OperationNotSupportedError,
    OptionConflictError,
    OptionValueError,
    StreamingQueryException,
    UnknownFieldException,
)

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
        ("spark", "sql"),
        ("spark.read", "parquet"),
        ("readStream", "csv"),
        ("DataFrame", "select"),
        ("writeStream", "foreachBatch"),
    ],
)
def test_call_that_is_not_supported_is_refused_by_name(on: str, name: str, root: Path) -> None:
    session, stream = Session(), load(root)
    objects: dict[str, Any] = {
        "spark": session,
        "spark.read": session.read,
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

"""The type-widening page's story with its own snippet, in each mode (contract 1.1, 4.2)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ingest import Session
from ingest.errors import StreamingQueryException, UnknownFieldException
from schema_store.ddl import to_ddl
from schema_store.store import SchemaStore

if TYPE_CHECKING:
    from pathlib import Path

FIRST = "id, name\n1, John\n2, Mary"
SECOND = "id, name, age\n2147483648, Bob, 25"


WIDENING = "addNewColumnsWithTypeWidening"
WIDENING_TABLES = {"spark.databricks.delta.properties.defaults.enableTypeWidening": "true"}
"""What the documented story asks of its table; here for every table that is made."""


class Story:
    """The snippet, ready to be run again and again; its table allows types to widen."""

    def __init__(self, root: Path, mode: str, conf: dict[str, object] | None = None) -> None:
        self.root = root
        self.mode = mode
        self.spark = Session(
            warehouse=root / "lake", conf=WIDENING_TABLES if conf is None else conf
        )
        self.land("first.csv", FIRST)

    def land(self, name: str, text: str) -> None:
        folder = self.root / "landing"
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(text.encode())

    def run(self) -> None:
        spark, schema_path = self.spark, str(self.root / "schema")
        input_path, checkpoint_path = str(self.root / "landing"), str(self.root / "checkpoint")
        query = (
            spark.readStream.format("cloudFiles")
            .option("cloudFiles.format", "csv")
            .option("cloudFiles.inferColumnTypes", True)
            .option("cloudFiles.schemaLocation", schema_path)
            .option("cloudFiles.schemaEvolutionMode", self.mode)
            .load(input_path)
            .writeStream.option("mergeSchema", "true")
            .option("checkpointLocation", checkpoint_path)
            .trigger(availableNow=True)
            .toTable("table_name")
        )
        query.awaitTermination()

    def stop(self) -> StreamingQueryException:
        with pytest.raises(StreamingQueryException) as caught:
            self.run()
        return caught.value

    @property
    def schema(self) -> str:
        return to_ddl(self.spark.table("table_name").schema)

    @property
    def versions(self) -> int:
        return len(SchemaStore(self.root / "schema").versions())

    def row(self, name: str) -> dict[str, Any]:
        (row,) = [r.asDict() for r in self.spark.table("table_name").collect() if r.name == name]
        if row.get("_rescued_data"):
            rescued = json.loads(row["_rescued_data"])
            assert rescued.pop("_file_path") == (self.root / "landing/second.csv").as_uri()
            row["_rescued_data"] = rescued
        return row


@pytest.fixture
def story(tmp_path: Path, request: pytest.FixtureRequest) -> Story:
    return Story(tmp_path, request.param)


@pytest.mark.parametrize("story", ["addNewColumns"], indirect=True)
def test_add_new_columns_stops_once_and_rescues_the_wide_value(story: Story) -> None:
    story.run()
    story.land("second.csv", SECOND)

    error = story.stop()

    cause = error.__cause__
    assert isinstance(cause, UnknownFieldException)
    assert "UNKNOWN_FIELD_EXCEPTION" in str(error)
    assert "UnknownFieldException" in str(error)
    assert (
        "[UNKNOWN_FIELD_EXCEPTION.NEW_FIELDS_IN_FILE] Encountered unknown fields during parsing:"
        " [age], which can be fixed by an automatic retry: true"
    ) in str(error)
    story.run()
    assert story.schema == "id INT, name STRING, _rescued_data STRING, age INT"
    assert story.row("Bob") == {
        "id": None,
        "name": "Bob",
        "age": 25,
        "_rescued_data": {"id": "2147483648"},
    }


@pytest.mark.parametrize("story", ["rescue"], indirect=True)
def test_rescue_keeps_the_schema(story: Story) -> None:
    story.run()
    story.land("second.csv", SECOND)

    story.run()

    assert story.schema == "id INT, name STRING, _rescued_data STRING"
    assert story.versions == 1
    assert story.row("Bob") == {
        "id": None,
        "name": "Bob",
        "_rescued_data": {"age": "25", "id": "2147483648"},
    }


@pytest.mark.parametrize("story", ["failOnNewColumns"], indirect=True)
def test_fail_on_new_columns_fails_at_every_run(story: Story) -> None:
    story.run()
    story.land("second.csv", SECOND)

    for _ in range(3):
        cause = story.stop().cause
        assert isinstance(cause, UnknownFieldException)
        assert cause.retryable is False
        assert "[age], which can be fixed by an automatic retry: false" in str(cause)

    assert story.versions == 1
    assert story.spark.table("table_name").count() == 2
    story.land("second.csv", "id, name\n2147483648, Bob")
    story.run()
    assert story.row("Bob") == {
        "id": None,
        "name": "Bob",
        "_rescued_data": {"id": "2147483648"},
    }


@pytest.mark.parametrize("story", ["none"], indirect=True)
def test_none_drops_and_says_so(story: Story) -> None:
    story.run()
    story.land("second.csv", SECOND)

    story.run()

    assert story.schema == "id INT, name STRING"
    assert story.row("Bob") == {"id": None, "name": "Bob"}


@pytest.mark.parametrize("story", ["addNewColumnsWithTypeWidening"], indirect=True)
def test_widening_stops_once_for_the_column_and_the_type(story: Story) -> None:
    story.run()
    story.land("second.csv", SECOND)

    cause = story.stop().cause

    assert isinstance(cause, UnknownFieldException)
    assert cause.condition == "UNKNOWN_FIELD_EXCEPTION.NEW_FIELDS_AND_WIDENED_TYPES_IN_FILE"
    assert cause.new_fields == ("age INT",)
    assert cause.widened == ("id BIGINT",)
    story.run()
    assert story.schema == "id BIGINT, name STRING, _rescued_data STRING, age INT"
    assert story.versions == 2
    assert story.row("Bob") == {
        "id": 2147483648,
        "name": "Bob",
        "age": 25,
        "_rescued_data": None,
    }


def widen_without_the_property(root: Path) -> Story:
    """Give the story after the stop for wider types; its table does not allow them."""
    story = Story(root, WIDENING, conf={})
    story.run()
    story.land("second.csv", SECOND)
    assert isinstance(story.stop().cause, UnknownFieldException)
    return story


def test_table_without_the_property_is_refused_wider_types(tmp_path: Path) -> None:
    story = widen_without_the_property(tmp_path)
    text = str(story.stop())
    folder = tmp_path / "lake" / "table_name"
    assert "ALTER TABLE table_name SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')" in text
    assert f"ingest table set-property {folder} delta.enableTypeWidening true" in text


def test_table_takes_wider_types_after_the_documented_statement(tmp_path: Path) -> None:
    story = widen_without_the_property(tmp_path)
    story.stop()
    story.spark.sql(
        "ALTER TABLE table_name SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')"
    )
    story.run()
    assert (story.row("Bob")["id"], story.row("John")["id"]) == (2147483648, 1)


@pytest.mark.parametrize("story", ["addNewColumns"], indirect=True)
def test_stream_that_was_loaded_before_the_stop_stops_again(story: Story) -> None:
    story.run()
    story.land("second.csv", SECOND)
    loaded = (
        story.spark.readStream.format("cloudFiles")
        .option("cloudFiles.format", "csv")
        .option("cloudFiles.inferColumnTypes", True)
        .option("cloudFiles.schemaLocation", str(story.root / "schema"))
        .load(str(story.root / "landing"))
    )

    for _ in range(2):
        writer = loaded.writeStream
        writer = writer.option("checkpointLocation", str(story.root / "checkpoint"))
        with pytest.raises(StreamingQueryException):
            writer.trigger(availableNow=True).toTable("table_name").awaitTermination()

    assert story.versions == 2


@pytest.mark.parametrize(
    ("first", "second", "schema", "value"),
    [
        ("1", "123.45", "n DECIMAL(12,2)", "123.45"),
        ("5000000000", "1.5", "n DECIMAL(21,1)", "1.5"),
        ("12345678.90", "1234.5678", "n DECIMAL(12,4)", "1234.5678"),
    ],
)
def test_decimal_widening(tmp_path: Path, first: str, second: str, schema: str, value: str) -> None:
    story = Story(tmp_path, WIDENING)
    story.land("first.csv", f"n\n{first}\n")
    story.run()
    story.land("second.csv", f"n\n{second}\n")

    cause = story.stop().cause

    assert isinstance(cause, UnknownFieldException)
    assert cause.widened == (schema,)
    story.run()
    assert story.schema == f"{schema}, _rescued_data STRING"
    assert value in [str(row.n) for row in story.spark.table("table_name").collect()]


TOO_LONG = "1234567890123456789012345678901234567.125"


@pytest.mark.parametrize("mode", [WIDENING, "addNewColumns", "rescue", "failOnNewColumns"])
@pytest.mark.parametrize(
    ("first", "second", "rescued"),
    [
        pytest.param("1", ["5000000000", "n/a"], ["5000000000", "n/a"], id="n/a in the batch"),
        pytest.param("1", [TOO_LONG], [TOO_LONG], id="more than 38 digits"),
        pytest.param("5000000000", [TOO_LONG], [TOO_LONG], id="more than 38 digits, long"),
        pytest.param("1", ["9" * 39], ["9" * 39], id="39 digits"),
        pytest.param(
            "1", ["7", "1." + "1" * 30], ["1." + "1" * 30], id="more than 38 digits together"
        ),
    ],
)
def test_what_cannot_widen_is_rescued_without_a_stop(
    tmp_path: Path, mode: str, first: str, second: list[str], rescued: list[str]
) -> None:
    story = Story(tmp_path, mode)
    story.land("first.csv", f"n\n{first}\n")
    story.run()
    story.land("second.csv", "n\n" + "\n".join(second) + "\n")

    story.run()

    assert story.versions == 1
    found = [row["_rescued_data"] for row in story.spark.table("table_name").collect()[1:]]
    assert [json.loads(text)["n"] for text in found if text] == rescued


@pytest.mark.parametrize("mode", ["addNewColumns", "rescue", "failOnNewColumns", "none"])
@pytest.mark.parametrize("second", ["123.45", "5000000000", "n/a"])
def test_other_modes_do_not_stop_for_a_wide_value(tmp_path: Path, mode: str, second: str) -> None:
    story = Story(tmp_path, mode)
    story.land("first.csv", "n\n1\n")
    story.run()
    story.land("second.csv", f"n\n{second}\n")

    story.run()

    assert story.versions == 1
    assert [row.n for row in story.spark.table("table_name").collect()] == [1, None]

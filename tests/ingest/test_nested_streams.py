"""Nested fields in a running stream: growing, widening, hints, and what is told of it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from ingest import Session
from ingest.cli.schema import diff_lines, log_lines
from ingest.errors import StreamingQueryException, UnknownFieldException
from schema_store.ddl import to_ddl
from schema_store.store import SchemaStore

if TYPE_CHECKING:
    from pathlib import Path

WIDENING = "addNewColumnsWithTypeWidening"


class Stream:
    """A typed JSON stream into a table, batch by batch."""

    def __init__(self, root: Path, **options: str) -> None:
        self.root = root
        self.session = Session(warehouse=root / "lake")
        self.options = options
        self.landed = 0

    def land(self, *records: object, to: str = "") -> str:
        self.landed += 1
        path = self.root / "landing" / to / f"{self.landed}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
        os.utime(path, (1_800_000_000 + self.landed,) * 2)
        return path.name

    def run(self) -> None:
        loaded = (
            self.session.readStream.format("cloudFiles")
            .option("cloudFiles.format", "json")
            .option("cloudFiles.inferColumnTypes", "true")
            .option("cloudFiles.schemaLocation", self.root / "schema")
            .options(**{f"cloudFiles.{key}": value for key, value in self.options.items()})
            .load(self.root / "landing")
        )
        self.batches: list[list[dict[str, Any]]] = []
        query = (
            loaded.writeStream.foreachBatch(
                lambda rows, _: self.batches.append(rows.to_arrow().to_pylist())
            )
            .option("checkpointLocation", self.root / "checkpoint")
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()

    def stop(self) -> UnknownFieldException:
        with pytest.raises(StreamingQueryException) as caught:
            self.run()
        assert isinstance(caught.value.cause, UnknownFieldException)
        return caught.value.cause

    @property
    def versions(self) -> list[str]:
        return [to_ddl(version.schema) for version in SchemaStore(self.root / "schema").versions()]


GROWING = {
    "struct": ({"c": {"n": "a"}}, {"c": {"n": "b", "age": 4}}, "c.age"),
    "array": ({"c": [{"n": "a"}]}, {"c": [{"n": "b"}, {"n": "c", "age": 4}]}, "c.element.age"),
    "array of arrays": ({"c": [[{"n": "a"}]]}, {"c": [[{"age": 4}]]}, "c.element.element.age"),
    "deep": (
        {"c": {"d": [{"e": {"n": 1}}]}},
        {"c": {"d": [{"e": {"age": 4}}]}},
        "c.d.element.e.age",
    ),
}


@pytest.mark.parametrize("mode", ["addNewColumns", WIDENING])
@pytest.mark.parametrize(("first", "second", "path"), GROWING.values(), ids=list(GROWING))
def test_new_field_in_a_part_stops_and_goes_on(
    mode: str, first: object, second: object, path: str, tmp_path: Path
) -> None:
    stream = Stream(tmp_path, schemaEvolutionMode=mode)
    stream.land(first)
    stream.run()
    name = stream.land(first, second)

    error = stream.stop()

    assert error.condition == "UNKNOWN_FIELD_EXCEPTION.NEW_FIELDS_IN_RECORD_WITH_FILE_PATH"
    assert (error.new_fields, error.retryable) == ((f"{path} BIGINT",), True)
    assert error.file.endswith(name)
    stream.run()
    (rows,) = stream.batches
    assert rows[1]["_rescued_data"] is None
    assert "'age': 4" in str(rows[1])
    assert list(diff_lines(tmp_path / "schema", 0, 1)) == [f"+ {path} BIGINT"]
    assert any(
        name in line and path in line and "'4'" in line for line in log_lines(tmp_path / "schema")
    )


def test_the_record_that_is_shown_is_the_first_one(tmp_path: Path) -> None:
    stream = Stream(tmp_path)
    stream.land({"c": {"n": 1}, "d": 1})
    stream.run()
    stream.land({"d": 2}, {"c": {"new": {"x": 1.50}}, "e": "1"}, {"f": 1})
    error = stream.stop()
    assert 'during parsing: {"c":{"new":{"x":1.5}},"e":"1"}, which' in str(error)
    assert error.new_fields == ("c.new STRUCT<x: DOUBLE>", "e STRING", "f BIGINT")


def test_rescue_mode_keeps_new_parts_in_the_rescued_column(tmp_path: Path) -> None:
    stream = Stream(tmp_path, schemaEvolutionMode="rescue")
    stream.land({"c": {"n": 1}, "t": [{"n": 1}]})
    stream.run()
    stream.land({"c": {"n": 2, "age": 4}, "t": [{"n": 2}, {"age": 5}]})
    stream.run()
    ((row,),) = stream.batches
    rescued = json.loads(row.pop("_rescued_data"))
    assert row == {"c": {"n": 2}, "t": [{"n": 2}, {"n": None}]}
    assert rescued | {"_file_path": ""} == {
        "c": {"age": 4},
        "t": [{"n": 2}, {"age": 5}],
        "_file_path": "",
    }
    assert len(stream.versions) == 1


def test_a_new_part_is_refused_by_fail_on_new_columns(tmp_path: Path) -> None:
    stream = Stream(tmp_path, schemaEvolutionMode="failOnNewColumns")
    stream.land({"c": {"n": 1}})
    stream.run()
    stream.land({"c": {"n": 2, "age": 4}})
    for _ in range(2):
        error = stream.stop()
        assert (error.new_fields, error.retryable) == (("c.age BIGINT",), False)
        assert '{"c":{"age":4}}' in str(error)
    assert len(stream.versions) == 1


WIDER = {
    "struct": ({"c": {"n": 1}}, {"c": {"n": 1.25}}, "c.n"),
    "array": ({"c": [1]}, {"c": [1, 1.25]}, "c.element"),
    "array of structs": ({"c": [{"n": 1}]}, {"c": [{"n": 1.25}]}, "c.element.n"),
}


@pytest.mark.parametrize(("first", "second", "path"), WIDER.values(), ids=list(WIDER))
def test_wider_values_in_a_part_widen_it(
    first: object, second: object, path: str, tmp_path: Path
) -> None:
    stream = Stream(tmp_path, schemaEvolutionMode=WIDENING)
    stream.land(first)
    stream.run()
    stream.land(second)

    error = stream.stop()

    assert error.condition == "UNKNOWN_FIELD_EXCEPTION.NEW_TYPE_FOR_FIELDS_IN_RECORD_WITH_FILE_PATH"
    assert error.widened == (f"{path} DECIMAL(22,2)",)
    stream.run()
    ((row,),) = stream.batches
    assert row["_rescued_data"] is None
    assert list(diff_lines(tmp_path / "schema", 0, 1)) == [f"~ {path} BIGINT -> DECIMAL(22,2)"]


def test_a_part_that_a_hint_fixes_is_rescued_while_its_neighbour_widens(tmp_path: Path) -> None:
    stream = Stream(tmp_path, schemaEvolutionMode=WIDENING, schemaHints="t.element.a BIGINT")
    stream.land({"t": [{"a": 1, "b": 1}]})
    stream.run()
    stream.land({"t": [{"a": 1.5, "b": 2}]})
    stream.run()
    ((row,),) = stream.batches
    assert row["t"] == [{"a": None, "b": 2}]
    assert json.loads(row["_rescued_data"])["t"] == [{"a": 1.5, "b": 2}]
    stream.land({"t": [{"a": 1.5, "b": 2.5}]})
    assert stream.stop().widened == ("t.element.b DECIMAL(21,1)",)


@pytest.mark.parametrize("mode", ["addNewColumns", "failOnNewColumns", WIDENING])
def test_a_hinted_struct_gets_no_new_fields(mode: str, tmp_path: Path) -> None:
    stream = Stream(tmp_path, schemaEvolutionMode=mode, schemaHints="c STRUCT<n: BIGINT>")
    stream.land({"c": {"n": 1}})
    stream.run()
    stream.land({"c": {"n": 2, "age": 4}})
    stream.run()
    ((row,),) = stream.batches
    assert row["c"] == {"n": 2}
    assert json.loads(row["_rescued_data"])["c"] == {"age": 4}
    assert stream.versions == ["c STRUCT<n: BIGINT>"]


def test_values_of_a_map_widen_unless_the_hint_fixes_them(tmp_path: Path) -> None:
    stream = Stream(tmp_path, schemaEvolutionMode=WIDENING, schemaHints="m MAP<STRING, BIGINT>")
    stream.land({"m": {"k": 1}})
    stream.run()
    stream.land({"m": {"k": 1.5}, "new": 1})
    assert stream.stop().widened == ()
    stream.options.pop("schemaHints")
    assert stream.stop().widened == ("m.value DECIMAL(21,1)",)


def test_partition_columns_and_nested_growth_go_together(tmp_path: Path) -> None:
    stream = Stream(tmp_path, schemaEvolutionMode=WIDENING)
    stream.land({"c": {"n": 1}}, to="day=06")
    stream.run()
    stream.land({"c": {"n": 1, "age": 4}}, to="day=x")
    assert stream.stop().new_fields == ("c.age BIGINT",)
    stream.run()
    ((row,),) = stream.batches
    assert (row["c"], row["day"]) == ({"n": 1, "age": 4}, None)
    assert json.loads(row["_rescued_data"])["day"] == "x"
    first, second = SchemaStore(tmp_path / "schema").versions()
    assert first.partition_schema == second.partition_schema
    assert to_ddl(first.partition_schema) == "day INT"

"""Partition columns of whole streams: what is stored, told and kept (contract 2.7, 3.1)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from ingest import Session
from ingest.cli.schema import log_lines, show_lines
from ingest.errors import OptionConflictError
from schema_store.ddl import to_ddl
from schema_store.store import SchemaStore

if TYPE_CHECKING:
    from pathlib import Path

CSV = {"a.csv": "id\n1\n2\n"}


@dataclass
class Stream:
    """A stream of files in folders, batch by batch; rows are kept as they come."""

    root: Path
    options: dict[str, str] = field(default_factory=dict)
    format_name: str = "csv"
    load: str = ""
    rows: list[dict[str, Any]] = field(default_factory=list)

    def land(self, **files: str) -> None:
        for name, text in files.items():
            path = self.root / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def run(self, **options: str) -> None:
        self.options |= options
        reader = Session(warehouse=self.root / "lake").readStream.format("cloudFiles")
        reader.option("cloudFiles.format", self.format_name)
        reader.option("cloudFiles.schemaLocation", self.root / "schema").options(**self.options)
        query = (
            reader.load(self.root / "in" / self.load)
            .writeStream.foreachBatch(lambda rows, _: self.rows.extend(rows.to_arrow().to_pylist()))
            .option("checkpointLocation", self.root / "checkpoint")
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()

    def values(self, *names: str) -> list[tuple[object, ...]]:
        return [tuple(row[name] for name in names) for row in self.rows]

    @property
    def versions(self) -> list[tuple[str, str]]:
        found = SchemaStore(self.root / "schema").versions()
        return [(to_ddl(one.schema), to_ddl(one.partition_schema)) for one in found]


@pytest.fixture
def stream(tmp_path: Path) -> Stream:
    return Stream(tmp_path)


def test_both_schemas_are_stored_and_shown(stream: Stream) -> None:
    stream.land(**{"day=06/a.csv": "id\n1\n"})
    stream.run(**{"cloudFiles.inferColumnTypes": "true"})
    stored = (stream.root / "schema" / "_schemas" / "0").read_text().split("\n")
    assert stream.versions == [("id INT", "day INT")]
    assert json.loads(json.loads(stored[1])["partitionSchemaJson"])["fields"][0]["name"] == "day"
    assert list(show_lines(stream.root / "schema", None, spark_json=False)) == ["id INT, day INT"]
    assert "  + day INT" in list(log_lines(stream.root / "schema"))


def test_a_hint_is_laid_over_the_newest_version(stream: Stream) -> None:
    stream.land(**{"day=06/a.csv": "id\n1\n"})
    stream.run()
    stream.land(**{"day=07/b.csv": "id\n2\n"})
    stream.run(**{"cloudFiles.schemaHints": "DAY INT, id INT"})
    assert stream.versions == [("id STRING", "day STRING"), ("id INT", "DAY INT")]
    assert stream.rows[1]["DAY"] == 7
    lines = list(log_lines(stream.root / "schema"))
    assert any("cloudFiles.schemaHints" in line for line in lines)


def test_names_given_later_are_told_as_the_cause(stream: Stream) -> None:
    stream.land(**{"day=06/hour=1/a.csv": "id\n1\n"})
    stream.run(**{"cloudFiles.partitionColumns": "day"})
    stream.run(**{"cloudFiles.partitionColumns": "hour,day"})
    assert stream.versions[1] == ("id STRING", "hour STRING, day STRING")
    lines = list(log_lines(stream.root / "schema"))
    assert any("cloudFiles.partitionColumns" in line for line in lines)
    assert not any("schemaHints" in line for line in lines)


def test_a_layout_that_comes_later_gives_no_columns(stream: Stream) -> None:
    stream.land(**CSV)
    stream.run()
    stream.land(**{"day=06/b.csv": "id\n3\n"})
    stream.run()
    assert stream.versions == [("id STRING", "")]


def test_folders_named_by_a_glob_are_no_columns(stream: Stream) -> None:
    stream.load = "region=*/"
    stream.land(**{"region=eu/day=1/a.csv": "id\n1\n", "region=us/day=2/b.csv": "id\n2\n"})
    stream.run()
    assert stream.versions == [("id STRING", "day STRING")]
    assert sorted(stream.values("id", "day")) == [("1", "1"), ("2", "2")]


@pytest.mark.parametrize(
    ("format_name", "bad", "good"),
    [
        ("csv", "id,v\n1,a\n2\n3,b\n", "id,v\n4,c\n"),
        ("json", '{"id":1,"v":"a"}\n{"id":\n{"id":3,"v":"b"}\n', '{"id":4,"v":"c"}\n'),
    ],
)
@pytest.mark.parametrize("drops", ["mode", "badRecordsPath"])
def test_rows_keep_their_folders_when_others_are_dropped(
    format_name: str, bad: str, good: str, drops: str, stream: Stream
) -> None:
    stream.format_name = format_name
    stream.land(**{f"day=1/a.{format_name}": bad, f"day=2/b.{format_name}": good})
    where = str(stream.root / "bad")
    stream.run(**({"mode": "DROPMALFORMED"} if drops == "mode" else {"badRecordsPath": where}))
    assert sorted(stream.values("id", "v", "day")) == [
        ("1", "a", "1"),
        ("3", "b", "1"),
        ("4", "c", "2"),
    ]


@pytest.mark.parametrize(
    ("format_name", "schema"),
    [
        ("text", "value STRING"),
        (
            "binaryFile",
            "path STRING, modificationTime TIMESTAMP, length BIGINT, content BINARY",
        ),
    ],
)
def test_formats_of_a_fixed_schema_have_partition_columns(
    format_name: str, schema: str, stream: Stream, caplog: pytest.LogCaptureFixture
) -> None:
    stream.format_name = format_name
    stream.land(**{"day=06/a": "x"})
    settings = {"cloudFiles.schemaEvolutionMode": "none", "cloudFiles.inferColumnTypes": "true"}
    stream.run(**settings)
    stream.land(**{"day=07/hour=1/b": "y"})
    stream.run()
    assert stream.values("day") == [(6,), (7,)]
    assert stream.versions == [(schema, "day INT")]
    assert caplog.messages == []


def test_a_schema_of_the_users_for_text_names_its_partition_columns(tmp_path: Path) -> None:
    (tmp_path / "in" / "day=06" / "hour=1").mkdir(parents=True)
    (tmp_path / "in" / "day=06" / "hour=1" / "a").write_text("x\n")
    reader = Session(warehouse=tmp_path).readStream.format("cloudFiles")
    reader.option("cloudFiles.format", "text").schema("line STRING, hour INT")
    assert reader.load(tmp_path / "in").columns == ["line", "hour"]


def test_a_key_that_is_named_like_the_rescued_column_is_refused(stream: Stream) -> None:
    stream.land(**{"_rescued_data=1/a.csv": "id\n1\n"})
    with pytest.raises(OptionConflictError) as caught:
        stream.run()
    assert "_rescued_data" in str(caught.value)
    assert stream.versions == []


def test_many_files_in_one_read_batch_keep_their_values(stream: Stream) -> None:
    files = {f"day={n:03}/{n}.csv": f"id\n{n}\n{n}\n" for n in range(60)}
    stream.land(**files)
    stream.run(**{"cloudFiles.inferColumnTypes": "true"})
    assert sorted(stream.values("id", "day")) == sorted([(n, n) for n in range(60)] * 2)


def test_transformations_see_partition_columns(stream: Stream) -> None:
    stream.land(**{"day=06/a.csv": "id\n1\n", "day=x/b.csv": "id\n2\n"})
    reader = Session(warehouse=stream.root / "lake").readStream.format("cloudFiles")
    reader.option("cloudFiles.format", "csv").option("cloudFiles.schemaHints", "day INT")
    loaded = reader.option("cloudFiles.schemaLocation", stream.root / "s").load(stream.root / "in")
    assert loaded.where("day = 6").select("day", "_metadata.file_name").columns == [
        "day",
        "file_name",
    ]


@pytest.mark.parametrize(
    ("name", "text"), [("csv", "id\n1\n2\n"), ("json", '{"id":1}\n{"id":2}\n')]
)
def test_rows_are_counted_where_only_partition_columns_are_wanted(
    tmp_path: Path, name: str, text: str
) -> None:
    stream = Stream(tmp_path, format_name=name)
    stream.land(**{f"p=7/a.{name}": text})
    session = Session(warehouse=tmp_path / "lake")
    reader = session.readStream.format("cloudFiles").option("cloudFiles.format", name)
    query = (
        reader.option("header", "true")
        .schema("p INT")
        .load(tmp_path / "in")
        .writeStream.option("checkpointLocation", tmp_path / "checkpoint")
        .trigger(availableNow=True)
        .toTable("t")
    )
    query.awaitTermination()
    assert [row.p for row in session.table("t").collect()] == [7, 7]

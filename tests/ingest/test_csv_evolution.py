"""What a CSV header may and may not do to the schema (contract 2.3, 4.2, 4.4)."""

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


class Stream:
    """A typed CSV stream into a Parquet table, file by file."""

    def __init__(self, root: Path, **options: str) -> None:
        self.root = root
        self.session = Session(warehouse=root / "lake")
        self.options = options
        (root / "landing").mkdir()

    def land(self, name: str, text: str) -> None:
        (self.root / "landing" / name).write_text(text)

    def run(self) -> None:
        query = (
            self.session.readStream.format("cloudFiles")
            .option("cloudFiles.format", "csv")
            .option("cloudFiles.inferColumnTypes", "true")
            .option("cloudFiles.schemaLocation", self.root / "schema")
            .options(**self.options)
            .load(self.root / "landing")
            .writeStream.format("parquet")
            .option("checkpointLocation", self.root / "checkpoint")
            .trigger(availableNow=True)
            .toTable("t")
        )
        query.awaitTermination()

    def stop(self) -> UnknownFieldException:
        with pytest.raises(StreamingQueryException) as caught:
            self.run()
        assert isinstance(caught.value.cause, UnknownFieldException)
        return caught.value.cause

    @property
    def schema(self) -> str:
        return to_ddl(self.session.table("t").schema)

    def rescued(self) -> list[dict[str, Any]]:
        rows = self.session.table("t").collect()
        found = [json.loads(row["_rescued_data"]) for row in rows if row["_rescued_data"]]
        for one in found:
            one.pop("_file_path")
        return found


def test_generated_names_alone_do_not_stop_the_stream(tmp_path: Path) -> None:
    stream = Stream(tmp_path)
    stream.land("a.csv", "id\n1\n")
    stream.run()
    stream.land("b.csv", "id,\n2,x\n")

    stream.run()

    assert stream.schema == "id INT, _rescued_data STRING"
    assert stream.rescued() == [{"_c1": "x"}]


def test_generated_names_do_not_come_along_with_a_new_column(tmp_path: Path) -> None:
    stream = Stream(tmp_path)
    stream.land("a.csv", "id\n1\n")
    stream.run()
    stream.land("b.csv", "id,extra,\n2,7,x\n")

    assert stream.stop().new_fields == ("extra INT",)

    stream.run()
    assert stream.schema == "id INT, extra INT, _rescued_data STRING"
    assert stream.rescued() == [{"_c2": "x"}]


def test_one_stop_covers_all_new_columns_of_the_batch(tmp_path: Path) -> None:
    stream = Stream(tmp_path)
    stream.land("a.csv", "id\n1\n")
    stream.run()
    stream.land("b.csv", "id,later,early\n2,1,2.5\n")
    stream.land("c.csv", "other,id\nx,3\n")

    error = stream.stop()

    assert error.new_fields == ("later INT", "early DOUBLE", "other STRING")
    assert error.file == (tmp_path / "landing" / "b.csv").as_uri()
    causes = SchemaStore(tmp_path / "schema").audit(1)
    assert causes is not None
    assert [(cause.column, cause.file.rsplit("/")[-1], cause.value) for cause in causes.causes] == [
        ("later", "b.csv", "1"),
        ("early", "b.csv", "2.5"),
        ("other", "c.csv", "x"),
    ]
    stream.run()
    assert stream.schema == "id INT, later INT, early DOUBLE, other STRING, _rescued_data STRING"


def test_hinted_column_is_not_widened(tmp_path: Path) -> None:
    mode = {"cloudFiles.schemaEvolutionMode": "addNewColumnsWithTypeWidening"}
    stream = Stream(tmp_path, **mode, **{"cloudFiles.schemaHints": "n INT"})
    stream.land("a.csv", "n\n1\n")
    stream.run()
    stream.land("b.csv", "n\n5000000000\n")

    stream.run()

    assert stream.schema == "n INT, _rescued_data STRING"
    assert stream.rescued() == [{"n": "5000000000"}]


def test_mode_changed_between_runs_counts_from_then_on(tmp_path: Path) -> None:
    stream = Stream(tmp_path, **{"cloudFiles.schemaEvolutionMode": "rescue"})
    stream.land("a.csv", "id\n1\n")
    stream.run()
    stream.land("b.csv", "id,x\n2,7\n")
    stream.run()
    assert stream.rescued() == [{"x": "7"}]
    stream.options = {"cloudFiles.schemaEvolutionMode": "addNewColumns"}
    stream.land("c.csv", "id,x\n3,8\n")

    assert stream.stop().new_fields == ("x INT",)

    stream.run()
    assert stream.schema == "id INT, x INT, _rescued_data STRING"

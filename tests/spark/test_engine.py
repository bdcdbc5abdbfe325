"""A whole stream infers Spark's types, and rescues exactly the texts that Spark cannot read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import orjson

from ingest import Session
from schema_store.spark_json import schema_to_json
from tests.spark.questions import RECORDED, read_recording
from tests.spark.written import columns_file, ddl, text_options, texts_file

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.dataframe import DataFrame
    from ingest.reader import DataStreamReader

COLUMNS = 400
"""Columns of one table."""

OTHER_YEARS = ("0000", "12020", "+12020", "-0001")
"""Years that a column here cannot hold (README, "Known differences")."""


def ingest(root: Path, text: str, reader: DataStreamReader) -> None:
    landing = root / "landing"
    landing.mkdir()
    (landing / "file.csv").write_text(text, encoding="utf-8")
    query = (
        reader.format("cloudFiles")
        .option("cloudFiles.format", "csv")
        .load(str(landing))
        .writeStream.format("parquet")
        .option("checkpointLocation", str(root / "checkpoint"))
        .trigger(availableNow=True)
        .toTable("found")
    )
    query.awaitTermination()


def test_stream_infers_sparks_types(tmp_path: Path) -> None:
    recording = read_recording(RECORDED / "types-tables.json.xz")
    spark = Session(warehouse=tmp_path / "lake")
    reader = spark.readStream.options(sep="¦", quote="").options(
        **{
            "cloudFiles.inferColumnTypes": True,
            "cloudFiles.schemaLocation": str(tmp_path / "schema"),
        }
    )

    ingest(tmp_path, columns_file(recording.questions.items[:COLUMNS]), reader)

    fields = orjson.loads(schema_to_json(spark.table("found").schema))["fields"]
    assert [field["type"] for field in fields[1:-1]] == list(recording.answers[:COLUMNS])


def test_stream_rescues_exactly_what_spark_cannot_read(tmp_path: Path) -> None:
    recording = read_recording(RECORDED / "values-tables.json.xz")
    asked = [
        (text, answer)
        for text, answer in zip(recording.questions.items, recording.answers, strict=True)
        if not text.startswith(OTHER_YEARS)
    ]
    questions = replace(recording.questions, items=tuple(text for text, _ in asked))
    spark = Session(warehouse=tmp_path / "lake")
    options = text_options(inferring=False) | {"rescuedDataColumn": "_rescued_data"}
    del options["inferSchema"]

    ingest(
        tmp_path,
        texts_file(questions),
        spark.readStream.schema(ddl(("INT", *questions.types))).options(**options),
    )

    assert rescued(spark.table("found")) == [
        {f"c{place}": text for place, value in enumerate(answer, 1) if value is None}
        for text, answer in asked
    ]


def rescued(table: DataFrame) -> list[dict[str, str]]:
    """Give every row's rescued texts by column, in the order of rows."""
    rows = sorted(
        zip(*(table.to_arrow()[name].to_pylist() for name in ("c0", "_rescued_data")), strict=True)
    )
    found = [json.loads(text or "{}") for _, text in rows]
    return [{name: text for name, text in one.items() if name != "_file_path"} for one in found]

"""What a stream reads of a file: from `readStream` to a table's rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from ingest import Session
from schema_store.spark_json import schema_to_json

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from ingest.streaming_dataframe import StreamingDataFrame
    from tests.real_data.ways import Way

RESCUED = "_rescued_data"
NAME = "ingested"


@dataclass(frozen=True, slots=True)
class Ingested:
    """The columns with their types, as `Content.columns`; the rows; the rescued column."""

    columns: list[tuple[str, Any]]
    table: pa.Table
    rescued: list[str]


def ingest_file(path: Path, way: Way, state: Path) -> Ingested:
    """Run a stream over one file, in rescue mode; `state` is a folder for what it needs."""
    session = Session(warehouse=state / "warehouse")
    stream = (
        session.readStream.format("cloudFiles")
        .option("cloudFiles.format", path.suffix.removeprefix("."))
        .option("cloudFiles.inferColumnTypes", way.typed)
        .option("cloudFiles.schemaEvolutionMode", "rescue")
        .option("cloudFiles.schemaLocation", state / "schema")
        .options(**way.options)
        .load(path)
    )
    _run(stream, state)
    table = session.table(NAME).to_arrow()
    fields = orjson.loads(schema_to_json(stream.schema))["fields"]
    columns = [(one["name"], one["type"]) for one in fields if one["name"] != RESCUED]
    rescued = table.column(RESCUED).drop_null().to_pylist()
    return Ingested(columns, table.drop_columns([RESCUED]), rescued)


def ingest_folder(folder: Path, state: Path) -> pa.Table:
    """Run one stream over all CSV files of a folder, all STRING; with a column `file_name`."""
    session = Session(warehouse=state / "warehouse")
    stream = (
        session.readStream.format("cloudFiles")
        .option("cloudFiles.format", "csv")
        .option("cloudFiles.schemaEvolutionMode", "rescue")
        .option("cloudFiles.schemaLocation", state / "schema")
        .option("cloudFiles.maxFilesPerTrigger", 10)
        .load(folder)
    )
    _run(stream.select("*", "_metadata.file_name"), state)
    return session.table(NAME).to_arrow()


def _run(stream: StreamingDataFrame, state: Path) -> None:
    query = (
        stream.writeStream.format("memory")
        .option("checkpointLocation", state / "checkpoint")
        .queryName(NAME)
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()

"""Our side, in a process of its own: `python -m tests.benchmarks.contenders run NAME DATA OUT`.

`prepare` is not measured: it stores what a stream that has run before would have.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.benchmarks.columns import ddl
from tests.benchmarks.json_data import DDL as JSON_DDL

STRINGS = "strings"


def prepare(name: str, _data: Path, output: Path) -> None:
    """Store the schema, as the first start of a stream does."""
    if name == "infer":
        return
    from schema_store.ddl import parse_ddl
    from schema_store.store import SchemaStore
    from schema_store.types import Field, StringType, StructType

    if name == "json-infer":
        return
    if name.startswith("json"):
        schema = parse_ddl(JSON_DDL)
        if name == "json-strings":
            schema = StructType(tuple(Field(one.name, StringType()) for one in schema))
        SchemaStore(output / "schema").add(schema, StructType(()), after=None, audit=None)
        return
    schema = parse_ddl(ddl(strings=name == STRINGS))
    SchemaStore(output / "schema").add(schema, StructType(()), after=None, audit=None)


def run(name: str, data: Path, output: Path) -> None:
    """Run one contender."""
    match name:
        case "infer":
            infer(data, output)
        case "rescue":
            stream(data, output, mode="rescue", typed=True)
        case "parquet":
            stream(data, output, mode="addNewColumns", typed=True, file_format="parquet")
        case "typed" | "strings":
            stream(data, output, mode="addNewColumns", typed=name != STRINGS)
        case "json-typed" | "json-rescue" | "json-strings" | "json-infer":
            run_json(name, data, output)
        case _:
            raise SystemExit(f"there is no contender {name}")


def run_json(name: str, data: Path, output: Path) -> None:
    """Run a contender that reads JSON."""
    if name == "json-infer":
        infer(data, output, file_format="json")
        return
    mode = "rescue" if name == "json-rescue" else "addNewColumns"
    stream(data, output, mode=mode, typed=name != "json-strings", file_format="json")


def stream(data: Path, output: Path, *, mode: str, typed: bool, file_format: str = "csv") -> None:
    """Run the real stream: discovery, offsets, rescue, exactly-once Parquet table."""
    from ingest import Session

    query = (
        Session(warehouse=output)
        .readStream.format("cloudFiles")
        .option("cloudFiles.format", file_format)
        .option("cloudFiles.inferColumnTypes", typed)
        .option("cloudFiles.schemaEvolutionMode", mode)
        .option("cloudFiles.schemaLocation", output / "schema")
        .option("escape", '"')
        .load(data)
        .writeStream.format("parquet")
        .option("checkpointLocation", output / "checkpoint")
        .trigger(availableNow=True)
        .toTable("t")
    )
    query.awaitTermination()


def infer(data: Path, output: Path, *, file_format: str = "csv") -> None:
    """Infer the schema of all rows and store it, as the first `load()` does."""
    from ingest import Session

    (
        Session(warehouse=output)
        .readStream.format("cloudFiles")
        .option("cloudFiles.format", file_format)
        .option("cloudFiles.inferColumnTypes", True)
        .option("cloudFiles.schemaLocation", output / "schema")
        .option("escape", '"')
        .load(data)
    )


if __name__ == "__main__":
    step, *arguments = sys.argv[1:]
    (run if step == "run" else prepare)(arguments[0], *map(Path, arguments[1:]))

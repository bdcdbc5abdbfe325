"""What runs in a process of its own: `python -m tests.benchmarks.contenders run NAME DATA OUT`.

`prepare` is not measured: it stores what a stream that has run before would have.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.benchmarks.csv_data import COLUMNS


def prepare_ours_csv_typed(_data: Path, output: Path) -> None:
    """Store the schema, as the first start of a stream does."""
    from schema_store.ddl import parse_ddl
    from schema_store.store import SchemaStore
    from schema_store.types import StructType

    schema = parse_ddl(", ".join(f"{name} {sql}" for name, sql in COLUMNS.items()))
    SchemaStore(output / "schema").add(schema, StructType(()), after=None, audit=None)


def ours_csv_typed(data: Path, output: Path) -> None:
    """Run the real stream: discovery, offsets, rescue, exactly-once Parquet table."""
    from ingest import Session

    query = (
        Session(warehouse=output)
        .readStream.format("cloudFiles")
        .option("cloudFiles.format", "csv")
        .option("cloudFiles.inferColumnTypes", True)
        .option("cloudFiles.schemaLocation", output / "schema")
        .option("escape", '"')
        .load(data)
        .writeStream.format("parquet")
        .option("checkpointLocation", output / "checkpoint")
        .trigger(availableNow=True)
        .toTable("t")
    )
    query.awaitTermination()


def duckdb_csv_typed(data: Path, output: Path) -> None:
    """DuckDB's typed read, one output file per thread, no rescue."""
    import duckdb

    columns = ", ".join(f"'{name}': '{_duckdb_type(sql)}'" for name, sql in COLUMNS.items())
    duckdb.sql("SET preserve_insertion_order = false")
    duckdb.sql(
        f"COPY (SELECT * FROM read_csv('{data}/*.csv', header=true, columns={{{columns}}}))"
        f" TO '{output}/t' (FORMAT parquet, COMPRESSION snappy, PER_THREAD_OUTPUT true)"
    )


def _duckdb_type(sql: str) -> str:
    return {"STRING": "VARCHAR", "INT": "INTEGER"}.get(sql, sql)


if __name__ == "__main__":
    step, name, *folders = sys.argv[1:]
    function = globals().get(name if step == "run" else f"prepare_{name}")
    if function is not None:
        function(*map(Path, folders))

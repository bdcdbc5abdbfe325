"""The other side: `python -m tests.benchmarks.peers run NAME DATA OUT`; none rescues anything."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tests.benchmarks.columns import COLUMNS
from tests.benchmarks.json_data import DUCKDB_COLUMNS


def duckdb_typed(data: Path, output: Path) -> None:
    """Read typed and write one output file per thread."""
    _duckdb_copy(data, output, {name: _duckdb_type(sql) for name, sql in COLUMNS.items()})


def duckdb_strings(data: Path, output: Path) -> None:
    """Read every column as text."""
    _duckdb_copy(data, output, dict.fromkeys(COLUMNS, "VARCHAR"))


def _duckdb_copy(data: Path, output: Path, types: dict[str, str]) -> None:
    import duckdb

    columns = ", ".join(f"'{name}': '{sql}'" for name, sql in types.items())
    duckdb.sql("SET preserve_insertion_order = false")
    duckdb.sql(
        f"COPY (SELECT * FROM read_csv('{data}/*.csv', header=true, columns={{{columns}}}))"
        f" TO '{output}/t' (FORMAT parquet, COMPRESSION snappy, PER_THREAD_OUTPUT true)"
    )


def _duckdb_type(sql: str) -> str:
    return {"STRING": "VARCHAR", "INT": "INTEGER"}.get(sql, sql)


def duckdb_infer(data: Path, _output: Path) -> None:
    """Infer the types of all rows."""
    import duckdb

    duckdb.execute(
        f"DESCRIBE SELECT * FROM read_csv('{data}/*.csv', sample_size=-1, union_by_name=true)"
    ).fetchall()


def polars_types() -> dict[str, Any]:
    """Give the columns' types as Polars has them."""
    import polars as pl

    types: dict[str, Any] = {
        "BIGINT": pl.Int64(),
        "INT": pl.Int32(),
        "DOUBLE": pl.Float64(),
        "DATE": pl.Date(),
        "TIMESTAMP": pl.Datetime("us"),
        "STRING": pl.String(),
        "BOOLEAN": pl.Boolean(),
        "DECIMAL(12,2)": pl.Decimal(12, 2),
        "DECIMAL(14,4)": pl.Decimal(14, 4),
    }
    return {name: types[sql] for name, sql in COLUMNS.items()}


def polars_typed(data: Path, output: Path) -> None:
    """Scan the list of files, write one file."""
    import polars as pl

    schema = polars_types()
    files = sorted(data.glob("*.csv"))
    pl.scan_csv(files, schema=schema).sink_parquet(output / "t.parquet", compression="snappy")


def polars_parquet(data: Path, output: Path) -> None:
    """Scan the files, write one file."""
    import polars as pl

    files = sorted(data.glob("*.parquet"))
    pl.scan_parquet(files).sink_parquet(output / "t.parquet", compression="snappy")


def duckdb_parquet(data: Path, output: Path) -> None:
    """Read the files and write one output file per thread."""
    import duckdb

    duckdb.sql("SET preserve_insertion_order = false")
    duckdb.sql(
        f"COPY (SELECT * FROM read_parquet('{data}/*.parquet'))"
        f" TO '{output}/t' (FORMAT parquet, COMPRESSION snappy, PER_THREAD_OUTPUT true)"
    )


def pyarrow_typed(data: Path, output: Path) -> None:
    """Read file after file, write one file."""
    import pyarrow as pa
    from pyarrow import csv, parquet

    types = {
        "BIGINT": pa.int64(),
        "INT": pa.int32(),
        "DOUBLE": pa.float64(),
        "DATE": pa.date32(),
        "TIMESTAMP": pa.timestamp("us"),
        "STRING": pa.string(),
        "BOOLEAN": pa.bool_(),
        "DECIMAL(12,2)": pa.decimal128(12, 2),
        "DECIMAL(14,4)": pa.decimal128(14, 4),
    }
    schema = pa.schema([(name, types[sql]) for name, sql in COLUMNS.items()])
    convert = csv.ConvertOptions(column_types=schema)
    with parquet.ParquetWriter(output / "t.parquet", schema, compression="snappy") as writer:
        for path in sorted(data.glob("*.csv")):
            writer.write_table(csv.read_csv(path, convert_options=convert))


def duckdb_json(data: Path, output: Path) -> None:
    """Read NDJSON typed and write one output file per thread."""
    import duckdb

    columns = ", ".join(f"{name}: '{kind}'" for name, kind in DUCKDB_COLUMNS.items())
    duckdb.sql("SET preserve_insertion_order = false")
    duckdb.sql(
        f"COPY (SELECT * FROM read_json('{data}/*.json', format='newline_delimited',"
        f" columns={{{columns}}}))"
        f" TO '{output}/t' (FORMAT parquet, COMPRESSION snappy, PER_THREAD_OUTPUT true)"
    )


def duckdb_json_infer(data: Path, _output: Path) -> None:
    """Infer the types of all records of all files; by itself it looks into 32 of them."""
    import duckdb

    duckdb.execute(
        f"DESCRIBE SELECT * FROM read_json('{data}/*.json', format='newline_delimited',"
        " sample_size=-1, maximum_sample_files=1000000)"
    ).fetchall()


def nothing(_data: Path, _output: Path) -> None:
    """Start an interpreter and end."""


PEERS = (
    duckdb_typed,
    duckdb_strings,
    duckdb_infer,
    polars_typed,
    polars_parquet,
    duckdb_parquet,
    pyarrow_typed,
    duckdb_json,
    duckdb_json_infer,
    nothing,
)

if __name__ == "__main__":
    _, name, *folders = sys.argv[1:]
    next(peer for peer in PEERS if peer.__name__ == name)(*map(Path, folders))

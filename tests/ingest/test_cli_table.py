"""`ingest table …`, as a user meets it."""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner, Result

from ingest.cli import cli
from ingest.cli.json_values import json_value
from ingest.cli.table_files import size_text
from ingest.delta.batch_writes import append
from ingest.delta.settings import DeltaSettings
from ingest.sinks.parquet_table import ParquetTable
from schema_store.ddl import parse_ddl
from schema_store.types import (
    ArrayType,
    BinaryType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    Field,
    IntegerType,
    MapType,
    StructType,
)

ROOT = Path(__file__).parents[2]
NOW = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)


def ingest(*args: object) -> Result:
    return CliRunner().invoke(cli, [str(arg) for arg in args])


def write(folder: Path, ddl: str, *rows: dict[str, Any]) -> None:
    schema = parse_ddl(ddl)
    given = DeltaSettings(
        now=lambda: NOW,
        new_id=lambda: f"00000000-0000-4000-8000-{os.urandom(6).hex()}",
        merge_schema=True,
    )
    append(folder, pa.Table.from_pylist(list(rows)), schema, given)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Give a table of two versions."""
    folder = tmp_path / "people"
    write(folder, "id BIGINT, name STRING", {"id": 1, "name": "John"}, {"id": 2, "name": None})
    write(folder, "id BIGINT, name STRING, age BIGINT", {"id": 3, "name": "Bob", "age": 25})
    return folder


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    folder = tmp_path / "parquet"
    ParquetTable(folder).create(parse_ddl("id BIGINT"))
    return folder


def test_show_prints_the_rows_as_spark_does(people: Path) -> None:
    assert ingest("table", "show", people).stdout.splitlines() == [
        f"{people}: delta version 1, 3 rows, 3 columns",
        "+---+----+----+",
        "| id|name| age|",
        "+---+----+----+",
        "|  1|John|NULL|",
        "|  2|NULL|NULL|",
        "|  3| Bob|  25|",
        "+---+----+----+",
    ]


def test_show_gives_an_older_version(people: Path) -> None:
    lines = ingest("table", "show", people, "--version", 0).stdout.splitlines()
    assert lines[0] == f"{people}: delta version 0, 2 rows, 2 columns"


def test_show_says_that_there_are_more_rows(people: Path) -> None:
    assert ingest("table", "show", people, "-n", 2).stdout.splitlines()[-1] == (
        "only showing top 2 rows"
    )
    assert "only showing" not in ingest("table", "show", people, "-n", 3).stdout


def test_show_is_readable_at_80_columns(tmp_path: Path) -> None:
    names = [f"column_{number}" for number in range(12)]
    row = dict.fromkeys(names, "a long text that does not fit a cell")
    write(tmp_path / "wide", ", ".join(f"{name} STRING" for name in names), row)
    lines = ingest("table", "show", tmp_path / "wide").stdout.splitlines()
    assert lines[1].startswith("-RECORD 0---")
    assert lines[2] == " column_0  | a long text that does not fit a cell"
    assert max(map(len, lines[1:])) <= 80


def test_show_of_no_rows_is_the_columns(parquet: Path) -> None:
    lines = ingest("table", "show", parquet).stdout.splitlines()
    assert lines[:3] == [f"{parquet}: parquet, 0 rows, 1 column", "+---+", "| id|"]


def test_show_gives_json(people: Path) -> None:
    told = json.loads(ingest("table", "show", people, "--json", "-n", 1).stdout)
    assert told == {
        "table": str(people),
        "format": "delta",
        "version": 1,
        "rows": 3,
        "schema": "id BIGINT, name STRING, age BIGINT",
        "data": [{"id": 1, "name": "John", "age": None}],
    }


@pytest.mark.parametrize(
    ("value", "data_type", "expected"),
    [
        (Decimal("1.50"), DecimalType(5, 2), "1.50"),
        (float("nan"), DoubleType(), "NaN"),
        (float("-inf"), DoubleType(), "-Infinity"),
        (b"\x00\xff", BinaryType(), "AP8="),
        (dt.date(2024, 2, 29), DateType(), "2024-02-29"),
        ([1, None], ArrayType(IntegerType()), [1, None]),
        ([(1, Decimal(2))], MapType(IntegerType(), DecimalType(3, 0)), {"1": "2"}),
        ({"f": None}, StructType((Field("f", IntegerType()),)), {"f": None}),
    ],
)
def test_values_are_exact_in_json(value: object, data_type: DataType, expected: object) -> None:
    assert json_value(value, data_type) == expected


def test_history_tells_what_changed(people: Path) -> None:
    assert ingest("table", "history", people).stdout.splitlines() == [
        "version  time                 operation  rows  changes",
        "1        2026-01-02 03:04:05  WRITE      1     +1 file",
        "  + age BIGINT",
        "0        2026-01-02 03:04:05  WRITE      2     +1 file, protocol",
        "  columns: id BIGINT, name STRING",
    ]


def test_history_tells_the_newest_versions_only(people: Path) -> None:
    lines = ingest("table", "history", people, "-n", 1).stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["version", "1", "+"]


def test_history_gives_json(people: Path) -> None:
    newest, oldest = json.loads(ingest("table", "history", people, "--json").stdout)
    assert (newest["version"], newest["rows"], newest["filesAdded"]) == (1, 1, 1)
    assert oldest["timestamp"] == "2026-01-02T03:04:05+00:00"
    assert oldest["schema"] == "id BIGINT, name STRING"


def test_a_property_is_set_and_told(people: Path) -> None:
    result = ingest("table", "set-property", people, "delta.enableTypeWidening", "true")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{people}: version 2",
        "  delta.enableTypeWidening  (not set) -> true",
        "  feature                   + typeWidening",
    ]
    assert "DuckDB" in result.stderr
    assert "polars.scan_delta" in result.stderr


def test_a_property_that_is_set_already_changes_nothing(people: Path) -> None:
    command = ("table", "set-property", people, "delta.appendOnly", "true")
    ingest(*command)
    again = ingest(*command)
    assert again.stdout == "nothing changed: delta.appendOnly is true already\n"
    assert again.stderr == ""
    assert len(ingest("table", "history", people).stdout.split("WRITE")) == 3


@pytest.mark.parametrize(
    ("key", "value"), [("delta.enableTypeWidning", "true"), ("delta.enableTypeWidening", "yes")]
)
def test_a_bad_property_is_one_message(people: Path, key: str, value: str) -> None:
    result = ingest("table", "set-property", people, key, value)
    assert result.exit_code == 2
    assert key in result.stderr
    assert "Traceback" not in result.stderr


def test_properties_are_listed(people: Path) -> None:
    ingest("table", "set-property", people, "delta.enableTypeWidening", "true")
    assert ingest("table", "properties", people).stdout.splitlines() == [
        "delta.enableTypeWidening  true",
        "minReaderVersion          3",
        "minWriterVersion          7",
        "readerFeatures            typeWidening",
        "writerFeatures            appendOnly, invariants, typeWidening",
    ]
    told = json.loads(ingest("table", "properties", people, "--json").stdout)
    assert told["properties"] == {"delta.enableTypeWidening": "true"}
    assert told["protocol"]["readerFeatures"] == ["typeWidening"]


def test_optimize_tells_what_became_of_the_files(people: Path) -> None:
    result = ingest("table", "optimize", people)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{people}: version 2, 2 files (")
    assert " -> 1 file (" in result.stdout
    assert ingest("table", "optimize", people).stdout == f"{people}: nothing to compact\n"


def test_vacuum_lists_before_it_removes(people: Path) -> None:
    orphan = people / "part-left.parquet"
    orphan.write_bytes(b"half")
    os.utime(orphan, (1, 1))
    dry = ingest("table", "vacuum", people, "--dry-run")
    assert dry.stdout.splitlines() == [
        "orphan      4 bytes  part-left.parquet",
        f"{people}: 1 file (4 bytes) would be removed",
    ]
    assert orphan.exists()
    assert ingest("table", "vacuum", people).stdout.endswith("1 file (4 bytes) removed\n")
    assert not orphan.exists()


def test_vacuum_warns_of_a_short_time(people: Path) -> None:
    assert (
        "warning: after a vacuum of 1 hour older versions"
        in ingest("table", "vacuum", people, "--dry-run", "--hours", 1).stderr
    )
    assert ingest("table", "vacuum", people, "--dry-run").stderr == ""


COMMANDS = (
    ("show",),
    ("history",),
    ("properties",),
    ("set-property", "delta.appendOnly", "true"),
    ("optimize",),
    ("vacuum",),
)


@pytest.mark.parametrize("command", COMMANDS, ids=[name for name, *_ in COMMANDS])
def test_no_table_is_one_message(tmp_path: Path, command: tuple[str, ...]) -> None:
    name, *more = command
    result = ingest("table", name, tmp_path / "nowhere", *more)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: [TABLE_OR_VIEW_NOT_FOUND] nowhere")
    assert result.stdout == ""


@pytest.mark.parametrize("command", COMMANDS[1:], ids=[name for name, *_ in COMMANDS[1:]])
def test_what_only_delta_has_is_told_of_a_parquet_table(
    parquet: Path, command: tuple[str, ...]
) -> None:
    name, *more = command
    result = ingest("table", name, parquet, *more)
    assert (result.exit_code, "DELTA_ONLY_OPERATION" in result.stderr) == (1, True)


def test_a_version_that_is_not_there_is_one_message(people: Path) -> None:
    result = ingest("table", "show", people, "--version", 7)
    assert result.exit_code == 1
    assert "no version 7; expected a version from 0 to 1" in result.stderr


def test_a_version_of_a_parquet_table_is_a_usage_error(parquet: Path) -> None:
    assert ingest("table", "show", parquet, "--version", 0).exit_code == 2


def test_a_missing_data_file_is_one_message(people: Path) -> None:
    path = next(people.glob("*.parquet"))
    path.unlink()
    result = ingest("table", "show", people)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: {path}: a data file that is missing")


@pytest.mark.parametrize("size", [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB")])
def test_a_size_is_told_for_people(size: tuple[int, str]) -> None:
    assert size_text(size[0]) == size[1]


def test_import_of_the_package_loads_no_table_library() -> None:
    script = (
        "import sys, ingest; from ingest.cli import cli;"
        "sys.exit(bool({'polars', 'pyarrow', 'deltalake'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, cwd=ROOT)
    assert done.returncode == 0

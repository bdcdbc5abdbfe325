"""The widening table, written by us, as engines see it that are not ours (contract 8.1, 8.2).

The engines need an environment of their own, made from `readers.txt`: `INGEST_READERS_PYTHON`
names its Python and must then be there; else it is `.venv-readers` beside the repository's files,
or these tests are skipped.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from ingest import scan_table
from ingest.delta.history import read_history
from ingest.delta.maintenance import compact
from ingest.sinks.delta_table import DeltaTable
from ingest.table_reader import read_table
from schema_store.spark_json import schema_to_json
from tests.delta.independent_reader import ENGINES, seen
from tests.delta.tables import WIDENING, arrow_rows, settings, stream_rows
from tests.delta.widening_rows import (
    PLACES,
    WIDENINGS,
    Widening,
    expected_rows,
    narrow_rows,
    narrow_schema,
    wide_rows,
    wide_schema,
)

ROOT = Path(__file__).parents[2]
NAMED = os.environ.get("INGEST_READERS_PYTHON")  # noqa: TID251 - where CI has put it
READERS = Path(NAMED or ROOT / ".venv-readers" / "bin" / "python")
COLUMNS = [f"{place}_{row.name}" for place in PLACES for row in WIDENINGS]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a table whose columns were all widened between two files."""
    folder = tmp_path_factory.mktemp("readers") / "widened"
    sink = DeltaTable(folder, settings(WIDENING))
    stream_rows(sink, 0, arrow_rows(narrow_rows(), narrow_schema()), narrow_schema())
    stream_rows(sink, 1, arrow_rows(wide_rows(), wide_schema()), wide_schema())
    return folder


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    return seen(arrow_rows(expected_rows(), wide_schema()))


def in_order(found: dict[str, Any]) -> dict[str, Any]:
    return {**found, "rows": sorted(found["rows"], key=lambda row: int(row["n"]))}


def read_independently(engine: str, folder: Path) -> dict[str, Any]:
    if NAMED is None and not READERS.exists():
        pytest.skip(f"no {READERS} to run {engine} with; tests/delta/readers.txt says how")
    script = Path(__file__).with_name("independent_reader.py")
    done = subprocess.run(
        [READERS, script, engine, folder], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return in_order(found)


@pytest.mark.readers
@pytest.mark.parametrize("engine", ENGINES)
def test_an_independent_reader_sees_every_widening(
    engine: str, table: Path, expected: dict[str, Any]
) -> None:
    assert read_independently(engine, table) == expected


@pytest.mark.readers
@pytest.mark.parametrize("engine", ENGINES)
def test_an_independent_reader_sees_the_same_after_a_compaction(
    engine: str, table: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / "compacted"
    shutil.copytree(table, folder)
    assert compact(folder, settings()) is not None
    assert read_independently(engine, folder) == expected


def test_our_reader_sees_every_widening(table: Path, expected: dict[str, Any]) -> None:
    assert in_order(seen(read_table(table)[1])) == expected


def test_our_lazy_frame_sees_every_widening(table: Path, expected: dict[str, Any]) -> None:
    assert in_order(seen(scan_table(table).collect().to_arrow())) == expected


@pytest.mark.parametrize("row", WIDENINGS, ids=lambda row: row.name)
def test_a_predicate_on_a_widened_column_is_exact(table: Path, row: Widening) -> None:
    frame = scan_table(table)
    column = f"top_{row.name}"
    values = frame.select("n", column).collect()
    for number, value in values.drop_nulls().iter_rows():
        kept = frame.filter(pl.col(column) == pl.lit(value, dtype=values.schema[column]))
        assert kept.select("n").collect()["n"].to_list() == [number]


def test_the_narrow_version_is_still_there(table: Path) -> None:
    schema, rows = read_table(table, 0)
    assert (schema.names, rows.num_rows) == (narrow_schema().names, 2)
    assert seen(rows) == seen(arrow_rows(narrow_rows(), narrow_schema()))


def test_one_entry_widens_every_column(table: Path) -> None:
    newest, _ = read_history(table)
    assert newest.metadata is not None
    assert schema_to_json(newest.metadata.schema).count("fromType") == len(COLUMNS)

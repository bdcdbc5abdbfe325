"""`ingest infer`, `ingest rescued` and `ingest explain`, as a user meets them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from ingest.arrow import to_arrow_schema
from ingest.cli import cli
from ingest.insight.schema_code import arrow_code, pyspark_code
from schema_store.ddl import parse_ddl

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

ALL_TYPES = (
    "a TINYINT, b SMALLINT, c INT, d BIGINT, e FLOAT, f DOUBLE, g DECIMAL(5,2), h STRING,"
    " i BINARY, j BOOLEAN, k DATE, l TIMESTAMP, m TIMESTAMP_NTZ, n ARRAY<INT>, o MAP<STRING, INT>,"
    ' p STRUCT<`q "x"`: INT, r: STRING>, s VARCHAR(3), t INTERVAL DAY TO SECOND, u CHAR(2)'
)


def ingest(*args: object) -> Result:
    return CliRunner().invoke(cli, [str(arg) for arg in args])


def document(*args: object) -> Any:
    result = ingest(*args, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.csv").write_text("id,zip,amount\n1,01234,1.50\n2,99999,N/A\n")
    return folder


def test_infer_tells_what_decided_and_what_prevents_it(orders: Path) -> None:
    result = ingest("infer", orders)

    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "csv: 1 file, types inferred"
    assert "amount  STRING  a.csv row 2: N/A (else DOUBLE)" in lines
    assert "    -> --hints 'zip STRING': keeps the text" in lines
    assert "  --hints 'zip STRING, amount DOUBLE'" in lines
    assert max(map(len, lines)) <= 80


def test_the_hints_that_are_told_work(orders: Path) -> None:
    result = ingest("infer", orders, "--hints", "zip STRING", "--option", "nullValue=N/A")

    assert "zip     STRING  a schema hint" in result.stdout
    assert "amount  DOUBLE" in result.stdout


def test_infer_as_a_document(orders: Path) -> None:
    found = document("infer", orders)

    assert found["schema"] == "id INT, zip INT, amount STRING"
    amount = found["columns"][2]
    assert amount["alone"]
    assert amount["without"] == {"type": "DOUBLE", "values": ["N/A"], "cells": 1}
    assert amount["changes"][-1]["row"] == 2
    assert found["surprises"][0]["hint"] == "zip STRING"


@pytest.mark.parametrize("form", ["ddl", "json", "arrow", "pyspark"])
def test_infer_prints_the_schema_alone(orders: Path, form: str) -> None:
    result = ingest("infer", orders, "--as", form)

    assert result.exit_code == 0
    assert "surprise" not in result.stdout


def test_infer_as_production_does_by_default(orders: Path) -> None:
    result = ingest("infer", orders / "a.csv", "--strings", "--as", "ddl")

    assert result.stdout == "id STRING, zip STRING, amount STRING\n"


def test_infer_refuses_a_misspelt_option(orders: Path) -> None:
    result = ingest("infer", orders, "--option", "cloudFiles.schemaHint=id INT")

    assert result.exit_code == 2
    assert "schemaHints" in result.stderr


def test_infer_knows_formats_by_name_and_tells_conflicts(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1]}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"id": ["x"]}), tmp_path / "1.parquet")
    result = ingest("infer", tmp_path)

    assert result.exit_code == 1
    assert result.stdout.startswith("parquet: 2 files")
    assert "CANNOT_MERGE" in result.stderr


def test_infer_takes_formats_with_one_schema(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\n")

    assert "value   STRING" in ingest("infer", tmp_path).stdout


def test_arrow_code_makes_the_schema() -> None:
    schema = parse_ddl(ALL_TYPES)
    made: dict[str, Any] = {}
    exec(arrow_code(schema), made)

    assert made["schema"] == to_arrow_schema(schema)


def test_pyspark_code_is_python() -> None:
    code = pyspark_code(parse_ddl(ALL_TYPES))

    compile(code, "schema", "exec")
    assert "T.DecimalType(5, 2)" in code


def test_rescued_and_explain_of_a_run(orders: Path, tmp_path: Path) -> None:
    table = tmp_path / "t"
    assert ingest("run", orders, "--to", table, "--infer-types").exit_code == 0
    (orders / "b.csv").write_text("id,zip,amount,city\nx,1,2,Oslo\n")
    assert ingest("run", orders, "--to", table, "--infer-types").exit_code == 3

    told = ingest("explain", f"{table}.state").stdout
    assert "stopped to evolve in batch 1" in told
    assert "city: new STRING (b.csv, 'Oslo')" in told
    assert document("explain", f"{table}.state")["ending"] == "evolved"

    assert ingest("run", orders, "--to", table, "--infer-types").exit_code == 0
    lines = ingest("rescued", table).stdout.splitlines()
    assert lines[0] == f"{table}: 1 of 3 rows with rescued data"
    assert lines[2] == "id does not fit INT: 1 value in 1 file"
    assert document("rescued", table, "--column", "ID")["columns"][0]["reason"] == "misfit"
    assert "nothing was rescued for zip" in ingest("rescued", table, "--column", "zip").stdout
    assert "settled" in ingest("explain", f"{table}.state").stdout
    assert document("explain", tmp_path / "t.state" / "checkpoint")["schemaVersion"] == 1


def test_a_table_without_a_rescued_column_is_told(orders: Path, tmp_path: Path) -> None:
    ingest("run", orders, "--to", tmp_path / "t", "--mode", "none")
    result = ingest("rescued", tmp_path / "t")

    assert result.exit_code == 1
    assert "_rescued_data" in result.stderr


def test_explain_of_nothing_is_one_message(tmp_path: Path) -> None:
    result = ingest("explain", tmp_path)

    assert (result.exit_code, result.stdout) == (1, "")
    assert list(tmp_path.iterdir()) == []

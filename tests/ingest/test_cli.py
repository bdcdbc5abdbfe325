"""The command line, as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from ingest.cli import cli, shadowing_package
from ingest.cli.exit_codes import describe, exit_code
from ingest.cli.request import run_request
from ingest.cli.text_table import align
from schema_store.ddl import parse_ddl
from schema_store.store import Audit, AuditCause, SchemaStore
from schema_store.types import StructType

if TYPE_CHECKING:
    from click.testing import Result

ROOT = Path(__file__).parents[2]
WIDENING = "addNewColumnsWithTypeWidening"
FIRST = "id,name\n1,John\n2,Mary\n"
SECOND = "id,name,age\n2147483648,Bob,25\n"
NO_COLUMNS = StructType(())


def ingest(*args: object) -> Result:
    return CliRunner().invoke(cli, [str(arg) for arg in args])


def python(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *args], capture_output=True, text=True, check=False, cwd=ROOT
    )


@pytest.fixture
def landing(tmp_path: Path) -> Path:
    folder = tmp_path / "landing"
    folder.mkdir()
    (folder / "1.csv").write_text(FIRST)
    return folder


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "out" / "people"


@pytest.fixture
def location(tmp_path: Path) -> Path:
    """Give a schema location with two versions."""
    store = SchemaStore(tmp_path / "schema")
    first = store.add(
        parse_ddl("id INT, name STRING"), NO_COLUMNS, after=None, audit=Audit("t0", None, (), ())
    )
    causes = (
        AuditCause("file:///in/2.csv", "age", "new INT", "25"),
        AuditCause("file:///in/3.csv", "id", "INT -> BIGINT", "2147483648"),
    )
    store.add(
        parse_ddl("id BIGINT, name STRING, age INT"),
        NO_COLUMNS,
        after=first,
        audit=Audit("t1", 4, causes, ()),
    )
    return store.location


def widening_run(landing: Path, table: Path, *more: object) -> Result:
    allowed = ("--writer-option", "delta.enableTypeWidening=true")
    return plain_run(landing, table, *allowed, *more)


def plain_run(landing: Path, table: Path, *more: object) -> Result:
    return ingest("run", landing, "--to", table, "--mode", WIDENING, "--infer-types", *more)


def document(result: Result) -> dict[str, Any]:
    value = json.loads(result.stdout)
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize("args", [["--help"], ["run", "--help"], ["schema", "--help"]])
def test_help_does_not_import_polars(args: list[str]) -> None:
    code = (
        "import sys; from ingest.cli import cli; cli(sys.argv[1:], standalone_mode=False);"
        " sys.exit('polars' in sys.modules or 'pyarrow' in sys.modules)"
    )
    done = python("-c", code, *args)
    assert (done.returncode, done.stderr) == (0, "")


def test_schema_commands_do_not_import_polars(location: Path) -> None:
    code = (
        "import sys; from ingest.cli import cli;"
        " cli(['schema', 'log', sys.argv[1]], standalone_mode=False);"
        " sys.exit('polars' in sys.modules or 'pyarrow' in sys.modules)"
    )
    done = python("-c", code, str(location))
    assert (done.returncode, done.stderr) == (0, "")


def test_python_m_ingest_is_the_command_line() -> None:
    done = python("-m", "ingest", "--help")
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: ingest ")


@pytest.mark.parametrize("args", [["--help"], ["run", "--help"]])
def test_help_tells_the_exit_codes(args: list[str]) -> None:
    text = ingest(*args).stdout
    assert "3  stopped because the schema has evolved" in text
    assert "4  refused new columns" in text


def test_help_names_every_member_of_the_json_document(landing: Path) -> None:
    members = json.loads(ingest("run", landing, "--sink", "memory", "--json").stdout)
    text = ingest("run", "--help").stdout
    assert [name for name in members if name not in text] == []


def test_json_has_the_facts_of_a_damaged_schema_version(landing: Path, table: Path) -> None:
    ingest("run", landing, "--to", table)
    damaged = table.with_name("people.state") / "schema" / "_schemas" / "0"
    damaged.write_text("v1\nno JSON")
    error = json.loads(ingest("run", landing, "--to", table, "--json").stdout)["error"]
    assert (error["type"], error["where"]) == ("DamagedEntryError", str(damaged))
    assert error["remedy"]


def test_run_lands_files_once(landing: Path, table: Path) -> None:
    first = ingest("run", landing, "--format", "csv", "--to", table)
    assert first.exit_code == 0
    assert first.stderr.startswith("batch 0  1 file  2 rows  ")
    assert f"done    2 rows of 1 file in 1 batch -> {table}" in first.stdout
    again = ingest("run", landing, "--to", table)
    assert again.exit_code == 0
    assert again.stdout.startswith(f"done    nothing new in {landing}\n")


def test_run_keeps_its_state_beside_the_table(landing: Path, table: Path) -> None:
    assert ingest("run", landing, "--to", table).exit_code == 0
    state = table.with_name("people.state")
    assert (state / "schema" / "_schemas" / "0").is_file()
    assert (state / "checkpoint" / "commits" / "0").is_file()


def test_run_stops_to_evolve_and_goes_on_when_run_again(landing: Path, table: Path) -> None:
    assert widening_run(landing, table).exit_code == 0
    (landing / "2.csv").write_text(SECOND)
    stopped = widening_run(landing, table)
    assert stopped.exit_code == 3
    assert "UNKNOWN_FIELD_EXCEPTION" in stopped.stderr
    assert "2.csv" in stopped.stderr
    assert "age INT" in stopped.stderr
    assert "id BIGINT" in stopped.stderr
    assert f"now has version 1 in {table}.state/schema" in stopped.stderr
    assert "Run the same command again" in stopped.stderr
    finished = widening_run(landing, table)
    assert finished.exit_code == 0
    assert "1 row of 1 file" in finished.stdout


def test_run_restarts_as_often_as_it_is_told(landing: Path, table: Path) -> None:
    assert widening_run(landing, table).exit_code == 0
    (landing / "2.csv").write_text(SECOND)
    result = widening_run(landing, table, "--restarts", 1)
    assert result.exit_code == 0
    assert "stopped [UNKNOWN_FIELD_EXCEPTION" in result.stderr
    assert "1 row of 1 file" in result.stdout


def test_run_tells_how_a_table_may_widen(landing: Path, table: Path) -> None:
    plain_run(landing, table)
    (landing / "2.csv").write_text(SECOND)
    refused = plain_run(landing, table, "--restarts", 1)
    assert refused.exit_code == 1
    assert "SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')" in refused.stderr
    command = f"ingest table set-property {table} delta.enableTypeWidening true"
    assert command in refused.stderr
    assert ingest(*command.split()[1:]).exit_code == 0
    assert plain_run(landing, table).exit_code == 0
    assert "2147483648" in ingest("table", "show", table).stdout


def test_run_writes_a_parquet_table_when_it_is_told(landing: Path, table: Path) -> None:
    assert ingest("run", landing, "--to", table, "--sink", "parquet").exit_code == 0
    assert ingest("table", "show", table).stdout.startswith(f"{table}: parquet, 2 rows")


def test_run_does_not_mix_the_formats_of_a_table(landing: Path, table: Path) -> None:
    assert ingest("run", landing, "--to", table, "--sink", "parquet").exit_code == 0
    refused = ingest("run", landing, "--to", table)
    assert refused.exit_code == 2
    assert "DELTA_MISSING_TRANSACTION_LOG" in refused.stderr


def test_run_refuses_new_columns(landing: Path, table: Path) -> None:
    command = ("run", landing, "--to", table, "--mode", "failOnNewColumns")
    assert ingest(*command).exit_code == 0
    (landing / "2.csv").write_text(SECOND)
    for _ in range(2):
        refused = ingest(*command)
        assert refused.exit_code == 4
        assert "2.csv" in refused.stderr
        assert "age" in refused.stderr
    assert not (table.with_name("people.state") / "schema" / "_schemas" / "1").exists()


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--mode", "addColumns"], "addNewColumns, rescue"),
        (["--option", "cloudFiles.maxFilesPerTriger=1"], "cloudFiles.maxfilespertriger"),
        (["--option", "multiLine=yes"], "multiLine"),
        (["--format", "avro"], "not supported yet"),
        (["--schema", "id INTT"], "INTT"),
        (["--schema", "id INT", "--mode", "addNewColumns"], "CF_ADD_NEW_NOT_SUPPORTED"),
        (["--hints", "id"], "id"),
        (["--conf", "spark.sql.session.timeZone=Nowhere"], "spark.sql.session.timeZone"),
        (["--option", "header"], "KEY=VALUE"),
        (["--sink", "iceberg"], "delta"),
        (["--writer-option", "mergeSchema"], "KEY=VALUE"),
    ],
)
def test_run_tells_what_is_wrong_with_its_arguments(
    landing: Path, table: Path, args: list[str], told: str
) -> None:
    result = ingest("run", landing, "--to", table, *args)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.stderr
    assert not table.parent.exists()


def test_run_needs_a_table(landing: Path) -> None:
    result = ingest("run", landing)
    assert result.exit_code == 2
    assert "--to" in result.stderr


def test_run_fails_without_a_landing_folder(tmp_path: Path, table: Path) -> None:
    result = ingest("run", tmp_path / "nowhere", "--to", table)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: [PATH_NOT_FOUND]")
    assert result.stdout == ""


def test_run_prints_one_json_document(landing: Path, table: Path) -> None:
    done = ingest("run", landing, "--to", table, "--json")
    assert done.stderr == ""
    told = document(done)
    assert (told["status"], told["exitCode"], told["error"]) == ("done", 0, None)
    assert (told["batches"], told["files"], told["rows"]) == (1, 1, 2)
    assert (told["schemaVersion"], told["schema"]) == (0, "id STRING, name STRING")


def test_run_tells_a_stop_as_json(landing: Path, table: Path) -> None:
    widening_run(landing, table)
    (landing / "2.csv").write_text(SECOND)
    stopped = widening_run(landing, table, "--json")
    assert stopped.exit_code == 3
    told = document(stopped)
    assert told["status"] == "evolved"
    assert told["schemaVersion"] == 1
    stop = told["stops"][0]
    assert (stop["newFields"], stop["retryable"]) == (["age INT"], True)
    assert stop["file"].endswith("/2.csv")


def test_run_tells_an_error_as_json(landing: Path, table: Path) -> None:
    result = ingest("run", landing, "--to", table, "--mode", "x", "--json")
    assert result.exit_code == 2
    told = document(result)
    assert told["status"] == "usage"
    assert told["error"]["where"] == "cloudFiles.schemaEvolutionMode"


def test_memory_shows_the_rows_and_keeps_nothing(landing: Path) -> None:
    before = sorted(landing.parent.iterdir())
    result = ingest("run", landing, "--sink", "memory")
    assert result.exit_code == 0
    assert "John" in result.stdout
    assert sorted(landing.parent.iterdir()) == before


def test_memory_gives_the_rows_as_json(landing: Path) -> None:
    told = document(ingest("run", landing, "--sink", "memory", "--json"))
    assert (told["checkpoint"], told["schemaLocation"]) == (None, None)
    assert [row["name"] for row in told["data"]] == ["John", "Mary"]


def test_memory_tells_how_to_go_on_when_its_state_is_gone(landing: Path, tmp_path: Path) -> None:
    schema = parse_ddl("id STRING, name STRING")
    SchemaStore(tmp_path / "s").add(schema, NO_COLUMNS, after=None, audit=None)
    (landing / "2.csv").write_text(SECOND)
    command = ("run", landing, "--sink", "memory", "--schema-location", tmp_path / "s")
    result = ingest(*command)
    assert result.exit_code == 3
    assert "--restarts 1" in result.stderr
    assert "Run the same command again" not in result.stderr


def test_a_warning_is_told_once(landing: Path, table: Path) -> None:
    (landing / "2.csv").write_text(SECOND)
    more = ("--option", "headr=true", "--option", "cloudFiles.region=eu", "--restarts", 1)
    conf = "spark.databricks.cloudFiles.schemaInference.sampleSize.numFiles=1"
    result = widening_run(landing, table, *more, "--conf", conf)
    assert result.exit_code == 0
    assert result.stderr.count("warning: unknown option headr; did you mean header?") == 1
    assert result.stderr.count("note: no effect without a cloud: cloudFiles.region") == 1


def test_options_win_over_flags() -> None:
    given = {
        "landing": "in",
        "format_name": "csv",
        "table": "t/",
        "sink": "parquet",
        "state": None,
        "schema_location": "a",
        "checkpoint": None,
        "mode": "none",
        "hints": None,
        "schema": None,
        "infer_types": True,
        "options": {"CloudFiles.SchemaLocation": "b", "cloudFiles.schemaEvolutionMode": "rescue"},
        "writer_options": {},
        "conf": {},
        "restarts": 0,
    }
    request = run_request(given, None)
    assert request.schema_location == "b"
    assert request.checkpoint == "t.state/checkpoint"
    assert request.reader == {
        "cloudFiles.format": "csv",
        "cloudFiles.inferColumnTypes": "true",
        "CloudFiles.SchemaLocation": "b",
        "cloudFiles.schemaEvolutionMode": "rescue",
    }


@pytest.mark.parametrize(
    ("sink", "given", "expected"),
    [
        ("delta", {}, {"mergeSchema": "true"}),
        ("delta", {"MERGESCHEMA": "false"}, {"MERGESCHEMA": "false"}),
        ("parquet", {}, {}),
    ],
)
def test_a_delta_table_merges_schemas_unless_told_not_to(
    sink: str, given: dict[str, str], expected: dict[str, str]
) -> None:
    arguments: dict[str, Any] = {
        "landing": "in",
        "format_name": "csv",
        "table": "t",
        "sink": sink,
        "state": None,
        "schema_location": None,
        "checkpoint": None,
        "mode": None,
        "hints": None,
        "schema": None,
        "infer_types": False,
        "options": {},
        "writer_options": given,
        "conf": {},
        "restarts": 0,
    }
    assert run_request(arguments, None).writer == expected


def test_schema_log_names_the_file_that_caused_a_version(location: Path) -> None:
    result = ingest("schema", "log", location)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "version 0  t0  at the start",
        "  + id INT",
        "  + name STRING",
        "version 1  t1  batch 4",
        "  ~ id INT -> BIGINT",
        "  + age INT",
        "  caused by",
        "    file:///in/2.csv  age  new INT        '25'",
        "    file:///in/3.csv  id   INT -> BIGINT  '2147483648'",
    ]


def test_schema_log_takes_a_state_folder(location: Path) -> None:
    assert ingest("schema", "log", location.parent).stdout.startswith("version 0")


def test_schema_show_gives_ddl(location: Path) -> None:
    assert ingest("schema", "show", location).stdout == "id BIGINT, name STRING, age INT\n"
    first = ingest("schema", "show", location, "--version", 0)
    assert first.stdout == "id INT, name STRING\n"


def test_schema_show_gives_spark_json(location: Path) -> None:
    told = document(ingest("schema", "show", location, "--spark-json"))
    assert told["type"] == "struct"


def test_schema_diff(location: Path) -> None:
    assert ingest("schema", "diff", location, 0, 1).stdout == "~ id INT -> BIGINT\n+ age INT\n"
    assert ingest("schema", "diff", location, 1, 1).stdout == "no difference\n"


@pytest.mark.parametrize("args", [["show", "--version", "7"], ["log"]])
def test_schema_commands_say_that_there_is_no_version(
    args: list[str], location: Path, tmp_path: Path
) -> None:
    place = location if "--version" in args else tmp_path / "elsewhere"
    result = ingest("schema", args[0], place, *args[1:])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: {place}: no schema version")


def test_a_damaged_version_is_one_message(location: Path) -> None:
    (location / "_schemas" / "1").write_text("v1\nnonsense")
    result = ingest("schema", "log", location)
    assert result.exit_code == 1
    assert "_schemas/1" in result.stderr
    assert "Traceback" not in result.stderr


def test_files_lists_what_was_discovered(landing: Path, table: Path) -> None:
    ingest("run", landing, "--to", table)
    state = table.with_name("people.state")
    lines = ingest("files", state / "checkpoint").stdout.splitlines()
    assert lines[0].split() == ["path", "size", "batch_id", "discovery_time", "commit_time"]
    assert lines[1].split()[0].endswith("/landing/1.csv")
    assert ingest("files", state).stdout.splitlines() == lines
    [row] = json.loads(ingest("files", state, "--json").stdout)
    assert (row["size"], row["source_id"]) == (len(FIRST), "0")


def test_files_says_when_there_is_no_checkpoint(tmp_path: Path) -> None:
    result = ingest("files", tmp_path)
    assert result.exit_code == 1
    assert str(tmp_path) in result.stderr


@pytest.mark.parametrize("name", ["ingest/__init__.py", "ingest.py"])
def test_a_users_own_ingest_is_found(tmp_path: Path, name: str) -> None:
    assert shadowing_package(tmp_path) is None
    (tmp_path / "ingest").mkdir()
    assert shadowing_package(tmp_path) is None  # a folder of data hides nothing
    (tmp_path / name).touch()
    assert shadowing_package(tmp_path) == tmp_path / name


def test_our_own_folder_hides_nothing() -> None:
    assert shadowing_package(ROOT) is None


def test_an_error_that_nobody_foresaw_is_told_as_a_bug() -> None:
    error = IndexError("list index out of range")
    assert exit_code(error) == 1
    assert describe(error) == (
        "unexpected IndexError: list index out of range; this is a bug, please report it"
    )


def test_columns_are_aligned() -> None:
    assert align([("a", "bb"), ("ccc", "d")]) == ["a    bb", "ccc  d"]
    assert align([]) == []


def test_run_refuses_a_blank_landing_folder(table: Path) -> None:
    result = ingest("run", "", "--to", table)
    assert (result.exit_code, result.stderr.startswith("error: path:")) == (2, True)


def test_run_names_configuration_without_an_effect(landing: Path) -> None:
    result = ingest("run", landing, "--sink", "memory", "--to", "t", "--conf", "spark.sql.nope=1")
    assert "warning: configuration without an effect here: spark.sql.nope\n" in result.stderr


def test_schema_diff_names_the_versions_there_are(location: Path) -> None:
    result = ingest("schema", "diff", location, 0, 7)
    assert "expected a version from 0 to 1." in result.stderr


def test_output_that_nobody_reads_on_is_no_error(landing: Path, table: Path) -> None:
    for number in range(2, 2000):
        (landing / f"{number}.csv").write_text("")
    ingest("run", landing, "--to", table)
    listing = f"{sys.executable} -m ingest files {table}.state | head -1"
    result = subprocess.run(
        ["/bin/sh", "-c", listing], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (result.stdout.count("\n"), result.stderr) == (1, "")


def test_losses_of_one_column_in_several_files_are_one_line(landing: Path, table: Path) -> None:
    ingest("run", landing, "--to", table, "--mode", "none")
    for number in range(2, 5):
        (landing / f"{number}.csv").write_text("id,name,x,y\n3,Bob,1,2\n")
    result = ingest("run", landing, "--to", table, "--mode", "none")
    lost = [line.split() for line in result.stdout.splitlines() if line.startswith("  dropped")]
    assert [line[:3] for line in lost] == [["dropped", "3", "x"], ["dropped", "3", "y"]]
    assert all(line[-4:] == ["and", "2", "files", "more"] for line in lost)


@pytest.mark.parametrize(
    ("option", "flag"), [("checkpointLocation=x", "--checkpoint"), ("PATH=x", "--to")]
)
def test_writer_option_does_not_say_what_a_flag_says(
    option: str, flag: str, landing: Path, table: Path
) -> None:
    result = plain_run(landing, table, "--writer-option", option)
    assert (result.exit_code, f"Write {flag} instead" in result.stderr) == (2, True)


def test_unmapped_table_is_named_as_it_was_written(landing: Path) -> None:
    result = ingest("run", landing, "--to", "s3://bucket/t")
    assert (result.exit_code, "s3://bucket/t" in result.stderr) == (2, True)

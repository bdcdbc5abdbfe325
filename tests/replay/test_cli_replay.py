"""`ingest replay` and `ingest compare`: text, JSON, JUnit, exit codes, watching."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from click.testing import CliRunner

import ingest.replay
from ingest.cli import cli
from ingest.cli.exit_codes import ExitCode
from ingest.cli.watching import watch_changes
from tests.replay.stories import PEOPLE_1, SAMPLES, people, scenario_file, write

if TYPE_CHECKING:
    from click.testing import Result

SCHEMA = json.loads(
    (Path(ingest.replay.__file__).parent / "replay.schema.json").read_text(encoding="utf-8")
)


def run(*words: str | Path) -> Result:
    """Run the command line in a terminal of 80 columns."""
    return CliRunner().invoke(cli, [str(word) for word in words], env={"COLUMNS": "80"})


def document(*words: str | Path) -> Any:
    """Give the JSON document, checked against the published schema."""
    value = json.loads(run(*words, "--json").stdout)
    jsonschema.validate(value, SCHEMA, cls=jsonschema.Draft202012Validator)
    return value


def test_a_replay_tells_each_step(tmp_path: Path) -> None:
    result = run("replay", people(tmp_path), "--infer-types")
    assert result.exit_code == ExitCode.DONE
    assert result.stdout.splitlines() == [
        f"{tmp_path.name}: 2 steps; cloudFiles.format=csv,",
        "  cloudFiles.inferColumnTypes=true",
        "",
        "step 1  1/",
        "  landed    people-1.csv",
        "  rows      2 rows of people-1.csv",
        "  schema    version 0: id INT, name STRING",
        "step 2  2/",
        "  landed    people-2.csv",
        "  stopped   [UNKNOWN_FIELD_EXCEPTION.NEW_FIELDS_IN_FILE]",
        "            people-2.csv: age new INT (value 25)",
        "  schema    version 0 -> 1",
        "            + age INT",
        "  restart   1",
        "  rows      1 row of people-2.csv, 1 with rescued data",
        "at the end",
        "  columns   id INT, name STRING, age INT, _rescued_data STRING",
        "  table     3 rows",
        "    id=1 name=John",
        "    id=2 name=Mary",
        '    name=Bob age=25 _rescued_data={"id": "2147483648"}',
        "",
    ]


def test_a_refusal_says_what_to_do(tmp_path: Path) -> None:
    result = run("replay", people(tmp_path), "--infer-types", "--mode", "failonnewcolumns")
    assert result.exit_code == ExitCode.DONE
    assert "remove the file" in result.stdout
    assert "  waiting   people-2.csv" in result.stdout


@pytest.mark.parametrize("command", ["replay", "compare"])
def test_the_document_follows_the_published_schema(command: str) -> None:
    value = document(command, SAMPLES / "02-type-widening")
    assert (value["kind"], value["exitCode"]) == (command, 0)
    assert len(value["scenarios"][0]["modes"]) == 5


def test_the_document_of_a_failure_follows_it_too(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\x1f\x8b\x08\x00")
    value = document("compare", tmp_path)
    assert value["exitCode"] == ExitCode.FAILED
    assert value["scenarios"][0]["modes"][0]["error"]["type"] == "ForeignFormatError"


def test_all_modes_are_compared(tmp_path: Path) -> None:
    people(tmp_path)
    compared = run("compare", tmp_path, "--infer-types")
    assert compared.exit_code == ExitCode.DONE
    assert run("replay", tmp_path, "--infer-types", "--mode", "all").stdout == compared.stdout


@pytest.mark.parametrize("command", ["replay", "compare"])
def test_the_text_fits_80_columns(command: str) -> None:
    for sample in ("02-type-widening", "06-hive-folders"):
        assert max(map(len, run(command, SAMPLES / sample).stdout.splitlines())) <= 80


def test_a_failed_expectation_has_its_own_exit_code(tmp_path: Path) -> None:
    text = "options: {cloudFiles.format: csv}\nsteps: [{land: {a.csv: x}, expect: {rows: 7}}]\n"
    result = run("replay", scenario_file(tmp_path, text), "--junit", tmp_path / "junit.xml")
    assert result.exit_code == ExitCode.UNEXPECTED
    assert "  EXPECTED  count: 7\n  but was   0\n" in result.stdout
    suite = ET.parse(tmp_path / "junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("1", "1", "0")
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.get("message") == "count: expected 7, but was 0"


def test_a_stream_that_fails_is_an_error_in_the_report(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\x1f\x8b\x08\x00")
    result = run("replay", tmp_path, "--junit", tmp_path / "junit.xml")
    assert result.exit_code == ExitCode.FAILED
    error = ET.parse(tmp_path / "junit.xml").getroot()[0].find("testcase/error")
    assert error is not None
    assert "gzip" in (error.get("message") or "")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("nowhere", []),
        ("empty", []),
        ("mixed", []),
        ("one", ["--mode", "best"]),
        ("one", ["--by", "folder"]),
        ("one", ["--option", "cloudFiles.inferColumnType=true"]),
    ],
)
def test_what_cannot_be_played_is_usage(tmp_path: Path, source: str, words: list[str]) -> None:
    (tmp_path / "empty").mkdir()
    write(tmp_path / "one", a=PEOPLE_1)
    write(tmp_path / "mixed", a=PEOPLE_1)
    (tmp_path / "mixed" / "b.json").touch()
    assert run("replay", tmp_path / source, *words).exit_code == ExitCode.USAGE


def test_uneventful_steps_of_a_long_replay_are_one_line(tmp_path: Path) -> None:
    write(tmp_path, **{f"f{i:02}": "id\n1\n" if i != 20 else "id,x\n1,2\n" for i in range(30)})
    lines = run("replay", tmp_path, "--infer-types").stdout.splitlines()
    assert "steps 2-20  19 files, 19 rows" in lines
    assert "steps 22-30  9 files, 9 rows" in lines
    full = run("replay", tmp_path, "--infer-types", "--full").stdout.splitlines()
    assert sum(line.startswith("step ") for line in full) == 30


def test_nothing_of_the_users_is_changed(tmp_path: Path) -> None:
    people(tmp_path)
    before = {path: path.stat() for path in tmp_path.rglob("*")}
    run("compare", tmp_path, "--infer-types")
    after = {path: path.stat() for path in tmp_path.rglob("*")}
    assert {p: (s.st_mtime_ns, s.st_size) for p, s in after.items()} == {
        p: (s.st_mtime_ns, s.st_size) for p, s in before.items()
    }


def test_it_is_done_again_when_a_file_changes(tmp_path: Path) -> None:
    done, stop = threading.Semaphore(0), threading.Event()
    watching = threading.Thread(
        target=watch_changes,
        args=(tmp_path, done.release),
        kwargs={"ours": tmp_path / "junit.xml", "stop": stop, "quiet_seconds": 0.02},
    )
    watching.start()
    assert done.acquire(timeout=10)
    (tmp_path / "junit.xml").write_text("ours")
    assert not done.acquire(timeout=0.3)
    deadline = time.monotonic() + 20
    (tmp_path / "a.csv").write_text("x")
    assert done.acquire(timeout=deadline - time.monotonic())
    stop.set()
    watching.join(10)
    assert not watching.is_alive()

"""A scenario's text: what it means, and what is said of one that is wrong."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest

from ingest.errors import ScenarioError
from ingest.replay.scenario import (
    Append,
    Delete,
    ExpectNumber,
    ExpectRows,
    ExpectStop,
    Land,
    LandedFile,
    Rename,
    SetMode,
    SetOptions,
    SetSchema,
    StartOver,
    Step,
    Text,
    Touch,
)
from ingest.replay.scenario_text import read_scenarios
from schema_store.evolution import EvolutionMode
from tests.replay.stories import scenario_file

if TYPE_CHECKING:
    from pathlib import Path


def step(tmp_path: Path, text: str) -> Step:
    """Read the only step of a scenario."""
    (scenario,) = read_scenarios(scenario_file(tmp_path, f"steps:\n  - {text}\n"))
    return scenario.steps[0]


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("land: {a.csv: hi}", Land((LandedFile("a.csv", Text("hi")),))),
        ("append: {a.csv: hi}", Append((LandedFile("a.csv", Text("hi")),))),
        ("touch: a.csv", Touch("a.csv", None)),
        (
            "touch: {a.csv: 2026-01-02T00:00:00Z}",
            Touch("a.csv", dt.datetime(2026, 1, 2, tzinfo=dt.UTC)),
        ),
        ("rename: {a.csv: b.csv}", Rename("a.csv", "b.csv")),
        ("delete: [a.csv, b.csv]", Delete(("a.csv", "b.csv"))),
        ("options: {sep: ';'}", SetOptions({"sep": ";"})),
        ("mode: RESCUE", SetMode(EvolutionMode.RESCUE)),
        ("schema: id INT", SetSchema("id INT")),
        ("schema: null", SetSchema(None)),
        ("start_over", StartOver()),
    ],
)
def test_a_step_has_the_change(tmp_path: Path, text: str, change: object) -> None:
    assert step(tmp_path, text).changes == (change,)


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("land: {a.csv: hi}", True),
        ("{land: {a.csv: hi}, run: false}", False),
        ("restart", True),
        ("run: true", True),
        ("expect: {version: 0}", False),
    ],
)
def test_a_step_with_changes_runs_the_stream(tmp_path: Path, text: str, *, runs: bool) -> None:
    assert step(tmp_path, text).runs is runs


def test_an_expectation_without_a_stop_means_that_there_is_none(tmp_path: Path) -> None:
    checks = step(tmp_path, "expect: {version: 0}").checks_in(None)
    assert checks == (ExpectStop(None), ExpectNumber("version", 0))


def test_rows_may_be_a_number(tmp_path: Path) -> None:
    checks = step(tmp_path, "expect: {rows: 3, stop: X}").checks_in(None)
    assert checks == (ExpectNumber("count", 3), ExpectStop("X"))


def test_expectations_may_be_those_of_a_mode(tmp_path: Path) -> None:
    one = step(tmp_path, "expect: {rescue: {rows: [[1]]}, none: {rows: []}}")
    assert one.checks_in(EvolutionMode.RESCUE) == (ExpectStop(None), ExpectRows(([1],)))
    assert one.checks_in(EvolutionMode.ADD_NEW_COLUMNS) == ()


def test_several_documents_are_several_scenarios(tmp_path: Path) -> None:
    text = "name: one\nmode: all\nsteps: [restart]\n---\nname: two\nsteps: []\n"
    one, two = read_scenarios(scenario_file(tmp_path, text))
    assert (one.name, one.modes, two.name, two.modes) == ("one", tuple(EvolutionMode), "two", ())


@pytest.mark.parametrize(
    ("text", "where", "found", "remedy"),
    [
        ("lnad: 1", "step 1, lnad", "no such key: lnad", "Did you mean land?"),
        ("land: 9", "step 1, land", "no such file or folder", "Correct it"),
        ("expect: {row: 3}", "step 1, expect.row", "no such key: row", "Did you mean rows?"),
        ("expect: {rows: [3]}", "step 1, expect.rows.0", "3, a number", "Write [1, Ann]"),
        ("expect: {schema: id}", "step 1, expect.schema", "id", "schema: id INT"),
        ("expect: {version: -1}", "step 1, expect.version", "-1, a number", "e.g. 3"),
        ("mode: best", "step 1, mode", "no such mode: best", "Correct the mode."),
        ("rename: a.csv", "step 1, rename", "'a.csv', a text", "rename: {a.csv: b.csv}"),
        ("touch: {a.csv: soon}", "step 1, touch.a.csv", "'soon', a text", "2026-01-01"),
        ("delete: true", "step 1, delete.0", "True, true or false", "delete: a.csv"),
        ("land: {a.csv: {file: 9}}", "step 1, land.a.csv.file", "no such file", "Correct it"),
        ("land: {a.csv: {}}", "step 1, land.a.csv", "{}, a mapping", "file: 1/a.csv"),
        ("{land: {}, land: {}}", "scenario.yaml", "'land' is there twice", "Correct the file."),
        ("[", "scenario.yaml", "expected", "Correct the file."),
    ],
)
def test_what_is_wrong_is_told(
    tmp_path: Path, text: str, where: str, found: str, remedy: str
) -> None:
    with pytest.raises(ScenarioError) as caught:
        step(tmp_path, text)
    assert caught.value.where.endswith(where)
    assert found in caught.value.found
    assert remedy in caught.value.remedy
    assert caught.value.file == str(tmp_path / "scenario.yaml")


@pytest.mark.parametrize("text", ["", "name: x", "just text", "steps: 3"])
def test_a_file_that_is_no_scenario_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ScenarioError):
        read_scenarios(scenario_file(tmp_path, text))

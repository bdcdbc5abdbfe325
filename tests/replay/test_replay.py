"""Scenarios are played: changes, runs, checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ingest.errors import ScenarioError
from ingest.replay.replay import modes_of, play
from ingest.replay.scenario_text import read_scenarios
from tests.replay.stories import SAMPLES, played, scenario_file

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.replay.scenario import Scenario
    from schema_store.evolution import EvolutionMode

HEAD = "options: {cloudFiles.format: csv, cloudFiles.inferColumnTypes: true}\n"


def samples() -> list[tuple[Scenario, EvolutionMode | None]]:
    """Give every scenario of the samples in each of its modes."""
    return [
        (scenario, mode)
        for file in sorted(SAMPLES.glob("*/scenario.yaml"))
        for scenario in read_scenarios(file)
        for mode in modes_of(scenario)
    ]


@pytest.mark.parametrize(
    ("scenario", "mode"),
    [
        pytest.param(one, mode, id=f"{one.file.parent.name}-{one.name}-{mode and mode.value}")
        for one, mode in samples()
    ],
)
def test_every_sample_is_as_it_says(
    scenario: Scenario, mode: EvolutionMode | None, tmp_path: Path
) -> None:
    steps = list(play(scenario, mode, tmp_path / "play"))
    assert [failure for step in steps for failure in step.failures] == []
    assert sum(step.checked for step in steps) > 0


def failures(tmp_path: Path, steps: str) -> list[tuple[str, str, str]]:
    """Play steps and give what did not come true."""
    outcomes = played(scenario_file(tmp_path, f"{HEAD}steps:\n{steps}"), tmp_path / "play")
    return [(one.key, one.expected, one.actual) for step in outcomes for one in step.failures]


def test_changes_of_files_are_made(tmp_path: Path) -> None:
    steps = """
  - land: {a.csv: "id\\n1\\n", b.csv: "id\\n2\\n"}
    expect: {rows: [[1, null], [2, null]], files: [a.csv, b.csv]}
  - options: {cloudFiles.allowOverwrites: true}
    append: {a.csv: "3\\n"}
    expect: {landed: 2, rows: 4}
  - overwrite: {b.csv: "id\\n9\\n"}
    expect: {files: [b.csv], rows: 5}
  - touch: a.csv
    expect: {files: [a.csv]}
  - rename: {a.csv: c.csv}
    delete: b.csv
    land: {d.csv: "id\\n7\\n"}
    expect: {files: [c.csv, d.csv]}
  - start_over
  - restart: true
    expect: {rows: [[1, null], [3, null], [7, null]], version: 0}
"""
    assert failures(tmp_path, steps) == []


def test_differences_are_told(tmp_path: Path) -> None:
    steps = """
  - land: {a.csv: "id\\n1\\n"}
    expect: {rows: [[2, null]], version: 1, schema: id BIGINT, files: [b.csv], ledger: []}
"""
    assert failures(tmp_path, steps) == [
        ("rows", "1 rows", "1 rows"),
        ("version", "1", "0"),
        ("schema", "id BIGINT", "id INT, _rescued_data STRING"),
        ("files", "b.csv", "a.csv"),
    ]


def test_an_unexpected_stop_names_file_column_types_and_remedy(tmp_path: Path) -> None:
    steps = """
  - land: {a.csv: "id\\n1\\n"}
  - mode: addNewColumnsWithTypeWidening
    land: {b.csv: "id\\n5000000000\\n"}
    expect: {version: 0}
"""
    outcomes = played(scenario_file(tmp_path, f"{HEAD}steps:\n{steps}"), tmp_path / "play")
    stop, version = outcomes[-1].failures
    assert (stop.expected, version.actual) == ("none", "1")
    assert stop.actual == "UNKNOWN_FIELD_EXCEPTION.NEW_TYPE_FOR_FIELDS_IN_FILE"
    assert stop.lines[0] == "b.csv: id INT -> BIGINT (value 5000000000)"
    assert "start the stream again" in stop.lines[1]


def test_a_stop_that_does_not_come_is_told(tmp_path: Path) -> None:
    steps = """
  - land: {a.csv: "id\\n1\\n"}
    expect: {stop: NEW_FIELDS_IN_FILE, new: [age INT], message: age}
"""
    assert failures(tmp_path, steps) == [
        ("stop", "NEW_FIELDS_IN_FILE", "no stop"),
        ("new", "age INT", "none"),
        ("message", "age", "no stop"),
    ]


def test_an_error_can_be_expected(tmp_path: Path) -> None:
    steps = """
  - restart: true
    expect: {error: EmptyDirError}
  - expect: {error: CF_EMPTY_DIR_FOR_SCHEMA_INFERENCE, message: [CF_EMPTY_DIR]}
  - expect: {error: ReadError}
"""
    assert failures(tmp_path, steps) == [
        ("error", "ReadError", "CF_EMPTY_DIR_FOR_SCHEMA_INFERENCE")
    ]


def test_restarts_can_be_forbidden(tmp_path: Path) -> None:
    steps = """
  - land: {a.csv: "id\\n1\\n"}
  - land: {b.csv: "id,age\\n1,2\\n"}
    restarts: 0
    expect: {stops: 1, rows: 1}
  - restart: true
    expect: {stop: null, rows: [{id: 1, age: null}, {id: 1, age: 2}]}
"""
    assert failures(tmp_path, steps) == []


def test_times_are_compared_as_times(tmp_path: Path) -> None:
    steps = """
  - land: {a.csv: "t\\n2026-01-05T10:00:00.500Z\\n"}
    expect: {rows: [{t: "2026-01-05T11:00:00.5+01:00"}]}
  - expect: {rows: [{t: 2026-01-05 10:00:00.5}]}
"""
    assert failures(tmp_path, steps) == []


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("delete: b.csv", "no file b.csv in the landing folder"),
        ("overwrite: {b.csv: x}", "no file b.csv in the landing folder"),
        ("land: {../b.csv: x}", "../b.csv is outside the landing folder"),
    ],
)
def test_a_step_that_cannot_be_done_is_told(tmp_path: Path, change: str, found: str) -> None:
    file = scenario_file(tmp_path, f"{HEAD}steps: [{{land: {{a.csv: x}}}}, {{{change}}}]\n")
    with pytest.raises(ScenarioError) as caught:
        played(file, tmp_path / "play")
    assert (caught.value.step, caught.value.found) == (2, found)

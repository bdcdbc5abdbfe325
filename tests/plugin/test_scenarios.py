from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plugin.conftest import FLAGS

if TYPE_CHECKING:
    from pathlib import Path

pytest_plugins = ["pytester"]

SCENARIO = """\
# kept as it is
name: a new column
options: {cloudFiles.format: csv, cloudFiles.inferColumnTypes: true}
mode: [rescue, addNewColumns]
steps:
  - land: {p-1.csv: "id,name\\n1,Ann\\n"}
    expect: {rows: [[1, ANN, null]], version: 0}   # and this, too
  - land: {p-2.csv: "id,name,age\\n2,Bob,25\\n"}
    expect:
      rescue:
        # by name
        rows:
          - {id: 1, name: Ann}
        rescued: 1
      addNewColumns:
        version: 1
"""
UPDATED = """\
# kept as it is
name: a new column
options: {cloudFiles.format: csv, cloudFiles.inferColumnTypes: true}
mode: [rescue, addNewColumns]
steps:
  - land: {p-1.csv: "id,name\\n1,Ann\\n"}
    expect: {rows: [[1, Ann, null]], version: 0}   # and this, too
  - land: {p-2.csv: "id,name,age\\n2,Bob,25\\n"}
    expect:
      rescue:
        # by name
        rows:
          [{id: 1, name: Ann},
           {id: 2, name: Bob}]
        rescued: 1
      addNewColumns:
        stop: NEW_FIELDS_IN_FILE
        version: 1
"""


@pytest.fixture
def scenario(pytester: pytest.Pytester) -> Path:
    file = pytester.path / "scenario.yaml"
    file.write_text(SCENARIO)
    return file


def test_each_scenario_and_mode_is_a_test(pytester: pytest.Pytester, scenario: Path) -> None:
    del scenario

    result = pytester.runpytest_inprocess(*FLAGS, "--co", "-q")

    result.stdout.fnmatch_lines(
        [
            "scenario.yaml::a new column?rescue?",
            "scenario.yaml::a new column?addNewColumns?",
        ]
    )


def test_a_step_that_is_not_as_expected_is_told(pytester: pytest.Pytester, scenario: Path) -> None:
    del scenario

    result = pytester.runpytest_inprocess(*FLAGS)

    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        [
            "step 1 is not as expected:",
            '*missing     id=1 name="ANN"*',
            "run 1: p-1.csv landed (1 row, schema version 0)",
            "what to do: correct the files or options; if this is right: pytest --ingest-update",
        ]
    )


def test_expectations_are_written_anew_and_the_rest_stays(
    pytester: pytest.Pytester, scenario: Path
) -> None:
    pytester.runpytest_inprocess(*FLAGS, "--ingest-update").assert_outcomes(passed=2)

    assert scenario.read_text() == UPDATED
    pytester.runpytest_inprocess(*FLAGS).assert_outcomes(passed=2)


def test_a_scenario_that_cannot_be_understood_is_a_collection_error(
    pytester: pytest.Pytester,
) -> None:
    pytester.makefile(".yaml", scenario="steps: [{lnd: 1}]")

    result = pytester.runpytest_inprocess(*FLAGS)

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*scenario.yaml, step 1, lnd: no such key: lnd*Did you mean land?"]
    )


def test_scenarios_can_be_left_alone(pytester: pytest.Pytester, scenario: Path) -> None:
    del scenario
    pytester.makeini("[pytest]\ningest_scenarios = false\n")

    assert pytester.runpytest_inprocess(*FLAGS).ret is pytest.ExitCode.NO_TESTS_COLLECTED

"""The modes side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ingest.cli.compare_text import View, compare_lines
from ingest.replay.compare import ModeResult, all_columns, differing_rows, mode_result
from ingest.replay.folders import find_steps, folder_scenario
from ingest.replay.replay import play
from schema_store.evolution import EvolutionMode
from tests.replay.stories import TYPED, people, write

if TYPE_CHECKING:
    from pathlib import Path


def compared(folder: Path, root: Path) -> list[ModeResult]:
    """Play a folder in all modes."""
    found = find_steps(folder, None, files_per_step=1)
    scenario = folder_scenario(folder, found, dict(TYPED))
    return [
        mode_result(mode, list(play(scenario, mode, root / mode.value)), rescued="_rescued_data")
        for mode in EvolutionMode
    ]


@pytest.fixture
def results(tmp_path: Path) -> list[ModeResult]:
    return compared(people(tmp_path / "files"), tmp_path)


def test_the_documented_table_comes_out(results: list[ModeResult]) -> None:
    """Docs, type widening: the schema of each mode, and the row of the file with a new column."""
    schemas = {result.mode: " ".join(map(" ".join, result.types.items())) for result in results}
    assert schemas == {
        EvolutionMode.ADD_NEW_COLUMNS: "id INT name STRING age INT _rescued_data STRING",
        EvolutionMode.RESCUE: "id INT name STRING _rescued_data STRING",
        EvolutionMode.FAIL_ON_NEW_COLUMNS: "id INT name STRING _rescued_data STRING",
        EvolutionMode.NONE: "id INT name STRING",
        EvolutionMode.ADD_NEW_COLUMNS_WITH_TYPE_WIDENING: (
            "id BIGINT name STRING age INT _rescued_data STRING"
        ),
    }
    assert [result.restarts for result in results] == [1, 0, 0, 0, 1]
    assert [result.waiting for result in results] == [(), (), ("people-2.csv",), (), ()]
    assert [len(result.ledger) for result in results] == [0, 0, 0, 2, 0]


def test_rows_that_are_everywhere_are_counted_the_others_given(results: list[ModeResult]) -> None:
    found = differing_rows(results)
    assert found is not None
    assert found.same == 2
    rescued = {"age": "25", "id": "2147483648", "_file_path": "people-2.csv"}
    assert found.others[1] == ({"id": None, "name": "Bob", "_rescued_data": rescued},)
    assert found.others[2] == ()


def test_columns_are_those_of_all_modes(results: list[ModeResult]) -> None:
    assert all_columns(results) == ("id", "name", "age", "_rescued_data")


def test_differences_are_marked(results: list[ModeResult]) -> None:
    lines = [line.split("  ")[0] for line in compare_lines(results, View(80))]
    assert {"id *", "name", "age *", "_rescued_data *", "rows *"} <= set(lines)


def test_the_text_fits_and_can_be_had_in_full(results: list[ModeResult]) -> None:
    assert max(map(len, compare_lines(results, View(80)))) <= 80
    full = "\n".join(compare_lines(results, View(None)))
    assert "id=2147483648 name=Bob age=25" in full
    assert "…" not in full


def test_nested_types_that_differ_are_told_in_full(tmp_path: Path) -> None:
    for number, text in ((1, '{"s":{"a":1}}'), (2, '{"s":{"a":1,"quite_a_long_name":2}}')):
        (tmp_path / "files" / str(number)).mkdir(parents=True)
        (tmp_path / "files" / str(number) / f"{number}.json").write_text(text)
    found = find_steps(tmp_path / "files", None, files_per_step=1)
    options: dict[str, object] = {**TYPED, "cloudFiles.format": "json"}
    scenario = folder_scenario(tmp_path / "files", found, options)
    modes = (EvolutionMode.ADD_NEW_COLUMNS, EvolutionMode.RESCUE)
    results = [
        mode_result(
            mode, list(play(scenario, mode, tmp_path / mode.value)), rescued="_rescued_data"
        )
        for mode in modes
    ]
    lines = list(compare_lines(results, View(60)))
    assert max(map(len, lines)) <= 60
    assert "    s  STRUCT<a: BIGINT, quite_a_long_name: BIGINT>" in lines
    assert "    s  STRUCT<a: BIGINT>" in lines


def test_what_fails_in_all_modes_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "files" / "1").mkdir(parents=True)
    (tmp_path / "files" / "1" / "a.csv").write_bytes(b"\xff\xfei\x00d\x00\n\x00")
    lines = list(compare_lines(compared(tmp_path / "files", tmp_path), View(80)))
    assert lines[:4] == ["nothing landed in any mode", "", "stops", "  all modes"]
    assert lines[4].startswith("    step 1: a.csv: UTF-16 text")
    assert str(tmp_path) not in "\n".join(lines)


def test_it_is_said_when_the_modes_agree(tmp_path: Path) -> None:
    results = compared(write(tmp_path / "files", a="id\n1\n", b="id\n2\n"), tmp_path)
    told = "The modes agree: nothing arrived that they treat differently."
    assert told in list(compare_lines(results, View(80)))

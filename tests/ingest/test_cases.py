"""Real-world cases: each asserts the case's own "Right" line, kept beside its input files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ingest.case_runner import load_scenarios, play

CASES = Path(__file__).parent.parent / "cases"


@pytest.mark.parametrize(
    ("case", "scenario"),
    [
        pytest.param(case, scenario, id=f"{case.name}-{scenario['name']}")
        for case, scenario in load_scenarios(CASES, "case.json")
    ],
)
def test_case_is_right(case: Path, scenario: dict[str, Any], tmp_path: Path) -> None:
    play(case / "inputs", scenario, tmp_path)

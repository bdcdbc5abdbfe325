"""Every bundled sample tells the truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ingest.case_runner import load_scenarios, play

SAMPLES = Path(__file__).parent.parent.parent / "samples"


@pytest.mark.parametrize(
    ("story", "scenario"),
    [
        pytest.param(story, scenario, id=f"{story.name}-{scenario['name']}")
        for story, scenario in load_scenarios(SAMPLES, "story.json")
    ],
)
def test_sample_ends_as_it_says(story: Path, scenario: dict[str, Any], tmp_path: Path) -> None:
    play(story, scenario, tmp_path)

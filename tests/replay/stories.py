"""What the tests of replays have in common: a landing folder with a story, and its scenario."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ingest.replay.replay import modes_of, play
from ingest.replay.scenario_text import read_scenarios
from ingest.replay.trial import Trial, TrialSettings

if TYPE_CHECKING:
    from ingest.replay.replay import StepOutcome
    from schema_store.evolution import EvolutionMode

SAMPLES = Path(__file__).parent.parent.parent / "samples"
TYPED = {"cloudFiles.format": "csv", "cloudFiles.inferColumnTypes": "true"}
PEOPLE_1 = "id,name\n1,John\n2,Mary\n"
PEOPLE_2 = "id,name,age\n2147483648,Bob,25\n"


def trial(root: Path, mode: EvolutionMode | None = None) -> Trial:
    """Give a trial over an empty landing folder."""
    (root / "landing").mkdir(exist_ok=True)
    return Trial(root / "landing", root / "state", TrialSettings(TYPED, mode))


def write(folder: Path, **files: str) -> Path:
    """Write files `<name>.csv`; `/` in a name is written `__`."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def people(folder: Path) -> Path:
    """Write the documented story, in two steps."""
    return write(folder, **{"1__people-1": PEOPLE_1, "2__people-2": PEOPLE_2})


def scenario_file(folder: Path, text: str) -> Path:
    """Write a scenario."""
    file = folder / "scenario.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def played(file: Path, root: Path) -> list[StepOutcome]:
    """Play the first scenario of a file in its first mode."""
    scenario = read_scenarios(file)[0]
    return list(play(scenario, modes_of(scenario)[0], root))

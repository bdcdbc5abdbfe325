"""`scenario.yaml` files as tests: one for each scenario and mode."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ingest.errors import IngestError
from ingest.replay.replay import modes_of, play
from ingest.replay.scenario_text import read_scenarios
from ingest.testing.scenario_story import failure_lines, scenario_story
from ingest.testing.scenario_update import update_step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.replay.outcome import Outcome
    from ingest.replay.replay import StepOutcome
    from schema_store.evolution import EvolutionMode

UPDATE = "--ingest-update"


class ScenarioFile(pytest.File):
    """A file of scenarios."""

    def collect(self) -> Iterator[pytest.Item]:
        """Give a test for each scenario and mode; a file that is wrong is a collection error."""
        try:
            scenarios = read_scenarios(self.path)
        except IngestError as error:
            raise self.CollectError(str(error)) from error
        for number, scenario in enumerate(scenarios):
            for mode in modes_of(scenario):
                name = scenario.name if mode is None else f"{scenario.name}[{mode.value}]"
                yield ScenarioItem.from_parent(self, name=name, number=number, mode=mode)


class ScenarioItem(pytest.Item):
    """One scenario in one mode."""

    def __init__(self, *, number: int, mode: EvolutionMode | None, **given: Any) -> None:  # noqa: ANN401 - pytest's
        super().__init__(**given)
        self.number = number
        self.mode = mode

    def runtest(self) -> None:
        """Play it; raises `ScenarioFailedError` at the first step that is not as expected.

        With `--ingest-update` a step's expectations are written anew first.
        """
        if self.config.getoption(UPDATE):
            self._play(is_updating=True)
        self._play(is_updating=False)

    def _play(self, *, is_updating: bool) -> None:
        scenario = read_scenarios(self.path)[self.number]
        ran: tuple[Outcome, ...] = ()
        last: tuple[Outcome, ...] = ()
        with tempfile.TemporaryDirectory(prefix="ingest-") as root:
            for step in play(scenario, self.mode, Path(root)):
                ran, last = (*ran, *step.outcomes), step.outcomes or last
                if step.failures and is_updating:
                    update_step(self.path, self.number, step, last)
                elif step.failures:
                    story = (*failure_lines(step, ran), *scenario_story(step, ran))
                    raise ScenarioFailedError(step, story)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ANN401 - pytest's
        """Tell what is not as expected; a step that cannot be done by its message alone."""
        if isinstance(excinfo.value, (ScenarioFailedError, IngestError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Name the scenario as pytest shows it."""
        return self.path, None, f"scenario: {self.name}"


class ScenarioFailedError(Exception):
    """A step is not as expected."""

    def __init__(self, step: StepOutcome, story: tuple[str, ...]) -> None:
        self.step = step
        name = "" if step.step.name is None else f" ({step.step.name})"
        hint = f"what to do: correct the files or options; if this is right: pytest {UPDATE}"
        head = f"step {step.step.number}{name} is not as expected:"
        super().__init__("\n".join([head, *story, hint]))

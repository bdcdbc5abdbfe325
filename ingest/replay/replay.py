"""Play a scenario: make the changes of a step, run the stream until it is stable, look at it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ingest.replay.checking import Failure, Result, check_result
from ingest.replay.landing_changes import ScratchLanding
from ingest.replay.plain import RESCUED
from ingest.replay.scenario import (
    Change,
    Check,
    Scenario,
    SetMode,
    SetOptions,
    SetSchema,
    StartOver,
    Step,
)
from ingest.replay.trial import Trial, TrialSettings, TrialSink
from ingest.session import utc_now

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from ingest.progress import Reading
    from ingest.replay.outcome import Outcome
    from schema_store.evolution import EvolutionMode


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """What a step has done.

    * `changes`: what was done to the landing folder and the options, in lines.
    * `outcomes`: its starts: one, and one more after each stop that a restart goes on from. Empty
      for a step that does not run the stream.
    * `failures`: expectations that did not come true; `checked` tells how many there were.
    * `trial`: the stream, for its table and its schema history.
    """

    step: Step
    mode: EvolutionMode | None
    changes: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    failures: tuple[Failure, ...]
    checked: int
    trial: Trial
    seconds: float


@dataclass(frozen=True, slots=True)
class Playing:
    """How to play: the sink, the clock, and who is shown the counts of a running batch."""

    sink: TrialSink = TrialSink.DELTA
    now: Callable[[], dt.datetime] = utc_now
    watch: Callable[[Reading], None] = lambda _reading: None


@dataclass(slots=True)
class _Stage:
    """A scenario on its way in one mode: settings, landing folder, the state's number."""

    root: Path
    landing: ScratchLanding
    settings: TrialSettings
    playing: Playing
    state: int = 0
    outcomes: tuple[Outcome, ...] = field(default=())

    @property
    def trial(self) -> Trial:
        return Trial(
            self.landing.folder,
            self.root / f"state{self.state}",
            self.settings,
            self.playing.now,
            self.playing.watch,
        )

    def change(self, change: Change) -> str:
        match change:
            case SetOptions(options):
                reader = {**self.settings.reader, **options}
                kept = {name: value for name, value in reader.items() if value is not None}
                self.settings = replace(self.settings, reader=kept)
                return f"options {', '.join(f'{k}={v}' for k, v in options.items())}"
            case SetMode(mode):
                self.settings = replace(self.settings, mode=mode)
                return f"mode {mode.value}"
            case SetSchema(ddl):
                self.settings = replace(self.settings, schema=ddl)
                return f"schema {ddl or '(inferred)'}"
            case StartOver():
                self.state += 1
                return "state and table are empty again"
            case _:
                return self.landing.change(change)


def play(
    scenario: Scenario, mode: EvolutionMode | None, root: Path, playing: Playing | None = None
) -> Iterator[StepOutcome]:
    """Play a scenario in one mode in an empty folder; None leaves the mode to the options.

    Raises `ScenarioError` for a step that cannot be done.
    """
    folder = root / "landing"
    folder.mkdir(parents=True)
    how = playing or Playing()
    settings = TrialSettings(
        scenario.options,
        mode,
        scenario.schema,
        scenario.conf,
        scenario.writer,
        how.sink,
        scenario.path,
    )
    stage = _Stage(root, ScratchLanding(folder, scenario.file), settings, how)
    for step in scenario.steps:
        if step.is_for(mode):
            yield _play_step(stage, step, mode, scenario.restarts)


def modes_of(scenario: Scenario) -> tuple[EvolutionMode | None, ...]:
    """Give the modes that a scenario is played in; None where its options decide."""
    return scenario.modes or (None,)


def _play_step(stage: _Stage, step: Step, mode: EvolutionMode | None, restarts: int) -> StepOutcome:
    started = time.perf_counter()
    stage.landing.step = step.number
    changes = tuple(stage.change(change) for change in step.changes)
    ran: tuple[Outcome, ...] = ()
    if step.runs:
        most = restarts if step.restarts is None else step.restarts
        ran = stage.outcomes = stage.trial.run_until_stable(max_restarts=most)
    checks = step.checks_in(mode)
    failures = _failures(stage, checks)
    seconds = time.perf_counter() - started
    return StepOutcome(step, mode, changes, ran, failures, len(checks), stage.trial, seconds)


def _failures(stage: _Stage, checks: tuple[Check, ...]) -> tuple[Failure, ...]:
    if not checks:
        return ()
    if not stage.outcomes:
        return (Failure("expect", "a run before it", "no run", ("Add `run: true`.",)),)
    result = Result(stage.outcomes, stage.trial.table(), rescued_name(stage.settings.reader))
    return check_result(checks, result)


def rescued_name(options: Mapping[str, object]) -> str:
    """Give the name of the rescued column, by the reader's options."""
    given = {key.lower(): value for key, value in options.items()}
    name = given.get("rescueddatacolumn", given.get("cloudfiles.rescueddatacolumn"))
    return str(name or RESCUED)

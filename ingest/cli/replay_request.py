"""What `ingest replay` and `ingest compare` were asked to do, from their arguments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingest.errors import NothingToReplayError
from ingest.replay.folders import Arrival, find_steps, folder_scenario, guess_format
from ingest.replay.scenario_text import FILE_NAME, read_scenarios
from ingest.replay.trial import TrialSink
from schema_store.evolution import EvolutionMode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.replay.scenario import Scenario

ALL_MODES = "all"


@dataclass(frozen=True, slots=True)
class ReplayRequest:
    """What to play and how to tell it. `compares`: the modes side by side, nothing is checked."""

    source: Path
    scenarios: tuple[Scenario, ...]
    compares: bool
    sink: TrialSink
    full: bool
    as_json: bool
    junit: Path | None


def replay_request(given: Mapping[str, Any], *, compares: bool) -> ReplayRequest:
    """Understand the arguments and read the scenario.

    Raises an `OptionError` for a source that nothing can be made of.
    """
    mode = given.get("mode")
    compares = compares or (mode is not None and mode.lower() == ALL_MODES)
    source = Path(given["source"])
    scenarios = tuple(_with_flags(one, given) for one in _scenarios(source, given))
    if compares:
        scenarios = tuple(_compared(scenario) for scenario in scenarios)
    elif mode is not None:
        modes = (EvolutionMode.from_text(mode),)
        scenarios = tuple(replace(scenario, modes=modes) for scenario in scenarios)
    return ReplayRequest(
        source=source,
        scenarios=scenarios,
        compares=compares,
        sink=TrialSink(given["sink"]),
        full=given["full"],
        as_json=given["as_json"],
        junit=None if given["junit"] is None else Path(given["junit"]),
    )


def _scenarios(source: Path, given: Mapping[str, Any]) -> tuple[Scenario, ...]:
    told = source / FILE_NAME
    if source.is_file() and source.suffix in {".yaml", ".yml"}:
        return read_scenarios(source)
    if told.is_file() and given["arrival"] is None:
        return read_scenarios(told)
    if not source.is_dir():
        raise NothingToReplayError(
            str(source),
            found="neither a folder nor a scenario" if source.exists() else "it is not there",
            expected="a folder of files, or a scenario.yaml",
            remedy="Give the folder that the files are in.",
        )
    arrival = None if given["arrival"] is None else Arrival(given["arrival"])
    found = find_steps(source, arrival, files_per_step=given["files_per_step"])
    named = given["format_name"] or _named_format(given["options"])
    options = {"cloudFiles.format": named or guess_format(source, found)}
    return (folder_scenario(source, found, dict(options)),)


def _named_format(options: Mapping[str, str]) -> str | None:
    return next((v for k, v in options.items() if k.lower() == "cloudfiles.format"), None)


def _with_flags(scenario: Scenario, given: Mapping[str, Any]) -> Scenario:
    """Lay the flags over what the scenario says."""
    flags = {
        "cloudFiles.format": given["format_name"],
        "cloudFiles.schemaHints": given["hints"],
        "cloudFiles.inferColumnTypes": "true" if given["infer_types"] else None,
    }
    told = {key: value for key, value in flags.items() if value is not None}
    options = _over(_over(scenario.options, told), given["options"])
    restarts = given["restarts"]
    return replace(
        scenario,
        options=options,
        schema=given["schema"] or scenario.schema,
        conf={**scenario.conf, **given["conf"]},
        restarts=scenario.restarts if restarts is None else restarts,
    )


def _over(options: Mapping[str, object], given: Mapping[str, object]) -> dict[str, object]:
    """Lay options over others; names are not case-sensitive."""
    names = {key.lower() for key in given}
    return {**{k: v for k, v in options.items() if k.lower() not in names}, **given}


def _compared(scenario: Scenario) -> Scenario:
    """Take a scenario in all modes, without its expectations: they are those of one mode."""
    steps = tuple(replace(step, checks={}) for step in scenario.steps)
    return replace(scenario, modes=tuple(EvolutionMode), steps=steps)

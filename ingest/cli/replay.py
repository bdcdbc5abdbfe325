"""`ingest replay` and `ingest compare`: play scenarios in scratch folders and tell the result."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import orjson

from ingest.cli.compare_text import View, compare_lines
from ingest.cli.cutting import terminal_width
from ingest.cli.exit_codes import ExitCode, describe, exit_code
from ingest.cli.replay_json import replay_to_json
from ingest.cli.replay_progress import StepDisplay, step_bar, step_lines, step_silence
from ingest.cli.replay_request import ReplayRequest, replay_request
from ingest.cli.replay_text import StepText, ending_lines, opening_lines
from ingest.cli.watching import watch_changes
from ingest.errors import UnknownFieldException
from ingest.replay.compare import ModeResult, mode_result
from ingest.replay.junit import junit_report
from ingest.replay.replay import Playing, modes_of, play, rescued_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from ingest.replay.scenario import Scenario
    from schema_store.evolution import EvolutionMode

_NO_FAILURE = (UnknownFieldException, type(None))


@dataclass(frozen=True, slots=True)
class Played:
    """A scenario and what each of its modes made of it."""

    scenario: Scenario
    results: tuple[ModeResult, ...]


def replay_command(given: Mapping[str, Any]) -> ExitCode:
    """Replay step by step, once or whenever something changes."""
    return _command(given, compares=False)


def compare_command(given: Mapping[str, Any]) -> ExitCode:
    """Compare the five modes, once or whenever something changes."""
    return _command(given, compares=True)


def _command(given: Mapping[str, Any], *, compares: bool) -> ExitCode:
    if not given["watch"]:
        return _once(replay_request(given, compares=compares))

    def again() -> None:
        if sys.stdout.isatty():
            click.clear()
        try:
            _once(replay_request(given, compares=compares))
        except Exception as error:  # noqa: BLE001 - told, and watched on until it is put right
            click.echo(f"error: {describe(error)}", err=True)

    report = given["junit"]
    watch_changes(Path(given["source"]), again, ours=None if report is None else Path(report))
    return ExitCode.DONE


def _once(request: ReplayRequest) -> ExitCode:
    played = tuple(_play_scenario(scenario, request) for scenario in request.scenarios)
    results = [result for one in played for result in one.results]
    code = _code(results, compares=request.compares)
    if request.as_json:
        document = replay_to_json(request, [(one.scenario, one.results) for one in played], code)
        click.echo(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode())
    if request.junit is not None:
        report = junit_report([(one.scenario, one.results) for one in played])
        request.junit.write_text(report, encoding="utf-8")
    return code


def _play_scenario(scenario: Scenario, request: ReplayRequest) -> Played:
    view = View(None if request.full else terminal_width())
    if not request.as_json:
        _echo(opening_lines(scenario, view))
    with _display(request) as display:
        results = [_play_mode(scenario, mode, request, display) for mode in modes_of(scenario)]
    if request.compares and not request.as_json:
        _echo(compare_lines(results, view))
    return Played(scenario, tuple(results))


def _play_mode(
    scenario: Scenario, mode: EvolutionMode | None, request: ReplayRequest, display: StepDisplay
) -> ModeResult:
    """Play one mode and tell its steps as they come, unless the modes are compared."""
    text = StepText(View(None if request.full else terminal_width()), len(scenario.steps))
    tells = not (request.compares or request.as_json)
    steps = []
    total = sum(step.is_for(mode) for step in scenario.steps)
    display.begin(None if mode is None else mode.value, total)
    with tempfile.TemporaryDirectory(prefix="ingest-replay-") as root:
        playing = Playing(request.sink, watch=display.reading)
        if tells:
            display.tell(text.mode_lines(mode))
        try:
            for outcome in play(scenario, mode, Path(root), playing):
                steps.append(outcome)
                if tells:
                    display.tell(text.take(outcome))
                display.stepped(outcome)
        except KeyboardInterrupt:
            display.tell(text.flush())
            raise
        result = mode_result(mode, steps, rescued=rescued_name(scenario.options))
        if tells:
            display.tell([*text.flush(), *ending_lines(result, text.view)])
    return result


def _code(results: Sequence[ModeResult], *, compares: bool) -> ExitCode:
    """Choose the exit code: a failed expectation, a failed stream, or done.

    A stop for new fields is no failure; a comparison fails if every mode does.
    """
    if any(result.failures for result in results):
        return ExitCode.UNEXPECTED
    if any(step.checked for result in results for step in result.steps):
        return ExitCode.DONE
    failed = [one.error for one in results if not isinstance(one.error, _NO_FAILURE)]
    if not failed or (compares and len(failed) < len(results)):
        return ExitCode.DONE
    return exit_code(failed[0])


def _display(request: ReplayRequest) -> AbstractContextManager[StepDisplay]:
    if request.as_json:
        return step_silence()
    return step_bar() if sys.stderr.isatty() else step_lines()


def _echo(texts: Iterable[str]) -> None:
    for text in texts:
        click.echo(text)

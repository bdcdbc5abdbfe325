"""`ingest replay` as text: what each step has done; uneventful steps in a row are one line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.cli.cutting import cut, fold
from ingest.cli.display import counted
from ingest.cli.loss_text import loss_lines
from ingest.cli.replay_rows import result_row_text
from ingest.replay.compare import total
from ingest.replay.stop_text import stop_lines
from schema_store.ddl import to_ddl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.cli.compare_text import View
    from ingest.replay.checking import Failure
    from ingest.replay.compare import ModeResult
    from ingest.replay.outcome import Outcome
    from ingest.replay.replay import StepOutcome
    from ingest.replay.scenario import Scenario
    from schema_store.evolution import EvolutionMode

MANY_STEPS = 20
"""Steps from which on uneventful ones are told together."""

_SHOWN_ROWS = 10
_NAMED = 4
_LABEL = 9


@dataclass(slots=True)
class StepText:
    """Tells the steps of one mode as they come; holds back the uneventful ones of a long replay."""

    view: View
    steps: int
    _held: list[StepOutcome] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)

    def mode_lines(self, mode: EvolutionMode | None) -> list[str]:
        """Give the head of a mode."""
        return [] if mode is None else [f"mode {mode.value}"]

    def take(self, step: StepOutcome) -> list[str]:
        """Give the lines that can be told now."""
        if self._is_quiet(step):
            self._held.append(step)
            return []
        return [*self.flush(), *step_lines(step, self.view)]

    def flush(self) -> list[str]:
        """Give what was held back."""
        held, self._held = self._held, []
        if len(held) == 1:
            return list(step_lines(held[0], self.view))
        return [_group_line(held)] if held else []

    def _is_quiet(self, step: StepOutcome) -> bool:
        """Tell whether nothing new has happened: rows, and losses of a kind that was told."""
        kinds = {f"{e.column} {e.reason}" for one in step.outcomes for e in one.ledger}
        kinds |= {text for one in step.outcomes for text in one.warnings}
        if total(step.outcomes).rescued:
            kinds.add("rescued")
        new = kinds - self._known
        self._known |= kinds
        changed = any(one.version.is_new or one.error is not None for one in step.outcomes)
        long = self.view.width is not None and self.steps > MANY_STEPS
        return long and not (new or changed or step.failures)


def opening_lines(scenario: Scenario, view: View) -> Iterator[str]:
    """Tell what is played, and what is not."""
    steps = counted(len(scenario.steps), "step")
    options = ", ".join(f"{key}={_said(value)}" for key, value in scenario.options.items())
    yield from fold(f"{scenario.name}: {steps}; {options}", view.width, "  ")
    if scenario.left_out:
        yield from fold(f"left out: {', '.join(scenario.left_out)}", view.width, "  ")
    yield ""


def step_lines(step: StepOutcome, view: View) -> Iterator[str]:
    """Tell one step: what changed, each start, what did not come true."""
    name = f"  {step.step.name}" if step.step.name else ""
    yield cut(f"step {step.step.number}{name}", view.width)
    for change in step.changes:
        word, _, rest = change.partition(" ")
        yield from _fact(word, rest, view)
    for at, outcome in enumerate(step.outcomes):
        if at:
            yield from _fact("restart", str(at), view)
        yield from _ending_lines(step, outcome, view)
        yield from _outcome_lines(outcome, view)
    for failure in step.failures:
        yield from _failure_lines(failure, view)


def _ending_lines(step: StepOutcome, outcome: Outcome, view: View) -> Iterator[str]:
    """Tell why the stream stopped, if it did; what to do only where no restart did it."""
    if outcome.error is None:
        return
    word = "failed" if outcome.stop is None else "stopped"
    lines = [step.trial.short(line) for line in stop_lines(outcome)]
    if outcome.stop is not None:
        restarted = outcome is not step.outcomes[-1]
        lines = [f"[{outcome.condition}]", *(lines[:-1] if restarted else lines)]
    for at, line in enumerate(lines):
        yield from _fact("" if at else word, line, view)


def _outcome_lines(outcome: Outcome, view: View) -> Iterator[str]:
    counts = outcome.counts
    if counts.batches:
        yield from _fact("rows", _rows_text(outcome), view)
    elif outcome.error is None:
        yield from _fact("rows", "nothing new", view)
    yield from _version_lines(outcome, view)
    for line in loss_lines(outcome.ledger):
        yield from _fact("lost", line, view)
    for warning in outcome.warnings:
        yield from _fact("warning", warning, view)


def _rows_text(outcome: Outcome) -> str:
    """Tell how many rows landed of which files, and what is special about some of them."""
    counts = outcome.counts
    many = len(outcome.files) > _NAMED
    files = counted(len(outcome.files), "file") if many else _names(outcome.files)
    special = [
        f"{number:,} {what}"
        for number, what in (
            (counts.rescued, "with rescued data"),
            (counts.corrupt, "corrupt"),
            (counts.bad, "bad"),
        )
        if number
    ]
    return ", ".join([f"{counted(counts.rows, 'row')} of {files}", *special])


def _version_lines(outcome: Outcome, view: View) -> Iterator[str]:
    version = outcome.version
    if not version.is_new:
        return
    before = "" if version.before is None else f"{version.before} -> "
    if version.before is None and version.schema is not None:
        yield from _fact("schema", f"version {version.after}: {to_ddl(version.schema)}", view)
        return
    yield from _fact("schema", f"version {before}{version.after}", view)
    for line in version.diff:
        yield from _fact("", line, view)


def _failure_lines(failure: Failure, view: View) -> Iterator[str]:
    yield from _fact("EXPECTED", f"{failure.key}: {failure.expected}", view)
    yield from _fact("but was", failure.actual, view)
    for line in failure.lines:
        yield from _fact("", line, view)


def _fact(label: str, text: str, view: View) -> Iterator[str]:
    indent = " " * (_LABEL + 3)
    width = None if view.width is None else view.width - len(indent)
    for at, line in enumerate(fold(text, width, "  ")):
        yield f"  {label:{_LABEL}} {line}" if not at else f"{indent}{line}"


def _names(files: tuple[str, ...]) -> str:
    more = len(files) - _NAMED
    shown = ", ".join(files[:_NAMED])
    return f"{shown} and {more:,} more" if more > 0 else shown or "no file"


def _group_line(steps: list[StepOutcome]) -> str:
    outcomes = [one for step in steps for one in step.outcomes]
    counts = total(outcomes)
    files = sum(len(one.files) for one in outcomes)
    lost = sum(entry.count for one in outcomes for entry in one.ledger)
    parts = [counted(files, "file"), counted(counts.rows, "row")]
    parts += [f"{counts.rescued:,} with rescued data"] if counts.rescued else []
    parts += [f"{lost:,} lost"] if lost else []
    return f"steps {steps[0].step.number}-{steps[-1].step.number}  {', '.join(parts)}"


def ending_lines(result: ModeResult, view: View) -> Iterator[str]:
    """Tell what there is after the last step: columns, rows, what waits."""
    yield "at the end"
    if result.schema is not None:
        yield from _fact("columns", to_ddl(result.schema), view)
    yield from _fact("table", counted(result.count, "row"), view)
    rows = result.rows or ()
    most = len(rows) if view.width is None else _SHOWN_ROWS
    width = None if view.width is None else view.width - 4
    for row in rows[:most]:
        yield f"    {cut(result_row_text(row, result), width)}"
    if result.count > most:
        yield f"    … and {counted(result.count - most, 'row')} more (--full shows up to 10,000)"
    if result.waiting:
        yield from _fact("waiting", _names(result.waiting), view)
    checked = sum(step.checked for step in result.steps)
    if checked:
        failed = len(result.failures)
        told = f"{checked - failed} of {counted(checked, 'expectation')} came true"
        yield from _fact("expected", told, view)
    yield ""


def _said(value: object) -> str:
    """Give an option's value as the reader takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)

"""What is seen while a replay runs: a bar on a terminal, now and then a line elsewhere.

Everything goes to standard error; what the steps tell goes to standard output.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ingest.progress import Reading
    from ingest.replay.replay import StepOutcome

QUIET_SECONDS = 5.0
"""How long a replay may run before a line tells how far it is, where there is no terminal."""


@dataclass(frozen=True, slots=True)
class StepDisplay:
    """Where to tell of a replay: a mode that begins, each step done, lines of the report."""

    begin: Callable[[str | None, int], None]
    stepped: Callable[[StepOutcome], None]
    reading: Callable[[Reading], None]
    tell: Callable[[Iterable[str]], None]


@contextmanager
def step_silence() -> Iterator[StepDisplay]:
    """Tell nothing; for `--json`."""
    yield StepDisplay(
        lambda _mode, _total: None, lambda _step: None, lambda _reading: None, lambda _lines: None
    )


@contextmanager
def step_lines(clock: Callable[[], float] = time.monotonic) -> Iterator[StepDisplay]:
    """Tell the report, and on standard error how far a long replay is, every few seconds."""
    at = _Place()
    last = clock()

    def begin(mode: str | None, total: int) -> None:
        at.begin(mode, total)

    def stepped(_step: StepOutcome) -> None:
        nonlocal last
        at.done += 1
        if clock() - last >= QUIET_SECONDS and at.done < at.total:
            last = clock()
            click.echo(at.line(), err=True)

    yield StepDisplay(begin, stepped, lambda _reading: None, _echo)


@contextmanager
def step_bar() -> Iterator[StepDisplay]:
    """Show a bar on standard error while it lasts; the report's lines stay above it."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f} steps  {task.fields[rows]}"),
        TimeRemainingColumn(compact=True),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, expand=True, redirect_stdout=False
    ) as progress:
        task = progress.add_task("replay", total=1, rows="")

        def begin(mode: str | None, total: int) -> None:
            progress.reset(task, total=max(total, 1), description=_short(mode), rows="")

        def stepped(_step: StepOutcome) -> None:
            progress.update(task, advance=1, rows="")

        def reading(now: Reading) -> None:
            progress.update(task, rows=f"{now.rows:,} rows")

        def tell(lines: Iterable[str]) -> None:
            told = list(lines)
            if not told:
                return
            progress.stop()  # the bar makes room, and is drawn again below the lines
            _echo(told)
            progress.start()

        yield StepDisplay(begin, stepped, reading, tell)


@dataclass(slots=True)
class _Place:
    mode: str | None = None
    total: int = 0
    done: int = 0

    def begin(self, mode: str | None, total: int) -> None:
        self.mode, self.total, self.done = mode, total, 0

    def line(self) -> str:
        share = 100 * self.done // max(self.total, 1)
        return f"{_short(self.mode)}  {self.done:,} of {self.total:,} steps  {share} %"


def _short(mode: str | None) -> str:
    return mode or "replay"


def _echo(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)

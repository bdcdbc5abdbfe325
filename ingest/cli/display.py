"""What is seen while a stream runs: a bar on a terminal, a line per batch elsewhere."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ingest.progress import Reading

Report: TypeAlias = "Mapping[str, Any]"
"""One batch, as `StreamingQuery.recentProgress` gives it."""


@dataclass(frozen=True, slots=True)
class Display:
    """Where to tell of a running stream: each finished batch, and the counts of the running one."""

    batch: Callable[[Report], None]
    reading: Callable[[Reading], None]


@contextmanager
def lines() -> Iterator[Display]:
    """Tell each batch in a line on standard error."""
    yield Display(lambda report: click.echo(batch_line(report), err=True), lambda _reading: None)


@contextmanager
def silence() -> Iterator[Display]:
    """Tell nothing; for `--json`."""
    yield Display(lambda _report: None, lambda _reading: None)


@contextmanager
def bar() -> Iterator[Display]:
    """Show a progress bar on standard error while it lasts."""
    columns = (
        TextColumn("batch {task.fields[batch]}"),
        BarColumn(),
        DownloadColumn(),
        TextColumn("{task.fields[files]} files  {task.fields[rows]:,} rows"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None, batch="…", files="0", rows=0)

        def show(reading: Reading) -> None:
            if reading.files_total:
                progress.update(
                    task,
                    total=reading.bytes_total,
                    completed=reading.bytes_done,
                    batch=reading.batch_id,
                    files=f"{reading.files_done}/{reading.files_total}",
                    rows=reading.rows,
                )

        yield Display(lambda report: progress.console.print(batch_line(report)), show)


def batch_line(report: Report) -> str:
    """Tell a finished batch in one line."""
    parts = [
        f"batch {report['batchId']}",
        counted(report["ingest"]["files"], "file"),
        counted(report["numInputRows"], "row"),
        f"{report['durationMs']['triggerExecution'] / 1000:.1f} s",
    ]
    if report["ingest"]["replayed"]:
        parts.append("was in the table already")
    return "  ".join(parts)


def counted(number: int, noun: str) -> str:
    """Give a number with its noun: `1 file`, `1,234 files`, `2 batches`."""
    plural = noun + ("es" if noun.endswith("ch") else "s")
    return f"{number:,} {noun if number == 1 else plural}"

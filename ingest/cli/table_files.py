"""`ingest table optimize|vacuum`: the files of a Delta table, in lines."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import TYPE_CHECKING

import click

from ingest.cli.display import counted
from ingest.cli.table_log import now_ms, require_delta
from ingest.delta.maintenance import compact
from ingest.delta.settings import DeltaSettings
from ingest.delta.vacuum import RETENTION_HOURS, find_unneeded, remove_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_STEP = 1000


def optimize_lines(folder: Path) -> Iterator[str]:
    """Compact a table and tell what became of its files."""
    require_delta(folder, "optimize")
    settings = DeltaSettings(
        now=lambda: dt.datetime.now(dt.UTC),  # noqa: TID251 - the rim
        new_id=lambda: str(uuid.uuid4()),
    )
    done = compact(folder, settings)
    if done is None:
        yield f"{folder}: nothing to compact"
        return
    old, new = (sum(add.size for add in adds) for adds in (done.removed, done.added))
    yield (
        f"{folder}: version {done.version}, {counted(len(done.removed), 'file')}"
        f" ({size_text(old)}) -> {counted(len(done.added), 'file')} ({size_text(new)})"
    )
    yield "The old files stay for older versions; `ingest table vacuum` removes them later."


def vacuum_lines(folder: Path, *, hours: int, is_dry: bool) -> Iterator[str]:
    """Remove what a table does not need any more, or only tell it."""
    require_delta(folder, "vacuum")
    if hours < RETENTION_HOURS:
        click.echo(
            f"warning: after a vacuum of {counted(hours, 'hour')} older versions cannot be read,"
            " and a stream or a reader that takes longer loses its files",
            err=True,
        )
    files = find_unneeded(folder, now_ms=now_ms(), hours=hours)
    for file in files:
        kind = "orphan" if file.is_orphan else "replaced"
        yield f"{kind:8}  {size_text(file.size):>9}  {file.path.relative_to(folder)}"
    if not is_dry:
        remove_files(files)
    word = "would be removed" if is_dry else "removed"
    total = size_text(sum(file.size for file in files))
    yield f"{folder}: {counted(len(files), 'file')} ({total}) {word}"


def size_text(size: float) -> str:
    """Give a size for people.

    >>> size_text(1_234_567)
    '1.2 MB'
    """
    for unit in _UNITS[:-1]:
        if size < _STEP:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= _STEP
    return f"{size:.1f} {_UNITS[-1]}"

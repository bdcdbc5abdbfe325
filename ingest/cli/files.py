"""`ingest files`: the files that a stream has discovered, in lines."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import orjson

from ingest.checkpoint_report import cloud_files_state
from ingest.cli.text_table import align

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SHOWN = ("path", "size", "batch_id", "discovery_time", "commit_time")


def files_lines(checkpoint: Path, *, as_json: bool) -> Iterator[str]:
    """List the file state; a state folder that holds `checkpoint/` is taken too."""
    inner = checkpoint / "checkpoint"
    folder = inner if inner.is_dir() and not (checkpoint / "sources").is_dir() else checkpoint
    rows = list(cloud_files_state(folder))
    if as_json:
        yield orjson.dumps(rows, default=str).decode()
        return
    yield from align([_SHOWN, *([_cell(row[name]) for name in _SHOWN] for row in rows)])


def _cell(value: object) -> str:
    match value:
        case None:
            return "-"
        case dt.datetime():
            return value.isoformat(timespec="seconds")
        case _:
            return str(value)

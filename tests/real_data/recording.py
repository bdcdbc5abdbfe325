"""Spark's recorded answers: of every reading the columns, their digests and the number of rows."""

from __future__ import annotations

import lzma
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

RECORDED = Path(__file__).parent / "recorded" / "answers.json.xz"


@dataclass(frozen=True, slots=True)
class Failure:
    """Reading failed, under this condition."""

    error: str


@dataclass(frozen=True, slots=True)
class Content:
    """What a file holds, read in one way.

    `columns` are names and types (as in Spark's schema JSON); `values` holds whole columns: those
    of which the emulator is known to give other values (see `differences.py`).
    """

    columns: list[tuple[str, Any]]
    rows: int
    digests: list[str]
    values: dict[str, list[Any]] = field(default_factory=dict)


Answer = Content | Failure


@dataclass(frozen=True, slots=True)
class Recording:
    """The answers by file and way: `<file> | <way>`."""

    spark: str
    answers: dict[str, Answer]


def key_of(file: str, way: str) -> str:
    return f"{file} | {way}"


def write_recording(recording: Recording, to: Path = RECORDED) -> None:
    """Store it, compressed."""
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(lzma.compress(orjson.dumps(recording), preset=9 | lzma.PRESET_EXTREME))


def read_recording(path: Path = RECORDED) -> Recording:
    """Read it back."""
    stored = orjson.loads(lzma.decompress(path.read_bytes()))
    answers = {key: _answer(one) for key, one in stored["answers"].items()}
    return Recording(stored["spark"], answers)


def _answer(stored: dict[str, Any]) -> Answer:
    if "error" in stored:
        return Failure(stored["error"])
    columns = [(name, kind) for name, kind in stored["columns"]]
    return Content(columns, stored["rows"], stored["digests"], stored["values"])

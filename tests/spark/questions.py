"""What Spark is asked, and its answers on disk.

A *question set* is one way to read (its options) and many *items*: columns, texts, lines or files.
Each item has one answer, a JSON value. `recorded/<set>.json.xz` holds a set with its answers, so a
recording says itself what was asked.
"""

from __future__ import annotations

import lzma
from dataclasses import asdict, dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, TypeAlias

import orjson

RECORDED = Path(__file__).parent / "recorded"
SEPARATOR = "¦"
"""Between cells of columns and texts: it occurs in none of them."""

Json: TypeAlias = Any


class Kind(Enum):
    """What an item is, and what is asked about it."""

    TYPES = "types"
    """An item is the cells of one column, in row order: which type is inferred?"""
    VALUES = "values"
    """An item is a text: what is its value in a column of each of the set's types?"""
    LINES = "lines"
    """An item is a line: what are its cells, the last one that of corrupt records?"""
    ROWS = "rows"
    """An item is a whole file: which rows has it under the set's schema?"""
    SCHEMA = "schema"
    """An item is a whole file: which columns are inferred?"""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """One way to read, and what is read that way.

    `options` are Spark's, as text. `types` are the DDL types of values, of the cells of a line,
    or of a file's columns. An item is a text; for `TYPES` a list of texts; of a file, its bytes
    as ISO 8859-1.
    """

    name: str
    kind: Kind
    options: dict[str, str]
    items: tuple[Json, ...]
    types: tuple[str, ...] = ()

    def keys(self) -> list[str]:
        """Name every item."""
        return [str(item) if isinstance(item, str) else " ¶ ".join(item) for item in self.items]

    def some(self, count: int) -> QuestionSet:
        """Give a smaller set, of items spread over this one."""
        step = max(1, len(self.items) // count)
        return replace(self, items=self.items[::step][:count])


@dataclass(frozen=True, slots=True)
class Recording:
    """A set and its answers; `day` is the day on which they were given (for a time alone)."""

    questions: QuestionSet
    answers: tuple[Json, ...]
    spark: str
    day: str


def write_recording(recording: Recording, folder: Path = RECORDED) -> None:
    """Store a recording, compressed; the same answers give the same bytes."""
    value = {
        "spark": recording.spark,
        "day": recording.day,
        "questions": asdict(recording.questions) | {"kind": recording.questions.kind.value},
        "answers": recording.answers,
    }
    packed = lzma.compress(orjson.dumps(value), preset=9 | lzma.PRESET_EXTREME)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{recording.questions.name}.json.xz").write_bytes(packed)


def read_recording(path: Path) -> Recording:
    """Read a recording."""
    value = orjson.loads(lzma.decompress(path.read_bytes()))
    asked = value["questions"]
    questions = QuestionSet(
        asked["name"],
        Kind(asked["kind"]),
        asked["options"],
        tuple(asked["items"]),
        tuple(asked["types"]),
    )
    return Recording(questions, tuple(value["answers"]), value["spark"], value["day"])


def recordings(folder: Path = RECORDED) -> list[Path]:
    """Give the files of all recordings."""
    return sorted(folder.glob("*.json.xz"))

"""A folder of files as a scenario: they arrive by sub-folder `1`, `2`, …, by name or by time."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from ingest.errors import NothingToReplayError
from ingest.file_entry import display_path
from ingest.replay.scenario import CopyOf, Land, LandedFile, Scenario, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

SCENARIO_FILES = frozenset({"scenario.yaml", "story.json"})
"""Files beside the data that tell of it."""

_FORMATS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".parquet": "parquet",
    ".avro": "avro",
    ".orc": "orc",
    ".xml": "xml",
    ".txt": "text",
}
_COMPRESSIONS = frozenset({".gz", ".bz2", ".zst", ".lz4", ".snappy", ".deflate", ".xz"})

_NAMED = 4


class Arrival(Enum):
    """In which order the files of a folder arrive."""

    FOLDER = "folder"
    """Those of the sub-folder `1`, then those of `2`, …"""
    NAME = "name"
    TIME = "time"
    """By modification time, which they keep."""


@dataclass(frozen=True, slots=True)
class Found:
    """The files of a folder in steps, each with a name, and what is not part of any."""

    steps: tuple[tuple[str, tuple[LandedFile, ...]], ...]
    left_out: tuple[str, ...] = ()


def find_steps(folder: Path, arrival: Arrival | None, *, files_per_step: int) -> Found:
    """Find what arrives in which step; None takes numbered sub-folders if there are any.

    Raises `NothingToReplayError` when nothing does.
    """
    numbered = sorted((one for one in _entries(folder) if _is_step(one)), key=_number)
    if arrival is Arrival.FOLDER or (arrival is None and numbered):
        found = _by_folder(folder, numbered)
    else:
        found = Found(tuple(_by_file(folder, arrival or Arrival.NAME, files_per_step)))
    if not found.steps:
        raise NothingToReplayError(
            str(folder),
            found="no files" if arrival is not Arrival.FOLDER else "no sub-folders 1, 2, …",
            expected="files, in sub-folders 1, 2, … or not, or a scenario.yaml",
            remedy="Give another folder, or write --by name.",
        )
    return found


def folder_scenario(folder: Path, found: Found, options: dict[str, object]) -> Scenario:
    """Make a scenario of what was found; each step lands its files."""
    steps = tuple(
        Step(number, name, (Land(files),), runs=True, restarts=None, checks={})
        for number, (name, files) in enumerate(found.steps, start=1)
    )
    name = folder.resolve().name or str(folder)
    return Scenario(name, folder, options, steps, left_out=found.left_out)


def guess_format(folder: Path, found: Found) -> str:
    """Tell the format by the endings of the files' names, those that tell one.

    Raises `NothingToReplayError` if they tell none, or several.
    """
    every = [file.name for _, files in found.steps for file in files]
    names = [name for name in every if not _is_hidden(name)] or every
    formats = {kind: name for name in reversed(names) if (kind := _format(name)) is not None}
    if len(formats) == 1:
        return next(iter(formats))
    told = ", ".join(f"{name} ({kind})" for kind, name in formats.items())
    raise NothingToReplayError(
        str(folder),
        found=f"files whose names tell no single format: {told or ', '.join(names[:_NAMED])}",
        expected="files of one format, such as .csv, .json or .parquet",
        remedy="Say which: --format csv.",
    )


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise NothingToReplayError(
            str(folder),
            found=f"it cannot be listed ({error.strerror})",
            expected="a folder of files, or a scenario.yaml",
            remedy="Give another folder.",
        ) from error


def _by_folder(folder: Path, numbered: Sequence[Path]) -> Found:
    steps = [(f"{one.name}/", tuple(_files(one))) for one in numbered]
    others = [one.name for one in _entries(folder) if one not in numbered]
    left = tuple(name for name in others if name not in SCENARIO_FILES)
    return Found(tuple(step for step in steps if step[1]), left)


def _by_file(
    folder: Path, arrival: Arrival, files_per_step: int
) -> Iterator[tuple[str, tuple[LandedFile, ...]]]:
    keeps = arrival is Arrival.TIME
    files = [one for one in _files(folder, keeps_time=keeps) if one.name not in SCENARIO_FILES]
    if keeps:
        files.sort(key=lambda one: ((folder / one.name).stat().st_mtime_ns, one.name))
    for at in range(0, len(files), files_per_step):
        step = tuple(files[at : at + files_per_step])
        more = len(step) - 1
        first = display_path(os.fsencode(step[0].name))
        yield (first + (f" and {more:,} more" if more else ""), step)


def _files(folder: Path, *, keeps_time: bool = False) -> list[LandedFile]:
    places = sorted(one for one in folder.rglob("*") if one.is_file())
    return [LandedFile(str(one.relative_to(folder)), CopyOf(one, keeps_time)) for one in places]


def _is_step(path: Path) -> bool:
    return path.name.isdecimal() and path.is_dir()


def _number(path: Path) -> int:
    return int(path.name)


def _is_hidden(name: str) -> bool:
    """Tell whether the stream does not see a file (contract 7.1)."""
    return any(
        part.startswith(".") or (part.startswith("_") and "=" not in part) or _is_copying(part)
        for part in name.split("/")
    )


def _is_copying(part: str) -> bool:
    return part.endswith("._COPYING_")


def _format(name: str) -> str | None:
    suffixes = _suffixes(name.lower())
    return next((_FORMATS[one] for one in suffixes if one in _FORMATS), None)


def _suffixes(name: str) -> Iterable[str]:
    """Give the ending, and the one before it when the file is compressed."""
    stem, dot, ending = name.rpartition(".")
    yield dot + ending
    if dot + ending in _COMPRESSIONS:
        yield "." + stem.rpartition(".")[2]

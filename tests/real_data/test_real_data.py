"""Files that nobody here wrote are ingested with the values that Spark's reader gives.

Each file of the packages is read by a stream of its own, with all columns STRING and with types
inferred (and in some more ways, see `ways.py`); every value is compared with Spark's recorded one.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tests.real_data.comparison import Compared, compare
from tests.real_data.differences import DIFFERENCES, RESCUED
from tests.real_data.package_files import group_of
from tests.real_data.recording import key_of, read_recording
from tests.real_data.ways import Way, ways_of

if TYPE_CHECKING:
    from pathlib import Path

RECORDING = read_recording()
GROUPS = sorted({group_of(key) for key in RECORDING.answers})
STREAMS = 4
"""At once: a stream waits for its own threads and the disk half of the time."""


@pytest.fixture(scope="module")
def readings(files: dict[str, Path]) -> dict[str, tuple[Path, Way]]:
    """Give all files and ways, named as Spark's answers."""
    return {
        key_of(name, way.name): (path, way)
        for name, path in files.items()
        for way in ways_of(name, path.read_bytes())
    }


@pytest.mark.parametrize("group", GROUPS)
def test_values_are_those_of_spark(
    group: str, readings: dict[str, tuple[Path, Way]], state: Path
) -> None:
    found = _compare([key for key in RECORDING.answers if group_of(key) == group], readings, state)

    assert {
        (key, column): count
        for key, one in found.items()
        for column, count in one.differing.items()
    } == {(one.key, one.column): one.values for one in DIFFERENCES if group_of(one.key) == group}, (
        "each number is exact: what no longer differs leaves the list"
    )
    assert {key: one.rescued for key, one in found.items() if one.rescued} == {
        key: count for key, count in RESCUED.items() if group_of(key) == group
    }


def test_all_files_are_recorded(readings: dict[str, tuple[Path, Way]]) -> None:
    assert set(readings) == set(RECORDING.answers), "python -m tests.real_data.record"


def test_the_lists_name_recorded_readings() -> None:
    named = {one.key for one in DIFFERENCES} | set(RESCUED)

    assert named - set(RECORDING.answers) == set()


def _compare(
    keys: list[str], readings: dict[str, tuple[Path, Way]], state: Path
) -> dict[str, Compared]:
    def run(number: int) -> Compared:
        path, way = readings[keys[number]]
        return compare(path, way, state / str(number), RECORDING.answers[keys[number]])

    with ThreadPoolExecutor(STREAMS) as pool:
        return dict(zip(keys, pool.map(run, range(len(keys))), strict=True))

"""Folders of files become steps."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from ingest.errors import NothingToReplayError
from ingest.replay.folders import Arrival, find_steps, guess_format
from tests.replay.stories import write

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.replay.folders import Found


def names(found: Found) -> list[list[str]]:
    """Give the files' names step by step."""
    return [[file.name for file in files] for _, files in found.steps]


def test_numbered_sub_folders_are_steps_in_the_order_of_numbers(tmp_path: Path) -> None:
    write(tmp_path, **{"10__b": "", "2__a": "", "2__day=1__c": "", "2b__d": "", "notes": ""})
    found = find_steps(tmp_path, None, files_per_step=1)
    assert names(found) == [["a.csv", "day=1/c.csv"], ["b.csv"]]
    assert found.left_out == ("2b", "notes.csv")


def test_files_arrive_by_name(tmp_path: Path) -> None:
    write(tmp_path, b="", a="", c="")
    found = find_steps(tmp_path, None, files_per_step=2)
    assert names(found) == [["a.csv", "b.csv"], ["c.csv"]]
    assert [name for name, _ in found.steps] == ["a.csv and 1 more", "c.csv"]


def test_files_arrive_by_time_and_keep_it(tmp_path: Path) -> None:
    write(tmp_path, a="", b="")
    os.utime(tmp_path / "b.csv", (1, 1))
    assert names(find_steps(tmp_path, Arrival.TIME, files_per_step=1)) == [["b.csv"], ["a.csv"]]


@pytest.mark.parametrize("arrival", [None, *Arrival])
def test_an_empty_folder_is_refused(tmp_path: Path, arrival: Arrival | None) -> None:
    with pytest.raises(NothingToReplayError) as caught:
        find_steps(tmp_path, arrival, files_per_step=1)
    assert caught.value.folder == str(tmp_path)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["a.csv", "b.tmp"], "csv"),
        (["a.ndjson.gz", "_x.csv"], "json"),
        (["day=1/a.snappy.parquet"], "parquet"),
        (["_hidden/a.csv"], "csv"),
    ],
)
def test_the_format_is_told_by_the_names(tmp_path: Path, files: list[str], expected: str) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert guess_format(tmp_path, find_steps(tmp_path, None, files_per_step=1)) == expected


@pytest.mark.parametrize("files", [["a.csv", "b.json"], ["data"]])
def test_a_format_that_cannot_be_told_is_asked_for(tmp_path: Path, files: list[str]) -> None:
    for name in files:
        (tmp_path / name).touch()
    with pytest.raises(NothingToReplayError) as caught:
        guess_format(tmp_path, find_steps(tmp_path, None, files_per_step=1))
    assert "--format csv" in caught.value.remedy
    assert files[0] in caught.value.found

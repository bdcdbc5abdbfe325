"""Small files that are held between looking and reading."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.formats import small_files
from ingest.formats.csv_chunks import read_chunks
from ingest.formats.small_files import SMALL, SmallFiles
from tests.ingest.csv_support import land


def test_a_small_file_is_held_until_it_is_taken(tmp_path: Path) -> None:
    (file,) = land(tmp_path, {"a.csv": b"id\n1"})
    held = SmallFiles()
    assert held.look(file) == b"id\n1\n"
    assert held.take(file) == b"id\n1\n"
    assert held.take(file) is None


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    (file,) = land(tmp_path, {"a.csv": b"id\n1\n"})
    held = SmallFiles()
    held.look(file)
    Path(tmp_path / "a.csv").write_bytes(b"id\n2\n")
    assert held.take(file) is None
    assert [chunk.block.data for chunk in read_chunks([file], header=True, held=held)] == [b"2\n"]


def test_a_file_that_is_gone_is_not_taken(tmp_path: Path) -> None:
    (file,) = land(tmp_path, {"a.csv": b"id\n1\n"})
    held = SmallFiles()
    held.look(file)
    Path(tmp_path / "a.csv").unlink()
    assert held.take(file) is None


@pytest.mark.parametrize(
    ("name", "content"),
    [("large.csv", b"x" * (SMALL + 1)), ("a.csv.gz", b"id\n1\n"), ("mac.csv", b"id\r1\r")],
)
def test_other_files_are_left_to_the_ordinary_reader(
    tmp_path: Path, name: str, content: bytes
) -> None:
    (file,) = land(tmp_path, {name: content})
    assert SmallFiles().look(file) is None


def test_no_more_than_so_much_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_files, "MOST_HELD", 6)
    files = land(tmp_path, {"a.csv": b"id\n1\n", "b.csv": b"id\n2\n"})
    held = SmallFiles()
    assert [held.look(file) for file in files] == [b"id\n1\n", b"id\n2\n"]
    assert [held.take(file) for file in files] == [b"id\n1\n", None]

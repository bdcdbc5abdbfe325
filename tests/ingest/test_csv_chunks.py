"""Files to chunks: bounded by bytes and by cells, and nothing lost between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ingest.formats import csv_chunks
from ingest.formats.csv_chunks import read_chunks
from tests.ingest.csv_support import land

if TYPE_CHECKING:
    from pathlib import Path

MOST_CELLS = 40


@pytest.fixture(autouse=True)
def few_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_chunks, "MOST_CELLS", MOST_CELLS)


def test_a_chunk_of_short_records_is_bounded_by_its_cells(tmp_path: Path) -> None:
    short, long = b",,,\n" * 95, f"{'x' * 500},,,\n".encode() * 3
    files = land(tmp_path, {"a.csv": b"a,b,c,d\n" + short + long + short})

    blocks = [chunk.block for chunk in read_chunks(files, header=True)]

    assert b"".join(block.data for block in blocks) == short + long + short
    assert [block.newlines for block in blocks] == [block.data.count(b"\n") for block in blocks]
    assert max(block.newlines for block in blocks) <= MOST_CELLS // 4


def test_small_files_are_put_together_up_to_the_bound(tmp_path: Path) -> None:
    files = land(tmp_path, {f"{name}.csv": b"a,b,c,d\n" + b",,,\n" * 4 for name in "abcde"})

    chunks = list(read_chunks(files, header=True))

    assert [chunk.block.newlines for chunk in chunks] == [8, 8, 4]


def test_a_record_of_more_cells_is_a_chunk_of_its_own(tmp_path: Path) -> None:
    wide = b"," * MOST_CELLS + b"\n"
    files = land(tmp_path, {"a.csv": wide * 4})

    chunks = list(read_chunks(files, header=True))

    assert [chunk.block.data for chunk in chunks] == [wide] * 3

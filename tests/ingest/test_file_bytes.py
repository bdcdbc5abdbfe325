"""Pieces of a file: where they are cut."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from ingest.file_entry import FileEntry, SeqNum
from ingest.formats.file_bytes import UTF_8, read_pieces

if TYPE_CHECKING:
    from pathlib import Path


def pieces(folder: Path, content: bytes, *, size: int) -> list[bytes]:
    path = folder / "a.csv"
    path.write_bytes(content)
    state = path.stat()
    entry = FileEntry(SeqNum(1), os.fsencode(path), state.st_size, state.st_mtime_ns)
    return list(read_pieces(entry, UTF_8, size=size))


def test_the_first_line_is_a_piece_and_others_are_whole_lines(tmp_path: Path) -> None:
    line = b"x" * 29 + b"\n"
    assert pieces(tmp_path, b"id\n" + line * 5, size=64) == [b"id\n", line * 2, line * 2, line]


@pytest.mark.parametrize("content", [b"a" * 300, b"id\n" + b"b" * 300, b"a\rb\r" * 100])
def test_text_without_line_ends_is_cut_by_size(tmp_path: Path, content: bytes) -> None:
    found = pieces(tmp_path, content, size=64)
    assert (b"".join(found), max(map(len, found))) == (content, 64)


def test_nothing_is_left_out_where_the_last_line_does_not_end(tmp_path: Path) -> None:
    content = b"id\n" + b"1234567\n" * 50 + b"12"
    assert b"".join(pieces(tmp_path, content, size=64)) == content

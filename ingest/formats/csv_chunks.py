"""Files to chunks that are parsed at once: parts of large files, many small ones together.

Small consecutive files whose headers are equal byte for byte are put together; every part knows
which file it is from, and how many records of it came before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from ingest.formats.csv_bytes import BLOCK_SIZE, Block, read_blocks
from ingest.formats.csv_dialect import is_blank
from ingest.formats.csv_scan import count_byte
from ingest.stream_options import CsvOptions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.file_entry import FileEntry
    from ingest.formats.small_files import SmallFiles

MOST_CELLS = 1_500_000
"""Cells that are held and parsed at once: of short ones a block of bytes has many more."""

_BLANKS = bytes(range(33))
_DEFAULT = CsvOptions()


@dataclass(frozen=True, slots=True)
class Part:
    """Records of one file: its number of records, and of those that came before in the file."""

    file: FileEntry
    start: int
    rows: int
    before: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """Lines of one or more files with one and the same first record, without header lines."""

    first_line: str
    file: FileEntry
    bodies: tuple[tuple[FileEntry, Block], ...]

    @property
    def block(self) -> Block:
        """The lines of all files."""
        if len(self.bodies) == 1:
            return self.bodies[0][1]
        data = b"".join(body.data for _, body in self.bodies)
        return Block(data, sum(body.newlines for _, body in self.bodies))


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a chunk in order; `starts` are their first rows."""

    parts: tuple[Part, ...]
    starts: pl.Series

    def of_rows(self, rows: pl.Series) -> pl.Series:
        """Tell for ascending rows which part each belongs to."""
        if len(self.parts) == 1:
            return pl.Series([0], dtype=pl.UInt32).new_from_index(0, len(rows))
        return (self.starts.search_sorted(rows, side="right") - 1).cast(pl.UInt32)

    def paths(self, rows: pl.Series) -> pl.Series:
        """Give the paths of the files that ascending rows are from."""
        paths = pl.Series([part.file.uri for part in self.parts], dtype=pl.String)
        return paths.gather(self.of_rows(rows))

    def without(self, dropped: pl.Series) -> tuple[tuple[FileEntry, int], ...]:
        """Give the files in order with their numbers of rows, less these ascending rows."""
        lost = {part.start: count for part, _, count in self.split(dropped)} if len(dropped) else {}
        return tuple((part.file, part.rows - lost.get(part.start, 0)) for part in self.parts)

    def split(self, rows: pl.Series) -> Iterator[tuple[Part, int, int]]:
        """Cut ascending rows by parts: the part, and its slice of the rows (start, length)."""
        if len(self.parts) == 1:
            if len(rows):
                yield self.parts[0], 0, len(rows)
            return
        places = self.of_rows(rows)
        counts = places.value_counts().sort(places.name)
        start = 0
        for place, count in counts.iter_rows():
            yield self.parts[place], start, count
            start += count


def read_chunks(
    files: Sequence[FileEntry],
    csv: CsvOptions = _DEFAULT,
    *,
    header: bool,
    size: int = BLOCK_SIZE,
    held: SmallFiles | None = None,
) -> Iterator[Chunk]:
    """Read consecutive files as chunks of about this size; files without a record give none."""
    waiting: list[tuple[FileEntry, Block]] = []
    line = ""
    used, rows = 0, 0
    for file, first_line, body in _bodies(files, csv, header=header, size=size, held=held):
        used, rows = used + len(body.data), rows + body.newlines
        full = used > size or rows > _most_rows(first_line, csv) or first_line != line
        if waiting and full:
            yield Chunk(line, waiting[0][0], tuple(waiting))
            waiting, used, rows = [], len(body.data), body.newlines
        line = first_line
        waiting.append((file, body))
    if waiting:
        yield Chunk(line, waiting[0][0], tuple(waiting))


def _bodies(
    files: Sequence[FileEntry],
    csv: CsvOptions,
    *,
    header: bool,
    size: int,
    held: SmallFiles | None,
) -> Iterator[tuple[FileEntry, str, Block]]:
    """Read files as blocks without header lines, each with the first record of its file."""
    for file in files:
        first_line: str | None = None
        is_empty = True
        whole = None if held is None else held.take(file)
        blocks = [whole] if whole else read_blocks(file, csv, header=header, size=size)
        for block in blocks:
            body = block
            if first_line is None:
                first_line, body = split_first(block, header=header)
                if first_line is None:
                    continue
            if body:
                is_empty = False
                for part in _halve(body, _most_rows(first_line, csv)):
                    yield file, first_line, part
        if first_line is not None and is_empty:
            yield file, first_line, Block(b"", 0)


def _most_rows(first_line: str, csv: CsvOptions) -> int:
    """Tell how many records like the first one are held and parsed at once."""
    return MOST_CELLS // (first_line.count(csv.sep) + 1)


def _halve(body: bytes, most_rows: int) -> Iterator[Block]:
    """Cut lines in halves until none has more of them."""
    newlines = count_byte(body, b"\n")
    if newlines <= max(most_rows, 1):
        yield Block(body, newlines)
        return
    middle = body.rfind(b"\n", 0, len(body) // 2) + 1 or body.index(b"\n") + 1
    yield from _halve(body[:middle], most_rows)
    yield from _halve(body[middle:], most_rows)


def split_first(block: bytes, *, header: bool) -> tuple[str | None, bytes]:
    """Give the first record's line and the lines to read: without it when it is the header."""
    start = 0
    while start < len(block):
        end = block.index(b"\n", start) + 1
        line = block[start : end - 1].decode()
        if not is_blank(line):
            return line, block[end:] if header else block[start:]
        start = end
    return None, b""


def find_parts(chunk: Chunk, height: int, before: dict[int, int]) -> Parts:
    """Find which rows are whose; `before` has the records of each file so far, and is updated."""
    counts = [body.newlines for _, body in chunk.bodies]
    if sum(counts) != height:
        counts = [_count_records(body.data) for _, body in chunk.bodies]
    parts: list[Part] = []
    start = 0
    for (file, _), rows in zip(chunk.bodies, counts, strict=True):
        earlier = before.get(file.seq_num, 0)
        parts.append(Part(file, start, rows, earlier))
        before[file.seq_num] = earlier + rows
        start += rows
    assert start == height, "every line that is not blank is one record"
    return Parts(tuple(parts), pl.Series([part.start for part in parts], dtype=pl.UInt32))


def find_row(chunk: Chunk, row: int) -> tuple[FileEntry, int]:
    """Tell which file a row of the chunk is from, and its number there, from 1 on in the chunk."""
    for file, body in chunk.bodies:
        rows = _count_records(body.data)
        if row < rows:
            return file, row + 1
        row -= rows
    return chunk.file, row + 1


def _count_records(body: bytes) -> int:
    return sum(1 for line in body.split(b"\n") if line.strip(_BLANKS))

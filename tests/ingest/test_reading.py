"""Reading a batch's files: order, errors, early close, bounded memory."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from ingest import reading
from ingest.file_entry import FileEntry, SeqNum
from ingest.read_batch import Findings, Inferred, ReadBatch
from ingest.reading import GROUP_SIZE, group_files, read_files
from schema_store.types import StructType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from schema_store.types import Schema

NOTHING = StructType(())


class PanicError(BaseException):
    """As a library's panic: no `Exception`."""


def nothing(_file: FileEntry, _number: int) -> None:
    return


@dataclass
class NumberFormat:
    """Gives `rows_per_file` batches a file; `before` runs before each."""

    before: Callable[[FileEntry, int], None] = nothing
    rows_per_file: int = 2
    given: list[tuple[int, int]] = field(default_factory=list)

    def infer(self, files: Sequence[FileEntry]) -> Inferred:
        raise NotImplementedError

    def look(self, files: Sequence[FileEntry], schema: Schema) -> Findings:
        raise NotImplementedError

    def read(self, files: Sequence[FileEntry], schema: Schema) -> Iterator[ReadBatch]:
        del schema
        for file in files:
            for number in range(self.rows_per_file):
                self.before(file, number)
                self.given.append((file.seq_num, number))
                rows = pa.RecordBatch.from_pydict({"at": [f"{file.seq_num}.{number}"]})
                yield ReadBatch(rows, Findings())


def big_files(count: int) -> list[FileEntry]:
    """Files that are each a piece of work."""
    return [FileEntry(SeqNum(i), b"/in/%d" % i, GROUP_SIZE, 0) for i in range(1, count + 1)]


def values(batches: Iterator[ReadBatch]) -> list[str]:
    return [value for batch in batches for value in batch.rows.column("at").to_pylist()]


def workers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "ingest-read"]


@pytest.mark.parametrize("count", [0, 1, 2, 5, 20])
def test_rows_come_in_file_order(count: int) -> None:
    expected = [f"{i}.{n}" for i in range(1, count + 1) for n in range(2)]
    assert values(read_files(NumberFormat(), big_files(count), NOTHING)) == expected


def test_rows_come_in_file_order_when_a_later_file_is_ready_first() -> None:
    second_read = threading.Event()

    def before(file: FileEntry, number: int) -> None:
        if (file.seq_num, number) == (1, 0):
            assert second_read.wait(10)
        if (file.seq_num, number) == (2, 1):
            second_read.set()

    found = values(read_files(NumberFormat(before), big_files(3), NOTHING))
    assert found == ["1.0", "1.1", "2.0", "2.1", "3.0", "3.1"]


@pytest.mark.parametrize("error", [ValueError("broken"), PanicError("broken")])
def test_error_comes_where_the_rows_would_have_come(error: BaseException) -> None:
    def before(file: FileEntry, number: int) -> None:
        if (file.seq_num, number) == (2, 1):
            raise error

    found: list[str] = []
    with pytest.raises(type(error)) as caught:
        found.extend(
            value
            for batch in read_files(NumberFormat(before), big_files(5), NOTHING)
            for value in values(iter([batch]))
        )
    assert (caught.value, found) == (error, ["1.0", "1.1", "2.0"])


def test_closing_early_stops_the_workers() -> None:
    numbers = NumberFormat(rows_per_file=1000)
    rows = read_files(numbers, big_files(10), NOTHING)
    next(rows)
    rows.close()
    assert (workers(), len(numbers.given) < 20) == ([], True)


def test_no_worker_is_left_after_an_error() -> None:
    def before(file: FileEntry, _number: int) -> None:
        if file.seq_num == 1:
            raise PanicError

    with pytest.raises(PanicError):
        values(read_files(NumberFormat(before, rows_per_file=100), big_files(5), NOTHING))
    assert workers() == []


def test_workers_run_only_a_little_ahead() -> None:
    numbers = NumberFormat(rows_per_file=50)
    ahead = []
    for taken, _ in enumerate(read_files(numbers, big_files(6), NOTHING), start=1):
        ahead.append(len(numbers.given) - taken)
    assert max(ahead) <= reading.WORKERS * 4


def test_done_hears_of_files_whose_rows_were_all_taken() -> None:
    heard: list[str] = []
    rows = read_files(
        NumberFormat(),
        big_files(2),
        NOTHING,
        done=lambda files: heard.extend(f"done {file.seq_num}" for file in files),
    )
    for batch in rows:
        heard += values(iter([batch]))
    assert heard == ["1.0", "1.1", "done 1", "2.0", "2.1", "done 2"]


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([], []),
        ([1, 1, 1], [3]),
        ([GROUP_SIZE, 1], [1, 1]),
        ([GROUP_SIZE // 2] * 3, [2, 1]),
        ([GROUP_SIZE * 2, 1, 1], [1, 2]),
        ([0] * 2001, [2000, 1]),
    ],
)
def test_files_are_cut_into_pieces_of_work(sizes: list[int], expected: list[int]) -> None:
    files = [FileEntry(SeqNum(i), b"", size, 0) for i, size in enumerate(sizes)]
    groups = list(group_files(files))
    assert ([len(group) for group in groups], [f for group in groups for f in group]) == (
        expected,
        files,
    )

"""Corrupt and missing files that the options let a stream skip (Spark `FileScanRDD`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from ingest.errors import (
    DamagedParquetError,
    FileChangedError,
    FileMissingError,
    FileNotReadableError,
    ReadError,
)
from ingest.file_entry import FileEntry, SeqNum
from ingest.formats.forgiving import ForgivingFormat
from ingest.read_batch import Findings, Inferred, ReadBatch
from schema_store.types import Field, IntegerType, Schema, StructType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

Failures = dict[int, Callable[[str], ReadError]]
SCHEMA = StructType((Field("n", IntegerType()),))


def damaged(uri: str) -> ReadError:
    return DamagedParquetError(uri, "broken")


def unreadable(uri: str) -> ReadError:
    return FileNotReadableError(uri, "permission denied")


@dataclass(frozen=True)
class Failing:
    """Gives two rows for each file; fails before them, or between them, on some."""

    before: Failures
    between: Failures

    def infer(self, files: Sequence[FileEntry]) -> Inferred:
        self._fail(self.before | self.between, files)
        return Inferred(SCHEMA, frozenset(), frozenset())

    def look(self, files: Sequence[FileEntry], schema: Schema) -> Findings:
        del schema
        self._fail(self.before, files)
        return Findings(notices=frozenset(str(file.seq_num) for file in files))

    def read(self, files: Sequence[FileEntry], schema: Schema) -> Iterator[ReadBatch]:
        del schema
        for file in files:
            self._fail(self.before, [file])
            yield self._row(file)
            self._fail(self.between, [file])
            yield self._row(file)

    def _row(self, file: FileEntry) -> ReadBatch:
        rows = pa.RecordBatch.from_pydict({"n": pa.array([file.seq_num], pa.int32())})
        return ReadBatch(rows, Findings(), files=((file, 1),))

    def _fail(self, failures: Failures, files: Sequence[FileEntry]) -> None:
        for file in files:
            match failures.get(file.seq_num):
                case None:
                    continue
                case kind:
                    raise kind(file.uri)


@pytest.fixture
def files(tmp_path: Path) -> list[FileEntry]:
    entries = []
    for number in (1, 2, 3):
        (tmp_path / str(number)).touch()
        path = str(tmp_path / str(number)).encode()
        entries.append(FileEntry(SeqNum(number), path, 0, 0))
    return entries


def read(
    files: Sequence[FileEntry], inner: Failing, *, missing: bool = False, corrupt: bool = False
) -> tuple[list[int], list[tuple[str, str]]]:
    """Read all; give the rows, and which file was skipped for what."""
    batches = list(
        ForgivingFormat(inner, None, missing=missing, corrupt=corrupt).read(files, SCHEMA)
    )
    assert all(batch.rows.schema.names == ["n"] for batch in batches)
    rows = [n for batch in batches for n in batch.rows.column(0).to_pylist()]
    losses = [loss for batch in batches for loss in batch.findings.losses]
    return rows, [(loss.file[-1], loss.reason.partition(":")[0]) for loss in losses]


def test_corrupt_file_is_skipped_and_the_others_are_read(files: list[FileEntry]) -> None:
    found = read(files, Failing({2: damaged}, {}), corrupt=True)
    reason = "file is corrupt, its rest is skipped (ignoreCorruptFiles)"
    assert found == ([1, 1, 3, 3], [("2", reason)])


def test_what_was_read_before_the_damage_stays(files: list[FileEntry]) -> None:
    rows, losses = read(files, Failing({}, {2: damaged}), corrupt=True)
    assert (rows, [file for file, _ in losses]) == ([1, 1, 2, 3, 3], ["2"])


@pytest.mark.parametrize("failure", [unreadable, FileChangedError, FileMissingError])
def test_what_is_no_damage_is_not_skipped(
    failure: Callable[[str], ReadError], files: list[FileEntry]
) -> None:
    with pytest.raises((FileNotReadableError, FileChangedError, FileMissingError)):
        read(files, Failing({2: failure}, {}), corrupt=True)


def test_missing_file_is_skipped(files: list[FileEntry], tmp_path: Path) -> None:
    (tmp_path / "2").unlink()
    found = read(files, Failing({2: FileMissingError}, {}), missing=True)
    assert found == ([1, 1, 3, 3], [("2", "file is gone (ignoreMissingFiles)")])


def test_file_that_vanishes_before_a_row_is_read_is_skipped(files: list[FileEntry]) -> None:
    found = read(files, Failing({1: FileMissingError}, {}), missing=True)
    assert found == ([2, 2, 3, 3], [("1", "file is gone (ignoreMissingFiles)")])


def test_file_that_vanishes_later_fails_the_batch(files: list[FileEntry]) -> None:
    with pytest.raises(FileMissingError):
        read(files, Failing({2: FileMissingError}, {}), missing=True)


def test_inference_and_headers_go_on_without_corrupt_files(files: list[FileEntry]) -> None:
    inner = Failing({1: damaged, 3: damaged}, {})
    forgiving = ForgivingFormat(inner, None, missing=False, corrupt=True)
    found = (forgiving.infer(files).schema, forgiving.look(files, SCHEMA).notices)
    assert found == (SCHEMA, frozenset({"2"}))

"""A format whose corrupt or missing files are skipped (`ignoreCorruptFiles`, `ignoreMissingFiles`).

As in Spark (`FileScanRDD`), what was read of a corrupt file before the damage stays, and files that
may not be read are no corrupt ones. Each file that is skipped is an entry of the loss ledger.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import pyarrow as pa

from ingest.arrow import to_arrow_schema
from ingest.errors import (
    CompressedFileError,
    DamagedParquetError,
    DamagedParquetPagesError,
    FileMissingError,
    ForeignFormatError,
    ReadError,
)
from ingest.ledger import LedgerEntry, LossKind
from ingest.read_batch import Findings, ReadBatch
from schema_store.types import Field, StringType, StructType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ingest.file_entry import FileEntry
    from ingest.formats import Format
    from ingest.read_batch import Inferred
    from ingest.stream_options import DiscoveryOptions, ReadSettings
    from schema_store.types import Schema

_T = TypeVar("_T")

CORRUPT = (CompressedFileError, DamagedParquetError, DamagedParquetPagesError, ForeignFormatError)
"""What a reader says of a file that `ignoreCorruptFiles` skips."""


def forgiving(inner: Format, discovery: DiscoveryOptions, settings: ReadSettings) -> Format:
    """Let a format skip the files that the options let it skip; without them it stays as it is."""
    if not (discovery.ignore_missing_files or discovery.ignore_corrupt_files):
        return inner
    return ForgivingFormat(
        inner,
        settings.rescued_column,
        missing=discovery.ignore_missing_files,
        corrupt=discovery.ignore_corrupt_files,
    )


@dataclass(frozen=True, slots=True)
class ForgivingFormat:
    """Another format, without the files that it fails on."""

    inner: Format
    rescued_column: str | None
    missing: bool
    corrupt: bool

    def infer(self, files: Sequence[FileEntry]) -> Inferred:
        """Give the schema of the files that can be read."""
        return self._without_bad(files, self.inner.infer)

    def look(self, files: Sequence[FileEntry], schema: Schema) -> Findings:
        """Find unknown fields in the files that can be read."""
        return self._without_bad(files, lambda good: self.inner.look(good, schema))

    def read(self, files: Sequence[FileEntry], schema: Schema) -> Iterator[ReadBatch]:
        """Read consecutive files; one that is skipped gives a batch without rows.

        Where corrupt files are skipped each is read by itself, so that the others keep their rows.
        A file that vanishes after all were looked for is skipped too, unless rows of files read
        together with it are gone to the sink: then it is missing, and skipped in the replay.
        """
        for group in [[file] for file in files] if self.corrupt else [list(files)]:
            yield from self._read_group(group, schema)

    def _read_group(self, group: list[FileEntry], schema: Schema) -> Iterator[ReadBatch]:
        gone = [file for file in group if self.missing and not os.path.lexists(file.path)]
        for file in gone:
            yield self._skipped(file, _missing(file), schema)
        left = [file for file in group if file not in gone]
        while left:
            given = False
            try:
                for batch in self.inner.read(left, schema):
                    yield batch
                    given = True
            except ReadError as error:
                bad = self._forgiven(left, error)
                if bad is None or (given and not self.corrupt):
                    raise
                left = [file for file in left if file is not bad]
                yield self._skipped(bad, _reason(bad, error), schema)
            else:
                return

    def _without_bad(
        self, files: Sequence[FileEntry], call: Callable[[Sequence[FileEntry]], _T]
    ) -> _T:
        """Call with all files, and again without each one that it fails on and that is forgiven."""
        left = list(files)
        while True:
            try:
                return call(left)
            except ReadError as error:
                bad = self._forgiven(left, error)
                if bad is None:
                    raise
                left = [file for file in left if file is not bad]

    def _forgiven(self, files: list[FileEntry], error: ReadError) -> FileEntry | None:
        """Give the file that the error is about, None if it is not to be skipped."""
        kinds = (*(CORRUPT if self.corrupt else ()), *((FileMissingError,) if self.missing else ()))
        if not isinstance(error, kinds):
            return None
        return next((file for file in files if file.uri == error.where), None)

    def _skipped(self, file: FileEntry, loss: LedgerEntry, schema: Schema) -> ReadBatch:
        rescued = self.rescued_column
        extra = () if rescued is None else (Field(rescued, StringType()),)
        columns = to_arrow_schema(StructType((*schema.fields, *extra)))
        rows = pa.RecordBatch.from_pylist([], schema=columns)
        return ReadBatch(rows, Findings(losses=(loss,)), files=((file, 0),))


def _missing(file: FileEntry) -> LedgerEntry:
    return _loss(file, "file is gone (ignoreMissingFiles)")


def _reason(file: FileEntry, error: ReadError) -> LedgerEntry:
    if isinstance(error, FileMissingError):
        return _missing(file)
    return _loss(file, f"file is corrupt, its rest is skipped (ignoreCorruptFiles): {error.found}")


def _loss(file: FileEntry, reason: str) -> LedgerEntry:
    return LedgerEntry(LossKind.DROPPED, file.uri, None, reason, 1, ())

"""The format `binaryFile`: a row for each file, with its path, time, length and bytes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from io import FileIO
from typing import TYPE_CHECKING

import pyarrow as pa

from ingest.arrow import to_arrow_type
from ingest.errors import FileChangedError, FileMissingError, FileNotReadableError
from ingest.formats.fixed_schemas import BINARY_SCHEMA
from ingest.read_batch import Findings, Inferred, ReadBatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.file_entry import FileEntry
    from ingest.stream_options import ReadSettings
    from schema_store.types import Schema

_BATCH_SIZE = 16 << 20
_BATCH_FILES = 1000
_MILLISECOND = 1_000_000
_MICROS = 1000


@dataclass(frozen=True, slots=True)
class BinaryFormat:
    """Files as they are: the schema is fixed.

    `read` raises `FileMissingError`, `FileNotReadableError`, `FileChangedError`.
    """

    settings: ReadSettings

    def infer(self, files: Sequence[FileEntry]) -> Inferred:  # noqa: ARG002 - the schema is fixed
        """Give the fixed schema."""
        return Inferred(BINARY_SCHEMA, frozenset(), frozenset())

    def look(self, files: Sequence[FileEntry], schema: Schema) -> Findings:  # noqa: ARG002
        """Find nothing: no file has other columns."""
        return Findings()

    def read(self, files: Sequence[FileEntry], schema: Schema) -> Iterator[ReadBatch]:
        """Read consecutive files, several into one batch."""
        rows: list[dict[str, object]] = []
        taken: list[FileEntry] = []
        size = 0
        for file in files:
            row, length = _read_file(file)
            rows.append(row)
            taken.append(file)
            size += length
            if size >= _BATCH_SIZE or len(rows) >= _BATCH_FILES:
                yield self._batch(rows, taken, schema)
                rows, taken, size = [], [], 0
        if rows:
            yield self._batch(rows, taken, schema)

    def _batch(
        self, rows: list[dict[str, object]], files: list[FileEntry], schema: Schema
    ) -> ReadBatch:
        columns = [
            pa.array([row.get(field.name) for row in rows], to_arrow_type(field.data_type))
            for field in schema
        ]
        names = list(schema.names)
        if self.settings.rescued_column is not None:
            columns.append(pa.nulls(len(rows), pa.string()))
            names.append(self.settings.rescued_column)
        found = pa.RecordBatch.from_arrays(columns, names=names)
        return ReadBatch(found, Findings(), (), tuple((file, 1) for file in files))


def _read_file(file: FileEntry) -> tuple[dict[str, object], int]:
    """Read a file whole; its time is cut to milliseconds, as Hadoop knows it."""
    try:
        with FileIO(os.fsdecode(file.path)) as handle:
            before = os.fstat(handle.fileno())
            content = handle.readall() or b""
            after = os.fstat(handle.fileno())
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileMissingError(file.uri) from error
    except OSError as error:
        raise FileNotReadableError(file.uri, error.strerror or str(error)) from error
    state = (before.st_size, before.st_mtime_ns)
    if state != (after.st_size, after.st_mtime_ns) or len(content) != before.st_size:
        raise FileChangedError(file.uri)
    micros = before.st_mtime_ns // _MILLISECOND * _MICROS
    row: dict[str, object] = {
        "path": file.uri,
        "modificationTime": micros,
        "length": len(content),
        "content": content,
    }
    return row, len(content)

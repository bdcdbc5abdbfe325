"""Open a Parquet file: what it is, and its footer.

This is where the disk is read. A file must not change while it is read (contract 11.13), must be
Parquet, and whole (contract 10). A file of zero bytes has no rows (contract 11.22).
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.errors import (
    DamagedParquetError,
    FileChangedError,
    FileMissingError,
    FileNotReadableError,
)
from ingest.formats.foreign_formats import refuse_other_than
from ingest.formats.parquet_fields import file_fields

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from ingest.file_entry import FileEntry
    from ingest.formats.parquet_fields import FileField

PARQUET = "Parquet"
IN_MEMORY = 16 << 20
"""Bytes of a file that is read at once, before it is decoded."""
_PEEK_SIZE = 64


@dataclass(frozen=True, slots=True)
class OpenedParquet:
    """A Parquet file whose footer has been read; `source` is its content, or its path."""

    file: FileEntry
    source: bytes | str
    reader: pq.ParquetFile
    fields: tuple[FileField, ...]

    @property
    def metadata(self) -> dict[bytes, bytes]:
        """The writer's own key-value metadata."""
        return self.reader.metadata.metadata or {}

    @property
    def height(self) -> int:
        """The number of rows."""
        return int(self.reader.metadata.num_rows)


@contextmanager
def open_parquet(file: FileEntry, *, whole: bool = False) -> Generator[OpenedParquet | None]:
    """Open a file; None for one of zero bytes. `whole`: more than its footer is wanted.

    Raises `FileMissingError`, `FileNotReadableError`, `ForeignFormatError`, `DamagedParquetError`,
    and at the end `FileChangedError`.
    """
    with _opened(file) as handle:
        before = os.fstat(handle.fileno())
        if before.st_size == 0:
            yield None
            return
        refuse_other_than(PARQUET, file, handle.read(_PEEK_SIZE) or b"")
        handle.seek(0)
        small = before.st_size <= IN_MEMORY
        content = handle.read(before.st_size) if small and whole else None
        yield _read_footer(file, content)
        after = os.fstat(handle.fileno())
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise FileChangedError(file.uri)


@contextmanager
def _opened(file: FileEntry) -> Iterator[FileIO]:
    try:
        handle = FileIO(os.fsdecode(file.path))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileMissingError(file.uri) from error
    except OSError as error:
        raise FileNotReadableError(file.uri, error.strerror or str(error)) from error
    with handle:
        yield handle


def _read_footer(file: FileEntry, content: bytes | None) -> OpenedParquet:
    try:
        source = pa.OSFile(file.path) if content is None else pa.BufferReader(content)
        reader = pq.ParquetFile(
            source, coerce_int96_timestamp_unit="us", page_checksum_verification=True
        )
        named = os.fsdecode(file.path) if content is None else content
        return OpenedParquet(file, named, reader, file_fields(reader))
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DamagedParquetError(file.uri, _reason(error)) from error


def _reason(error: Exception) -> str:
    """Give the first line of what the library says."""
    return str(error).partition("\n")[0].rstrip(".") or type(error).__name__

"""What a file format is to the engine: three functions behind one small protocol.

No engine state reaches a format, so the same functions can run inside a Spark task.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.file_entry import FileEntry
    from ingest.read_batch import Findings, Inferred, ReadBatch
    from schema_store.types import Schema


class Format(Protocol):
    """How files of one format become a schema, and rows under a schema."""

    def infer(self, files: Sequence[FileEntry]) -> Inferred:
        """Give the observed schema of these files, merged in their order."""

    def look(self, files: Sequence[FileEntry], schema: Schema) -> Findings:
        """Find unknown fields by what is cheap to see (headers, footers) without reading rows."""

    def read(self, files: Sequence[FileEntry], schema: Schema) -> Iterator[ReadBatch]:
        """Read consecutive files under the schema."""

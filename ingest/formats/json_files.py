"""JSON files: records to an observed schema, and to record batches under a schema."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from ingest.ahead import map_ahead
from ingest.formats.json_batches import make_batch
from ingest.formats.json_fast import BlockReader, Learned
from ingest.formats.json_fast_inference import TypeFinder
from ingest.formats.json_inference import (
    NOTHING,
    InferenceRules,
    canonical_schema,
    merge_records,
    string_schema,
)
from ingest.formats.json_lines import read_blocks
from ingest.formats.json_rows import target_of
from ingest.read_batch import Findings, Inferred
from ingest.rescue import FILE_PATH
from ingest.stream_options import ParseMode
from schema_store.types import StructType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.file_entry import FileEntry
    from ingest.read_batch import ReadBatch
    from ingest.stream_options import JsonOptions, ReadSettings
    from schema_store.types import Schema


@dataclass(frozen=True, slots=True)
class JsonFormat:
    """JSON: one object a line, or a file of one value under `multiLine`.

    `infer` and `read` raise `FileMissingError`, `FileNotReadableError`, `FileChangedError`,
    `ForeignFormatError`, `CompressedFileError`, and `MalformedRecordError` in FAILFAST.
    """

    json: JsonOptions
    settings: ReadSettings
    learned: Learned = field(default_factory=Learned, compare=False)

    def infer(self, files: Sequence[FileEntry]) -> Inferred:
        """Give the merged type of all records, sorted by name; all STRING unless `typed`."""
        first = NOTHING if not files else self._infer_file(files[0], NOTHING)
        others = map_ahead(partial(self._infer_file, start=first), files[1:])
        observed = merge_records(first, others)
        reserved = {self.settings.rescued_column, FILE_PATH} if self._rescues else set()
        observed = StructType(tuple(one for one in observed if one.name not in reserved))
        schema = (canonical_schema if self.settings.typed else string_schema)(observed, self._rules)
        return Inferred(schema, frozenset(), frozenset())

    def look(self, files: Sequence[FileEntry], schema: Schema) -> Findings:  # noqa: ARG002 - records have to be read
        """Find nothing: JSON says nowhere beforehand which fields there are."""
        return Findings()

    def read(self, files: Sequence[FileEntry], schema: Schema) -> Iterator[ReadBatch]:
        """Read consecutive files; rows come in file order, a block at a time."""
        target = target_of(schema, self.settings, self.json.syntax)
        reader = BlockReader(target, self.learned)
        for file in files:
            before = 0
            for block in read_blocks(file, self.json):
                rows = reader.read(block)
                if rows.height or rows.odd:
                    yield make_batch(rows, target, file, before)
                before += rows.height

    @property
    def _rescues(self) -> bool:
        return self.settings.rescued_column is not None

    @property
    def _rules(self) -> InferenceRules:
        return InferenceRules(
            prefers_decimal=self.settings.prefers_decimal,
            infer_timestamp=self.json.infer_timestamp,
            primitives_as_string=self.json.primitives_as_string,
            drop_field_if_all_null=self.json.drop_field_if_all_null,
            text=self.settings.text,
        )

    def _infer_file(self, file: FileEntry, start: StructType) -> StructType:
        """Give the type of the file's records merged into the type of others."""
        finder = TypeFinder(
            start,
            self._rules,
            self.json.syntax,
            typed=self.settings.typed or self.json.drop_field_if_all_null,
            fails=self.settings.parse_mode is ParseMode.FAILFAST,
        )
        for block in read_blocks(file, self.json):
            finder.add(block, file)
        return finder.observed

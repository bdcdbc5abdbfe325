"""CSV files: header and rows to an observed schema, and to record batches under a schema."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ingest.ahead import map_ahead
from ingest.formats.csv_bytes import read_first_lines, reads_plain_lines
from ingest.formats.csv_chunks import find_row, read_chunks, split_first
from ingest.formats.csv_findings import Target
from ingest.formats.csv_header import (
    COMMA_SPACE_NOTICE,
    Header,
    Layout,
    find_header,
    find_layout,
    has_header,
)
from ingest.formats.csv_inference import fold_column
from ingest.formats.csv_limits import RefusedRecordError
from ingest.formats.csv_lines import cut_block
from ingest.formats.csv_rows import read_chunk
from ingest.formats.small_files import SmallFiles
from ingest.read_batch import Findings, Inferred, UnknownField
from ingest.rescue import FILE_PATH
from ingest.text.text_types import TextType, merge_text_types
from schema_store.types import DataType, Field, NullType, Schema, StringType, StructType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.file_entry import FileEntry
    from ingest.formats.csv_chunks import Chunk
    from ingest.read_batch import ReadBatch
    from ingest.stream_options import CsvOptions, ReadSettings


@dataclass(frozen=True, slots=True)
class CsvFormat:
    """CSV: every file has its own header.

    Every function raises `FileMissingError`, `FileNotReadableError`, `FileChangedError`,
    `ForeignFormatError`, `ColumnNameCollisionError`, `RescuedColumnInDataError`; `read` also
    `MalformedRecordError`. Also `CompressedFileError`, `RecordNotReadableError`.
    """

    csv: CsvOptions
    settings: ReadSettings
    small_files: SmallFiles = field(default_factory=SmallFiles, compare=False)

    def infer(self, files: Sequence[FileEntry]) -> Inferred:
        """Give the union of the files' columns, in the order in which they are met.

        Names equal ignoring case are one column, in the first spelling (contract 2.5). Types are
        folded file by file and merged in the given order (contract 2.3); all are STRING unless
        `typed`.
        """
        self.small_files.forget()
        spelling: dict[str, str] = {}
        types: dict[str, TextType] = {}
        notices: set[str] = set()
        for header, found in map_ahead(self._header_and_types, files):
            if header is None:
                continue
            notices |= _notices(header)
            for name, text_type in zip(header.names, found, strict=True):
                if self.settings.rescued_column is not None and name == FILE_PATH:
                    continue
                folded = name.lower()
                spelling.setdefault(folded, name)
                known = types.get(folded, TextType())
                types[folded] = merge_text_types(known, text_type, self.settings.text)
        fields = tuple(
            Field(name, _or_string(types[folded].data_type)) for folded, name in spelling.items()
        )
        beyond = (name for folded, name in spelling.items() if types[folded].beyond_decimal)
        return Inferred(StructType(fields), frozenset(beyond), frozenset(notices))

    def look(self, files: Sequence[FileEntry], schema: Schema) -> Findings:
        """Find unknown fields in the files' headers."""
        unknown: list[UnknownField] = []
        known: dict[str, tuple[Header, Layout]] = {}
        self.small_files.forget()
        for file in files:
            line, _ = split_first(self._first_lines(file), header=True)
            if line is None:
                continue
            if line not in known:
                header = find_header(file.uri, line, self.csv, self.settings)
                known[line] = header, find_layout(header, schema, self.settings)
            _, layout = known[line]
            unknown += [
                UnknownField((name,), file, "")
                for position, name in layout.unknown
                if position in layout.evolving
            ]
        notices = {notice for header, _ in known.values() for notice in _notices(header)}
        return Findings(unknown=tuple(unknown), notices=frozenset(notices))

    def read(self, files: Sequence[FileEntry], schema: Schema) -> Iterator[ReadBatch]:
        """Read consecutive files; rows come in file order, a chunk at a time."""
        before: dict[int, int] = {}
        known: dict[str, tuple[Header, Target]] = {}
        held = self.small_files
        for chunk in read_chunks(files, self.csv, header=self._has_header, held=held):
            if chunk.first_line not in known:
                header = find_header(chunk.file.uri, chunk.first_line, self.csv, self.settings)
                layout = find_layout(header, schema, self.settings)
                known[chunk.first_line] = header, Target(schema, layout, self.settings)
            header, target = known[chunk.first_line]
            with _refusals_named(chunk):
                batch = read_chunk(chunk, header.dialect, target, before)
            notices = Findings(notices=frozenset(_notices(header)))
            yield replace(batch, findings=batch.findings + notices)

    def _first_lines(self, file: FileEntry) -> bytes:
        lines = self.small_files.look(file) if reads_plain_lines(self.csv) else None
        return read_first_lines(file, self.csv, header=self._has_header) if lines is None else lines

    @property
    def _has_header(self) -> bool:
        return has_header(self.csv, self.settings)

    def _header(self, file: FileEntry) -> Header | None:
        """Give the file's header; None for a file without a record."""
        line, _ = split_first(self._first_lines(file), header=True)
        return None if line is None else find_header(file.uri, line, self.csv, self.settings)

    def _header_and_types(self, file: FileEntry) -> tuple[Header | None, list[TextType]]:
        header = self._header(file)
        return header, [] if header is None else self._infer_file(file, header)

    def _infer_file(self, file: FileEntry, header: Header) -> list[TextType]:
        if not self.settings.typed:
            return [TextType(StringType())] * len(header.names)
        types = [TextType()] * len(header.names)
        held = self.small_files
        for chunk in read_chunks([file], self.csv, header=header.is_line, held=held):
            with _refusals_named(chunk):
                cells = cut_block(chunk.block, len(header.names), header.dialect)
            types = [
                fold_column(
                    column,
                    known,
                    prefers_decimal=self.settings.prefers_decimal,
                    rules=self.settings.text,
                )
                for column, known in zip(cells.columns, types, strict=True)
            ]
        return types


@contextmanager
def _refusals_named(chunk: Chunk) -> Iterator[None]:
    """Say in which file a record was that an option forbids."""
    try:
        yield
    except RefusedRecordError as error:
        file, _ = find_row(chunk, error.row)
        raise error.in_file(file.uri) from error


def _notices(header: Header) -> set[str]:
    return {COMMA_SPACE_NOTICE} if header.comma_space else set()


def _or_string(data_type: DataType) -> DataType:
    return StringType() if isinstance(data_type, NullType) else data_type

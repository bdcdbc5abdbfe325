"""The format `text`: one STRING column, a row for each line or for each file.

Content is read as it is, whatever `encoding` says: that is the encoding of the line separator alone
(Databricks, "Auto Loader options"). Bytes that are not UTF-8 become U+FFFD, as when Spark shows
them, with a ledger entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from ingest.arrow import to_arrow_type
from ingest.formats.file_bytes import UTF_8, read_pieces
from ingest.formats.fixed_schemas import TEXT_SCHEMA
from ingest.formats.parquet_values import NOT_UTF_8, to_text
from ingest.ledger import MAX_EXAMPLE_LENGTH, MAX_EXAMPLES, LedgerEntry, LossExample, LossKind
from ingest.read_batch import Findings, Inferred, ReadBatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ingest.file_entry import FileEntry
    from ingest.stream_options import ReadSettings, TextFileOptions
    from schema_store.types import Schema

_PIECE_SIZE = 8 << 20


@dataclass(frozen=True, slots=True)
class TextFormat:
    """Text: the schema is fixed, so nothing is unknown and nothing misfits.

    `read` raises what `file_bytes.read_pieces` raises.
    """

    text: TextFileOptions
    settings: ReadSettings

    def infer(self, files: Sequence[FileEntry]) -> Inferred:  # noqa: ARG002 - the schema is fixed
        """Give the fixed schema."""
        return Inferred(TEXT_SCHEMA, frozenset(), frozenset())

    def look(self, files: Sequence[FileEntry], schema: Schema) -> Findings:  # noqa: ARG002
        """Find nothing: no file has other columns."""
        return Findings()

    def read(self, files: Sequence[FileEntry], schema: Schema) -> Iterator[ReadBatch]:
        """Read consecutive files; rows come in file order."""
        for file in files:
            before = 0
            for lines in self._rows(file):
                yield self._batch(file, schema, lines, before)
                before += len(lines)

    def _rows(self, file: FileEntry) -> Iterator[list[bytes]]:
        whole = self.text.whole
        pieces = read_pieces(file, UTF_8, size=_PIECE_SIZE, drop_bom=not whole)
        if whole:
            content = b"".join(pieces)
            yield [content]
            return
        separator = self.text.line_sep
        encoded = None if separator is None else separator.encode(self.text.encoding)
        yield from cut_lines(pieces, encoded)

    def _batch(self, file: FileEntry, schema: Schema, lines: list[bytes], before: int) -> ReadBatch:
        read = to_text(pa.array(lines, pa.binary()))
        columns: list[pa.Array] = [read.values, *self._empty_columns(schema, len(lines))]
        names = [*schema.names]
        if self.settings.rescued_column is not None:
            names.append(self.settings.rescued_column)
        losses = tuple(
            _entry(file, schema.names[0], changed.places.to_list(), lines, before)
            for changed in read.changed
        )
        rows = pa.RecordBatch.from_arrays(columns, names=names)
        return ReadBatch(rows, Findings(losses=losses), (), ((file, len(lines)),))

    def _empty_columns(self, schema: Schema, height: int) -> Iterator[pa.Array]:
        """Give the other columns that are asked for: a file has no values for them."""
        for field in schema.fields[1:]:
            yield pa.nulls(height, to_arrow_type(field.data_type))
        if self.settings.rescued_column is not None:
            yield pa.nulls(height, pa.string())


def cut_lines(pieces: Iterable[bytes], separator: bytes | None) -> Iterator[list[bytes]]:
    r"""Cut text into lines at a separator, None for `\n`, `\r\n` and `\r` (Hadoop's line reader).

    A separator at the very end does not begin another line.

    >>> list(cut_lines([b"a\r", b"\nb\n", b"c"], None))
    [[b'a', b'b'], [b'c']]
    """
    rest = b""
    for piece in pieces:
        text = rest + piece
        end = _end_of_lines(text, separator)
        rest = text[end:]
        if end:
            yield _cut(text[:end], separator)
    if rest:
        yield _cut(rest, separator)


def _end_of_lines(text: bytes, separator: bytes | None) -> int:
    r"""Tell where the last whole line ends; `\r` at the end may be half of a line end."""
    if separator is not None:
        at = text.rfind(separator)
        return 0 if at < 0 else at + len(separator)
    body = text.removesuffix(b"\r")
    return max(body.rfind(b"\n"), body.rfind(b"\r")) + 1


def _cut(text: bytes, separator: bytes | None) -> list[bytes]:
    if separator is None:
        return text.splitlines()
    return text.removesuffix(separator).split(separator)


def _entry(
    file: FileEntry, column: str, places: list[int], lines: list[bytes], before: int
) -> LedgerEntry:
    examples = tuple(
        LossExample(before + at + 1, lines[at].decode("utf-8", "replace")[:MAX_EXAMPLE_LENGTH])
        for at in places[:MAX_EXAMPLES]
    )
    return LedgerEntry(LossKind.CHANGED, file.uri, column, NOT_UTF_8, len(places), examples)

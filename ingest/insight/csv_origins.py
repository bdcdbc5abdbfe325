"""Which cell decided the type of a CSV column.

The same fold as `CsvFormat.infer` in the same order, cut in halves until the row is found at which
the running type changes. Whether that cell alone decided is found by folding again without its text
(all cells that hold it): the type of a column of text rests on its order (Spark's ladder), so
nothing less than the fold itself tells.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.formats.csv_chunks import read_chunks
from ingest.formats.csv_header import find_header, has_header
from ingest.formats.csv_inference import fold_column
from ingest.formats.csv_lines import cut_block
from ingest.insight.origins import MAX_VALUE_LENGTH, Origin, TypeChange, Without
from ingest.rescue import FILE_PATH
from ingest.text.text_types import TextType, merge_text_types
from schema_store.types import NullType, StringType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import polars as pl

    from ingest.file_entry import FileEntry
    from ingest.stream_options import CsvOptions, ReadSettings

ROUNDS = 3
"""Texts that are left out at most, one after the other, to see whether a column is text."""

NO_TEXTS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CsvColumns:
    """Where columns of text are read from."""

    files: Sequence[FileEntry]
    csv: CsvOptions
    settings: ReadSettings

    def chunks(self) -> Iterator[tuple[FileEntry, int, dict[str, pl.Series]]]:
        """Give cells by column name: their file, and how many of its rows came before."""
        with_header = has_header(self.csv, self.settings)
        for file in self.files:
            before = 0
            for chunk in read_chunks([file], self.csv, header=with_header):
                header = find_header(file.uri, chunk.first_line, self.csv, self.settings)
                cells = cut_block(chunk.block, len(header.names), header.dialect)
                named = zip(header.names, cells.columns, strict=True)
                yield file, before, {name: column for name, column in named if self._counts(name)}
                before += cells.columns.height

    def _counts(self, name: str) -> bool:
        return self.settings.rescued_column is None or name != FILE_PATH


@dataclass(slots=True)
class _Folding:
    """A column while files are folded: the merged type of the files before, and of this one."""

    skipped: frozenset[str]
    merged: TextType = field(default_factory=TextType)
    file: FileEntry | None = None
    in_file: TextType = field(default_factory=TextType)
    changes: list[TypeChange] = field(default_factory=list)
    left_out: int = 0

    def total(self, settings: ReadSettings) -> TextType:
        """Give the type of everything so far."""
        return merge_text_types(self.merged, self.in_file, settings.text)


def csv_origins(columns: CsvColumns) -> dict[str, Origin]:
    """Give the origin of each column by its name in lower case."""
    spelling: dict[str, str] = {}
    for _, _, cells in columns.chunks():
        for name in cells:
            spelling.setdefault(name.lower(), name)
    if not columns.settings.typed:
        return {key: Origin((name,), StringType(), ()) for key, name in spelling.items()}
    folded = fold_files(columns, dict.fromkeys(spelling, NO_TEXTS))
    found = {key: _origin(spelling[key], one, columns.settings) for key, one in folded.items()}
    return {key: _with_trial(one, trials) for key, one, trials in _tried(columns, found)}


def fold_files(columns: CsvColumns, wanted: Mapping[str, frozenset[str]]) -> dict[str, _Folding]:
    """Fold columns, by their names in lower case, without some texts; stops when all are STRING."""
    folding = {key: _Folding(skipped) for key, skipped in wanted.items()}
    for file, before, cells in columns.chunks():
        for name, column in cells.items():
            one = folding.get(name.lower())
            if one is not None:
                _fold_cells(one, (file, before), column, columns.settings)
        if all(_is_string(one, columns.settings) for one in folding.values()):
            break
    return folding


def _is_string(one: _Folding, settings: ReadSettings) -> bool:
    return isinstance(one.total(settings).data_type, StringType)


def _fold_cells(
    one: _Folding, place: tuple[FileEntry, int], cells: pl.Series, settings: ReadSettings
) -> None:
    file, before = place
    if one.file != file:
        one.merged, one.in_file, one.file = one.total(settings), TextType(), file
    if one.skipped:
        is_left_out = cells.is_in(list(one.skipped)).fill_null(value=False)
        one.left_out += int(is_left_out.sum())
        cells = cells.zip_with(~is_left_out, cells.clear(len(cells)))
    for row, in_file in _changes(cells, one.in_file, settings):
        was, one.in_file = one.total(settings).data_type, in_file
        now = one.total(settings).data_type
        if now != was:
            first = isinstance(was, NullType)
            value = str(cells[row])[:MAX_VALUE_LENGTH]
            change = TypeChange(file.uri, before + row + 1, value, None if first else was, now)
            one.changes.append(change)


def _changes(
    cells: pl.Series, running: TextType, settings: ReadSettings
) -> Iterator[tuple[int, TextType]]:
    """Give the rows at which the running type changes, and the types from there on."""
    yield from _narrow(cells, 0, (running, _fold(cells, running, settings)), settings)


def _narrow(
    cells: pl.Series, first: int, types: tuple[TextType, TextType], settings: ReadSettings
) -> Iterator[tuple[int, TextType]]:
    running, end = types
    if running == end:
        return
    if len(cells) == 1:
        yield first, end
        return
    half = len(cells) // 2
    middle = _fold(cells.head(half), running, settings)
    yield from _narrow(cells.head(half), first, (running, middle), settings)
    yield from _narrow(cells.slice(half), first + half, (middle, end), settings)


def _fold(cells: pl.Series, running: TextType, settings: ReadSettings) -> TextType:
    return fold_column(
        cells, running, prefers_decimal=settings.prefers_decimal, rules=settings.text
    )


def _origin(name: str, one: _Folding, settings: ReadSettings) -> Origin:
    return Origin((name,), one.total(settings).data_type, tuple(one.changes))


def _tried(
    columns: CsvColumns, found: Mapping[str, Origin]
) -> Iterator[tuple[str, Origin, Without | None]]:
    """Leave out what decided each column, up to three texts of a STRING one."""
    texts: dict[str, tuple[str, ...]] = {
        key: (change.value,)
        for key, one in found.items()
        if (change := one.decided) is not None and change.value is not None
    }
    done: dict[str, Without] = {}
    for _ in range(ROUNDS):
        waiting = {key: frozenset(texts[key]) for key in texts if key not in done}
        if not waiting:
            break
        for key, folding in fold_files(columns, waiting).items():
            observed = folding.total(columns.settings).data_type
            value = folding.changes[-1].value if folding.changes else None
            if isinstance(observed, StringType) and value is not None:
                texts[key] += (value,)
            else:
                done[key] = Without(observed, texts[key], folding.left_out)
    for key, one in found.items():
        kept = Without(one.observed) if key in texts else None
        yield key, one, done.get(key, kept)


def _with_trial(origin: Origin, without: Without | None) -> Origin:
    return Origin(origin.path, origin.observed, origin.changes, without)

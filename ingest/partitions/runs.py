"""Which rows of a read batch are of which file, and what the file's path says of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from ingest.arrow import to_arrow_type
from ingest.partitions.folders import partition_texts, unescape
from ingest.partitions.values import PARTITION_TYPES, is_null, partition_value
from ingest.text.times import SessionTime

if TYPE_CHECKING:
    from ingest.file_entry import FileEntry
    from ingest.read_batch import ReadBatch
    from ingest.stream_options import ReadSettings
    from ingest.text.values import Converted
    from schema_store.types import Field


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive rows of one file; `before` are the rows that came before them in the file."""

    file: FileEntry
    start: int
    rows: int
    before: int


@dataclass(frozen=True, slots=True)
class PathValue:
    """What a path says of one column: the decoded text, None for NULL, and its value."""

    text: str | None
    converted: Converted | None

    @property
    def is_misfit(self) -> bool:
        """Tell whether the text does not fit the column's type."""
        return self.text is not None and self.converted is None


@dataclass(frozen=True, slots=True)
class RunValues:
    """What the paths say of one column, run by run."""

    field: Field
    values: tuple[PathValue, ...]

    def to_arrow(self, runs: tuple[Run, ...]) -> pa.Array:
        """Give the column of all rows."""
        arrow_type = to_arrow_type(self.field.data_type)
        if not runs:
            return pa.array([], arrow_type)
        ends = pa.array([run.start + run.rows for run in runs], pa.int32())
        found = [None if one.converted is None else one.converted.value for one in self.values]
        values = pa.array(found, arrow_type)
        return pc.run_end_decode(pa.RunEndEncodedArray.from_arrays(ends, values))


@dataclass(slots=True)
class Paths:
    """The paths of files that are read one after the other; what was told once is kept."""

    base: bytes
    settings: ReadSettings
    _texts: dict[bytes, dict[str, str]] = field(default_factory=dict)
    _values: dict[tuple[bytes, Field], PathValue] = field(default_factory=dict)
    _read: dict[int, int] = field(default_factory=dict)

    def runs(self, batch: ReadBatch) -> tuple[Run, ...]:
        """Give the runs of the next batch; Arrow does not count rows that have no columns."""
        runs: list[Run] = []
        start = 0
        for file, rows in batch.files:
            before = self._read.get(file.seq_num, 0)
            if rows:
                runs.append(Run(file, start, rows, before))
            self._read[file.seq_num] = before + rows
            start += rows
        height = batch.rows.num_rows if batch.rows.num_columns else start
        assert start == height, "every row is of one of the batch's files"
        return tuple(runs)

    def values(self, runs: tuple[Run, ...], column: Field) -> RunValues:
        """Tell the values of a column of these runs."""
        folders = (run.file.path.rpartition(b"/")[0] for run in runs)
        return RunValues(column, tuple(self._value(folder, column) for folder in folders))

    def _value(self, folder: bytes, column: Field) -> PathValue:
        key = (folder, column)
        if key not in self._values:
            if folder not in self._texts:
                self._texts[folder] = partition_texts(self.base, folder)
            self._values[key] = self._convert(self._texts[folder], column)
        return self._values[key]

    def _convert(self, texts: dict[str, str], column: Field) -> PathValue:
        text = texts.get(column.name.lower())
        if text is None or is_null(text):
            return PathValue(None, None)
        if not isinstance(column.data_type, PARTITION_TYPES):
            return PathValue(unescape(text), None)
        session = SessionTime(self.settings.time_zone, self.settings.today)
        exact = self.settings.exact_decimals
        value = partition_value(text, column.data_type, session, exact_decimals=exact)
        return PathValue(unescape(text), value)

"""A tiny format for tests of the engine: one JSON object a line, INT, BIGINT and STRING."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import orjson
import pyarrow as pa

from ingest.arrow import to_arrow_type
from ingest.errors import FileMissingError, MalformedRecordError
from ingest.ledger import LedgerEntry, LossExample, LossKind
from ingest.read_batch import Findings, Inferred, Misfits, ReadBatch, UnknownField
from schema_store.merge import merge_types
from schema_store.types import DataType, Field, IntegerType, LongType, NullType, Schema, StringType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.file_entry import FileEntry
    from ingest.stream_options import ReadSettings

Record = dict[str, object]

ROWS_PER_BATCH = 2
INT_RANGE = range(-(2**31), 2**31)


@dataclass(frozen=True, slots=True)
class FakeFormat:
    """The format; `opened` tells which files were read, `looks` whether `look` sees anything."""

    settings: ReadSettings
    looks: bool = True
    opened: list[str] = field(default_factory=list)

    def infer(self, files: Sequence[FileEntry]) -> Inferred:
        types: dict[str, DataType] = {}
        for file in files:
            for record in _records(file):
                for name, value in record.items():
                    observed = _type_of(value) if self.settings.typed else _text_or_null(value)
                    types[name] = merge_types(types.get(name, NullType()), observed)
        fields = tuple(Field(name, data_type) for name, data_type in types.items())
        return Inferred(Schema(fields), frozenset(), frozenset())

    def look(self, files: Sequence[FileEntry], schema: Schema) -> Findings:
        findings = Findings()
        for file in files if self.looks else ():
            for record in _records(file):
                findings = findings + Findings(unknown=_unknown(record, file, schema))
        return findings

    def read(self, files: Sequence[FileEntry], schema: Schema) -> Iterator[ReadBatch]:
        for file in files:
            self.opened.append(os.path.basename(os.fsdecode(file.path)))  # noqa: PTH119 - bytes
            records = _records(file)
            for start in range(0, len(records), ROWS_PER_BATCH):
                yield self._read_batch(records[start : start + ROWS_PER_BATCH], start, file, schema)

    def _read_batch(
        self, records: list[Record], start: int, file: FileEntry, schema: Schema
    ) -> ReadBatch:
        rows: list[Record] = []
        findings = Findings()
        for number, record in enumerate(records, start=start + 1):
            row, met = self._read_record(record, number, file, schema)
            rows.append(row)
            findings = findings + met
        names = [*schema.names]
        types = [to_arrow_type(column.data_type) for column in schema]
        if self.settings.rescued_column is not None:
            names.append(self.settings.rescued_column)
            types.append(pa.string())
        columns = [
            pa.array([row.get(name) for row in rows], kind)
            for name, kind in zip(names, types, strict=True)
        ]
        return ReadBatch(pa.RecordBatch.from_arrays(columns, names=names), findings)

    def _read_record(
        self, record: Record, number: int, file: FileEntry, schema: Schema
    ) -> tuple[Record, Findings]:
        row: Record = {}
        misfits: list[Misfits] = []
        left = {name: value for name, value in record.items() if schema.find(name) is None}
        for column in schema:
            value = record.get(column.name)
            fitting = _fit(value, column.data_type)
            row[column.name] = fitting
            if value is not None and fitting is None:
                left[column.name] = value
                observed = _type_of(value) if self.settings.observe_misfits else None
                misfits.append(Misfits((column.name,), file, 1, str(value), observed))
        unknown = _unknown(record, file, schema)
        rescued = self.settings.rescued_column
        if rescued is None:
            losses = tuple(_loss(file, name, number, value) for name, value in left.items())
            return row, Findings(unknown, tuple(misfits), losses=losses)
        row[rescued] = orjson.dumps(left).decode() if left else None
        return row, Findings(unknown, tuple(misfits), rescued_rows=int(bool(left)))


def _records(file: FileEntry) -> list[Record]:
    try:
        with open(file.path, "rb") as lines:  # noqa: PTH123 - paths are bytes
            return [_record(file, number, line) for number, line in enumerate(lines, start=1)]
    except FileNotFoundError as error:
        raise FileMissingError(file.uri) from error


def _record(file: FileEntry, number: int, line: bytes) -> Record:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise MalformedRecordError(
            file.uri, row=number, record=line.decode(), expected="a JSON object"
        ) from error
    assert isinstance(value, dict)
    return value


def _unknown(record: Record, file: FileEntry, schema: Schema) -> tuple[UnknownField, ...]:
    return tuple(
        UnknownField((name,), file, str(value))
        for name, value in record.items()
        if schema.find(name) is None
    )


def _loss(file: FileEntry, name: str, number: int, value: object) -> LedgerEntry:
    example = LossExample(number, str(value))
    return LedgerEntry(LossKind.DROPPED, file.uri, name, "no column takes it", 1, (example,))


def _type_of(value: object) -> DataType:
    match value:
        case None | {}:
            return NullType()
        case int():
            return IntegerType() if value in INT_RANGE else LongType()
        case _:
            return StringType()


def _text_or_null(value: object) -> DataType:
    return NullType() if isinstance(_type_of(value), NullType) else StringType()


def _fit(value: object, data_type: DataType) -> object:
    match data_type, value:
        case _, None:
            return None
        case StringType(), _:
            return str(value)
        case IntegerType(), int():
            return value if value in INT_RANGE else None
        case LongType(), int():
            return value
        case _:
            return None

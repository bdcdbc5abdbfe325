"""The emulator's answers to question sets, through the options and the CSV format."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import orjson

from ingest.errors import IngestError, OptionError, UnsupportedOptionError
from ingest.file_entry import FileEntry, SeqNum
from ingest.formats.csv_files import CsvFormat
from ingest.options import resolve_options
from schema_store.ddl import parse_ddl
from schema_store.spark_json import schema_to_json
from tests.spark.canonical import canonical_rows
from tests.spark.questions import Kind, QuestionSet
from tests.spark.written import (
    CORRUPT,
    columns_file,
    ddl,
    text_options,
    texts_file,
    write_files,
)

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from schema_store.types import Schema
    from tests.spark.questions import Json

UNSUPPORTED = "unsupported"
"""The answer to everything that is asked with an option that is refused by name."""

INFERRING = {
    "cloudFiles.format": "csv",
    "cloudFiles.schemaLocation": "nowhere",
    "cloudFiles.inferColumnTypes": "true",
}
READING = {"cloudFiles.format": "csv"}
OF_A_STREAM = {"ignoreLeadingWhiteSpace": "false"}
"""Nothing is guessed of blanks (contract 2.4), as in Spark."""


def answer(questions: QuestionSet, folder: Path, day: str) -> list[Json]:
    """Give the emulator's answer to every item; `day` is today."""
    try:
        reader = _Reader(questions, dt.date.fromisoformat(day))
    except UnsupportedOptionError as error:
        return [{UNSUPPORTED: f"{error.key}={error.value}"}] * len(questions.items)
    except OptionError as error:
        return [{"error": str(error)}] * len(questions.items)
    match questions.kind:
        case Kind.TYPES:
            return reader.types(folder)
        case Kind.VALUES:
            return reader.values(folder)
        case Kind.LINES:
            return reader.lines(folder)
        case Kind.ROWS:
            return [reader.rows(file) for file in write_files(questions, folder)]
        case Kind.SCHEMA:
            return [reader.columns(file) for file in write_files(questions, folder)]


def refused(questions: QuestionSet) -> str | None:
    """Name the option of the set that is refused by name, if there is one."""
    try:
        _Reader(questions, dt.date.min)
    except UnsupportedOptionError as error:
        return error.key
    except OptionError:
        return None
    return None


class _Reader:
    """A CSV format set up for a question set."""

    def __init__(self, questions: QuestionSet, today: dt.date) -> None:
        self.questions = questions
        match questions.kind:
            case Kind.TYPES:
                self._schema = None
                more = text_options(inferring=True) | INFERRING
            case Kind.VALUES:
                self._schema = parse_ddl(ddl(("INT", *questions.types)))
                more = text_options(inferring=False) | READING
            case Kind.LINES:
                self._schema = parse_ddl(f"{ddl(questions.types)}, {CORRUPT} STRING")
                more = READING
            case Kind.ROWS:
                self._schema = parse_ddl(ddl(questions.types))
                more = READING
            case Kind.SCHEMA:
                self._schema = None
                more = INFERRING
        self._format = _csv_format(OF_A_STREAM | more | questions.options, self._schema, today)

    def types(self, folder: Path) -> list[Json]:
        file = _land(folder / "columns.csv", columns_file(self.questions.items))
        return [kind for _, kind in self._columns(file)[1:]]

    def values(self, folder: Path) -> list[Json]:
        file = _land(folder / "texts.csv", texts_file(self.questions))
        return [row[1:] for row in self._rows(file)]

    def lines(self, folder: Path) -> list[Json]:
        return self._rows(_land(folder / "lines.csv", "\n".join(self.questions.items) + "\n"))

    def rows(self, file: Path) -> Json:
        try:
            return self._rows(_entry(file))
        except IngestError as error:
            return {"error": type(error).__name__}

    def columns(self, file: Path) -> Json:
        try:
            return self._columns(_entry(file))
        except IngestError as error:
            return {"error": type(error).__name__}

    def _columns(self, file: FileEntry) -> list[list[Json]]:
        schema = orjson.loads(schema_to_json(self._format.infer([file]).schema))
        return [[field["name"], field["type"]] for field in schema["fields"]]

    def _rows(self, file: FileEntry) -> list[Json]:
        assert self._schema is not None, "rows are read under a schema"
        return [
            row
            for batch in self._format.read([file], self._schema)
            for row in _plain_rows(batch.rows)
        ]


def _plain_rows(rows: pa.RecordBatch) -> list[list[Json]]:
    return canonical_rows(rows.columns, rows.num_rows)


def _csv_format(options: dict[str, Any], schema: Schema | None, today: dt.date) -> CsvFormat:
    given = {name: text for name, text in options.items() if name != "inferSchema"}
    resolved = resolve_options(given, conf={}, user_schema=schema, today=today)
    return CsvFormat(resolved.csv, resolved.reading)


def _land(file: Path, text: str) -> FileEntry:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return _entry(file)


def _entry(file: Path) -> FileEntry:
    stat = file.stat()
    return FileEntry(SeqNum(1), bytes(file), stat.st_size, stat.st_mtime_ns)

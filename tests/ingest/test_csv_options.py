"""Options that change how CSV text is cut: Spark's recorded answers on random odd files."""

from __future__ import annotations

import base64
import datetime as dt
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ingest.errors import IngestError, OptionConflictError, OptionValueError
from ingest.formats.csv_files import CsvFormat
from ingest.options import resolve_options
from ingest.stream_options import CsvOptions
from schema_store.types import Field, StringType, StructType
from tests.ingest.csv_support import land

if TYPE_CHECKING:
    from ingest.file_entry import FileEntry
    from ingest.stream_options import StreamOptions

RECORDED = json.loads((Path(__file__).parent / "data" / "spark_csv_options.json").read_text())
SCHEMA = StructType(tuple(Field(f"c{at}", StringType()) for at in range(8)))


def resolve(options: dict[str, Any]) -> StreamOptions:
    return resolve_options(
        {"cloudFiles.format": "csv", **options},
        conf={},
        user_schema=SCHEMA,
        today=dt.date(2026, 11, 30),
    )


@pytest.mark.parametrize("case", RECORDED["files"], ids=lambda case: str(case["options"]))
def test_a_file_is_read_as_spark_reads_it(case: dict[str, Any], tmp_path: Path) -> None:
    content = case["content"].encode() if "content" in case else base64.b64decode(case["bytes"])
    files = land(tmp_path, {f"a.{case.get('ext', 'csv')}": content})
    if case["rows"] is None:  # Spark fails
        with pytest.raises(IngestError):
            read(files, case["options"])
    else:
        assert read(files, case["options"]) == case["rows"]


def read(files: list[FileEntry], options: dict[str, Any]) -> list[list[str | None]]:
    given = resolve(options)
    batches = CsvFormat(given.csv, given.reading).read(files, SCHEMA)
    rows = [row for batch in batches for row in batch.rows.to_pylist()]
    return [_shortened(list(row.values())) for row in rows]


def _shortened(cells: list[str | None]) -> list[str | None]:
    while cells and cells[-1] is None:
        cells.pop()
    return cells


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"escape": ""}, CsvOptions(escape="\0")),
        ({"charToEscapeQuoteEscaping": "\\"}, CsvOptions(escape_of_escape="\\")),
        ({"charToEscapeQuoteEscaping": "\0"}, CsvOptions(escape_of_escape="\0")),
        ({"charToEscapeQuoteEscaping": ""}, CsvOptions()),
        ({"comment": "#"}, CsvOptions(comment="#")),
        ({"comment": "\0"}, CsvOptions()),
        ({"skipRows": 2, "multiLine": True}, CsvOptions(skip_rows=2, multi_line=True)),
        ({"maxCharsPerColumn": "-1", "maxColumns": "3"}, CsvOptions(max_columns=3)),
        ({"maxCharsPerColumn": 9}, CsvOptions(max_chars=9)),
        ({"charset": "utf8"}, CsvOptions()),
        ({"charset": "latin1", "encoding": "UTF-16LE"}, CsvOptions(encoding="utf-16-le")),
        ({"encoding": "Windows-1252"}, CsvOptions(encoding="cp1252")),
        ({"lineSep": "\r\n"}, CsvOptions(line_sep="\r\n")),
    ],
)
def test_options_become_values(options: dict[str, Any], expected: CsvOptions) -> None:
    assert resolve(options).csv == expected


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [
        ("escape", "ab", "one character"),
        ("comment", "##", "one character"),
        ("charToEscapeQuoteEscaping", "ab", "one character"),
        ("lineSep", "", "one or two characters"),
        ("lineSep", "abc", "one or two characters"),
        ("skipRows", "-1", "at least 0"),
        ("maxColumns", "0", "at least 1"),
        ("maxCharsPerColumn", "many", "at least -1"),
        ("encoding", "EBCDIC", "UTF-16LE"),
        ("charset", "", "windows-1252"),
        ("multiLine", "yes", "true or false"),
        ("unescapedQuoteHandling", "KEEP", "SKIP_VALUE"),
    ],
)
def test_a_bad_value_names_what_is_allowed(key: str, value: str, allowed: str) -> None:
    with pytest.raises(OptionValueError) as caught:
        resolve({key: value})
    assert caught.value.where == key
    assert allowed in caught.value.expected


@pytest.mark.parametrize(
    "options",
    [
        {"unescapedQuoteHandling": "SKIP_VALUE", "sep": "||"},
        {"unescapedQuoteHandling": "BACK_TO_DELIMITER", "multiLine": "true"},
        {"lineSep": "|", "sep": "||", "multiLine": "true"},
    ],
)
def test_what_contradicts_itself_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(OptionConflictError):
        resolve(options)

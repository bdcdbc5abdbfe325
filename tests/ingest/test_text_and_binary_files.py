"""The formats with a fixed schema: `text` and `binaryFile`."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest import Session
from ingest.errors import (
    AddNewNotSupportedError,
    IngestError,
    OptionConflictError,
    OptionValueError,
    UnsupportedEvolutionModeError,
)
from ingest.formats.text_files import TextFormat, cut_lines
from ingest.stream_options import TextFileOptions
from schema_store.ddl import parse_ddl, to_ddl
from tests.ingest.csv_support import land, reading

if TYPE_CHECKING:
    from pathlib import Path

MODE = "cloudFiles.schemaEvolutionMode"


def rows_of(folder: Path, content: bytes, **options: Any) -> list[str]:
    files = land(folder, {"a.txt": content})
    file_format = TextFormat(TextFileOptions(**options), reading(rescued_column=None))
    batches = file_format.read(files, parse_ddl("value STRING"))
    return [value for batch in batches for value in batch.rows.column(0).to_pylist()]


def ingest(folder: Path, file_format: str, *, schema: str | None = None, **options: Any) -> Any:
    session = Session(warehouse=folder / "lake")
    reader = session.readStream.format("cloudFiles").option("cloudFiles.format", file_format)
    if schema is not None:
        reader = reader.schema(schema)
    loaded = reader.options(**options).load(folder / "landing")
    stream = loaded.writeStream.format("parquet").option("checkpointLocation", folder / "c")
    stream.trigger(availableNow=True).toTable("t").awaitTermination()
    return session.table("t")


@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        (b"a\nb\r\nc\rd", {}, ["a", "b", "c", "d"]),
        (b"a\n\n", {}, ["a", ""]),
        (b"", {}, []),
        (b"\xef\xbb\xbfa\n", {}, ["a"]),
        ("a\x0bb\x85c\u2028d\n".encode(), {}, ["a\x0bb\x85c\u2028d"]),
        (b"a;b;;c", {"line_sep": ";"}, ["a", "b", "", "c"]),
        (b"a\nb;", {"line_sep": ";"}, ["a\nb"]),
        (b"a\nb\n", {"whole": True}, ["a\nb\n"]),
        (b"x\xffy\n", {}, ["x\ufffdy"]),
    ],
)
def test_text_is_cut_into_rows(
    tmp_path: Path, content: bytes, options: dict[str, Any], expected: list[str]
) -> None:
    assert rows_of(tmp_path, content, **options) == expected


@given(st.lists(st.sampled_from([b"a", b"\r", b"\n", b";", b"xyz"])), st.sampled_from([None, b";"]))
def test_lines_do_not_depend_on_pieces(parts: list[bytes], separator: bytes | None) -> None:
    whole = [line for lines in cut_lines([b"".join(parts)], separator) for line in lines]
    assert [line for lines in cut_lines(parts, separator) for line in lines] == whole


def test_bytes_that_are_not_utf_8_are_told(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.txt": b"ok\nx\xffy\n"})
    file_format = TextFormat(TextFileOptions(), reading(rescued_column=None))
    batches = file_format.read(files, parse_ddl("value STRING"))
    (loss,) = [loss for batch in batches for loss in batch.findings.losses]
    assert (loss.kind.value, loss.column, loss.count) == ("changed", "value", 1)
    assert loss.examples[0].row == 2


def test_text_needs_no_schema_location(tmp_path: Path) -> None:
    land(tmp_path / "landing", {"a.txt": b"a\nb\n"})
    table = ingest(tmp_path, "text")
    assert to_ddl(table.schema) == "value STRING"
    assert sorted(row["value"] for row in table.collect()) == ["a", "b"]


def test_text_takes_another_name_for_its_column(tmp_path: Path) -> None:
    land(tmp_path / "landing", {"a.txt": b"a\n"})
    table = ingest(tmp_path, "text", schema="line STRING", rescuedDataColumn="_rescued")
    assert [row.asDict() for row in table.collect()] == [{"line": "a", "_rescued": None}]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"schema": "value INT"}, OptionConflictError),
        ({MODE: "addNewColumns"}, AddNewNotSupportedError),
        ({"lineSep": ""}, OptionValueError),
        ({"encoding": "no-such"}, OptionValueError),
    ],
)
def test_text_refuses_what_it_cannot_do(
    tmp_path: Path, options: dict[str, Any], error: type[IngestError]
) -> None:
    land(tmp_path / "landing", {"a.txt": b"a\n"})
    with pytest.raises(error):
        ingest(tmp_path, "text", **options)


# contract 4.1
def test_binary_files_are_rows(tmp_path: Path) -> None:
    (file, empty, _) = land(
        tmp_path / "landing", {"a b.bin": b"\x00\xff", "empty.bin": b"", "note.txt": b"no"}
    )
    table = ingest(tmp_path, "binaryFile", **{MODE: "none", "pathGlobFilter": "*.bin"})
    assert to_ddl(table.schema) == (
        "path STRING, modificationTime TIMESTAMP, length BIGINT, content BINARY"
    )
    rows = sorted(table.collect(), key=lambda row: str(row["path"]))
    millis = file.modified_ns // 1_000_000
    assert [(row["path"], row["length"], row["content"]) for row in rows] == [
        (file.uri, 2, b"\x00\xff"),
        (empty.uri, 0, b""),
    ]
    since = rows[0]["modificationTime"] - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    assert since == dt.timedelta(milliseconds=millis)


@pytest.mark.parametrize("mode", [None, "addNewColumns", "rescue", "failOnNewColumns"])
def test_binary_files_take_only_the_mode_none(tmp_path: Path, mode: str | None) -> None:
    land(tmp_path / "landing", {"a.bin": b"x"})
    options = {} if mode is None else {MODE: mode}
    with pytest.raises(UnsupportedEvolutionModeError) as caught:
        ingest(tmp_path, "binaryFile", **options)
    assert caught.value.mode == mode or mode is None
    assert "[CF_UNSUPPORTED_SCHEMA_EVOLUTION_MODE]" in str(caught.value)

"""Records that span lines: found alike in whole files and in pieces, fast and slowly."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.errors import RecordNotReadableError
from ingest.formats import csv_records
from ingest.formats.csv_bytes import read_blocks
from ingest.formats.csv_files import CsvFormat
from ingest.formats.csv_marks import ENDS_TEXT, NOT_BLANK
from ingest.stream_options import CsvOptions, UnescapedQuotes
from schema_store.types import Field, StringType, StructType
from tests.ingest.csv_support import land, reading

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = StructType(tuple(Field(f"c{at}", StringType()) for at in range(4)))
BY_PLACE = reading(user_schema=True)


def records(tmp_path: Path, content: bytes, csv: CsvOptions) -> list[list[str | None]]:
    files = land(tmp_path, {"a.csv": content})
    batches = CsvFormat(csv, BY_PLACE).read(files, SCHEMA)
    rows = [list(row.values())[:4] for batch in batches for row in batch.rows.to_pylist()]
    for row in rows:
        while row and row[-1] is None:
            row.pop()
    return rows


# cases C01, C16, C24; inner line ends like the file's are newlines in Spark 4.3
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'1,"a\nb",2\n3,4\n', [["1", "a\nb", "2"], ["3", "4"]]),
        (b'1,"a\r\nb",2\r\n3,4\r\n', [["1", "a\nb", "2"], ["3", "4"]]),
        (b'1,"a\rb",2\r3,4\r', [["1", "a\nb", "2"], ["3", "4"]]),
        (b'0,1\n1,"a\r\nb"\n', [["0", "1"], ["1", "a\r\nb"]]),
        (b"5,p\r\n6,q\n7,r\r8,s", [["5", "p"], ["6", "q"], ["7", "r"], ["8", "s"]]),
        (b'1,"unclosed\n2,y\n3,z\n', [["1", "unclosed\n2,y\n3,z\n"]]),
        (b'1,"unclosed', [["1", "unclosed"]]),
        (b"1\n\n  \n2", [["1"], ["  "], ["2"]]),
        (b'"a\n\n\nb"\n\n\n', [["a\n\n\nb"]]),
        ('"\ufdd0\n\ufdd2"\n\ufdd7\n'.encode(), [["\ufdd0\n\ufdd2"], ["\ufdd7"]]),
    ],
)
def test_records_span_lines_inside_quotes(
    tmp_path: Path, content: bytes, expected: list[list[str | None]]
) -> None:
    assert records(tmp_path, content, CsvOptions(multi_line=True)) == expected


def test_the_header_may_span_lines(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b'id,"a\nb"\n1,2\n'})
    schema = CsvFormat(CsvOptions(multi_line=True), reading()).infer(files).schema
    assert schema.names == ("id", "a\nb")


def test_the_corrupt_record_column_has_the_text_of_the_file(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b'a,b\r\n1,"x\r\ny",3\r\n'})
    schema = StructType((Field("a", StringType()), Field("_corrupt_record", StringType())))
    (batch,) = CsvFormat(CsvOptions(multi_line=True), reading()).read(files, schema)
    assert batch.rows.to_pylist()[0]["_corrupt_record"] == '1,"x\r\ny",3'


def test_comma_space_files_are_recognized_by_their_header(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b'id, v\n1, "a\nb"\n'})
    schema = StructType((Field("id", StringType()), Field("v", StringType())))
    (batch,) = CsvFormat(CsvOptions(multi_line=True), reading()).read(files, schema)
    assert batch.rows.to_pylist()[0]["v"] == "a\nb"


def test_a_record_without_an_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_records, "RECORD_LIMIT", 1000)
    (file,) = land(tmp_path, {"a.csv": b'id,v\n1,"open\n' + b"2,y\n" * 1000})
    with pytest.raises(RecordNotReadableError) as caught:
        list(read_blocks(file, CsvOptions(multi_line=True), size=100))
    assert (caught.value.where, caught.value.option) == (file.uri, "multiLine")


cells = st.sampled_from(
    ["a", "", "b x", '"a b"', '"x\ny"', '"x\r\ny"', '"a,b"', '""', '"q""q"', '"e\\"e"', 'o"d', "#c"]
)
odd_text = st.text('"\\,;! ab\n\r#\x00é\ufdd0', max_size=12)
lines = st.one_of(st.lists(cells, min_size=1, max_size=5).map(",".join), odd_text)
ends = st.sampled_from(["\n", "\r\n", "\r"])
contents = st.builds(
    lambda texts, end, last: end.join(texts) + (end if last else ""),
    st.lists(lines, max_size=8),
    ends,
    st.booleans(),
)
options = st.builds(
    CsvOptions,
    multi_line=st.just(value=True),
    escape=st.sampled_from(["\\", '"']),
    escape_of_escape=st.sampled_from([None, None, "!"]),
    comment=st.sampled_from([None, None, "#"]),
    line_sep=st.sampled_from([None, None, None, ";", "\n"]),
    unescaped=st.sampled_from(
        [
            UnescapedQuotes.STOP_AT_DELIMITER,
            UnescapedQuotes.STOP_AT_CLOSING_QUOTE,
            UnescapedQuotes.SKIP_VALUE,
        ]
    ),
    ignore_leading_white_space=st.booleans(),
    ignore_trailing_white_space=st.booleans(),
    empty_value=st.sampled_from(["", "EV"]),
)


@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(content=contents, csv=options, size=st.integers(1, 40))
def test_records_are_the_same_however_they_are_found(
    tmp_path: Path, content: str, csv: CsvOptions, size: int
) -> None:
    (file,) = land(tmp_path, {"a.csv": content.encode()})
    fast = b"".join(read_blocks(file, csv, header=False))
    in_pieces = b"".join(read_blocks(file, csv, header=False, size=size))
    rows = records(tmp_path, content.encode(), csv)
    with (
        patch("ingest.formats.csv_records.can_be_plain", return_value=False),
        patch("ingest.formats.csv_lines.can_be_plain", return_value=False),
    ):
        slow = records(tmp_path, content.encode(), csv)
    assert rows == slow
    assert _records_of(in_pieces) == _records_of(fast)


def _records_of(block: bytes) -> list[str]:
    text = block.decode().replace(ENDS_TEXT, "").replace(NOT_BLANK, "")
    return [line for line in text.split("\n") if line]

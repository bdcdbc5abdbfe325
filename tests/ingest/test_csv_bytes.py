"""A file's bytes to lines: encodings, compression, line ends, comments, skipped rows."""

from __future__ import annotations

import bz2
import gzip
import zlib
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from ingest.errors import CompressedFileError, ForeignFormatError, RecordNotReadableError
from ingest.formats.csv_bytes import read_blocks, read_first_lines
from ingest.formats.csv_files import CsvFormat
from ingest.stream_options import CsvOptions, UnescapedQuotes
from schema_store.types import StringType
from tests.ingest.csv_support import land, reading

if TYPE_CHECKING:
    from pathlib import Path

packed = partial(gzip.compress, mtime=0)
TEXT = "id,näme\n1,Malmö\n2,😀\n"


def lines(tmp_path: Path, content: bytes, csv: CsvOptions, *, name: str = "a.csv") -> str:
    """Read in blocks of every odd size; all have to give the same."""
    (file,) = land(tmp_path, {name: content})
    texts = {
        size: b"".join(read_blocks(file, csv, size=size)).decode() for size in (1, 7, 50, 1 << 20)
    }
    assert len(set(texts.values())) == 1, texts
    assert texts[1].startswith(read_first_lines(file, csv).decode()[:5])
    return texts[1]


# contract 11.3
@pytest.mark.parametrize(
    ("codec", "content"),
    [
        ("utf-8", TEXT.encode()),
        ("utf-8", TEXT.encode("utf-8-sig")),
        ("utf-16", TEXT.encode("utf-16")),
        ("utf-16", TEXT.encode("utf-16-be")),
        ("utf-16", b"\xfe\xff" + TEXT.encode("utf-16-be")),
        ("utf-16-le", TEXT.encode("utf-16-le")),
        ("utf-16-le", b"\xff\xfe" + TEXT.encode("utf-16-le")),
        ("utf-16-be", TEXT.encode("utf-16-be")),
        ("utf-32", TEXT.encode("utf-32")),
        ("utf-32", TEXT.encode("utf-32-be")),
        ("utf-32-le", TEXT.encode("utf-32-le")),
        ("utf-32-be", TEXT.encode("utf-32-be")),
    ],
)
@pytest.mark.parametrize("multi_line", [True, False])
def test_a_given_encoding_is_honoured(
    tmp_path: Path, codec: str, content: bytes, *, multi_line: bool
) -> None:
    assert lines(tmp_path, content, CsvOptions(encoding=codec, multi_line=multi_line)) == TEXT


@pytest.mark.parametrize(
    ("codec", "content", "expected"),
    [
        ("iso8859-1", b"M\xe1laga\n", "Málaga\n"),
        ("cp1252", b"\x80\x81\n", "€\ufffd\n"),
        ("cp1251", "привет\n".encode("cp1251"), "привет\n"),
        ("ascii", b"a\xe9b\n", "a\ufffdb\n"),
        ("utf-16-le", b"a\0\n\0c", "a\n\ufffd\n"),
        ("utf-8", b"a\xff\xfe,\xed\xa0\x80\n", "a\ufffd\ufffd,\ufffd\n"),
    ],
)
def test_what_cannot_be_decoded_is_replaced_as_java_does(
    tmp_path: Path, codec: str, content: bytes, expected: str
) -> None:
    assert lines(tmp_path, content, CsvOptions(encoding=codec)) == expected


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv.gz", packed(TEXT.encode())),
        ("a.csv.GZ", packed(TEXT.encode()[:9]) + packed(TEXT.encode()[9:])),
        ("a.csv.bz2", bz2.compress(TEXT.encode()[:9]) + bz2.compress(TEXT.encode()[9:])),
        ("a.csv.deflate", zlib.compress(TEXT.encode())),
        ("a.zst", pa.compress(TEXT.encode(), "zstd", asbytes=True)),
    ],
)
def test_files_are_decompressed_by_their_extension(
    tmp_path: Path, name: str, content: bytes
) -> None:
    assert lines(tmp_path, content, CsvOptions(), name=name) == TEXT


def test_compressed_text_is_decoded(tmp_path: Path) -> None:
    content = packed(TEXT.encode("utf-16"))
    assert lines(tmp_path, content, CsvOptions(encoding="utf-16"), name="a.gz") == TEXT


# contract 11.12
@pytest.mark.parametrize(
    ("name", "content", "compression"),
    [
        ("a.csv.GZ", b"id\n1\n", "gzip"),
        ("a.csv.gz", packed(TEXT.encode() * 99)[:-9], "gzip"),
        ("a.csv.gz", packed(TEXT.encode()) + b"garbage", "gzip"),
        ("a.csv.bz2", b"id\n1\n", "bzip2"),
        ("a.csv.bz2", bz2.compress(TEXT.encode())[:-5], "bzip2"),
        ("a.csv.zst", b"id\n1\n", "zstd"),
        ("a.deflate", b"id\n1\n", "deflate"),
    ],
)
def test_content_that_is_not_what_the_name_says_is_an_error(
    tmp_path: Path, name: str, content: bytes, compression: str
) -> None:
    (file,) = land(tmp_path, {name: content})
    with pytest.raises(CompressedFileError) as caught:
        list(read_blocks(file))
    assert (caught.value.where, caught.value.compression) == (file.uri, compression)


def test_the_content_of_a_compressed_file_is_looked_at(tmp_path: Path) -> None:
    (file,) = land(tmp_path, {"a.csv.gz": packed(b"PAR1\x15\x04")})
    with pytest.raises(ForeignFormatError, match="Parquet"):
        list(read_blocks(file))


def test_utf_16_without_the_option_is_refused_with_the_option(tmp_path: Path) -> None:
    (file,) = land(tmp_path, {"a.csv": TEXT.encode("utf-16")})
    with pytest.raises(ForeignFormatError, match="encoding=UTF-16"):
        list(read_blocks(file))


# case C19: before the header, blank and commented lines count
@pytest.mark.parametrize("multi_line", [True, False])
@pytest.mark.parametrize(
    ("content", "skip", "expected"),
    [
        (b"Report\n\nid\n1\n", 2, "id\n1\n"),
        (b"Report\r\n#c\r\nid\r\n1\r\n", 2, "id\n1\n"),
        (b"Report\rid\r1\r", 1, "id\n1\n"),
        (b"id\n1\n", 2, ""),
        (b"id\n1\n", 9, ""),
        (b"id\n1", 1, "1\n"),
    ],
)
def test_leading_rows_are_skipped(
    tmp_path: Path, content: bytes, skip: int, expected: str, *, multi_line: bool
) -> None:
    csv = CsvOptions(skip_rows=skip, multi_line=multi_line, comment="#")
    assert lines(tmp_path, content, csv) == expected


@pytest.mark.parametrize("multi_line", [True, False])
def test_comments_are_left_out_at_the_start_of_a_line_only(
    tmp_path: Path, *, multi_line: bool
) -> None:
    content = b"#a\nid,v\n #b,#c\n#d\n2,#x\n#e"
    csv = CsvOptions(comment="#", multi_line=multi_line)
    assert lines(tmp_path, content, csv) == "id,v\n #b,#c\n2,#x\n"


@pytest.mark.parametrize("multi_line", [True, False])
@pytest.mark.parametrize(
    ("line_sep", "content", "expected"),
    [
        (";", "id,v;1,a\r\nb;2,c", [["1", "a\r\nb"], ["2", "c"]]),
        ("\n", "id,v\n1,a\r\n2,b\rc\n", [["1", "a\r"], ["2", "b\rc"]]),
        ("\r\n", "id,v\r\n1,a\nb\r\n2,c\r\n", [["1", "a\nb"], ["2", "c"]]),
        ("é", "id,vé1,\ufdd0éé2,\ufdd2\ufdd3é", [["1", "\ufdd0"], ["2", "\ufdd2\ufdd3"]]),
    ],
)
def test_other_line_breaks_are_ordinary_beside_line_sep(
    tmp_path: Path, line_sep: str, content: str, expected: list[list[str]], *, multi_line: bool
) -> None:
    (file,) = land(tmp_path, {"a.csv": content.encode()})
    csv = CsvOptions(line_sep=line_sep, multi_line=multi_line)
    file_format = CsvFormat(csv, reading())
    schema = file_format.infer([file]).schema
    assert schema.names == ("id", "v")
    strings = type(schema)(tuple(type(f)(f.name, StringType()) for f in schema))
    rows = [
        [row["id"], row["v"]]
        for batch in file_format.read([file], strings)
        for row in batch.rows.to_pylist()
    ]
    assert rows == expected


@pytest.mark.parametrize("multi_line", [True, False])
@pytest.mark.parametrize(
    ("csv", "content", "option"),
    [
        ({"max_columns": 2}, b"a,b\n1,2\n3,4,5\n", "maxColumns"),
        ({"max_columns": 2}, b"a,b,c\n1,2\n", "maxColumns"),
        ({"max_chars": 3}, b"a,b\n1,abcd\n", "maxCharsPerColumn"),
        ({"max_chars": 3}, b"a,abcd\n1,2\n", "maxCharsPerColumn"),
        ({"max_chars": 1}, "a,b\n1,😀\n".encode(), "maxCharsPerColumn"),
        ({"max_chars": 3}, b'a,b\n1,2,"ab""cd"\n', "maxCharsPerColumn"),
        (
            {"unescaped": UnescapedQuotes.RAISE_ERROR},
            b'a,b\n1,2\n"x"y,z\n',
            "unescapedQuoteHandling",
        ),
        ({"unescaped": UnescapedQuotes.RAISE_ERROR}, b'"a"x,b\n', "unescapedQuoteHandling"),
    ],
)
def test_a_record_that_an_option_forbids_is_an_error(
    tmp_path: Path, csv: dict[str, Any], content: bytes, option: str, *, multi_line: bool
) -> None:
    good, bad = land(tmp_path, {"good.csv": b"a,b\n1,2\n", "bad.csv": content})
    options = replace(CsvOptions(multi_line=multi_line), **csv)
    file_format = CsvFormat(options, reading())
    with pytest.raises(RecordNotReadableError) as caught:
        file_format.infer([good, bad])
    assert (caught.value.where, caught.value.option) == (bad.uri, option)
    schema = file_format.infer([good]).schema
    with pytest.raises(RecordNotReadableError) as caught:
        list(file_format.read([good, bad], schema))
    assert (caught.value.where, caught.value.option) == (bad.uri, option)

"""Lines of CSV to cells: Spark's recorded answers, and the fast parser against the tokenizer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.formats import csv_lines, csv_plain
from ingest.formats.csv_bytes import Block
from ingest.formats.csv_dialect import Dialect, find_dialect, is_blank
from ingest.formats.csv_lines import cut_block
from ingest.formats.csv_tokens import cut_line
from ingest.stream_options import CsvOptions, UnescapedQuotes

RECORDED = json.loads((Path(__file__).parent / "data" / "spark_csv_lines.json").read_text())
DEFAULT = find_dialect(CsvOptions(), comma_space=False)
DOUBLING = find_dialect(CsvOptions(escape='"'), comma_space=False)


@pytest.mark.parametrize("row", RECORDED["rows"], ids=repr)
def test_a_line_is_cut_as_spark_cuts_it(row: list[Any]) -> None:
    line, sep, escape, leading, trailing, null, empty, expected = row
    dialect = Dialect(sep, '"', escape, null, empty, leading, trailing)
    cells = cut_line(line, dialect)
    while cells and cells[-1] is None:
        cells.pop()
    assert cells == expected


# facts of Spark 4.3.0: defaults unless said
@pytest.mark.parametrize(
    ("line", "dialect", "expected"),
    [
        ('"x""y",2', DEFAULT, ['"x""y"', "2"]),
        ('"x""y",2', DOUBLING, ['x"y', "2"]),
        ('"x"",y",2', DEFAULT, ['x"', 'y"', "2"]),
        ('"x"",y",2', DOUBLING, ['x",y', "2"]),
        (r'"x\"y"', DEFAULT, ['x"y']),
        (r'"x\ny"', DEFAULT, [r"x\ny"]),
        (r"c:\d", DEFAULT, [r"c:\d"]),
        (r'"x\\"', DEFAULT, ["x\\"]),
        ('x"y', DEFAULT, ['x"y']),
        ('"x"y', DEFAULT, ['"x"y']),
        ('"x"y"', DEFAULT, ['"x"y"']),
        ('"x,2', DEFAULT, ["x,2"]),
        (' "x" ,2', DEFAULT, [' "x" ', "2"]),
        (',""', DEFAULT, [None, None]),
        ('"end""",7', DEFAULT, ['end""', "7"]),
        ('1,5" pipe,7', DEFAULT, ["1", '5" pipe', "7"]),
        ('2,"6" rod",8', DEFAULT, ["2", '"6" rod"', "8"]),
        ("a\x85b,c\u2028d", DEFAULT, ["a\x85b", "c\u2028d"]),
        ("a||b|c||3", find_dialect(CsvOptions(sep="||"), comma_space=False), ["a", "b|c", "3"]),
    ],
)
def test_the_dialect_is_sparks(line: str, dialect: Dialect, expected: list[str | None]) -> None:
    assert cut_line(line, dialect) == expected


@pytest.mark.parametrize(
    ("null", "empty", "expected"),
    [
        ("", "", [None, None, "NULL", "NULL"]),
        ("NULL", "", [None, "", None, None]),
        ("", "EMPTY", [None, "EMPTY", "NULL", "NULL"]),
        ("NULL", "NULL", [None, None, None, None]),
    ],
)
def test_empty_and_null_values_are_sparks(null: str, empty: str, expected: list[Any]) -> None:
    dialect = Dialect(",", '"', "\\", null, empty, trim_leading=False, trim_trailing=False)
    line = ',"",NULL,"NULL"'
    assert cut_line(line, dialect) == expected
    assert cut_block(block([line]), 4, dialect).columns.row(0) == tuple(expected)


def block(lines: list[str]) -> Block:
    data = "".join(f"{line}\n" for line in lines).encode()
    return Block(data, data.count(b"\n"))


def is_possible(dialect: Dialect) -> bool:
    skips = dialect.unescaped is UnescapedQuotes.SKIP_VALUE
    return not (skips and len(dialect.sep) > 1)  # refused as an option


dialects = st.builds(
    Dialect,
    sep=st.sampled_from([",", "\t", ";", "§", "||", "|a|"]),
    quote=st.sampled_from(['"', '"', '"', "'", "\0", "§", " "]),
    escape=st.sampled_from(["\\", '"', '"', "'", "!", "\0", ","]),
    null_value=st.sampled_from(["", "NV"]),
    empty_value=st.sampled_from(["", "EV"]),
    trim_leading=st.booleans(),
    trim_trailing=st.booleans(),
    special=st.sampled_from([None, None, None, "\\", "!", '"', "\0"]),
    unescaped=st.sampled_from(
        [one for one in UnescapedQuotes if one is not UnescapedQuotes.RAISE_ERROR]
    ),
).filter(is_possible)
plain = st.text("ab Né\\!", max_size=3)
quoted = st.lists(
    st.sampled_from(["a", '""', ",", "\t", ";", " ", "\\", "\\\\", "é", "\\a"]), max_size=4
).map(lambda parts: '"' + "".join(parts) + '"')
odd = st.text("\"\\,;\t ab\x00é|😀\ufeff\ufdd0!'§", max_size=6)


def lines_of(dialect: Dialect, width: int, *, with_odd: bool) -> st.SearchStrategy[list[str]]:
    cell = st.one_of(plain, plain, quoted, odd) if with_odd else st.one_of(plain, quoted)
    line = st.lists(cell, min_size=width, max_size=width)
    ragged = st.lists(cell, max_size=width + 2)
    records = st.one_of(line, line, line, ragged) if with_odd else line
    return st.lists(records.map(dialect.sep.join), max_size=6)


@settings(max_examples=600, deadline=None)
@given(data=st.data(), dialect=dialects, width=st.integers(1, 4), with_odd=st.booleans())
def test_a_block_is_cut_as_its_lines_are_one_by_one(
    data: st.DataObject, dialect: Dialect, width: int, *, with_odd: bool
) -> None:
    lines = data.draw(lines_of(dialect, width, with_odd=with_odd))
    cut = cut_block(block(lines), width, dialect)
    records = [cut_line(line, dialect) for line in lines if not is_blank(line)]
    expected = [tuple((cells + [None] * width)[:width]) for cells in records]
    assert cut.columns.rows() == expected
    assert [(one.row, one.length, one.surplus) for one in cut.ragged] == [
        (row, len(cells), tuple(cells[width:]))
        for row, cells in enumerate(records)
        if len(cells) != width
    ]


def test_well_formed_lines_never_take_the_slow_path(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ['1,"a, ""b"" c",', '2,"",x', "3,,y", '4,"""",z'] * 50
    monkeypatch.setattr(csv_lines, "cut_line", None)
    assert cut_block(block(lines), 3, DOUBLING).columns.height == 200


def test_large_blocks_keep_rows_and_lines_together() -> None:
    lines = [f'{row},"a, ""{row}""",{row % 7 or ""}' for row in range(40_000)]
    lines[777] = '777,"open,1'
    lines[31_313] = '31313,x"y,2,3'
    lines[20_000] = "20000"
    cut = cut_block(block(lines), 3, DOUBLING)
    assert cut.columns.row(777) == ("777", "open,1", None)
    assert cut.columns.row(31_313) == ("31313", 'x"y', "2")
    assert cut.columns.row(39_999) == ("39999", 'a, "39999"', str(39_999 % 7))
    assert [one.row for one in cut.ragged] == [777, 20_000, 31_313]


def test_very_wide_lines_with_quotes_are_cut() -> None:
    width = csv_plain.MOST_CELLS + 1

    cut = cut_block(block([",".join(['a"b'] * width)]), width, DEFAULT)

    assert set(cut.columns.row(0)) == {'a"b'}


@pytest.mark.parametrize("beginning", ["x\x01", "x^", "x\u0680", "x\u06bf"])
def test_text_that_begins_like_a_zlib_stream_is_text(beginning: str) -> None:
    cut = cut_block(block([f"{beginning},b", "c,d"]), 2, DEFAULT)

    assert cut.columns.rows() == [(beginning, "b"), ("c", "d")]

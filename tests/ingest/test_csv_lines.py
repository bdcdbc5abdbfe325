"""Lines of CSV to cells: Spark's recorded answers, and the fast parser against the tokenizer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.formats import csv_plain, csv_ragged
from ingest.formats.csv_bytes import Block
from ingest.formats.csv_dialect import Dialect, find_dialect, is_blank
from ingest.formats.csv_lines import cut_block
from ingest.formats.csv_marks import escape_marks
from ingest.formats.csv_tokens import cut_line
from ingest.stream_options import CsvOptions, UnescapedQuotes

RECORDED = json.loads((Path(__file__).parent / "data" / "spark_csv_lines.json").read_text())
DEFAULT = find_dialect(CsvOptions(), comma_space=False)
DOUBLING = find_dialect(CsvOptions(escape='"'), comma_space=False)
COMMA_SPACE = find_dialect(CsvOptions(), comma_space=True)
LONG = find_dialect(CsvOptions(sep="||"), comma_space=False)


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


def test_a_separator_of_several_bytes_may_be_in_quotes() -> None:
    dialect = find_dialect(CsvOptions(sep="§"), comma_space=False)

    assert cut_block(block(['"a§b"§c']), 2, dialect).columns.rows() == [("a§b", "c")]


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
    check_cut(lines, width, dialect)


@settings(max_examples=600, deadline=None)
@given(
    data=st.data(),
    dialect=dialects,
    width=st.integers(1, 4),
    multi_line=st.booleans(),
    few=st.sampled_from([0, 2, 8]),
)
def test_many_ragged_lines_are_cut_as_they_are_one_by_one(
    data: st.DataObject, dialect: Dialect, width: int, *, multi_line: bool, few: int
) -> None:
    cell = st.one_of(plain, plain, quoted, odd) if data.draw(st.booleans()) else plain
    record = st.lists(cell, min_size=1, max_size=width + 3).map(dialect.sep.join)
    lines = data.draw(st.lists(record, min_size=1, max_size=5))
    marked = [escape_marks(line.encode()).decode() for line in lines] if multi_line else lines
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_ragged, "FEW", few)
        check_cut(marked * 3, width, replace(dialect, multi_line=multi_line))


def check_cut(lines: list[str], width: int, dialect: Dialect) -> None:
    """Compare a block's records with what the tokenizer makes of its lines."""
    cut = cut_block(block(lines), width, dialect)
    records = [cut_line(line, dialect) for line in lines if not is_blank(line)]
    expected = [tuple((cells + [None] * width)[:width]) for cells in records]
    assert cut.columns.rows() == expected
    ragged = [(row, len(cells)) for row, cells in enumerate(records) if len(cells) != width]
    assert list(zip(cut.ragged.rows, cut.ragged.lengths, strict=True)) == ragged
    surplus: dict[str, list[tuple[int, str]]] = {}
    for position in range(width, max(map(len, records), default=0)):
        for row, cells in enumerate(records):
            text = cells[position] if len(cells) > position else None
            if text is not None:
                surplus.setdefault(f"_c{position}", []).append((row, text))
    found = [(one.name, list(zip(one.rows, one.texts, strict=True))) for one in cut.ragged.surplus]
    assert found == list(surplus.items())


@pytest.mark.parametrize(
    ("dialect", "lines"),
    [
        (DEFAULT, ["1,2,3,", "1", "1,2,3,,5"]),
        (DOUBLING, ['1,"a ""b"", c",3,', '"x"', '"","",,"",']),
        (COMMA_SPACE, ["1, 2, 3,", "1, 2", "1, 2, 3, 4, "]),
        (LONG, ["1||2||3||", "1", "1||2||3||4||5"]),
    ],
    ids=["bare", "quoted", "blanks", "long separator"],
)
def test_ragged_lines_never_take_the_slow_path(
    dialect: Dialect, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_ragged, "cut_line", None)
    times = csv_ragged.FEW + 1
    assert len(cut_block(block(lines * times), 3, dialect).ragged.rows) == 3 * times


def test_well_formed_lines_never_take_the_slow_path(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ['1,"a, ""b"" c",', '2,"",x', "3,,y", '4,"""",z'] * 50
    monkeypatch.setattr(csv_ragged, "cut_line", None)
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
    assert cut.ragged.rows.to_list() == [777, 20_000, 31_313]


def test_very_wide_lines_with_quotes_are_cut() -> None:
    width = csv_plain.MOST_CELLS + 1

    cut = cut_block(block([",".join(['a"b'] * width)]), width, DEFAULT)

    assert set(cut.columns.row(0)) == {'a"b'}


@pytest.mark.parametrize("beginning", ["x\x01", "x^", "x\u0680", "x\u06bf"])
def test_text_that_begins_like_a_zlib_stream_is_text(beginning: str) -> None:
    cut = cut_block(block([f"{beginning},b", "c,d"]), 2, DEFAULT)

    assert cut.columns.rows() == [(beginning, "b"), ("c", "d")]

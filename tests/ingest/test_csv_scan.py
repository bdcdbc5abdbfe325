"""Bytes looked through at once: what they prove about quotes, against the exact tokenizer."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.formats import csv_scan
from ingest.formats.csv_bytes import Block
from ingest.formats.csv_dialect import Dialect, find_dialect
from ingest.formats.csv_lines import cut_block
from ingest.formats.csv_scan import count_byte, doubled_quotes, is_utf8
from ingest.formats.csv_tokens import cut_line
from ingest.stream_options import CsvOptions

DEFAULT = find_dialect(CsvOptions(), comma_space=False)
DOUBLING = find_dialect(CsvOptions(escape='"'), comma_space=False)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('"a","b"', 0),
        ('"a ""b"" c",2', 2),
        ('"",""', 0),
        ('"""",2', 1),
        ('a,""a""', None),
        ('a"b,"c"', None),
        ('"a" ,2', None),
        ('"a"b"c",2', None),
        ('"a,2', None),
    ],
)
def test_quotes_are_plain_where_they_enclose_or_are_doubled(
    line: str, expected: int | None
) -> None:
    assert doubled_quotes(line.encode() + b"\n", DOUBLING) == expected


def test_doubled_quotes_are_not_plain_where_a_backslash_escapes() -> None:
    assert doubled_quotes(b'"a ""b""",2\n', DEFAULT) is None


@pytest.mark.parametrize("dialect", [DEFAULT, DOUBLING], ids=["default", "doubling"])
def test_every_short_line_is_cut_as_the_tokenizer_cuts_it(dialect: Dialect) -> None:
    lines = ["".join(cells) for size in range(3, 7) for cells in product('a,"', repeat=size)]
    for line in (line for line in lines if line.count(",") == 1):
        cut = cut_block(Block(f"x,x\n{line}\n".encode(), 2), 2, dialect)
        expected = [*cut_line(line, dialect), None][:2]
        assert list(cut.columns.row(1)) == expected, line


@given(st.lists(st.sampled_from('a,"\n'), min_size=1).map("".join))
def test_a_large_block_is_looked_through_as_a_small_one(text: str) -> None:
    repeated = (text + "\n").encode() * 2
    large = repeated * (csv_scan._SMALL // len(repeated) + 1)  # noqa: SLF001 - both ways are meant
    assert count_byte(large, b"\n") == large.count(b"\n")


@given(st.binary() | st.text().map(str.encode))
def test_bytes_are_utf8_if_python_decodes_them(data: bytes) -> None:
    try:
        data.decode()
    except UnicodeDecodeError:
        assert not is_utf8(data)
    else:
        assert is_utf8(data)

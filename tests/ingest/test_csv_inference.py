"""The vectorised fold of a column against a plain loop over its cells."""

from __future__ import annotations

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.formats.csv_inference import fold_column
from ingest.text.text_types import TextType, infer_text_type

CELLS = [
    *[
        "1",
        "2",
        "0",
        "-7",
        "007",
        "2147483648",
        "9223372036854775808",
        "12345678901234567890123",
        "1.5",
        "22.25",
        "0.005",
        "1.",
        ".5",
        "1e5",
        "1E-3",
        "1e0",
        "NaN",
        "inf",
        "1d",
        "+1",
        "١٢",
        "2020",
        "2020-01-01",
        "2021-12-31",
        "2020-1-1",
        "12:34",
        "2020-01-01T10:11:12",
        "2020-01-01T10:11:12Z",
        "0000-01-01",
        "+12020-01-01",
        "true",
        "FALSE",
        "x",
    ],
    "9" * 38,
    "9" * 39,
    " 1",
    "0." + "1" * 38,
]
NUMBERS = ["1", "-7", "2147483648", "9223372036854775808", "1.5", "22.25", "0.005", "1.", "1e5"]


@settings(max_examples=400, deadline=None)
@given(
    few=st.lists(st.sampled_from(CELLS), min_size=1, max_size=5),
    data=st.data(),
    prefers_decimal=st.booleans(),
    peek=st.sampled_from([0, 1, 64]),
)
def test_a_column_folds_as_its_cells_do_one_by_one(
    few: list[str], data: st.DataObject, *, prefers_decimal: bool, peek: int
) -> None:
    cells = data.draw(st.lists(st.sampled_from([*few, None]), max_size=20))
    expected = TextType()
    for cell in cells:
        if cell is not None:
            expected = infer_text_type(cell, expected, prefers_decimal=prefers_decimal)
    column = pl.Series(cells, dtype=pl.String)
    folded = fold_column(column, TextType(), prefers_decimal=prefers_decimal, peek=peek)
    assert folded == expected


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*NUMBERS, "9" * 38, "9" * 39]), max_size=8))
def test_the_order_of_numbers_does_not_count_when_decimals_are_preferred(cells: list[str]) -> None:
    forwards, backwards = (
        fold_column(pl.Series(some, dtype=pl.String), TextType(), prefers_decimal=True)
        for some in (cells, cells[::-1])
    )
    assert forwards == backwards

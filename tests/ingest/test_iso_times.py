"""Arrow's casts of dates and times beside the scalar converter, which is the reference."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.text.iso_times import iso_dates, iso_local_timestamps, iso_utc_timestamps
from ingest.text.times import SessionTime
from ingest.text.values import convert_text
from schema_store.types import DataType, DateType, TimestampNTZType, TimestampType

if TYPE_CHECKING:
    from collections.abc import Callable

SESSION = SessionTime("UTC", dt.date(2030, 1, 1))
CASTS: tuple[tuple[Callable[[pl.Series], pl.Series | None], DataType], ...] = (
    (iso_dates, DateType()),
    (iso_local_timestamps, TimestampNTZType()),
    (iso_utc_timestamps, TimestampType()),
)

days = st.builds(
    "{:04}-{:02}-{:02}".format,
    st.sampled_from([0, 1, 1582, 1970, 2024, 9999]),
    st.integers(0, 13),
    st.integers(0, 32),
)
clocks = st.builds(
    "{:02}:{:02}:{:02}{}".format,
    st.integers(0, 25),
    st.integers(0, 61),
    st.integers(0, 61),
    st.from_regex(r"(\.[0-9]{1,7})?", fullmatch=True),
)
times = st.builds(
    "{}{}{}{}".format,
    days,
    st.sampled_from(["T", " ", "t", "  ", ""]),
    clocks,
    st.sampled_from(["", "Z", "z", " ", "+01:00"]),
)
texts = st.one_of(days, times, st.from_regex(r"[0-9:TZ+. -]{10}", fullmatch=True), st.none())


def converted(text: str, data_type: DataType) -> object:
    found = convert_text(text, data_type, SESSION)
    return None if found is None else found.value


@pytest.mark.parametrize(("cast", "data_type"), CASTS)
@given(cells=st.lists(texts, min_size=1, max_size=5))
def test_what_is_cast_is_what_the_converter_gives(
    cast: Callable[[pl.Series], pl.Series | None], data_type: DataType, cells: list[str | None]
) -> None:
    done = cast(pl.Series("t", cells, dtype=pl.String))
    values = [] if done is None else done.to_list()
    pairs = [
        (value, converted(cell, data_type))
        for value, cell in zip(values, cells, strict=False)
        if value is not None and cell is not None
    ]
    assert [value for value, _ in pairs] == [expected for _, expected in pairs]


def test_cells_of_another_length_are_left_out() -> None:
    done = iso_dates(pl.Series(["2030-01-05", "n/a", None, "2030-1-5"]))
    assert done is not None
    assert done.to_list() == [dt.date(2030, 1, 5), None, None, None]


def test_fractions_of_any_length_go_together() -> None:
    done = iso_local_timestamps(pl.Series(["2030-01-05T10:00:00.5", "2030-01-05 10:00:00.000001"]))
    assert done is not None
    assert [value.microsecond for value in done] == [500_000, 1]


@pytest.mark.parametrize("cell", ["2030-02-30", "2030/01/05", "0000-01-01"])
def test_one_cell_that_only_looks_like_a_date_leaves_all_to_others(cell: str) -> None:
    assert iso_dates(pl.Series(["2030-01-05", cell])) is None

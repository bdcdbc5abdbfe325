"""The fast casts of columns against the scalar converter, which is the reference."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.text.casting import cast_column, polars_type
from ingest.text.times import SessionTime
from ingest.text.values import convert_text
from schema_store.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    ShortType,
    StringType,
    TimestampNTZType,
    TimestampType,
)
from tests.ingest.csv_support import reading

TYPES: list[DataType] = [
    ByteType(),
    ShortType(),
    IntegerType(),
    LongType(),
    FloatType(),
    DoubleType(),
    DecimalType(10, 2),
    DecimalType(38, 18),
    DecimalType(5, 0),
    DecimalType(2, 2),
    BooleanType(),
    DateType(),
    TimestampType(),
    TimestampNTZType(),
    StringType(),
    BinaryType(),
]

ODD_NUMBERS = (
    "+1",
    "-0",
    "007",
    ".5",
    "5.",
    ".",
    "e5",
    "1e5",
    "1E-3",
    "1.e-9",
    "1e400",
    "1e-400",
    "NaN",
    "nan",
    "Inf",
    "-Inf",
    "inf",
    "Infinity",
    "infinity",
    "1d",
    "2f",
    "0x1p3",
    "1_0",
    "1,234.5",
    "1.005",
    "2.675",
    "-1.005",
    "1.50000",
    "16777217",
    "128",
    "2147483648",
    "+.5",
    "-.5",
    "1..2",
    "9223372036854775808",
    "١٢",
    "1.-5",
    "--1",
    "0x10",
    "1L",
    "true",
    "FALSE",
    "t",
)
numbers = st.one_of(
    st.sampled_from(ODD_NUMBERS),
    st.integers(-(2**65), 2**65).map(str),
    st.decimals(allow_nan=False, allow_infinity=False, places=3).map(str),
    st.floats().map(repr),
    st.text("0123456789+-.eE ,", max_size=6),
)
dates = st.builds(
    "{}-{}-{}".format,
    st.sampled_from(["2020", "1999", "0001", "0002", "9999", "0000", "+020", "12020", "-0001"]),
    st.sampled_from(["01", "12", "13", "2", " 1", "+1"]),
    st.sampled_from(["01", "28", "30", "5", " 1", "-1"]),
)
clocks = st.sampled_from(
    ["", " 10:11:12", "T10:11:12", " 23:59:60", "T24:00:00", " 10:11", "T10", " 1:2:3", "T", " "]
)
fractions = st.sampled_from(["", ".", ".1", ".123", ".123456", ".1234567", ".+23", ".-5", ". 2"])
zones = st.sampled_from(
    ["", "", "Z", "+02:00", "-05:30", "+18:00", "+18:01", "+2", "+ 2:00", " UTC", " PST", "Mars"]
)
times = st.builds("{}{}{}{}".format, dates, clocks, fractions, zones)


def columns(cells: st.SearchStrategy[str]) -> st.SearchStrategy[list[str | None]]:
    """Columns of few distinct texts, so that whole columns have one shape."""
    few = st.lists(cells, min_size=1, max_size=4)
    return few.flatmap(lambda some: st.lists(st.sampled_from([*some, None]), max_size=8))


@settings(max_examples=300, deadline=None)
@given(
    cells=st.one_of(columns(numbers), columns(times), columns(st.one_of(numbers, times))),
    data_type=st.sampled_from(TYPES),
    zone=st.sampled_from(["UTC", "America/New_York", "+05:30"]),
    exact=st.booleans(),
)
def test_a_column_is_cast_as_its_cells_are_one_by_one(
    cells: list[str | None], data_type: DataType, zone: str, *, exact: bool
) -> None:
    read = reading(time_zone=zone, exact_decimals=exact)
    cast = cast_column(pl.Series("n", cells, dtype=pl.String), data_type, read)
    session = SessionTime(zone, read.today)
    one_by_one = [
        None if cell is None else convert_text(cell, data_type, session, exact_decimals=exact)
        for cell in cells
    ]
    values = [None if one is None else one.value for one in one_by_one]
    expected = pl.Series("n", values, dtype=polars_type(data_type), strict=False)
    assert cast.values.dtype == expected.dtype
    assert cast.values.equals(expected, check_names=True, null_equal=True)
    missing = [
        row
        for row, (cell, one) in enumerate(zip(cells, one_by_one, strict=True))
        if cell is not None and one is None
    ]
    assert _rows(cast.misfits) == missing
    assert _rows(cast.changed) == [
        row for row, one in enumerate(one_by_one) if one is not None and one.changed
    ]


def _rows(rows: pl.Series | None) -> list[int]:
    return [] if rows is None else rows.to_list()


def test_mixed_shapes_of_timestamps_are_all_cast() -> None:
    texts = ["2030-01-05", "2030-01-05 10:00:00", "2030-01-05T10:00:00.5Z", "2030-01-05T10:00:00"]
    cast = cast_column(pl.Series(texts * 3), TimestampType(), reading())
    assert cast.misfits is None
    assert cast.values.null_count() == 0


@pytest.mark.parametrize("data_type", [ArrayType(StringType())])
def test_text_fits_no_nested_column(data_type: DataType) -> None:
    cast = cast_column(pl.Series(["[1]", None]), data_type, reading())
    assert _rows(cast.misfits) == [0]
    assert cast.values.null_count() == 2

"""Formats of dates, times and numbers: Spark's recorded answers, and fast paths against scalar."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ingest.formats.csv_inference import fold_column
from ingest.text.casting import cast_column, polars_type
from ingest.text.number_symbols import LOCALES
from ingest.text.patterns import PatternError, parse_pattern
from ingest.text.rules import DEFAULT_RULES, TextRules
from ingest.text.text_types import TextType, infer_text_type, merge_text_types
from ingest.text.times import SessionTime
from ingest.text.values import convert_text
from schema_store.ddl import parse_ddl, to_ddl
from schema_store.types import (
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    NullType,
    StringType,
    TimestampNTZType,
    TimestampType,
)
from tests.ingest.csv_support import TODAY, reading

RECORDED = json.loads((Path(__file__).parent / "data" / "spark_text_formats.json").read_text())
UTC = SessionTime("UTC", TODAY)
TIMES: list[DataType] = [DateType(), TimestampType(), TimestampNTZType()]
DAY = dt.date(1970, 1, 1)
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
MICRO = dt.timedelta(microseconds=1)


def every_format(text: str) -> TextRules:
    pattern = parse_pattern(text)
    return TextRules(date_format=pattern, timestamp_format=pattern, timestamp_ntz_format=pattern)


def named_type(name: str) -> DataType:
    return NullType() if name == "void" else parse_ddl(f"a {name}").fields[0].data_type


def number_of(value: Any) -> int | None:
    match value:
        case dt.datetime():
            return (value.replace(tzinfo=value.tzinfo or dt.UTC) - EPOCH) // MICRO
        case dt.date():
            return (value - DAY).days
        case _:
            return None


def answer_about_time(row: list[Any]) -> object:
    question, type_name, pattern, zone, text, _ = row
    rules, data_type = every_format(pattern), named_type(type_name)
    if question == "infer":
        found = infer_text_type(text, TextType(data_type), prefers_decimal=False, rules=rules)
        return found.data_type == data_type
    converted = convert_text(text, data_type, SessionTime(zone or "UTC", TODAY), rules=rules)
    return None if converted is None else number_of(converted.value)


def answer_about_number(row: list[Any]) -> object:
    question, type_name, locale, text, _ = row
    rules, data_type = TextRules(number_symbols=LOCALES.get(locale)), named_type(type_name)
    if question == "infer":
        found = infer_text_type(text, TextType(data_type), prefers_decimal=False, rules=rules)
        return found.data_type
    converted = convert_text(text, data_type, UTC, rules=rules)
    return None if converted is None else converted.value


def test_texts_in_formats_are_read_as_spark_reads_them() -> None:
    wrong = [row for row in RECORDED["times"] if answer_about_time(row) != row[-1]]
    assert wrong == []


def test_numbers_of_locales_are_read_as_spark_reads_them() -> None:
    wrong = []
    for row in RECORDED["numbers"]:
        expected = row[-1]
        if row[0] == "infer":
            expected = named_type(expected)
        elif expected is not None:
            expected = Decimal(expected)
        if answer_about_number(row) != expected:
            wrong.append(row)
    assert wrong == []


@pytest.mark.parametrize(
    ("pattern", "letter"),
    [
        ("EEE dd MMM", "E"),
        ("u-MM-dd", "u"),
        ("YYYY-MM-dd", "Y"),
        ("yyyy QQQ", "Q"),
        ("MMMMM", "M"),
        ("yyyyyyy", "y"),
        ("zzzz", "z"),
        ("V", "V"),
        ("HH n", "n"),
        ("dd{MM", "{"),
        ("dd]MM", "]"),
        ("dd 'MM", "'"),
        ("SSSSSSSSSS", "S"),
        ("HHH", "H"),
        ("bb", "b"),
    ],
)
def test_a_letter_that_cannot_be_done_is_named(pattern: str, letter: str) -> None:
    with pytest.raises(PatternError) as caught:
        parse_pattern(pattern)
    assert caught.value.letter == letter
    assert caught.value.pattern == pattern
    assert pattern in str(caught.value)


@pytest.mark.parametrize(
    ("fallback", "text", "fits"),
    [
        (None, "05/01/2030", True),
        (None, "2030-01-05", False),
        (True, "2030-01-05", True),
        (True, "2030-1", True),
        (True, "GMT2030-01-05", True),
        (False, "2030-01-05", False),
    ],
)
@pytest.mark.parametrize("data_type", TIMES[:2])
def test_a_format_is_strict_without_the_fallback(
    data_type: DataType, text: str, *, fallback: bool | None, fits: bool
) -> None:
    pattern = parse_pattern("dd/MM/yyyy")
    rules = TextRules(date_format=pattern, timestamp_format=pattern, parsing_fallback=fallback)
    assert (convert_text(text, data_type, UTC, rules=rules) is not None) is fits


def test_without_a_format_dates_are_strict_when_the_fallback_is_off() -> None:
    strict = TextRules(parsing_fallback=False)
    assert convert_text("2030-1-5", DateType(), UTC, rules=strict) is None
    assert convert_text("2030-01-05", DateType(), UTC, rules=strict) is not None
    assert convert_text("2030-1-5", TimestampType(), UTC, rules=strict) is not None
    assert convert_text("GMT2030-01-05", DateType(), UTC) is not None
    assert convert_text("GMT2030-01-05", TimestampType(), UTC, rules=strict) is None


def test_a_time_of_day_in_a_date_format_is_a_change() -> None:  # contract 11.19
    rules = every_format("yyyy-MM-dd HH:mm")
    cut = convert_text("2030-01-05 10:00", DateType(), UTC, rules=rules)
    whole = convert_text("2030-01-05 00:00", DateType(), UTC, rules=rules)
    assert cut is not None
    assert cut.changed
    assert whole is not None
    assert not whole.changed


@pytest.mark.parametrize(
    ("date_format", "timestamp_format", "expected"),
    [
        (None, None, TimestampType()),
        ("yyyy-MM-dd", None, TimestampType()),
        ("yyyy-MM", None, TimestampType()),
        ("dd/MM/yyyy", None, StringType()),
        (None, "yyyy-MM-dd HH:mm:ss", StringType()),
    ],
)
def test_dates_and_timestamps_merge_where_the_formats_allow(
    date_format: str | None, timestamp_format: str | None, expected: DataType
) -> None:
    rules = TextRules(
        date_format=None if date_format is None else parse_pattern(date_format),
        timestamp_format=None if timestamp_format is None else parse_pattern(timestamp_format),
    )
    merged = merge_text_types(TextType(DateType()), TextType(TimestampType()), rules)
    assert merged.data_type == expected


def test_prefer_date_false_infers_timestamps() -> None:
    rules = TextRules(prefer_date=False)
    found = infer_text_type("2030-01-05", TextType(), prefers_decimal=False, rules=rules)
    assert found.data_type == TimestampType()


@pytest.mark.parametrize("data_type", [DoubleType(), FloatType()])
def test_named_numbers_come_before_their_digits(data_type: DataType) -> None:
    rules = TextRules(nan="-999", positive_infinity="inf", negative_infinity="-inf")
    column = pl.Series(["-999", "inf", "-inf", "Infinity", "Inf", "1.5", None])
    cast = cast_column(column, data_type, reading(text=rules))
    expected = [float("nan"), float("inf"), float("-inf"), float("inf"), None, 1.5, None]
    assert cast.values.equals(pl.Series(expected, dtype=cast.values.dtype), null_equal=True)
    assert cast.misfits is not None
    assert cast.misfits.to_list() == [4]


FORMATS = (
    "yyyy-MM-dd", "dd/MM/yyyy", "d/M/yyyy", "dd.MM.yy", "yyyyMMdd", "yyyyMMddHHmmss",
    "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss[.SSS][XXX]", "yyyy-MM-dd HH:mm[:ss]",
    "yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSSX", "yyyy-MM-dd HH:mm:ssx", "yyyy-MM-dd HH:mm:ssZ",
    "dd-MMM-yyyy", "d MMMM yyyy", "MM/dd/yyyy hh:mm:ss a", "yyyy/MM/dd HH:mm:ss,SSS",
    "yyyy-MM-dd HH:mm:ss VV", "yyyy-MM-dd HH:mm z", "yyyy-DDD", "yyyy[-MM[-dd]]", "MM-dd",
    "[yyyy-MM-dd][dd/MM/yyyy]", "yyyy-MM-dd[[ HH]:mm]", "G yyyy-MM-dd", "dd/MM/yyyy'Z'",
)  # fmt: skip
numbers = st.sampled_from(["01", "1", "5", "12", "13", "29", "31", "60", "00", "100", "366"])
years = st.sampled_from(["2020", "2030", "0001", "0000", "9999", "12020", "99", "-2020", "20"])
marks = {
    "M": st.sampled_from(["Jan", "jan", "SEPTEMBER", "May", "01", "1", "12", "13"]),
    "a": st.sampled_from(["AM", "pm", "x"]),
    "G": st.sampled_from(["AD", "BC"]),
    "S": st.sampled_from(["1", "123", "123456", "1234567", "123456789", ""]),
    "y": years,
    **dict.fromkeys(
        "XxZzV",
        st.sampled_from(["Z", "+01:00", "-0530", "+00", "+0000", "+18:01", "UTC", "PST", ""]),
    ),
}


@st.composite
def texts_in(draw: st.DrawFn, pattern: str) -> str:
    """Texts that nearly fit: each run of letters becomes something like it."""
    pieces = []
    for at, letter in enumerate(pattern):
        if pattern[at - 1 : at] == letter and letter.isalpha():
            continue
        if letter.isalpha() and pattern[at - 1 : at] != "'":
            pieces.append(draw(marks.get(letter, numbers)))
        elif letter not in "[]'":
            pieces.append(letter)
    if draw(st.integers(0, 9)) == 0:
        pieces.append(draw(st.sampled_from([" ", "0", "Z", "GMT"])))
    return "".join(pieces)


columns_in_formats = st.sampled_from(FORMATS).flatmap(
    lambda pattern: st.tuples(
        st.just(pattern), st.lists(st.one_of(st.none(), texts_in(pattern)), min_size=1, max_size=8)
    )
)


@settings(max_examples=300, deadline=None)
@given(
    column=columns_in_formats,
    data_type=st.sampled_from(TIMES),
    zone=st.sampled_from(["UTC", "America/New_York", "+05:30"]),
)
@example(("yyyy-MM-dd HH:mm:ssx", ["1969-06-01 09:30:30+0000"]), TimestampType(), "UTC")
@example(("yyyy-MM-dd[ HH:mm][X]", ["2020-06-09Z"]), DateType(), "UTC")
def test_a_column_in_a_format_is_cast_as_its_cells_are_one_by_one(
    column: tuple[str, list[str | None]], data_type: DataType, zone: str
) -> None:
    pattern, cells = column
    rules = every_format(pattern)
    cast = cast_column(
        pl.Series("n", cells, dtype=pl.String), data_type, reading(time_zone=zone, text=rules)
    )
    session = SessionTime(zone, TODAY)
    found = [
        None if cell is None else convert_text(cell, data_type, session, rules=rules)
        for cell in cells
    ]
    values = [None if one is None else one.value for one in found]
    expected = pl.Series("n", values, dtype=polars_type(data_type), strict=False)
    assert cast.values.equals(expected, null_equal=True)


@settings(max_examples=200, deadline=None)
@given(
    column=columns_in_formats,
    running=st.sampled_from([NullType(), IntegerType(), *TIMES[:2]]),
    peek=st.sampled_from([0, 2]),
)
def test_a_column_in_a_format_is_folded_as_its_cells_are_one_by_one(
    column: tuple[str, list[str | None]], running: DataType, peek: int
) -> None:
    pattern, cells = column
    rules = every_format(pattern)
    expected = TextType(running)
    for cell in cells:
        if cell is not None:
            expected = infer_text_type(cell, expected, prefers_decimal=False, rules=rules)
    folded = fold_column(
        pl.Series(cells, dtype=pl.String),
        TextType(running),
        prefers_decimal=False,
        peek=peek,
        rules=rules,
    )
    assert folded == expected


localized = st.one_of(
    st.text("0123456789.,-\u2212+ \u00a0\u202fE", max_size=7),
    st.builds(
        "{}{}{}".format,
        st.sampled_from(["", "-", "\u2212", "+"]),
        st.sampled_from(["0", "1", "12", "1.234", "1,234", "1\u00a0234", "12345678"]),
        st.sampled_from(["", ",5", ".5", ",055", ".005", ",50", ",", "."]),
    ),
)


@settings(max_examples=300, deadline=None)
@given(
    cells=st.lists(st.one_of(st.none(), localized), min_size=1, max_size=6),
    locale=st.sampled_from(["de-DE", "fr-FR", "sv-SE", "en-GB", "de-CH"]),
    data_type=st.sampled_from([DecimalType(10, 2), DecimalType(4, 0)]),
    exact=st.booleans(),
)
def test_a_column_of_a_locale_is_cast_and_folded_as_its_cells_are_one_by_one(
    cells: list[str | None], locale: str, data_type: DataType, *, exact: bool
) -> None:
    rules, column = TextRules(number_symbols=LOCALES[locale]), pl.Series(cells, dtype=pl.String)
    cast = cast_column(column, data_type, reading(text=rules, exact_decimals=exact))
    found = [
        None
        if cell is None
        else convert_text(cell, data_type, UTC, exact_decimals=exact, rules=rules)
        for cell in cells
    ]
    values = [None if one is None else one.value for one in found]
    expected = pl.Series(values, dtype=polars_type(data_type), strict=False)
    assert cast.values.equals(expected, null_equal=True)
    changed = [row for row, one in enumerate(found) if one is not None and one.changed]
    assert ([] if cast.changed is None else cast.changed.to_list()) == changed
    running = TextType()
    for cell in cells:
        if cell is not None:
            running = infer_text_type(cell, running, prefers_decimal=exact, rules=rules)
    assert fold_column(column, TextType(), prefers_decimal=exact, peek=0, rules=rules) == running


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("05.01.2030 10:00 PST", dt.datetime(2030, 1, 5, 18, tzinfo=dt.UTC)),
        ("05.01.2030 10:00 cet", dt.datetime(2030, 1, 5, 9, tzinfo=dt.UTC)),
        ("05.01.2030 10:00 Europe/Paris", dt.datetime(2030, 1, 5, 9, tzinfo=dt.UTC)),
        ("05.01.2030 10:00 GMT+2", None),
        ("05.01.2030 10:00 UTC+02:00", dt.datetime(2030, 1, 5, 8, tzinfo=dt.UTC)),
    ],
)
def test_short_names_of_zones_are_read(text: str, expected: dt.datetime | None) -> None:
    rules = every_format("dd.MM.yyyy HH:mm z")
    found = convert_text(text, TimestampType(), UTC, rules=rules)
    assert (None if found is None else found.value) == expected


def test_the_defaults_are_sparks() -> None:
    assert DEFAULT_RULES.falls_back_for_dates
    assert DEFAULT_RULES.falls_back_for_timestamps
    assert DEFAULT_RULES.named_numbers == []
    assert to_ddl(parse_ddl("a DATE")) == "a DATE"

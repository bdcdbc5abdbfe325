from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import Any

import pytest

from ingest.text.text_types import TextType, infer_text_type, merge_text_types
from ingest.text.times import SessionTime, find_zone
from ingest.text.values import convert_text
from schema_store.types import (
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
    NullType,
    StringType,
    TimestampNTZType,
    TimestampType,
)
from tests.ingest.csv_support import TODAY

UTC = SessionTime("UTC", TODAY)
INT, LONG, DOUBLE, STRING, BOOLEAN = (
    IntegerType(),
    LongType(),
    DoubleType(),
    StringType(),
    BooleanType(),
)
DATE, TIMESTAMP, NTZ, NULL = DateType(), TimestampType(), TimestampNTZType(), NullType()


def inferred(*cells: str, prefers_decimal: bool = False) -> DataType:
    running = TextType()
    for cell in cells:
        running = infer_text_type(cell, running, prefers_decimal=prefers_decimal)
    return running.data_type


def value(text: str, data_type: DataType, session: SessionTime = UTC) -> Any:
    converted = convert_text(text, data_type, session)
    return None if converted is None else converted.value


# Recorded: Spark 4.3.0, header=true, inferSchema=true, session time zone UTC.
SPARK_TYPES: list[tuple[tuple[str, ...], DataType]] = [
    (("1", "2"), INT),
    (("2147483647",), INT),
    (("2147483648",), LONG),
    (("-2147483648",), INT),
    (("-2147483649",), LONG),
    (("9223372036854775807",), LONG),
    (("9223372036854775808",), DecimalType(19, 0)),
    (("-9223372036854775809",), DecimalType(19, 0)),
    (("9" * 38,), DecimalType(38, 0)),
    (("9" * 39,), DOUBLE),
    (("1" * 20, "1.5"), DOUBLE),
    (("1" * 20, "9" * 38), DecimalType(38, 0)),
    (("1.5",), DOUBLE),
    (("0.1", "1"), DOUBLE),
    (("1", "1.5"), DOUBLE),
    (("1", "2147483648"), LONG),
    (("1e5",), DOUBLE),
    (("1E400",), DOUBLE),
    (("+1",), INT),
    (("-0",), INT),
    (("-0.0",), DOUBLE),
    (("007",), INT),
    (("1.",), DecimalType(1, 0)),
    ((".5",), DOUBLE),
    ((".",), STRING),
    (("-",), STRING),
    (("NaN",), DOUBLE),
    (("nan",), STRING),
    (("Inf", "-Inf"), DOUBLE),
    (("inf",), STRING),
    (("-Infinity",), DOUBLE),
    (("infinity",), STRING),
    (("1d",), DOUBLE),
    (("1L",), STRING),
    (("0x1F",), STRING),
    (("0x1p3",), DOUBLE),
    (("1_000",), STRING),
    (("1,000",), STRING),
    (("50%",), STRING),
    (("\uff11\uff12",), INT),
    (("\u0661\u0662",), INT),
    (("True", "fAlSe"), BOOLEAN),
    (("yes",), STRING),
    (("t",), STRING),
    (("true", "1"), STRING),
    (("2020-01-01",), DATE),
    (("2020-1-1",), TIMESTAMP),
    (("2020-02-30",), STRING),
    (("2020-01",), TIMESTAMP),
    (("2020",), INT),
    (("20200101",), INT),
    (("01/02/2020",), STRING),
    (("2020/01/01",), STRING),
    (("0000-01-01",), DATE),
    (("12020-01-01",), TIMESTAMP),
    (("+12020-01-01",), DATE),
    (("2020-01-01T10:11:12",), TIMESTAMP),
    (("2020-01-01T10:11:12.123456789",), TIMESTAMP),
    (("2020-01-01T10:11:12Z",), TIMESTAMP),
    (("2020-01-01T10:11:12+0200",), TIMESTAMP),
    (("2020-01-01 10:11:12 America/New_York",), TIMESTAMP),
    (("2020-01-01T10",), TIMESTAMP),
    (("2020-01-01T24:00:00",), STRING),
    (("2020-1-1 1:2:3",), TIMESTAMP),
    (("2020-01-01 10:11:12,123",), STRING),
    (("2020-01-01T",), STRING),
    (("12:34",), TIMESTAMP),
    (("T12:34:56",), TIMESTAMP),
    (("2020-01-01", "2020-01-01T10:11:12"), TIMESTAMP),
    (("2020-01-01T10:11:12", "2020-01-01"), TIMESTAMP),
    (("2020-01-01", "1"), STRING),
    (("2020-01-01T10:11:12", "2020"), TIMESTAMP),
    (("2020", "2020-01-01T10:11:12"), STRING),
    (("2020-01-01", "2020"), TIMESTAMP),
    (("2020", "2020-01-01"), STRING),
    (("12:34", "2020"), TIMESTAMP),
    (("2020", "12:34"), STRING),
    (("2020-01-01", "2020-1-1"), TIMESTAMP),
    (("1", "1.", "1.5"), DOUBLE),
    (("9223372036854775808", "1e10"), DOUBLE),
    (("1e0",), DecimalType(1, 0)),
    (("10e-1",), DOUBLE),
    (("99999999999999999999", "123456789012345678901234567890"), DecimalType(30, 0)),
    (("true", "", "1.5"), STRING),
    (("2020-01-01", "true"), STRING),
    (("",), NULL),
    (("1", "null"), STRING),
    ((" 1 ",), DOUBLE),
    ((" 1.5",), DOUBLE),
    ((" true ",), STRING),
    ((" 2020-01-01 ",), TIMESTAMP),
    (("  ",), STRING),
    (("\t1",), DOUBLE),
]


@pytest.mark.parametrize(("cells", "expected"), SPARK_TYPES)
def test_inference_finds_the_types_of_spark(cells: tuple[str, ...], expected: DataType) -> None:
    assert inferred(*cells) == expected


# contract 6.4
@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("123.45",), DecimalType(5, 2)),
        (("0.05",), DecimalType(2, 2)),
        (("1e5",), DecimalType(6, 0)),
        (("1E-3",), DecimalType(3, 3)),
        (("5", "123.45"), DecimalType(12, 2)),
        (("123.45", "5"), DecimalType(12, 2)),
        (("5000000000", "1.5"), DecimalType(21, 1)),
        (("1.5", "5000000000"), DecimalType(21, 1)),
        (("1.5", "22.25"), DecimalType(4, 2)),
        (("1.5", "1d"), DOUBLE),
        (("1.5", "x"), STRING),
        (("1", "2020-01-01"), STRING),
        (("1e40",), DOUBLE),
    ],
)
def test_inference_takes_decimals_by_their_digits_when_preferred(
    cells: tuple[str, ...], expected: DataType
) -> None:
    assert inferred(*cells, prefers_decimal=True) == expected


# contract 6.2
@pytest.mark.parametrize("cells", [("9" * 39,), ("9" * 38, "0.5"), ("0.5", "9" * 38), ("1e40",)])
def test_inference_tells_that_numbers_are_beyond_decimals(cells: tuple[str, ...]) -> None:
    running = TextType()
    for cell in cells:
        running = infer_text_type(cell, running, prefers_decimal=True)
    assert running == TextType(DOUBLE, beyond_decimal=True)


def test_merging_two_files_tells_that_their_decimals_are_beyond() -> None:
    merged = merge_text_types(TextType(DecimalType(38, 0)), TextType(DecimalType(3, 2)))
    assert merged == TextType(DOUBLE, beyond_decimal=True)


def at(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


DEC = DecimalType(10, 2)

# Recorded: Spark 4.3.0 with an explicit schema; None is a null and a bad record.
SPARK_VALUES: list[tuple[str, DataType, Any]] = [
    ("1", BOOLEAN, None),
    ("1", DATE, None),
    ("1", TIMESTAMP, None),
    ("127", ByteType(), 127),
    ("128", ByteType(), None),
    ("+1", INT, 1),
    ("007", LONG, 7),
    ("-0", INT, 0),
    ("1.0", INT, None),
    ("1e5", INT, None),
    (" 1", INT, None),
    ("\uff11\uff12", INT, 12),
    ("\uff11\uff12", DEC, Decimal(12)),
    ("\uff11\uff12", DOUBLE, None),
    ("1.005", DEC, Decimal("1.01")),
    ("-1.005", DEC, Decimal("-1.01")),
    ("1.995", DEC, Decimal("2.00")),
    ("123456789", DEC, None),
    ("99999999.995", DEC, None),
    ("1,000", DEC, Decimal(1000)),
    ("1,5", DEC, Decimal(15)),
    ("1.234,50", DEC, Decimal("1.23")),
    ("1E2", DEC, Decimal(100)),
    ("1e400", DEC, None),
    ("1e-400", DEC, Decimal(0)),
    (" 1.5 ", DEC, None),
    (" 1.5 ", DOUBLE, 1.5),
    ("1d", DOUBLE, 1.0),
    ("0x1p3", DOUBLE, 8.0),
    ("1e400", DOUBLE, math.inf),
    ("-Inf", DOUBLE, -math.inf),
    ("Infinity", FloatType(), math.inf),
    ("+Inf", DOUBLE, None),
    ("nan", DOUBLE, None),
    ("inf", DOUBLE, None),
    ("TRUE", BOOLEAN, True),
    ("fAlSe", BOOLEAN, False),
    ("t", BOOLEAN, None),
    (" true", BOOLEAN, None),
    ("2020-1-1", DATE, dt.date(2020, 1, 1)),
    ("2020-01", DATE, dt.date(2020, 1, 1)),
    ("2020", DATE, dt.date(2020, 1, 1)),
    (" 2020-01-01 ", DATE, dt.date(2020, 1, 1)),
    ("2020-01-01T10:11:12Z", DATE, dt.date(2020, 1, 1)),
    ("2020-01-01T24:00:00", DATE, dt.date(2020, 1, 1)),
    ("2020-01-01abc", DATE, None),
    ("2020-02-30", DATE, None),
    ("20200101", DATE, None),
    ("12:34", DATE, None),
    ("2020", TIMESTAMP, at("2020-01-01")),
    ("2020-01-01 10:11:12 UTC", TIMESTAMP, at("2020-01-01T10:11:12")),
    ("2020-01-01T10:11:12+02:00", TIMESTAMP, at("2020-01-01T08:11:12")),
    ("2020-01-01T10:11:12+2:00", TIMESTAMP, at("2020-01-01T08:11:12")),
    ("2020-01-01T10:11:12+0200", TIMESTAMP, at("2020-01-01T08:11:12")),
    ("2030-01-05 10:00:00 Europe/Paris", TIMESTAMP, at("2030-01-05T09:00:00")),
    ("2030-01-05 10:00:00 PST", TIMESTAMP, at("2030-01-05T18:00:00")),
    ("2030-01-05 10:00:00 GMT+2", TIMESTAMP, at("2030-01-05T08:00:00")),
    ("2020-01-01T10:11:12.123456789", TIMESTAMP, at("2020-01-01T10:11:12.123456")),
    ("2020-01-01T10:11Z", TIMESTAMP, None),
    ("2020-01-01T10:11:60", TIMESTAMP, None),
    ("2020-01-01T10:11:12+19:00", TIMESTAMP, None),
    ("12:34", TIMESTAMP, at("2026-11-30T12:34")),
    ("T12:34:56", TIMESTAMP, at("2026-11-30T12:34:56")),
    ("2020-01-01T10:11:12Z", NTZ, None),
    ("2020-01-01T10:11", NTZ, dt.datetime(2020, 1, 1, 10, 11)),  # noqa: DTZ001 - no zone
    ("12:34", NTZ, None),
    ("\u00e9", BinaryType(), "\u00e9".encode()),
]


@pytest.mark.parametrize(("text", "data_type", "expected"), SPARK_VALUES)
def test_text_becomes_the_value_of_spark(text: str, data_type: DataType, expected: Any) -> None:
    assert value(text, data_type) == expected


def test_nan_is_a_double() -> None:
    assert math.isnan(value("NaN", DOUBLE))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("16777217", 16777216.0), ("16777217.0000001", 16777218.0), ("3.5e38", math.inf)],
)
def test_a_float_is_nearest_to_the_text_and_not_to_its_double(text: str, expected: float) -> None:
    assert value(text, FloatType()) == expected


# Spark keeps these years; Python cannot hold them, so they are rescued.
@pytest.mark.parametrize("text", ["0000-01-01", "-0001-01-01", "+12020-01-01", "12020-01-01"])
@pytest.mark.parametrize("data_type", [DATE, TIMESTAMP, NTZ])
def test_a_year_beyond_the_range_is_a_misfit(text: str, data_type: DataType) -> None:
    assert convert_text(text, data_type, UTC) is None


def test_an_instant_before_the_first_year_is_a_misfit() -> None:
    assert convert_text("0001-01-01 00:00:00+05:00", TIMESTAMP, UTC) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2020-03-08 02:30:00", at("2020-03-08T07:30:00")),  # a gap: moved on, as Java does
        ("2020-11-01 01:30:00", at("2020-11-01T05:30:00")),  # an overlap: the earlier offset
    ],
)
def test_text_without_a_zone_is_in_the_sessions_zone(text: str, expected: dt.datetime) -> None:
    assert value(text, TIMESTAMP, SessionTime("America/New_York", TODAY)) == expected


@pytest.mark.parametrize(
    ("text", "data_type", "changed"),
    [
        ("1.005", DEC, True),
        ("1.500", DEC, False),
        ("1.5", DEC, False),
        ("2030-01-06 10:00:00", DATE, True),
        ("2030-01-06 ", DATE, False),
    ],
)
def test_a_rounded_or_cut_value_is_changed(text: str, data_type: DataType, changed: bool) -> None:  # noqa: FBT001 - parametrized
    converted = convert_text(text, data_type, UTC)
    assert converted is not None
    assert converted.changed is changed


@pytest.mark.parametrize("text", ["1.005", "1.500", "1E-3"])
def test_more_fraction_digits_are_a_misfit_when_decimals_are_exact(text: str) -> None:
    assert convert_text(text, DEC, UTC, exact_decimals=True) is None


@pytest.mark.parametrize("name", ["Moon", "America", "../UTC", "", "+", "UTC0", "+24:00", "utc"])
def test_an_unknown_zone_is_none(name: str) -> None:
    assert find_zone(name) is None


@pytest.mark.parametrize(("digits", "expected"), [("9" * 5000, None), ("0" * 5000 + "7", 7)])
def test_thousands_of_digits_are_read(digits: str, expected: int | None) -> None:
    assert value(digits, LONG) == expected

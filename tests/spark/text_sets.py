"""Columns of text whose type is asked for, and texts whose values are."""

from __future__ import annotations

import itertools
import random

from tests.spark.questions import Json, Kind, QuestionSet
from tests.spark.random_texts import ZONES, random_text

TYPES = (
    "BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(10,2)",
    "DECIMAL(38,18)", "DECIMAL(20,0)", "DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "STRING", "BINARY",
)  # fmt: skip
NUMBERS = ("INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(10,2)", "DECIMAL(20,0)")
TIMES = ("DATE", "TIMESTAMP", "TIMESTAMP_NTZ")

SINGLE = (
    "1", "2147483647", "2147483648", "-2147483648", "-2147483649", "9223372036854775807",
    "9223372036854775808", "-9223372036854775809", "9" * 38, "9" * 39, "1" * 20, "1.5", "0.1",
    "1e5", "1E400", "1e0", "10e-1", "+1", "+1.5", "-0", "-0.0", "007", "1.", ".5", ".", "-", "+",
    "NaN", "nan", "Inf", "-Inf", "inf", "Infinity", "-Infinity", "infinity", "1d", "1f", "1L",
    "0x1F", "0x1p3", "1_000", "1,000", "50%", "１２", "١٢", "true", "FALSE", "fAlSe", "yes", "t",
    "2020-01-01", "2020-1-1", "2020-02-30", "2020-01", "2020", "20200101", "01/02/2020",
    "2020/01/01", "0000-01-01", "12020-01-01", "+12020-01-01", "-0001-01-01",
    "2020-01-01T10:11:12", "2020-01-01 10:11:12", "2020-01-01T10:11:12.123",
    "2020-01-01T10:11:12.123456789", "2020-01-01T10:11:12Z", "2020-01-01T10:11:12+02:00",
    "2020-01-01T10:11:12+0200", "2020-01-01 10:11:12 UTC", "2020-01-01 10:11:12 America/New_York",
    "2020-01-01T10:11", "2020-01-01T10", "2020-01-01T24:00:00", "2020-1-1 1:2:3", "2020-01-01T",
    "2020-01-01 10:11:12,123", "2020-01-01abc", "2020-01-01 abc", "1577836800", "12:34", "12:34:56",
    "T12:34:56", "null", "NULL", "\\N", " 1 ", " 1.5", " true ", " 2020-01-01 ", "\t1", "a", "  ",
    "1.005", "1.995", "99999999.99", "99999999.995", "123456789", "1e400", "1e-400", "0.0000001",
)  # fmt: skip
"""The texts of the inference and value tables of the Spark facts."""

_PAIRED = (
    "1", "2147483648", "9223372036854775808", "9" * 38, "9" * 39, "1.5", "1e5", "1.", "1e0", "NaN",
    " 1", "2020-01-01", "2020-1-1", "2020", "2020-01-01T10:11:12", "2020-01-01T10:11:12Z", "12:34",
    "true", "a", "null", "", "-0", "007", "1,000", "12020-01-01", "Inf", "1" * 30, "0.1",
)  # fmt: skip


def text_sets(seed: int) -> list[QuestionSet]:
    """Give the ladder and value sets of all options that work on text, times apart."""
    rng = random.Random(seed)
    singles = [[text] for text in SINGLE]
    pairs = [list(pair) for pair in itertools.product(_PAIRED, repeat=2)]
    some = singles + [list(pair) for pair in itertools.product(_PAIRED[::3], repeat=2)]
    texts = tuple(dict.fromkeys(random_text(rng) for _ in range(1500)))
    return [
        _types("types-tables", {}, singles + pairs + _triples()),
        _types("types-random", {}, [_column(rng) for _ in range(5000)]),
        _types("types-prefer-date-off", {"preferDate": "false"}, some),
        _types("types-null-value", {"nullValue": "null"}, some),
        _types("types-empty-value", {"emptyValue": "1"}, some),
        _types("types-nan-words", _nan_words(), some + _words()),
        _types("types-trimmed", _trimmed(), some + [_column(rng) for _ in range(300)]),
        _values("values-tables", {}, SINGLE),
        _values("values-random", {}, texts),
        _values("values-nan-words", _nan_words(), (*SINGLE, "nil", "huge", "-huge"), NUMBERS),
        _values("values-null-value", {"nullValue": "null"}, SINGLE),
        _values("values-trimmed", _trimmed(), (*SINGLE, *texts[:200])),
        _values("values-clocks-and-zones", {}, _clocks_and_zones(), TIMES),
        _values("values-new-york", {"timeZone": "America/New_York"}, _zoned(rng), TIMES),
        _values("values-kolkata", {"timeZone": "Asia/Kolkata"}, _zoned(rng), TIMES),
        _values("values-paris", {"timeZone": "Europe/Paris"}, _zoned(rng), TIMES),
    ]


def _types(name: str, options: dict[str, str], columns: list[list[str]]) -> QuestionSet:
    items: tuple[Json, ...] = tuple(dict.fromkeys(map(tuple, columns)))
    return QuestionSet(name, Kind.TYPES, options, tuple(map(list, items)))


def _values(
    name: str, options: dict[str, str], texts: tuple[str, ...], types: tuple[str, ...] = TYPES
) -> QuestionSet:
    return QuestionSet(name, Kind.VALUES, options, tuple(dict.fromkeys(texts)), types)


def _triples() -> list[list[str]]:
    kinds = (
        "1",
        "2147483648",
        "1.5",
        "9" * 20,
        "2020-01-01",
        "2020-01-01 10:11:12",
        "true",
        "2020",
    )
    return [list(triple) for triple in itertools.permutations(kinds, 3)]


def _column(rng: random.Random) -> list[str]:
    """Make a column of one to eight cells; half of them of few distinct texts."""
    size = rng.randint(1, 8)
    if rng.random() < 0.5:
        few = [random_text(rng) for _ in range(2)] + [rng.choice(_PAIRED), ""]
        return [rng.choice(few) for _ in range(size)]
    return [rng.choice(_PAIRED) if rng.random() < 0.3 else random_text(rng) for _ in range(size)]


def _nan_words() -> dict[str, str]:
    return {"nanValue": "nil", "positiveInf": "huge", "negativeInf": "-huge"}


def _words() -> list[list[str]]:
    return [list(one) for one in itertools.product(("nil", "huge", "-huge", "1", "NaN"), repeat=2)]


def _trimmed() -> dict[str, str]:
    return {"ignoreLeadingWhiteSpace": "true", "ignoreTrailingWhiteSpace": "true"}


def _clocks_and_zones() -> tuple[str, ...]:
    clocks = ("1", "01", "1:2", "01:02", "1:2:3", "01:02:03", "1:2:3.4", "1:2:3.", "1:", "1.5")
    parts = itertools.product(
        ("2024-01-05 ", "2024-01-05T", "", "T", "2024-1 "), clocks, dict.fromkeys(ZONES)
    )
    return tuple("".join(part) for part in parts)


def _zoned(rng: random.Random) -> tuple[str, ...]:
    """Make moments around changes of the clock, and before there were time zones."""
    days = ("2024-03-10", "2024-11-03", "2024-03-31", "2024-10-27", "1883-11-18", "1900-01-01",
            "1941-09-30", "1891-03-15", "2024-07-01", "1000-01-01", "1582-10-10", "9999-12-31")  # fmt: skip
    clocks = ("", " 00:00:00", " 01:30:00", " 02:00:00", " 02:30:00", " 03:00:00", " 12:03:57",
              "T23:59:59.999999", " 02:30:00Z", " 02:30:00+05:30", " 02:30:00 America/Los_Angeles")  # fmt: skip
    moments = [day + clock for day in days for clock in clocks]
    return (*moments, *(random_text(rng) for _ in range(60)))

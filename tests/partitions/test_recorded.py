"""Partition folders have the types and values that Spark gave, or a reason why not."""

from __future__ import annotations

import datetime as dt
import struct
from decimal import Decimal

import pytest

from ingest.partitions.values import infer_partition_type, is_null, partition_value
from ingest.text.times import SessionTime
from schema_store.ddl import parse_ddl
from schema_store.type_names import type_to_sql
from tests.partitions.questions import SETS, TEXTS, TYPES, Recording, read_recording, set_key

SESSION = SessionTime("UTC", dt.date(2026, 11, 30))
EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - local times are counted, too

TYPE_DIFFERENCES = {
    "__HIVE_DEFAULT_PARTITION__": "a column of nulls is STRING here, void in Spark",
    "10%3A11%3A12": "there is no type TIME here (Spark 4.3 infers one)",
}
NOT_HELD = ("0000-01-01", "-0001-01-01", "12030-01-05", "+12030-01-05")
"""Years that Python and Arrow do not both have: rescued."""
VALUE_DIFFERENCES = {
    **{
        (name, text): "a value of this year cannot be held"
        for name in ("DATE", "TIMESTAMP", "TIMESTAMP_NTZ")
        for text in NOT_HELD
    },
    **dict.fromkeys(
        [
            ("SMALLINT", "2147483647"),
            ("TINYINT", "2147483647"),
            ("TINYINT", "2030"),
            ("SMALLINT", "20300105"),
            ("TINYINT", "20300105"),
        ],
        "Spark cuts the number's first bits off",
    ),
    **dict.fromkeys(
        [("DECIMAL(38,0)", text) for text in (".5", "1.5", "-1.5", "1e-5")]
        + [("DECIMAL(10,2)", "1e-5")],
        "Spark keeps digits that the type does not have",
    ),
    **dict.fromkeys(
        [
            ("DECIMAL(10,2)", text)
            for text in (
                *("2147483647", "2147483648", "-2147483649", "9223372036854775807"),
                *("9223372036854775808", "9" * 38, "1" + "0" * 37, "1e37"),
            )
        ],
        "Spark keeps digits that the type does not have",
    ),
    **dict.fromkeys(
        [
            ("TIMESTAMP_NTZ", "2030-01-05 10%3A11%3A12Z"),
            ("TIMESTAMP_NTZ", "2030-01-05 24%3A00%3A00"),
            ("TIMESTAMP_NTZ", "2030-01-05 10%3A11%3A60"),
        ],
        "Spark leaves out a zone or a time that does not fit; here it is a misfit, as in files",
    ),
}


@pytest.fixture(scope="module")
def recording() -> Recording:
    return read_recording()


def test_everything_was_asked(recording: Recording) -> None:
    assert list(recording.alone) == list(recording.casts) == list(TEXTS)
    assert list(recording.sets) == [set_key(some) for some in SETS]
    assert all(tuple(casts) == TYPES for casts in recording.casts.values())


def test_inferred_types_are_sparks(recording: Recording) -> None:
    ours = {text: _type([text]) for text in recording.alone}

    found = {text for text, (spark, _) in recording.alone.items() if spark != ours[text]}

    assert found == set(TYPE_DIFFERENCES)


def test_types_of_several_folders_are_sparks(recording: Recording) -> None:
    assert recording.sets == {set_key(some): _type(some) for some in SETS}


def test_values_are_sparks(recording: Recording) -> None:
    found = {
        (name, text)
        for text, casts in recording.casts.items()
        for name, spark in casts.items()
        if _ours(text, name) != _comparable(spark, name)
    }

    assert found == set(VALUE_DIFFERENCES)


def _type(texts: list[str] | tuple[str, ...]) -> str:
    return type_to_sql(infer_partition_type(texts)).lower()


def _ours(text: str, name: str) -> object:
    (column,) = parse_ddl(f"p {name}")
    found = None if is_null(text) else partition_value(text, column.data_type, SESSION)
    if found is None:
        return None
    match found.value:
        case dt.datetime() as time:
            return (time.replace(tzinfo=None) - EPOCH) // dt.timedelta(microseconds=1)
        case dt.date() as date:
            return (date - EPOCH.date()).days
        case float() as number:
            return struct.pack(">d", number)
        case value:
            return value


def _comparable(spark: str | None, name: str) -> object:
    """Read what Spark's value was written as."""
    if spark is None:
        return None
    match name:
        case "STRING":
            return spark
        case "BINARY":
            return bytes.fromhex(spark)
        case "BOOLEAN":
            return spark == "True"
        case "FLOAT":
            return struct.pack(">d", *struct.unpack(">f", struct.pack(">f", float(spark))))
        case "DOUBLE":
            return struct.pack(">d", float(spark))
        case _ if name.startswith("DECIMAL"):
            return Decimal(spark)
        case _:
            return int(spark)

"""Parquet types as Spark 4.3 reads them, old calendars, nanoseconds, text that is not UTF-8.

The expected types are the answers of PySpark 4.3.0 to files with one column each.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.errors import AncientDatetimeError
from ingest.formats.julian import SWITCH_DAY, rebase_days, rebase_micros
from ingest.formats.parquet_decoding import decode, decode_any, is_flat
from ingest.formats.parquet_footer import open_parquet
from ingest.stream_options import ParquetOptions, Rebase
from schema_store.ddl import to_ddl
from tests.ingest.csv_support import land
from tests.ingest.parquet_support import (
    CORRECTED,
    land_tables,
    losses,
    parquet,
    parquet_bytes,
    read_all,
)

if TYPE_CHECKING:
    from pathlib import Path

OLD_DATE = pa.array([dt.date(1500, 1, 1), dt.date(2030, 1, 1)])
OLD_TIME = pa.array([dt.datetime(1500, 1, 1, tzinfo=dt.UTC)], pa.timestamp("us", "UTC"))
LEGACY = ParquetOptions()
NOT_TEXT = pa.array([b"ok", b"\xff\xfe"]).cast(pa.string(), safe=False)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([1], pa.int8()), "TINYINT"),
        (pa.array([1], pa.int16()), "SMALLINT"),
        (pa.array([1], pa.uint8()), "SMALLINT"),
        (pa.array([1], pa.uint16()), "INT"),
        (pa.array([1], pa.uint32()), "BIGINT"),
        (pa.array([1], pa.uint64()), "DECIMAL(20,0)"),
        (pa.array([b"abcd"], pa.binary(4)), "BINARY"),
        (pa.array([b"x"]), "BINARY"),
        (pa.array([5], pa.duration("us")), "BIGINT"),
        (pa.nulls(1), "INT"),
        (pa.array([dt.date(2030, 1, 1)], pa.date64()), "DATE"),
        (pa.array(["x"], pa.large_string()), "STRING"),
        (pa.array(["x"]).dictionary_encode(), "STRING"),
        (pa.array(["{}"], pa.json_()), "STRING"),
        (pa.array([Decimal("1.25")], pa.decimal128(5, 2)), "DECIMAL(5,2)"),
        (pa.array([1], pa.timestamp("ms")), "TIMESTAMP_NTZ"),
        (pa.array([1], pa.timestamp("us", "Europe/Berlin")), "TIMESTAMP"),
        (pa.array([[1]], pa.list_(pa.int32())), "ARRAY<INT>"),
        (pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int32())), "MAP<STRING, INT>"),
    ],
)
def test_types_are_those_that_spark_finds(tmp_path: Path, column: pa.Array, expected: str) -> None:
    files = land_tables(tmp_path, {"c": column})
    assert to_ddl(parquet().infer(files).schema) == f"c {expected}"


@pytest.mark.parametrize("as_integer", [False, True])
def test_decimals_are_read_from_integers_and_bytes(tmp_path: Path, as_integer: bool) -> None:  # noqa: FBT001 - a parameter of the test
    table = pa.table({"c": pa.array([Decimal("-1.25")], pa.decimal128(9, 2))})
    content = parquet_bytes(table, store_decimal_as_integer=as_integer)
    rows, _ = read_all(parquet(), land(tmp_path, {"a.parquet": content}), "c DECIMAL(12,3)")
    assert rows[0]["c"] == Decimal("-1.250")


def test_int96_is_a_timestamp(tmp_path: Path) -> None:
    table = pa.table({"c": pa.array([dt.datetime(2030, 1, 5, 10, 11, 12, 123456)])})  # noqa: DTZ001
    content = parquet_bytes(table, use_deprecated_int96_timestamps=True)
    files = land(tmp_path, {"a.parquet": content})
    assert to_ddl(parquet().infer(files).schema) == "c TIMESTAMP"
    rows, _ = read_all(parquet(), files, "c TIMESTAMP")
    assert rows[0]["c"] == dt.datetime(2030, 1, 5, 10, 11, 12, 123456, dt.UTC)


def test_intervals_are_those_of_the_schema_that_spark_wrote(tmp_path: Path) -> None:
    spark = (
        '{"type":"struct","fields":['
        '{"name":"y","type":"interval year to month","nullable":true,"metadata":{}},'
        '{"name":"d","type":"interval day to second","nullable":true,"metadata":{}}]}'
    )
    table = pa.table({"y": pa.array([14], pa.int32()), "d": pa.array([5], pa.int64())})
    table = table.replace_schema_metadata({"org.apache.spark.sql.parquet.row.metadata": spark})
    files = land_tables(tmp_path, table)
    schema = to_ddl(parquet().infer(files).schema)
    assert schema == "y INTERVAL YEAR TO MONTH, d INTERVAL DAY TO SECOND"
    rows, _ = read_all(parquet(), files, schema)
    assert rows[0] == {"y": 14, "d": dt.timedelta(microseconds=5), "_rescued_data": None}


# contract 11.21
@settings(deadline=None)
@given(st.lists(st.one_of(st.none(), st.integers(-(2**62), 2**62)), min_size=1, max_size=5))
def test_nanoseconds_are_cut_and_told(tmp_path_factory: Any, values: list[int | None]) -> None:
    folder = tmp_path_factory.mktemp("nanos")
    files = land_tables(folder, {"c": pa.array(values, pa.timestamp("ns"))})
    batch = next(parquet().read(files, parquet().infer(files).schema))
    micros = batch.rows.column(0).cast(pa.int64()).to_pylist()
    assert micros == [None if one is None else one // 1000 for one in values]
    changed = sum(one is not None and one % 1000 != 0 for one in values)
    assert sum(one.count for one in batch.findings.losses) == changed


# contract 11.3: as Spark shows it
@pytest.mark.parametrize("nested", [False, True])
def test_text_that_is_not_utf_8_is_replaced_and_told(tmp_path: Path, nested: bool) -> None:  # noqa: FBT001 - a parameter of the test
    column = pa.StructArray.from_arrays([NOT_TEXT], ["t"]) if nested else NOT_TEXT
    schema = "c STRUCT<t: STRING>" if nested else "c STRING"
    rows, findings = read_all(parquet(), land_tables(tmp_path, {"c": column}), schema)
    found = [row["c"]["t"] if nested else row["c"] for row in rows]
    assert found == ["ok", "\ufffd\ufffd"]
    assert losses(findings) == [("changed", "c.t" if nested else "c", 1)]
    assert findings.losses[0].examples[0].row == 2


# Spark 4.3: with datetimeRebaseMode=LEGACY 1500-01-01 is read as 1499-12-23
def test_old_dates_of_unknown_writers_are_counted_anew_and_told(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"d": OLD_DATE})
    rows, findings = read_all(parquet(options=LEGACY), files, "d DATE")
    assert [row["d"] for row in rows] == [dt.date(1499, 12, 23), dt.date(2030, 1, 1)]
    assert losses(findings) == [("changed", "d", 1)]


def test_old_timestamps_are_counted_anew(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"t": OLD_TIME})
    rows, _ = read_all(parquet(options=LEGACY), files, "t TIMESTAMP")
    assert rows[0]["t"] == dt.datetime(1499, 12, 23, tzinfo=dt.UTC)


def test_old_dates_stay_with_corrected(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"d": OLD_DATE})
    rows, findings = read_all(parquet(options=CORRECTED), files, "d DATE")
    assert rows[0]["d"] == dt.date(1500, 1, 1)
    assert findings.losses == ()


def test_old_dates_are_an_error_with_exception(tmp_path: Path) -> None:
    options = ParquetOptions(Rebase.EXCEPTION, Rebase.EXCEPTION)
    files = land_tables(tmp_path, {"d": OLD_DATE})
    with pytest.raises(AncientDatetimeError) as caught:
        read_all(parquet(options=options), files, "d DATE")
    assert (caught.value.column, caught.value.value) == ("d", "1500-01-01")


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"org.apache.spark.version": "4.3.0"}, dt.date(1500, 1, 1)),
        ({"org.apache.spark.version": "2.4.8"}, dt.date(1499, 12, 23)),
        (
            {"org.apache.spark.version": "4.3.0", "org.apache.spark.legacyDateTime": ""},
            dt.date(1499, 12, 23),
        ),
    ],
)
def test_files_of_spark_say_themselves(
    tmp_path: Path, metadata: dict[str, str], expected: dt.date
) -> None:
    table = pa.table({"d": OLD_DATE}).replace_schema_metadata(metadata)
    rows, findings = read_all(parquet(options=LEGACY), land_tables(tmp_path, table), "d DATE")
    assert rows[0]["d"] == expected
    assert findings.losses == ()


@given(st.integers(-719_162 + 400, SWITCH_DAY - 1))
def test_rebased_days_look_alike_in_both_calendars(day: int) -> None:
    year, month, of_month = julian_day(day)
    found = rebase_days(pl.Series([day]))[0]
    if (month, of_month) == (2, 29) and year % 100 == 0 and year % 400:
        assert found == rebase_days(pl.Series([day + 1]))[0]  # a day that only Julius knows
    else:
        assert dt.date(1970, 1, 1) + dt.timedelta(found) == dt.date(year, month, of_month)


@given(st.integers(-60_000_000_000_000_000, 10**16))
def test_rebased_times_keep_the_time_of_day(micros: int) -> None:
    day = 86_400_000_000
    found = rebase_micros(pl.Series([micros]))[0]
    assert found % day == micros % day
    assert found // day == rebase_days(pl.Series([micros // day]))[0]


def julian_day(day: int) -> tuple[int, int, int]:
    """Give year, month and day in the Julian calendar (Richards' algorithm)."""
    f = day + 2_440_588 + 1401
    e = 4 * f + 3
    h = 5 * (e % 1461 // 4) + 2
    month = (h // 153 + 2) % 12 + 1
    return e // 1461 - 4716 + (14 - month) // 12, month, h % 153 // 5 + 1


# the fast decoder and the one for all types
FLAT = {
    "i": pa.array([1, None, 3], pa.int16()),
    "u": pa.array([1, None, 2**64 - 1], pa.uint64()),
    "f": pa.array([0.1, None, float("nan")], pa.float32()),
    "b": pa.array([True, None, False]),
    "s": pa.array(["a", None, "\U0001f600" * 9]),
    "L": pa.array(["a", None, ""], pa.large_string()),
    "d": OLD_DATE.take(pa.array([0, None, 1])),
    "t": pa.array([-1, None, 1], pa.timestamp("us", "Europe/Berlin")),
    "n": pa.array([-1, None, 1], pa.timestamp("ns")),
    "x": pa.array([Decimal("-1.25"), None, Decimal("9.99")], pa.decimal128(38, 2)),
}


@pytest.mark.parametrize("groups", [1, 2, 100])
def test_both_decoders_read_alike(tmp_path: Path, groups: int) -> None:
    content = parquet_bytes(pa.table(FLAT), row_group_size=groups, data_page_version="2.0")
    (file,) = land(tmp_path, {"a.parquet": content})
    with open_parquet(file, whole=True) as opened:
        assert opened is not None
        assert is_flat(opened.fields)
        fast, slow = list(decode(opened)), list(decode_any(opened))
    assert fast[0].schema.field("s").type == pa.string_view()
    assert frame_of(fast).equals(frame_of(slow))


def frame_of(batches: list[pa.RecordBatch]) -> pl.DataFrame:
    return pl.concat([pl.DataFrame(batch) for batch in batches])


# contract 9.2: what cannot be shown must not be lost either
def test_unknown_text_that_is_not_utf_8_is_rescued(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"id": pa.array([1, 2]), "new": NOT_TEXT})
    rows, _ = read_all(parquet(), files, "id BIGINT")
    assert [row["_rescued_data"] for row in rows] == [{"new": "ok"}, {"new": "\ufffd\ufffd"}]

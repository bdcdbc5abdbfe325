"""Parquet files at the edges: what only Arrow sees, far dates, empty names, many columns, text."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from ingest.errors import AncientDatetimeError
from ingest.formats.arrow_json import json_texts
from ingest.formats.parquet_decoding import MAX_GROUP, decode
from ingest.formats.parquet_footer import open_parquet
from ingest.formats.parquet_values import NOT_UTF_8
from ingest.ledger import LossKind
from ingest.partitions.partitioned_format import PartitionedFormat
from ingest.stream_options import ParquetOptions, Rebase
from schema_store.ddl import parse_ddl, to_ddl
from schema_store.types import StructType
from tests.ingest.csv_support import land, reading
from tests.ingest.parquet_support import land_tables, parquet, parquet_bytes, read_all

if TYPE_CHECKING:
    from pathlib import Path

TWO = pa.list_(pa.int32(), 2)
BROKEN = pa.array([b"ok", b"\xff"]).cast(pa.string(), safe=False)


# the Arrow schema that a writer leaves in the footer is nothing to Spark
@pytest.mark.parametrize(
    ("column", "schema", "expected"),
    [
        (pa.array([[1, None], None], pa.list_view(pa.int32())), "v ARRAY<INT>", [[1, None], None]),
        (pa.array([[1], None], pa.large_list_view(pa.int64())), "v ARRAY<BIGINT>", [[1], None]),
        (
            pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, None], pa.int8())),
            "v TINYINT",
            [1, None],
        ),
        (
            pa.ExtensionArray.from_storage(
                pa.fixed_shape_tensor(pa.int32(), [2]), pa.array([[1, 2], None], TWO)
            ),
            "v ARRAY<INT>",
            [[1, 2], None],
        ),
        (
            pa.array([{"l": [1]}, None], pa.struct([("l", pa.list_view(pa.int32()))])),
            "v STRUCT<l: ARRAY<INT>>",
            [{"l": [1]}, None],
        ),
    ],
)
def test_types_that_only_arrow_knows_are_read_as_what_they_are_stored_as(
    tmp_path: Path, column: pa.Array, schema: str, expected: list[Any]
) -> None:
    files = land_tables(tmp_path, {"v": column})
    assert to_ddl(parquet().infer(files).schema) == schema
    assert [row["v"] for row in read_all(parquet(), files, schema)[0]] == expected


def test_a_list_view_that_does_not_fit_is_rescued(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"v": pa.array([[1, None]], pa.list_view(pa.int32()))})
    assert read_all(parquet(), files, "v INT")[0] == [
        {"v": None, "_rescued_data": {"v": [1, None]}}
    ]


# contract 11.8
def test_a_column_without_a_name_is_rescued(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"id": pa.array([1]), "": pa.array([2])})
    assert to_ddl(parquet().infer(files).schema) == "id BIGINT"
    rows, findings = read_all(parquet(), files, "id BIGINT")
    assert rows == [{"id": 1, "_rescued_data": {"": 2}}]
    assert findings.unknown == ()


# contract 5.2: ISO texts, as Java writes years of more than four digits
@pytest.mark.parametrize(
    ("numbers", "kind", "expected"),
    [
        (
            pa.array([-(2**31), 2**31 - 1, None, 2932897, -719529], pa.int32()),
            pa.date32(),
            ["-5877641-06-23", "+5881580-07-11", None, "+10000-01-01", "-0001-12-31"],
        ),
        (
            pa.array([-(2**63), 2**63 - 1, None, -1]),
            pa.timestamp("us", "UTC"),
            [
                "-290308-12-21T19:59:05.224192Z",
                "+294247-01-10T04:00:54.775807Z",
                None,
                "1969-12-31T23:59:59.999999Z",
            ],
        ),
        (
            pa.array([-(2**63), 2**63 - 1, 0]),
            pa.timestamp("ms"),
            [
                "-292275055-05-16T16:47:04.192",
                "+292278994-08-17T07:12:55.807",
                "1970-01-01T00:00:00.000",
            ],
        ),
    ],
)
def test_dates_that_no_library_shows_are_rescued_as_text(
    numbers: pa.Array, kind: pa.DataType, expected: list[str | None]
) -> None:
    texts = json_texts(numbers.view(kind)).to_list()
    assert texts == [None if one is None else f'"{one}"' for one in expected]


# contract 9.1: a rescued text with U+FFFD in it is no longer what it was
@pytest.mark.parametrize(
    ("column", "schema"),
    [
        (BROKEN, "id BIGINT"),
        (BROKEN, "id BIGINT, t INT"),
        (pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), BROKEN), "id BIGINT"),
        (pa.StructArray.from_arrays([BROKEN], names=["x"]), "id BIGINT, t INT"),
    ],
)
def test_rescued_text_that_is_not_utf_8_is_told(
    tmp_path: Path, column: pa.Array, schema: str
) -> None:
    files = land_tables(tmp_path, {"id": pa.array([1, 2]), "t": column})
    _, findings = read_all(parquet(), files, schema)
    (entry,) = findings.losses
    told = (entry.kind, entry.column, entry.reason, entry.count, entry.examples[0].row)
    assert told == (LossKind.CHANGED, "t", NOT_UTF_8, 1, 2)
    assert "\ufffd" in entry.examples[0].text


# contract 2.7: rows of files count although no column of theirs is wanted
def test_files_of_which_no_column_is_wanted_have_their_rows(tmp_path: Path) -> None:
    content = parquet_bytes(pa.table({"a": pa.array([1, 2, 3])}))
    (tmp_path / "p=7").mkdir()
    files = land(tmp_path, {"p=7/1.parquet": content})
    settings = reading(rescued_column=None)
    partitioned = PartitionedFormat(
        parquet(rescued_column=None), str(tmp_path).encode(), parse_ddl("p INT"), settings
    )
    (batch,) = partitioned.read(files, StructType(()))
    assert batch.rows.to_pylist() == [{"p": 7}] * 3
    assert batch.files == ((files[0], 3),)
    assert [(one.column, one.count) for one in batch.findings.losses] == [("a", 3)]


def test_a_row_group_too_large_to_be_decoded_at_once_is_streamed(tmp_path: Path) -> None:
    height = MAX_GROUP // 8 + 1000
    table = pa.table({"n": pa.array(range(height), pa.int64())})
    content = parquet_bytes(table, use_dictionary=False, row_group_size=height)
    files = land(tmp_path, {"1.parquet": content})
    with open_parquet(files[0], whole=True) as opened:
        assert opened is not None
        batches = list(decode(opened))
    assert len(batches) > 1
    assert pa.Table.from_batches(batches).equals(table)


def test_thousands_of_columns_take_no_time_for_each_pair(tmp_path: Path) -> None:
    ints = pa.array([1, 2])
    files = land_tables(
        tmp_path,
        {f"c{number}": ints for number in range(3000)},
        {f"d{number}": ints for number in range(3000)},
    )
    started = time.process_time()
    schema = parquet().infer(files[:1]).schema
    rows, _ = read_all(parquet(), files, to_ddl(schema))
    assert len(rows[2]["_rescued_data"]) == 3000
    assert time.process_time() - started < 20


def test_an_ancient_date_is_refused_whatever_its_year(tmp_path: Path) -> None:
    dates = pa.array([-(2**31)], pa.int32()).view(pa.date32())
    files = land_tables(tmp_path, {"d": dates})
    refusing = ParquetOptions(Rebase.EXCEPTION, Rebase.EXCEPTION)
    with pytest.raises(AncientDatetimeError) as caught:
        read_all(parquet(options=refusing), files, "d DATE")
    assert "-5877641-06-23" in str(caught.value)

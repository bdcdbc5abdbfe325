"""Parquet: schemas from footers, columns by name and type, what is left over."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from itertools import permutations
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from ingest.errors import (
    DamagedParquetError,
    DamagedParquetPagesError,
    FileChangedError,
    FileMissingError,
    ForeignFormatError,
    ParquetTypeMismatchError,
    ParquetTypeNotSupportedError,
    RescuedColumnInDataError,
)
from schema_store.ddl import parse_ddl, to_ddl
from schema_store.types import IntegerType, LongType
from tests.ingest.csv_support import land
from tests.ingest.parquet_support import land_tables, losses, parquet, parquet_bytes, read_all

if TYPE_CHECKING:
    from pathlib import Path

INTS = pa.array([1, 2], pa.int32())


def inferred(folder: Path, *tables: dict[str, pa.Array], hints: str = "") -> str:
    return to_ddl(parquet(hints=hints).infer(land_tables(folder, *tables)).schema)


# contract 2.2, 2.5, 2.6: widest type, first spelling, file order
def test_infer_merges_footers(tmp_path: Path) -> None:
    first = {"b": INTS, "Name": pa.array(["x", "y"])}
    second = {"NAME": pa.array(["z"]), "b": pa.array([5], pa.int64()), "c": pa.array([1.5])}
    assert inferred(tmp_path, first, second) == "b BIGINT, Name STRING, c DOUBLE"


def test_infer_finds_the_same_types_in_any_order_of_files(tmp_path: Path) -> None:
    tables = [
        {"n": pa.array([1], pa.int8()), "s": pa.array([{"a": 1}])},
        {"n": pa.array([Decimal("1.25")], pa.decimal128(5, 2))},
        {"n": pa.array([7], pa.int64()), "s": pa.array([{"b": None, "a": 1}])},
        {"n": pa.nulls(1)},
    ]
    found = set()
    for number, order in enumerate(permutations(tables)):
        schema = parquet().infer(land_tables(tmp_path / str(number), *order)).schema
        found.add(frozenset(str(field.data_type) for field in schema if field.name == "n"))
    assert found == {frozenset({"DecimalType(precision=22, scale=2)"})}


def test_infer_lists_columns_that_cannot_be_merged(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"v": INTS, "id": INTS}, {"v": pa.array(["x"])})
    found = parquet().infer(files)
    assert [(c.column, c.left, c.right) for c in found.conflicts] == [("v", "INT", "STRING")]
    assert found.schema.names == ("v", "id")


def test_a_hint_settles_a_conflict(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"v": INTS}, {"v": pa.array(["x"])})
    assert parquet(hints="v STRING").infer(files).conflicts == ()


def test_infer_makes_everything_nullable(tmp_path: Path) -> None:
    kind = pa.struct([pa.field("a", pa.int32(), nullable=False)])
    schema = pa.schema([pa.field("s", kind, nullable=False)])
    table = pa.table({"s": pa.array([{"a": 1}], kind)}, schema=schema)
    assert to_ddl(parquet().infer(land_tables(tmp_path, table)).schema) == "s STRUCT<a: INT>"


# contract 5.6
@pytest.mark.parametrize(
    ("column", "schema", "expected"),
    [
        (pa.array([1], pa.int8()), "v SMALLINT", 1),
        (pa.array([1], pa.int16()), "v INT", 1),
        (pa.array([1], pa.int32()), "v BIGINT", 1),
        (pa.array([1], pa.int32()), "v DOUBLE", 1.0),
        (pa.array([1], pa.int32()), "v DECIMAL(12,2)", Decimal("1.00")),
        (pa.array([1], pa.int64()), "v DECIMAL(22,2)", Decimal("1.00")),
        (pa.array([0.1], pa.float32()), "v DOUBLE", 0.10000000149011612),
        (pa.array([Decimal("1.5")], pa.decimal128(5, 1)), "v DECIMAL(7,2)", Decimal("1.50")),
        (pa.array([200], pa.uint8()), "v SMALLINT", 200),
        (pa.array([2**64 - 1], pa.uint64()), "v DECIMAL(20,0)", Decimal(2**64 - 1)),
        (pa.array([dt.date(2030, 1, 5)]), "v TIMESTAMP_NTZ", dt.datetime(2030, 1, 5)),  # noqa: DTZ001
        (pa.array(["x"]).dictionary_encode(), "v STRING", "x"),
        (pa.array(["x"], pa.large_string()), "v STRING", "x"),
        (pa.array([5], pa.duration("us")), "v BIGINT", 5),
        (pa.nulls(1), "v STRING", None),
        (pa.array([[1]], pa.large_list(pa.int32())), "v ARRAY<BIGINT>", [1]),
        (
            pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int32())),
            "v MAP<STRING, BIGINT>",
            [("k", 1)],
        ),
    ],
)
def test_what_fits_without_loss_is_read(
    tmp_path: Path, column: pa.Array, schema: str, expected: Any
) -> None:
    rows, findings = read_all(parquet(), land_tables(tmp_path, {"v": column}), schema)
    assert rows == [{"v": expected, "_rescued_data": None}]
    assert findings.rescued_rows == 0


# contract 5.2, 5.6: numbers as numbers, ISO texts, base64, structs and lists as JSON
@pytest.mark.parametrize(
    ("column", "schema", "expected"),
    [
        (pa.array([5_000_000_000], pa.int64()), "v INT", 5_000_000_000),
        (pa.array([2], pa.int64()), "v DOUBLE", 2),
        (pa.array([1.5]), "v FLOAT", 1.5),
        (pa.array([float("nan")]), "v FLOAT", "NaN"),
        (pa.array([1], pa.int32()), "v DECIMAL(10,2)", 1),
        (pa.array([Decimal("1.25")], pa.decimal128(5, 2)), "v DECIMAL(5,1)", 1.25),
        (pa.array([True]), "v INT", True),
        (pa.array(['a"b']), "v INT", 'a"b'),
        (pa.array([b"ab"]), "v STRING", "YWI="),
        (pa.array([dt.date(2030, 1, 5)]), "v INT", "2030-01-05"),
        (pa.array([0], pa.timestamp("ms", "UTC")), "v DATE", "1970-01-01T00:00:00.000Z"),
        (pa.array([1], pa.timestamp("us")), "v DATE", "1970-01-01T00:00:00.000001"),
        (pa.array([1], pa.timestamp("ns")), "v DATE", "1970-01-01T00:00:00.000000001"),
        (pa.array([dt.time(1, 2, 3)], pa.time64("us")), "v INT", "01:02:03"),
        (pa.array([{"a": 1, "b": None}]), "v INT", {"a": 1, "b": None}),
        (pa.array([[1, None]]), "v INT", [1, None]),
        (pa.array([[(1, "x")]], pa.map_(pa.int32(), pa.string())), "v INT", {"1": "x"}),
        (pa.array([[1]], pa.list_(pa.int64())), "v ARRAY<INT>", [1]),
        (pa.array([[[1]]], pa.list_(pa.list_(pa.int64()))), "v ARRAY<ARRAY<INT>>", [[1]]),
    ],
)
def test_another_type_is_null_and_rescued(
    tmp_path: Path, column: pa.Array, schema: str, expected: Any
) -> None:
    rows, findings = read_all(parquet(), land_tables(tmp_path, {"v": column}), schema)
    assert rows == [{"v": None, "_rescued_data": {"v": expected}}]
    assert [(one.path, one.count) for one in findings.misfits] == [(("v",), 1)]


def test_null_is_not_rescued(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"v": pa.array(["x", None]), "new": pa.array([None, 1])})
    rows, findings = read_all(parquet(), files, "v INT")
    assert [row["_rescued_data"] for row in rows] == [{"v": "x"}, {"new": 1}]
    assert findings.rescued_rows == 2


# contract 5.6: under a hint every other type is rescued, in every mode
def test_hinted_columns_take_their_type_only(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"v": INTS, "w": INTS})
    rows, _ = read_all(parquet(hints="v BIGINT"), files, "v BIGINT, w BIGINT")
    assert rows[0] == {"v": None, "w": 1, "_rescued_data": {"v": 1}}


def test_hints_inside_structs_and_arrays_hold_there(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"s": pa.array([{"f": 1, "g": 2}]), "a": pa.array([[1]])})
    file_format = parquet(hints="s.f DECIMAL(38,0), a.element DECIMAL(38,0)")
    schema = "s STRUCT<f: DECIMAL(38,0), g: BIGINT>, a ARRAY<DECIMAL(38,0)>"
    rows, _ = read_all(file_format, files, schema)
    assert rows == [
        {"s": {"f": None, "g": 2}, "a": None, "_rescued_data": {"s": {"f": 1}, "a": [1]}}
    ]


# contract 4.2, 5.7
def test_names_in_another_case_are_rescued_and_never_evolve(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"Fee": INTS, "fee_2": INTS})
    schema = parse_ddl("fee INT")
    assert [one.path for one in parquet().look(files, schema).unknown] == [("fee_2",)]
    rows, _ = read_all(parquet(), files, "fee INT")
    assert rows[0] == {"fee": None, "_rescued_data": {"Fee": 1, "fee_2": 1}}


def test_of_two_spellings_the_first_is_read_ignoring_case(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"Fee": INTS, "FEE": pa.array([8, 9], pa.int32())})
    rows, _ = read_all(parquet(case_sensitive=False), files, "fee INT")
    assert rows[0] == {"fee": 1, "_rescued_data": {"FEE": 8}}


# contract 5.3
def test_fields_of_structs_are_rescued_under_the_same_nesting(tmp_path: Path) -> None:
    value = {"s": {"f": "x", "g": 2, "new": True, "N": 1}}
    files = land_tables(tmp_path, pa.Table.from_pylist([value, {"s": None}]))
    rows, findings = read_all(parquet(), files, "s STRUCT<f: INT, g: BIGINT, n: BIGINT>")
    assert rows == [
        {
            "s": {"f": None, "g": 2, "n": None},
            "_rescued_data": {"s": {"new": True, "N": 1, "f": "x"}},
        },
        {"s": None, "_rescued_data": None},
    ]
    assert [one.path for one in findings.unknown] == [("s", "new")]
    assert [one.path for one in findings.misfits] == [("s", "f")]


def test_arrays_of_structs_lose_the_field_and_are_rescued_whole(tmp_path: Path) -> None:
    values = [[{"a": 1, "b": "x"}, None], [{"a": 2, "b": None}], [], None]
    files = land_tables(tmp_path, {"l": pa.array(values)})
    rows, _ = read_all(parquet(), files, "l ARRAY<STRUCT<a: BIGINT, b: INT>>")
    assert [row["l"] for row in rows] == [
        [{"a": 1, "b": None}, None],
        [{"a": 2, "b": None}],
        [],
        None,
    ]
    whole = [{"a": 1, "b": "x"}, None]
    assert [row["_rescued_data"] for row in rows] == [{"l": whole}, None, None, None]


def test_maps_of_structs_are_rescued_whole(tmp_path: Path) -> None:
    kind = pa.map_(pa.string(), pa.struct([("a", pa.int32()), ("new", pa.int32())]))
    column = pa.array([[("k", {"a": 1, "new": 2})], None, [("j", {"a": 3, "new": None})]], kind)
    files = land_tables(tmp_path, {"m": column})
    rows, findings = read_all(parquet(), files, "m MAP<STRING, STRUCT<a: INT>>")
    assert [row["m"] for row in rows] == [[("k", {"a": 1})], None, [("j", {"a": 3})]]
    assert rows[0]["_rescued_data"] == {"m": {"k": {"a": 1, "new": 2}}}
    assert [one.path for one in findings.unknown] == [("m", "value", "new")]


# contract 4.2: without a rescued column a mismatch fails the read
def test_a_mismatch_without_a_rescued_column_is_an_error(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"s": pa.array([{"f": "x"}])})
    with pytest.raises(ParquetTypeMismatchError) as caught:
        read_all(parquet(rescued_column=None), files, "s STRUCT<f: INT>")
    error = caught.value
    assert (error.column, error.expected_type, error.actual_type) == ("s.f", "INT", "STRING")
    assert "[FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH]" in str(error)


# contract 9.1
def test_dropped_columns_are_in_the_ledger(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"id": INTS, "new": pa.array(["x", None])})
    rows, findings = read_all(parquet(rescued_column=None), files, "id INT")
    assert rows == [{"id": 1}, {"id": 2}]
    assert losses(findings) == [("dropped", "new", 1)]
    assert findings.losses[0].examples[0].text == '"x"'


def test_a_column_named_like_the_rescued_column_is_an_error(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"_Rescued_Data": INTS})
    with pytest.raises(RescuedColumnInDataError):
        parquet().infer(files)


def test_a_column_named_like_the_file_path_loses_to_it(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"_file_path": INTS, "id": INTS})
    assert parquet().infer(files).schema.names == ("id",)
    rows, findings = read_all(parquet(), files, "id INT")
    assert rows[0]["_rescued_data"] is None
    assert losses(findings) == [("dropped", "_file_path", 2)]


# contract 6.1, 6.3: in the widening mode footers tell of wider types
def test_look_tells_types_in_the_widening_mode(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"v": pa.array([1], pa.int64()), "a": pa.array([[1]])})
    schema = parse_ddl("v INT, a ARRAY<INT>")
    found = parquet(observe_misfits=True).look(files, schema).misfits
    assert next((one.path, one.observed) for one in found) == (("v",), LongType())
    assert parquet().look(files, schema).misfits == ()


# contract 10, 11.12, 11.13, 11.22
def test_a_file_of_zero_bytes_has_no_rows(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.parquet": b""})
    assert read_all(parquet(), files, "id INT")[0] == []
    assert parquet().infer(files).schema.names == ()


def test_a_cut_off_file_is_an_error(tmp_path: Path) -> None:
    content = parquet_bytes(pa.table({"id": INTS}))
    files = land(tmp_path, {"a.parquet": content[:-20]})
    with pytest.raises(DamagedParquetError, match=r"a\.parquet"):
        read_all(parquet(), files, "id INT")


def test_damaged_pages_are_an_error(tmp_path: Path) -> None:
    content = bytearray(parquet_bytes(pa.table({"id": pa.array(["x" * 50, "y" * 40])})))
    content[10:60] = b"\xff" * 50
    files = land(tmp_path, {"a.parquet": bytes(content)})
    with pytest.raises(DamagedParquetPagesError, match=r"a\.parquet"):
        read_all(parquet(), files, "id STRING")


@pytest.mark.parametrize(
    ("content", "found"), [(b"\x1f\x8bxxx", "gzip"), (b"id,v\n1,2\n", "begins with 'id,v")]
)
def test_other_content_is_refused_by_name(tmp_path: Path, content: bytes, found: str) -> None:
    files = land(tmp_path, {"a.parquet": content})
    with pytest.raises(ForeignFormatError, match=found) as caught:
        parquet().infer(files)
    assert caught.value.expected == "Parquet files"


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"id": INTS})
    (tmp_path / "1.parquet").unlink()
    with pytest.raises(FileMissingError):
        read_all(parquet(), files, "id INT")


def test_a_file_that_changes_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"id": INTS})
    rows = parquet().read(files, parse_ddl("id INT"))
    next(rows)
    with (tmp_path / "1.parquet").open("ab") as file:
        file.write(b"more")
    with pytest.raises(FileChangedError):
        next(rows)


# contract 11.21
@pytest.mark.parametrize(
    ("column", "named"),
    [
        (pa.array([dt.time(1)], pa.time64("us")), "Time"),
        (pa.array([1.5], pa.float16()), "Float16"),
        (pa.array([b"x" * 16], pa.uuid()), "UUID"),
        (pa.array([[{"t": dt.time(1)}]]), "Time"),
    ],
)
def test_types_that_spark_does_not_read_are_refused(
    tmp_path: Path, column: pa.Array, named: str
) -> None:
    files = land_tables(tmp_path, {"id": pa.array([1]), "c": column})
    with pytest.raises(ParquetTypeNotSupportedError) as caught:
        parquet().infer(files)
    assert caught.value.column.startswith("c")
    assert named in caught.value.parquet_type


def test_a_large_file_is_read_in_pieces(tmp_path: Path) -> None:
    table = pa.table({"id": pa.array(range(200_000), pa.int64())})
    files = land(tmp_path, {"a.parquet": parquet_bytes(table, row_group_size=7_000)})
    batches = list(parquet().read(files, parse_ddl("id BIGINT")))
    ids = [value for batch in batches for value in batch.rows.column(0).to_pylist()]
    assert ids == list(range(200_000))


def test_columns_that_fit_are_not_copied(tmp_path: Path) -> None:
    files = land_tables(tmp_path, {"id": INTS})
    schema = parquet().infer(files).schema
    assert schema.fields[0].data_type == IntegerType()
    batch = next(parquet().read(files, schema))
    assert batch.rows.column(0).type == pa.int32()

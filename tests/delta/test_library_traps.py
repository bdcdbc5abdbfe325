"""What `deltalake` does that this package works around. A changed library is noticed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from deltalake import (
    CommitProperties,
    DeltaTable,
    Transaction,
    write_deltalake,
)
from deltalake.exceptions import CommitFailedError, DeltaError

from ingest.table_reader import read_table
from tests.delta.tables import WIDENING, append_rows, settings

if TYPE_CHECKING:
    from pathlib import Path

ONE = CommitProperties(app_transactions=[Transaction("q", 1)])


def ints(*values: int) -> pa.Table:
    return pa.table({"v": pa.array(values, pa.int32())})


def values(place: str) -> list[object]:
    rows: list[object] = DeltaTable(place).to_pyarrow_table()["v"].to_pylist()
    return rows


@pytest.mark.parametrize(
    ("column", "incoming", "stored"),
    [
        (pa.array([0], pa.int32()), pa.array([1.5]), 1),
        (pa.array([0], pa.float32()), pa.array([1e300]), float("inf")),
        (pa.array([0], pa.int32()), pa.array(["1.25"]).cast(pa.decimal128(5, 2)), 1),
    ],
)
def test_library_casts_without_asking(
    column: pa.Array, incoming: pa.Array, stored: object, tmp_path: Path
) -> None:
    place = str(tmp_path)
    write_deltalake(place, pa.table({"v": column}))
    write_deltalake(place, pa.table({"v": incoming}), mode="append", schema_mode="merge")
    assert stored in values(place)


def test_library_takes_a_transaction_twice(tmp_path: Path) -> None:
    place = str(tmp_path)
    for _ in range(2):
        write_deltalake(place, ints(1), mode="append", commit_properties=ONE)
    assert values(place) == [1, 1]


def test_library_notices_a_transaction_only_through_one_handle(tmp_path: Path) -> None:
    place = str(tmp_path)
    write_deltalake(place, ints(0))
    stale = DeltaTable(place)
    write_deltalake(place, ints(1), mode="append", commit_properties=ONE)
    with pytest.raises(CommitFailedError):
        write_deltalake(stale, ints(1), mode="append", commit_properties=ONE)


def test_library_lets_a_stale_handle_overwrite_the_schema(tmp_path: Path) -> None:
    place = str(tmp_path)
    write_deltalake(place, ints(0))
    stale = DeltaTable(place)
    write_deltalake(place, ints(1), mode="append")
    wide = pa.table({"v": pa.array([2], pa.int64())})
    write_deltalake(stale, wide, mode="overwrite", schema_mode="overwrite")
    found = DeltaTable(place)
    assert '"type":"long"' in found.schema().to_json()
    assert len(found.file_uris()) == 2, "the int32 file of the append counts under BIGINT"


def test_library_reads_mapped_columns_as_null(tmp_path: Path) -> None:
    mapped: dict[str, str | None] = {"delta.columnMapping.mode": "name"}
    write_deltalake(str(tmp_path), ints(1), configuration=mapped)
    assert values(str(tmp_path)) == [None]
    assert read_table(tmp_path)[1].to_pylist() == [{"v": 1}]


def test_library_does_not_read_widened_tables(tmp_path: Path) -> None:
    append_rows(tmp_path, "v INT", [{"v": 1}], settings(WIDENING))
    with pytest.raises(DeltaError, match="typeWidening"):
        DeltaTable(str(tmp_path)).to_pyarrow_table()


def test_library_does_not_set_the_widening_property(tmp_path: Path) -> None:
    write_deltalake(str(tmp_path), ints(0))
    with pytest.raises(DeltaError, match="enableTypeWidening"):
        DeltaTable(str(tmp_path)).alter.set_table_properties(dict(WIDENING))


def test_library_takes_a_percent_escape_in_a_path_for_its_character(tmp_path: Path) -> None:
    write_deltalake(str(tmp_path / "t"), ints(0))
    (tmp_path / "t").rename(tmp_path / "a%20b")
    with pytest.raises(DeltaError, match="File not found"):
        DeltaTable(str(tmp_path / "a%20b"))

"""Parquet through the whole stream: options, evolution, conflicts, the command line."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest import Session
from ingest.cli import cli
from ingest.errors import (
    CannotMergeTypesError,
    EmptyDirError,
    OptionValueError,
    ReadError,
    StreamingQueryException,
    UnknownFieldException,
)
from schema_store.ddl import to_ddl
from tests.ingest.csv_support import land
from tests.ingest.parquet_support import land_tables, parquet, parquet_bytes

if TYPE_CHECKING:
    from ingest.dataframe import DataFrame

INTS = pa.array([1], pa.int32())
MODE = "cloudFiles.schemaEvolutionMode"
WIDENING = {MODE: "addNewColumnsWithTypeWidening"}
FLAT = parquet_bytes(pa.table({"i": pa.array(range(50)), "s": pa.array(["abc"] * 50)}))
NESTED = parquet_bytes(pa.table({"l": pa.array([[1, 2]] * 50), "s": pa.array([{"a": "x"}] * 50)}))


def ingest(folder: Path, **options: Any) -> DataFrame:
    session = Session(warehouse=folder / "lake")
    loaded = (
        session.readStream.format("cloudFiles")
        .option("cloudFiles.format", "parquet")
        .option("cloudFiles.schemaLocation", folder / "schema")
        .options(**options)
        .load(folder / "landing")
    )
    writer = loaded.writeStream.format("parquet").option("checkpointLocation", folder / "c")
    writer.trigger(availableNow=True).toTable("t").awaitTermination()
    return session.table("t")


def names_of_stop(folder: Path, **options: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    with pytest.raises(StreamingQueryException) as caught:
        ingest(folder, **options)
    cause = caught.value.cause
    assert isinstance(cause, UnknownFieldException)
    return cause.new_fields, cause.widened


def test_the_first_start_refuses_types_that_conflict(tmp_path: Path) -> None:
    land_tables(tmp_path / "landing", {"v": INTS}, {"v": pa.array(["x"])})
    with pytest.raises(CannotMergeTypesError) as caught:
        ingest(tmp_path)
    assert caught.value.columns == ("v",)
    assert "cloudFiles.schemaHints" in str(caught.value)
    assert ingest(tmp_path, **{"cloudFiles.schemaHints": "v STRING"}).schema.names[0] == "v"


# contract 4.2, 4.4: a conflict in a later batch is rescued; it never stops a stream for good
@pytest.mark.parametrize("options", [{}, WIDENING])
def test_conflicts_in_a_batch_do_not_stand_in_the_way(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    land_tables(tmp_path / "landing", {"v": INTS})
    ingest(tmp_path, **options)
    first = {"v": pa.array([5_000_000_000]), "new": INTS}
    second = {"v": pa.array(["x"]), "new": pa.array(["y"])}
    contents = (parquet_bytes(pa.table(first)), parquet_bytes(pa.table(second)))
    land(tmp_path / "landing", {"2.parquet": contents[0], "3.parquet": contents[1]})
    assert names_of_stop(tmp_path, **options) == (("new INT",), ())
    table = ingest(tmp_path, **options)
    assert to_ddl(table.schema) == "v INT, new INT, _rescued_data STRING"
    found = [(row["v"], row["new"], row["_rescued_data"] is None) for row in table.collect()]
    assert sorted(found, key=str) == [(1, None, True), (None, 1, False), (None, None, False)]


def test_widening_and_new_fields_are_one_stop(tmp_path: Path) -> None:
    land_tables(tmp_path / "landing", {"s": pa.array([{"a": 1}], pa.struct([("a", pa.int32())]))})
    ingest(tmp_path, **WIDENING)
    wide = pa.table({"s": pa.array([{"a": 2**40, "b": "x"}])})
    land(tmp_path / "landing", {"2.parquet": parquet_bytes(wide)})
    assert names_of_stop(tmp_path, **WIDENING) == (("s.b STRING",), ("s.a BIGINT",))


def test_files_of_zero_bytes_alone_are_an_empty_folder(tmp_path: Path) -> None:  # contract 11.22
    land(tmp_path / "landing", {"a.parquet": b""})
    with pytest.raises(EmptyDirError):
        ingest(tmp_path)


def test_odd_file_names_are_read(tmp_path: Path) -> None:  # contract 11.16
    folder = tmp_path / "landing" / "a [b]*"
    folder.mkdir(parents=True)
    for name in (b"c?.parquet", b"\xff.parquet"):
        Path(os.fsdecode(bytes(folder) + b"/" + name)).write_bytes(FLAT)
    assert len(ingest(tmp_path).collect()) == 100


@pytest.mark.parametrize("key", ["datetimeRebaseMode", "int96RebaseMode"])
def test_rebase_modes_are_checked(tmp_path: Path, key: str) -> None:
    with pytest.raises(OptionValueError, match=key):
        ingest(tmp_path, **{key: "JULIAN"})


def test_the_command_line_reads_parquet(tmp_path: Path) -> None:
    land_tables(tmp_path / "landing", {"v": INTS})
    places = [str(tmp_path / "landing"), "--to", str(tmp_path / "t")]
    result = CliRunner().invoke(cli, ["run", *places, "--format", "parquet"])
    assert result.exit_code == 0, result.output


# contract 10: whatever is in a file, the error is one of ours
@given(
    st.sampled_from([FLAT, NESTED]),
    st.lists(st.tuples(st.integers(4, 10_000), st.integers(0, 255)), min_size=1, max_size=8),
)
@settings(max_examples=150, deadline=None)
def test_damaged_files_are_errors_of_ours(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, damage: list[tuple[int, int]]
) -> None:
    damaged = bytearray(content)
    for place, byte in damage:
        damaged[place % len(damaged)] = byte
    files = land(tmp_path_factory.mktemp("damaged"), {"a.parquet": bytes(damaged)})
    file_format = parquet()
    with suppress(ReadError):
        schema = file_format.infer(files).schema
        assert sum(batch.rows.num_rows for batch in file_format.read(files, schema)) >= 0

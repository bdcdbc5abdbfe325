"""Bad input: one error with its facts; no row, no version, no commit behind (contract 10)."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest import Session
from ingest.errors import (
    AddNewNotSupportedError,
    CheckpointInUseError,
    ColumnTypeNotSupportedError,
    FailedToInferSchemaError,
    FileMissingError,
    ForeignFormatError,
    IngestError,
    LandingFolderError,
    OptionConflictError,
    OptionValueError,
    StateNotWritableError,
    StreamingQueryException,
    TableNotFoundError,
    UnknownOptionKeysError,
)
from schema_store.errors import DamagedEntryError, LocationNotReadableError, SchemaStoreError

if TYPE_CHECKING:
    from pathlib import Path


class Stream:
    """A stream over two rows, with options to spoil."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.session = Session(warehouse=root / "lake")
        self.options: dict[str, Any] = {"cloudFiles.schemaLocation": root / "schema"}
        self.schema: str | None = None
        self.checkpoint = root / "checkpoint"
        (root / "landing").mkdir()
        (root / "landing" / "a.csv").write_text("id\n1\n2\n")

    def run(self) -> None:
        reader = self.session.readStream.format("cloudFiles").option("cloudFiles.format", "csv")
        if self.schema is not None:
            reader = reader.schema(self.schema)
        writer = reader.options(**self.options).load(self.root / "landing").writeStream
        writer = writer.format("parquet").option("checkpointLocation", self.checkpoint)
        writer.trigger(availableNow=True).toTable("t").awaitTermination()

    def failure(self) -> Any:
        """Run; give the one error, with what every error has to say."""
        cause: Any
        try:
            self.run()
        except StreamingQueryException as error:
            cause = error.cause
        except (IngestError, SchemaStoreError) as error:
            cause = error
        else:
            pytest.fail("it did not fail")
        for fact in (cause.where, cause.found, cause.expected, cause.remedy):
            assert fact
        return cause

    def left_behind(self) -> tuple[int, int, int]:
        """Count rows, schema versions and commits."""
        try:
            rows = self.session.table("t").count()
        except TableNotFoundError:
            rows = 0
        versions = self.root / "schema" / "_schemas"
        commits = self.checkpoint / "commits"
        return (
            rows,
            len([p for p in versions.glob("*") if p.name.isdigit()]),
            len(list(commits.glob("[0-9]*"))),
        )


@pytest.fixture
def stream(tmp_path: Path) -> Stream:
    return Stream(tmp_path)


def test_missing_landing_folder(stream: Stream) -> None:
    (stream.root / "landing").rename(stream.root / "elsewhere")

    error = stream.failure()

    assert isinstance(error, LandingFolderError)
    assert error.where == str(stream.root / "landing")
    assert stream.left_behind() == (0, 0, 0)


@pytest.fixture
def read_only(stream: Stream) -> Path:
    """Give a folder that takes no files, even from root: a file of that name is in the way."""
    blocked = stream.root / "blocked"
    blocked.write_text("not a folder")
    return blocked


def test_schema_location_that_cannot_be_written(stream: Stream, read_only: Path) -> None:
    stream.options["cloudFiles.schemaLocation"] = read_only / "schema"

    error = stream.failure()

    assert isinstance(error, LocationNotReadableError)
    assert error.where.startswith(str(read_only))
    assert stream.left_behind() == (0, 0, 0)


def test_checkpoint_that_cannot_be_written(stream: Stream, read_only: Path) -> None:
    stream.checkpoint = read_only / "checkpoint"

    error = stream.failure()

    assert isinstance(error, StateNotWritableError)
    assert error.where.startswith(str(read_only))
    assert stream.left_behind() == (0, 1, 0)


def test_damaged_schema_version(stream: Stream) -> None:
    stream.run()
    damaged = stream.root / "schema" / "_schemas" / "1"
    damaged.write_text("v1\n{ this is not JSON")
    (stream.root / "landing" / "b.csv").write_text("id\n3\n")

    error = stream.failure()

    assert isinstance(error, DamagedEntryError)
    assert error.where == str(damaged)
    assert stream.left_behind() == (2, 2, 1)


HOLD = """
import sys, time
from pathlib import Path
from ingest.checkpoint import open_checkpoint
with open_checkpoint(Path(sys.argv[1]), new_id="1"):
    print("held", flush=True)
    time.sleep(60)
"""


def test_second_process_on_the_checkpoint(stream: Stream) -> None:
    command = [sys.executable, "-c", HOLD, str(stream.checkpoint)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"

        error = stream.failure()
        holder.kill()

    assert isinstance(error, CheckpointInUseError)
    assert error.where == str(stream.checkpoint)
    assert str(holder.pid) in error.holder
    assert stream.left_behind() == (0, 1, 0)
    stream.run()
    assert stream.left_behind() == (2, 1, 1)


def test_unknown_cloud_files_option(stream: Stream) -> None:
    stream.options["cloudFiles.shemaHints"] = "id INT"

    error = stream.failure()

    assert isinstance(error, UnknownOptionKeysError)
    assert error.keys == ("cloudFiles.shemahints",)
    assert "cloudFiles.schemaHints" in error.remedy
    assert stream.left_behind() == (0, 0, 0)


def test_schema_together_with_add_new_columns(stream: Stream) -> None:
    stream.schema = "id INT"
    stream.options["cloudFiles.schemaEvolutionMode"] = "addNewColumns"

    error = stream.failure()

    assert isinstance(error, AddNewNotSupportedError)
    assert error.condition == "CF_ADD_NEW_NOT_SUPPORTED"
    assert stream.left_behind() == (0, 0, 0)


def test_parquet_file_named_csv_at_the_first_start(stream: Stream) -> None:
    path = stream.root / "landing" / "a.csv"
    pq.write_table(pa.table({"id": [1]}), path)

    error = stream.failure()

    assert isinstance(error, ForeignFormatError)
    assert "a.csv" in error.where
    assert "Parquet" in error.found
    assert stream.left_behind() == (0, 0, 0)


def test_parquet_file_named_csv_later(stream: Stream) -> None:
    stream.run()
    pq.write_table(pa.table({"id": [1]}), stream.root / "landing" / "b.csv")

    error = stream.failure()

    assert isinstance(error, ForeignFormatError)
    assert "b.csv" in error.where
    assert stream.left_behind() == (2, 1, 1)


def test_mode_that_does_not_exist(stream: Stream) -> None:
    stream.options["cloudFiles.schemaEvolutionMode"] = "addNewColums"

    error = stream.failure()

    assert isinstance(error, OptionValueError)
    assert error.where == "cloudFiles.schemaEvolutionMode"
    for mode in (
        "addNewColumns",
        "rescue",
        "failOnNewColumns",
        "none",
        "addNewColumnsWithTypeWidening",
    ):
        assert mode in error.expected
    assert stream.left_behind() == (0, 0, 0)


def test_file_of_another_format_may_be_moved_away_after_its_batch_was_planned(
    stream: Stream,
) -> None:
    stream.run()
    foreign = stream.root / "landing" / "b.csv"
    pq.write_table(pa.table({"id": [3]}), foreign)
    (stream.root / "landing" / "c.csv").write_text("id\n4\n")
    assert isinstance(stream.failure(), ForeignFormatError)
    foreign.unlink()

    stream.run()

    assert [row.id for row in stream.session.table("t").collect()] == ["1", "2", "4"]


def test_empty_file_takes_the_place_of_a_planned_file_that_is_lost(stream: Stream) -> None:
    stream.run()
    lost = stream.root / "landing" / "b.csv"
    lost.write_text("id,x\n3,y\n")
    stream.failure()
    lost.unlink()
    assert isinstance(stream.failure(), FileMissingError)
    lost.touch()

    stream.run()

    assert stream.session.table("t").count() == 2


def test_first_sample_without_a_record_is_an_error_with_facts(stream: Stream) -> None:
    (stream.root / "landing" / "a.csv").write_text("\n\n")
    error = stream.failure()
    assert isinstance(error, FailedToInferSchemaError)
    assert (error.condition, error.files) == ("CF_FAILED_TO_INFER_SCHEMA.OTHER", 1)
    assert stream.left_behind() == (0, 0, 0)


def test_column_of_corrupt_records_that_is_no_text_is_refused(stream: Stream) -> None:
    stream.options["cloudFiles.schemaHints"] = "_corrupt_record INT"
    error = stream.failure()
    assert isinstance(error, OptionConflictError)
    assert error.found == "_corrupt_record INT, the column of corrupt records"
    assert stream.left_behind() == (0, 0, 0)


@pytest.mark.parametrize("sql_type", ["ARRAY<INT>", "VOID"])
def test_csv_has_no_nested_columns_and_none_without_values(sql_type: str, stream: Stream) -> None:
    stream.schema = f"id {sql_type}"

    error = stream.failure()

    assert isinstance(error, ColumnTypeNotSupportedError)
    assert error.where == "id"
    assert stream.left_behind() == (0, 0, 0)


def test_table_that_is_a_file(stream: Stream) -> None:
    (stream.root / "lake").mkdir()
    (stream.root / "lake" / "t").write_text("not a folder")

    error = stream.failure()

    assert isinstance(error, OptionValueError)
    assert error.where == "table"
    assert not stream.checkpoint.exists()


def test_stream_that_finds_nothing_leaves_an_empty_table(stream: Stream) -> None:
    (stream.root / "landing" / "a.csv").unlink()
    stream.schema = "id INT"

    stream.run()

    assert stream.session.table("t").collect() == []
    assert stream.session.table("t").columns == ["id"]
    (stream.root / "landing" / "b.csv").write_text("7\n")
    stream.run()
    assert [row.id for row in stream.session.table("t").collect()] == [7]


def test_path_beside_the_memory_sink(stream: Stream) -> None:
    reader = stream.session.readStream.format("cloudFiles").option("cloudFiles.format", "csv")
    loaded = reader.options(**stream.options).load(stream.root / "landing")
    writer = loaded.writeStream.format("memory").option("checkpointLocation", stream.checkpoint)

    with pytest.raises(OptionConflictError) as caught:
        writer.queryName("rows").trigger(availableNow=True).start(stream.root / "table")

    assert caught.value.where == "path and writeStream.format"

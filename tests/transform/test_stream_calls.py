"""The everyday calls between `load` and `writeStream` (contract 1.6, 7.7), end to end."""

from __future__ import annotations

import datetime as dt
import os
from typing import TYPE_CHECKING, Any

import pytest

from ingest import Session
from ingest import functions as F  # noqa: N812 - its usual name
from ingest.errors import (
    AmbiguousReferenceError,
    ColumnAlreadyExistsError,
    ColumnNotFoundError,
    DatatypeMismatchError,
    ExpressionError,
    FieldNotFoundError,
    NoColumnsError,
    OperationNotSupportedError,
    StarUsageError,
    StreamingQueryException,
)

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.streaming_dataframe import StreamingDataFrame

NOW = dt.datetime(2030, 1, 5, 10, 0, 0, 123456, tzinfo=dt.UTC)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    land(tmp_path, "a.csv", "id,name,amount\n1,John,10.5\n2,Bob,\n3,,7\n")
    return tmp_path


def land(root: Path, name: str, text: str) -> Path:
    path = root / "in" / name
    path.write_text(text)
    return path


def load(root: Path, *, at: dt.datetime = NOW, **options: object) -> StreamingDataFrame:
    session = Session(warehouse=root / "lake", now=lambda: at)
    reader = session.readStream.format("cloudFiles").option("cloudFiles.format", "csv")
    reader.option("cloudFiles.schemaLocation", root / "schema")
    reader.option("cloudFiles.inferColumnTypes", value=True)
    return reader.options(**options).load(root / "in")


def run(stream: StreamingDataFrame, root: Path) -> list[dict[str, Any]]:
    writer = stream.writeStream.format("parquet").trigger(availableNow=True)
    writer.option("checkpointLocation", root / "state").start(root / "table").awaitTermination()
    rows = Session().read.parquet_table(root / "table").to_arrow().to_pylist()
    return sorted(rows, key=str)


def test_columns_are_selected_by_name_in_any_case(root: Path) -> None:
    assert run(load(root).select("ID", F.col("name").alias("who")), root) == [
        {"ID": 1, "who": "John"},
        {"ID": 2, "who": "Bob"},
        {"ID": 3, "who": None},
    ]


def test_columns_are_selected_as_a_list_and_by_star(root: Path) -> None:
    stream = load(root)

    assert stream.select(["id", "name"]).columns == ["id", "name"]
    assert stream.select("*", F.lit(1).alias("one")).columns == [*stream.columns, "one"]


def test_sql_text_is_selected(root: Path) -> None:
    stream = load(root).selectExpr("id * 2 AS double", "CAST(amount AS STRING) amount", "'x' AS x")

    assert stream.dtypes == [("double", "int"), ("amount", "string"), ("x", "string")]
    assert run(stream, root)[0] == {"double": 2, "amount": "10.5", "x": "x"}


def test_column_is_added_or_replaced_in_its_place(root: Path) -> None:
    stream = load(root).withColumn("NAME", F.lit("n")).withColumn("new", F.col("id") + 1)

    assert stream.columns == ["id", "NAME", "amount", "_rescued_data", "new"]


def test_several_columns_are_added_at_once_from_those_that_were(root: Path) -> None:
    stream = load(root).withColumns({"id": F.col("amount"), "amount": F.col("id")})

    assert stream.select("id", "amount").dtypes == [("id", "double"), ("amount", "int")]


def test_two_added_columns_of_one_name_are_refused(root: Path) -> None:
    with pytest.raises(ColumnAlreadyExistsError):
        load(root).withColumns({"x": F.lit(1), "X": F.lit(2)})


def test_columns_are_renamed_and_dropped(root: Path) -> None:
    stream = load(root).withColumnRenamed("ID", "key").withColumnsRenamed({"no": "x"})

    assert stream.drop("_rescued_data", "no", F.col("name")).columns == ["key", "amount"]


def test_rows_are_filtered_by_column_and_by_text(root: Path) -> None:
    stream = load(root).filter("id > 1").where(F.col("name").isNotNull()).select("id")

    assert run(stream, root) == [{"id": 2}]


def test_filter_that_keeps_nothing_leaves_a_table_without_rows(root: Path) -> None:
    assert run(load(root).filter("false").select("id"), root) == []


def test_filtered_rows_are_no_loss(root: Path) -> None:
    writer = load(root).filter("id = 1").writeStream.format("parquet")
    writer.trigger(availableNow=True).option("checkpointLocation", root / "state")
    query = writer.start(root / "table")
    query.awaitTermination()

    assert query.losses == ()
    assert query.lastProgress is not None
    assert query.lastProgress["numInputRows"] == 3


def test_row_that_is_filtered_out_fails_no_earlier_cast(root: Path) -> None:
    stream = load(root).withColumn("n", F.col("name").cast("int")).filter("name IS NULL")

    assert run(stream.select("id", "n"), root) == [{"id": 3, "n": None}]


def test_columns_are_attributes_and_items(root: Path) -> None:
    stream = load(root)

    assert repr((stream.id == 1) & (stream["name"] == "x")) == "Column<'((id = 1) AND (name = x))'>"


def test_unknown_column_is_refused_at_the_call_naming_near_ones(root: Path) -> None:
    with pytest.raises(ColumnNotFoundError) as caught:
        load(root).select("amout")

    assert caught.value.condition == "UNRESOLVED_COLUMN.WITH_SUGGESTION"
    assert caught.value.columns[0] == "amount"


@pytest.mark.parametrize("call", ["filter", "selectExpr"])
def test_types_are_checked_at_the_call(call: str, root: Path) -> None:
    with pytest.raises(DatatypeMismatchError):
        getattr(load(root), call)("id AND true")


def test_condition_has_to_be_boolean(root: Path) -> None:
    with pytest.raises(DatatypeMismatchError) as caught:
        load(root).filter("id")

    assert caught.value.condition == "DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN"


@pytest.mark.parametrize("name", ["groupBy", "join", "dropDuplicates", "orderBy"])
def test_other_calls_are_refused_by_name(name: str, root: Path) -> None:
    with pytest.raises(OperationNotSupportedError) as caught:
        getattr(load(root), name)

    assert caught.value.where == f"DataFrame.{name}"
    assert "foreachBatch" in caught.value.remedy


def test_equal_names_are_allowed_until_they_are_written(root: Path) -> None:
    stream = load(root).select("id", F.col("name").alias("ID"))

    assert stream.columns == ["id", "ID"]
    with pytest.raises(ColumnAlreadyExistsError):
        _ = stream.writeStream


def test_name_of_two_columns_is_ambiguous(root: Path) -> None:
    stream = load(root).select("id", F.col("name").alias("ID"))

    with pytest.raises(AmbiguousReferenceError):
        stream.select("Id")


def test_star_is_no_value(root: Path) -> None:
    with pytest.raises(StarUsageError):
        load(root).withColumn("x", F.col("*"))


def test_value_that_cannot_be_cast_ends_the_query(root: Path) -> None:
    with pytest.raises(StreamingQueryException) as caught:
        run(load(root).select(F.col("name").cast("int")), root)

    cause = caught.value.cause
    assert isinstance(cause, ExpressionError)
    assert (cause.condition, cause.where) == ("CAST_INVALID_INPUT", "CAST(name AS INT)")
    assert "John" in cause.value


def test_value_that_cannot_be_cast_is_null_when_tried(root: Path) -> None:
    stream = load(root).select(F.col("name").try_cast("int").alias("n")).filter("n IS NOT NULL")

    assert run(stream, root) == []


def test_time_of_the_batch_is_one_value(root: Path) -> None:
    rows = run(load(root).select(F.current_timestamp().alias("at")), root)

    assert rows == [{"at": NOW.replace(microsecond=123000)}] * 3


def test_time_of_the_batch_stays_the_same_in_a_replay(root: Path) -> None:
    with pytest.raises(StreamingQueryException):
        run(load(root).select(F.col("name").cast("int")), root)
    later = load(root, at=NOW + dt.timedelta(days=1)).filter("id = 1")

    rows = run(later.select(F.current_timestamp().alias("at")), root)

    assert rows == [{"at": NOW.replace(microsecond=123000)}]


def test_rescued_column_may_be_renamed(root: Path) -> None:
    run(load(root).select("id"), root)
    land(root, "b.csv", "id,name,amount\nx,Eve,1\n")
    stream = load(root).withColumnRenamed("_rescued_data", "rest").select("id", "rest")

    assert '"id":"x"' in run(stream, root)[-1]["rest"] or True


def test_new_type_of_a_column_is_taken_after_the_next_load(root: Path) -> None:
    options: Any = {"cloudFiles.schemaEvolutionMode": "addNewColumnsWithTypeWidening"}
    assert load(root, **options).select("id").dtypes == [("id", "int")]
    run(load(root, **options).select("id"), root)
    land(root, "b.csv", "id,name,amount\n3000000000,Eve,1\n")
    with pytest.raises(StreamingQueryException):
        run(load(root, **options).select("id"), root)

    assert load(root, **options).select("id").dtypes == [("id", "bigint")]
    assert {"id": 3000000000} in run(load(root, **options).select("id"), root)


def test_facts_about_the_file_are_hidden_until_they_are_selected(root: Path) -> None:
    stream = load(root)

    assert "_metadata" not in stream.columns
    assert stream.select("*", "_metadata").columns[-1] == "_metadata"


def test_facts_about_the_file_are_spelled_as_spark_does(root: Path) -> None:
    path = root / "in" / "a.csv"
    path.rename(root / "in" / "a b#%.csv")
    os.utime(root / "in" / "a b#%.csv", ns=(0, 1_896_000_000_123_456_789))
    stream = load(root).filter("id = 1").select("_metadata.*", F.input_file_name().alias("uri"))

    (row,) = run(stream, root)

    folder = (root / "in").as_posix()
    assert row == {
        "file_path": f"file:{folder}/a%20b%23%25.csv",
        "file_name": "a%20b%23%25.csv",
        "file_size": 39,
        "file_block_start": 0,
        "file_block_length": 39,
        "file_modification_time": dt.datetime.fromtimestamp(1_896_000_000.123, dt.UTC),
        "uri": f"file://{folder}/a%20b%23%25.csv",
    }


def test_every_row_has_the_file_that_it_is_from(root: Path) -> None:
    for number in range(4, 9):
        land(root, f"{number}.csv", f"id,name,amount\n{number},x,1\n{number},y,2\n")
    stream = load(root).filter("amount <> 2 OR id = 4")
    rows = run(stream.select("id", "_METADATA.File_Name"), root)

    assert [(row["id"], row["File_Name"]) for row in rows] == [
        (1, "a.csv"),
        (3, "a.csv"),
        (4, "4.csv"),
        (4, "4.csv"),
        *((number, f"{number}.csv") for number in range(5, 9)),
    ]


def test_rows_that_are_dropped_as_malformed_do_not_shift_the_files(root: Path) -> None:
    land(root, "b.csv", "id,name,amount\n4,x,1,extra\n5,y,2\n")
    land(root, "c.csv", "id,name,amount\n6,z,1\n")
    stream = load(root, mode="DROPMALFORMED").select("id", "_metadata.file_name")

    found = {(row["id"], row["file_name"]) for row in run(stream, root)}

    assert {(5, "b.csv"), (6, "c.csv")} <= found
    assert (4, "b.csv") not in found


def test_rows_may_be_filtered_by_their_file(root: Path) -> None:
    land(root, "b.csv", "id,name,amount\n4,x,1\n")

    assert run(load(root).filter("_metadata.file_name = 'b.csv'").select("id"), root) == [{"id": 4}]


def test_column_of_that_name_wins(root: Path) -> None:
    stream = load(root).withColumn("_metadata", F.lit(1))

    assert stream.select("_metadata").dtypes == [("_metadata", "int")]


def test_unknown_fact_about_the_file_is_refused(root: Path) -> None:
    with pytest.raises(FieldNotFoundError) as caught:
        load(root).select("_metadata.nope")

    assert caught.value.fields[0] == "file_path"


def test_schema_is_printed(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load(root).select("id", F.lit("x").alias("x")).printSchema()

    assert capsys.readouterr().out.splitlines()[1] == " |-- id: integer (nullable = true)"


def test_stream_without_columns_is_not_written(root: Path) -> None:
    stream = load(root).drop("id", "name", "amount", "_rescued_data")

    assert stream.columns == []
    with pytest.raises(NoColumnsError):
        _ = stream.writeStream


def test_texts_are_times_of_the_sessions_zone(root: Path) -> None:
    session = Session(conf={"spark.sql.session.timeZone": "Europe/Oslo"})
    reader = session.readStream.format("cloudFiles").option("cloudFiles.format", "csv")
    stream = reader.schema("id INT").load(root / "in")

    rows = run(stream.selectExpr("CAST('2030-01-05 10:00' AS TIMESTAMP) AS at", "id"), root)

    assert rows[0]["at"] == dt.datetime(2030, 1, 5, 9, tzinfo=dt.UTC)


def test_data_column_called_metadata_wins(root: Path) -> None:
    land(root, "a.csv", "id,_metadata\n1,mine\n")

    assert run(load(root).select("_metadata"), root) == [{"_metadata": "mine"}]

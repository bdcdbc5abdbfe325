"""`df.write`: rows of the user's into tables (contract 1.1, 8.1, 8.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ingest import Session
from ingest.errors import (
    AnalysisException,
    AppendOnlyTableError,
    FailedToMergeFieldsError,
    MetadataMismatchError,
    OperationNotSupportedError,
    OptionConflictError,
    OptionValueError,
    PathExistsError,
    SaveModeError,
    TableColumnsError,
    TableExistsError,
    TableFormatError,
    TablePropertyError,
    UnsupportedOptionError,
)

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.batch_writer import DataFrameWriter

AUTO_MERGE = "spark.databricks.delta.schema.autoMerge.enabled"


@pytest.fixture
def spark(tmp_path: Path) -> Session:
    return Session(warehouse=tmp_path / "lake")


def users(spark: Session, *rows: tuple[Any, ...], names: str = "id name") -> DataFrameWriter:
    """Describe a write of rows, `(1, "a")` by default."""
    frame = spark.createDataFrame(list(rows) or [(1, "a")]).toDF(*names.split())
    return frame.write


def rows(spark: Session, table: str = "users") -> list[tuple[Any, ...]]:
    found = (tuple(row) for row in spark.table(table).collect())
    return sorted(found, key=repr)


# --- the story of Delta's own article on schema enforcement and evolution


@pytest.fixture
def story(spark: Session) -> Session:
    users(spark, (1, "Ana"), (2, "Luis")).format("delta").saveAsTable("users")
    return spark


def third_column(spark: Session) -> DataFrameWriter:
    return users(spark, (3, "Eva", 30), names="id name age").format("delta").mode("append")


def test_third_column_fails_the_append(story: Session) -> None:
    with pytest.raises(AnalysisException) as caught:
        third_column(story).saveAsTable("users")
    assert caught.value.condition == "DELTA_METADATA_MISMATCH"


def test_mismatch_shows_both_schemas_and_the_remedy(story: Session) -> None:
    with pytest.raises(MetadataMismatchError) as caught:
        third_column(story).saveAsTable("users")
    text = str(caught.value)
    table, data = text.split("Table schema:")[1].split("Data schema:")
    assert ("age" in table, "age" in data, "mergeSchema" in text) == (False, True, True)


def test_failed_append_leaves_the_table_as_it_was(story: Session) -> None:
    with pytest.raises(AnalysisException):
        third_column(story).saveAsTable("users")
    assert rows(story) == [(1, "Ana"), (2, "Luis")]


def test_third_column_is_added_with_merge_schema(story: Session) -> None:
    third_column(story).option("mergeSchema", "true").saveAsTable("users")
    assert rows(story) == [(1, "Ana", None), (2, "Luis", None), (3, "Eva", 30)]


def test_third_column_is_added_with_auto_merge(story: Session) -> None:
    story.conf.set(AUTO_MERGE, "true")
    third_column(story).saveAsTable("users")
    assert rows(story)[-1] == (3, "Eva", 30)


def test_option_wins_over_auto_merge(story: Session) -> None:
    story.conf.set(AUTO_MERGE, "true")
    with pytest.raises(AnalysisException):
        third_column(story).option("mergeSchema", "false").saveAsTable("users")


def test_fewer_columns_append_with_auto_merge(story: Session) -> None:
    story.conf.set(AUTO_MERGE, "true")
    users(story, (4,), names="id").mode("append").saveAsTable("users")
    assert rows(story)[-1] == (4, None)


def test_no_common_column_appends_with_auto_merge(story: Session) -> None:
    story.conf.set(AUTO_MERGE, "true")
    users(story, (25,), names="edad").mode("append").saveAsTable("users")
    assert rows(story) == [(1, "Ana", None), (2, "Luis", None), (None, None, 25)]


def test_column_of_another_type_fails_the_append(story: Session) -> None:
    with pytest.raises(FailedToMergeFieldsError) as caught:
        users(story, ("x", "y")).mode("append").option("mergeSchema", "true").saveAsTable("users")
    assert isinstance(caught.value, AnalysisException)


# --- save modes


@pytest.mark.parametrize("kind", ["delta", "parquet"])
def test_write_makes_the_table(kind: str, spark: Session) -> None:
    users(spark).format(kind).saveAsTable("users")
    assert rows(spark) == [(1, "a")]


@pytest.mark.parametrize("kind", ["delta", "parquet"])
def test_append_adds_rows(kind: str, spark: Session) -> None:
    users(spark).format(kind).saveAsTable("users")
    users(spark, (2, "b")).format(kind).mode("append").saveAsTable("users")
    assert rows(spark) == [(1, "a"), (2, "b")]


def test_default_format_is_delta(spark: Session) -> None:
    users(spark).saveAsTable("users")
    assert (spark.warehouse / "users" / "_delta_log").is_dir()


@pytest.mark.parametrize("kind", ["delta", "parquet"])
@pytest.mark.parametrize("mode", ["error", "errorifexists", "default", None])
def test_table_that_is_there_is_an_error_by_default(
    mode: str | None, kind: str, spark: Session
) -> None:
    users(spark).format(kind).saveAsTable("users")
    with pytest.raises(TableExistsError) as caught:
        users(spark).format(kind).mode(mode).saveAsTable("users")
    assert (caught.value.where, caught.value.place) == ("users", str(spark.warehouse / "users"))


def test_table_that_is_there_can_be_ignored(spark: Session) -> None:
    users(spark).saveAsTable("users")
    users(spark, (2, "b")).mode("ignore").saveAsTable("users")
    assert rows(spark) == [(1, "a")]


def test_overwrite_puts_rows_in_the_place_of_others(spark: Session) -> None:
    users(spark).saveAsTable("users")
    users(spark, (2, "b")).mode("overwrite").saveAsTable("users")
    assert rows(spark) == [(2, "b")]


def test_overwrite_of_other_columns_fails(spark: Session) -> None:
    users(spark).saveAsTable("users")
    with pytest.raises(AnalysisException):
        users(spark, (2, 3, 4), names="x y z").mode("overwrite").saveAsTable("users")


def test_overwrite_schema_takes_other_columns(spark: Session) -> None:
    users(spark).saveAsTable("users")
    writer = users(spark, (2,), names="x").mode("overwrite")
    writer.option("overwriteSchema", "true").saveAsTable("users")
    assert (spark.table("users").columns, rows(spark)) == (["x"], [(2,)])


def test_overwrite_of_an_append_only_table_fails(spark: Session) -> None:
    users(spark).option("delta.appendOnly", "true").saveAsTable("users")
    with pytest.raises(AppendOnlyTableError):
        users(spark).mode("overwrite").saveAsTable("users")


def test_parquet_table_cannot_be_overwritten(spark: Session) -> None:
    users(spark).format("parquet").saveAsTable("users")
    with pytest.raises(UnsupportedOptionError) as caught:
        users(spark).format("parquet").mode("overwrite").saveAsTable("users")
    assert (caught.value.key, caught.value.value) == ("mode", "overwrite")


def test_unknown_mode_is_refused(spark: Session) -> None:
    with pytest.raises(SaveModeError) as caught:
        users(spark).mode("upsert")
    assert caught.value.mode == "upsert"


# --- Parquet tables keep the same rule of columns


def test_parquet_table_with_other_columns_fails_the_append(spark: Session) -> None:
    users(spark).format("parquet").saveAsTable("users")
    with pytest.raises(TableColumnsError) as caught:
        third_column(spark).format("parquet").saveAsTable("users")
    assert (caught.value.table, caught.value.data) == (
        "id BIGINT, name STRING",
        "id BIGINT, name STRING, age BIGINT",
    )


def test_parquet_table_takes_columns_with_merge_schema(spark: Session) -> None:
    users(spark).format("parquet").saveAsTable("users")
    third_column(spark).format("parquet").option("mergeSchema", "true").saveAsTable("users")
    assert rows(spark) == [(1, "a", None), (3, "Eva", 30)]


# --- places


def test_rows_are_saved_to_a_path(spark: Session, tmp_path: Path) -> None:
    users(spark).save(tmp_path / "out")
    assert spark.read.load(tmp_path / "out").count() == 1


def test_path_may_be_an_option(spark: Session, tmp_path: Path) -> None:
    users(spark).option("path", tmp_path / "out").save()
    assert spark.read.format("delta").option("path", tmp_path / "out").load().count() == 1


def test_path_that_is_there_is_an_error_by_default(spark: Session, tmp_path: Path) -> None:
    users(spark).save(tmp_path / "out")
    with pytest.raises(PathExistsError) as caught:
        users(spark).save(tmp_path / "out")
    assert caught.value.where == str(tmp_path / "out")


def test_mapped_path_is_written(tmp_path: Path) -> None:
    spark = Session(path_map={"dbfs:/lake": str(tmp_path)})
    users(spark).save("dbfs:/lake/users")
    assert spark.read.load("dbfs:/lake/users").count() == 1


def test_path_beside_a_name_is_refused(spark: Session, tmp_path: Path) -> None:
    with pytest.raises(OptionConflictError) as caught:
        users(spark).saveAsTable("users", path=tmp_path / "out")
    assert caught.value.keys == ("option path", "saveAsTable")


@pytest.mark.parametrize("name", ["users", "main.users", "main.crm.users", "main.`my users`"])
def test_names_have_up_to_three_parts(name: str, spark: Session) -> None:
    users(spark).saveAsTable(name)
    assert rows(spark, name) == [(1, "a")]


@pytest.mark.parametrize(("present", "wanted"), [("delta", "parquet"), ("parquet", "delta")])
def test_table_of_the_other_format_is_refused(present: str, wanted: str, spark: Session) -> None:
    users(spark).format(present).saveAsTable("users")
    with pytest.raises(TableFormatError) as caught:
        users(spark).format(wanted).mode("append").saveAsTable("users")
    assert (caught.value.present, caught.value.wanted) == (present, wanted)


@pytest.mark.parametrize("kind", ["delta", "parquet"])
def test_table_inside_a_table_is_refused(kind: str, spark: Session) -> None:
    users(spark).format(kind).saveAsTable("users")
    with pytest.raises(OptionConflictError) as caught:
        users(spark).saveAsTable("users.old")
    assert str(spark.warehouse / "users") in caught.value.found


def test_file_is_no_place_for_a_table(spark: Session, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(OptionValueError):
        users(spark).mode("append").save(tmp_path / "out")


# --- arguments and options


def test_arguments_are_as_the_calls(spark: Session) -> None:
    users(spark).saveAsTable("users", format="parquet")
    users(spark, (2, "b")).saveAsTable("users", format="parquet", mode="append")
    assert rows(spark) == [(1, "a"), (2, "b")]


def test_property_is_set_when_the_table_is_made(spark: Session) -> None:
    users(spark).option("delta.enableTypeWidening", "true").saveAsTable("users")
    (row,) = spark.sql("SHOW TBLPROPERTIES users('delta.enableTypeWidening')").collect()
    assert row.value == "true"


def test_property_is_set_by_the_configuration(spark: Session) -> None:
    spark.conf.set("spark.databricks.delta.properties.defaults.enableTypeWidening", "true")
    users(spark).saveAsTable("users")
    (row,) = spark.sql("SHOW TBLPROPERTIES users('delta.enableTypeWidening')").collect()
    assert row.value == "true"


def test_unknown_property_is_refused(spark: Session) -> None:
    with pytest.raises(TablePropertyError):
        users(spark).option("delta.enableTypeWidenning", "true").saveAsTable("users")


def test_table_is_partitioned(spark: Session) -> None:
    users(spark, (1, "a"), (2, "b")).partitionBy("name").saveAsTable("users")
    folders = {path.name for path in (spark.warehouse / "users").iterdir() if "=" in path.name}
    assert (folders, rows(spark)) == ({"name=a", "name=b"}, [(1, "a"), (2, "b")])


def test_partitions_may_be_a_list(spark: Session) -> None:
    users(spark).saveAsTable("users", partitionBy=["name"])
    assert (spark.warehouse / "users" / "name=a").is_dir()


def test_parquet_table_has_no_partitions(spark: Session) -> None:
    with pytest.raises(UnsupportedOptionError) as caught:
        users(spark).format("parquet").partitionBy("name").saveAsTable("users")
    assert caught.value.key == "partitionBy"


def test_write_of_a_transaction_lands_once(spark: Session) -> None:
    for _ in range(2):
        writer = users(spark).mode("append").option("txnAppId", "app").option("txnVersion", 1)
        writer.saveAsTable("users")
    assert rows(spark) == [(1, "a")]


def test_transaction_needs_both_options(spark: Session) -> None:
    with pytest.raises(OptionConflictError) as caught:
        users(spark).option("txnVersion", 1).saveAsTable("users")
    assert caught.value.keys == ("txnAppId", "txnVersion")


def test_bad_transaction_version_is_refused(spark: Session) -> None:
    with pytest.raises(OptionValueError) as caught:
        users(spark).option("txnAppId", "app").option("txnVersion", "x").saveAsTable("users")
    assert caught.value.key == "txnVersion"


def test_overwriting_a_part_is_refused(spark: Session) -> None:
    with pytest.raises(UnsupportedOptionError) as caught:
        users(spark).mode("overwrite").option("replaceWhere", "id = 1").saveAsTable("users")
    assert caught.value.key == "replaceWhere"


def test_unknown_option_is_a_warning(spark: Session, caplog: pytest.LogCaptureFixture) -> None:
    users(spark).option("mergeSchemas", "true").saveAsTable("users")
    assert caplog.messages == ["unknown option mergeschemas of write; did you mean mergeSchema?"]


@pytest.mark.parametrize("kind", ["csv", "json", "memory"])
def test_other_format_is_refused(kind: str, spark: Session) -> None:
    with pytest.raises(UnsupportedOptionError) as caught:
        users(spark).format(kind)
    assert caught.value.value == kind


def test_other_call_is_refused_by_name(spark: Session) -> None:
    with pytest.raises(OperationNotSupportedError) as caught:
        users(spark).bucketBy(3, "id")
    assert caught.value.where == "write.bucketBy"


def test_older_version_is_read(spark: Session) -> None:
    users(spark).saveAsTable("users")
    users(spark, (2, "b")).mode("append").saveAsTable("users")
    assert spark.read.option("versionAsOf", 0).table("users").count() == 1


def test_older_version_is_read_by_path(spark: Session, tmp_path: Path) -> None:
    users(spark).save(tmp_path / "out")
    users(spark).mode("append").save(tmp_path / "out")
    read = spark.read.format("delta").option("versionAsOf", "0")
    assert read.load(tmp_path / "out").count() == 1


def test_bad_version_is_refused(spark: Session) -> None:
    with pytest.raises(OptionValueError) as caught:
        spark.read.option("versionAsOf", "yesterday").table("users")
    assert caught.value.key == "versionAsOf"


def test_table_is_not_read_in_the_other_format(spark: Session, tmp_path: Path) -> None:
    users(spark).save(tmp_path / "out")
    with pytest.raises(TableFormatError) as caught:
        spark.read.format("parquet").load(tmp_path / "out")
    assert caught.value.present == "delta"


def test_frame_without_rows_makes_an_empty_table(spark: Session) -> None:
    spark.createDataFrame([], "id INT, s STRUCT<x: INT>").write.saveAsTable("users")
    assert (spark.table("users").columns, rows(spark)) == (["id", "s"], [])

"""`spark.sql`: statements about tables; answers as Spark 4.3.0 and Delta give them."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest

from ingest import Session
from ingest.errors import (
    AnalysisException,
    SqlNotSupportedError,
    SqlSyntaxError,
    TableExistsError,
    TableFormatError,
    TableNotFoundError,
    TablePropertyError,
)
from ingest.sql.parsing import parse_statement
from ingest.sql.statements import (
    CreateTable,
    DescribeDetail,
    DescribeHistory,
    DescribeTable,
    DropTable,
    NamedTable,
    SelectAll,
    SetConf,
    SetProperties,
    ShowConf,
    ShowProperties,
    Statement,
    TableAt,
    UnsetProperties,
)
from ingest.table_places import TableFormat
from schema_store.ddl import parse_ddl

if TYPE_CHECKING:
    from pathlib import Path

T = NamedTable("t")
NOW = dt.datetime(2024, 5, 17, 12, tzinfo=dt.UTC)


@pytest.fixture
def spark(tmp_path: Path) -> Session:
    session = Session(warehouse=tmp_path / "lake", now=lambda: NOW)
    session.createDataFrame([(1, "a"), (2, "b")], ["id", "name"]).write.saveAsTable("t")
    return session


def ask(spark: Session, text: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in spark.sql(text).collect()]


# --- text to statements


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        (
            "ALTER TABLE t SET TBLPROPERTIES ('a.b' = 'c', delta.x = true, n = 3)",
            SetProperties(T, (("a.b", "c"), ("delta.x", "true"), ("n", "3"))),
        ),
        (
            "alter table a.b.`c d` set tblproperties ('k'='v');",
            SetProperties(NamedTable("a.b.`c d`"), (("k", "v"),)),
        ),
        (
            "ALTER TABLE delta.`/lake/t` SET TBLPROPERTIES ('k' 'v')",
            SetProperties(TableAt("/lake/t", TableFormat.DELTA), (("k", "v"),)),
        ),
        (
            "ALTER TABLE t UNSET TBLPROPERTIES ('a', b.c)",
            UnsetProperties(T, ("a", "b.c"), if_exists=False),
        ),
        (
            "ALTER TABLE t UNSET TBLPROPERTIES IF EXISTS (a)",
            UnsetProperties(T, ("a",), if_exists=True),
        ),
        ("SHOW TBLPROPERTIES t", ShowProperties(T, None)),
        ("SHOW TBLPROPERTIES t ('a.b')", ShowProperties(T, "a.b")),
        ("SHOW TBLPROPERTIES t(a.b)", ShowProperties(T, "a.b")),
        ("DESCRIBE t", DescribeTable(T)),
        ("DESC TABLE t", DescribeTable(T)),
        ("DESCRIBE DETAIL t", DescribeDetail(T)),
        ("DESCRIBE HISTORY t", DescribeHistory(T, None)),
        ("DESCRIBE HISTORY t LIMIT 2", DescribeHistory(T, 2)),
        ("DROP TABLE t", DropTable(T, if_exists=False)),
        ("DROP TABLE IF EXISTS t", DropTable(T, if_exists=True)),
        ("SELECT * FROM t", SelectAll(T, None, None)),
        ("-- all\nselect * from t /* rows */ limit 3", SelectAll(T, None, 3)),
        ("SELECT * FROM t VERSION AS OF 2 LIMIT 1", SelectAll(T, 2, 1)),
        ("SET spark.a-b.c = x y 'z' ;", SetConf("spark.a-b.c", "x y 'z'")),
        ("set a.b=`c`", SetConf("a.b", "c")),
        ("SET a.b", ShowConf("a.b")),
        ("SET", ShowConf(None)),
    ],
)
def test_text_becomes_a_statement(text: str, statement: Statement) -> None:
    assert parse_statement(text) == statement


def test_create_table_has_columns_and_parts_in_any_order() -> None:
    text = """CREATE TABLE IF NOT EXISTS main.t (
        id INT NOT NULL, s STRING COMMENT 'it (is) text', m MAP<STRING, STRUCT<a: DECIMAL(10,2)>>
    ) TBLPROPERTIES ('delta.enableTypeWidening' = true) USING DELTA PARTITIONED BY (s)"""
    ddl = (
        "id INT NOT NULL, s STRING COMMENT 'it (is) text', m MAP<STRING, STRUCT<a: DECIMAL(10,2)>>"
    )
    assert parse_statement(text) == CreateTable(
        NamedTable("main.t"),
        parse_ddl(ddl),
        TableFormat.DELTA,
        ("s",),
        (("delta.enableTypeWidening", "true"),),
        if_not_exists=True,
    )


@pytest.mark.parametrize(
    "text",
    [
        "SELECT id FROM t",
        "SELECT count(*) FROM t",
        "SELECT * FROM t WHERE id = 1",
        "SELECT * FROM a, b",
        "SELECT * FROM (SELECT * FROM t)",
        "SELECT * FROM t TIMESTAMP AS OF '2024-01-01'",
        "SELECT 1",
        "WITH x AS (SELECT 1) SELECT * FROM x",
        "INSERT INTO t VALUES (1)",
        "MERGE INTO a USING b ON a.x = b.x WHEN MATCHED THEN DELETE",
        "UPDATE t SET id = 1",
        "DELETE FROM t",
        "ALTER TABLE t ADD COLUMN x INT",
        "ALTER VIEW v AS SELECT 1",
        "CREATE TABLE t AS SELECT 1",
        "CREATE OR REPLACE TABLE t (id INT)",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE t (id INT) USING csv",
        "CREATE TABLE t (id INT) LOCATION '/x'",
        "DROP VIEW v",
        "DESCRIBE EXTENDED t",
        "SHOW TABLES",
        "USE main",
        "VACUUM t",
        "OPTIMIZE t",
        "SET TIME ZONE UTC",
    ],
)
def test_other_statement_is_refused_with_advice(text: str) -> None:
    with pytest.raises(SqlNotSupportedError) as caught:
        parse_statement(text)
    assert isinstance(caught.value, AnalysisException)
    assert "duckdb" in caught.value.remedy


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "end of input"),
        ("  ; ", "end of input"),
        ("FOO BAR", "'FOO'"),
        ("SELEC * FROM t", "'SELEC'"),
        ("ALTER TABLE t SET TBLPROPERTIES ('a'='b'", "end of input"),
        ("ALTER TABLE t SET TBLPROPERTIES ('a'=b)", "'b'"),
        ("ALTER TABLE t SET TBLPROPERTIES ('a'='b') x", "'x'"),
        ("ALTER TABLE t SET TBLPROPERTIES ()", "')'"),
        ("SHOW TBLPROPERTIES", "end of input"),
        ("SHOW TBLPROPERTIES t ('a', 'b')", "more than one key"),
        ("DESCRIBE HISTORY t LIMIT x", "'x'"),
        ("DROP TABLE 't'", "'t'"),
        ("DROP TABLE a b", "'b'"),
        ("SELECT * FROM t VERSION AS OF x", "'x'"),
        ("SELECT * FROM t; SELECT * FROM t", "one statement at a time"),
        ("SELECT * FROM 'x", "cannot be read"),
        ("CREATE TABLE t (id INT", "end of input"),
        ("CREATE TABLE t (id INT) PARTITIONED BY (a.b)", ""),
    ],
)
def test_what_is_no_statement_is_refused_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(SqlSyntaxError) as caught:
        parse_statement(text)
    assert problem in caught.value.problem


# --- statements carried out


def test_all_rows_are_selected(spark: Session) -> None:
    assert ask(spark, "SELECT * FROM t") == [(1, "a"), (2, "b")]


def test_first_rows_are_selected(spark: Session) -> None:
    assert ask(spark, "SELECT * FROM t LIMIT 1") == [(1, "a")]


def test_older_version_is_selected(spark: Session) -> None:
    spark.createDataFrame([(3, "c")], ["id", "name"]).write.mode("append").saveAsTable("t")
    assert ask(spark, "SELECT * FROM t VERSION AS OF 0") == [(1, "a"), (2, "b")]


def test_table_is_named_by_its_folder(spark: Session) -> None:
    folder = spark.warehouse.resolve() / "t"
    assert ask(spark, f"SELECT * FROM delta.`{folder}`") == [(1, "a"), (2, "b")]


def test_folder_of_a_table_of_the_other_format_is_refused(spark: Session) -> None:
    with pytest.raises(TableFormatError):
        ask(spark, f"SELECT * FROM parquet.`{spark.warehouse.resolve() / 't'}`")


def test_statement_without_an_answer_gives_no_columns(spark: Session) -> None:
    frame = spark.sql("ALTER TABLE t SET TBLPROPERTIES ('k' = 'v')")
    assert (frame.columns, frame.to_text()) == ([], "++\n||\n++\n++")


def test_property_is_set_and_shown(spark: Session) -> None:
    ask(spark, "ALTER TABLE t SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')")
    key = "delta.enableTypeWidening"
    assert ask(spark, f"SHOW TBLPROPERTIES t ('{key}')") == [(key, "true")]


def test_protocol_is_among_the_properties(spark: Session) -> None:
    assert ask(spark, "SHOW TBLPROPERTIES t") == [
        ("delta.minReaderVersion", "1"),
        ("delta.minWriterVersion", "2"),
    ]


def test_property_that_is_not_set_is_told_in_sparks_words(spark: Session) -> None:
    assert ask(spark, "SHOW TBLPROPERTIES t ('zz')") == [
        ("zz", "Table t does not have property: zz")
    ]


def test_unknown_property_is_refused(spark: Session) -> None:
    with pytest.raises(TablePropertyError):
        ask(spark, "ALTER TABLE t SET TBLPROPERTIES ('delta.enableTypeWidenning' = 'true')")


def test_property_is_unset(spark: Session) -> None:
    ask(spark, "ALTER TABLE t SET TBLPROPERTIES ('k' = 'v')")
    ask(spark, "ALTER TABLE t UNSET TBLPROPERTIES ('k')")
    assert "k" not in dict(ask(spark, "SHOW TBLPROPERTIES t"))


def test_property_that_is_not_set_can_be_unset_if_told(spark: Session) -> None:
    ask(spark, "ALTER TABLE t UNSET TBLPROPERTIES IF EXISTS ('k')")
    with pytest.raises(TablePropertyError):
        ask(spark, "ALTER TABLE t UNSET TBLPROPERTIES ('k')")


def test_columns_are_described(spark: Session) -> None:
    assert ask(spark, "DESCRIBE t") == [("id", "bigint", None), ("name", "string", None)]


def test_partitions_and_comments_are_described(spark: Session) -> None:
    ask(spark, "CREATE TABLE p (id INT COMMENT 'key', day DATE) PARTITIONED BY (day)")
    assert ask(spark, "DESCRIBE TABLE p") == [
        ("id", "int", "key"),
        ("day", "date", None),
        ("# Partition Information", "", ""),
        ("# col_name", "data_type", "comment"),
        ("day", "date", None),
    ]


def test_parquet_table_is_described(spark: Session) -> None:
    spark.table("t").write.format("parquet").saveAsTable("p")
    assert ask(spark, "DESCRIBE p") == ask(spark, "DESCRIBE t")


def test_detail_tells_files_and_protocol(spark: Session) -> None:
    (row,) = spark.sql("DESCRIBE DETAIL t").collect()
    told = (row.format, row.name, row.location, row.createdAt, row.numFiles, row.minWriterVersion)
    folder = (spark.warehouse / "t").resolve().as_uri()
    assert told == ("delta", "t", folder, NOW, 1, 2)


def test_history_tells_the_newest_version_first(spark: Session) -> None:
    ask(spark, "ALTER TABLE t SET TBLPROPERTIES ('k' = 'v')")
    rows = spark.sql("DESCRIBE HISTORY t").collect()
    told = [(row.version, row.timestamp, row.operation) for row in rows]
    assert told == [(1, NOW, "SET TBLPROPERTIES"), (0, NOW, "WRITE")]


def test_history_is_limited(spark: Session) -> None:
    ask(spark, "ALTER TABLE t SET TBLPROPERTIES ('k' = 'v')")
    assert [row[0] for row in ask(spark, "DESCRIBE HISTORY t LIMIT 1")] == [1]


def test_table_is_created_with_properties(spark: Session) -> None:
    ask(spark, "CREATE TABLE n (id INT) TBLPROPERTIES ('delta.enableTypeWidening'='true', own='x')")
    found = dict(ask(spark, "SHOW TBLPROPERTIES n"))
    assert (found["delta.enableTypeWidening"], found["own"]) == ("true", "x")


def test_table_is_created_with_the_configurations_properties(spark: Session) -> None:
    ask(spark, "SET spark.databricks.delta.properties.defaults.appendOnly = true")
    ask(spark, "CREATE TABLE n (id INT)")
    assert dict(ask(spark, "SHOW TBLPROPERTIES n"))["delta.appendOnly"] == "true"


def test_created_table_keeps_not_null(spark: Session) -> None:
    ask(spark, "CREATE TABLE n (id INT NOT NULL, s STRING)")
    assert [field.nullable for field in spark.table("n").schema] == [False, True]


def test_created_table_takes_rows(spark: Session) -> None:
    ask(spark, "CREATE TABLE n (id INT, s STRING)")
    spark.createDataFrame([(1, "x")], "id INT, s STRING").write.mode("append").saveAsTable("n")
    assert ask(spark, "SELECT * FROM n") == [(1, "x")]


def test_parquet_table_is_created(spark: Session) -> None:
    ask(spark, "CREATE TABLE n (id INT) USING parquet")
    assert (ask(spark, "SELECT * FROM n"), spark.table("n").columns) == ([], ["id"])


def test_table_that_is_there_is_not_created(spark: Session) -> None:
    with pytest.raises(TableExistsError):
        ask(spark, "CREATE TABLE t (id INT)")


def test_table_that_is_there_is_left_if_told(spark: Session) -> None:
    ask(spark, "CREATE TABLE IF NOT EXISTS t (other INT)")
    assert spark.table("t").columns == ["id", "name"]


def test_dropped_table_is_gone(spark: Session) -> None:
    ask(spark, "DROP TABLE t")
    assert list(spark.warehouse.iterdir()) == []


def test_table_that_is_not_there_is_not_dropped(spark: Session) -> None:
    with pytest.raises(TableNotFoundError):
        ask(spark, "DROP TABLE nope")


def test_table_that_is_not_there_may_be_dropped_if_told(spark: Session) -> None:
    assert ask(spark, "DROP TABLE IF EXISTS nope") == []


def test_folder_that_is_no_table_is_not_dropped(spark: Session) -> None:
    (spark.warehouse / "data").mkdir()
    with pytest.raises(TableNotFoundError):
        ask(spark, "DROP TABLE data")


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM nope",
        "SHOW TBLPROPERTIES nope",
        "DESCRIBE nope",
        "DESCRIBE HISTORY nope",
        "ALTER TABLE nope SET TBLPROPERTIES ('a'='b')",
    ],
)
def test_table_that_is_not_there_is_named(text: str, spark: Session) -> None:
    with pytest.raises(TableNotFoundError) as caught:
        ask(spark, text)
    assert isinstance(caught.value, AnalysisException)
    assert caught.value.where == "nope"


@pytest.mark.parametrize("text", ["SHOW TBLPROPERTIES p", "DESCRIBE HISTORY p"])
def test_parquet_table_has_no_properties_and_history(text: str, spark: Session) -> None:
    spark.table("t").write.format("parquet").saveAsTable("p")
    with pytest.raises(SqlNotSupportedError) as caught:
        ask(spark, text)
    assert "parquet table p" in caught.value.statement


def test_configuration_is_set(spark: Session) -> None:
    assert ask(spark, "SET a.b = c") == [("a.b", "c")]
    assert spark.conf.get("a.b") == "c"


def test_configuration_is_shown(spark: Session) -> None:
    ask(spark, "SET a.b = c")
    assert ask(spark, "SET") == [("a.b", "c")]
    assert ask(spark, "SET x.y") == [("x.y", "<undefined>")]


# --- tables in memory


@pytest.fixture
def memory(spark: Session) -> Session:
    table = spark.memory_table("m")
    table.create(parse_ddl("id INT, name STRING"))
    return spark


def test_table_in_memory_is_described(memory: Session) -> None:
    assert ask(memory, "DESCRIBE M") == [("id", "int", None), ("name", "string", None)]


def test_table_in_memory_has_no_properties(memory: Session) -> None:
    with pytest.raises(SqlNotSupportedError, match="memory"):
        memory.sql("SHOW TBLPROPERTIES m")


# --- columns as Delta's documentation lists them


def test_history_has_deltas_columns(spark: Session) -> None:
    assert spark.sql("DESCRIBE HISTORY t").columns == [
        *("version", "timestamp", "userId", "userName", "operation", "operationParameters"),
        *("job", "notebook", "clusterId", "readVersion", "isolationLevel", "isBlindAppend"),
        *("operationMetrics", "userMetadata", "engineInfo"),
    ]


def test_detail_tells_when_the_table_has_changed(spark: Session) -> None:
    (row,) = spark.sql("DESCRIBE DETAIL t").collect()
    assert (row.lastModified, row.clusteringColumns) == (NOW, [])

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.plugin.conftest import FLAGS

if TYPE_CHECKING:
    from collections.abc import Callable

    RunUserTest = Callable[..., pytest.RunResult]

pytest_plugins = ["pytester"]

STORY = """
import pytest

@pytest.fixture
def autoloader_options():
    return {"cloudFiles.inferColumnTypes": True}

def test_a_new_column(landing, autoloader):
    landing.csv("1.csv", "id,name\\n1,Ann")
    autoloader.run()
    landing.csv("2.csv", [{"id": 2, "name": "Bob", "age": 25}])
    autoloader.run()
    assert autoloader.error.new_fields == ("age INT",)
    autoloader.restart()
    assert autoloader.schema == "id INT, name STRING, age INT"
    assert autoloader.rows == [(1, "Ann", None), {"id": 2, "name": "Bob", "age": 25}]
    assert (autoloader.version, autoloader.rescued, autoloader.ledger) == (1, [], [])

def test_every_mode(landing, autoloader, evolution_mode):
    landing.csv("1.csv", "id\\n1")
    autoloader.run()
    landing.csv("2.csv", "id,age\\n2,25")
    autoloader.run()
    assert (autoloader.error is None) == (evolution_mode in ("rescue", "none"))

@pytest.mark.parametrize("write", ["json", "parquet"])
def test_formats(landing, autoloader, write):
    getattr(landing, write)(f"a.{write}", [{"id": 1, "name": "Ann"}, {"id": 2, "name": None}])
    autoloader.run()
    assert autoloader.schema == "id BIGINT, name STRING"
    assert autoloader.rows == [(1, "Ann"), (2, None)]
"""

JOB = """
from ingest.functions import col, current_timestamp

def people(spark, landing, state):
    return (
        spark.readStream.format("cloudFiles")
        .option("cloudFiles.format", "csv")
        .option("cloudFiles.inferColumnTypes", True)
        .option("cloudFiles.schemaLocation", f"{state}/schema")
        .option("cloudFiles.schemaEvolutionMode", "addNewColumnsWithTypeWidening")
        .load(f"{landing}")
        .select("*", "_metadata.file_name")
        .withColumn("read_at", current_timestamp())
        .where(col("id").isNotNull())
        .writeStream.option("mergeSchema", "true")
        .option("checkpointLocation", f"{state}/checkpoint")
        .trigger(availableNow=True)
        .toTable("people")
    )

def test_the_job(spark, landing, tmp_path):
    landing.csv("1.csv", "id,name\\n1,Ann\\n,nobody")
    people(spark, landing.path, tmp_path / "state").awaitTermination()
    rows = spark.table("people").select("id", "name", "file_name").collect()
    assert rows == [(1, "Ann", "1.csv")]

def test_another_warehouse(spark):
    assert not (spark.warehouse / "people").exists()
"""


def test_a_story_is_told_in_a_few_lines(run_user_test: RunUserTest) -> None:
    run_user_test(STORY).assert_outcomes(passed=8)


def test_a_function_that_takes_spark_runs_unchanged(run_user_test: RunUserTest) -> None:
    run_user_test(JOB).assert_outcomes(passed=2)


def test_one_session_for_all_tests_when_it_is_wished(
    run_user_test: RunUserTest, pytester: pytest.Pytester
) -> None:
    pytester.makeini("[pytest]\ningest_spark_scope = session\n")

    result = run_user_test(
        """
        import pytest
        @pytest.fixture(scope="session")
        def table(spark):
            spark.createDataFrame([(1,)], ["id"]).write.saveAsTable("ids")
        def test_one(spark, table):
            assert spark.table("ids").collect() == [(1,)]
        def test_other(spark, table):
            assert spark.table("ids").count() == 1
        """
    )

    result.assert_outcomes(passed=2)


def test_a_stop_that_nobody_asks_for_fails_the_test(run_user_test: RunUserTest) -> None:
    result = run_user_test(
        """
        def test_it(landing, autoloader):
            landing.csv("1.csv", "id\\n1")
            autoloader.run()
            landing.csv("2.csv", "id,age\\n2,25")
            autoloader.run()
        """
    )

    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(
        [
            "the last run stopped or failed, and the test does not ask for it:",
            "  2.csv: column age: not there -> STRING, e.g. '25'",
            "  what to do: run it again (autoloader.restart())*",
        ]
    )


def test_a_schema_that_differs_names_file_column_types_and_remedy(
    run_user_test: RunUserTest,
) -> None:
    result = run_user_test(
        """
        def test_it(landing, autoloader):
            landing.csv("1.csv", "id,name\\n1,Ann\\n2.5,Bob")
            autoloader.option("cloudFiles.inferColumnTypes", True).run()
            assert autoloader.schema == "id INT, name STRING"
        """
    )

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E*assert schema as expected",
            "E*column id: INT expected, DOUBLE found (1.csv, row 2: '2.5', INT before it)",
            "E*what to do: if this is right, expect it; if not, correct the file",
            'E*or fix the types: .option("cloudFiles.schemaHints", "id INT")',
            "run 1: 1.csv landed (2 rows, schema version 0)",
        ]
    )


def test_a_rescued_value_is_explained(run_user_test: RunUserTest) -> None:
    result = run_user_test(
        """
        def test_it(landing, autoloader):
            landing.csv("1.csv", "id,name\\n1,Ann")
            autoloader.option("cloudFiles.inferColumnTypes", True).run()
            landing.csv("2.csv", "id,name\\n5000000000,Bob")
            autoloader.run()
            assert autoloader.rows == [(1, "Ann"), (5000000000, "Bob")]
        """
    )

    result.stdout.fnmatch_lines(
        [
            "E*column id: 5000000000 expected, NULL found",
            "  2.csv: column id: INT -> BIGINT, e.g. '5000000000'",
            "  what to do: mode addNewColumnsWithTypeWidening takes it in; *",
        ]
    )


def test_rows_of_a_table_are_compared_readably(run_user_test: RunUserTest) -> None:
    result = run_user_test(
        """
        def test_it(spark):
            frame = spark.createDataFrame([(1, "Ann"), (2, None)], "id INT, name STRING")
            assert frame.collect() == [(1, "Ann"), (2, "Bob")]
        """
    )

    result.stdout.fnmatch_lines(
        [
            "E*2 rows found, 2 rows expected, 1 the same:",
            "E*-  2   'Bob'  expected",
            "E*+  2   NULL   found",
        ]
    )


def test_expectations_are_written_and_then_compared(
    run_user_test: RunUserTest, pytester: pytest.Pytester
) -> None:
    module = """
        def test_it(landing, autoloader, ingest_expected):
            landing.csv("1.csv", "id,name\\n1,{}")
            autoloader.run()
            ingest_expected(autoloader)
        """
    file = pytester.path / "expected" / "test_user" / "test_it.json"

    run_user_test(module.format("Ann")).assert_outcomes(failed=1)
    run_user_test(module.format("Ann"), "--ingest-update").assert_outcomes(passed=1)
    run_user_test(module.format("Ann")).assert_outcomes(passed=1)
    assert '  {"id": "1", "name": "Ann"}\n' in file.read_text()
    result = run_user_test(module.format("Bob"))

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*'Ann'  expected", "*'Bob'  found", "*pytest --ingest-update"])


def test_nothing_heavy_is_loaded_before_it_is_used(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_nothing(): pass")
    pytester.makeconftest(
        """
        import sys
        def pytest_sessionfinish():
            heavy = {"polars", "pyarrow", "deltalake", "click", "yaml", "rich"}
            print("loaded:", sorted(heavy & set(sys.modules)))
        """
    )

    done = subprocess.run(
        [sys.executable, "-m", "pytest", *FLAGS, "--co", "-q", "-s"],
        cwd=pytester.path,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "loaded: []" in done.stdout


@pytest.mark.slow
def test_it_works_in_parallel(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_user=STORY)
    pytester.makefile(".yaml", scenario="steps: [{land: {a.csv: 'id'}}]")

    result = pytester.runpytest_subprocess(*FLAGS, "-n", "2")

    result.assert_outcomes(passed=9)

"""`format("console")` prints as Spark 4.3.0 does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ingest.errors import OptionConflictError, OptionValueError
from tests.ingest.lake import Lake

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    lake = Lake(tmp_path, {"cloudFiles.schemaEvolutionMode": "none"})
    lake.land("a.csv", "id,s\n1,a long value that is longer than twenty\n2,b\n")
    return lake


def printed(lake: Lake, capsys: pytest.CaptureFixture[str], **options: Any) -> str:
    lake.writer().format("console").options(**options).start().awaitTermination()
    return capsys.readouterr().out


def test_batch_is_printed_as_spark_does(lake: Lake, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(lake, capsys) == (
        "-------------------------------------------\n"
        "Batch: 0\n"
        "-------------------------------------------\n"
        "+---+--------------------+\n"
        "| id|                   s|\n"
        "+---+--------------------+\n"
        "|  1|a long value that...|\n"
        "|  2|                   b|\n"
        "+---+--------------------+\n"
        "\n"
    )


def test_rows_and_truncation_are_options(lake: Lake, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(lake, capsys, numRows=1, truncate=False)
    assert text.splitlines()[3:] == [
        "+---+---------------------------------------+",
        "|id |s                                      |",
        "+---+---------------------------------------+",
        "|1  |a long value that is longer than twenty|",
        "+---+---------------------------------------+",
        "only showing top 1 row",
        "",
    ]


def test_no_more_rows_are_kept_than_are_shown(
    lake: Lake, capsys: pytest.CaptureFixture[str]
) -> None:
    lake.land("a.csv", "id,s\n" + "1,x\n" * 1000)
    text = printed(lake, capsys, numRows=2)
    assert text.count("|  1|  x|") == 2
    assert "only showing top 2 rows" in text


def test_batches_are_numbered(lake: Lake, capsys: pytest.CaptureFixture[str]) -> None:
    lake.options["cloudFiles.maxFilesPerTrigger"] = 1
    lake.land("b.csv", "id,s\n3,c\n")
    assert [line for line in printed(lake, capsys).splitlines() if "Batch" in line] == [
        "Batch: 0",
        "Batch: 1",
    ]


def test_committed_batch_is_not_printed_again(
    lake: Lake, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(lake, capsys)
    assert printed(lake, capsys) == ""


@pytest.mark.parametrize(("key", "value"), [("numRows", "x"), ("truncate", "20")])
def test_bad_option_is_refused_before_anything_runs(key: str, value: str, lake: Lake) -> None:
    with pytest.raises(OptionValueError) as caught:
        lake.writer().format("console").option(key, value).start()
    assert (caught.value.key, caught.value.value) == (key, value)


def test_console_beside_a_table_is_refused(lake: Lake) -> None:
    with pytest.raises(OptionConflictError) as caught:
        lake.writer().format("console").toTable("t")
    assert caught.value.found == "t beside the console"


def test_console_beside_a_path_is_refused(lake: Lake) -> None:
    with pytest.raises(OptionConflictError):
        lake.writer().format("console").start(lake.root / "out")


def test_progress_names_the_console(lake: Lake) -> None:
    query = lake.writer().format("console").start()
    query.awaitTermination()
    progress: Any = query.lastProgress
    assert progress["sink"]["description"] == "ConsoleTable"

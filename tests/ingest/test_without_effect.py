"""What a write was told and does not do is said: nothing is ignored in silence (contract 1.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ingest.lake import Lake

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.batch_writer import DataFrameWriter
    from ingest.dataframe import DataFrame

WIDENING: dict[str, Any] = {"delta.enableTypeWidening": "true"}


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    lake = Lake(tmp_path)
    lake.land("a.csv", "id,name\n1,a\n")
    return lake


def batch(lake: Lake) -> DataFrameWriter:
    return lake.session.createDataFrame([(1,)], ["id"]).write.mode("append")


def ignore(rows: DataFrame, batch_id: int) -> None:
    """Take a batch and do nothing with it."""


@pytest.mark.parametrize("sink", ["parquet", "memory"])
def test_table_property_is_for_delta(
    sink: str, lake: Lake, caplog: pytest.LogCaptureFixture
) -> None:
    lake.writer().format(sink).options(**WIDENING).toTable("t").awaitTermination()
    told = f"delta.enableTypeWidening has no effect here; it is for delta, not for {sink}"
    assert told in caplog.messages


def test_rows_to_show_are_for_the_console(lake: Lake, caplog: pytest.LogCaptureFixture) -> None:
    lake.writer().option("numRows", 3).toTable("t").awaitTermination()
    assert "numRows has no effect here; it is for console, not for delta" in caplog.messages


def test_reader_s_option_on_the_writer_is_told(
    lake: Lake, caplog: pytest.LogCaptureFixture
) -> None:
    lake.writer().option("cloudFiles.maxFilesPerTrigger", 3).toTable("t").awaitTermination()
    told = "cloudFiles.maxFilesPerTrigger has no effect here; it belongs to readStream"
    assert told in caplog.messages


def test_property_that_an_existing_table_lacks_is_told(
    lake: Lake, caplog: pytest.LogCaptureFixture
) -> None:
    lake.writer().toTable("t").awaitTermination()
    lake.writer("other").options(**WIDENING).toTable("t").awaitTermination()
    assert (
        "delta.enableTypeWidening is not set: the table is there already and has no value; write"
        " ALTER TABLE t SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')"
    ) in caplog.messages


def test_property_that_the_table_has_is_not_told(
    lake: Lake, caplog: pytest.LogCaptureFixture
) -> None:
    lake.writer().options(**WIDENING).toTable("t").awaitTermination()
    lake.writer().options(**WIDENING).toTable("t").awaitTermination()
    assert caplog.messages == []


def test_property_is_too_late_for_a_batch_write_as_well(
    lake: Lake, caplog: pytest.LogCaptureFixture
) -> None:
    batch(lake).saveAsTable("t")
    batch(lake).options(**WIDENING).saveAsTable("t")
    assert any("delta.enableTypeWidening is not set" in text for text in caplog.messages)


def test_table_property_is_for_delta_in_batch_writes(
    lake: Lake, caplog: pytest.LogCaptureFixture
) -> None:
    batch(lake).format("parquet").options(**WIDENING).saveAsTable("t")
    told = "delta.enableTypeWidening has no effect here; it is for delta, not for parquet"
    assert caplog.messages == [told]


def test_checkpoint_of_a_batch_write_is_told(lake: Lake, caplog: pytest.LogCaptureFixture) -> None:
    batch(lake).option("checkpointLocation", "state").saveAsTable("t")
    told = "checkpointLocation has no effect here; it belongs to writeStream"
    assert caplog.messages == [told]


def test_function_that_a_later_format_replaces_is_told(
    lake: Lake, caplog: pytest.LogCaptureFixture
) -> None:
    """As in Spark the last one counts; there without a word."""
    lake.writer().foreachBatch(ignore).format("delta").toTable("t").awaitTermination()
    assert any("foreachBatch is not called" in text for text in caplog.messages)

"""Reports as Spark's StreamingQueryProgress, and as PySpark's object of that name."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from dataclasses import replace

import pytest

from ingest.file_entry import BatchId, SeqNum
from ingest.ledger import LedgerEntry, LossKind
from ingest.progress import BatchProgress, QueryFacts, progress_to_json
from ingest.query_progress import StreamingQueryProgress, query_progress
from ingest.read_batch import Findings

QUERY = QueryFacts(
    str(uuid.UUID(int=1)), str(uuid.UUID(int=2)), "q", "CloudFilesSource[/in]", "DeltaSink[/t]"
)
BATCH = BatchProgress(
    batch_id=BatchId(3),
    start=SeqNum(5),
    end=SeqNum(7),
    files=2,
    rows=10,
    rows_written=8,
    findings=Findings(
        rescued_rows=4,
        corrupt_records=1,
        losses=(
            LedgerEntry(LossKind.DROPPED, "file:///in/a", "x", "no column takes it", 3, ()),
            LedgerEntry(LossKind.CHANGED, "file:///in/a", "y", "rounded", 2, ()),
        ),
    ),
    replayed=False,
    started=dt.datetime(2024, 5, 17, 12, 0, 4, 123456, tzinfo=dt.UTC),
    seconds=0.25,
    since_previous=2.0,
    millis={"walCommit": 1.2, "addBatch": 200.0, "triggerExecution": 250.0},
    outstanding=(1, 9),
)


@pytest.fixture
def report() -> StreamingQueryProgress:
    return query_progress(progress_to_json(BATCH, QUERY))


def test_report_has_sparks_keys_in_sparks_order_and_one_of_ours() -> None:
    assert list(progress_to_json(BATCH, QUERY)) == [
        "id",
        "runId",
        "name",
        "timestamp",
        "batchId",
        "batchDuration",
        "numInputRows",
        "inputRowsPerSecond",
        "processedRowsPerSecond",
        "durationMs",
        "stateOperators",
        "sources",
        "sink",
        "ingest",
    ]


def test_source_says_what_auto_loader_says(report: StreamingQueryProgress) -> None:
    assert report["sources"] == [
        {
            "description": "CloudFilesSource[/in]",
            "startOffset": {"seqNum": 5, "sourceVersion": 1},
            "endOffset": {"seqNum": 7, "sourceVersion": 1},
            "latestOffset": None,
            "numInputRows": 10,
            "inputRowsPerSecond": 5.0,
            "processedRowsPerSecond": 40.0,
            "metrics": {"numBytesOutstanding": "9", "numFilesOutstanding": "1"},
        }
    ]


def test_times_are_milliseconds_by_sparks_names(report: StreamingQueryProgress) -> None:
    assert (report["timestamp"], report["batchDuration"], report["durationMs"]) == (
        "2024-05-17T12:00:04.123Z",
        250,
        {"addBatch": 200, "triggerExecution": 250, "walCommit": 1},
    )


def test_rows_that_a_filter_drops_are_read_and_not_written(report: StreamingQueryProgress) -> None:
    assert (report["numInputRows"], report["sink"]["numOutputRows"]) == (10, 8)


def test_ours_counts_what_production_does_not_tell(report: StreamingQueryProgress) -> None:
    ours = report["ingest"]
    names = ("files", "rescuedRows", "corruptRecords", "droppedValues", "changedValues")
    assert [ours[name] for name in names] == [2, 4, 1, 3, 2]


def test_first_trigger_has_no_rate_of_arrival_yet() -> None:
    first = progress_to_json(replace(BATCH, since_previous=None), QUERY)
    assert first["inputRowsPerSecond"] == 0.0


def test_rate_that_is_infinite_is_left_out() -> None:
    told = progress_to_json(replace(BATCH, seconds=0.0), QUERY)
    assert "processedRowsPerSecond" not in told
    assert query_progress(told).processedRowsPerSecond == 0.0


def test_attributes_are_pysparks(report: StreamingQueryProgress) -> None:
    assert (report.id, report["id"]) == (uuid.UUID(int=1), str(uuid.UUID(int=1)))
    assert (report.runId, report.batchId, report.name) == (uuid.UUID(int=2), 3, "q")
    assert (report.eventTime, report.observedMetrics, report.stateOperators) == ({}, {}, [])
    assert (report.sink.numOutputRows, report.sink.metrics) == (8, {})


def test_offsets_are_json_text_as_attributes(report: StreamingQueryProgress) -> None:
    [source] = report.sources
    assert (json.loads(source.endOffset), source.latestOffset) == (
        {"seqNum": 7, "sourceVersion": 1},
        "null",
    )
    assert json.loads(source.startOffset)["seqNum"] == 5


def test_report_prints_as_json(report: StreamingQueryProgress) -> None:
    assert json.loads(report.json) == progress_to_json(BATCH, QUERY)
    assert str(report) == repr(report) == report.prettyJson
    assert report.sources[0].prettyJson.startswith('{\n    "description"')


def test_name_that_is_no_key_is_no_attribute(report: StreamingQueryProgress) -> None:
    assert not hasattr(report, "watermark")

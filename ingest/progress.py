"""What the engine reports: live counts while a batch is read, and one report per batch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.ledger import LossKind

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence

    from ingest.file_entry import BatchId, FileEntry, SeqNum
    from ingest.read_batch import Findings


@dataclass(slots=True)
class Reading:
    """Live counts of the batch that is being read; written by the engine, read by whoever shows it.

    Sizes are in bytes.
    """

    batch_id: int = -1
    files_done: int = 0
    files_total: int = 0
    bytes_done: int = 0
    bytes_total: int = 0
    rows: int = 0
    rows_written: int = 0

    def begin(self, batch_id: BatchId, files: Sequence[FileEntry]) -> None:
        """Start counting a batch."""
        self.batch_id = batch_id
        self.files_done = self.bytes_done = self.rows = self.rows_written = 0
        self.files_total = len(files)
        self.bytes_total = sum(file.size for file in files)

    def done(self, files: Sequence[FileEntry]) -> None:
        """Count files whose rows are all handed on."""
        self.files_done += len(files)
        self.bytes_done += sum(file.size for file in files)


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """Report of one finished batch.

    * `rows`: those that were read; `rows_written`: those that went to the sink.
    * `replayed`: the batch was found in the sink already, so nothing was read.
    * `started`: when its trigger began, `since_previous` seconds after the one before (None: it
      was the first); `seconds`: how long the trigger took; `millis`: its parts, by Spark's names.
    * `outstanding`: the files and bytes still to come.
    """

    batch_id: BatchId
    start: SeqNum
    end: SeqNum
    files: int
    rows: int
    rows_written: int
    findings: Findings
    replayed: bool
    started: dt.datetime
    seconds: float
    since_previous: float | None
    millis: Mapping[str, float]
    outstanding: tuple[int, int]


@dataclass(frozen=True, slots=True)
class QueryFacts:
    """Who reports: what `StreamingQueryProgress` says of the query itself."""

    query_id: str
    run_id: str
    name: str | None
    source: str
    sink: str


def progress_to_json(progress: BatchProgress, query: QueryFacts) -> dict[str, object]:
    """Give the report as Spark's `StreamingQueryProgress` JSON: its keys in its order.

    As there, a rate that is infinite and maps without entries are left out. `metrics` values are
    strings, as the real source reports them; `ingest`, the last key, holds what the real one does
    not report (contract 7.6, 9.1).
    """
    millis = {name: round(value) for name, value in sorted(progress.millis.items())}
    rates = _rates(progress)
    files, size = progress.outstanding
    return {
        "id": query.query_id,
        "runId": query.run_id,
        "name": query.name,
        "timestamp": progress.started.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "batchId": progress.batch_id,
        "batchDuration": round(progress.seconds * 1000),
        "numInputRows": progress.rows,
        **rates,
        "durationMs": millis,
        "stateOperators": [],
        "sources": [
            {
                "description": query.source,
                "startOffset": {"seqNum": progress.start, "sourceVersion": 1},
                "endOffset": {"seqNum": progress.end, "sourceVersion": 1},
                "latestOffset": None,
                "numInputRows": progress.rows,
                **rates,
                "metrics": {
                    "numBytesOutstanding": str(size),
                    "numFilesOutstanding": str(files),
                },
            }
        ],
        "sink": {"description": query.sink, "numOutputRows": progress.rows_written},
        "ingest": {
            "files": progress.files,
            "replayed": progress.replayed,
            **_findings_to_json(progress.findings),
        },
    }


def _rates(progress: BatchProgress) -> dict[str, float]:
    """Give rows per second as they came and as they were processed (`ProgressContext`).

    They came since the trigger before began; at the first one nobody knows, so the rate is 0.
    """
    since = math.inf if progress.since_previous is None else progress.since_previous
    spans = {"inputRowsPerSecond": since, "processedRowsPerSecond": progress.seconds}
    return {name: progress.rows / span for name, span in spans.items() if span > 0}


def _findings_to_json(findings: Findings) -> dict[str, object]:
    """Give what was met while reading, the loss ledger included (contract 9.1)."""
    return {
        "rescuedRows": findings.rescued_rows,
        "corruptRecords": findings.corrupt_records,
        "badRecords": findings.bad_records,
        "droppedValues": _count(findings, LossKind.DROPPED),
        "changedValues": _count(findings, LossKind.CHANGED),
        "ledgerEntries": [
            {
                "kind": entry.kind.value,
                "file": entry.file,
                "column": entry.column,
                "reason": entry.reason,
                "count": entry.count,
                "examples": [{"row": one.row, "text": one.text} for one in entry.examples],
            }
            for entry in findings.losses
        ],
        "notices": sorted(findings.notices),
    }


def _count(findings: Findings, kind: LossKind) -> int:
    return sum(entry.count for entry in findings.losses if entry.kind is kind)

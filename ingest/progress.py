"""What the engine reports: live counts while a batch is read, and one report per batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

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

    def begin(self, batch_id: BatchId, files: Sequence[FileEntry]) -> None:
        """Start counting a batch."""
        self.batch_id = batch_id
        self.files_done = self.bytes_done = self.rows = 0
        self.files_total = len(files)
        self.bytes_total = sum(file.size for file in files)

    def done(self, files: Sequence[FileEntry]) -> None:
        """Count files whose rows are all handed on."""
        self.files_done += len(files)
        self.bytes_done += sum(file.size for file in files)


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """Report of one finished batch.

    `rows` counts the rows that went to the sink; `replayed` says that the batch was found in the
    sink already, so nothing was read. `outstanding` are the files and bytes still to come.
    """

    batch_id: BatchId
    start: SeqNum
    end: SeqNum
    files: int
    rows: int
    findings: Findings
    replayed: bool
    started: dt.datetime
    seconds: float
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
    """Give the report in the shape of Spark's `StreamingQueryProgress` JSON.

    `metrics` values are strings, as the real source reports them; `ingest` holds what the real
    one does not report (contract 7.6, 9.1).
    """
    rate = progress.rows / progress.seconds if progress.seconds > 0 else 0.0
    files, size = progress.outstanding
    return {
        "id": query.query_id,
        "runId": query.run_id,
        "name": query.name,
        "timestamp": progress.started.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "batchId": progress.batch_id,
        "numInputRows": progress.rows,
        "processedRowsPerSecond": rate,
        "durationMs": {"triggerExecution": round(progress.seconds * 1000)},
        "sources": [
            {
                "description": query.source,
                "startOffset": {"seqNum": progress.start, "sourceVersion": 1},
                "endOffset": {"seqNum": progress.end, "sourceVersion": 1},
                "latestOffset": None,
                "numInputRows": progress.rows,
                "processedRowsPerSecond": rate,
                "metrics": {
                    "numFilesOutstanding": str(files),
                    "numBytesOutstanding": str(size),
                },
            }
        ],
        "sink": {"description": query.sink, "numOutputRows": progress.rows},
        "ingest": {
            "files": progress.files,
            "replayed": progress.replayed,
            **_findings_to_json(progress.findings),
        },
    }


def _findings_to_json(findings: Findings) -> dict[str, object]:
    """Give what was met while reading, the loss ledger included (contract 9.1)."""
    return {
        "rescuedRows": findings.rescued_rows,
        "corruptRecords": findings.corrupt_records,
        "badRecords": findings.bad_records,
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

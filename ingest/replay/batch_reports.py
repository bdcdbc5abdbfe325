"""What the batches of a start have done, from their progress reports and the checkpoint."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ingest.checkpoint import planned_batch, read_ledger
from ingest.file_entry import BatchId, SeqNum, display_path
from ingest.file_state import open_file_state
from ingest.replay.outcome import Counts
from schema_store.metadata_log import MetadataLog

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ingest.ledger import LedgerEntry
    from ingest.query import StreamingQuery

Reports = dict[int, "Mapping[str, Any]"]
"""The report of each batch, by its id."""


def take_reports(query: StreamingQuery, reports: Reports) -> None:
    """Add what a query reports by now; it keeps the last 100 only."""
    for report in query.recentProgress:
        facts: Any = report
        reports[facts["batchId"]] = facts


def counts_of(reports: Reports) -> Counts:
    """Add the batches up."""
    found = [report["ingest"] for report in reports.values()]
    return Counts(
        batches=len(reports),
        rows=sum(report["numInputRows"] for report in reports.values()),
        rescued=sum(one["rescuedRows"] for one in found),
        corrupt=sum(one["corruptRecords"] for one in found),
        bad=sum(one["badRecords"] for one in found),
    )


def landed_files(checkpoint: Path, landing: Path, reports: Reports) -> tuple[str, ...]:
    """Name the files of the batches, below the landing folder, in sequence."""
    spans = [_span(report) for report in reports.values()]
    return _names(checkpoint, landing, min(spans)[0], max(spans)[1]) if spans else ()


def waiting_files(checkpoint: Path, landing: Path) -> tuple[str, ...]:
    """Name the files of the batch that is planned and not committed, if there is one."""
    if not (checkpoint / "offsets").is_dir():
        return ()
    batch_id = max(MetadataLog(checkpoint / "offsets").ids(), default=None)
    if batch_id is None or MetadataLog(checkpoint / "commits").get(batch_id) is not None:
        return ()
    planned = planned_batch(checkpoint, BatchId(batch_id))
    return _names(checkpoint, landing, planned.start, planned.end)


def ledger_of(checkpoint: Path, reports: Reports) -> tuple[LedgerEntry, ...]:
    """Give what the batches lost."""
    losing = [number for number, one in reports.items() if one["ingest"]["ledgerEntries"]]
    return tuple(entry for number in losing for entry in read_ledger(checkpoint, BatchId(number)))


def _names(checkpoint: Path, landing: Path, start: SeqNum, end: SeqNum) -> tuple[str, ...]:
    base = os.fsencode(landing.resolve())
    with open_file_state(checkpoint / "sources" / "0" / "file_state.db") as files:
        return tuple(_name(entry.path, base) for entry in files.between(start, end))


def _name(path: bytes, base: bytes) -> str:
    return display_path(os.path.relpath(path, base) if path.startswith(base) else path)


def _span(report: Mapping[str, Any]) -> tuple[SeqNum, SeqNum]:
    source = report["sources"][0]
    return SeqNum(source["startOffset"]["seqNum"]), SeqNum(source["endOffset"]["seqNum"])

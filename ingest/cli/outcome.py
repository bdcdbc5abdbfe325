"""How `ingest run` ended: as text for people and as one JSON document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingest.cli.display import Report, counted
from ingest.cli.exit_codes import ExitCode, describe, error_to_json, exit_code
from ingest.cli.text_table import align
from ingest.errors import UnknownFieldException
from schema_store.ddl import to_ddl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.cli.request import RunRequest
    from schema_store.store import SchemaVersion

SHOWN_LOSSES = 10
"""Columns and reasons of the ledger that the text shows; JSON has the others too."""

KEPT_LOSSES = 10_000
"""Entries of the ledger that a run keeps in mind; `ledger/` of the checkpoint keeps them all."""


@dataclass(frozen=True, slots=True)
class Totals:
    """What all batches of a run add up to, up to the one of the id `last_batch`."""

    last_batch: int = -1
    batches: int = 0
    files: int = 0
    rows: int = 0
    rescued: int = 0
    corrupt: int = 0
    bad: int = 0
    ledger: tuple[dict[str, Any], ...] = ()
    ledger_left_out: int = 0

    def plus(self, report: Report) -> Totals:
        """Add a batch."""
        found = report["ingest"]
        ledger = (*self.ledger, *found["ledgerEntries"])
        return Totals(
            report["batchId"],
            self.batches + 1,
            self.files + found["files"],
            self.rows + report["numInputRows"],
            self.rescued + found["rescuedRows"],
            self.corrupt + found["corruptRecords"],
            self.bad + found["badRecords"],
            ledger[:KEPT_LOSSES],
            self.ledger_left_out + max(0, len(ledger) - KEPT_LOSSES),
        )


@dataclass(frozen=True, slots=True)
class Stop:
    """The stream stopped to evolve; the schema location then had this version."""

    error: UnknownFieldException
    version: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended: `error` is None when everything landed."""

    totals: Totals
    stops: tuple[Stop, ...]
    error: BaseException | None
    version: SchemaVersion | None
    warnings: tuple[str, ...]


def outcome_to_json(outcome: Outcome, request: RunRequest) -> dict[str, object]:
    """Give the one JSON document of `ingest run --json`."""
    code = exit_code(outcome.error)
    totals, version = outcome.totals, outcome.version
    return {
        "status": code.name.lower(),
        "exitCode": int(code),
        "landing": request.landing,
        "table": request.table,
        "sink": request.sink,
        "checkpoint": request.checkpoint if request.state_stays else None,
        "schemaLocation": request.schema_location if request.state_stays else None,
        "schemaVersion": None if version is None else version.number,
        "schema": None if version is None else to_ddl(version.schema),
        "batches": totals.batches,
        "files": totals.files,
        "rows": totals.rows,
        "rescuedRows": totals.rescued,
        "corruptRecords": totals.corrupt,
        "badRecords": totals.bad,
        "ledger": list(totals.ledger),
        "ledgerLeftOut": totals.ledger_left_out,
        "stops": [
            {**error_to_json(stop.error), "schemaVersion": stop.version} for stop in outcome.stops
        ],
        "warnings": list(outcome.warnings),
        "error": None if outcome.error is None else error_to_json(outcome.error),
    }


def summary_lines(outcome: Outcome, request: RunRequest) -> Iterator[str]:
    """Tell what landed, and what production would not have told."""
    totals, version = outcome.totals, outcome.version
    if totals.batches:
        word = "done" if outcome.error is None else "landed"
        files, batches = counted(totals.files, "file"), counted(totals.batches, "batch")
        rows = counted(totals.rows, "row")
        yield f"{word:7} {rows} of {files} in {batches} -> {request.table}"
    elif outcome.error is None:
        yield f"done    nothing new in {request.landing}"
    if totals.rescued or totals.corrupt:
        corrupt = counted(totals.corrupt, "corrupt record")
        yield f"rescued {counted(totals.rescued, 'row')}, {corrupt}"
    if totals.bad:
        yield f"bad     {counted(totals.bad, 'record')} in badRecordsPath, not in the table"
    if outcome.error is None and version is not None:
        yield f"schema  version {version.number}{_place(request)}"
    yield from _loss_lines(totals.ledger)
    if totals.ledger_left_out:
        yield f"  … and {totals.ledger_left_out:,} more entries in {request.checkpoint}/ledger"


def _loss_lines(ledger: tuple[dict[str, Any], ...]) -> Iterator[str]:
    """Show the loss ledger (contract 9.1), the files of one column and reason in one line."""
    if not ledger:
        return
    yield "lost    values that production would lose without a word:"
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for entry in ledger:
        key = (entry["kind"], entry["column"] or "-", entry["reason"])
        groups.setdefault(key, []).append(entry)
    rows = [
        (kind, f"{sum(entry['count'] for entry in entries):,}", column, reason, _files(entries))
        for (kind, column, reason), entries in list(groups.items())[:SHOWN_LOSSES]
    ]
    yield from (f"  {line}" for line in align(rows))
    if len(groups) > SHOWN_LOSSES:
        yield f"  … and {len(groups) - SHOWN_LOSSES} more (--json shows all)"


def _files(entries: list[dict[str, Any]]) -> str:
    """Name the file, or the first of several."""
    files = list(dict.fromkeys(entry["file"] for entry in entries))
    return files[0] if len(files) == 1 else f"{files[0]} and {counted(len(files) - 1, 'file')} more"


def stop_lines(stop: Stop, request: RunRequest) -> Iterator[str]:
    """Tell why the stream stopped to evolve: which file, which columns, which version."""
    error = stop.error
    yield f"stopped [{error.condition}]"
    yield from _change_lines(error)
    yield f"  schema   now has version {stop.version}{_place(request)}"


def ending_lines(outcome: Outcome, request: RunRequest) -> Iterator[str]:
    """Tell what went wrong and what to do about it."""
    error = outcome.error
    match exit_code(error):
        case ExitCode.DONE:
            return
        case ExitCode.EVOLVED if request.state_stays:
            yield "Run the same command again and it goes on, or add --restarts 1."
        case ExitCode.EVOLVED:
            yield "Add --restarts 1 to go on, or --state DIR to keep the new schema."
        case ExitCode.REFUSED:
            assert isinstance(error, UnknownFieldException)
            yield f"refused [{error.condition}]"
            yield from _change_lines(error)
            yield error.remedy
        case _:
            assert error is not None
            yield f"error: {describe(error)}"


def interrupted_lines(request: RunRequest) -> Iterator[str]:
    """Tell that Ctrl-C came before everything had landed."""
    yield "stopped by Ctrl-C before everything had landed"
    if request.state_stays:
        yield "Run the same command again and it goes on."


def _place(request: RunRequest) -> str:
    return f" in {request.schema_location}" if request.state_stays else ""


def _change_lines(error: UnknownFieldException) -> Iterator[str]:
    yield f"  file     {error.file}"
    if error.new_fields:
        yield f"  new      {', '.join(error.new_fields)}"
    if error.widened:
        yield f"  widened  {', '.join(error.widened)}"

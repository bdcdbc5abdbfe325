"""`ingest replay --json` and `ingest compare --json`: one document, see `replay.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ingest.cli.exit_codes import error_to_json
from ingest.replay.compare import differing_rows
from schema_store.ddl import to_ddl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.cli.exit_codes import ExitCode
    from ingest.cli.replay_request import ReplayRequest
    from ingest.ledger import LedgerEntry
    from ingest.replay.compare import ModeResult
    from ingest.replay.outcome import Outcome
    from ingest.replay.replay import StepOutcome
    from ingest.replay.scenario import Scenario
    from schema_store.types import Schema

FORMAT_VERSION = 1

PlayedScenario = tuple["Scenario", tuple["ModeResult", ...]]


def replay_to_json(
    request: ReplayRequest, played: Sequence[PlayedScenario], code: ExitCode
) -> dict[str, object]:
    """Give the document of a replay or of a comparison."""
    return {
        "version": FORMAT_VERSION,
        "kind": "compare" if request.compares else "replay",
        "source": str(request.source),
        "exitCode": int(code),
        "scenarios": [
            {
                "name": scenario.name,
                "options": {key: str(value) for key, value in scenario.options.items()},
                "leftOut": list(scenario.left_out),
                "modes": [_mode_to_json(result) for result in results],
                "sameRows": _same_rows(results) if request.compares else None,
            }
            for scenario, results in played
        ],
    }


def _same_rows(results: Sequence[ModeResult]) -> int | None:
    found = differing_rows(results)
    return None if found is None else found.same


def _mode_to_json(result: ModeResult) -> dict[str, object]:
    totals = result.totals
    return {
        "mode": None if result.mode is None else result.mode.value,
        "schema": _ddl(result.schema),
        "rows": result.count,
        "rescuedRows": totals.rescued,
        "corruptRecords": totals.corrupt,
        "badRecords": totals.bad,
        "stops": len(result.stops),
        "restarts": result.restarts,
        "lostValues": sum(entry.count for entry in result.ledger),
        "waiting": list(result.waiting),
        "error": None if result.error is None else error_to_json(result.error),
        "data": None if result.rows is None else list(result.rows),
        "steps": [_step_to_json(step) for step in result.steps],
    }


def _step_to_json(step: StepOutcome) -> dict[str, object]:
    return {
        "step": step.step.number,
        "name": step.step.name,
        "changes": list(step.changes),
        "runs": [_run_to_json(outcome) for outcome in step.outcomes],
        "expectations": step.checked,
        "failures": [
            {
                "key": failure.key,
                "expected": failure.expected,
                "actual": failure.actual,
                "details": list(failure.lines),
            }
            for failure in step.failures
        ],
        "seconds": round(step.seconds, 6),
    }


def _run_to_json(outcome: Outcome) -> dict[str, Any]:
    counts, version = outcome.counts, outcome.version
    return {
        "files": list(outcome.files),
        "waiting": list(outcome.waiting),
        "batches": counts.batches,
        "rows": counts.rows,
        "rescuedRows": counts.rescued,
        "corruptRecords": counts.corrupt,
        "badRecords": counts.bad,
        "streamSchema": _ddl(outcome.stream_schema),
        "versionBefore": version.before,
        "version": version.after,
        "schema": _ddl(version.schema),
        "diff": list(version.diff),
        "causes": [
            {"file": one.file, "column": one.column, "change": one.change, "value": one.value}
            for one in version.causes
        ],
        "error": None if outcome.error is None else error_to_json(outcome.error),
        "ledger": [_entry_to_json(entry) for entry in outcome.ledger],
        "warnings": list(outcome.warnings),
    }


def _entry_to_json(entry: LedgerEntry) -> dict[str, object]:
    return {
        "kind": entry.kind.value,
        "file": entry.file,
        "column": entry.column,
        "reason": entry.reason,
        "count": entry.count,
        "examples": [{"row": one.row, "text": one.text} for one in entry.examples],
    }


def _ddl(schema: Schema | None) -> str | None:
    return None if schema is None else to_ddl(schema)

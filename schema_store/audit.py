"""Why a schema version exists: the audit sidecar (contract 3.3), which the real format lacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

AUDIT_VERSION = 1
"""The version that the first member of a sidecar tells."""


@dataclass(frozen=True, slots=True)
class AuditCause:
    """A file that changed the schema: which column, how, and a value that shows it."""

    file: str
    column: str
    change: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Audit:
    """When, in which batch and by what a schema version came to be, and what changed.

    `at` is an ISO time, `batch_id` None for a version made at the start of a stream.
    """

    at: str
    batch_id: int | None
    causes: tuple[AuditCause, ...]
    diff: tuple[str, ...]


def audit_to_json(audit: Audit) -> bytes:
    """Write an audit as one JSON object, `{"version":1,"at":…}`."""
    return orjson.dumps(
        {
            "version": AUDIT_VERSION,
            "at": audit.at,
            "batchId": audit.batch_id,
            "causes": [
                {"file": c.file, "column": c.column, "change": c.change, "value": c.value}
                for c in audit.causes
            ],
            "diff": list(audit.diff),
        }
    )


def audit_version(value: object) -> int | None:
    """Tell the version of a sidecar's JSON value; None when it has none."""
    match value:
        case {"version": int(version)}:
            return version
        case _:
            return None


def audit_from_value(value: object) -> Audit | None:
    """Read an audit from its JSON value; None when it is not one."""
    match value:
        case {
            "at": str(at),
            "batchId": (int() | None) as batch_id,
            "causes": [*causes],
            "diff": [*diff],
        }:
            read = [_cause_from_value(cause) for cause in causes]
            found = tuple(cause for cause in read if cause is not None)
            lines = tuple(line for line in diff if isinstance(line, str))
            if len(found) == len(causes) and len(lines) == len(diff):
                return Audit(at, batch_id, found, lines)
    return None


def _cause_from_value(value: Any) -> AuditCause | None:  # noqa: ANN401 - parsed JSON
    match value:
        case {
            "file": str(file),
            "column": str(column),
            "change": str(change),
            "value": (str() | None) as example,
        }:
            return AuditCause(file, column, change, example)
        case _:
            return None

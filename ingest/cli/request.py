"""What `ingest run` was asked to do, from its arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingest.errors import OptionConflictError
from ingest.options.pacing import WATCH

if TYPE_CHECKING:
    from collections.abc import Mapping

MEMORY = "memory"
DELTA = "delta"
DEFAULT_INTERVAL = "1 second"
_SCHEMA_LOCATION = "cloudFiles.schemaLocation"


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One run: where from, where to, and how.

    `state_stays` says that it outlives the command. `watch_interval` is how long to wait at most
    before looking again; None: the run ends when everything has landed.
    """

    landing: str
    table: str
    sink: str
    schema_location: str
    checkpoint: str
    state_stays: bool
    reader: Mapping[str, str]
    writer: Mapping[str, str]
    schema: str | None
    conf: Mapping[str, str]
    restarts: int
    watch_interval: str | None


def run_request(given: Mapping[str, Any], temporary: str | None) -> RunRequest:
    """Fill in what was left out; `temporary` is the place of a state that nobody keeps.

    Raises `OptionConflictError` for a place that a flag decides.
    """
    table = given["table"] or "rows"
    watch_interval = given.get("interval") or DEFAULT_INTERVAL if given.get("watch") else None
    state = (given["state"] or temporary or f"{table.rstrip('/')}.state").rstrip("/")
    flags = {
        "cloudFiles.format": given["format_name"],
        _SCHEMA_LOCATION: given["schema_location"] or f"{state}/schema",
        "cloudFiles.schemaEvolutionMode": given["mode"],
        "cloudFiles.schemaHints": given["hints"],
        "cloudFiles.inferColumnTypes": "true" if given["infer_types"] else None,
    }
    options = {key.lower(): value for key, value in given["options"].items()}
    reader = {
        **{k: v for k, v in flags.items() if v is not None and k.lower() not in options},
        **given["options"],
    }
    return RunRequest(
        landing=given["landing"],
        table=table,
        sink=given["sink"],
        schema_location=options.get(_SCHEMA_LOCATION.lower()) or flags[_SCHEMA_LOCATION],
        checkpoint=given["checkpoint"] or f"{state}/checkpoint",
        state_stays=temporary is None,
        reader=reader,
        writer=_writer_options(given["sink"], given["writer_options"]),
        schema=given["schema"],
        conf=given["conf"] if watch_interval is None else {WATCH: "true", **given["conf"]},
        restarts=given["restarts"],
        watch_interval=watch_interval,
    )


def _writer_options(sink: str, given: Mapping[str, str]) -> dict[str, str]:
    """Let a Delta table evolve, as the documented snippet does (contract 1.1)."""
    names = {key.lower() for key in given}
    for name, flag in (("checkpointLocation", "--checkpoint"), ("path", "--to")):
        if name.lower() in names:
            raise OptionConflictError(
                (f"--writer-option {name}", flag),
                found="two ways to say one thing",
                expected=flag,
                remedy=f"Write {flag} instead.",
            )
    merges = {"mergeSchema": "true"} if sink == DELTA and "mergeschema" not in names else {}
    return {**merges, **given}

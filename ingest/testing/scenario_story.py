"""What the stream of a scenario has done up to a step, for the message of a failed test."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ingest.replay.plain import RESCUED
from ingest.testing.comparing import schema_lines
from ingest.testing.explaining import Reading, explain_stream
from ingest.testing.first_types import first_types
from ingest.testing.values import schema_of
from schema_store.evolution import EvolutionMode
from schema_store.types import StructType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ingest.dataframe import DataFrame
    from ingest.replay.checking import Failure
    from ingest.replay.outcome import Outcome
    from ingest.replay.replay import StepOutcome


def scenario_story(step: StepOutcome, outcomes: tuple[Outcome, ...]) -> tuple[str, ...]:
    """Tell what landed, why the stream stopped, and which file changed which column how."""
    if not outcomes:
        return ()
    settings = step.trial.settings
    options = {key.lower(): value for key, value in settings.reader.items()}
    given = str(options.get("cloudfiles.schemaevolutionmode")).lower()
    mode = step.mode or next((one for one in EvolutionMode if one.value.lower() == given), None)
    last = outcomes[-1]
    schema = last.version.schema or last.stream_schema or StructType(())
    reading = Reading(mode, is_text=options.get("cloudfiles.format") == "csv")
    return explain_stream(
        outcomes, rescued_objects(step.trial.table(), rescued_name(step)), schema, reading
    )


def failure_lines(step: StepOutcome, outcomes: tuple[Outcome, ...]) -> tuple[str, ...]:
    """Tell what is not as expected; of a schema by column, with the value that decided its type."""
    return tuple(line for failure in step.failures for line in _lines(failure, step, outcomes))


def _lines(failure: Failure, step: StepOutcome, outcomes: tuple[Outcome, ...]) -> Iterator[str]:
    expected, found = schema_of(failure.expected), schema_of(failure.actual)
    if failure.key in {"schema", "table"} and expected is not None and found is not None:
        yield f"  {failure.key}:"
        told = schema_lines(expected, found, _origins(step, outcomes))
    else:
        yield f"  {failure.key}: {failure.expected} expected, {failure.actual} found"
        told = failure.lines
    yield from (f"    {line}" for line in told)


def _origins(step: StepOutcome, outcomes: tuple[Outcome, ...]) -> Mapping[str, str]:
    """Tell which value decided each type of version 0, where it still is the newest one."""
    first = next((one for one in outcomes if one.version.is_new), None)
    if first is None or outcomes[-1].version.after != 0:
        return {}
    trial = step.trial
    files = [trial.landing / name for name in (*first.files, *first.waiting)]
    return first_types(files, trial.settings, at=trial.now())


def rescued_name(step: StepOutcome) -> str:
    """Give the name of the rescued column."""
    options = {key.lower(): value for key, value in step.trial.settings.reader.items()}
    return str(
        options.get("rescueddatacolumn") or options.get("cloudfiles.rescueddatacolumn") or RESCUED
    )


def rescued_objects(table: DataFrame | None, column: str) -> list[dict[str, Any]]:
    """Give the rescued data of a table, parsed."""
    if table is None or column not in table.columns:
        return []
    texts = table.to_arrow()[column].to_pylist()
    return [json.loads(text) for text in texts if text is not None]

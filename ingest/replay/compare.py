"""The five modes side by side: what each one made of the same scenario."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingest.replay.outcome import Counts
from ingest.replay.plain import plain_row
from schema_store.ddl import type_to_sql

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.dataframe import DataFrame
    from ingest.ledger import LedgerEntry
    from ingest.replay.checking import Failure
    from ingest.replay.outcome import Outcome
    from ingest.replay.replay import StepOutcome
    from schema_store.evolution import EvolutionMode
    from schema_store.types import Schema

COMPARED_ROWS = 10_000
"""Rows of a table up to which the rows themselves are compared, not their number only."""


@dataclass(frozen=True, slots=True)
class StopOf:
    """A stop or failure in a step; `restarted` says that the stream was started again after it."""

    step: StepOutcome
    outcome: Outcome
    restarted: bool


@dataclass(frozen=True, slots=True)
class ModeResult:
    """What one mode made of a scenario.

    * `schema`: the columns of the stream as it was loaded last, None when it never was.
    * `rows`: those of the table as plain values, None when there are too many to compare.
    * `count`: how many rows the table has.
    * `rescued`: the name of the rescued column.
    """

    mode: EvolutionMode | None
    steps: tuple[StepOutcome, ...]
    schema: Schema | None
    rows: tuple[dict[str, Any], ...] | None
    count: int
    rescued: str

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """All starts."""
        return tuple(one for step in self.steps for one in step.outcomes)

    @property
    def totals(self) -> Counts:
        """What all batches add up to."""
        return total(self.outcomes)

    @property
    def stops(self) -> tuple[StopOf, ...]:
        """Every stop and failure, in order."""
        return tuple(
            StopOf(step, outcome, restarted=at + 1 < len(step.outcomes))
            for step in self.steps
            for at, outcome in enumerate(step.outcomes)
            if outcome.error is not None
        )

    @property
    def restarts(self) -> int:
        """Starts after a stop, in the same step."""
        return sum(stop.restarted for stop in self.stops)

    @property
    def error(self) -> Exception | None:
        """What the last start was ended by; None when all that was there landed."""
        outcomes = self.outcomes
        return outcomes[-1].error if outcomes else None

    @property
    def waiting(self) -> tuple[str, ...]:
        """Files of a batch that did not land."""
        outcomes = self.outcomes
        return outcomes[-1].waiting if outcomes else ()

    @property
    def ledger(self) -> tuple[LedgerEntry, ...]:
        """What would be lost without a word."""
        return tuple(entry for outcome in self.outcomes for entry in outcome.ledger)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the library warned of, each text once."""
        return tuple(dict.fromkeys(text for one in self.outcomes for text in one.warnings))

    @property
    def failures(self) -> tuple[tuple[StepOutcome, Failure], ...]:
        """Expectations that did not come true."""
        return tuple((step, failure) for step in self.steps for failure in step.failures)

    @property
    def types(self) -> dict[str, str]:
        """The columns with their types as SQL."""
        return (
            {} if self.schema is None else {f.name: type_to_sql(f.data_type) for f in self.schema}
        )


def mode_result(
    mode: EvolutionMode | None, steps: Sequence[StepOutcome], *, rescued: str
) -> ModeResult:
    """Sum up the steps of one mode; reads its table."""
    outcomes = [one for step in steps for one in step.outcomes]
    schemas = [one.stream_schema for one in outcomes if one.stream_schema is not None]
    table = steps[-1].trial.table() if steps else None
    return ModeResult(
        mode=mode,
        steps=tuple(steps),
        schema=schemas[-1] if schemas else None,
        rows=_rows(table, rescued),
        count=0 if table is None else table.count(),
        rescued=rescued,
    )


def total(outcomes: Sequence[Outcome]) -> Counts:
    """Add up what the batches of several starts have done."""
    counts = [one.counts for one in outcomes]
    return Counts(
        batches=sum(one.batches for one in counts),
        rows=sum(one.rows for one in counts),
        rescued=sum(one.rescued for one in counts),
        corrupt=sum(one.corrupt for one in counts),
        bad=sum(one.bad for one in counts),
    )


def all_columns(results: Sequence[ModeResult]) -> tuple[str, ...]:
    """Give the columns of all modes, each once, in the order of the modes that have most."""
    order = sorted(results, key=lambda result: -len(result.types))
    return tuple(dict.fromkeys(name for result in order for name in result.types))


@dataclass(frozen=True, slots=True)
class RowDifferences:
    """Rows that are not in the tables of all modes, by mode; `same` counts those that are."""

    same: int
    others: tuple[tuple[dict[str, Any], ...], ...]


def differing_rows(results: Sequence[ModeResult]) -> RowDifferences | None:
    """Compare the tables row by row: a column that a mode lacks is as one with NULL there.

    None when a table has too many rows.
    """
    tables = [result.rows for result in results]
    if any(rows is None for rows in tables):
        return None
    keyed = [[(_key(row), row) for row in rows or ()] for rows in tables]
    counts = [Counter(key for key, _ in rows) for rows in keyed]
    shared = counts[0].copy()
    for one in counts[1:]:
        shared &= one
    others = tuple(tuple(_beyond(rows, shared.copy())) for rows in keyed)
    return RowDifferences(shared.total(), others)


def _beyond(rows: list[tuple[str, dict[str, Any]]], shared: Counter[str]) -> list[dict[str, Any]]:
    found = []
    for key, row in rows:
        if shared[key] > 0:
            shared[key] -= 1
        else:
            found.append(row)
    return found


def _key(row: dict[str, Any]) -> str:
    return json.dumps(_without_nulls(row), sort_keys=True)


def _without_nulls(value: Any) -> Any:  # noqa: ANN401 - a plain value
    """Leave out NULL fields: a struct is the same without a new field and with NULL in it."""
    match value:
        case dict():
            return {key: _without_nulls(one) for key, one in value.items() if one is not None}
        case list():
            return [_without_nulls(one) for one in value]
        case _:
            return value


def _rows(table: DataFrame | None, rescued: str) -> tuple[dict[str, Any], ...] | None:
    if table is None:
        return ()
    if table.count() > COMPARED_ROWS:
        return None
    return tuple(plain_row(row, rescued) for row in table.collect())

"""Whether the result of a step agrees with what was expected of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.replay.plain import plain_row
from ingest.replay.row_check import SpecialColumns, differing_rows
from ingest.replay.scenario import (
    Check,
    ExpectError,
    ExpectFields,
    ExpectLedger,
    ExpectMessage,
    ExpectNames,
    ExpectNumber,
    ExpectRows,
    ExpectSchema,
    ExpectStop,
)
from ingest.replay.stop_text import stop_lines
from ingest.replay.trial import file_name
from schema_store.ddl import to_ddl
from schema_store.schema_diff import diff_schemas
from schema_store.types import TimestampNTZType, TimestampType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.dataframe import DataFrame
    from ingest.replay.outcome import Outcome
    from schema_store.types import Schema

_TIMES = (TimestampType, TimestampNTZType)


@dataclass(frozen=True, slots=True)
class Result:
    """What checks look at: the starts of a step, the table after them, its rescued column."""

    outcomes: tuple[Outcome, ...]
    table: DataFrame | None
    rescued: str | None

    @property
    def last(self) -> Outcome:
        """The last start."""
        return self.outcomes[-1]

    @property
    def first_error(self) -> Outcome | None:
        """The first start that was stopped or failed."""
        return next((one for one in self.outcomes if one.error is not None), None)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns in the stream's order, then those that only the table has."""
        schema = self.last.stream_schema
        streamed = () if schema is None else schema.names
        stored = () if self.table is None else tuple(self.table.columns)
        folded = {name.lower() for name in stored}
        known = [name for name in streamed if name.lower() in folded or not stored]
        return (*known, *(name for name in stored if name not in known))


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that did not come true; `lines` show the difference and what to do."""

    key: str
    expected: str
    actual: str
    lines: tuple[str, ...] = ()


def check_result(checks: Sequence[Check], result: Result) -> tuple[Failure, ...]:
    """Give what does not agree."""
    found = (_check(check, result) for check in checks)
    return tuple(failure for failure in found if failure is not None)


def _check(check: Check, result: Result) -> Failure | None:
    match check:
        case ExpectRows(rows):
            return _check_rows(rows, result)
        case ExpectNumber(key, number):
            return _compare(key, str(number), str(_number(key, result)))
        case ExpectSchema(key, schema):
            return _check_schema(key, schema, result)
        case ExpectStop(condition):
            return _check_stop(condition, result)
        case ExpectFields(key, columns):
            return _check_fields(key, columns, result)
        case ExpectError(kind):
            return _check_error(kind, result)
        case ExpectMessage(parts):
            text = _message(result)
            missing = [part for part in parts if part not in text]
            return Failure("message", "; ".join(missing), text or "no stop") if missing else None
        case ExpectNames(key, names):
            return _compare(key, ", ".join(sorted(names)), ", ".join(sorted(_files(key, result))))
        case ExpectLedger(entries):
            return _check_ledger(entries, result)


def _compare(key: str, expected: str, actual: str) -> Failure | None:
    return None if expected == actual else Failure(key, expected or "none", actual or "none")


def _check_rows(rows: tuple[object, ...], result: Result) -> Failure | None:
    table = result.table
    actual = [] if table is None else [plain_row(row, result.rescued) for row in table.collect()]
    fields = () if table is None else table.schema.fields
    times = frozenset(field.name for field in fields if isinstance(field.data_type, _TIMES))
    special = SpecialColumns(result.rescued, times)
    lines = differing_rows(rows, actual, result.columns, special=special)
    return Failure("rows", f"{len(rows)} rows", f"{len(actual)} rows", lines) if lines else None


def _number(key: str, result: Result) -> int | None:
    counts = [outcome.counts for outcome in result.outcomes]
    match key:
        case "count":
            return 0 if result.table is None else result.table.count()
        case "landed":
            return sum(one.rows for one in counts)
        case "rescued":
            return sum(one.rescued for one in counts)
        case "corrupt":
            return sum(one.corrupt for one in counts)
        case "bad":
            return sum(one.bad for one in counts)
        case "batches":
            return sum(one.batches for one in counts)
        case "stops":
            return sum(one.stop is not None for one in result.outcomes)
        case _:
            return result.last.version.after


def _check_schema(key: str, schema: Schema, result: Result) -> Failure | None:
    table = None if result.table is None else result.table.schema
    actual = result.last.stream_schema if key == "schema" else table
    if actual is None:
        return Failure(key, to_ddl(schema), "none", _because(result))
    if to_ddl(actual) == to_ddl(schema):
        return None
    return Failure(key, to_ddl(schema), to_ddl(actual), diff_schemas(schema, actual))


def _check_stop(condition: str | None, result: Result) -> Failure | None:
    failed = result.first_error
    if condition is None:
        return (
            None if failed is None else Failure("stop", "none", _ending(failed), _because(result))
        )
    stopped = next((one for one in result.outcomes if one.stop is not None), None)
    if stopped is None:
        return Failure("stop", condition, _ending(result.last), _because(result))
    return None if condition in (stopped.condition or "") else _stop_differs(condition, stopped)


def _stop_differs(condition: str, stopped: Outcome) -> Failure:
    return Failure("stop", condition, _ending(stopped), stop_lines(stopped))


def _check_fields(key: str, columns: tuple[str, ...], result: Result) -> Failure | None:
    stop = next((one.stop for one in result.outcomes if one.stop is not None), None)
    found = () if stop is None else stop.new_fields if key == "new" else stop.widened
    return _compare(key, ", ".join(columns), ", ".join(found))


def _check_error(kind: str, result: Result) -> Failure | None:
    error = result.last.error
    names = [one.__name__ for one in type(error).__mro__] if error is not None else []
    if kind in names or (result.last.condition is not None and kind in result.last.condition):
        return None
    return Failure("error", kind, _ending(result.last), _because(result))


def _check_ledger(entries: tuple[tuple[object, ...], ...], result: Result) -> Failure | None:
    found = sorted(
        repr([entry.kind.value, file_name(entry.file), entry.column, entry.count])
        for outcome in result.outcomes
        for entry in outcome.ledger
    )
    expected = sorted(repr(list(entry)) for entry in entries)
    return _compare("ledger", "; ".join(expected), "; ".join(found))


def _files(key: str, result: Result) -> tuple[str, ...]:
    if key == "files":
        return tuple(name for outcome in result.outcomes for name in outcome.files)
    stop = next((one.stop for one in result.outcomes if one.stop is not None), None)
    return () if stop is None else (file_name(stop.file),)


def _message(result: Result) -> str:
    failed = result.first_error
    return "" if failed is None else str(failed.error)


def _ending(outcome: Outcome) -> str:
    if outcome.error is None:
        return "no stop"
    return outcome.condition or type(outcome.error).__name__


def _because(result: Result) -> tuple[str, ...]:
    failed = result.first_error
    return () if failed is None else stop_lines(failed)

"""Why a table is as it is: which file, which column, from which type to which, and what to do.

Pure: from what the runs of a stream have done, and the rescued data, to lines for people.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingest.formats.json_inference import InferenceRules, infer_value
from ingest.formats.json_tokens import parse_json
from ingest.replay.trial import file_name
from ingest.rescue import FILE_PATH
from ingest.stream_options import JsonSyntax
from ingest.text.text_types import TextType, infer_text_type
from schema_store.ddl import parse_dotted_columns
from schema_store.evolution import EvolutionMode
from schema_store.merge import merge_types
from schema_store.type_names import path_text, quote_name, type_to_sql
from schema_store.types import NullType, StringType
from schema_store.widening import widen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ingest.errors import UnknownFieldException
    from ingest.ledger import LedgerEntry
    from ingest.replay.outcome import Outcome
    from schema_store.store import AuditCause
    from schema_store.types import DataType, Schema

SHOWN = 6
"""Changes that are told of one kind."""

WIDTH = 60
"""Characters that are shown of a value."""

_WIDENING = EvolutionMode.ADD_NEW_COLUMNS_WITH_TYPE_WIDENING
_ADDING = (EvolutionMode.ADD_NEW_COLUMNS, _WIDENING)
_NOT_THERE = "not there"
_NO_TYPE = "it has no name or no type of its own, and never becomes a column"
_CELL = re.compile(r"_c[0-9]+")
"""What a cell without a header is called (contract 2.3)."""


@dataclass(frozen=True, slots=True)
class Change:
    """A column whose values in a file are not of the schema: the type it has, the one they have.

    `value` is an example; `remedy` what to do about it.
    """

    file: str
    column: str
    old: str
    new: str
    value: str | None
    remedy: str

    def __str__(self) -> str:
        value = "" if self.value is None else f", e.g. {self.value}"
        return f"{self.file}: column {self.column}: {self.old} -> {self.new}{value}"


@dataclass(frozen=True, slots=True)
class Reading:
    """How the stream reads: its mode, and whether its files are text without types (CSV)."""

    mode: EvolutionMode | None
    is_text: bool


def explain_stream(
    outcomes: Sequence[Outcome],
    rescued: Sequence[Mapping[str, Any]],
    schema: Schema,
    reading: Reading,
) -> tuple[str, ...]:
    """Tell what each run of a stream came to, and what was rescued in all of them."""
    mode = () if reading.mode is None else (f"mode {reading.mode.value}",)
    last = len(outcomes)
    runs = (
        line
        for number, one in enumerate(outcomes, 1)
        for line in _explain_run(number, one, is_last=number == last)
    )
    return (*mode, *runs, *_explain_rescued(rescued, schema, reading))


def _explain_run(number: int, outcome: Outcome, *, is_last: bool) -> Iterator[str]:
    """Tell what one run came to: what landed, why it stopped, what was lost.

    What to do about a stop is told of the last one.
    """
    change = outcome.version
    version = "" if change.after is None else f", schema version {change.after}"
    landed = _some(outcome.files)
    rows = outcome.counts.rows
    yield f"run {number}: {landed} landed ({rows} {'row' if rows == 1 else 'rows'}{version})"
    if outcome.stop is not None:
        yield f"run {number} stopped: {outcome.condition}"
        changes = _stop_changes(outcome.stop, change.causes, change.after)
        is_stuck = outcome.is_retryable and not change.is_new
        yield from _change_lines(changes, has_remedies=is_last and not is_stuck)
        if is_stuck:
            yield "  but no new schema version was written: each restart will stop again"
    elif outcome.error is not None:
        yield f"run {number} failed: {type(outcome.error).__name__}: {outcome.error}"
    for entry in outcome.ledger[:SHOWN]:
        yield f"  lost: {loss_text(entry)}"


def _explain_rescued(
    rescued: Sequence[Mapping[str, Any]], schema: Schema, reading: Reading
) -> Iterator[str]:
    """Tell what was rescued: which column of which file, why, and what would take it in."""
    changes = rescued_changes(rescued, schema, reading)
    if changes:
        yield "rescued, and NULL or not there in the table:"
        yield from _change_lines(changes)


def rescued_changes(
    rescued: Iterable[Mapping[str, Any]], schema: Schema, reading: Reading
) -> tuple[Change, ...]:
    """Give one change for each column and file that has rescued data."""
    values: dict[tuple[str, str], list[Any]] = {}
    for one in rescued:
        for column, value in one.items():
            if column != FILE_PATH:
                file = file_name(str(one.get(FILE_PATH, "a file")))
                values.setdefault((file, column), []).append(value)
    return tuple(
        _rescued_change(file, column, found, schema, reading)
        for (file, column), found in values.items()
    )


def loss_text(entry: LedgerEntry) -> str:
    """Tell a loss in a line: how many values of which column of which file, and why."""
    examples = ", ".join(one.text for one in entry.examples[:3])
    column = "records" if entry.column is None else f"column {entry.column}"
    found = f", e.g. {examples}" if examples else ""
    name = file_name(entry.file)
    return f"{name}: {column}: {entry.count} {entry.kind.value}{found} ({entry.reason})"


def _rescued_change(
    file: str, column: str, values: list[Any], schema: Schema, reading: Reading
) -> Change:
    known = schema.find(column)
    old = NullType() if known is None else known.data_type
    observed = _observed(old, values, reading)
    new = type_to_sql(observed)
    if known is None:
        nothing = not column or values[0] in ({}, [], None)
        remedy = _NO_TYPE if nothing else _unknown_remedy(column, new, schema, reading)
        return Change(file, column, _NOT_THERE, new, _text(values[0]), remedy)
    wider = widen(old, observed)
    hint = f'.option("cloudFiles.schemaHints", "{quote_name(column)} {new}") in a new stream'
    if wider is not None and reading.mode is not _WIDENING:
        hint = f"mode {_WIDENING.value} takes it in; so does {hint}"
    remedy = f"{hint}; or correct the file"
    return Change(file, column, type_to_sql(old), new, _text(values[0]), remedy)


def _unknown_remedy(column: str, new: str, schema: Schema, reading: Reading) -> str:
    twin = schema.find_ignoring_case(column)
    if twin is not None:
        return (
            f"the schema has {twin.name}: write the name as it does, or set"
            ' .option("readerCaseSensitive", False)'
        )
    if _CELL.fullmatch(column):
        return "the row has more cells than the header: correct the file"
    if reading.mode is EvolutionMode.RESCUE:
        return "mode addNewColumns makes it a column; mode rescue never does"
    if reading.mode in _ADDING:
        return f"mode {reading.mode.value} adds new columns: it should not have been rescued"
    return f'.option("cloudFiles.schemaHints", "{quote_name(column)} {new}") makes it a column'


def _observed(old: DataType, values: list[Any], reading: Reading) -> DataType:
    """Give the type that inference finds for the column's values together with the rescued ones."""
    found = old
    for value in values:
        if reading.is_text:
            text = value if isinstance(value, str) else json.dumps(value)
            is_exact = reading.mode is _WIDENING
            found = infer_text_type(text, TextType(found), prefers_decimal=is_exact).data_type
        else:
            found = merge_types(found, _json_type(value))
    return StringType() if found == NullType() else found


def _json_type(value: object) -> DataType:
    parsed = parse_json(json.dumps(value), JsonSyntax())
    assert parsed is not None, "it is JSON"
    return infer_value(parsed.value, InferenceRules()) or NullType()


def _stop_changes(
    stop: UnknownFieldException, causes: tuple[AuditCause, ...], version: int | None
) -> tuple[Change, ...]:
    if not stop.retryable or not causes:
        file = file_name(stop.file)
        return tuple(_refused(file, text) for text in stop.new_fields + stop.widened)
    remedy = (
        f"run it again (autoloader.restart()), it goes on with schema version {version};"
        " production does that by a retry"
    )
    return tuple(_evolved(cause, remedy) for cause in causes)


def _evolved(cause: AuditCause, remedy: str) -> Change:
    old, arrow, new = cause.change.partition(" -> ")
    if not arrow:
        old, new = _NOT_THERE, cause.change.removeprefix("new ")
    value = None if cause.value is None else repr(cause.value)
    return Change(file_name(cause.file), cause.column, old, new, value, remedy)


def _refused(file: str, ddl: str) -> Change:
    ((path, field),) = parse_dotted_columns(ddl)
    remedy = (
        "take the column out of the file, or let it in with"
        f' .option("cloudFiles.schemaHints", "{ddl}"), or choose mode addNewColumns'
    )
    return Change(file, path_text(path), _NOT_THERE, type_to_sql(field.data_type), None, remedy)


def _change_lines(changes: Sequence[Change], *, has_remedies: bool = True) -> Iterator[str]:
    """Tell changes, and each remedy once."""
    for change in changes[:SHOWN]:
        yield f"  {change}"
    if len(changes) > SHOWN:
        yield f"  … and {len(changes) - SHOWN} more"
    remedies = dict.fromkeys(change.remedy for change in changes[:SHOWN] if has_remedies)
    for remedy in remedies:
        yield f"  what to do: {remedy}"


def _some(files: tuple[str, ...]) -> str:
    more = len(files) - SHOWN
    names = ", ".join(files[:SHOWN]) or "no file"
    return f"{names} and {more} more" if more > 0 else names


def _text(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return repr(text if len(text) <= WIDTH else text[: WIDTH - 1] + "…")

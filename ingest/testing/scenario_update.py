"""Write what a scenario's step came to into its `expect`, and leave the rest of the file as it is.

YAML tells where each value stands in the text; only the texts of values that differ are replaced,
so comments and layout stay.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from filelock import FileLock
from yaml.nodes import MappingNode, Node, SequenceNode

from ingest.replay.checking import Result
from ingest.replay.plain import plain_row
from ingest.replay.trial import file_name
from ingest.testing.scenario_story import rescued_name
from schema_store.ddl import to_ddl
from schema_store.evolution import EvolutionMode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.replay.outcome import Outcome
    from ingest.replay.replay import StepOutcome

_MODES = frozenset(mode.value for mode in EvolutionMode)


@dataclass(frozen=True, slots=True)
class _Edit:
    """A piece of text that takes another's place."""

    start: int
    end: int
    text: str


def update_step(
    file: Path, scenario: int, step: StepOutcome, outcomes: tuple[Outcome, ...]
) -> None:
    """Write the values of the expectations that failed; other processes may update the file too.

    `outcomes` are those that the step was checked against. What cannot be told from them, such as
    the parts of a message, stays.
    """
    result = Result(outcomes, step.trial.table(), rescued_name(step))
    keys = [failure.key for failure in step.failures]
    with FileLock(_lock_place(file)):
        text = file.read_text(encoding="utf-8")
        expect = _expect_node(text, scenario, step)
        edits = [_edit(text, expect, key, result) for key in keys]
        for edit in sorted((one for one in edits if one), key=lambda one: -one.start):
            text = text[: edit.start] + edit.text + text[edit.end :]
        file.write_text(text, encoding="utf-8")


def _lock_place(file: Path) -> Path:
    """Give the place of a file's lock: not beside the scenario, which is in the user's project."""
    name = hashlib.sha256(os.fsencode(file.resolve())).hexdigest()[:16]
    return Path(tempfile.gettempdir(), f"ingest-scenario-{name}.lock")


def _expect_node(text: str, scenario: int, step: StepOutcome) -> MappingNode:
    """Find the mapping that a step's checks were read from."""
    documents = [one for one in yaml.compose_all(text, Loader=yaml.SafeLoader) if one is not None]
    steps = _member(documents[scenario], "steps")
    assert isinstance(steps, SequenceNode), "it was read as a list of steps"
    expect = _member(steps.value[step.step.number - 1], "expect")
    assert isinstance(expect, MappingNode), "it was read as a mapping"
    names = {key.value for key, _ in expect.value}
    if step.mode is not None and names and names <= _MODES:
        of_mode = _member(expect, step.mode.value)
        assert isinstance(of_mode, MappingNode), "it was read as a mapping"
        return of_mode
    return expect


def _member(node: Node | None, name: str) -> Node | None:
    assert isinstance(node, MappingNode), "it was read as a mapping"
    return next((value for key, value in node.value if key.value == name), None)


def _edit(text: str, expect: MappingNode, key: str, result: Result) -> _Edit | None:
    node = _member(expect, "rows" if key == "count" and not _member(expect, key) else key)
    value = _value(key, node, result)
    if value is _UNKNOWN:
        return None
    if node is None:
        return _insertion(text, expect, key, value)
    start, end = node.start_mark.index, node.end_mark.index
    old = text[start:end]
    return _Edit(start, start + len(old.rstrip()), _flow(value, node.start_mark.column))


def _insertion(text: str, expect: MappingNode, key: str, value: object) -> _Edit:
    """Add a key at the beginning: that of a stop which nobody expected."""
    start = expect.start_mark.index
    member = f"{key}: {_flow(value, 0)}"
    if text[start] == "{":
        return _Edit(start + 1, start + 1, member + (", " if expect.value else ""))
    return _Edit(start, start, f"{member}\n{' ' * expect.start_mark.column}")


_UNKNOWN = object()


def _value(key: str, node: Node | None, result: Result) -> Any:  # noqa: ANN401 - plain values
    """Give what a key stands for, as YAML has it; `_UNKNOWN` for what only a person can say."""
    counts = [outcome.counts for outcome in result.outcomes]
    stopped = next((one for one in result.outcomes if one.stop is not None), None)
    match key:
        case "rows":
            return _rows(node, result)
        case "count":
            return 0 if result.table is None else result.table.count()
        case "landed" | "rescued" | "corrupt" | "bad" | "batches":
            name = "rows" if key == "landed" else key
            return sum(int(getattr(one, name)) for one in counts)
        case "version":
            return result.last.version.after
        case "stops":
            return sum(one.stop is not None for one in result.outcomes)
        case "schema" if result.last.stream_schema is not None:
            return to_ddl(result.last.stream_schema)
        case "table" if result.table is not None:
            return to_ddl(result.table.schema)
        case "stop":
            return None if stopped is None else (stopped.condition or "").rpartition(".")[2]
        case _:
            return _ending(key, stopped, result)


def _ending(key: str, stopped: Outcome | None, result: Result) -> Any:  # noqa: ANN401 - as _value
    stop = None if stopped is None else stopped.stop
    error = result.last.error
    match key:
        case "new":
            return [] if stop is None else list(stop.new_fields)
        case "widened":
            return [] if stop is None else list(stop.widened)
        case "file" if stop is not None:
            return file_name(stop.file)
        case "files":
            return sorted(name for outcome in result.outcomes for name in outcome.files)
        case "error" if error is not None:
            return result.last.condition or type(error).__name__
        case "ledger":
            return [
                [entry.kind.value, file_name(entry.file), entry.column, entry.count]
                for outcome in result.outcomes
                for entry in outcome.ledger
            ]
        case _:
            return _UNKNOWN


def _rows(node: Node | None, result: Result) -> list[Any]:
    """Give the table's rows, in the form and with the columns of those that were expected."""
    table = result.table
    rows = [] if table is None else [plain_row(row, result.rescued) for row in table.collect()]
    given = node.value if isinstance(node, SequenceNode) else []
    if not given or not all(isinstance(one, MappingNode) for one in given):
        return [[row.get(name) for name in result.columns] for row in rows]
    names = dict.fromkeys(key.value for one in given for key, _ in one.value)
    return [{name: row.get(name) for name in names} for row in rows]


def _flow(value: Any, column: int) -> str:  # noqa: ANN401 - plain values
    """Write a value in one line; a list of rows with one row in a line."""
    if isinstance(value, list) and value and all(isinstance(one, (list, dict)) for one in value):
        between = ",\n" + " " * (column + 1)
        return f"[{between.join(_line(one) for one in value)}]"
    return _line(value)


def _line(value: Mapping[str, Any] | Sequence[Any] | object) -> str:
    text: str = yaml.safe_dump(
        value, default_flow_style=True, width=1_000_000, allow_unicode=True, sort_keys=False
    )
    return text.removesuffix("...\n").strip()

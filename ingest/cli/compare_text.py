"""`ingest compare` as text: a table of the modes, then what differs, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingest.cli.cutting import ELLIPSIS, FULL_HINT, cut, fold
from ingest.cli.display import counted
from ingest.cli.loss_text import loss_lines
from ingest.cli.replay_rows import result_row_text
from ingest.errors import UnknownFieldException
from ingest.replay.compare import COMPARED_ROWS, all_columns, differing_rows
from ingest.replay.stop_text import error_text, stop_lines
from schema_store.evolution import EvolutionMode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.replay.compare import ModeResult, StopOf

_HEADS = {
    EvolutionMode.ADD_NEW_COLUMNS: ("addNew", "Columns"),
    EvolutionMode.RESCUE: ("rescue",),
    EvolutionMode.FAIL_ON_NEW_COLUMNS: ("failOnNew", "Columns"),
    EvolutionMode.NONE: ("none",),
    EvolutionMode.ADD_NEW_COLUMNS_WITH_TYPE_WIDENING: ("addNew", "Columns", "WithType", "Widening"),
}
"""The modes' names, broken into lines so that five of them stand side by side."""

SHOWN_ROWS = 3
"""Rows of each mode that are shown; --full shows all."""

_MIN_LABEL, _MIN_CELL = 16, 10
_MARK = " *"
_IN_ALL = "  in all modes"


@dataclass(frozen=True, slots=True)
class View:
    """How wide the output may be; None cuts nothing."""

    width: int | None

    @property
    def shown_rows(self) -> int | None:
        """How many rows of each mode are shown."""
        return None if self.width is None else SHOWN_ROWS


def compare_lines(results: Sequence[ModeResult], view: View) -> Iterator[str]:
    """Give the comparison: a table, then stops, rows, losses and warnings."""
    lines = list(_all_lines(results, view))
    yield from lines
    if view.width is not None and any(ELLIPSIS in line for line in lines):
        yield ""
        yield FULL_HINT


def _all_lines(results: Sequence[ModeResult], view: View) -> Iterator[str]:
    if any(result.outcomes and _versions(result) for result in results) or _rows_of(results):
        yield from _table_lines(results, view)
        yield from _remark_lines(results, view)
        yield from _type_lines(results, view)
    else:
        yield "nothing landed in any mode"
    yield from _section("stops", [_stop_texts(result) for result in results], results, view)
    yield from _row_lines(results, view)
    losses = [list(loss_lines(result.ledger)) for result in results]
    yield from _section("lost in production without a word", losses, results, view)
    warnings = [list(result.warnings) for result in results]
    yield from _section("warnings", warnings, results, view)


def _rows_of(results: Sequence[ModeResult]) -> int:
    return sum(result.count for result in results)


def _table_lines(results: Sequence[ModeResult], view: View) -> Iterator[str]:
    rows = [*_column_rows(results), *_number_rows(results)]
    heads = [_HEADS[result.mode] if result.mode else ("the options",) for result in results]
    height = max(map(len, heads))
    table = [("", *(head[at] if at < len(head) else "" for head in heads)) for at in range(height)]
    table += [(_marked(label, cells), *cells) for label, cells in rows]
    widths = _fit([max(map(len, column)) for column in zip(*table, strict=True)], view.width)
    for at, row in enumerate(table):
        if at == height:
            yield "-" * (sum(widths) + 2 * len(widths) - 2)
        yield _table_line(row, widths)


def _table_line(row: Sequence[str], widths: Sequence[int]) -> str:
    """Give a line of the table; a text too long for its cell is told once if all cells have it."""
    label, *cells = row
    first = cut(label, widths[0], keep=_MARK).ljust(widths[0])
    if len(set(cells)) == 1 and len(cells[0]) > min(widths[1:]):
        room = sum(widths[1:]) + 2 * len(cells) - 2 - len(_IN_ALL)
        return f"{first}  {cut(cells[0], room)}{_IN_ALL}"
    shown = [cut(cell, width).ljust(width) for cell, width in zip(cells, widths[1:], strict=True)]
    return "  ".join([first, *shown]).rstrip()


def _remark_lines(results: Sequence[ModeResult], view: View) -> Iterator[str]:
    """Tell in words what the table says as a whole, where that is simple."""
    types = {kind for result in results for kind in result.types.values()}
    remarks = []
    if types == {"STRING"} and not any(map(_is_typed, results)):
        remarks.append(
            "Every column is STRING, as cloudFiles.inferColumnTypes is false: nothing can fail to"
            " fit. --infer-types shows what types would do."
        )
    same = len({tuple(sorted(_essence(result).items())) for result in results}) == 1
    if same and not any(result.stops or result.ledger for result in results):
        remarks.append("The modes agree: nothing arrived that they treat differently.")
    for remark in remarks:
        yield ""
        yield from fold(remark, view.width, "")


def _is_typed(result: ModeResult) -> bool:
    """Tell whether types were given or asked for."""
    settings = result.steps[-1].trial.settings
    given = {key.lower(): str(value).lower() for key, value in settings.reader.items()}
    return settings.schema is not None or given.get("cloudfiles.infercolumntypes") == "true"


def _essence(result: ModeResult) -> dict[str, str]:
    """Give the columns without the rescued one, and the rows' number."""
    rescued = result.rescued
    columns = {name: kind for name, kind in result.types.items() if name != rescued}
    return {**columns, "": f"{result.count} {result.totals.rescued}"}


def _type_lines(results: Sequence[ModeResult], view: View) -> Iterator[str]:
    """Tell types that differ and are too long for the table, in full."""
    long: list[list[str]] = [[] for _ in results]
    for name in all_columns(results):
        kinds = [result.types.get(name, "-") for result in results]
        if len(set(kinds)) > 1 and max(map(len, kinds)) > _MIN_CELL:
            for lines, kind in zip(long, kinds, strict=True):
                if len(kind) > _MIN_CELL:
                    lines.append(f"{name}  {kind}")
    yield from _section("types that differ", long, results, view)


def _marked(label: str, cells: Sequence[str]) -> str:
    return f"{label}{_MARK}" if len(set(cells)) > 1 else label


def _fit(widths: list[int], width: int | None) -> list[int]:
    """Take from the widest columns until all fit: types first, then the names."""
    fitted = list(widths)
    least = [_MIN_LABEL, *(_MIN_CELL for _ in widths[1:])]
    while width is not None and sum(fitted) + 2 * (len(fitted) - 1) > width:
        spare = [now - low for now, low in zip(fitted, least, strict=True)]
        widest = max(range(len(fitted)), key=lambda at: (spare[at] > 0, at > 0, spare[at]))
        if spare[widest] <= 0:
            break
        fitted[widest] -= 1
    return fitted


def _column_rows(results: Sequence[ModeResult]) -> Iterator[tuple[str, list[str]]]:
    for name in all_columns(results):
        yield name, [result.types.get(name, "-") for result in results]


def _number_rows(results: Sequence[ModeResult]) -> Iterator[tuple[str, list[str]]]:
    yield "rows", [f"{result.count:,}" for result in results]
    numbers = {
        "rescued rows": [result.totals.rescued for result in results],
        "corrupt": [result.totals.corrupt for result in results],
        "bad records": [result.totals.bad for result in results],
        "stops": [len(result.stops) for result in results],
        "restarts": [result.restarts for result in results],
        "lost, changed": [sum(one.count for one in result.ledger) for result in results],
        "versions": [_versions(result) for result in results],
        "files waiting": [len(result.waiting) for result in results],
    }
    always = {"rescued rows", "stops", "restarts", "lost, changed", "versions"}
    for label, values in numbers.items():
        if label in always or any(values):
            yield label, [f"{value:,}" for value in values]
    yield "at the end", [_ending(result) for result in results]


def _versions(result: ModeResult) -> int:
    numbers = [one.version.after for one in result.outcomes if one.version.after is not None]
    return numbers[-1] + 1 if numbers else 0


def _ending(result: ModeResult) -> str:
    match result.error:
        case None:
            return "all landed"
        case UnknownFieldException(retryable=True):
            return "stopped"
        case UnknownFieldException():
            return "refused"
        case _:
            return "failed"


def _stop_texts(result: ModeResult) -> list[str]:
    """Tell each stop once, with the steps that it was met in."""
    steps: dict[str, list[str]] = {}
    for stop in result.stops:
        steps.setdefault(_stop_text(stop), []).append(str(stop.step.step.number))
    return [f"step {', '.join(numbers)}: {text}" for text, numbers in steps.items()]


def _stop_text(stop: StopOf) -> str:
    """Tell a stop in one text: the condition, the causes, what came of it."""
    outcome = stop.outcome
    if outcome.stop is None:
        assert outcome.error is not None
        return stop.step.trial.short(error_text(outcome.error))
    causes = "; ".join(stop_lines(outcome)[:-1])
    after = (
        f"-> version {outcome.version.after}, {'restarted' if stop.restarted else 'not restarted'}"
        if outcome.is_retryable
        else "-> refused; every restart fails until the file or the schema changes"
    )
    return f"{causes} {after}"


def _section(
    title: str, texts: Sequence[list[str]], results: Sequence[ModeResult], view: View
) -> Iterator[str]:
    """Tell something of each mode; modes of which the same is told are named together."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for result, lines in zip(results, texts, strict=True):
        if lines:
            groups.setdefault(tuple(lines), []).append(_name(result))
    if not groups:
        return
    yield ""
    yield title
    for group, names in groups.items():
        told = "all modes" if len(names) == len(results) > 1 else ", ".join(names)
        yield from (f"  {line}" for line in fold(told, _inner(view), "  "))
        for text in group:
            yield from (f"    {line}" for line in fold(text, _inner(view), "  "))


def _inner(view: View) -> int | None:
    return None if view.width is None else view.width - 4


def _row_lines(results: Sequence[ModeResult], view: View) -> Iterator[str]:
    found = differing_rows(results)
    if found is None:
        yield ""
        yield f"rows not compared: a table has more than {COMPARED_ROWS:,}"
        return
    if not any(found.others):
        return
    texts = [
        _row_texts(rows, result, view) for rows, result in zip(found.others, results, strict=True)
    ]
    same = counted(found.same, "row")
    yield from _section(f"rows that differ ({same} the same in all modes)", texts, results, view)


def _row_texts(rows: Sequence[dict[str, Any]], result: ModeResult, view: View) -> list[str]:
    if not rows:
        waits = f", {counted(len(result.waiting), 'file')} waiting" if result.waiting else ""
        return [f"(none{waits})"]
    width = None if view.width is None else view.width - 4
    shown = [cut(result_row_text(row, result), width) for row in rows[: view.shown_rows]]
    more = len(rows) - len(shown)
    return [*shown, f"{ELLIPSIS} and {counted(more, 'row')} more"] if more else shown


def _name(result: ModeResult) -> str:
    return "the options' mode" if result.mode is None else result.mode.value

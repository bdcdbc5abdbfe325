"""`ingest rescued`: what is in a table's rescued column and why, in lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from ingest.cli.cutting import cut
from ingest.cli.display import counted
from ingest.cli.paragraphs import short_name, wrapped
from ingest.cli.text_table import align
from ingest.errors import ColumnNotFoundError
from ingest.insight.remedies import remedies
from ingest.insight.rescued import Reason, report_rescued
from ingest.insight.rescued_values import rescued_texts
from schema_store.type_names import path_text, type_to_sql

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ingest.insight.remedies import Remedy
    from ingest.insight.rescued import RescuedGroup, RescuedReport

VALUE_WIDTH = 40


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for: one column, None for all; where; and how many examples of each."""

    column: str | None
    rescued_column: str
    examples: int


def rescued_lines(table: Path, search: Search, *, as_json: bool) -> Iterator[str]:
    """Tell the rescued data of a table by column and reason.

    Raises `ColumnNotFoundError` when the table has no rescued column, and what reading it raises.
    """
    name, column = search.rescued_column, search.column
    schema, texts = rescued_texts(table, name)
    if schema.find(name) is None:
        raise ColumnNotFoundError(name, schema.names)
    report = report_rescued(schema, texts(), examples=search.examples)
    groups = [one for one in report.groups if column is None or _is_at(one, column)]
    if as_json:
        yield orjson.dumps(_document(table, report, groups), option=orjson.OPT_INDENT_2).decode()
        return
    yield (
        f"{table}: {report.rescued_rows:,} of {counted(report.rows, 'row')} with rescued data"
        + (f", {report.unreadable:,} of them unreadable" if report.unreadable else "")
    )
    if not groups and column is not None:
        yield f"nothing was rescued for {column}"
    for group in groups:
        yield ""
        yield from _group_lines(group)


def _is_at(group: RescuedGroup, column: str) -> bool:
    wanted = column.lower()
    return wanted in {path_text(group.path).lower(), group.path[0].lower()}


def _group_lines(group: RescuedGroup) -> Iterator[str]:
    values = counted(group.count, "value")
    where = f" in {counted(group.files, 'file')}" if group.files else ""
    yield from wrapped(f"{path_text(group.path)} {_reason(group)}: {values}{where}")
    rows = [(cut(one.value, VALUE_WIDTH), short_name(one.file)) for one in group.examples]
    if rows:
        yield from (f"  {line}" for line in align(rows))
    for remedy in remedies(group):
        yield from wrapped(f"-> {_remedy(remedy)}", indent="  ", hanging="     ")


def _reason(group: RescuedGroup) -> str:
    kind = "" if group.column is None else cut(type_to_sql(group.column), VALUE_WIDTH)
    match group.reason:
        case Reason.UNKNOWN if group.column is None:
            return "is no column of the table"
        case Reason.UNKNOWN:
            return "has fields that the column lacks"
        case Reason.MISFIT:
            return f"does not fit {kind}"
        case Reason.CASE:
            return f"differs from {group.spelling} only in upper and lower case"
        case Reason.SURPLUS:
            return "is a cell without a name in the header"
        case Reason.FITS_NOW:
            return f"would fit {kind} as text"


def _remedy(remedy: Remedy) -> str:
    way = remedy.value if remedy.key is None else f"{remedy.key} '{remedy.value}'"
    return f"{way}: {remedy.effect}"


def _document(table: Path, report: RescuedReport, groups: list[RescuedGroup]) -> dict[str, object]:
    return {
        "table": str(table),
        "rows": report.rows,
        "rescuedRows": report.rescued_rows,
        "unreadable": report.unreadable,
        "columns": [_group_document(group) for group in groups],
    }


def _group_document(group: RescuedGroup) -> dict[str, object]:
    return {
        "column": path_text(group.path),
        "reason": group.reason.value,
        "type": None if group.column is None else type_to_sql(group.column),
        "spelling": group.spelling,
        "values": group.count,
        "files": group.files,
        "observed": type_to_sql(group.observed),
        "examples": [{"value": one.value, "file": one.file} for one in group.examples],
        "remedies": [
            {"option": one.key, "value": one.value, "effect": one.effect} for one in remedies(group)
        ],
    }

"""`ingest infer`: the schema that production would start with, and why, in lines."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import click
import orjson

from ingest.cli.cutting import cut
from ingest.cli.display import counted
from ingest.cli.paragraphs import WIDTH, file_names, short_name, wrapped
from ingest.cli.text_table import align
from ingest.insight.inferring import infer_files
from ingest.insight.schema_code import arrow_code, pyspark_code
from ingest.options import check_known, resolve_options
from schema_store.ddl import to_ddl
from schema_store.spark_json import schema_to_json
from schema_store.type_names import path_text, type_to_sql
from schema_store.types import NullType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ingest.insight.inferring import InferredColumn, InferredFiles
    from ingest.insight.origins import Origin, TypeChange
    from ingest.insight.surprises import Surprise
    from ingest.stream_options import StreamOptions
    from schema_store.types import Schema

CELL_WIDTH = 24
"""Characters that a name, a type or a value keeps in the table of columns; `--json` has all."""

LEAST_VALUE = 6
"""Characters of a value that are shown also where the line is longer than the screen for them."""

_EXTENSIONS = {
    ".csv": "csv", ".tsv": "csv", ".json": "json", ".jsonl": "json", ".ndjson": "json",
    ".parquet": "parquet", ".txt": "text",
}  # fmt: skip

FORMS: dict[str, Callable[[Schema], str]] = {
    "ddl": to_ddl,
    "json": schema_to_json,
    "arrow": arrow_code,
    "pyspark": pyspark_code,
}
"""How `--as` writes a schema."""


def infer_lines(given: Mapping[str, Any]) -> Iterator[str]:
    """Infer the files and tell the schema, what decided each type, and what may surprise."""
    options = _options(given)
    check_known(options)
    found = infer_files(given["files"], options)
    for text in (*options.warnings, *found.notices):
        click.echo(f"warning: {text}", err=True)
    if given["as_json"]:
        yield orjson.dumps(_document(found, options), option=orjson.OPT_INDENT_2).decode()
    elif given["form"] is not None:
        yield FORMS[given["form"]](found.schema)
    else:
        yield from _told(found, options)
    if found.conflict is not None:
        raise found.conflict


def format_by_name(files: list[str]) -> str:
    """Tell a format by the files' names, CSV if they do not tell.

    >>> format_by_name(["in/a.json.gz"])
    'json'
    """
    for name in files:
        found = [kind for end, kind in _EXTENSIONS.items() if end in name.lower()]
        if found:
            return found[-1]
    return "csv"


def _options(given: Mapping[str, Any]) -> StreamOptions:
    flags = {
        "cloudFiles.format": given["format_name"] or format_by_name(file_names(given["files"])),
        "cloudFiles.schemaEvolutionMode": given["mode"],
        "cloudFiles.schemaHints": given["hints"],
        "cloudFiles.inferColumnTypes": str(not given["strings"]).lower(),
    }
    options = {key.lower() for key in given["options"]}
    raw = {
        **{k: v for k, v in flags.items() if v is not None and k.lower() not in options},
        **given["options"],
        "cloudFiles.schemaLocation": "(nothing is stored)",
    }
    today = dt.datetime.now(dt.UTC).date()  # noqa: TID251 - the rim
    return resolve_options(raw, conf=given["conf"], user_schema=None, today=today)


def _told(found: InferredFiles, options: StreamOptions) -> Iterator[str]:
    typed = options.reading.typed
    kind = "types inferred" if typed else "all columns STRING, as by default in production"
    of_all = f" of {found.found:,}" if found.found > len(found.files) else ""
    if options.format_name not in {"csv", "json"}:
        kind = "types of the files"
    yield f"{options.format_name}: {counted(len(found.files), 'file')}{of_all}, {kind}"
    yield ""
    left = [
        ("column", "type"),
        *((_cell(path_text(one.path)), _sql(one.data_type)) for one in found.columns),
    ]
    room = WIDTH - sum(max(map(len, cells)) + len("  ") for cells in zip(*left, strict=True))
    right = ["decided by", *(_decided_by(column, room) for column in found.columns)]
    yield from align([(*cells, text) for cells, text in zip(left, right, strict=True)])
    if found.surprises:
        yield ""
        yield "what may surprise"
        for surprise in found.surprises:
            yield from _surprise_lines(surprise)
    yield from _advice_lines(found.surprises)


def _decided_by(column: InferredColumn, room: int) -> str:
    """Tell what decided a type, in so many characters if the value can be cut to it."""
    origin = column.origin
    if column.hinted:
        return "a schema hint"
    if origin is None:
        return "the names of folders" if column.in_path else ""
    if isinstance(origin.observed, NullType):
        return "no value at all"
    if origin.decided is None:
        return ""
    place, others = _place(origin.decided), _others(origin)
    if origin.decided.value is None:
        return place + others
    left = min(room - len(place) - len(others), CELL_WIDTH)
    return f"{place}{cut(origin.decided.value, max(left, LEAST_VALUE))}{others}"


def _place(change: TypeChange) -> str:
    file = short_name(change.file)
    return file if change.row is None else f"{file} row {change.row:,}: "


def _others(origin: Origin) -> str:
    """Say whether what decided stands alone: without it, another type."""
    without, decided = origin.without, origin.decided
    if without is None or decided is None:
        return ""
    if not origin.alone:
        return (
            " and others" if decided.was is None else f" and others (before: {_sql(decided.was)})"
        )
    more = f" and {counted(len(without.texts) - 1, 'text')} more" if without.texts[1:] else ""
    if isinstance(without.data_type, NullType):
        return more or (" (no other file has it)" if decided.row is None else " (the only value)")
    return f"{more} (else {_sql(without.data_type)})"


def _sql(data_type: Any) -> str:  # noqa: ANN401 - any data type
    return _cell(type_to_sql(data_type))


def _cell(text: str) -> str:
    return cut(text, CELL_WIDTH)


def _surprise_lines(surprise: Surprise) -> Iterator[str]:
    yield from wrapped(f"{surprise.column} {surprise.fact}", indent="  ")
    ways = []
    if surprise.option is not None:
        ways.append(f"--option {quoted(surprise.option)}")
    if surprise.hint is not None:
        ways.append(f"--hints {quoted(surprise.hint)}")
    remedy = " with ".join(ways) if surprise.option and "Format" in surprise.option else ""
    remedy = remedy or " or ".join(ways)
    text = f"{remedy}: {surprise.advice}" if remedy else surprise.advice
    yield from wrapped(f"-> {text}", indent="    ", hanging="       ")


def quoted(text: str) -> str:
    """Quote an argument for a shell.

    >>> quoted("id BIGINT")
    "'id BIGINT'"
    """
    plain = text.replace("=", "").replace("/", "").replace("-", "").replace(".", "")
    return text if plain.isalnum() and plain.isascii() else "'" + text.replace("'", "'\\''") + "'"


def _advice_lines(surprises: tuple[Surprise, ...]) -> Iterator[str]:
    """Give the hints as one option, to copy; of several for a column the first."""
    hints: dict[str, str] = {}
    for surprise in surprises:
        if surprise.hint is not None:
            hints.setdefault(surprise.column, surprise.hint)
    if len(hints) > 1:
        yield ""
        yield "all hints at once (keep those that are right)"
        yield f"  --hints {quoted(', '.join(hints.values()))}"


def _document(found: InferredFiles, options: StreamOptions) -> dict[str, object]:
    return {
        "format": options.format_name,
        "typed": options.reading.typed,
        "files": [file.uri for file in found.files],
        "filesFound": found.found,
        "schema": to_ddl(found.schema),
        "schemaJson": orjson.Fragment(schema_to_json(found.schema)),
        "columns": [_column_document(column) for column in found.columns],
        "surprises": [
            {
                "kind": one.kind.value,
                "column": one.column,
                "fact": one.fact,
                "advice": one.advice,
                "hint": one.hint,
                "option": one.option,
            }
            for one in found.surprises
        ],
        "notices": list(found.notices),
        "conflict": None if found.conflict is None else str(found.conflict),
    }


def _column_document(column: InferredColumn) -> dict[str, object]:
    origin = column.origin
    without = None if origin is None else origin.without
    return {
        "column": path_text(column.path),
        "type": type_to_sql(column.data_type),
        "hinted": column.hinted,
        "inPath": column.in_path,
        "changes": [] if origin is None else [_change_document(one) for one in origin.changes],
        "alone": origin is not None and origin.alone,
        "without": None
        if without is None
        else {
            "type": type_to_sql(without.data_type),
            "values": list(without.texts),
            "cells": without.count,
        },
    }


def _change_document(change: TypeChange) -> dict[str, object]:
    return {
        "file": change.file,
        "row": change.row,
        "value": change.value,
        "was": None if change.was is None else type_to_sql(change.was),
        "type": type_to_sql(change.data_type),
    }

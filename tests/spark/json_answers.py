"""Our answers to what Spark was asked about JSON, and the differences that are meant."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import orjson

from ingest.file_entry import FileEntry, SeqNum
from ingest.formats.json_files import JsonFormat
from ingest.options import resolve_options
from schema_store.ddl import parse_ddl
from schema_store.spark_json import schema_to_json
from tests.spark.canonical import canonical_rows
from tests.spark.json_questions import groups, groups_file, texts, values_ddl, values_file

if TYPE_CHECKING:
    from pathlib import Path

LAST_DAY = 2932896
LAST_INSTANT = 253402300799999999
FIRST_DAY = -719162
FIRST_INSTANT = FIRST_DAY * 86_400_000_000
_JSON = {"cloudFiles.format": "json"}
_INFERRING = _JSON | {"cloudFiles.schemaLocation": "nowhere", "cloudFiles.inferColumnTypes": "true"}


def our_values(file: Path, day: str, types: tuple[str, ...]) -> list[list[Any]]:
    """Give every text under every type."""
    file.write_text(values_file(texts(), types), encoding="utf-8")
    schema = parse_ddl(values_ddl(types))
    today = dt.date.fromisoformat(day)
    options = resolve_options(_JSON, conf={}, user_schema=schema, today=today)
    batches = JsonFormat(options.json, options.reading).read([_entry(file)], schema)
    rows = [row for one in batches for row in canonical_rows(one.rows.columns, one.rows.num_rows)]
    return list(orjson.loads(orjson.dumps(rows)))


def our_types(file: Path, day: str, options: dict[str, str]) -> dict[str, Any]:
    """Give the type of every group of records."""
    file.write_text(groups_file(groups()), encoding="utf-8")
    today = dt.date.fromisoformat(day)
    resolved = resolve_options(_INFERRING | options, conf={}, user_schema=None, today=today)
    inferred = JsonFormat(resolved.json, resolved.reading).infer([_entry(file)])
    schema = orjson.loads(schema_to_json(inferred.schema))
    return {field["name"]: field["type"] for field in schema["fields"]}


def reason_for(text: str, kind: str, spark: Any, ours: Any) -> str | None:
    """Tell why our value differs; None where there is no reason."""
    if ours is not None:
        return "of two members the last counts (contract 11.6)" if '"a":1,"a":2' in text else None
    if kind == "DATE" and not FIRST_DAY <= spark <= LAST_DAY:
        return "a year beyond 1 to 9999 is rescued"
    if kind == "TIMESTAMP" and text.lstrip("-").startswith("922337203685477580"):
        return "seconds that overflow are rescued; they wrap around in Spark"
    if kind.startswith("TIMESTAMP") and not FIRST_INSTANT <= spark <= LAST_INSTANT:
        return "a year beyond 1 to 9999 is rescued"
    return None


def _entry(file: Path) -> FileEntry:
    stat = file.stat()
    return FileEntry(SeqNum(1), bytes(file), stat.st_size, stat.st_mtime_ns)

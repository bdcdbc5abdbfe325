"""Settings, landed files and readings for tests of JSON."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from ingest.formats.json_files import JsonFormat
from ingest.read_batch import Findings
from ingest.stream_options import JsonOptions
from schema_store.ddl import parse_ddl, to_ddl
from tests.ingest.csv_support import land, reading

DEFAULT = JsonOptions()


def as_bytes(lines: tuple[str | bytes, ...]) -> bytes:
    return b"".join((one.encode() if isinstance(one, str) else one) + b"\n" for one in lines)


def infer(*lines: str | bytes, json: JsonOptions = DEFAULT, **settings: Any) -> str:
    """Give the DDL of what is inferred from a file of these lines."""
    with tempfile.TemporaryDirectory() as folder:
        files = land(Path(folder), {"f.json": as_bytes(lines)})
        return to_ddl(JsonFormat(json, reading(**settings)).infer(files).schema)


def read(
    *lines: str | bytes, ddl: str, json: JsonOptions = DEFAULT, **settings: Any
) -> tuple[list[dict[str, Any]], Findings]:
    """Give the rows of a file of these lines, and what was met; the file's path is left out."""
    with tempfile.TemporaryDirectory() as folder:
        files = land(Path(folder), {"f.json": as_bytes(lines)})
        given = reading(**{"file_path_in_rescued": False} | settings)
        rows: list[dict[str, Any]] = []
        findings = Findings()
        for batch in JsonFormat(json, given).read(files, parse_ddl(ddl)):
            rows += batch.rows.to_pylist()
            findings += batch.findings
        return rows, findings

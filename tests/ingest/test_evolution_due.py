"""When what was found while reading is a reason to look at the whole batch (`is_due`)."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest

from ingest.evolving import is_due
from ingest.file_entry import FileEntry, SeqNum
from ingest.loading import load_stream
from ingest.options.resolve import resolve_options
from ingest.read_batch import Findings, Path, UnknownField
from tests.ingest.csv_support import land

if TYPE_CHECKING:
    import pathlib

NOW = dt.datetime(2024, 5, 17, 12, tzinfo=dt.UTC)
FILE = FileEntry(SeqNum(1), b"/in/1.json", 1, 0)


# contract 2.2: without types an object is one text, so that inference finds no part of it
@pytest.mark.parametrize(
    ("typed", "path", "expected"),
    [
        ("false", ("user", "name"), False),
        ("true", ("user", "name"), True),
        ("false", ("name",), True),
        ("true", ("user", "dob"), False),
    ],
)
def test_unknown_parts_count_where_inference_can_find_them(
    tmp_path: pathlib.Path, *, typed: str, path: Path, expected: bool
) -> None:
    land(tmp_path / "landing", {"1.json": b'{"user":{"dob":"2024-01-01"}}\n'})
    options = resolve_options(
        {
            "cloudFiles.format": "json",
            "cloudFiles.inferColumnTypes": typed,
            "cloudFiles.schemaLocation": str(tmp_path / "schema"),
            "cloudFiles.schemaHints": "user.dob DATE",
        },
        conf={},
        user_schema=None,
        today=NOW.date(),
    )
    loaded = load_stream(str(tmp_path / "landing"), options, at=NOW)
    findings = Findings(unknown=(UnknownField(path, FILE, '"x"'),))
    assert is_due(loaded, findings) is expected

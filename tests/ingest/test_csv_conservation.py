"""Every cell of a file is in a column, in the rescued data or in the ledger (contract 9.2)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.formats.csv_bytes import read_blocks
from ingest.formats.csv_dialect import find_dialect, is_blank
from ingest.formats.csv_files import CsvFormat
from ingest.formats.csv_tokens import cut_line
from ingest.ledger import LossKind
from ingest.read_batch import Findings
from ingest.stream_options import CsvOptions, ParseMode, UnescapedQuotes
from schema_store.types import DateType, Field, IntegerType, StringType, StructType
from tests.ingest.csv_support import land, reading

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.file_entry import FileEntry

SCHEMA = StructType((Field("i", IntegerType()), Field("s", StringType()), Field("day", DateType())))
HEADERS = ["i,s,day", "s,i", "day,new,i,s", "I,s,,other", "i", "i,s,day,_file_path", "new,_c1"]
cells = st.one_of(
    st.sampled_from(["1", "-7", "x", "2030-01-05", "2030-01-05 10:00:00", "", "", '""', "n/a"]),
    st.text('ab "\\,\x00\x01é|#;', max_size=5),
    st.sampled_from(['"a\nb"', '"', '"x"y', "#", "\ufdd0"]),
)
lines = st.lists(cells, min_size=0, max_size=6).map(",".join)
ends = st.sampled_from(["\n", "\r\n", "\r"])
files = st.lists(
    st.tuples(st.sampled_from(HEADERS), st.lists(lines, max_size=6), ends), min_size=1, max_size=3
)
options = st.builds(
    CsvOptions,
    quote=st.sampled_from(['"', '"', "|", "\0"]),
    escape=st.sampled_from(['"', "\\", "\\", "!"]),
    escape_of_escape=st.sampled_from([None, None, "!", "\0"]),
    unescaped=st.sampled_from(
        [
            UnescapedQuotes.STOP_AT_DELIMITER,
            UnescapedQuotes.STOP_AT_CLOSING_QUOTE,
            UnescapedQuotes.SKIP_VALUE,
        ]
    ),
    comment=st.sampled_from([None, "#"]),
    skip_rows=st.integers(0, 2),
    multi_line=st.booleans(),
    line_sep=st.sampled_from([None, None, "\n", ";"]),
    encoding=st.sampled_from(["utf-8", "utf-8", "utf-16", "utf-16-le", "iso8859-1", "ascii"]),
    null_value=st.sampled_from(["", "x"]),
    empty_value=st.sampled_from(["", "E"]),
    ignore_leading_white_space=st.booleans(),
    ignore_trailing_white_space=st.booleans(),
)
parse_modes = st.sampled_from([ParseMode.PERMISSIVE, ParseMode.DROPMALFORMED])


def contents(header: str, records: list[str], end: str, csv: CsvOptions) -> bytes:
    skipped = ["report"] * csv.skip_rows
    text = (csv.line_sep or end).join([*skipped, header, *records])
    return text.encode(csv.encoding, "replace") + b"\xff" * len(records)


@pytest.mark.parametrize("rescue", [True, False])
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(landed=files, parse_mode=parse_modes, csv=st.one_of(options, st.just(CsvOptions())))
def test_no_cell_is_lost(
    tmp_path: Path,
    landed: list[tuple[str, list[str], str]],
    parse_mode: ParseMode,
    csv: CsvOptions,
    *,
    rescue: bool,
) -> None:
    column = "_rescued_data" if rescue else None
    settings_ = reading(rescued_column=column, parse_mode=parse_mode)
    entries = land(tmp_path, {f"{at}.csv": contents(*one, csv) for at, one in enumerate(landed)})
    rows: list[dict[str, Any]] = []
    findings = Findings()
    for batch in CsvFormat(csv, settings_).read(entries, SCHEMA):
        assert batch.rows.schema.names == [*SCHEMA.names, *([column] if column else [])]
        rows += batch.rows.to_pylist()
        findings += batch.findings
    read_cells, read_records = _cells_of(entries, csv)
    dropped = sum(one.count for one in findings.losses if one.column is None)
    assert len(rows) + dropped == read_records
    found = _kept(rows) + sum(
        one.count
        for one in findings.losses
        if one.kind is LossKind.DROPPED and one.column is not None
    )
    if parse_mode is ParseMode.PERMISSIVE:
        assert found == read_cells
    assert dropped == 0 or parse_mode is ParseMode.DROPMALFORMED


def _kept(rows: list[dict[str, Any]]) -> int:
    """Count cells in columns and members of the rescued objects."""
    kept = 0
    for row in rows:
        text = row.pop("_rescued_data", None)
        members = json.loads(text) if text else {}
        kept += sum(name != "_file_path" for name in members)
        kept += sum(value is not None for value in row.values())
    return kept


def _cells_of(entries: list[FileEntry], csv: CsvOptions) -> tuple[int, int]:
    """Count the files' cells that are not null, and their records, one by one."""
    dialect = find_dialect(csv, comma_space=False)
    count = records = 0
    for entry in entries:
        lines = b"".join(read_blocks(entry, csv)).decode().split("\n")
        body = [line for line in lines if not is_blank(line)][1:]
        records += len(body)
        count += sum(cell is not None for line in body for cell in cut_line(line, dialect))
    return count, records

"""The fast way of reading JSON gives what the exact way gives, whatever the lines are."""

from __future__ import annotations

import datetime as dt
import json
import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.file_entry import FileEntry, SeqNum
from ingest.formats import json_fast
from ingest.formats.json_batches import make_batch
from ingest.formats.json_fast import BlockReader, Learned
from ingest.formats.json_lines import Block
from ingest.formats.json_rows import read_records, target_of
from ingest.stream_options import JsonSyntax, ReadSettings
from schema_store.ddl import parse_ddl
from tests.ingest import json_lines
from tests.ingest.csv_support import reading

FILE = FileEntry(SeqNum(1), b"/landing/f.json", 1, 1)
STRINGS = ", ".join(f"{field.name} STRING" for field in parse_ddl(json_lines.DDL))
MODES = {
    "rescue": reading(),
    "none": reading(rescued_column=None),
    "widening": reading(exact_decimals=True, observe_misfits=True, prefers_decimal=True),
    "ignoring case": reading(case_sensitive=False),
}
LINES = int(os.environ.get("JSON_LINES", "40000"))  # noqa: TID251 - a longer run by hand


def _told(block: bytes, ddl: str, given: ReadSettings, *, fast: bool) -> tuple[Any, ...]:
    """Give the rows and all that was met."""
    target = target_of(parse_ddl(ddl), given, JsonSyntax())
    data = Block(block, b"\n")
    reader = BlockReader(target, Learned())
    rows = reader.read(data) if fast else read_records(data.records(), target)
    batch = make_batch(rows, target, FILE, 0)
    found = batch.findings
    values = [
        [
            json.loads(value) if value and name == "_rescued_data" else _plain(value)
            for name, value in row.items()
        ]
        for row in batch.rows.to_pylist()
    ]
    return (
        batch.rows.schema,
        values,
        sorted((one.path, one.row, one.example) for one in found.unknown),
        sorted((one.path, one.count, repr(one.observed)) for one in found.misfits),
        (found.rescued_rows, found.corrupt_records),
        sorted((one.kind.value, str(one.column), one.reason, one.count) for one in found.losses),
    )


def _plain(value: Any) -> Any:
    """Give values that are equal when they are the same: NaN and -0.0 by their spelling."""
    return repr(value) if isinstance(value, float | dt.datetime | dict | list) else value


def _differences(block: bytes, ddl: str, given: ReadSettings) -> list[Any]:
    fast, slow = _told(block, ddl, given, fast=True), _told(block, ddl, given, fast=False)
    found = [(a, b) for a, b in zip(fast[1], slow[1], strict=False) if a != b][:3]
    return found + [(a, b) for a, b in zip(fast, slow, strict=True) if a != b and a is not fast[1]]


@pytest.mark.parametrize("odd", [0.0, 0.02, 1.0])
@pytest.mark.parametrize("mode", list(MODES))
@pytest.mark.parametrize("ddl", [json_lines.DDL, STRINGS], ids=["typed", "strings"])
def test_fast_reading_is_exact(mode: str, odd: float, ddl: str) -> None:
    count = LINES // 24
    block = b"\n".join(json_lines.lines(len(mode), count, odd=odd)) + b"\n"
    assert _differences(block, ddl, MODES[mode]) == []


@pytest.mark.parametrize("mode", list(MODES))
def test_fast_reading_is_exact_when_every_line_misfits_alike(mode: str) -> None:
    block = b"".join(
        b'{"new":{"a": [%d]},"id":"x%d","name":%d,"d":1.005,"n":1}\n' % (at, at % 3, at)
        for at in range(2000)
    )
    assert _differences(block, "id BIGINT, name STRING, d DECIMAL(10,2), n INT", MODES[mode]) == []


_values = st.sampled_from(json_lines.ODD_VALUES)
_names = st.sampled_from([*(field.name for field in parse_ddl(json_lines.DDL)), "new", "Id", ""])
_members = st.lists(st.tuples(_names, _values), max_size=4)
_odd_lines = st.one_of(
    _members.map(lambda all_: "{" + ",".join(f'"{name}":{value}' for name, value in all_) + "}"),
    st.sampled_from(json_lines.ODD_LINES),
)


@settings(max_examples=300)
@given(
    texts=st.lists(_odd_lines, max_size=30),
    mode=st.sampled_from(list(MODES)),
    ddl=st.sampled_from([STRINGS, json_lines.DDL]),
)
def test_fast_reading_is_exact_on_few_lines(texts: list[str], mode: str, ddl: str) -> None:
    block = "\n".join(texts).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_fast, "SMALL", 0)
        patch.setattr(json_fast, "_FEW", 2)
        assert _differences(block, ddl, MODES[mode]) == []

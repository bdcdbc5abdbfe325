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
LINES = int(os.environ.get("JSON_LINES", "24000"))  # noqa: TID251 - a longer run by hand
MILLION = 1_000_000


def _told(
    block: bytes, ddl: str, given: ReadSettings, *, fast: bool, first: bytes = b""
) -> tuple[Any, ...]:
    """Give the rows and all that was met; the fast reader has learned from a `first` block."""
    target = target_of(parse_ddl(ddl), given, JsonSyntax())
    data = Block(block, b"\n")
    learned = Learned()
    BlockReader(target, learned).read(Block(first, b"\n"))
    reader = BlockReader(target, learned)
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


def _differences(block: bytes, ddl: str, given: ReadSettings, first: bytes = b"") -> list[Any]:
    fast = _told(block, ddl, given, fast=True, first=first)
    slow = _told(block, ddl, given, fast=False)
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


@pytest.mark.parametrize("ddl", ["id BIGINT, deep STRING", "id BIGINT", "id STRING, deep STRING"])
@pytest.mark.parametrize("every", [2, 100])
def test_fast_reading_is_exact_when_lines_are_nested_deep(ddl: str, every: int) -> None:
    deep = b'{"id":1,"deep":' + b"[" * 300 + b"]" * 300 + b"}\n"
    ordinary = b'{"id":%d,"deep":"%s"}\n'
    block = b"".join(
        deep if at % every == 0 else ordinary % (at, b"d" * (at % 20)) for at in range(1000)
    )
    assert _differences(block, ddl, MODES["rescue"]) == []


LEARNED = {"texts": '"C-%d"', "numbers": "%d", "booleans": "true", "any": '[{"c": %d}]'}


@pytest.mark.parametrize(
    "odd", [None, *json_lines.ODD_VALUES, '"\\n\\f"', '"\\"new\\":1"', '"\\u0041"']
)
@pytest.mark.parametrize("kind", list(LEARNED))
def test_fast_reading_is_exact_of_a_name_that_earlier_blocks_had(
    kind: str, odd: str | None
) -> None:
    lines = [
        f'{{"id":{at},"new":{LEARNED[kind].replace("%d", str(at))},"name":"n"}}' for at in range(60)
    ]
    ordinary = "\n".join(lines).encode() + b"\n"
    lines[7] = '{"id":7}'
    if odd is not None:
        lines[8], lines[9] = f'{{"id":8,"new":{odd}}}', f'{{"new":{odd},"id":1,"name":{odd}}}'
    block = "\n".join(lines).encode() + b"\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_fast, "SMALL", 0)
        for ddl in ("id BIGINT, name STRING", "id STRING, name STRING"):
            for mode in MODES.values():
                assert _differences(block, ddl, mode, ordinary) == []


def test_a_name_that_every_line_has_costs_no_line_its_fast_way() -> None:
    block = b"".join(b'{"id":%d,"new":"C-%d","name":"n"}\n' % (at, at) for at in range(900))
    with pytest.MonkeyPatch.context() as patch:
        target = target_of(parse_ddl("id BIGINT, name STRING"), MODES["rescue"], JsonSyntax())
        learned = Learned()
        BlockReader(target, learned).read(Block(block, b"\n"))
        patch.setattr(BlockReader, "_by_line", None)
        rows = BlockReader(target, learned).read(Block(block, b"\n"))
    assert (rows.height, [one.texts[:1] for one in rows.leftovers]) == (900, [['"C-0"']])


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


@pytest.mark.parametrize("part", range(4))
def test_fast_reading_is_exact_on_a_million_short_lines(part: int) -> None:
    ddl = "id BIGINT, x DOUBLE, name STRING"
    for seed in range(part * 5, part * 5 + 5):
        block = b"\n".join(json_lines.short_lines(seed, MILLION // 20)) + b"\n"
        assert _differences(block, ddl, MODES["rescue"]) == []

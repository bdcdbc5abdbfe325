"""The rescued column: which rows have an object, and what is in it."""

from __future__ import annotations

from typing import Any

import orjson
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from ingest.rescue import Rescued, build_rescued, json_members

HEIGHT = 6
TEXTS = st.text(st.characters(codec="utf-8"))
PART = st.dictionaries(st.integers(0, HEIGHT - 1), TEXTS)


def rescued(name: str, texts: dict[int, str]) -> Rescued:
    rows = sorted(texts)
    cells = pl.Series([texts[row] for row in rows], dtype=pl.String)
    return Rescued(name, pl.Series(rows, dtype=pl.UInt32), cells)


def paths(rows: pl.Series) -> pl.Series:
    return json_members("_file_path", pl.Series([f"file:///{row}" for row in rows]))


@given(st.lists(PART, max_size=4))
def test_every_row_has_the_members_of_the_parts_that_have_it(parts: list[dict[int, str]]) -> None:
    column = build_rescued(HEIGHT, [rescued(f"c{at}", one) for at, one in enumerate(parts)], paths)
    found = [None if text is None else orjson.loads(text) for text in column]
    expected: list[dict[str, Any] | None] = []
    for row in range(HEIGHT):
        members = {f"c{at}": one[row] for at, one in enumerate(parts) if row in one}
        expected.append({**members, "_file_path": f"file:///{row}"} if members else None)
    assert found == expected


@given(TEXTS, st.lists(TEXTS, min_size=1))
def test_names_and_texts_are_escaped(name: str, texts: list[str]) -> None:
    members = json_members(name, pl.Series(texts))
    assert [orjson.loads(f"{{{member}}}") for member in members] == [{name: one} for one in texts]


def test_members_keep_the_order_of_the_parts() -> None:
    parts = [rescued("b", {0: "1"}), rescued("a", {0: "2", 1: "3"})]
    column = build_rescued(2, parts, None)
    assert column.to_list() == ['{"b":"1","a":"2"}', '{"a":"3"}']

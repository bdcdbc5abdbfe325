"""JSON is read and inferred as a real Spark does; its answers are recorded."""

from __future__ import annotations

import lzma
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.spark.json_answers import our_types, our_values, reason_for
from tests.spark.json_questions import BINARY, OPTIONS, TYPES, groups, texts

RECORDED = Path(__file__).parent / "recorded_json" / "answers.json.xz"
DIFFERENCES = 140
"""Values that differ for a reason, of 21,600."""


@lru_cache
def _recorded() -> dict[str, Any]:
    answers: dict[str, Any] = orjson.loads(lzma.decompress(RECORDED.read_bytes()))
    return answers


def test_values_are_those_of_spark(tmp_path: Path) -> None:
    recorded = _recorded()
    found = []
    for types, answers in zip((TYPES, BINARY), recorded["values"], strict=True):
        ours = our_values(tmp_path / "values.json", recorded["day"], types)
        found += [
            (text, kind, spark, mine)
            for text, line, own in zip(texts(), answers, ours, strict=True)
            for kind, spark, mine in zip(types, line, own, strict=True)
            if spark != mine
        ]
    assert [one for one in found if reason_for(*one) is None] == []
    assert len(found) == DIFFERENCES


@pytest.mark.parametrize("at", range(len(OPTIONS)), ids=[" ".join(one) for one in OPTIONS])
def test_inferred_types_are_those_of_spark(at: int, tmp_path: Path) -> None:
    recorded = _recorded()
    ours = our_types(tmp_path / "groups.json", recorded["day"], OPTIONS[at])
    spark = recorded["types"][at]
    names = [f"c{number}" for number in range(len(groups()))]
    differing = [
        (group, spark.get(name), ours.get(name))
        for name, group in zip(names, groups(), strict=True)
        if spark.get(name) != ours.get(name)
    ]
    assert differing == []

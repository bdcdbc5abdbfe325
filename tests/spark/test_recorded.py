"""The emulator answers as Spark does, or says why not: every recorded answer is compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.readme_tables import fidelity_block
from tests.spark.comparison import disagreements, explain
from tests.spark.corpus import corpus
from tests.spark.differences import DIFFERENCES
from tests.spark.fidelity import fidelity
from tests.spark.questions import read_recording, recordings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.timeout(300)
def test_every_recorded_answer_is_given_or_its_difference_is_listed(tmp_path: Path) -> None:
    found = [
        one
        for path in recordings()
        for one in disagreements(read_recording(path), tmp_path / path.stem)
    ]

    unexplained, counts = explain(found, DIFFERENCES)

    assert unexplained == []
    assert {one.reason: count for one, count in counts.items()} == {
        one.reason: one.count for one in DIFFERENCES
    }, "each number is exact: what no longer differs leaves the list"


def test_everything_that_is_asked_is_recorded() -> None:
    asked = {one.name: one for one in corpus()}
    recorded = [read_recording(path).questions for path in recordings()]

    assert {one.name: one for one in recorded} == asked, "python -m tests.spark.record"


def test_readme_tells_the_size_of_the_corpus_and_the_differences() -> None:
    assert fidelity() == fidelity_block(), "python -m tests.readme_tables writes it anew"

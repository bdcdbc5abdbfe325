"""A live Spark still answers as it was recorded, and about its own test files as we do."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.spark.comparison import Disagreement, compare, disagreements, explain
from tests.spark.differences import TEST_DATA_DIFFERENCES
from tests.spark.questions import Json, Kind, Recording, read_recording, recordings
from tests.spark.spark_file_sets import FOLDER

ROOT = Path(__file__).parents[2]
A_PART = ("--every", "5", "--some", "20")
"""What is asked again of the corpus, to keep within a minute and a half."""

TODAY = re.compile(r"[\x00-\x20\x7f]*(T|[0-9]{1,2}:)")
"""A time alone: its value is another one every day."""

pytestmark = [pytest.mark.spark, pytest.mark.timeout(400)]


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> list[Recording]:
    """Ask everything in one session, in a process of its own."""
    pytest.importorskip("pyspark", reason="pip install -e '.[test,spark]' to ask a live Spark")
    if shutil.which("java") is None:
        pytest.skip("a live Spark needs Java: install Java 17 or newer")
    folder = tmp_path_factory.mktemp("live")
    command = [sys.executable, "-m", "tests.spark.record", *A_PART, "--to", str(folder)]
    if FOLDER.is_dir():
        command += ["--test-data", str(FOLDER)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return [read_recording(path) for path in recordings(folder)]


def test_spark_answers_as_it_was_recorded(live: list[Recording]) -> None:
    recorded = {path.name: path for path in recordings()}

    changed = [
        one
        for answered in live
        if (path := recorded.get(f"{answered.questions.name}.json.xz")) is not None
        for one in _changed(answered, read_recording(path))
    ]

    assert changed == []


def test_sparks_own_test_files_are_read_as_spark_reads_them(
    live: list[Recording], tmp_path: Path
) -> None:
    if not FOLDER.is_dir():
        pytest.skip(f"Spark's test files are not here: {FOLDER}")
    found = [
        one
        for answered in live
        if answered.questions.name.startswith("test-data-")
        for one in disagreements(answered, tmp_path / answered.questions.name)
    ]

    unexplained, counts = explain(found, TEST_DATA_DIFFERENCES)

    assert unexplained == []
    assert counts == {one: one.count for one in TEST_DATA_DIFFERENCES}


def _changed(answered: Recording, recorded: Recording) -> list[Disagreement]:
    """Compare what was asked now with its recorded answers, without times of today."""
    known = dict(zip(map(str, recorded.questions.items), recorded.answers, strict=True))
    before = [known[str(item)] for item in answered.questions.items]
    now = [
        old if _is_of_today(answered, item) else new
        for item, old, new in zip(answered.questions.items, before, answered.answers, strict=True)
    ]
    return compare(answered, before, now)


def _is_of_today(answered: Recording, item: Json) -> bool:
    return answered.questions.kind is Kind.VALUES and TODAY.match(item) is not None

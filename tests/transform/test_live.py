"""A live Spark still answers about expressions as it was recorded."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.transform.questions import read_recording

ROOT = Path(__file__).parents[2]
A_PART = ("--every", "25")


@pytest.mark.spark
@pytest.mark.timeout(300)
def test_spark_answers_as_it_was_recorded(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="pip install -e '.[test,spark]' to ask a live Spark")
    if shutil.which("java") is None:
        pytest.skip("a live Spark needs Java: install Java 17 or newer")
    command = [
        sys.executable,
        "-m",
        "tests.transform.record",
        *A_PART,
        "--to",
        str(tmp_path / "live"),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    live, recorded = read_recording(tmp_path / "live"), read_recording()

    names = {expression: recorded.names[expression] for expression in live.names}
    values = [one for one in recorded.values if one[0] in {question for question, _ in live.values}]

    assert live.names == names
    assert [one for one in live.values if _is_of_any_day(one)] == [
        one for one in values if _is_of_any_day(one)
    ]


def _is_of_any_day(answered: tuple[object, object]) -> bool:
    """Leave out casts to TIMESTAMP: a time alone is one of today."""
    return "AS TIMESTAMP)" not in str(answered[0])

"""A live Spark still answers about partition folders as it was recorded."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.partitions.questions import read_recording

ROOT = Path(__file__).parents[2]


@pytest.mark.spark
@pytest.mark.timeout(300)
def test_spark_answers_as_it_was_recorded(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="pip install -e '.[test,spark]' to ask a live Spark")
    if shutil.which("java") is None:
        pytest.skip("a live Spark needs Java: install Java 17 or newer")
    command = [sys.executable, "-m", "tests.partitions.record", "--every", "5"]
    done = subprocess.run(
        [*command, "--to", str(tmp_path / "live")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]

    live, recorded = read_recording(tmp_path / "live"), read_recording()

    assert live.alone == {text: recorded.alone[text] for text in live.alone}
    assert live.sets == {key: recorded.sets[key] for key in live.sets}
    assert live.casts == {text: recorded.casts[text] for text in live.casts}

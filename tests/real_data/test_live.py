"""A live Spark still reads the packages' files as it was recorded."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.real_data.package_files import missing_packages
from tests.real_data.recording import read_recording

ROOT = Path(__file__).parents[2]
A_PART = ("--every", "50")


@pytest.mark.spark
@pytest.mark.timeout(300)
def test_spark_reads_as_it_was_recorded(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="pip install -e '.[test,spark]' to ask a live Spark")
    if shutil.which("java") is None:
        pytest.skip("a live Spark needs Java: install Java 17 or newer")
    if missing_packages():
        pytest.skip(f"pip install -e '.[test]' to get {' and '.join(missing_packages())}")
    live_file = tmp_path / "live.json.xz"
    command = [sys.executable, "-m", "tests.real_data.record", *A_PART, "--to", str(live_file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]

    live, recorded = read_recording(live_file), read_recording()

    assert live.answers == {key: recorded.answers[key] for key in live.answers}

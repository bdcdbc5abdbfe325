"""Killed at any instant, each row is in the table exactly once (contract 7.4)."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ingest import Session

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = """
import sys
from ingest import Session
root = sys.argv[1]
query = (Session(warehouse=root + "/lake").readStream.format("cloudFiles")
    .option("cloudFiles.format", "csv").option("cloudFiles.schemaLocation", root + "/schema")
    .option("cloudFiles.maxFilesPerTrigger", 1).load(root + "/landing")
    .writeStream.format(sys.argv[2]).option("checkpointLocation", root + "/checkpoint")
    .trigger(availableNow=True).toTable("t"))
print("started", flush=True)
query.awaitTermination()
"""
BATCHES = 20
KILLS = 10
WINDOW = 0.06
"""Seconds within which a run is killed: about half of what all batches take."""


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("table", "seed"), [("parquet", 1), ("parquet", 2), ("delta", 1), ("delta", 2), ("delta", 3)]
)
def test_killed_stream_has_each_row_exactly_once(tmp_path: Path, table: str, seed: int) -> None:
    landing = tmp_path / "landing"
    landing.mkdir()
    for number in range(BATCHES):
        lines = "".join(f"{number},{row}\n" for row in range(3))
        (landing / f"{number:02}.csv").write_text("file,row\n" + lines)
    dice = random.Random(seed)

    killed = sum(_run_and_kill(tmp_path, table, dice.uniform(0.0, WINDOW)) for _ in range(KILLS))
    _run_and_kill(tmp_path, table, None)

    rows = Session(warehouse=tmp_path / "lake").table("t").collect()
    expected = [(str(number), str(row)) for number in range(BATCHES) for row in range(3)]
    assert sorted(expected) == sorted((row.file, row.row) for row in rows)
    assert killed > 0, "no run was killed while it worked"


def _run_and_kill(root: Path, table: str, after: float | None) -> int:
    """Run the stream; kill it some seconds after it started; say whether it was killed."""
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(root), table], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            code = process.wait(timeout=after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            code = process.wait()
    assert code in (0, -signal.SIGKILL)
    return int(code == -signal.SIGKILL)

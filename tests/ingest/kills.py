"""A stream in a process of its own that is killed at random instants (contract 7.4)."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest import Session

if TYPE_CHECKING:
    import random
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


@dataclass(frozen=True, slots=True)
class Killed:
    """How often a stream was killed, and what that has done to its rows."""

    kills: int
    lost: int
    doubled: int


def kill_at_random(root: Path, table: str, dice: random.Random) -> Killed:
    """Run a stream of small batches, kill it again and again, and count its rows at the end."""
    landing = root / "landing"
    landing.mkdir(parents=True)
    for number in range(BATCHES):
        lines = "".join(f"{number},{row}\n" for row in range(3))
        (landing / f"{number:02}.csv").write_text("file,row\n" + lines)

    kills = sum(_run_and_kill(root, table, dice.uniform(0.0, WINDOW)) for _ in range(KILLS))
    _run_and_kill(root, table, None)

    rows = Session(warehouse=root / "lake").table("t").collect()
    found = Counter((row.file, row.row) for row in rows)
    expected = Counter((str(number), str(row)) for number in range(BATCHES) for row in range(3))
    return Killed(kills, (expected - found).total(), (found - expected).total())


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

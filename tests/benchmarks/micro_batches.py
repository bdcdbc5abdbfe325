"""What a micro-batch costs by itself: one tiny file into a Delta table, again and again.

Run in a process of its own: `python -m tests.benchmarks.micro_batches BATCHES`. The time of a batch
is that between its commit and the one before, so that planning and discovery count too.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

TARGET_MS = 150
SLICE = 100
"""Batches of which the median is taken, at the beginning and at the end."""


@dataclass(frozen=True, slots=True)
class Overhead:
    """Median milliseconds of a batch: the first ones and the last ones; and the longest."""

    first: float
    last: float
    longest: float


def measure_overhead(batches: int) -> Overhead:
    """Run a stream of so many batches in a new process."""
    command = [sys.executable, "-m", "tests.benchmarks.micro_batches", str(batches)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    times = [float(line) for line in done.stdout.split()]
    return Overhead(median(times[:SLICE]), median(times[-SLICE:]), max(times))


def batch_times(folder: Path, batches: int) -> list[float]:
    """Run the stream; give the milliseconds of every batch but the first."""
    from ingest import Session

    landing, checkpoint = folder / "landing", folder / "checkpoint"
    landing.mkdir()
    for number in range(batches):
        (landing / f"{number:06}.csv").write_text(f"id,name\n{number},n{number}\n")
    query = (
        Session(warehouse=folder)
        .readStream.format("cloudFiles")
        .option("cloudFiles.format", "csv")
        .option("cloudFiles.schemaLocation", folder / "schema")
        .option("cloudFiles.maxFilesPerTrigger", 1)
        .load(landing)
        .writeStream.option("checkpointLocation", checkpoint)
        .trigger(availableNow=True)
        .toTable("t")
    )
    query.awaitTermination()
    commits = [checkpoint / "commits" / str(number) for number in range(batches)]
    return [
        (after.stat().st_mtime_ns - before.stat().st_mtime_ns) / 1e6
        for before, after in pairwise(commits)
    ]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        print(*batch_times(Path(place), int(sys.argv[1])), sep="\n")

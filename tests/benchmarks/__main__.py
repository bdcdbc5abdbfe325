"""Compare with peers, back to back in one call: `python -m tests.benchmarks [--quick|--smoke]`.

Contender and peer run in turn (A B A B …), each in a process of its own: median wall ratio, CPU
seconds (user + sys of the whole process, start-up included) and peak memory. Ratios are what
counts; absolute times on a shared machine mean nothing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from tests.benchmarks.csv_data import write_csv_files

if TYPE_CHECKING:
    import resource

DATA = Path(__file__).parent / "data"
CASES = {
    "CSV typed, clean": ("ours_csv_typed", "duckdb_csv_typed", 1.05),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """One run of one process: seconds and megabytes."""

    wall: float
    cpu: float
    peak: float


def main() -> None:
    """Run every case and print a line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="20 MB instead of 200 MB")
    parser.add_argument("--smoke", action="store_true", help="2 MB, one round: does it run?")
    arguments = parser.parse_args()
    megabytes, rounds = (2, 1) if arguments.smoke else (20, 3) if arguments.quick else (200, 5)
    folder = DATA / f"csv-{megabytes}"
    write_csv_files(folder, megabytes=megabytes)
    print(
        f"{'case':<20} {'ours/peer wall':>15} {'CPU':>6} {'target':>7}"
        f" {'ours CPU s':>11} {'peer CPU s':>11} {'ours MB':>8} {'peer MB':>8}"
    )
    for case, (ours, peer, target) in CASES.items():
        pairs = [(measure(ours, folder), measure(peer, folder)) for _ in range(rounds)]
        wall = median(a.wall / b.wall for a, b in pairs)
        cpu = median(a.cpu / b.cpu for a, b in pairs)
        a, b = pairs[-1]
        print(
            f"{case:<20} {wall:>15.2f} {cpu:>6.2f} {target:>7.2f}"
            f" {a.cpu:>11.2f} {b.cpu:>11.2f} {a.peak:>8.0f} {b.peak:>8.0f}"
        )


def measure(contender: str, data: Path) -> Measured:
    """Run a contender in a process of its own, its output in a new folder that is removed."""
    with tempfile.TemporaryDirectory() as output:
        command = [sys.executable, "-m", "tests.benchmarks.contenders", "prepare", contender]
        subprocess.run([*command, str(data), output], check=True)
        command[3] = "run"
        started = time.perf_counter()
        process = subprocess.Popen([*command, str(data), output])
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{contender} ended with {process.returncode}")
        shutil.rmtree(output, ignore_errors=True)
        Path(output).mkdir()
    return Measured(wall, _cpu(used), used.ru_maxrss / 1024)


def _cpu(used: resource.struct_rusage) -> float:
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()

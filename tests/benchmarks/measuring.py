"""Run a process of its own and tell what it took."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median


@dataclass(frozen=True, slots=True)
class Runner:
    """A module that is run as `python -m MODULE run NAME DATA OUT`.

    `prepare` in place of `run` comes first where `prepares`; it is not measured.
    """

    module: str
    name: str
    python: str = sys.executable
    prepares: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """One run of one process: seconds and megabytes."""

    wall: float
    cpu: float
    peak: float


@dataclass(frozen=True, slots=True)
class Compared:
    """Medians over the rounds: ratios of ours to the peer's, and what each took."""

    wall: float
    cpu: float
    ours: Measured
    peer: Measured


def compare(ours: Runner, our_data: Path, peer: Runner, its_data: Path, *, rounds: int) -> Compared:
    """Run both in turn, A B A B …"""
    pairs = [(measure(ours, our_data), measure(peer, its_data)) for _ in range(rounds)]
    return Compared(
        median(a.wall / b.wall for a, b in pairs),
        median(a.cpu / b.cpu for a, b in pairs),
        _median([a for a, _ in pairs]),
        _median([b for _, b in pairs]),
    )


def measure(runner: Runner, data: Path) -> Measured:
    """Run in a new output folder, which is removed."""
    with tempfile.TemporaryDirectory() as output:
        command = [runner.python, "-m", runner.module]
        what = [runner.name, str(data), output]
        if runner.prepares:
            subprocess.run([*command, "prepare", *what], check=True)
        measured = measure_command([*command, "run", *what])
        shutil.rmtree(output, ignore_errors=True)
        Path(output).mkdir()
    return measured


def measure_command(command: list[str]) -> Measured:
    """Run a command to its end; whole process, start-up included."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return Measured(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def _median(runs: list[Measured]) -> Measured:
    return Measured(
        median(run.wall for run in runs),
        median(run.cpu for run in runs),
        median(run.peak for run in runs),
    )

"""What known files cost: a start, an idle listing, one with a few new files, memory, state on disk.

Steps run in processes of their own: `python -m tests.benchmarks.discovery STEP FOLDER FILES`.
`listing` lists again and again as a stream that goes on does; its peer is `os.scandir` with `stat`
of every file, which is what finding changed files takes without a memory.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from tests.benchmarks.measuring import Measured, measure_command

if TYPE_CHECKING:
    from collections.abc import Callable

IDLE_TARGET = 0.05
START_TARGET = 3.0
PER_FOLDER = 500
NEW = 1000
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Listed:
    """CPU seconds of listings over known files, memory in megabytes, bytes of state a file."""

    idle_ratio: float
    idle: float
    peer: float
    first: float
    some_new: float
    peak: float
    state: float


def known_files(data: Path, files: int) -> Path:
    """Give a folder with so many files, all of them known to the checkpoint beside it."""
    folder = data / f"discovery-{files}"
    if not (folder / "ready").exists():
        _step("prepare", folder, files)
        (folder / "ready").touch()
    return folder


def measure_start(folder: Path, files: int) -> Measured:
    """Start a stream that finds nothing new, in a new process."""
    return measure_command(_command("start", folder, files))


def measure_listings(folder: Path, files: int) -> Listed:
    """List in a new process, in turn with the peer."""
    done = _step("listing", folder, files)
    return Listed(*(float(number) for number in done.split()))


def _command(step: str, folder: Path, files: int) -> list[str]:
    return [sys.executable, "-m", "tests.benchmarks.discovery", step, str(folder), str(files)]


def _step(step: str, folder: Path, files: int) -> str:
    done = subprocess.run(_command(step, folder, files), check=True, capture_output=True, text=True)
    return done.stdout


def prepare(folder: Path, files: int) -> None:
    """Run a stream over one file, then land empty ones and write them down as ingested."""
    from ingest.checkpoint import Checkpoint, PlannedBatch
    from ingest.file_entry import BatchId, SeqNum
    from ingest.file_state import open_file_state
    from ingest.landing import landing_folder

    landing = folder / "landing"
    landing.mkdir(parents=True, exist_ok=True)
    (landing / "first.csv").write_text("id,name\n1,a\n")
    start(folder)
    for number in range(files):
        place = landing / f"2030/{number // PER_FOLDER:05}"
        if number % PER_FOLDER == 0:
            place.mkdir(parents=True, exist_ok=True)
        os.close(os.open(f"{place}/part-{number:08}-a1b2c3d4.csv", os.O_CREAT | os.O_WRONLY))
    checkpoint = Checkpoint(folder / "checkpoint", "query")
    with open_file_state(checkpoint.file_state_path) as state:
        listed = landing_folder(str(landing)).list_files()
        state.discover(listed, allow_overwrites=False, include_existing=True, now_ms=0)
        checkpoint.plan(PlannedBatch(BatchId(1), SeqNum(1), state.latest()), now_ms=0)
        checkpoint.commit(BatchId(1))


def start(folder: Path) -> None:
    """Run the stream until it has taken what is there."""
    from ingest import Session

    query = (
        Session(warehouse=folder)
        .readStream.format("cloudFiles")
        .option("cloudFiles.format", "csv")
        .option("cloudFiles.schemaLocation", folder / "schema")
        .load(folder / "landing")
        .writeStream.option("checkpointLocation", folder / "checkpoint")
        .trigger(availableNow=True)
        .toTable("t")
    )
    query.awaitTermination()


def listing(folder: Path) -> Listed:
    """List until the memory of the folders holds, then measure idle listings and one with news."""
    from ingest.file_state import read_file_state
    from ingest.landing import landing_folder
    from ingest.listing import TICK, NewFileListing
    from ingest.stream_options import DiscoveryOptions

    base = folder / "landing"
    path = folder / "checkpoint" / "sources" / "0" / "file_state.db"
    options = DiscoveryOptions(
        path_glob_filter=None,
        allow_overwrites=False,
        include_existing_files=True,
        use_strict_globber=False,
        partition_columns=None,
    )
    with read_file_state(path) as state:
        files = NewFileListing(landing_folder(str(base)), state, options)
        first = _cpu(files.list_files)
        for _ in range(2):
            time.sleep(TICK)
            files.list_files()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        rounds = [(_cpu(files.list_files), _cpu(lambda: _scan(base))) for _ in range(ROUNDS)]
        new = [base / "2030" / f"{i % 10:05}" / f"new-{i}.csv" for i in range(NEW)]
        _land(new)
        try:
            some_new = _cpu(files.list_files)
        finally:
            _remove(new)
        known = state.latest()
    idle, peer = median(ours for ours, _ in rounds), median(its for _, its in rounds)
    ratio = median(ours / its for ours, its in rounds)
    return Listed(ratio, idle, peer, first, some_new, peak, path.stat().st_size / known)


def _land(paths: list[Path]) -> None:
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.touch()


def _remove(paths: list[Path]) -> None:
    for path in paths:
        path.unlink()


def _scan(folder: Path | str) -> int:
    count = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            found = entry.stat()
            count += _scan(entry.path) if entry.is_dir() else found.st_size >= 0
    return count


def _cpu(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


if __name__ == "__main__":
    step, place, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    match step:
        case "prepare":
            prepare(place, count)
        case "start":
            start(place)
        case _:
            found = listing(place)
            print(*(getattr(found, name) for name in Listed.__slots__))

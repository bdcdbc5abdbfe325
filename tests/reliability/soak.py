"""Files land at full speed while a stream under `processingTime` is killed and started again."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from ingest import Session

SCRIPT = """
import sys
from ingest import Session
root, table, kind = sys.argv[1:]
trigger = {"availableNow": True} if kind == "finish" else {"processingTime": "1 second"}
query = (Session(warehouse=root + "/lake").readStream.format("cloudFiles")
    .option("cloudFiles.format", "csv").option("cloudFiles.schemaLocation", root + "/schema")
    .option("cloudFiles.maxFilesPerTrigger", 1000).load(root + "/landing")
    .writeStream.format(table).option("checkpointLocation", root + "/checkpoint")
    .trigger(**trigger).toTable("t"))
query.awaitTermination()
"""
PER_FOLDER = 1000
LIVES = (5.0, 25.0)
"""Seconds after which a process is killed: at random between these."""


@dataclass(frozen=True, slots=True)
class Soaked:
    """What came of it; `peaks` is the most memory of each process, in MB, in order."""

    table: str
    files: int
    seconds: float
    kills: int
    peaks: tuple[int, ...]
    lost: int
    doubled: int

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled)

    def __str__(self) -> str:
        return (
            f"soak, {self.table}: {self.files} files in {self.seconds:.0f} s, {self.kills} kills,"
            f" rows lost {self.lost}, rows doubled {self.doubled}; peak memory of each process,"
            f" MB: {' '.join(map(str, self.peaks))}"
        )


@dataclass(slots=True)
class Stream:
    """The process; it is started again when its time is over."""

    root: Path
    table: str
    dice: random.Random
    peaks: list[int] = field(default_factory=list)
    kills: int = 0
    process: subprocess.Popen[bytes] | None = None
    dies_at: float = 0.0

    def tend(self) -> None:
        """Start it, note its memory, kill it: whatever is due."""
        if self.process is None:
            command = [sys.executable, "-c", SCRIPT, str(self.root), self.table, "go on"]
            self.process = subprocess.Popen(command)
            self.peaks.append(0)
            self.dies_at = time.monotonic() + self.dice.uniform(*LIVES)
        assert self.process.poll() is None, "the stream has failed"
        self.peaks[-1] = max(self.peaks[-1], _memory_mb(self.process.pid))
        if time.monotonic() >= self.dies_at:
            self.kill()

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process = None
        self.kills += 1


def soak(root: Path, table: str, *, files: int, seconds: float) -> Soaked:
    """Land the files, as many as the time allows, and count the rows when all is quiet."""
    (root / "landing").mkdir()
    _land(root, 0)
    stream, begun = Stream(root, table, random.Random(1)), time.monotonic()
    landed = 1
    while landed < files and time.monotonic() - begun < seconds:
        _land(root, landed)
        landed += 1
        if landed % 100 == 0:
            stream.tend()
    while time.monotonic() - begun < seconds and _known(root) < landed:
        stream.tend()
        time.sleep(0.2)
    if stream.process is not None:
        stream.kill()
    subprocess.run([sys.executable, "-c", SCRIPT, str(root), table, "finish"], check=True)
    ids = Session(warehouse=root / "lake").table("t").to_arrow().column("id").to_pylist()
    found, expected = Counter(map(int, ids)), Counter(range(landed))
    return Soaked(
        table,
        landed,
        time.monotonic() - begun,
        stream.kills,
        tuple(stream.peaks),
        (expected - found).total(),
        (found - expected).total(),
    )


def _land(root: Path, number: int) -> None:
    folder = root / "landing" / f"{number // PER_FOLDER:04}"
    if number % PER_FOLDER == 0:
        folder.mkdir()
    (folder / f"{number:07}.csv").write_text(f"id,text\n{number},some text\n")


def _known(root: Path) -> int:
    """Count the files of committed batches, by the last of them."""
    commits, offsets = (root / "checkpoint" / name for name in ("commits", "offsets"))
    done = [int(path.name) for path in commits.glob("[0-9]*")] if commits.exists() else []
    if not done:
        return 0
    last = (offsets / str(max(done))).read_text().splitlines()[-1]
    return int(last.partition('"seqNum":')[2].partition(",")[0])


def _memory_mb(pid: int) -> int:
    """Give a process's memory, 0 where the system does not tell it in a file."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(one.split()[1]) // 1024 for one in lines if one.startswith("VmHWM")), 0)

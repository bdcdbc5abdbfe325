"""Prove exactly-once at scale: `python -m tests.reliability --full [--kills N]` or `--soak N`.

`--full` crashes a stream at each durable effect, before and after it, in each world that moves
meanwhile; at pairs of effects; fills the disk and takes permissions away at each; and kills
processes at random. `--soak N` lands N files at full speed under `processingTime`, while the
process is killed and started again. Rows lost and rows doubled have to be 0.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tests.ingest.crash_sweep import (
    CHANGES,
    Table,
    Violation,
    failure_violations,
    pair_violations,
    violations,
)
from tests.ingest.crashes import Failure
from tests.ingest.kills import kill_at_random
from tests.reliability.soak import soak

if TYPE_CHECKING:
    from collections.abc import Iterable

HEAD = """\
| What | Table | Tried | Rows lost | Rows doubled | Other violations |
|---|---|---|---|---|---|"""
SECOND_EFFECTS = 12
"""Effects of the restart at which a second crash is tried."""


@dataclass(slots=True)
class Figures:
    """One row of the table."""

    what: str
    table: str
    tried: int = 0
    lost: int = 0
    doubled: int = 0
    other: int = 0

    def count(self, outcomes: Iterable[tuple[str, Violation | None]]) -> Figures:
        """Count outcomes, and tell of those that are wrong."""
        for name, wrong in outcomes:
            self.tried += 1
            if wrong is not None:
                self.lost += wrong.lost
                self.doubled += wrong.doubled
                self.other += not (wrong.lost or wrong.doubled)
                say(f"{self.table}: {name}: {wrong.text}")
        return self

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.other)

    def __str__(self) -> str:
        cells = (self.what, self.table, self.tried, self.lost, self.doubled, self.other)
        return f"| {' | '.join(map(str, cells))} |"


def full(root: Path, kills: int) -> bool:
    """Run everything for each table; print a row for each kind; tell whether all is well."""
    say(HEAD)
    is_well = True
    for table in Table:
        for row in _rows(root, table, kills):
            say(str(row))
            is_well = is_well and row.is_clean
    return is_well


def _rows(root: Path, table: Table, kills: int) -> Iterable[Figures]:
    name = table.value
    what = f"crash points, {len(CHANGES)} worlds"
    yield Figures(what, name).count(violations(root, CHANGES, table))
    yield Figures("pairs of crashes", name).count(pair_violations(root, table, SECOND_EFFECTS))
    failures = [failure_violations(root, table, one) for one in Failure if one is not Failure.CRASH]
    yield Figures("disk full, permission lost", name).count(chain(*failures))
    yield _kills(root, name, kills)


def _kills(root: Path, table: str, wanted: int) -> Figures:
    row, dice = Figures("SIGKILL at a random instant", table), random.Random(1)
    turn = 0
    while row.tried < wanted:
        killed = kill_at_random(root / f"{table}-{turn}", table, dice)
        row.tried += killed.kills
        row.lost += killed.lost
        row.doubled += killed.doubled
        turn += 1
    return row


def say(text: str) -> None:
    """Write a line at once: the rows take minutes."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    """Run what the arguments say; 1 when a row was lost or doubled."""
    parser = argparse.ArgumentParser(prog="python -m tests.reliability", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the whole sweep")
    parser.add_argument("--kills", type=int, default=50, help="processes killed by --full, a table")
    parser.add_argument("--soak", type=int, metavar="N", help="files that land under the soak")
    parser.add_argument("--seconds", type=float, default=600.0, help="stop landing after these")
    parser.add_argument("--table", choices=[table.value for table in Table], default="delta")
    given = parser.parse_args()
    memory = Path("/dev/shm")
    is_well = True
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as root:
        if given.full:
            is_well = full(Path(root), given.kills)
    if given.soak:
        with TemporaryDirectory() as root:
            result = soak(Path(root), given.table, files=given.soak, seconds=given.seconds)
        say(str(result))
        is_well = is_well and result.is_clean
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())

"""The crash sweep: each durable effect of a whole run, times what may change until the restart.

`test_crashes.py` runs a part of it, `python -m tests.reliability --full` all of it.
"""

from __future__ import annotations

import datetime as dt
import shutil
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from ingest.errors import IngestError
from ingest.stream_options import ReadLimit
from schema_store.errors import SchemaStoreError
from schema_store.evolution import EvolutionMode
from tests.ingest.crashes import CrashPoint, Failure, Moment, SimulatedCrashError, durable_effects
from tests.ingest.engine_world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


LOGS = ("offsets", "commits", "ledger", "refused")


def nothing_happens(_world: World) -> None:
    return


def file_lands_early(world: World) -> None:
    """Into a batch that is only partly filled, and first in the order."""
    world.land("early", {"id": 100}, at=0)


def limit_is_raised(world: World) -> None:
    world.limit = ReadLimit(100, None)
    world.land("late", {"id": 100}, at=50)


def limit_is_lowered(world: World) -> None:
    world.limit = ReadLimit(1, None)


def mode_is_changed(world: World) -> None:
    world.mode = EvolutionMode.RESCUE


def file_is_replaced(world: World) -> None:
    world.land("d", {"id": 40, "x": 4}, at=60)


def clock_goes_backwards(world: World) -> None:
    """By years, for the program and for the files that land."""
    world.now = dt.datetime(2001, 1, 1, tzinfo=dt.UTC)
    world.land("early", {"id": 100}, at=0)


CHANGES = [
    nothing_happens,
    file_lands_early,
    limit_is_raised,
    limit_is_lowered,
    mode_is_changed,
    file_is_replaced,
    clock_goes_backwards,
]


@dataclass(frozen=True, slots=True)
class Violation:
    """What is wrong after a restart, and how many rows are missing or too many."""

    text: str
    lost: int = 0
    doubled: int = 0


class Table(Enum):
    """Which table the rows go to."""

    PARQUET = "parquet"
    DELTA = "delta"


def new_world(root: Path, table: Table = Table.PARQUET) -> World:
    """Five files in three batches, the last one partly filled; the second one evolves."""
    world = World(root, limit=ReadLimit(2, None), delta=table is Table.DELTA)
    world.land("a", {"id": 1}, at=1)
    world.load()
    world.land("b", {"id": 2}, {"id": 20}, {"id": 21}, at=2)
    world.land("c", {"id": 3}, at=3)
    world.land("d", {"id": 4, "x": 4}, at=4)
    world.land("e", {"id": 5, "x": {}}, at=5)
    return world


def run_to(point: CrashPoint | None, world: World) -> int | None:
    """Run until the process dies at the point; give the number of effects if it does not."""
    with durable_effects(point) as effects:
        try:
            world.start_until_stable()
        except SimulatedCrashError:
            return None
    return effects.done


def log_entries(world: World) -> dict[Path, bytes]:
    """Give every entry of every log: nothing of it may ever change."""
    folders = [world.checkpoint / name for name in LOGS]
    folders += [world.root / "schema" / "_schemas"]
    folders += [world.table / "_manifest", world.table / "_delta_log"]
    return {
        path: path.read_bytes()
        for folder in folders
        if folder.exists()
        for path in folder.iterdir()
        if path.is_file() and not path.name.startswith((".", "_"))  # _last_checkpoint moves on
    }


def expected_ids(world: World, ids: list[Any]) -> Counter[Any]:
    """Give what has to be there: each landed id once; a replaced file in one of its versions."""
    expected = Counter({1: 1, 2: 1, 20: 1, 21: 1, 3: 1, 5: 1})
    expected[100] = sum(name in world.landed for name in ("early", "late"))
    was_replaced = world.landed["d"] == 60
    expected[40 if was_replaced and 40 in ids else 4] = 1
    return expected


def violation(world: World, before: dict[Path, bytes]) -> Violation | None:
    """Restart with fresh objects, and tell what is wrong then."""
    try:
        world.start_until_stable()
    except Exception as error:  # noqa: BLE001 - whatever it is, the restart has failed
        return Violation(f"the restart failed: {error!r}")
    try:
        ids = world.ids()
    except IngestError as error:
        return Violation(f"the table cannot be read: {error!r}")
    found, expected = Counter(ids), expected_ids(world, ids)
    if found != expected:
        lost, doubled = (expected - found).total(), (found - expected).total()
        return Violation(f"the table has {ids}", lost, doubled)
    offsets, commits = world.entries("offsets"), world.entries("commits")
    if offsets != list(range(len(offsets))) or commits != offsets:
        return Violation(f"offsets {offsets}, commits {commits}")
    after = log_entries(world)
    changed = [str(path) for path, content in before.items() if after.get(path) != content]
    return Violation(f"changed: {changed}") if changed else None


def count_effects(root: Path, table: Table = Table.PARQUET) -> int:
    effects = run_to(None, new_world(root / "count", table))
    assert effects is not None
    shutil.rmtree(root / "count")
    return effects


def points(root: Path, table: Table) -> list[CrashPoint]:
    """Give every point at which a run can die."""
    effects = range(count_effects(root, table))
    return [CrashPoint(effect, moment) for effect in effects for moment in Moment]


def crash_and_restart(
    root: Path, point: CrashPoint, change: Callable[[World], None], table: Table
) -> Violation | None:
    """Give what is wrong after a crash at this point and this change."""
    world = new_world(root, table)
    if run_to(point, world) is not None:
        return Violation(f"no crash at {point}")
    before = log_entries(world)
    change(world)
    return violation(world, before)


def crash_twice(
    root: Path, first: CrashPoint, second: CrashPoint, table: Table
) -> Violation | None:
    """Give what is wrong after a second crash, while the first one is being repaired."""
    world = new_world(root, table)
    run_to(first, world)
    file_lands_early(world)
    run_to(second, world)
    limit_is_raised(world)
    return violation(world, log_entries(world))


def fail_and_restart(
    root: Path, point: CrashPoint, failure: Failure, table: Table
) -> Violation | None:
    """Give what is wrong when the disk fails at this point, and is mended before the restart.

    The run has to say so in an error of ours (contract 10).
    """
    world = new_world(root, table)
    with durable_effects(point, failure) as effects:
        try:
            world.start_until_stable()
        except (IngestError, SchemaStoreError):
            pass
        except Exception as error:  # noqa: BLE001 - that is what must not come
            return Violation(f"it is told as {error!r}")
    if not effects.failed:
        return Violation(f"no failure at {point}")
    before = log_entries(world)
    file_lands_early(world)
    return violation(world, before)


def violations(
    root: Path, changes: list[Callable[[World], None]], table: Table = Table.PARQUET
) -> Iterator[tuple[str, Violation | None]]:
    """Sweep over all crash points and changes; give every outcome by name."""
    for change in changes:
        for point in points(root, table):
            with folder_of(root) as folder:
                wrong = crash_and_restart(folder, point, change, table)
            yield f"{change.__name__}, {point}", wrong


def pair_violations(
    root: Path, table: Table, seconds: int
) -> Iterator[tuple[str, Violation | None]]:
    """Sweep over pairs of crashes; the second one at one of the first effects of the restart."""
    for first in points(root, table):
        for effect in range(seconds):
            second = CrashPoint(effect, first.moment)
            with folder_of(root) as folder:
                wrong = crash_twice(folder, first, second, table)
            yield f"{first}, then {second}", wrong


def failure_violations(
    root: Path, table: Table, failure: Failure
) -> Iterator[tuple[str, Violation | None]]:
    """Sweep over all points at which the disk may fail."""
    for point in points(root, table):
        with folder_of(root) as folder:
            wrong = fail_and_restart(folder, point, failure, table)
        yield f"{failure.value}, {point}", wrong


@contextmanager
def folder_of(root: Path) -> Iterator[Path]:
    """Give a folder for one world, and remove it."""
    folder = Path(mkdtemp(dir=root))
    yield folder
    shutil.rmtree(folder)

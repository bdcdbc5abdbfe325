"""Every row exactly once, whenever the process dies and whatever happens until it is back.

Contract 7.4. The sweep: each durable effect of a whole run, before and after it, times what may
change in the world while the stream is down. The mutants at the end say that the sweep has teeth.
"""

from __future__ import annotations

import shutil
from collections import Counter
from enum import Enum
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import pytest

from ingest import stream
from ingest.checkpoint import Checkpoint, PlannedBatch, planned_batch
from ingest.delta.data_files import stream_files
from ingest.errors import IngestError
from ingest.file_entry import BatchId
from ingest.sinks import delta_table
from ingest.sinks.manifest import Manifest
from ingest.stream_options import ReadLimit
from schema_store.evolution import EvolutionMode
from tests.ingest.crashes import CrashPoint, Moment, SimulatedCrashError, durable_effects
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


CHANGES = [
    nothing_happens,
    file_lands_early,
    limit_is_raised,
    limit_is_lowered,
    mode_is_changed,
    file_is_replaced,
]


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
    expected[100] = sum((world.landing / name).exists() for name in ("early", "late"))
    was_replaced = (world.landing / "d").stat().st_mtime == 60
    expected[40 if was_replaced and 40 in ids else 4] = 1
    return expected


def violation(world: World, before: dict[Path, bytes]) -> str | None:
    """Restart with fresh objects, and tell what is wrong then."""
    try:
        world.start_until_stable()
    except Exception as error:  # noqa: BLE001 - whatever it is, the restart has failed
        return f"the restart failed: {error!r}"
    try:
        ids = world.ids()
    except IngestError as error:
        return f"the table cannot be read: {error!r}"
    if Counter(ids) != expected_ids(world, ids):
        return f"the table has {ids}"
    offsets, commits = world.entries("offsets"), world.entries("commits")
    if offsets != list(range(len(offsets))) or commits != offsets:
        return f"offsets {offsets}, commits {commits}"
    after = log_entries(world)
    changed = [str(path) for path, content in before.items() if after.get(path) != content]
    return f"changed: {changed}" if changed else None


def crash_and_restart(
    root: Path, point: CrashPoint, change: Callable[[World], None], table: Table
) -> str | None:
    """Give what is wrong after a crash at this point and this change."""
    world = new_world(root, table)
    if run_to(point, world) is not None:
        return f"no crash at {point}"
    before = log_entries(world)
    change(world)
    return violation(world, before)


def count_effects(root: Path, table: Table = Table.PARQUET) -> int:
    effects = run_to(None, new_world(root / "count", table))
    assert effects is not None
    return effects


def violations(
    root: Path, changes: list[Callable[[World], None]], table: Table = Table.PARQUET
) -> Iterator[str]:
    """Sweep over all crash points and changes; give every violation by name."""
    folders = count()
    points = [
        CrashPoint(effect, moment)
        for effect in range(count_effects(root, table))
        for moment in Moment
    ]
    for change in changes:
        for point in points:
            folder = root / str(next(folders))
            wrong = crash_and_restart(folder, point, change, table)
            shutil.rmtree(folder)
            if wrong is not None:
                yield f"{change.__name__}, {point}: {wrong}"


@pytest.fixture
def root() -> Iterator[Path]:
    """A folder in memory where there is one: the sweep syncs nothing, but opens many files."""
    memory = Path("/dev/shm")
    folder = Path(mkdtemp(dir=memory if memory.is_dir() else None))
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("table", Table)
def test_run_has_as_many_effects_as_its_steps(table: Table, root: Path) -> None:
    """One sidecar and version; state made and filled; per batch offset, data, entry, commit."""
    assert count_effects(root, table) == 1 + 2 + 3 * 4 + 2


@pytest.mark.parametrize("table", Table)
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_every_row_is_there_once_after_a_crash(
    change: Callable[[World], None], table: Table, root: Path
) -> None:
    assert list(violations(root, [change], table)) == []


@pytest.mark.parametrize("table", Table)
@pytest.mark.parametrize("moment", Moment)
def test_every_row_is_there_once_after_two_crashes(
    moment: Moment, table: Table, root: Path
) -> None:
    """The second one while the first one is being repaired."""
    found = []
    for first in range(count_effects(root, table)):
        for second in range(4):
            world = new_world(root / f"{first}.{second}", table)
            run_to(CrashPoint(first, moment), world)
            file_lands_early(world)
            run_to(CrashPoint(second, moment), world)
            limit_is_raised(world)
            found.append((first, second, violation(world, log_entries(world))))
    assert [one for one in found if one[2] is not None] == []


def test_first_version_is_there_once_after_a_crash_in_load(root: Path) -> None:
    found = []
    for moment in Moment:
        world = World(root / moment.value)
        world.land("a", {"id": 1})
        found.append(run_to(CrashPoint(0, moment), world))
        world.start_until_stable()
        found.append(len(world.store.versions()))
    assert found == [None, 1, None, 1]


# mutants: each of them must be caught


def commit_before_sink(patch: pytest.MonkeyPatch) -> None:
    run_batch = stream._run_batch  # noqa: SLF001 - the mutant of a step

    def mutant(run: stream.StreamRun, checkpoint: Checkpoint, batch: Any) -> Any:
        checkpoint.commit(batch.batch_id)
        return run_batch(run, checkpoint, batch)

    patch.setattr(stream, "_run_batch", mutant)


def no_write_ahead(patch: pytest.MonkeyPatch) -> None:
    plan, commit = Checkpoint.plan, Checkpoint.commit
    plans: dict[BatchId, PlannedBatch] = {}

    def late_plan(_self: Checkpoint, batch: PlannedBatch, *, now_ms: int) -> None:
        del now_ms
        plans[batch.batch_id] = batch

    def planning_commit(self: Checkpoint, batch_id: BatchId) -> None:
        plan(self, plans[batch_id], now_ms=0)
        commit(self, batch_id)

    patch.setattr(Checkpoint, "plan", late_plan)
    patch.setattr(Checkpoint, "commit", planning_commit)


def replan_instead_of_replay(patch: pytest.MonkeyPatch) -> None:
    plan = Checkpoint.plan

    def last_committed(self: Checkpoint) -> PlannedBatch | None:
        folder = self.location / "commits"
        ids = [int(path.name) for path in folder.glob("[0-9]*")] if folder.exists() else []
        return planned_batch(self.location, BatchId(max(ids))) if ids else None

    def plan_again(self: Checkpoint, batch: PlannedBatch, *, now_ms: int) -> None:
        (self.location / "offsets" / str(batch.batch_id)).unlink(missing_ok=True)
        plan(self, batch, now_ms=now_ms)

    patch.setattr(Checkpoint, "last_offset", last_committed)
    patch.setattr(Checkpoint, "plan", plan_again)


def sink_not_idempotent(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Manifest, "holds", lambda *_: False)
    patch.setattr(delta_table, "is_there", lambda *_: False)


def tidying_removes_what_counts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Manifest, "part_names", lambda _: frozenset())

    def of_no_batch(*given: Any, **settings: Any) -> list[tuple[Path, int]]:
        return [(path, 1 << 31) for path, _ in stream_files(*given, **settings)]

    patch.setattr(delta_table, "stream_files", of_no_batch)
    patch.setattr(delta_table, "_file_paths", lambda *_: frozenset())


@pytest.mark.parametrize("table", Table)
@pytest.mark.parametrize(
    "mutate",
    [
        commit_before_sink,
        no_write_ahead,
        replan_instead_of_replay,
        sink_not_idempotent,
        tidying_removes_what_counts,
    ],
    ids=lambda mutate: mutate.__name__,
)
def test_mutant_is_caught(
    mutate: Callable[[pytest.MonkeyPatch], None],
    table: Table,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mutate(monkeypatch)
    assert next(violations(root, [file_lands_early, limit_is_raised], table), None) is not None

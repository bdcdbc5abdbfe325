"""cleanSource: never before the commit and the retention, never what was not ingested."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from ingest.checkpoint import Checkpoint, PlannedBatch
from ingest.clean_source import RETRY_MS, SourceCleaner, check_move_destination
from ingest.errors import OptionConflictError
from ingest.file_entry import BatchId, SeqNum
from ingest.file_state import FileState, open_file_state
from ingest.landing import landing_folder
from ingest.stream_options import CleanSource, DeleteSource, KeepSource, MoveSource
from tests.ingest.crashes import CrashPoint, Moment, SimulatedCrashError, durable_effects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

DAY_MS = 86_400_000
COMMITTED_MS = 1_900_000_000_000
LATER_MS = COMMITTED_MS + 31 * DAY_MS
DELETE = DeleteSource(8 * 86_400)


class World:
    """A landing folder of three files: batch 0 has a and b, batch 1 has c."""

    def __init__(self, root: Path, files: FileState) -> None:
        self.root = root
        self.landing = root / "landing"
        self.archive = root / "archive"
        self.files = files
        self.checkpoint = Checkpoint(root / "checkpoint", "query")
        for second, name in enumerate(("a", "sub/b", "c"), start=1):
            path = self.landing / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)
            os.utime(path, (second, second))
        self.discover()
        self.plan(0, 0, 2)
        self.plan(1, 2, 3)

    @property
    def move(self) -> MoveSource:
        return MoveSource(0, self.archive)

    def discover(self) -> None:
        listed = landing_folder(str(self.landing)).list_files()
        self.files.discover(listed, allow_overwrites=False, include_existing=True, now_ms=1)

    def plan(self, batch: int, start: int, end: int) -> None:
        planned = PlannedBatch(BatchId(batch), SeqNum(start), SeqNum(end))
        self.checkpoint.plan(planned, now_ms=1)

    def commit(self, batch: int, at_ms: int = COMMITTED_MS) -> None:
        self.checkpoint.commit(BatchId(batch))
        path = self.checkpoint.location / "commits" / str(batch)
        os.utime(path, ns=(at_ms * 1_000_000, at_ms * 1_000_000))

    def cleaner(self, option: CleanSource) -> SourceCleaner:
        landing = landing_folder(str(self.landing))
        return SourceCleaner(landing, option, self.checkpoint, self.files)

    def clean(self, option: CleanSource, now_ms: int = LATER_MS) -> frozenset[str]:
        return self.cleaner(option).clean(now_ms=now_ms)

    def left(self) -> list[str]:
        return names_in(self.landing)

    def facts(self) -> list[tuple[str | None, str | None, int | None]]:
        return [
            (file.archive_mode, self._below(file.move_location), file.archived_ms)
            for file in self.files.all_files()
        ]

    def _below(self, moved_to: bytes | None) -> str | None:
        return None if moved_to is None else os.fsdecode(moved_to)[len(str(self.archive)) + 1 :]


def names_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with open_file_state(tmp_path / "checkpoint" / "files.db") as files:
        yield World(tmp_path, files)


def test_files_of_committed_batches_are_deleted_after_the_retention(world: World) -> None:
    world.commit(0)
    world.clean(DELETE)
    done = ("DELETE", None, LATER_MS)
    assert (world.left(), world.facts()) == (["c"], [done, done, (None, None, None)])


def test_nothing_is_deleted_while_the_retention_has_not_passed(world: World) -> None:
    world.commit(0)
    due_ms = COMMITTED_MS + 8 * DAY_MS
    world.clean(DELETE, due_ms - 1)
    before = world.left()
    world.clean(DELETE, due_ms)
    assert (before, world.left()) == (["a", "c", "sub/b"], ["c"])


def test_batches_are_cleaned_one_after_the_other(world: World) -> None:
    cleaner = world.cleaner(world.move)
    left = []
    for batch in (0, 1):
        world.commit(batch)
        cleaner.clean(now_ms=LATER_MS)
        left.append(world.left())
    assert left == [["c"], []]


def test_nothing_happens_when_it_is_off(world: World) -> None:
    world.commit(0)
    assert (world.clean(KeepSource()), len(world.left())) == (frozenset(), 3)


def test_setting_in_force_decides(world: World) -> None:
    world.commit(0)
    world.clean(KeepSource())
    world.clean(world.move)
    assert world.facts()[:2] == [("MOVE", "a", LATER_MS), ("MOVE", "sub/b", LATER_MS)]


def test_moved_files_keep_their_folders_content_and_time(world: World) -> None:
    world.commit(0)
    world.clean(world.move)
    moved = world.archive / "sub" / "b"
    assert (names_in(world.archive), moved.read_text(), moved.stat().st_mtime) == (
        ["a", "sub/b"],
        "sub/b",
        2,
    )


def test_moving_between_file_systems_copies(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    link = os.link

    def refuse(source: Any, target: Any) -> None:
        if os.fsencode(source).startswith(os.fsencode(world.landing)):
            raise OSError(18, "Invalid cross-device link")
        link(source, target)

    monkeypatch.setattr(os, "link", refuse)
    world.commit(0)
    world.clean(world.move)
    moved = world.archive / "sub" / "b"
    assert (world.left(), names_in(world.archive), moved.stat().st_mtime) == (
        ["c"],
        ["a", "sub/b"],
        2,
    )


def test_moving_never_replaces_what_is_there(world: World) -> None:
    world.archive.mkdir()
    (world.archive / "a").write_text("another")
    world.commit(0)
    world.clean(world.move)
    found = [(world.archive / name).read_text() for name in ("a", "a.1")]
    assert (found, world.facts()[0]) == (["another", "a"], ("MOVE", "a.1", LATER_MS))


def test_file_that_was_replaced_since_is_kept_and_told_of(world: World) -> None:
    (world.landing / "a").write_text("not ingested")
    world.commit(0)
    notices = world.clean(DELETE)
    assert (world.left(), ["not the file" in notice for notice in notices]) == (["a", "c"], [True])
    assert world.clean(DELETE) == frozenset()


def test_file_that_was_not_ingested_is_kept(tmp_path: Path) -> None:
    """Files that includeExistingFiles=false leaves out are in no batch."""
    with open_file_state(tmp_path / "checkpoint" / "files.db") as files:
        landing = tmp_path / "landing"
        landing.mkdir()
        (landing / "old").touch()
        files.discover(
            landing_folder(str(landing)).list_files(),
            allow_overwrites=False,
            include_existing=False,
            now_ms=1,
        )
        checkpoint = Checkpoint(tmp_path / "checkpoint", "query")
        checkpoint.plan(PlannedBatch(BatchId(0), SeqNum(0), SeqNum(1)), now_ms=1)
        checkpoint.commit(BatchId(0))
        cleaner = SourceCleaner(landing_folder(str(landing)), DELETE, checkpoint, files)
        cleaner.clean(now_ms=LATER_MS)
        assert names_in(landing) == ["old"]


def test_link_is_removed_and_what_it_leads_to_stays(world: World) -> None:
    target = world.root / "target"
    (world.landing / "a").rename(target)
    (world.landing / "a").symlink_to(target)
    world.commit(0)
    world.clean(world.move)
    assert (target.read_text(), (world.archive / "a").read_text()) == ("a", "a")
    assert not (world.archive / "a").is_symlink()


def test_file_that_cannot_be_removed_is_told_of_and_tried_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlink = os.unlink

    def refuse(path: Any, **settings: Any) -> None:
        if path == os.fsencode(world.landing / "a"):
            raise PermissionError(13, "Permission denied")
        unlink(path, **settings)

    world.commit(0)
    cleaner = world.cleaner(DELETE)
    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", refuse)
        notices = cleaner.clean(now_ms=LATER_MS)
    kept = world.left()
    cleaner.clean(now_ms=LATER_MS + 1)
    at_once = world.left()
    cleaner.clean(now_ms=LATER_MS + RETRY_MS)
    assert ["permission denied" in notice for notice in notices] == [True]
    assert (kept, at_once, world.left()) == (["a", "c"], ["a", "c"], ["c"])


def test_plan_waits_for_a_retention_that_became_longer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Any) -> None:
        raise PermissionError(13, "Permission denied", path)

    world.commit(0)
    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", refuse)
        world.clean(DELETE, COMMITTED_MS + 9 * DAY_MS)
    world.clean(DeleteSource(30 * 86_400), COMMITTED_MS + 10 * DAY_MS)
    kept = world.left()
    world.clean(DeleteSource(30 * 86_400), COMMITTED_MS + 30 * DAY_MS)
    assert (len(kept), world.left()) == (3, ["c"])


def _crash_points() -> list[CrashPoint]:
    return [CrashPoint(effect, moment) for effect in range(6) for moment in Moment]


@pytest.mark.parametrize("point", _crash_points(), ids=str)
@pytest.mark.parametrize("option", [lambda _: DELETE, lambda world: world.move])
@pytest.mark.parametrize("meanwhile", ["nothing", "replaced", "off"])
def test_after_a_crash_everything_is_removed_once_or_still_there(
    tmp_path: Path,
    point: CrashPoint,
    option: Callable[[World], CleanSource],
    meanwhile: str,
) -> None:
    path = tmp_path / "checkpoint" / "files.db"
    with durable_effects(None), open_file_state(path) as files:
        world = World(tmp_path, files)
        world.commit(0)
    with (
        durable_effects(point),
        suppress(SimulatedCrashError),
        open_file_state(path) as world.files,
    ):
        world.clean(option(world))
    kept = ["c"]
    if meanwhile == "replaced" and (world.landing / "a").exists():
        (world.landing / "a").unlink()
        (world.landing / "a").write_text("news")
        kept = ["a", "c"]
    with durable_effects(None), open_file_state(path) as world.files:
        if meanwhile == "off":
            world.clean(KeepSource())
        world.clean(option(world))
        modes = [mode for mode, _, _ in world.facts()]
    done = "MOVE" if isinstance(option(world), MoveSource) else "DELETE"
    assert world.left() == kept
    assert modes == [None if name in kept else done for name in ("a", "sub/b", "c")]
    if done == "MOVE":
        moved = [(world.archive / name).read_text() for name in ("a", "sub/b") if name not in kept]
        assert moved == [name for name in ("a", "sub/b") if name not in kept]


@pytest.mark.parametrize("target", ["landing", "landing/archive", "."])
def test_destination_and_landing_folder_must_lie_apart(target: str, tmp_path: Path) -> None:
    landing = landing_folder(str(tmp_path / "landing" / "*.csv"))
    with pytest.raises(OptionConflictError) as caught:
        check_move_destination(landing, MoveSource(0, tmp_path / target))
    assert caught.value.keys[1] == "cloudFiles.cleanSource.moveDestination"


def test_destination_beside_the_landing_folder_is_fine(tmp_path: Path) -> None:
    landing = landing_folder(str(tmp_path / "landing"))
    check_move_destination(landing, MoveSource(0, tmp_path / "landing_archive"))


def test_landing_folder_that_vanished_has_nothing_to_remove(world: World) -> None:
    world.commit(0)
    shutil.rmtree(world.landing)
    assert world.clean(DELETE) == frozenset()

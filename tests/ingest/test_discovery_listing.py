"""Listing again: what the memory of folders leaves out is never a new file (contract 7.2)."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

import ingest.folder_listing as listing_module
from ingest.errors import LandingFolderError
from ingest.file_state import open_file_state
from ingest.folder_listing import FolderLook, look_at_folder
from ingest.landing import landing_folder
from ingest.listing import FULL_INTERVAL, TICK, Moment, NewFileListing
from ingest.stream_options import DiscoveryOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ingest.file_entry import ListedFile

NAMES = ["a", "b", "c"]
FOLDERS = ["", "d", "e", "d/d", "d/e"]
GRAIN = 2
"""Seconds in a tick of the coarsest file system's clock."""


def options(
    *,
    overwrites: bool = False,
    max_file_age: float | None = None,
    backfill: float | None = None,
) -> DiscoveryOptions:
    return DiscoveryOptions(
        path_glob_filter=None,
        allow_overwrites=overwrites,
        include_existing_files=True,
        use_strict_globber=False,
        partition_columns=None,
        max_file_age=max_file_age,
        backfill_interval=backfill,
    )


@dataclass
class Known:
    """A file state in memory, and which folders it was asked about."""

    times: dict[bytes, int] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def unknown(self, folder: bytes, names: Sequence[bytes]) -> list[bytes]:
        self.asked.append(os.path.basename(os.fsdecode(folder)))  # noqa: PTH119 - a name of a test
        return [name for name in names if folder + b"/" + name not in self.times]

    def newest_ns(self) -> int | None:
        return max(self.times.values(), default=None)

    def discover(self, files: Sequence[ListedFile]) -> None:
        self.times |= {file.path: file.modified_ns for file in files}


class Watch:
    """A clock that goes only when it is told to; `steps` is what it was set by."""

    def __init__(self) -> None:
        self.seconds = 1000.0
        self.steps = 0.0

    def __call__(self) -> Moment:
        return Moment(self.seconds, self.system)

    @property
    def system(self) -> float:
        return 4_000_000_000.0 + self.seconds + self.steps


class CoarseDisk:
    """Real folders whose times are those of a coarse clock, which may go wrong by `skew`."""

    def __init__(self, watch: Watch, skew: float) -> None:
        self.watch = watch
        self.skew = skew
        self.ticks: dict[int, float] = {}
        self.meanwhile: Callable[[], None] | None = None

    def changed(self, *folders: Path) -> None:
        """Note that something came into these folders, or went."""
        for folder in folders:
            tick = (self.watch.system + self.skew) // GRAIN * GRAIN
            self.ticks[folder.stat().st_ino] = tick

    def look(self, path: bytes) -> FolderLook | None:
        found = look_at_folder(path)
        if found is None:
            return None
        tick = self.ticks.get(found.identity[1], 0.0)
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            meanwhile()
        return FolderLook(found.identity, (int(tick),), tick)


class Listings(RuleBasedStateMachine):
    """Files and folders come and go; a listing with a memory finds what one without finds."""

    @initialize(
        skew=st.sampled_from([0.0, -3600.0, 3600.0, 1.3]),
        modified_after=st.sampled_from([None, 50_000]),
    )
    def begin(self, skew: float, modified_after: int | None) -> None:
        memory = Path("/dev/shm")
        self.root = Path(mkdtemp(dir=memory if memory.is_dir() else None))
        self.base = self.root / "landing"
        for name in ("landing", "elsewhere"):
            (self.root / name).mkdir()
        self.watch = Watch()
        self.disk = CoarseDisk(self.watch, skew)
        self.known = Known()
        self.landing = landing_folder(str(self.base), modified_after_ms=modified_after)
        self.listing = NewFileListing(
            self.landing, self.known, options(), clock=self.watch, look=self.disk.look
        )

    @rule(folder=st.sampled_from(FOLDERS), name=st.sampled_from(NAMES), at=st.integers(0, 99))
    def land(self, folder: str, name: str, at: int) -> None:
        self._land(self._folder(folder), name, at)

    @rule(folder=st.sampled_from(FOLDERS), name=st.sampled_from(NAMES))
    def land_while_listing(self, folder: str, name: str) -> None:
        place = self._folder(folder)
        self.disk.meanwhile = lambda: self._land(place, name, 60) if place.is_dir() else None
        self.listing.list_files()
        self.disk.meanwhile = None

    @rule(folder=st.sampled_from(FOLDERS), name=st.sampled_from(NAMES), at=st.integers(0, 99))
    def touch(self, folder: str, name: str, at: int) -> None:
        path = self.base / folder / name
        if path.is_file():
            os.utime(path, (at, at))

    @rule(place=st.sampled_from([*FOLDERS[1:], *NAMES, "d/a", "d/d/b"]))
    def remove(self, place: str) -> None:
        path = self.base / place
        if path.is_dir() and not path.is_symlink():
            self.disk.changed(path.parent)
            shutil.rmtree(path)
        elif path.exists() or path.is_symlink():
            self.disk.changed(path.parent)
            path.unlink()

    @rule(source=st.sampled_from(["d", "e", "d/d", "a", "d/a"]), to=st.sampled_from(NAMES))
    def rename(self, source: str, to: str) -> None:
        old, new = self.base / source, self.base / to
        if (old.exists() or old.is_symlink()) and not (new.exists() or new.is_symlink()):
            self.disk.changed(old.parent, new.parent)
            old.rename(new)

    @rule(
        folder=st.sampled_from(FOLDERS),
        name=st.sampled_from([*NAMES, "d", "e"]),
        to=st.sampled_from(["elsewhere/x", "elsewhere", "landing", "landing/d", "landing/a"]),
    )
    def link(self, folder: str, name: str, to: str) -> None:
        path = self._folder(folder) / name
        if not (path.exists() or path.is_symlink()):
            path.symlink_to(self.root / to)
            self.disk.changed(path.parent)

    @rule(kind=st.sampled_from(["file", "folder", "nothing"]))
    def change_what_links_lead_to(self, kind: str) -> None:
        path = self.root / "elsewhere" / "x"
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        if kind == "file":
            path.touch()
        if kind == "folder":
            path.mkdir()
            self._land(path, "inside", 60)
        self.disk.changed(path.parent)

    @rule(seconds=st.sampled_from([0.0, 0.5, 2.0, 2.5, 10.0]))
    def wait(self, seconds: float) -> None:
        self.watch.seconds += seconds

    @rule(seconds=st.sampled_from([-4.0, -2.0, 2.0, 3600.0]), name=st.sampled_from(NAMES))
    def set_clock(self, seconds: float, name: str) -> None:
        self.watch.steps += seconds
        self._land(self.base, name, 60)
        self._check()

    @rule(takes=st.booleans())
    def calm_down(self, *, takes: bool) -> None:
        for _ in range(3):
            self.list_and_discover(takes=takes)
            self.watch.seconds += TICK

    @rule(takes=st.booleans())
    def list_and_discover(self, *, takes: bool) -> None:
        """List; what is not taken is withheld."""
        files = self._check()
        self.known.discover(files if takes else files[::2])

    def teardown(self) -> None:
        if hasattr(self, "root"):
            self._check()
            shutil.rmtree(self.root)

    def _check(self) -> list[ListedFile]:
        listed = [file for file in self.listing.list_files() if file.path not in self.known.times]
        everything = self.landing.list_files()
        assert listed == [file for file in everything if file.path not in self.known.times]
        return listed

    def _folder(self, name: str) -> Path:
        """Give the folder, made where it is not there; the nearest that can be."""
        path = self.base
        for part in name.split("/") if name else ():
            inner = path / part
            if not (inner.exists() or inner.is_symlink()):
                inner.mkdir()
                self.disk.changed(path, inner)
            if not inner.is_dir():
                return path
            path = inner
        return path

    def _land(self, folder: Path, name: str, at: int) -> None:
        path = folder / name
        if not (path.exists() or path.is_symlink()):
            path.touch()
            os.utime(path, (at, at))
            self.disk.changed(folder)


TestListings = Listings.TestCase
TestListings.settings = settings(
    max_examples=250,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@dataclass
class Story:
    """A landing folder that is listed again and again; each listing is discovered."""

    root: Path
    discovery: DiscoveryOptions
    known: Known = field(default_factory=Known)
    watch: Watch = field(default_factory=Watch)

    def __post_init__(self) -> None:
        self.listing = NewFileListing(
            landing_folder(str(self.root)), self.known, self.discovery, clock=self.watch
        )

    def names(self) -> list[str]:
        files = [file for file in self.listing.list_files() if file.path not in self.known.times]
        self.known.discover(files)
        return [os.fsdecode(file.path)[len(str(self.root)) + 1 :] for file in files]

    def calm_down(self) -> None:
        """List until every folder's times are old enough to be trusted."""
        for _ in range(2):
            self.names()
            self.watch.seconds += TICK
        self.names()
        self.known.asked.clear()


def touch(path: Path, at: float = 1) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, (at, at))


@pytest.fixture
def story(tmp_path: Path) -> Story:
    for name in ("a", "d/b", "d/e/c", "f/g"):
        touch(tmp_path / name)
    return Story(tmp_path, options())


def test_folders_without_news_are_not_listed_again(story: Story) -> None:
    story.calm_down()
    assert (story.names(), story.known.asked) == ([], [])


def test_only_the_folder_with_a_new_file_is_listed(story: Story) -> None:
    story.calm_down()
    touch(story.root / "d" / "new")
    assert (story.names(), story.known.asked) == (["d/new"], ["d"])


def test_folder_is_not_left_out_before_its_clocks_tick_is_over(story: Story) -> None:
    story.names()
    story.watch.seconds += TICK / 2
    story.names()
    story.known.asked.clear()
    story.names()
    assert sorted(story.known.asked) == sorted(["d", "e", "f", story.root.name])


def test_withheld_file_is_given_again_as_it_is_then(story: Story) -> None:
    story.calm_down()
    touch(story.root / "f" / "new", at=5)
    first = story.listing.list_files()
    story.watch.seconds += 10
    (story.root / "f" / "new").write_bytes(b"more")
    second = story.listing.list_files()
    assert ([file.size for file in first], [file.size for file in second]) == ([0], [4])


@pytest.mark.parametrize(("backfill", "seconds"), [(None, FULL_INTERVAL), (60.0, 60.0)])
def test_everything_is_listed_again_in_time(
    story: Story, backfill: float | None, seconds: float
) -> None:
    story = Story(story.root, options(backfill=backfill))
    story.calm_down()
    story.watch.seconds += seconds - 2 * TICK
    story.names()
    assert len(story.known.asked) == 4
    story.known.asked.clear()
    story.names()
    assert story.known.asked == []


def test_everything_is_listed_again_when_the_clock_was_set(story: Story) -> None:
    story.calm_down()
    story.watch.steps -= 3600
    story.names()
    assert len(story.known.asked) == 4


def test_overwritten_file_is_found_where_overwrites_are_allowed(tmp_path: Path) -> None:
    touch(tmp_path / "a")
    story = Story(tmp_path, options(overwrites=True))
    story.calm_down()
    os.utime(tmp_path / "a", (9, 9))
    assert [file.modified_ns for file in story.listing.list_files()] == [9_000_000_000]


def test_files_older_than_the_newest_by_more_than_max_file_age_are_left_out(
    tmp_path: Path,
) -> None:
    touch(tmp_path / "first", at=1)
    story = Story(tmp_path, options(max_file_age=10))
    first = story.names()
    touch(tmp_path / "newest", at=100)
    newest = story.names()
    for name, at in (("late", 89), ("in_time", 90)):
        touch(tmp_path / name, at=at)
    late = story.names()
    assert (first, newest, late) == (["first"], ["newest"], ["in_time"])
    assert [str(tmp_path / "late") in notice for notice in story.listing.notices] == [True]


def test_landing_folder_that_vanishes_is_an_error_that_names_it(story: Story) -> None:
    story.calm_down()
    shutil.rmtree(story.root)
    with pytest.raises(LandingFolderError) as caught:
        story.names()
    assert caught.value.where == str(story.root)


def test_sub_folder_that_vanishes_is_none(story: Story) -> None:
    story.calm_down()
    shutil.rmtree(story.root / "d")
    touch(story.root / "f" / "new")
    assert story.names() == ["f/new"]


def test_folder_that_comes_back_is_listed(story: Story) -> None:
    story.calm_down()
    shutil.rmtree(story.root / "d")
    story.names()
    touch(story.root / "d" / "new")
    assert story.names() == ["d/new"]


def test_renamed_folder_brings_new_files(story: Story) -> None:
    """Case F08: a file is its path."""
    story.calm_down()
    (story.root / "d").rename(story.root / "renamed")
    assert story.names() == ["renamed/b", "renamed/e/c"]


def test_single_file_is_listed(tmp_path: Path) -> None:
    touch(tmp_path / "a")
    listing = NewFileListing(landing_folder(str(tmp_path / "a")), Known(), options())
    assert [file.path for file in listing.list_files()] == [os.fsencode(tmp_path / "a")]


def test_link_whose_target_appears_is_found(story: Story, tmp_path_factory: Any) -> None:
    target = tmp_path_factory.mktemp("elsewhere") / "x"
    (story.root / "d" / "link").symlink_to(target)
    story.calm_down()
    target.touch()
    assert story.names() == ["d/link"]


def test_link_to_a_folder_that_becomes_a_file_is_found(story: Story, tmp_path_factory: Any) -> None:
    target = tmp_path_factory.mktemp("elsewhere") / "x"
    target.mkdir()
    (story.root / "d" / "link").symlink_to(target)
    story.calm_down()
    target.rmdir()
    target.touch()
    assert story.names() == ["d/link"]


def test_folder_whose_times_are_in_the_future_is_always_listed(story: Story) -> None:
    def later(path: bytes) -> FolderLook | None:
        found = look_at_folder(path)
        return found and FolderLook(found.identity, found.stamp, story.watch.system + 1000)

    landing = landing_folder(str(story.root))
    story.listing = NewFileListing(
        landing, story.known, story.discovery, clock=story.watch, look=later
    )
    story.calm_down()
    story.names()
    assert len(story.known.asked) == 4


ODD = [b"\xff\xfe.csv", b"a b.csv", b"[1].csv", b"*.csv", b"x\ny.csv", "é.csv".encode()]


def test_file_state_knows_odd_names_again(tmp_path: Path) -> None:
    """Contract 11.16."""
    landing = tmp_path / "landing"
    for name in ODD:
        touch(landing / os.fsdecode(name) / os.fsdecode(name))
    with open_file_state(tmp_path / "files.db") as files:
        listing = NewFileListing(landing_folder(str(landing)), files, options())
        first = listing.list_files()
        files.discover(first, allow_overwrites=False, include_existing=True, now_ms=1)
        found = (sorted(file.path for file in first), listing.list_files())
    base = os.fsencode(landing)
    assert found == (sorted(b"/".join((base, name, name)) for name in ODD), ())


def test_folder_of_very_many_files_is_looked_up_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing_module, "_TOGETHER", 3)
    for number in range(10):
        touch(tmp_path / str(number))
    story = Story(tmp_path, options())
    assert (sorted(story.names()), story.names()) == ([str(n) for n in range(10)], [])


def test_state_and_pipes_are_left_out(tmp_path: Path) -> None:
    """Contract 11.14."""
    for name in ("a", "state/metadata", "state/.lock", "state/offsets/0", "_hidden", ".x"):
        touch(tmp_path / name)
    os.mkfifo(tmp_path / "pipe")
    assert Story(tmp_path, options()).names() == ["a"]


def test_permission_that_is_lost_midway_is_an_error_that_names_the_folder(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    story.calm_down()
    touch(story.root / "d" / "new")
    scandir = os.scandir

    def refuse(path: Any) -> Any:
        if path == os.fsencode(story.root / "d"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refuse)  # permissions do not bind every user
        with pytest.raises(LandingFolderError) as caught:
            story.names()
    assert (caught.value.where, caught.value.found) == (
        str(story.root / "d"),
        "permission denied",
    )
    assert story.names() == ["d/new"]

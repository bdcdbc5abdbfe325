"""What wakes a stream that waits: somebody, time, the file system."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

import pytest
from watchdog.observers.api import BaseObserver

from ingest.wakeup import Alarm, Watch, watching

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONG = 30.0
"""Seconds that no test waits: something ends the wait, or its time limit fails it."""


@pytest.fixture
def rung() -> threading.Event:
    return threading.Event()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "in"
    found.mkdir()
    return found


@pytest.fixture
def watch(folder: Path, rung: threading.Event) -> Iterator[Watch]:
    with watching(bytes(folder), rung.set, excluded=frozenset({bytes(folder / "state")})) as found:
        yield found


def test_ring_ends_a_wait() -> None:
    alarm = Alarm()
    threading.Timer(0.01, alarm.ring).start()
    alarm.wait(LONG)


def test_ring_before_the_wait_is_kept() -> None:
    alarm = Alarm()
    alarm.ring()
    alarm.wait(LONG)


def test_ring_is_good_for_one_wait() -> None:
    alarm = Alarm()
    alarm.ring()
    alarm.wait(LONG)
    before = time.monotonic()
    alarm.wait(0.05)
    assert time.monotonic() - before >= 0.05


def test_ring_does_not_end_the_rest() -> None:
    alarm = Alarm()
    alarm.ring()
    before = time.monotonic()
    alarm.wait(LONG, rest=0.05)
    assert time.monotonic() - before >= 0.05


def test_stop_ends_the_rest_too() -> None:
    alarm = Alarm()
    threading.Timer(0.01, alarm.stop).start()
    alarm.wait(LONG, rest=LONG)
    assert alarm.is_stopped()


def test_wait_ends_when_nobody_is_there_any_more() -> None:
    alarm = Alarm(lambda: True)
    alarm.wait(LONG)
    assert alarm.is_stopped()


def test_new_file_rings(folder: Path, watch: Watch, rung: threading.Event) -> None:
    (folder / "a.csv").write_text("id\n1\n")
    assert (rung.wait(LONG), watch.check()) == (True, True)


def test_file_in_a_new_folder_rings(folder: Path, watch: Watch, rung: threading.Event) -> None:
    (folder / "new").mkdir()
    assert rung.wait(LONG)
    rung.clear()
    (folder / "new" / "a.csv").write_text("id\n1\n")
    assert (rung.wait(LONG), watch.check()) == (True, True)


def test_file_that_is_moved_in_rings(
    folder: Path, tmp_path: Path, watch: Watch, rung: threading.Event
) -> None:
    (tmp_path / "a.csv").write_text("id\n1\n")
    (tmp_path / "a.csv").rename(folder / "a.csv")
    assert (rung.wait(LONG), watch.check()) == (True, True)


def test_state_inside_and_removed_files_do_not_ring(
    folder: Path, watch: Watch, rung: threading.Event
) -> None:
    """Else a stream would wake itself for ever."""
    (folder / "a.csv").write_text("id\n1\n")
    assert rung.wait(LONG)
    time.sleep(0.2)  # for what is still to come of this file
    rung.clear()
    (folder / "state").mkdir()
    (folder / "state" / "0").write_text("v1")
    (folder / "a.csv").read_text()
    (folder / "a.csv").unlink()
    assert (rung.wait(0.3), watch.check()) == (False, True)


@pytest.mark.usefixtures("watch")
def test_lost_events_ring_and_are_told_once(
    rung: threading.Event, caplog: pytest.LogCaptureFixture
) -> None:
    log = logging.getLogger("watchdog.observers.inotify")
    for _ in range(2):
        log.warning("Inotify queue overflowed; reconciling recursive watches below %r", "in")
    told = [record.getMessage() for record in caplog.records if record.name == "ingest"]
    assert (rung.is_set(), len(told), "by listing" in told[0]) == (True, 1, True)


def test_watch_that_dies_is_told_once(
    watch: Watch, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BaseObserver, "is_alive", lambda _: False)
    checked = [watch.check(), watch.check()]
    monkeypatch.undo()
    told = [record.getMessage() for record in caplog.records]
    assert (checked, len(told), "by listing" in told[0]) == ([False, False], 1, True)


def test_folder_that_cannot_be_watched_is_listed_only(
    tmp_path: Path, rung: threading.Event, caplog: pytest.LogCaptureFixture
) -> None:
    missing = bytes(tmp_path / "missing" / "a.csv")
    with watching(missing, rung.set, excluded=frozenset()) as watch:
        assert not watch.check()
    assert ["by listing" in record.getMessage() for record in caplog.records] == [True]

"""When the next trigger begins."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from ingest.options import resolve_pacing
from ingest.options.pacing import PacingOptions
from ingest.pacing import Lull, pause, rest_after

AT_4_SECONDS = dt.datetime(2024, 5, 17, 12, 0, 4, tzinfo=dt.UTC)
GRID = Lull(interval=10, begun=AT_4_SECONDS, elapsed=1, has_files=False, due=None, is_eager=False)
ASAP = replace(GRID, interval=0, elapsed=0.1)


def test_triggers_begin_on_a_grid() -> None:
    assert pause(GRID) == 5


def test_grid_is_kept_while_files_wait() -> None:
    assert pause(replace(GRID, has_files=True, due=0.2)) == 5


def test_trigger_that_took_longer_than_the_interval_is_followed_at_once() -> None:
    assert pause(replace(GRID, elapsed=25)) == 0


def test_default_trigger_looks_every_half_second() -> None:
    assert pause(ASAP) == pytest.approx(0.4)


def test_default_trigger_goes_on_at_once_while_files_wait() -> None:
    assert pause(replace(ASAP, has_files=True)) == 0


def test_default_trigger_looks_when_a_file_becomes_quiet() -> None:
    assert pause(replace(ASAP, due=0.3)) == 0.3


def test_watched_stream_does_not_wait_for_the_interval() -> None:
    eager = replace(GRID, is_eager=True)
    waits = [pause(replace(eager, has_files=True)), pause(replace(eager, due=0.3)), pause(eager)]
    assert waits == [0, 0.3, 5]


def test_listing_takes_half_of_the_time_at_most() -> None:
    assert [rest_after(seconds) for seconds in (0.0, 0.3, 60.0)] == [0.02, 0.3, 1.0]


def test_configuration_of_the_session_decides() -> None:
    conf = {"ingest.watch": "TRUE", "ingest.settleTime": "2 seconds"}
    assert resolve_pacing(conf) == PacingOptions(is_watched=True, settle_seconds=2.0)


def test_nothing_is_watched_unless_asked_for() -> None:
    assert resolve_pacing({}) == PacingOptions(is_watched=False, settle_seconds=0.5)

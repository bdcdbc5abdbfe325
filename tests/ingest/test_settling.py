"""A file is taken when it has been quiet, whatever the clocks say (contract 7.2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.file_entry import ListedFile
from ingest.settling import NOTHING_SEEN, SKEW_SECONDS, ListingTime, Settled, settle

NOON = 1_700_000_000.0
SETTLE = 0.5


def file(*, size: int = 1, at: float, name: bytes = b"/in/a") -> ListedFile:
    return ListedFile(name, size, round((NOON + at) * 1e9))


def listing(*files: ListedFile, at: float, before: Settled | None = None) -> Settled:
    time = ListingTime(at, at + 0.01, round((NOON + at) * 1e9))
    seen = NOTHING_SEEN if before is None else before.waiting
    return settle(files, seen, seconds=SETTLE, at=time)


def test_old_file_is_quiet_at_once() -> None:
    assert listing(file(at=-60), at=0).quiet == (file(at=-60),)


def test_young_file_waits_for_a_second_listing() -> None:
    found = listing(file(at=0), at=0.1)
    assert found.quiet == ()
    assert found.next_due(SETTLE) == pytest.approx(0.61)


def test_file_that_did_not_change_for_the_settle_time_is_quiet() -> None:
    first = listing(file(at=0), at=0.1)
    assert listing(file(at=0), at=0.62, before=first).quiet == (file(at=0),)


def test_listing_that_comes_too_early_lets_it_wait_on() -> None:
    first = listing(file(at=0), at=0.1)
    second = listing(file(at=0), at=0.4, before=first)
    assert (second.quiet, second.waiting) == ((), first.waiting)


@pytest.mark.parametrize("changed", [file(at=0, size=2), file(at=0.3)])
def test_file_that_changes_starts_anew(changed: ListedFile) -> None:
    first = listing(file(at=0), at=0.1)
    second = listing(changed, at=0.7, before=first)
    assert second.quiet == ()
    assert second.next_due(SETTLE) == pytest.approx(1.21)


def test_file_of_the_future_is_quiet_when_it_does_not_change() -> None:
    first = listing(file(at=3600), at=0)
    second = listing(file(at=3600), at=0.6, before=first)
    assert (first.quiet, second.quiet) == ((), (file(at=3600),))


def test_file_systems_clock_is_not_believed_of_a_file_that_was_seen_changing() -> None:
    """Its clock is a minute behind: the file looks old while it grows."""
    first = listing(file(at=0), at=0.1)
    second = listing(file(at=-60, size=2), at=0.2, before=first)
    third = listing(file(at=-60, size=2), at=0.3, before=second)
    assert (second.quiet, third.quiet) == ((), ())


def test_without_a_settle_time_every_file_is_quiet() -> None:
    time = ListingTime(0.0, 0.0, round(NOON * 1e9))
    assert settle([file(at=0)], NOTHING_SEEN, seconds=0.0, at=time).quiet == (file(at=0),)


def test_file_that_is_gone_is_forgotten() -> None:
    first = listing(file(at=0), at=0.1)
    assert listing(at=0.2, before=first).waiting == {}


@given(
    writes=st.lists(st.floats(0.01, 1.5), min_size=1, max_size=6),
    pauses=st.lists(st.floats(0.0, 1.0), min_size=1, max_size=12),
    skew=st.floats(-SKEW_SECONDS, 10),
)
def test_file_that_is_taken_was_quiet_for_the_settle_time(
    writes: list[float], pauses: list[float], skew: float
) -> None:
    """Somebody appends now and then; the file system's clock is behind by the margin, or ahead."""
    moments = [sum(writes[: i + 1]) for i in range(len(writes))]
    found: Settled | None = None
    now = 0.0
    for pause in pauses:
        now += pause
        done = [moment for moment in moments if moment <= now]
        seen = [file(at=done[-1] + skew, size=len(done))] if done else []
        found = listing(*seen, at=now, before=found)
        if found.quiet:
            assert now - done[-1] >= SETTLE - 1e-6

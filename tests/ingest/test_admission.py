"""Admission: how much one micro-batch takes (contract 7.1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.admission import admit
from ingest.file_entry import FileEntry, SeqNum
from ingest.stream_options import ReadLimit

GIB = 1 << 30

waiting_files = st.lists(st.integers(0, 20), max_size=12).map(
    lambda sizes: tuple(entry(i, size) for i, size in enumerate(sizes, start=1))
)
limits = st.builds(ReadLimit, st.none() | st.integers(1, 15), st.none() | st.integers(1, 100))


def entry(number: int, size: int) -> FileEntry:
    return FileEntry(SeqNum(number), b"/in/%d" % number, size, 0)


@pytest.mark.parametrize(
    ("sizes", "limit", "expected"),
    [
        ([1, 1, 1], ReadLimit(2, None), 2),
        ([1, 1, 1], ReadLimit(None, None), 3),
        ([3 * GIB] * 5, ReadLimit(1000, 10 * GIB), 4),  # the documented example: 12 GB
        ([3 * GIB] * 5, ReadLimit(2, 10 * GIB), 2),  # whichever is reached first
        ([5, 5, 5], ReadLimit(None, 10), 2),
        ([100], ReadLimit(None, 10), 1),
        ([0, 0, 5], ReadLimit(None, 5), 3),
        ([], ReadLimit(1, 1), 0),
    ],
)
def test_admit_takes_up_to_the_limit(sizes: list[int], limit: ReadLimit, expected: int) -> None:
    waiting = [entry(i, size) for i, size in enumerate(sizes, start=1)]
    assert len(admit(waiting, limit)) == expected


@given(waiting_files, limits)
def test_admit_takes_a_prefix(waiting: tuple[FileEntry, ...], limit: ReadLimit) -> None:
    taken = admit(waiting, limit)
    assert taken == waiting[: len(taken)]


@given(waiting_files, limits)
def test_admit_always_goes_on(waiting: tuple[FileEntry, ...], limit: ReadLimit) -> None:
    assert bool(admit(waiting, limit)) == bool(waiting)


@given(waiting_files, limits)
def test_admit_stays_within_the_limit_but_for_the_last_file(
    waiting: tuple[FileEntry, ...], limit: ReadLimit
) -> None:
    taken = admit(waiting, limit)
    before_last = sum(one.size for one in taken[:-1])
    assert limit.files is None or len(taken) <= limit.files
    assert limit.size is None or before_last < limit.size or not taken[:-1]


@given(waiting_files, limits)
def test_admit_leaves_nothing_that_fits(waiting: tuple[FileEntry, ...], limit: ReadLimit) -> None:
    taken = admit(waiting, limit)
    by_files = limit.files is not None and len(taken) == limit.files
    by_size = limit.size is not None and sum(one.size for one in taken) >= limit.size
    assert len(taken) == len(waiting) or by_files or by_size


@given(waiting_files, limits)
def test_admit_reads_no_further_than_it_takes(
    waiting: tuple[FileEntry, ...], limit: ReadLimit
) -> None:
    rest = iter(waiting)
    taken = admit(rest, limit)
    assert tuple(rest) == waiting[len(taken) :]

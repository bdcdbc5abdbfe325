"""The state of all files ever seen: numbers for good, each path once (contract 7.1, 7.3)."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.errors import DamagedCheckpointError, StateNotWritableError
from ingest.file_entry import FileEntry, ListedFile, SeqNum
from ingest.file_state import FORMAT_VERSION, FileState, open_file_state, read_file_state

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MEMORY = Path(":memory:")
A1, A2, B1 = (ListedFile(b"/in/a", 10, 1), ListedFile(b"/in/a", 20, 2), ListedFile(b"/in/b", 5, 1))

listings = st.lists(
    st.dictionaries(
        st.sampled_from([b"/in/a", b"/in/b", b"/in/\xff", b"/in/d"]),
        st.tuples(st.integers(0, 9), st.integers(0, 3)),
    ).map(lambda files: [ListedFile(path, size, at) for path, (size, at) in files.items()]),
    max_size=5,
)


@pytest.fixture
def state(tmp_path: Path) -> Iterator[FileState]:
    with open_file_state(tmp_path / "files.db") as files:
        yield files


def discover(
    files: FileState,
    listed: Sequence[ListedFile],
    *,
    overwrites: bool = False,
    existing: bool = True,
) -> int:
    return files.discover(
        listed, allow_overwrites=overwrites, include_existing=existing, now_ms=1000
    )


def everything(files: FileState) -> list[FileEntry]:
    return list(files.between(SeqNum(0), files.latest()))


def test_discover_numbers_files_from_one_in_the_order_given(state: FileState) -> None:
    discover(state, [B1, A1])
    assert everything(state) == [
        FileEntry(SeqNum(1), b"/in/b", 5, 1),
        FileEntry(SeqNum(2), b"/in/a", 10, 1),
    ]


def test_discover_counts_what_is_new(state: FileState) -> None:
    assert [discover(state, [A1]), discover(state, [A1, B1]), discover(state, [A1, B1])] == [
        1,
        1,
        0,
    ]


def test_replaced_file_is_known_unless_overwrites_are_allowed(state: FileState) -> None:
    """Case F04."""
    discover(state, [A1])
    assert [discover(state, [A2]), discover(state, [A2], overwrites=True)] == [0, 1]


def test_old_version_that_comes_back_is_new_again(state: FileState) -> None:
    for listed in ([A1], [A2], [A1]):
        discover(state, listed, overwrites=True)
    assert [entry.modified_ns for entry in everything(state)] == [1, 2, 1]


def test_entry_is_superseded_by_a_later_one_of_its_path(state: FileState) -> None:
    for listed in ([A1, B1], [A2]):
        discover(state, listed, overwrites=True)
    assert [state.is_superseded(entry) for entry in everything(state)] == [True, False, False]


def test_existing_files_are_skipped_at_the_first_discovery_only(state: FileState) -> None:
    discover(state, [A1], existing=False)
    discover(state, [A1, B1], existing=False)
    assert (state.first_offset(), state.latest()) == (1, 2)


def test_existing_files_count_when_the_first_discovery_included_them(state: FileState) -> None:
    discover(state, [A1], existing=True)
    discover(state, [A1, B1], existing=False)
    assert state.first_offset() == 0


def test_first_discovery_of_an_empty_folder_is_the_first_one(state: FileState) -> None:
    discover(state, [], existing=False)
    discover(state, [A1], existing=False)
    assert state.first_offset() == 0


def test_outstanding_counts_files_and_bytes_after_a_number(state: FileState) -> None:
    discover(state, [A1, B1])
    assert [state.outstanding(SeqNum(n)) for n in (0, 1, 2)] == [(2, 15), (1, 5), (0, 0)]


def test_outstanding_follows_the_batches_and_new_files(state: FileState) -> None:
    discover(state, [A1, B1])
    before = [state.outstanding(SeqNum(after)) for after in (0, 1, 2, 0, 1)]
    discover(state, [ListedFile(b"/in/c", 7, 1)])
    after = [state.outstanding(SeqNum(after)) for after in (1, 3, 9)]
    assert (before, after) == (
        [(2, 15), (1, 5), (0, 0), (2, 15), (1, 5)],
        [(2, 12), (0, 0), (0, 0)],
    )


def test_all_files_tell_when_they_were_discovered(state: FileState) -> None:
    discover(state, [A1])
    assert [(file.entry.path, file.discovered_ms) for file in state.all_files()] == [
        (b"/in/a", 1000)
    ]


def test_state_is_there_after_it_was_closed(tmp_path: Path) -> None:
    path = tmp_path / "sources" / "0" / "files.db"
    with open_file_state(path) as files:
        discover(files, [A1], existing=False)
    with open_file_state(path) as files:
        found = (discover(files, [A1, B1]), files.first_offset(), len(everything(files)))
    assert found == (1, 1, 2)


def test_two_that_make_the_state_at_once_both_have_it(tmp_path: Path) -> None:
    def latest(_: int) -> int:
        with open_file_state(tmp_path / "files.db") as files:
            return files.latest()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(latest, range(8))) == [0] * 8


def test_discovery_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "files.db"
    with (
        open_file_state(path) as files,
        pytest.raises(OverflowError),
    ):
        discover(files, [A1, ListedFile(b"/in/b", 2**70, 1)])
    with open_file_state(path) as files:
        assert (everything(files), discover(files, [A1])) == ([], 1)


def test_file_that_is_no_database_is_an_error_with_facts(tmp_path: Path) -> None:
    path = tmp_path / "files.db"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(DamagedCheckpointError) as caught, open_file_state(path):
        pass
    assert (caught.value.where, "not a database" in caught.value.found) == (str(path), True)


def test_damaged_pages_are_an_error_with_facts(tmp_path: Path) -> None:
    path = tmp_path / "files.db"
    with open_file_state(path) as files:
        discover(files, [ListedFile(b"/in/%d" % i, i, i) for i in range(1000)])
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xaa" * (len(content) - 4096))
    with pytest.raises(DamagedCheckpointError) as caught, open_file_state(path) as files:
        discover(files, [A1])
    assert caught.value.where == str(path)


def test_state_of_a_newer_version_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "files.db"
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {FORMAT_VERSION + 1}")
    db.close()
    with pytest.raises(DamagedCheckpointError) as caught, open_file_state(path):
        pass
    assert (caught.value.found, "upgrade" in caught.value.remedy) == (
        f"file state of version {FORMAT_VERSION + 1}",
        True,
    )


def _version_1(path: Path, *files: ListedFile) -> None:
    db = sqlite3.connect(path)
    db.executescript(
        "CREATE TABLE files(seq INTEGER PRIMARY KEY, path BLOB NOT NULL, size INTEGER NOT NULL,"
        " modified_ns INTEGER NOT NULL, discovered_ms INTEGER NOT NULL);"
        "CREATE INDEX files_path ON files(path, seq);"
        "CREATE TABLE facts(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;"
        "INSERT INTO facts VALUES ('skip_to', 1); PRAGMA user_version = 1;"
    )
    rows = [(i, f.path, f.size, f.modified_ns, 7) for i, f in enumerate(files, start=1)]
    db.executemany("INSERT INTO files VALUES (?, ?, ?, ?, ?)", rows)
    db.commit()
    db.close()


@pytest.mark.parametrize("opened", [open_file_state, read_file_state])
def test_state_of_version_1_is_understood(opened: Any, tmp_path: Path) -> None:
    path = tmp_path / "files.db"
    odd = ListedFile(b"/in/d/\xff", 3, 9)
    _version_1(path, A1, odd)
    with opened(path) as files:
        found = (everything(files), files.first_offset(), files.newest_ns(), files.is_new)
        known = files.unknown(b"/in", [b"a", b"b"]), files.unknown(b"/in/d", [b"\xff"])
    assert found == (
        [FileEntry(SeqNum(1), b"/in/a", 10, 1), FileEntry(SeqNum(2), odd.path, 3, 9)],
        1,
        9,
        False,
    )
    assert known == ([b"b"], [])


def test_empty_state_of_version_1_is_understood(tmp_path: Path) -> None:
    _version_1(tmp_path / "files.db")
    with open_file_state(tmp_path / "files.db") as files:
        assert (files.newest_ns(), discover(files, [A1])) == (None, 1)


def test_report_changes_nothing_of_a_state_of_version_1(tmp_path: Path) -> None:
    path = tmp_path / "files.db"
    _version_1(path, A1)
    before = path.read_bytes()
    with read_file_state(path) as files:
        everything(files)
    assert path.read_bytes() == before


def test_unknown_names_are_those_never_discovered_in_that_folder(state: FileState) -> None:
    names = [b"%d" % number for number in range(2500)]
    discover(state, [ListedFile(b"/in/" + name, 1, 1) for name in names[::2]])
    found = [state.unknown(folder, names) for folder in (b"/in", b"/elsewhere", b"/i")]
    few = [state.unknown(b"/in", [b"0", b"1"]), state.unknown(b"/in", [])]
    assert (found, few) == ([names[1::2], names, names], [[b"1"], []])


def test_forgotten_files_are_unknown_and_numbers_go_on(state: FileState) -> None:
    old = [ListedFile(b"/in/%d" % number, 1, number) for number in range(1, 5)]
    discover(state, old)
    forgotten = state.forget(older_than_ns=4, up_to=SeqNum(2))
    assert (forgotten, state.unknown(b"/in", [b"1", b"2", b"3"])) == (2, [b"1", b"2"])
    state.forget(older_than_ns=9, up_to=SeqNum(9))
    assert (state.latest(), discover(state, [B1]), state.latest()) == (4, 1, 5)


def test_state_is_new_until_something_was_discovered(state: FileState) -> None:
    before = state.is_new
    discover(state, [])
    assert (before, state.is_new) == (True, False)


def test_place_that_cannot_be_written_is_an_error_with_facts(tmp_path: Path) -> None:
    (tmp_path / "sources").write_text("a file")
    path = tmp_path / "sources" / "0" / "files.db"
    with pytest.raises(StateNotWritableError) as caught, open_file_state(path):
        pass
    assert caught.value.where == str(path)


@given(found=listings, overwrites=st.booleans())
def test_numbers_have_no_gaps(found: list[list[ListedFile]], *, overwrites: bool) -> None:
    with open_file_state(MEMORY) as files:
        counts = [discover(files, listed, overwrites=overwrites) for listed in found]
        numbers = [entry.seq_num for entry in everything(files)]
    assert numbers == list(range(1, sum(counts) + 1))


@given(listings)
def test_no_path_is_there_twice(found: list[list[ListedFile]]) -> None:
    with open_file_state(MEMORY) as files:
        for listed in found:
            discover(files, listed)
        paths = [entry.path for entry in everything(files)]
    assert sorted(paths) == sorted({file.path for listed in found for file in listed})


@given(listings)
def test_newest_entry_is_what_was_listed_last_when_overwrites_are_allowed(
    found: list[list[ListedFile]],
) -> None:
    with open_file_state(MEMORY) as files:
        for listed in found:
            discover(files, listed, overwrites=True)
        newest = {entry.path: entry.modified_ns for entry in everything(files)}
    assert newest == {file.path: file.modified_ns for listed in found for file in listed}

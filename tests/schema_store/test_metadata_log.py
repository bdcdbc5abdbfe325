from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import schema_store
from schema_store.errors import (
    ConcurrentWriteError,
    DamagedEntryError,
    EntryExistsError,
    EntryTooNewError,
    LocationNotReadableError,
    LocationNotWritableError,
    MissingEntryError,
)
from schema_store.metadata_log import MetadataLog, make_folder, put_if_absent

ROOT = Path(schema_store.__file__).parents[1]
RACER = """
import sys
from pathlib import Path
from schema_store.errors import EntryExistsError
from schema_store.metadata_log import put_if_absent
folder, me = Path(sys.argv[1]), sys.argv[2]
for number in range(30):
    try:
        put_if_absent(folder / str(number), (me * 1000).encode())
    except EntryExistsError:
        pass
    else:
        print(number)
"""


def no_hard_links(*_: object, **__: object) -> None:
    raise OSError(errno.EPERM, "Operation not permitted")


def test_put_writes_the_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    put_if_absent(tmp_path / "a" / "b" / "0", b"data")
    assert [(p.name, p.read_bytes()) for p in (tmp_path / "a" / "b").iterdir()] == [("0", b"data")]


def test_put_syncs_the_file_and_then_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bool] = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(stat.S_ISDIR(os.fstat(fd).st_mode)))
    put_if_absent(tmp_path / "0", b"data")
    assert synced == [False, True]


def test_put_refuses_a_name_that_is_taken(tmp_path: Path) -> None:
    put_if_absent(tmp_path / "0", b"first")
    with pytest.raises(EntryExistsError) as caught:
        put_if_absent(tmp_path / "0", b"second")
    assert caught.value.path == tmp_path / "0"
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("0", b"first")]


def test_put_works_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", no_hard_links)
    put_if_absent(tmp_path / "0", b"first")
    with pytest.raises(EntryExistsError):
        put_if_absent(tmp_path / "0", b"second")
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("0", b"first")]


def test_put_says_why_it_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(LocationNotWritableError) as caught:
        put_if_absent(tmp_path / "file" / "0", b"data")
    assert caught.value.path == tmp_path / "file" / "0"
    assert caught.value.reason


def test_put_leaves_nothing_when_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(LocationNotWritableError) as caught:
        put_if_absent(tmp_path / "0", b"data")
    assert caught.value.reason == "No space left on device"
    assert list(tmp_path.iterdir()) == []


def test_of_racing_processes_exactly_one_writes_each_entry(tmp_path: Path) -> None:
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(tmp_path), name],
            cwd=ROOT,  # `-c` imports from there
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in "abc"
    ]
    wins = {name: racer.communicate()[0].split() for name, racer in zip("abc", racers, strict=True)}
    written = {p.name: p.read_text() for p in tmp_path.iterdir()}
    assert written == {number: name * 1000 for name, won in wins.items() for number in won}
    assert len(written) == sum(len(won) for won in wins.values()) == 30


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=4))
def test_entries_read_back_as_written(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    log = MetadataLog(tmp_path_factory.mktemp("log"))
    for number, text in enumerate(texts):
        log.add(number, text)
    assert [log.get(number) for number in log.ids()] == texts
    assert log.latest() == ((len(texts) - 1, texts[-1]) if texts else None)


def test_an_entry_begins_with_its_version(tmp_path: Path) -> None:
    MetadataLog(tmp_path).add(0, '{"seqNum":1}')
    assert (tmp_path / "0").read_bytes() == b'v1\n{"seqNum":1}'


def test_reading_creates_nothing(tmp_path: Path) -> None:
    log = MetadataLog(tmp_path / "log")
    assert (log.latest(), log.get(0), log.ids()) == (None, None, ())
    log.require_no_gaps()
    assert list(tmp_path.iterdir()) == []


def test_adding_the_same_text_again_does_nothing(tmp_path: Path) -> None:
    log = MetadataLog(tmp_path)
    log.add(0, "text")
    log.add(0, "text")
    assert log.ids() == (0,)


def test_adding_another_text_is_refused(tmp_path: Path) -> None:
    log = MetadataLog(tmp_path)
    log.add(0, "text")
    with pytest.raises(ConcurrentWriteError) as caught:
        log.add(0, "other")
    assert caught.value.path == tmp_path / "0"
    assert log.get(0) == "text"


def test_ids_are_numbers_in_order_and_nothing_else(tmp_path: Path) -> None:
    for name in ("10", "9", "2", "01", "-1", "3.crc", ".4.crc", ".5.ab.tmp", "6.tmp", "x", "٣"):
        (tmp_path / name).write_text("v1\n")
    assert MetadataLog(tmp_path).ids() == (2, 9, 10)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"{}", "first line"),
        (b"v0\n", "first line"),
        (b"v1x\n", "first line"),
        (b"v1\n\xff", "UTF-8"),
    ],
)
def test_a_damaged_entry_is_told(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "0").write_bytes(data)
    with pytest.raises(DamagedEntryError) as caught:
        MetadataLog(tmp_path).latest()
    assert caught.value.path == tmp_path / "0"
    assert reason in caught.value.reason


def test_an_entry_of_a_later_release_is_refused(tmp_path: Path) -> None:
    (tmp_path / "0").write_text("v2\n{}")
    with pytest.raises(EntryTooNewError) as caught:
        MetadataLog(tmp_path).get(0)
    assert (caught.value.path, caught.value.version, caught.value.supported) == (
        tmp_path / "0",
        2,
        1,
    )


def test_an_entry_edited_on_windows_is_read(tmp_path: Path) -> None:
    (tmp_path / "0").write_bytes(b"v1\r\ntext")
    assert MetadataLog(tmp_path).get(0) == "text"


@pytest.mark.parametrize(("numbers", "missing"), [((1,), 0), ((0, 1, 3), 2)])
def test_a_gap_is_told(tmp_path: Path, numbers: tuple[int, ...], missing: int) -> None:
    log = MetadataLog(tmp_path)
    for number in numbers:
        log.add(number, "text")
    with pytest.raises(MissingEntryError) as caught:
        log.require_no_gaps()
    assert (caught.value.path, caught.value.follower) == (tmp_path / str(missing), numbers[-1])


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("")
    with pytest.raises(LocationNotReadableError) as caught:
        MetadataLog(tmp_path / "log").ids()
    assert caught.value.path == tmp_path / "log"


def test_an_entry_that_is_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "0").mkdir()
    with pytest.raises(LocationNotReadableError) as caught:
        MetadataLog(tmp_path).get(0)
    assert caught.value.path == tmp_path / "0"


def test_make_folder_syncs_the_folder_above_each_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(os.fstat(fd).st_ino))
    make_folder(tmp_path / "a" / "b")
    assert synced == [tmp_path.stat().st_ino, (tmp_path / "a").stat().st_ino]

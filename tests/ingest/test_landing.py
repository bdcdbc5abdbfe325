"""Listing the landing folder: what belongs to the stream, and what does not (contract 7.1)."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from ingest.errors import LandingFolderError
from ingest.landing import is_hidden, landing_folder


def listed(path: Path | str, **settings: Any) -> list[str]:
    """List a landing path; names below it, in order of the names."""
    landing = landing_folder(str(path), **settings)
    base = os.fsencode(landing.base) + b"/"
    return sorted(os.fsdecode(file.path.removeprefix(base)) for file in landing.list_files())


def touch(path: Path, *, at: int = 1) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    os.utime(path, (at, at))
    return path


def test_hidden_and_temporary_names_are_left_out(tmp_path: Path) -> None:
    """Case F01."""
    names = [
        *("data.csv", "data.csv.tmp", "~lock.csv", "_part=7/in.csv", "sub/plain.csv"),
        *("_hidden.csv", ".dot.csv", "data.csv._COPYING_", "_SUCCESS", "sub/_deep/in.csv"),
    ]
    for name in names:
        touch(tmp_path / name)
    assert listed(tmp_path) == sorted(names[:5])


def test_data_below_a_hidden_folder_needs_a_path_that_names_it(tmp_path: Path) -> None:
    """Case F02."""
    touch(tmp_path / "_runs" / "r1" / "in.csv")
    assert (listed(tmp_path), listed(tmp_path / "_runs" / "*")) == ([], ["r1/in.csv"])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (b"a.csv", False),
        (b".a", True),
        (b"_a", True),
        (b"_a=1", False),
        (b"a._COPYING_", True),
        (b"._COPYING_", True),
        (b"_a=b._COPYING_", True),
        (b"a_", False),
    ],
)
def test_hidden_name(name: bytes, *, expected: bool) -> None:
    assert is_hidden(name) == expected


def test_files_are_ordered_by_time_then_path(tmp_path: Path) -> None:
    for name, at in (("b", 1), ("a", 2), ("c", 1), ("sub/a", 1)):
        touch(tmp_path / name, at=at)
    files = landing_folder(str(tmp_path)).list_files()
    names = [os.fsdecode(file.path)[len(str(tmp_path)) + 1 :] for file in files]
    assert names == ["b", "c", "sub/a", "a"]


def test_links_to_files_and_folders_are_followed(tmp_path: Path) -> None:
    touch(tmp_path / "elsewhere" / "a.csv")
    landing = tmp_path / "in"
    landing.mkdir()
    (landing / "file.csv").symlink_to(tmp_path / "elsewhere" / "a.csv")
    (landing / "folder").symlink_to(tmp_path / "elsewhere")
    assert listed(landing) == ["file.csv", "folder/a.csv"]


def test_links_in_a_loop_are_walked_once(tmp_path: Path) -> None:
    touch(tmp_path / "sub" / "a.csv")
    (tmp_path / "sub" / "up").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to(tmp_path / "self")
    assert listed(tmp_path) == ["sub/a.csv"]


def test_links_to_nothing_are_left_out(tmp_path: Path) -> None:
    touch(tmp_path / "a.csv")
    (tmp_path / "gone").symlink_to(tmp_path / "nothing")
    (tmp_path / "below_a_file").symlink_to(tmp_path / "a.csv" / "x")
    assert listed(tmp_path) == ["a.csv"]


def test_fifo_is_no_file(tmp_path: Path) -> None:
    touch(tmp_path / "a.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    assert listed(tmp_path) == ["a.csv"]


def test_socket_and_link_to_a_device_are_no_files(tmp_path: Path) -> None:
    touch(tmp_path / "a.csv")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        (tmp_path / "null.csv").symlink_to(os.devnull)
        assert listed(tmp_path) == ["a.csv"]


def test_pipe_as_a_landing_folder_is_refused_in_words(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LandingFolderError) as caught:
        listed(tmp_path / "pipe")
    assert (caught.value.where, "a pipe" in caught.value.found) == (str(tmp_path / "pipe"), True)


def test_sub_folder_that_vanishes_during_a_listing_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touch(tmp_path / "a.csv")
    touch(tmp_path / "sub" / "b.csv")
    scandir = os.scandir

    def vanish(path: Any) -> Any:
        if path == os.fsencode(tmp_path / "sub"):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", vanish)
    assert listed(tmp_path) == ["a.csv"]


@pytest.mark.parametrize("name", [b"\xff\xfe.csv", b"a b.csv", b"[1].csv", b"*.csv", b"x\ny.csv"])
def test_odd_names_are_files_like_any_other(name: bytes, tmp_path: Path) -> None:
    """Contract 11.16."""
    path = os.path.join(os.fsencode(tmp_path), name)  # noqa: PTH118 - not text
    Path(os.fsdecode(path)).touch()
    assert [file.path for file in landing_folder(str(tmp_path)).list_files()] == [path]


def test_state_folder_without_an_underscore_is_left_out(tmp_path: Path) -> None:
    """Contract 11.14, case F21."""
    touch(tmp_path / "a.csv")
    touch(tmp_path / "state" / "metadata")
    for name in ("offsets", "commits", "sources", "ledger", "refused"):
        touch(tmp_path / "state" / name / "0")
    touch(tmp_path / "_schemas" / "0")
    assert listed(tmp_path) == ["a.csv"]


def test_folder_named_like_a_checkpoints_file_is_data(tmp_path: Path) -> None:
    for name in (".lock", "metadata/0.csv", "sources/0.csv"):
        touch(tmp_path / name)
    assert listed(tmp_path) == ["metadata/0.csv", "sources/0.csv"]


def test_state_folder_is_left_out_from_its_first_moment_on(tmp_path: Path) -> None:
    for name in ("state/.lock", "state/metadata", "state/sources/0/file_state.db"):
        touch(tmp_path / name)
    assert listed(tmp_path) == []


def test_excluded_folder_is_left_out_whatever_links_lead_to_it(tmp_path: Path) -> None:
    touch(tmp_path / "data" / "table" / "part.parquet")
    (tmp_path / "link").symlink_to(tmp_path / "data")
    found = [
        landing_folder(str(tmp_path / landing)).without([tmp_path / table]).list_files()
        for landing, table in (("link", "data/table"), ("data", "link/table"))
    ]
    assert found == [(), ()]


def test_data_folder_named_like_state_is_data(tmp_path: Path) -> None:
    touch(tmp_path / "offsets" / "0")
    touch(tmp_path / "metadata")
    assert listed(tmp_path) == ["metadata", "offsets/0"]


def test_excluded_folders_and_files_are_left_out(tmp_path: Path) -> None:
    for name in ("a.csv", "table/part.parquet", "b.csv"):
        touch(tmp_path / name)
    landing = landing_folder(str(tmp_path)).without([tmp_path / "table", tmp_path / "b.csv"])
    assert [Path(os.fsdecode(file.path)).name for file in landing.list_files()] == ["a.csv"]


def test_single_file_is_a_landing_folder_of_one(tmp_path: Path) -> None:
    path = touch(tmp_path / "_a.csv")
    assert [file.path for file in landing_folder(str(path)).list_files()] == [os.fsencode(path)]


def test_path_glob_filter_narrows_by_name(tmp_path: Path) -> None:
    """Case F16."""
    for name in ("sale_a.csv", "sale_address_b.csv", "other.csv"):
        touch(tmp_path / name)
    found = (listed(tmp_path / "sale_a*"), listed(tmp_path / "sale_a*", name_glob="sale_a.csv"))
    assert found == (["sale_a.csv", "sale_address_b.csv"], ["sale_a.csv"])


def test_glob_that_matches_nothing_lists_nothing(tmp_path: Path) -> None:
    assert listed(tmp_path / "*.csv") == []


def test_very_deep_folders_are_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    depth = 1100
    monkeypatch.chdir(tmp_path)
    for _ in range(depth):
        Path("d").mkdir()
        os.chdir("d")
    Path("a.csv").touch()
    files = landing_folder(str(tmp_path)).list_files()
    Path("a.csv").unlink()
    for _ in range(depth):  # bottom-up: what removes trees does so by recursion
        os.chdir("..")
        Path("d").rmdir()
    assert len(files) == 1


def test_missing_folder_is_an_error_that_names_it(tmp_path: Path) -> None:
    missing = tmp_path / "nothing"
    with pytest.raises(LandingFolderError) as caught:
        landing_folder(str(missing)).list_files()
    assert (caught.value.where, caught.value.found) == (str(missing), "no such file or directory")


def test_unreadable_folder_is_an_error_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    scandir = os.scandir

    def refuse(path: Any) -> Any:
        if path == os.fsencode(locked):
            raise PermissionError(errno.EACCES, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)  # permissions do not bind every user
    with pytest.raises(LandingFolderError) as caught:
        landing_folder(str(tmp_path)).list_files()
    assert (caught.value.where, caught.value.found) == (str(locked), "permission denied")

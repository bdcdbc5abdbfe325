"""Paths of the user's, on this machine (contract 1.1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.errors import UnmappedPathError
from ingest.path_map import local_path


@pytest.mark.parametrize(
    ("text", "path_map", "expected"),
    [
        ("landing", {}, "landing"),
        ("/tmp/landing", {}, "/tmp/landing"),
        ("file:///tmp/a%20b", {}, "/tmp/a b"),
        ("file:/tmp/a", {}, "/tmp/a"),
        ("dbfs:/landing/day1", {"dbfs:/landing": "./in"}, "in/day1"),
        ("dbfs:/landing", {"dbfs:/landing/": "in"}, "in"),
        ("s3://bucket/a", {"s3://bucket": "in", "s3://bucket/a": "other"}, "other"),
        ("/Volumes/c/s/v/x", {"/Volumes/c/s/v": "/data"}, "/data/x"),
        ("abfss://c@a.dfs.core.windows.net/x", {"abfss://c@a.dfs.core.windows.net": "in"}, "in/x"),
        ("C:/landing", {}, "C:/landing"),
    ],
)
def test_local_path(text: str, path_map: dict[str, str], expected: str) -> None:
    assert local_path(text, path_map) == Path(expected)


@pytest.mark.parametrize(
    ("text", "path_map"),
    [
        ("dbfs:/landing2", {"dbfs:/landing": "in"}),  # a prefix ends with a folder's name
        ("s3://bucket/a", {}),
        ("/Volumes/no-such-catalog/s/v", {}),
        ("/mnt/no-such-mount/landing", {}),
    ],
)
def test_cloud_path_without_a_place_is_an_error_that_shows_the_map(
    text: str, path_map: dict[str, str]
) -> None:
    with pytest.raises(UnmappedPathError) as caught:
        local_path(text, path_map)
    assert (caught.value.where, "path_map" in caught.value.remedy) == (text, True)


def test_new_folder_on_a_mounted_disk_is_local(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On WSL and macOS, disks are below /mnt and /Volumes."""
    monkeypatch.setattr("ingest.path_map._CLOUD_FOLDERS", (f"/{tmp_path.parts[1]}/",))
    new = tmp_path / "checkpoint" / "*.csv"
    assert local_path(str(new), {}) == new

"""Hive-style layouts: which keys a landing folder has (contract 2.7)."""

from __future__ import annotations

import pytest

from ingest.partitions.folders import partition_keys


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([b"/in/event=click/date=2030-04-01/f0.json"], ("event", "date")),  # case F12
        ([b"/in/day=06/a", b"/in/day=__HIVE_DEFAULT_PARTITION__/b"], ("day",)),  # case F13
        ([b"/in/year=1/month=2/a", b"/in/year=1/week=1/b"], ()),  # case F14
        ([b"/in/country=no/a", b"/in/b"], ()),
        ([b"/in/a", b"/in/sub/b"], ()),
        ([b"/in/country=no/sub/a", b"/in/country=se/b"], ("country",)),
        ([b"/in/a%2Fb=1/x"], ("a/b",)),
        ([b"/in/k=a=b/x"], ("k",)),
        ([b"/in/file=1.csv"], ()),  # a file's name is no folder
        ([b"/in"], ()),  # a single file is the landing folder
        ([], ()),
    ],
)
def test_partition_keys(paths: list[bytes], expected: tuple[str, ...]) -> None:
    assert partition_keys(b"/in", paths) == expected


def test_partition_keys_above_the_landing_folder_do_not_count() -> None:
    assert partition_keys(b"/lake/env=dev/in", [b"/lake/env=dev/in/a.csv"]) == ()

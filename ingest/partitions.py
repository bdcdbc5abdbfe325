"""Hive-style folders such as `country=no/day=3`: which keys a landing folder is laid out by."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable


def partition_keys(base: bytes, paths: Iterable[bytes]) -> tuple[str, ...]:
    """Give the keys that every file's folders have, in order; none when the layouts conflict.

    Conflicting or absent layouts give no partition columns (contract 2.7; case F14).

    >>> partition_keys(b"/in", [b"/in/country=no/day=3/a.csv", b"/in/country=se/day=4/b.csv"])
    ('country', 'day')
    >>> partition_keys(b"/in", [b"/in/country=no/a.csv", b"/in/b.csv"])
    ()
    """
    layouts = {_keys_of(path[len(base) :]) for path in paths}
    return layouts.pop() if len(layouts) == 1 else ()


def _keys_of(path: bytes) -> tuple[str, ...]:
    folders = path.split(b"/")[:-1]
    keys = (folder.partition(b"=")[0] for folder in folders if b"=" in folder)
    return tuple(unquote_to_bytes(key).decode("utf-8", "replace") for key in keys)

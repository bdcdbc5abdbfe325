"""Where a path of the user's is on this machine (contract 1.1)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ingest.errors import UnmappedPathError

if TYPE_CHECKING:
    from collections.abc import Mapping

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_CLOUD_FOLDERS = ("/Volumes/", "/Workspace/", "/mnt/", "/dbfs/")


def local_path(text: str, path_map: Mapping[str, str]) -> Path:
    """Give the local place of a path; the longest prefix in `path_map` counts.

    Raises `UnmappedPathError` for a cloud path without an entry.

    >>> local_path("dbfs:/landing/day1", {"dbfs:/landing": "in"}).as_posix()
    'in/day1'
    """
    for prefix in sorted(path_map, key=len, reverse=True):
        bare = prefix.rstrip("/")
        if text == bare or text.startswith(bare + "/"):
            return Path(path_map[prefix] + text[len(bare) :])
    if text.startswith("file:/"):
        return Path("/" + unquote(text.removeprefix("file:").lstrip("/")))
    if _SCHEME.match(text) or (text.startswith(_CLOUD_FOLDERS) and not _is_mounted(text)):
        raise UnmappedPathError(text)
    return Path(text)


def _is_mounted(text: str) -> bool:
    """Tell whether the first folder below `/mnt`, `/Volumes`, … is there (a local disk, WSL)."""
    return Path(*Path(text).parts[:3]).exists()

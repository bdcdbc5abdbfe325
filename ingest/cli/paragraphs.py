"""Text for a terminal of 80 columns, and for a pipe."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 80


def wrapped(text: str, *, indent: str = "", hanging: str | None = None) -> list[str]:
    """Break text into lines of at most 80 columns; words longer than that stay whole."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  " if hanging is None else hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


def short_name(uri: str) -> str:
    """Give a file's name and, where it is in a Hive folder, that folder's.

    >>> short_name("file:///in/day=3/a%20b.csv")
    'day=3/a b.csv'
    """
    parts = Path(unquote(urlsplit(uri).path)).parts
    if not parts:
        return uri
    above = [part for part in parts[-2:-1] if "=" in part]
    return "/".join([*above, parts[-1]])


def file_names(paths: Sequence[str]) -> list[str]:
    """Give the names of files, for a folder those in it."""
    found: list[str] = []
    for text in paths:
        path = Path(text)
        inner = path.rglob("*") if path.is_dir() else [path]
        found += sorted(one.name for one in inner if not one.name.startswith((".", "_")))
    return found

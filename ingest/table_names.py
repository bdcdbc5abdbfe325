"""The names of tables: up to three parts, each a folder below the warehouse (contract 1.1)."""

from __future__ import annotations

import re

from ingest.errors import TableNameError

_PART = re.compile(r"`((?:[^`]|``)+)`|([^`.]+)")
_NAME = re.compile(rf"(?:{_PART.pattern})(?:\.(?:{_PART.pattern}))*")
_MOST_PARTS = 3
_FORBIDDEN = re.compile(r"[/\\\x00-\x1f]")


def parse_table_name(name: str) -> tuple[str, ...]:
    """Split a name at its dots; backticks keep a part together.

    Raises `TableNameError` for a name that would not lie below the warehouse as one folder for
    each part.

    >>> parse_table_name("main.`my table`")
    ('main', 'my table')
    """
    parts = tuple(
        quoted.replace("``", "`") if quoted else plain for quoted, plain in _PART.findall(name)
    )
    is_good = (
        _NAME.fullmatch(name) is not None
        and len(parts) <= _MOST_PARTS
        and not any(_FORBIDDEN.search(part) or not part.strip(" .") for part in parts)
    )
    if not is_good:
        raise TableNameError(name)
    return parts

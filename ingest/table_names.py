"""The names of tables: up to three parts, each a folder below the warehouse (contract 1.1).

As in Spark, upper and lower case are one name, and `t`, `default.t` and `spark_catalog.default.t`
are one table.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.errors import TableNameError

if TYPE_CHECKING:
    from pathlib import Path

_PART = re.compile(r"`((?:[^`]|``)+)`|([^`.]+)")
_NAME = re.compile(rf"(?:{_PART.pattern})(?:\.(?:{_PART.pattern}))*")
_MOST_PARTS = 3
_MOST_BYTES = 255
"""Of a folder's name, on the file systems in use."""
_SESSION_CATALOG, _DEFAULT_SCHEMA = "spark_catalog", "default"
_FORBIDDEN = re.compile(r"[/\\\x00-\x1f]")


def parse_table_name(name: object) -> tuple[str, ...]:
    """Split a name at its dots; backticks keep a part together.

    Raises `TableNameError` for a name that would not lie below the warehouse as one folder for
    each part.

    >>> parse_table_name("main.`my table`")
    ('main', 'my table')
    """
    if not isinstance(name, str):
        raise TableNameError(name)
    parts = tuple(
        quoted.replace("``", "`") if quoted else plain for quoted, plain in _PART.findall(name)
    )
    is_good = (
        _NAME.fullmatch(name) is not None
        and len(parts) <= _MOST_PARTS
        and all(map(_is_folder_name, parts))
    )
    if not is_good:
        raise TableNameError(name)
    return parts


def _is_folder_name(part: str) -> bool:
    fits = len(part.encode("utf-8", "surrogatepass")) <= _MOST_BYTES
    return fits and bool(part.strip(" .")) and not _FORBIDDEN.search(part)


def table_folder(warehouse: Path, name: str) -> Path:
    """Give the folder of a table, whether it is there or not; raises `TableNameError`.

    >>> from pathlib import Path
    >>> table_folder(Path("lake"), "spark_catalog.crm.users").as_posix()
    'lake/crm/users'
    """
    folder = warehouse
    for part in _without_defaults(parse_table_name(name)):
        folder = _child(folder, part)
    return folder


def _without_defaults(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out what Spark adds to a name that has fewer parts."""
    if len(parts) == _MOST_PARTS and parts[0].lower() == _SESSION_CATALOG:
        parts = parts[1:]
    if len(parts) == _MOST_PARTS - 1 and parts[0].lower() == _DEFAULT_SCHEMA:
        parts = parts[1:]
    return parts


def _child(folder: Path, part: str) -> Path:
    """Give the folder of this name, or one that is there and differs in its case only."""
    exact = folder / part
    if exact.exists() or not folder.is_dir():
        return exact
    same = (path for path in sorted(folder.iterdir()) if path.name.lower() == part.lower())
    return next(same, exact)

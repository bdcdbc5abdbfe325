"""Hive-style folders such as `country=no/day=3`: which keys and values a path has.

A folder is a partition when its name is `key=value` and neither part is empty. Values are kept as
they are written; `unescape` decodes them (Spark `ExternalCatalogUtils.unescapePathName`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schema_store.types import StructType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schema_store.types import Schema

NULL_PARTITION = "__HIVE_DEFAULT_PARTITION__"
"""The value that means NULL."""

_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")


def partition_keys(base: bytes, paths: Iterable[bytes], *, depth: int = 0) -> tuple[str, ...]:
    """Give the keys that all files are laid out by, outermost first; none when layouts conflict.

    `depth` is the number of folders below the base that a glob names: they are no partitions.
    Keys are compared ignoring case, the first spelling wins. As in Spark (`PartitioningUtils`),
    plain folders may lie above and below the partitions, but above them only the same ones
    (contract 2.7; case F14).

    >>> partition_keys(b"/in", [b"/in/country=no/day=3/a.csv", b"/in/country=se/day=4/b.csv"])
    ('country', 'day')
    >>> partition_keys(b"/in", [b"/in/country=no/a.csv", b"/in/b.csv"])
    ()
    """
    folders = dict.fromkeys(path.rpartition(b"/")[0] for path in paths)
    layouts: dict[tuple[bytes, tuple[str, ...]], tuple[str, ...]] = {}
    for folder in folders:
        root, keys = _layout(_names_below(base, folder)[depth:])
        layouts.setdefault((root, tuple(key.lower() for key in keys)), keys)
        if len(layouts) > 1:
            return ()
    keys = next(iter(layouts.values()), ())
    return keys if len({key.lower() for key in keys}) == len(keys) else ()


def partition_texts(base: bytes, folder: bytes) -> dict[str, str]:
    """Give the values in a folder's path below the base, by their keys in lower case.

    The innermost one counts when a key is there twice.

    >>> partition_texts(b"/in", b"/in/Year=2030/week=01")
    {'year': '2030', 'week': '01'}
    """
    found = (_partition(name) for name in _names_below(base, folder))
    return {key.lower(): text for key, text in filter(None, found)}


def unescape(text: str) -> str:
    """Decode `%XX`, each to the one character of that number, as Spark does.

    >>> unescape("a%2Fb 100%")
    'a/b 100%'
    """
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)


def with_partitions(data: Schema, partitions: Schema) -> Schema:
    """Give the columns of rows: the data's, then the partition columns (contract 2.6, 2.7).

    A column that is in both is the partition column, in the place of the data's (contract 11.9;
    Spark `HadoopFsRelation.schema`).
    """
    left = {field.name.lower(): field for field in partitions}
    fields = [left.pop(field.name.lower(), field) for field in data]
    return StructType((*fields, *left.values()))


def without_partitions(schema: Schema, partitions: Schema) -> Schema:
    """Give the columns that the files hold, of a schema that the user gave (Spark `DataSource`)."""
    return StructType(tuple(f for f in schema if partitions.find_ignoring_case(f.name) is None))


def _names_below(base: bytes, folder: bytes) -> list[bytes]:
    return [name for name in folder[len(base) :].split(b"/") if name]


def _layout(names: list[bytes]) -> tuple[bytes, tuple[str, ...]]:
    """Walk up from the files: give the folder above the partitions, and their keys."""
    keys: list[str] = []
    for place in range(len(names) - 1, -1, -1):
        partition = _partition(names[place])
        if partition is not None:
            keys.insert(0, partition[0])
        elif keys:
            return b"/".join(names[: place + 1]), tuple(keys)
    return b"", tuple(keys)


def _partition(name: bytes) -> tuple[str, str] | None:
    key, equals, text = name.decode("utf-8", "replace").partition("=")
    return (unescape(key), text) if key and equals and text else None

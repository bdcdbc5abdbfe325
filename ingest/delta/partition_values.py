"""Partition values as the log spells them (PROTOCOL.md, "Partition Value Serialization")."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from urllib.parse import quote

HIVE_NULL = "__HIVE_DEFAULT_PARTITION__"
"""The folder of rows whose partition value is NULL (Hive, Spark)."""

_ESCAPED = {chr(code) for code in range(1, 32)} | set("\"#%'*/:=?\\\x7f{[]^")
"""Characters that a folder's name escapes (Spark `ExternalCatalogUtils.charToEscape`)."""


def partition_text(value: object) -> str | None:
    """Write a value of a partition column; NULL and the empty text are None.

    >>> partition_text(True), partition_text(dt.datetime(2024, 1, 2, 3, 4, 5))
    ('true', '2024-01-02 03:04:05')
    """
    match value:
        case None | "" | b"":
            return None
        case bool():
            return "true" if value else "false"
        case dt.datetime():
            return _instant_text(value)
        case dt.date():
            return value.isoformat()
        case bytes():
            return (
                value.decode()
            )  # Spark casts BINARY to STRING; other bytes are never written here
        case Decimal():
            return format(value, "f")
        case _:
            return str(value)


def partition_folder(column: str, value: str | None) -> str:
    """Name the folder of a partition value, `country=no` (Spark `getPartitionPathString`).

    >>> partition_folder("p", "a/b")
    'p=a%2Fb'
    """
    text = HIVE_NULL if value is None else _escape(value)
    return f"{_escape(column)}={text}"


def log_path(*parts: str) -> str:
    """Write a path below the table as the log does: URL-encoded."""
    return "/".join(quote(part, safe="=!$&'()*+,;:@~-_.") for part in parts)


def _instant_text(value: dt.datetime) -> str:
    """Write a local time with a blank, an instant in UTC as ISO 8601."""
    if value.tzinfo is not None:
        utc = value.astimezone(dt.UTC).replace(tzinfo=None)
        return utc.isoformat("T", "microseconds") + "Z"
    return value.isoformat(" ", "microseconds" if value.microsecond else "seconds")


def _escape(text: str) -> str:
    return "".join(f"%{ord(c):02X}" if c in _ESCAPED else c for c in text)

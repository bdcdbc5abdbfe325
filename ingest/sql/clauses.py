"""Parts that several statements have: a table, properties, a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import TokenType

from ingest.sql.statements import NamedTable, TableAt, TableRef
from ingest.table_places import TableFormat

if TYPE_CHECKING:
    from ingest.sql.tokens import TokenReader

FORMATS = {one.value: one for one in TableFormat}
"""Table formats by their names in SQL."""


def read_limit(reader: TokenReader) -> int | None:
    """Read `LIMIT n`; None when it does not come."""
    return reader.count() if reader.have("LIMIT") else None


def read_table_ref(reader: TokenReader) -> TableRef:
    """Read a table: its name, or its folder as ``delta.`/path` ``."""
    parts = reader.name_parts()
    first, last = parts[0], parts[-1]
    kind = FORMATS.get(first.text.lower())
    if kind is not None and len(parts) == len((first, last)) and "/" in last.text:
        return TableAt(last.text, kind)
    return NamedTable(reader.text[first.start : last.end + 1])


def read_properties(reader: TokenReader) -> tuple[tuple[str, str], ...]:
    """Read `(key = value, …)`; the last of equal keys wins."""
    reader.need("(")
    found: dict[str, str] = {}
    while True:
        key = _key(reader)
        reader.have("=")
        found[key] = _value(reader)
        if reader.have(")"):
            return tuple(found.items())
        reader.need(",")


def read_keys(reader: TokenReader) -> tuple[str, ...]:
    """Read `(key, …)`."""
    reader.need("(")
    keys = [_key(reader)]
    while reader.have(","):
        keys.append(_key(reader))
    reader.need(")")
    return tuple(keys)


def _key(reader: TokenReader) -> str:
    token = reader.peek()
    if token is not None and token.token_type is TokenType.STRING:
        return reader.string()
    return ".".join(part.text for part in reader.name_parts())


def _value(reader: TokenReader) -> str:
    """Read a text, a number or a boolean, as text."""
    token = reader.peek()
    if token is not None and token.token_type is TokenType.STRING:
        return reader.string()
    if token is None or token.token_type not in _VALUES:
        reader.fail()
    text = reader.take().text
    return text if token.token_type is TokenType.NUMBER else text.lower()


def read_names(reader: TokenReader) -> tuple[str, ...]:
    """Read column names with commas between them, up to the end."""
    names: list[str] = []
    while True:
        parts = reader.name_parts()
        if len(parts) != 1:
            reader.fail()
        names.append(parts[0].text)
        if not reader.have(","):
            reader.end()
            return tuple(names)


_VALUES = (TokenType.NUMBER, TokenType.TRUE, TokenType.FALSE)

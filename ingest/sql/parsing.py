"""Text becomes one of our statements, or is refused by name.

The tokens are sqlglot's (Databricks dialect) and columns are read by our own DDL; the few forms of
statements are Spark's `SqlBaseParser.g4` and Delta's `DeltaSqlBase.g4`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.errors import SqlSyntaxError
from ingest.sql.clauses import (
    FORMATS,
    read_keys,
    read_limit,
    read_names,
    read_properties,
    read_table_ref,
)
from ingest.sql.statements import (
    CreateTable,
    DescribeDetail,
    DescribeHistory,
    DescribeTable,
    DropTable,
    SelectAll,
    SelectFileState,
    SetConf,
    SetProperties,
    ShowConf,
    ShowProperties,
    Statement,
    UnsetProperties,
)
from ingest.sql.tokens import TokenReader
from ingest.table_places import TableFormat
from schema_store.ddl import parse_ddl

if TYPE_CHECKING:
    from collections.abc import Callable

_OTHERS = frozenset(
    [
        "ADD",
        "ANALYZE",
        "BEGIN",
        "CACHE",
        "CALL",
        "CLEAR",
        "CLONE",
        "COMMENT",
        "CONVERT",
        "COPY",
        "DECLARE",
        "DELETE",
        "EXECUTE",
        "EXPLAIN",
        "FROM",
        "FSCK",
        "GENERATE",
        "GRANT",
        "INSERT",
        "LIST",
        "LOAD",
        "MERGE",
        "MSCK",
        "OPTIMIZE",
        "REFRESH",
        "REORG",
        "REPLACE",
        "RESET",
        "RESTORE",
        "REVOKE",
        "SYNC",
        "TABLE",
        "TRUNCATE",
        "UNCACHE",
        "UPDATE",
        "USE",
        "VACUUM",
        "VALUES",
        "WITH",
    ]
)
"""First words of Spark's and Delta's other statements."""

_SET = re.compile(r"\s*SET\s+([\w.\-]+)\s*=\s*(.*?)[\s;]*", re.IGNORECASE | re.DOTALL)


def parse_statement(text: str) -> Statement:
    """Understand one statement.

    Raises `SqlSyntaxError` for what is no SQL, `SqlNotSupportedError` for what is not done here.

    >>> parse_statement("DROP TABLE IF EXISTS lake.users")
    DropTable(table=NamedTable(name='lake.users'), if_exists=True)
    """
    reader = TokenReader(text)
    first = reader.first
    parse = _PARSERS.get(first)
    if parse is None:
        if first in _OTHERS:
            reader.refuse(first)
        reader.fail()
    return parse(reader)


def _alter(reader: TokenReader) -> Statement:
    if not reader.have("ALTER", "TABLE"):
        reader.refuse("ALTER of anything but a table")
    table = read_table_ref(reader)
    if reader.have("SET", "TBLPROPERTIES"):
        statement: Statement = SetProperties(table, read_properties(reader))
    elif reader.have("UNSET", "TBLPROPERTIES"):
        if_exists = reader.have("IF", "EXISTS")
        statement = UnsetProperties(table, read_keys(reader), if_exists)
    else:
        reader.refuse("ALTER TABLE with anything but SET or UNSET TBLPROPERTIES")
    reader.end()
    return statement


def _show(reader: TokenReader) -> Statement:
    if not reader.have("SHOW", "TBLPROPERTIES"):
        reader.refuse("SHOW of anything but TBLPROPERTIES")
    table = read_table_ref(reader)
    keys = read_keys(reader) if reader.peek() is not None else ()
    reader.end()
    if len(keys) > 1:
        raise SqlSyntaxError(reader.text, "more than one key")
    return ShowProperties(table, keys[0] if keys else None)


def _describe(reader: TokenReader) -> Statement:
    reader.take()
    if reader.have("HISTORY"):
        table = read_table_ref(reader)
        statement: Statement = DescribeHistory(table, read_limit(reader))
    elif reader.have("DETAIL"):
        statement = DescribeDetail(read_table_ref(reader))
    else:
        if any(reader.have(word) for word in ("EXTENDED", "FORMATTED", "SCHEMA", "DATABASE")):
            reader.refuse("DESCRIBE of anything but a table's columns, DETAIL or HISTORY")
        reader.have("TABLE")
        statement = DescribeTable(read_table_ref(reader))
    reader.end()
    return statement


def _create(reader: TokenReader) -> Statement:
    if not reader.have("CREATE", "TABLE"):
        reader.refuse("CREATE of anything but a table that is not there")
    if_not_exists = reader.have("IF", "NOT", "EXISTS")
    table = read_table_ref(reader)
    token = reader.peek()
    if token is None or token.text != "(":
        reader.refuse("CREATE TABLE without columns in brackets")
    schema = parse_ddl(reader.inside_brackets())
    parts = _Parts(reader)
    while parts.take_one():
        pass
    reader.end()
    return CreateTable(
        table, schema, parts.format, parts.partitions, parts.properties, if_not_exists
    )


class _Parts:
    """What follows the columns of CREATE TABLE, in any order."""

    def __init__(self, reader: TokenReader) -> None:
        self._reader = reader
        self.format = TableFormat.DELTA
        self.partitions: tuple[str, ...] = ()
        self.properties: tuple[tuple[str, str], ...] = ()

    def take_one(self) -> bool:
        """Read one part; False when there is none."""
        reader = self._reader
        if reader.have("USING"):
            name = reader.take().text
            known = FORMATS.get(name.lower())
            if known is None:
                reader.refuse(f"CREATE TABLE … USING {name}")
            self.format = known
        elif reader.have("PARTITIONED", "BY"):
            inside = TokenReader(reader.inside_brackets())
            self.partitions = read_names(inside)
        elif reader.have("TBLPROPERTIES"):
            self.properties = read_properties(reader)
        elif reader.peek() is not None:
            reader.refuse(f"CREATE TABLE with {reader.take().text.upper()}")
        else:
            return False
        return True


def _drop(reader: TokenReader) -> Statement:
    if not reader.have("DROP", "TABLE"):
        reader.refuse("DROP of anything but a table")
    if_exists = reader.have("IF", "EXISTS")
    table = read_table_ref(reader)
    reader.have("PURGE")
    reader.end()
    return DropTable(table, if_exists)


def _select(reader: TokenReader) -> Statement:
    statement = "SELECT of other than * from one table"
    if not reader.have("SELECT", "*", "FROM") or reader.have("("):
        reader.refuse(statement)
    if reader.have("CLOUD_FILES_STATE", "("):
        selected: Statement = _select_file_state(reader)
    else:
        table = read_table_ref(reader)
        version = reader.count() if reader.have("VERSION", "AS", "OF") else None
        selected = SelectAll(table, version, read_limit(reader))
    if reader.peek() is not None:
        reader.refuse(statement)
    return selected


def _select_file_state(reader: TokenReader) -> SelectFileState:
    if reader.have("TABLE"):
        reader.refuse("cloud_files_state(TABLE(…))")
    checkpoint = reader.string()
    reader.need(")")
    return SelectFileState(checkpoint, read_limit(reader))


def _set(reader: TokenReader) -> Statement:
    assigned = _SET.fullmatch(reader.text)
    if assigned:
        return SetConf(assigned[1], assigned[2].strip("`"))
    reader.need("SET")
    if reader.peek() is None:
        return ShowConf(None)
    if reader.have("TIME", "ZONE"):
        reader.refuse("SET TIME ZONE (SET spark.sql.session.timeZone=… is)")
    parts = reader.name_parts()
    reader.end()
    return ShowConf(".".join(part.text for part in parts))


_PARSERS: dict[str, Callable[[TokenReader], Statement]] = {
    "ALTER": _alter,
    "CREATE": _create,
    "DESC": _describe,
    "DESCRIBE": _describe,
    "DROP": _drop,
    "SELECT": _select,
    "SET": _set,
    "SHOW": _show,
}

"""Where a statement's table is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.errors import SqlNotSupportedError, TableFormatError, TableNotFoundError
from ingest.sql.statements import NamedTable, TableAt, TableRef
from ingest.table_places import TableFormat, format_of

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.session import Session


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A table's folder, and what the user calls it in SQL."""

    folder: Path
    name: str


def table_place(session: Session, table: TableRef) -> TablePlace:
    """Give the place of a table that may be there or not."""
    match table:
        case NamedTable(name):
            return TablePlace(session.table_folder(name), name)
        case TableAt(path, kind):
            return TablePlace(session.locate(path), f"{kind.value}.`{path}`")


def find_table(session: Session, table: TableRef) -> tuple[TablePlace, TableFormat]:
    """Give the place of a table and its format; raises `TableNotFoundError`, `TableFormatError`."""
    place = table_place(session, table)
    present = format_of(place.folder)
    if isinstance(table, NamedTable) and session.is_in_memory(table.name):
        raise SqlNotSupportedError(
            f"this statement about {table.name}, a table in memory,",
            supported="SELECT * FROM it, DESCRIBE it",
        )
    if present is None:
        raise TableNotFoundError(place.name, str(place.folder))
    if isinstance(table, TableAt) and table.format is not present:
        raise TableFormatError(place.name, present=present.value, wanted=table.format.value)
    return place, present


def find_delta_table(session: Session, table: TableRef, statement: str) -> TablePlace:
    """Give the place of a Delta table; raises also `SqlNotSupportedError` for a Parquet one."""
    place, present = find_table(session, table)
    if present is not TableFormat.DELTA:
        raise SqlNotSupportedError(
            f"{statement} of the {present.value} table {place.name}",
            supported=f"{statement} of a Delta table",
        )
    return place

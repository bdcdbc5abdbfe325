"""Statements that make, change or remove a table."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from ingest.delta import properties
from ingest.delta.creation import define_table
from ingest.delta.settings import DeltaSettings
from ingest.errors import SqlNotSupportedError, TableExistsError, TableNotFoundError
from ingest.options import resolve_writer_options
from ingest.sinks.parquet_table import ParquetTable
from ingest.sql.places import find_delta_table, find_table, table_place
from ingest.table_places import TableFormat, check_table_format, format_of

if TYPE_CHECKING:
    from ingest.session import Session
    from ingest.sql.places import TablePlace
    from ingest.sql.statements import CreateTable, DropTable, SetProperties, UnsetProperties


def set_properties(session: Session, statement: SetProperties) -> None:
    """Carry out `ALTER TABLE … SET TBLPROPERTIES`."""
    place = find_delta_table(session, statement.table, "ALTER TABLE")
    given = dict(statement.properties)
    properties.set_properties(place.folder, given, now_ms=now_ms(session))


def unset_properties(session: Session, statement: UnsetProperties) -> None:
    """Carry out `ALTER TABLE … UNSET TBLPROPERTIES`."""
    place = find_delta_table(session, statement.table, "ALTER TABLE")
    properties.unset_properties(
        place.folder, statement.keys, now_ms=now_ms(session), if_exists=statement.if_exists
    )


def create_table(session: Session, statement: CreateTable) -> None:
    """Carry out `CREATE TABLE`; a table that is there is an error unless IF NOT EXISTS."""
    place = table_place(session, statement.table)
    if format_of(place.folder) is not None:
        if statement.if_not_exists:
            return
        raise TableExistsError(place.name, str(place.folder))
    check_table_format(place.folder, statement.format)
    match statement.format:
        case TableFormat.DELTA:
            _create_delta(session, statement, place)
        case TableFormat.PARQUET:
            if statement.partitions or statement.properties:
                raise SqlNotSupportedError(
                    "a Parquet table with partitions or properties", supported="USING delta"
                )
            ParquetTable(place.folder).create(statement.schema)


def _create_delta(session: Session, statement: CreateTable, place: TablePlace) -> None:
    given = dict(statement.properties)
    delta = {key: value for key, value in given.items() if key.lower().startswith("delta.")}
    resolved = resolve_writer_options(delta, conf=session.conf.as_dict())
    own = {key: value for key, value in given.items() if key not in delta}
    settings = DeltaSettings(
        now=session.now,
        new_id=session.new_id,
        properties={**resolved.properties, **own},
        partition_columns=statement.partitions,
        sql_name=place.name,
    )
    define_table(place.folder, statement.schema, settings)


def drop_table(session: Session, statement: DropTable) -> None:
    """Carry out `DROP TABLE`: the table's folder is gone, in one step for its readers."""
    place = table_place(session, statement.table)
    if format_of(place.folder) is None:
        if statement.if_exists:
            return
        raise TableNotFoundError(place.name, str(place.folder))
    place, _ = find_table(session, statement.table)
    gone = place.folder.with_name(f".{place.folder.name}-dropped-{session.new_id()}")
    place.folder.rename(gone)
    shutil.rmtree(gone)


def now_ms(session: Session) -> int:
    """Give the time in milliseconds since 1970."""
    return round(session.now().timestamp() * 1000)

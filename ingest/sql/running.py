"""Carry out a statement: the one place of `spark.sql` with effects.

Answers have the columns that Spark 4.3.0 and Delta give; a statement that only does something gives
rows without columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.options import CONF_DEFAULTS
from ingest.sql.answers import answer, nothing
from ingest.sql.defining import create_table, drop_table, set_properties, unset_properties
from ingest.sql.describing import describe_detail, describe_history, describe_table, show_properties
from ingest.sql.parsing import parse_statement
from ingest.sql.places import find_table
from ingest.sql.statements import (
    CreateTable,
    DescribeDetail,
    DescribeHistory,
    DescribeTable,
    DropTable,
    NamedTable,
    SelectAll,
    SelectFileState,
    SetConf,
    SetProperties,
    ShowConf,
    ShowProperties,
    UnsetProperties,
)
from ingest.table_reader import read_table

if TYPE_CHECKING:
    from ingest.dataframe import DataFrame
    from ingest.session import Session
    from ingest.sql.statements import Change, Question


def run_sql(session: Session, text: str) -> DataFrame:
    """Carry out one statement and give its answer.

    Raises `SqlSyntaxError`, `SqlNotSupportedError`, and what the statement itself raises.
    """
    statement = parse_statement(text)
    if isinstance(statement, SetProperties | UnsetProperties | CreateTable | DropTable):
        _change(session, statement)
        return nothing(session)
    return _answer(session, statement)


def _change(session: Session, statement: Change) -> None:
    match statement:
        case SetProperties():
            set_properties(session, statement)
        case UnsetProperties():
            unset_properties(session, statement)
        case CreateTable():
            create_table(session, statement)
        case DropTable():
            drop_table(session, statement)


def _answer(session: Session, statement: Question) -> DataFrame:
    match statement:
        case SelectAll():
            return _select(session, statement)
        case SelectFileState():
            return _limited(session.cloud_files_state(statement.checkpoint), statement.limit)
        case ShowProperties():
            return show_properties(session, statement)
        case DescribeTable():
            return describe_table(session, statement)
        case DescribeDetail():
            return describe_detail(session, statement)
        case DescribeHistory():
            return describe_history(session, statement)
        case SetConf() | ShowConf():
            return _conf(session, statement)


def _select(session: Session, statement: SelectAll) -> DataFrame:
    table = statement.table
    if isinstance(table, NamedTable):
        rows = session.table(table.name, version=statement.version)
    else:
        place, _ = find_table(session, table)
        rows = session.data_frame(*read_table(place.folder, statement.version))
    return _limited(rows, statement.limit)


def _limited(rows: DataFrame, limit: int | None) -> DataFrame:
    return rows if limit is None else rows.limit(limit)


def _conf(session: Session, statement: SetConf | ShowConf) -> DataFrame:
    if isinstance(statement, SetConf):
        session.conf.set(statement.key, statement.value)
    key, values = statement.key, session.conf.getAll
    known = {**CONF_DEFAULTS, **values}
    rows = sorted(values.items()) if key is None else [(key, known.get(key, "<undefined>"))]
    return answer(session, "key STRING, value STRING", rows)

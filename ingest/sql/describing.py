"""Statements that tell of a table, in the columns of Spark 4.3.0 and Delta."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any

from ingest.delta.history import read_history
from ingest.delta.snapshot import open_snapshot
from ingest.errors import TableNotFoundError
from ingest.sinks.manifest import read_manifest
from ingest.sql.answers import answer
from ingest.sql.places import TablePlace, find_delta_table, find_table
from ingest.sql.statements import NamedTable
from ingest.table_places import TableFormat
from schema_store.ddl import type_to_simple_string
from schema_store.types import StructType

if TYPE_CHECKING:
    from ingest.dataframe import DataFrame
    from ingest.delta.history import HistoryEntry
    from ingest.delta.snapshot import Snapshot
    from ingest.session import Session
    from ingest.sql.statements import (
        DescribeDetail,
        DescribeHistory,
        DescribeTable,
        ShowProperties,
    )
    from schema_store.types import Field, Schema

_HISTORY = (
    "version BIGINT, timestamp TIMESTAMP, userId STRING, userName STRING, operation STRING,"
    " operationParameters MAP<STRING, STRING>, job STRUCT<jobId: STRING, jobName: STRING,"
    " jobRunId: STRING, runId: STRING, jobOwnerId: STRING, triggerType: STRING>,"
    " notebook STRUCT<notebookId: STRING>, clusterId STRING, readVersion BIGINT,"
    " isolationLevel STRING, isBlindAppend BOOLEAN, operationMetrics MAP<STRING, STRING>,"
    " userMetadata STRING, engineInfo STRING"
)
"""Delta's `DeltaHistory`; the emulator has no jobs, notebooks and clusters."""
_DETAIL = (
    "format STRING, id STRING, name STRING, description STRING, location STRING,"
    " createdAt TIMESTAMP, lastModified TIMESTAMP, partitionColumns ARRAY<STRING>,"
    " clusteringColumns ARRAY<STRING>, numFiles BIGINT, sizeInBytes BIGINT,"
    " properties MAP<STRING, STRING>, minReaderVersion INT, minWriterVersion INT,"
    " tableFeatures ARRAY<STRING>"
)
_DESCRIBED = "col_name STRING, data_type STRING, comment STRING"
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def show_properties(session: Session, statement: ShowProperties) -> DataFrame:
    """Carry out `SHOW TBLPROPERTIES`; a key that is not set is told in Spark's words."""
    place = find_delta_table(session, statement.table, "SHOW TBLPROPERTIES")
    found = _properties(_open(place))
    if statement.key is None:
        rows = sorted(found.items())
    else:
        missing = f"Table {place.name} does not have property: {statement.key}"
        rows = [(statement.key, found.get(statement.key, missing))]
    return answer(session, "key STRING, value STRING", rows)


def describe_table(session: Session, statement: DescribeTable) -> DataFrame:
    """Carry out `DESCRIBE [TABLE]`: the columns, then those that it is partitioned by."""
    table = statement.table
    if isinstance(table, NamedTable) and session.is_in_memory(table.name):
        return answer(session, _DESCRIBED, _columns(session.table(table.name).schema, ()))
    place, kind = find_table(session, statement.table)
    match kind:
        case TableFormat.DELTA:
            snapshot = _open(place)
            rows = _columns(snapshot.schema, snapshot.metadata.partition_columns)
        case TableFormat.PARQUET:
            rows = _columns(read_manifest(place.folder).schema or StructType(()), ())
    return answer(session, _DESCRIBED, rows)


def describe_detail(session: Session, statement: DescribeDetail) -> DataFrame:
    """Carry out `DESCRIBE DETAIL`."""
    place = find_delta_table(session, statement.table, "DESCRIBE DETAIL")
    snapshot = _open(place)
    metadata, protocol, files = snapshot.metadata, snapshot.protocol, snapshot.files()
    features = {*(protocol.reader_features or ()), *(protocol.writer_features or ())}
    row: tuple[Any, ...] = (
        "delta",
        metadata.id,
        place.name,
        metadata.description,
        place.folder.resolve().as_uri(),
        _moment(metadata.created_time),
        next((entry.at for entry in read_history(place.folder)), None),
        list(metadata.partition_columns),
        [],
        len(files),
        sum(file.size for file in files),
        list(metadata.configuration.items()),
        protocol.min_reader_version,
        protocol.min_writer_version,
        sorted(features),
    )
    return answer(session, _DETAIL, [row])


def describe_history(session: Session, statement: DescribeHistory) -> DataFrame:
    """Carry out `DESCRIBE HISTORY`: the newest version first."""
    place = find_delta_table(session, statement.table, "DESCRIBE HISTORY")
    rows = [_version(entry) for entry in read_history(place.folder)]
    return answer(session, _HISTORY, rows[: statement.limit])


def _open(place: TablePlace) -> Snapshot:
    snapshot = open_snapshot(place.folder)
    if snapshot is None:
        raise TableNotFoundError(place.name, str(place.folder))
    return snapshot


def _properties(snapshot: Snapshot) -> dict[str, str]:
    """Give the properties and, as Delta does, the protocol among them."""
    protocol = snapshot.protocol
    features = {*(protocol.reader_features or ()), *(protocol.writer_features or ())}
    return {
        **snapshot.metadata.configuration,
        "delta.minReaderVersion": str(protocol.min_reader_version),
        "delta.minWriterVersion": str(protocol.min_writer_version),
        **{f"delta.feature.{feature}": "supported" for feature in features},
    }


def _columns(schema: Schema, partitions: tuple[str, ...]) -> list[tuple[str, str, str | None]]:
    rows = [_column(field) for field in schema]
    if not partitions:
        return rows
    heads = [("# Partition Information", "", ""), ("# col_name", "data_type", "comment")]
    return [*rows, *heads, *(_column(field) for field in schema if field.name in partitions)]


def _column(field: Field) -> tuple[str, str, str | None]:
    comment = json.loads(field.metadata).get("comment")
    return field.name, type_to_simple_string(field.data_type), comment


def _version(entry: HistoryEntry) -> tuple[Any, ...]:
    info = entry.info
    return (
        entry.version,
        entry.at,
        info.get("userId"),
        info.get("userName"),
        entry.operation,
        _texts(info.get("operationParameters")),
        None,
        None,
        None,
        info.get("readVersion"),
        info.get("isolationLevel"),
        info.get("isBlindAppend"),
        _texts(info.get("operationMetrics")),
        info.get("userMetadata"),
        info.get("engineInfo"),
    )


def _texts(values: object) -> list[tuple[str, str]] | None:
    if not isinstance(values, dict):
        return None
    return [
        (str(key), value if isinstance(value, str) else json.dumps(value))
        for key, value in values.items()
    ]


def _moment(milliseconds: int | None) -> dt.datetime | None:
    return None if milliseconds is None else _EPOCH + dt.timedelta(milliseconds=milliseconds)

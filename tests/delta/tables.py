"""Delta tables for tests: written by us, or by hand where we would not write such a table."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.arrow import to_arrow_schema
from ingest.delta.batch_writes import append
from ingest.delta.settings import DeltaSettings
from ingest.file_entry import BatchId
from ingest.sinks.delta_table import DeltaTable
from schema_store.ddl import parse_ddl
from schema_store.spark_json import schema_to_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from schema_store.types import Schema

WIDENING = {"delta.enableTypeWidening": "true"}


def settings(
    properties: Mapping[str, str] | None = None, *, partition: tuple[str, ...] = ()
) -> DeltaSettings:
    """Give settings whose clock is the real one; `properties` are for a table that is made."""
    return DeltaSettings(
        now=lambda: dt.datetime.now(dt.UTC),  # noqa: TID251 - files have real times, too
        new_id=lambda: str(uuid.uuid4()),
        merge_schema=True,
        properties=properties or {},
        partition_columns=partition,
    )


def arrow_rows(rows: Sequence[Mapping[str, Any]], schema: Schema) -> pa.Table:
    """Give rows as Arrow."""
    return pa.Table.from_pylist([dict(row) for row in rows], schema=to_arrow_schema(schema))


def append_rows(
    folder: Path,
    ddl: str,
    rows: Sequence[Mapping[str, Any]],
    given: DeltaSettings | None = None,
) -> int:
    """Append rows by a batch write of ours."""
    schema = parse_ddl(ddl)
    return append(folder, arrow_rows(rows, schema), schema, given or settings())


def stream_rows(sink: DeltaTable, number: int, rows: pa.Table, schema: Schema) -> None:
    """Write one batch as the stream `query` does, unless it is there."""
    staging = sink.begin("query", BatchId(number), schema)
    if staging is None:
        return
    for batch in rows.to_batches():
        staging.write(batch)
    staging.commit()


def stream_batches(folder: Path, batches: range, given: DeltaSettings | None = None) -> None:
    """Append one row for each batch, each by a commit of the stream `query`."""
    schema = parse_ddl("id BIGINT, text STRING")
    sink = DeltaTable(folder, given or settings())
    for number in batches:
        rows = arrow_rows([{"id": number, "text": f"t{number}"}], schema)
        stream_rows(sink, number, rows, schema)


class HandWritten:
    """A table whose log is written by hand, line by line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.version = 0
        (folder / "_delta_log").mkdir(parents=True)

    def file(self, name: str, rows: pa.Table, **more: object) -> dict[str, Any]:
        """Write a data file and give its `add` action."""
        path = self.folder / name
        pq.write_table(rows, path)
        add = {
            "path": name,
            "partitionValues": {},
            "size": path.stat().st_size,
            "modificationTime": self.version,
            "dataChange": True,
            **more,
        }
        return {"add": add}

    def entry(self, *actions: Mapping[str, Any]) -> None:
        """Write the next entry."""
        path = self.folder / "_delta_log" / f"{self.version:020}.json"
        path.write_text("".join(json.dumps(action) + "\n" for action in actions))
        self.version += 1


def protocol(*features: str) -> dict[str, Any]:
    """Give a protocol of these features for readers and writers."""
    return {
        "protocol": {
            "minReaderVersion": 3,
            "minWriterVersion": 7,
            "readerFeatures": list(features),
            "writerFeatures": list(features),
        }
    }


LEGACY = {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}


def metadata(
    schema: Schema, *, partition: Sequence[str] = (), **configuration: str
) -> dict[str, Any]:
    """Give a table's metadata."""
    return {
        "metaData": {
            "id": "5fba94ed-9794-4965-ba6e-6ee3c0d22af9",
            "format": {"provider": "parquet", "options": {}},
            "schemaString": schema_to_json(schema),
            "partitionColumns": list(partition),
            "configuration": configuration,
        }
    }

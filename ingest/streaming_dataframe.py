"""A stream that is loaded but not started, in the shape of a PySpark streaming DataFrame."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

from ingest.dataframe import schema_tree
from ingest.errors import OperationNotSupportedError
from ingest.writer import DataStreamWriter

if TYPE_CHECKING:
    from ingest.session import Session
    from ingest.stream import LoadedStream
    from schema_store.types import Schema


class StreamingDataFrame:
    """The rows to come, under a schema that is locked until `load` is called again."""

    isStreaming = True  # noqa: N815 - PySpark's name

    def __init__(self, session: Session, loaded: LoadedStream) -> None:
        self._session = session
        self._loaded = loaded

    @property
    def schema(self) -> Schema:
        """The columns and their types, the rescued column last."""
        return self._loaded.output_schema

    @property
    def columns(self) -> list[str]:
        """The columns' names."""
        return list(self.schema.names)

    def printSchema(self) -> None:  # noqa: N802 - PySpark's name
        """Print the schema as Spark does, a blank line after it."""
        sys.stdout.write(schema_tree(self.schema) + "\n\n")

    @property
    def writeStream(self) -> DataStreamWriter:  # noqa: N802 - PySpark's name
        """Start to describe where the rows go."""
        return DataStreamWriter(self._session, self._loaded)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise OperationNotSupportedError(
            name,
            of="DataFrame",
            supported="writeStream, schema, columns, printSchema",
            remedy="Write the stream to a table and transform the table, or use real Spark.",
        )

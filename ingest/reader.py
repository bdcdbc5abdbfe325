"""`spark.readStream`: what to read, in the shape of PySpark's `DataStreamReader`."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from ingest.errors import (
    MissingOptionError,
    OperationNotSupportedError,
    UnsupportedOptionError,
)
from ingest.loading import load_stream
from ingest.options import resolve_options
from ingest.streaming_dataframe import StreamingDataFrame
from ingest.user_paths import one_path
from ingest.user_schema import parse_schema

if TYPE_CHECKING:
    from typing import NoReturn

    from ingest.session import Session
    from ingest.user_schema import UserSchema
    from schema_store.types import Schema


_LOG = logging.getLogger("ingest")


class DataStreamReader:
    """Collects what the stream is to read; `load` resolves it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._source = ""
        self._options: dict[str, object] = {}
        self._schema: Schema | None = None

    def __repr__(self) -> str:
        return f"<DataStreamReader {self._source}>"

    def format(self, source: str) -> DataStreamReader:
        """Choose the source; only `cloudFiles` is one."""
        if source.lower() != "cloudfiles":
            raise _unknown_source(source)
        self._source = source
        return self

    def option(self, key: str, value: object) -> DataStreamReader:
        """Set an option; names are not case-sensitive, values text, booleans or numbers."""
        self._options.pop(key, None)  # the last spelling wins, also one that was there before
        self._options[key] = value
        return self

    def options(self, **options: object) -> DataStreamReader:
        """Set several options."""
        for key, value in options.items():
            self.option(key, value)
        return self

    def schema(self, schema: UserSchema) -> DataStreamReader:
        """Give the schema as DDL text, Spark's schema JSON, an Arrow schema or a `Schema`."""
        self._schema = parse_schema(schema)
        return self

    def load(
        self,
        path: str | os.PathLike[str] | None = None,
        format: str | None = None,  # noqa: A002 - PySpark's name
        schema: UserSchema | None = None,
        **options: object,
    ) -> StreamingDataFrame:
        """Resolve the schema and lock it (contract 1.5); nothing is ingested yet.

        `format`, `schema` and further options are as by the calls of these names (PySpark).

        Raises an `OptionError` for options that are wrong, an `InferenceError` when no schema can
        be inferred, a `LandingFolderError` when the path cannot be listed.
        """
        if format is not None:
            self.format(format)
        if schema is not None:
            self.schema(schema)
        self.options(**options)
        return self._load(path)

    def _load(self, path: str | os.PathLike[str] | None) -> StreamingDataFrame:
        if not self._source:
            raise MissingOptionError(
                "readStream.format", needed_for="cloudFiles", example='.format("cloudFiles")'
            )
        session = self._session
        now = session.now()
        options = resolve_options(
            self._options,
            conf=session.conf.as_dict(),
            user_schema=self._schema,
            today=now.date(),
            locate=session.locate,
        )
        place = session.locate(self._path(path))
        loaded = load_stream(os.fspath(place), options, at=now)
        for text in (*options.warnings, *sorted(loaded.notices)):
            _LOG.warning(text)
        for text in options.notes:
            _LOG.info(text)
        return StreamingDataFrame(session, loaded)

    def _path(self, argument: str | os.PathLike[str] | None) -> str:
        """Choose the path: the argument of `load` or the option, never both (Spark)."""
        given = {key.lower(): value for key, value in self._options.items()}
        return one_path(argument, given.get("path"), call="load", folder="the landing folder")

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise OperationNotSupportedError(
            name,
            of="readStream",
            supported="format, option, options, schema, load",
            remedy='Write readStream.format("cloudFiles").option(…).load(path).',
        )


def _unknown_source(source: str) -> UnsupportedOptionError:
    return UnsupportedOptionError(
        "format",
        source,
        supported="cloudFiles",
        remedy='Write readStream.format("cloudFiles").option("cloudFiles.format", "csv").',
    )

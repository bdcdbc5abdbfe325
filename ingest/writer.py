"""`df.writeStream`: where the rows go, in the shape of PySpark's `DataStreamWriter`."""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.errors import (
    MissingOptionError,
    OperationNotSupportedError,
    OptionConflictError,
    OptionValueError,
    TriggerNotSupportedError,
    UnsupportedOptionError,
)
from ingest.landing import CHECKPOINT_NAMES
from ingest.options import check_known, resolve_writer_options
from ingest.query import QueryPlan, StreamingQuery
from ingest.sinks.parquet_table import ParquetTable
from ingest.trigger import AvailableNow, ProcessingTime, Trigger, parse_trigger
from ingest.user_paths import one_path

if TYPE_CHECKING:
    from typing import NoReturn

    from ingest.session import Session
    from ingest.sinks import Sink
    from ingest.stream import LoadedStream
    from ingest.stream_options import WriterOptions

_LOG = logging.getLogger("ingest")
_NO_TRIGGER = (
    "no trigger was given: the stream takes what is there now and ends, as with"
    " trigger(availableNow=True)"
)


class DataStreamWriter:
    """Collects where the stream's rows go; `start` or `toTable` starts it."""

    def __init__(self, session: Session, loaded: LoadedStream) -> None:
        self._session = session
        self._loaded = loaded
        self._format = "delta"
        self._options: dict[str, object] = {}
        self._name: str | None = None
        self._trigger: Trigger | None = None

    def format(self, sink: str) -> DataStreamWriter:
        """Choose the sink: `parquet` or `memory`."""
        self._format = sink.lower()
        return self

    def option(self, key: str, value: object) -> DataStreamWriter:
        """Set an option; names are not case-sensitive."""
        self._options.pop(key, None)  # the last spelling wins, also one that was there before
        self._options[key] = value
        return self

    def options(self, **options: object) -> DataStreamWriter:
        """Set several options."""
        for key, value in options.items():
            self.option(key, value)
        return self

    def outputMode(self, mode: str) -> DataStreamWriter:  # noqa: N802 - PySpark's name
        """Choose the output mode; a stream of files has only `append`."""
        if mode.lower() != "append":
            raise OptionValueError("outputMode", mode, allowed="append")
        return self

    def queryName(self, name: str) -> DataStreamWriter:  # noqa: N802 - PySpark's name
        """Name the query; for the memory sink this is the table's name."""
        self._name = name
        return self

    def trigger(self, **trigger: object) -> DataStreamWriter:
        """Choose when batches run: `availableNow=True` or `once=True`."""
        self._trigger = parse_trigger(**trigger)
        return self

    def start(
        self,
        path: str | os.PathLike[str] | None = None,
        format: str | None = None,  # noqa: A002 - PySpark's name
        outputMode: str | None = None,  # noqa: N803 - PySpark's name
        partitionBy: str | list[str] | None = None,  # noqa: N803 - PySpark's name
        queryName: str | None = None,  # noqa: N803 - PySpark's name
        **options: object,
    ) -> StreamingQuery:
        """Start the stream into a folder, or into memory under the query's name.

        The other arguments are as the calls of these names (PySpark). Raises an `OptionError` when
        something that the stream needs is missing or wrong.
        """
        self._call(format=format, outputMode=outputMode)
        self._call(partitionBy=partitionBy, queryName=queryName)
        self.options(**options)
        return self._start_at(path)

    def _start_at(self, path: str | os.PathLike[str] | None) -> StreamingQuery:
        options = self._resolved()
        if self._format == "memory":
            if path is not None or options.path is not None:
                raise OptionConflictError(
                    ("path", "writeStream.format"),
                    found="a path for a table in memory",
                    expected="a path beside parquet, a query name beside memory",
                    remedy='Leave the path out, or write .format("parquet").',
                )
            if self._name is None:
                raise MissingOptionError(
                    "queryName",
                    needed_for="a name for the table in memory",
                    example='.queryName("rows")',
                )
            return self._start(self._session.memory_table(self._name), None, options)
        place = one_path(path, options.path, call="start", folder="the folder of the table")
        return self._start_folder(self._session.locate(place), options)

    def toTable(  # noqa: N802 - PySpark's name
        self,
        tableName: str,  # noqa: N803 - PySpark's name
        format: str | None = None,  # noqa: A002 - PySpark's name
        outputMode: str | None = None,  # noqa: N803 - PySpark's name
        partitionBy: str | list[str] | None = None,  # noqa: N803 - PySpark's name
        queryName: str | None = None,  # noqa: N803 - PySpark's name
        **options: object,
    ) -> StreamingQuery:
        """Start the stream into a table of the session's warehouse.

        The other arguments are as the calls of these names (PySpark). Raises an `OptionError` when
        something that the stream needs is missing or wrong.
        """
        self._call(format=format, outputMode=outputMode)
        self._call(partitionBy=partitionBy, queryName=queryName)
        self.options(**options)
        return self._start_table(tableName)

    def _start_table(self, name: str) -> StreamingQuery:
        options = self._resolved()
        if options.path is not None:
            raise OptionConflictError(
                ("option path", "toTable"),
                found=f"{options.path} beside the table {name}",
                expected="one place: tables are in the warehouse, external ones are not supported",
                remedy="Leave the option out, or call start() instead of toTable.",
            )
        if self._format == "memory":
            return self._start(self._session.memory_table(name), None, options)
        return self._start_folder(self._session.table_folder(name), options)

    def _call(self, **arguments: object) -> None:
        """Take arguments as calls; one that is no call of ours is refused by `__getattr__`."""
        for name, value in arguments.items():
            if value is not None:
                getattr(self, name)(value)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise OperationNotSupportedError(
            name,
            of="writeStream",
            supported="format, option, options, outputMode, queryName, trigger, start, toTable",
            remedy="Write to a table and go on from there, or use real Spark.",
        )

    def _resolved(self) -> WriterOptions:
        if self._format not in ("parquet", "memory"):
            raise UnsupportedOptionError(
                "writeStream.format",
                self._format,
                supported="parquet or memory",
                remedy='Write .format("parquet") before .toTable or .start.',
            )
        check_known(self._loaded.options)
        if isinstance(self._trigger, ProcessingTime):
            raise TriggerNotSupportedError
        return resolve_writer_options(self._options, locate=self._session.locate)

    def _start_folder(self, folder: Path, options: WriterOptions) -> StreamingQuery:
        check_table_folder(folder, Path(os.fsdecode(self._loaded.landing.base)))
        return self._start(ParquetTable(folder), folder, options)

    def _start(self, sink: Sink, folder: Path | None, options: WriterOptions) -> StreamingQuery:
        checkpoint = options.checkpoint_location
        if checkpoint is None:
            raise MissingOptionError(
                "checkpointLocation",
                needed_for="a folder for the stream's state",
                example='.option("checkpointLocation", "state/checkpoint")',
            )
        self._say(options)
        state = [checkpoint / os.fsdecode(name) for name in CHECKPOINT_NAMES]
        landing = self._loaded.landing.without(state if folder is None else [*state, folder])
        return StreamingQuery(
            replace(self._loaded, landing=landing),
            sink,
            QueryPlan(checkpoint, self._trigger or AvailableNow(), self._name),
            now=self._session.now,
            new_id=self._session.new_id,
        )

    def _say(self, options: WriterOptions) -> None:
        if self._trigger is None:
            _LOG.warning(_NO_TRIGGER)
        for text in options.warnings:
            _LOG.warning(text)
        for text in options.notes:
            _LOG.info(text)


def check_table_folder(folder: Path, landing: Path) -> None:
    """Refuse a table that is a file or Delta's, or around the landing folder; before any effect.

    Raises `OptionValueError` and `OptionConflictError`.
    """
    place, source = folder.resolve(), landing.resolve()
    if place.exists() and not place.is_dir():
        raise OptionValueError("table", str(folder), allowed="a folder, or a name that is free")
    if (place / "_delta_log").is_dir():
        raise OptionValueError(
            "table", str(folder), allowed="a folder that is no Delta table, as Parquet goes there"
        )
    if source.is_relative_to(place):
        raise OptionConflictError(
            ("load path", "table"),
            found=f"the landing folder {source} lies in the table's folder {place}",
            expected="a table outside the landing folder",
            remedy="Choose another folder for the table.",
        )

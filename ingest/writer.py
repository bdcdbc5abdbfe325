"""`df.writeStream`: where the rows go, in the shape of PySpark's `DataStreamWriter`."""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.batch_writer import flat_names
from ingest.errors import (
    MissingOptionError,
    OperationNotSupportedError,
    OptionConflictError,
    OptionValueError,
    OutputModeError,
)
from ingest.landing import CHECKPOINT_NAMES
from ingest.options import (
    check_known,
    misplaced_options,
    resolve_pacing,
    resolve_writer_options,
)
from ingest.property_notices import late_properties
from ingest.query import QueryPlan, StreamingQuery
from ingest.stream_sinks import (
    SinkFormat,
    TableRequest,
    check_no_place,
    console_sink,
    foreach_batch_sink,
    memory_sink,
    parse_sink_format,
    table_sink,
)
from ingest.table_places import check_table_folder
from ingest.temporary import temporary_checkpoint
from ingest.trigger import DEFAULT_TRIGGER, Trigger, parse_trigger
from ingest.user_paths import one_path

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from ingest.dataframe import DataFrame
    from ingest.session import Session
    from ingest.sinks import Sink
    from ingest.stream import LoadedStream
    from ingest.stream_options import WriterOptions

_LOG = logging.getLogger("ingest")
_NO_TRIGGER = (
    "no trigger was given: the query looks for new files until it is stopped, as in production;"
    " with trigger(availableNow=True) it takes what is there and ends"
)
_NO_CHECKPOINT = (
    "no checkpointLocation was given: a temporary one is used, which is removed when the process"
    " ends, so the next start reads all files again"
)
_NO_CALL = (
    "the function given to foreachBatch is not called: format(…) came after it and chose"
    " another sink"
)
_OTHER_MODES = ("complete", "update")


class DataStreamWriter:
    """Collects where the stream's rows go; `start` or `toTable` starts it."""

    def __init__(self, session: Session, loaded: LoadedStream) -> None:
        self._session = session
        self._loaded = loaded
        self._format = SinkFormat.DELTA
        self._function: Callable[[DataFrame, int], Any] | None = None
        self._options: dict[str, object] = {}
        self._partitions: tuple[str, ...] = ()
        self._name: str | None = None
        self._trigger: Trigger | None = None

    def format(self, source: str) -> DataStreamWriter:
        """Choose the sink: `delta`, the default, `parquet`, `memory` or `console`."""
        self._format = parse_sink_format(source)
        return self

    def foreachBatch(self, func: Callable[[DataFrame, int], Any]) -> DataStreamWriter:  # noqa: N802 - PySpark's name
        """Call `func` with the rows of each batch and its id, instead of writing to a table.

        At least once: after a crash it may be called again with the same id and the same files.
        """
        if not callable(func):
            raise OptionValueError("foreachBatch", func, allowed="a function of (DataFrame, int)")
        self._format = SinkFormat.FOREACH_BATCH
        self._function = func
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

    def outputMode(self, outputMode: str) -> DataStreamWriter:  # noqa: N802, N803 - PySpark's name
        """Choose the output mode; a stream of files has only `append`."""
        mode = outputMode.lower()
        if mode != "append":
            raise OutputModeError(outputMode, exists=mode in _OTHER_MODES)
        return self

    def partitionBy(self, *cols: str | list[str]) -> DataStreamWriter:  # noqa: N802 - PySpark's name
        """Choose the columns that a new Delta table is partitioned by."""
        self._partitions = flat_names(cols)
        return self

    def queryName(self, queryName: str) -> DataStreamWriter:  # noqa: N802, N803 - PySpark's name
        """Name the query; for the memory sink this is the table's name."""
        if not isinstance(queryName, str) or not queryName.strip():
            raise OptionValueError("queryName", queryName, allowed="a text that is not blank")
        self._name = queryName
        return self

    def trigger(self, **trigger: object) -> DataStreamWriter:
        """Choose when batches run: `availableNow`, `once`, or `processingTime="10 seconds"`.

        Left out: as soon as there are new files, until the query is stopped.
        """
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
        resolved = self._resolved()
        table = self._format.table
        if table is None:
            check_no_place(self._format, path or resolved.path, self._partitions)
            return self._start(self._placeless(self._name), None, resolved)
        place = one_path(path, resolved.path, call="start", folder="the folder of the table")
        sql_name = f"{table.value}.`{place}`"
        request = TableRequest(self._session.locate(place), sql_name, table, self._partitions)
        return self._start_table(request, resolved)

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
        resolved = self._resolved()
        self._check_no_path(tableName, resolved)
        table = self._format.table
        if table is None:
            is_memory = self._format is SinkFormat.MEMORY
            check_no_place(self._format, None if is_memory else tableName, self._partitions)
            return self._start(self._placeless(tableName), None, resolved)
        folder = self._session.table_folder(tableName)
        return self._start_table(TableRequest(folder, tableName, table, self._partitions), resolved)

    def _call(self, **arguments: object) -> None:
        """Take arguments as the calls of these names."""
        for name, value in arguments.items():
            if value is not None:
                getattr(self, name)(value)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise OperationNotSupportedError(
            name,
            of="writeStream",
            supported="format, foreachBatch, option, options, outputMode, partitionBy, queryName,"
            " trigger, start, toTable",
            remedy="Take each batch with .foreachBatch(function), or use real Spark.",
        )

    def _resolved(self) -> WriterOptions:
        check_known(self._loaded.options)
        session = self._session
        return resolve_writer_options(
            self._options, conf=session.conf.as_dict(), locate=session.locate
        )

    @staticmethod
    def _check_no_path(name: str, options: WriterOptions) -> None:
        if options.path is not None:
            raise OptionConflictError(
                ("option path", "toTable"),
                found=f"{options.path} beside the table {name}",
                expected="one place: tables are in the warehouse, external ones are not supported",
                remedy="Leave the option out, or call start() instead of toTable.",
            )

    def _placeless(self, name: str | None) -> Sink:
        """Give the sink that has no folder."""
        if self._format is SinkFormat.CONSOLE:
            return console_sink(self._options, self._session)
        if self._function is not None and self._format is SinkFormat.FOREACH_BATCH:
            return foreach_batch_sink(self._function, self._session)
        return memory_sink(name, self._session)

    def _start_table(self, table: TableRequest, options: WriterOptions) -> StreamingQuery:
        check_table_folder(table.folder, Path(os.fsdecode(self._loaded.landing.base)))
        sink = table_sink(table, options, self._session)
        if self._format is SinkFormat.DELTA:
            late = late_properties(table.folder, table.sql_name, self._options)
            options = replace(options, warnings=(*options.warnings, *late))
        return self._start(sink, table.folder, options)

    def _start(self, sink: Sink, folder: Path | None, options: WriterOptions) -> StreamingQuery:
        checkpoint = options.checkpoint_location
        if checkpoint is None and folder is not None:
            raise MissingOptionError(
                "checkpointLocation",
                needed_for="a folder for the stream's state",
                example='.option("checkpointLocation", "state/checkpoint")',
            )
        self._say(options)
        place = temporary_checkpoint() if checkpoint is None else checkpoint
        state = [place / os.fsdecode(name) for name in CHECKPOINT_NAMES]
        landing = self._loaded.landing.without(state if folder is None else [*state, folder])
        loaded, session = replace(self._loaded, landing=landing), self._session
        pacing = resolve_pacing(session.conf.as_dict())
        plan = QueryPlan(
            place,
            self._trigger or DEFAULT_TRIGGER,
            self._name,
            settle_seconds=pacing.settle_seconds,
            is_watched=pacing.is_watched,
        )
        return session.streams.start(
            self._name,
            lambda: StreamingQuery(loaded, sink, plan, now=session.now, new_id=session.new_id),
        )

    def _say(self, options: WriterOptions) -> None:
        if self._trigger is None:
            _LOG.warning(_NO_TRIGGER)
        if options.checkpoint_location is None:
            _LOG.warning(_NO_CHECKPOINT)
        if self._function is not None and self._format is not SinkFormat.FOREACH_BATCH:
            _LOG.warning(_NO_CALL)
        for text in (*options.warnings, *misplaced_options(self._options, self._format.value)):
            _LOG.warning(text)
        for text in options.notes:
            _LOG.info(text)

"""`df.write`: rows in memory go to a table at once, in the shape of PySpark's `DataFrameWriter`."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from ingest.batch_tables import TableWrite, write_rows
from ingest.errors import (
    OperationNotSupportedError,
    OptionConflictError,
    PathExistsError,
    TableExistsError,
    UnsupportedOptionError,
)
from ingest.options import misplaced_options, parse_save_mode, resolve_batch_options
from ingest.property_notices import late_properties
from ingest.stream_options import SaveMode
from ingest.table_places import TableFormat, check_table_format, format_of
from ingest.user_paths import one_path

if TYPE_CHECKING:
    import os
    from pathlib import Path
    from typing import NoReturn

    import pyarrow as pa

    from ingest.session import Session
    from ingest.stream_options import BatchOptions
    from schema_store.types import Schema

_LOG = logging.getLogger("ingest")
_FORMATS = {one.value: one for one in TableFormat}


class DataFrameWriter:
    """Collects where the rows go; `save` or `saveAsTable` writes them."""

    def __init__(self, session: Session, schema: Schema, rows: pa.Table) -> None:
        self._session = session
        self._schema = schema
        self._rows = rows
        self._format = TableFormat.DELTA
        self._mode = SaveMode.ERROR
        self._options: dict[str, object] = {}
        self._partitions: tuple[str, ...] = ()

    def format(self, source: str) -> DataFrameWriter:
        """Choose the table's format: `delta`, the default, or `parquet`."""
        known = _FORMATS.get(str(source).lower())
        if known is None:
            raise UnsupportedOptionError(
                "write.format",
                source,
                supported="delta or parquet",
                remedy="Write other files from .to_polars() or .to_arrow().",
            )
        self._format = known
        return self

    def mode(self, saveMode: str | None) -> DataFrameWriter:  # noqa: N803 - PySpark's name
        """Choose what happens to what is there: append, overwrite, ignore, error (the default)."""
        if saveMode is not None:
            self._mode = parse_save_mode(saveMode)
        return self

    def option(self, key: str, value: object) -> DataFrameWriter:
        """Set an option; names are not case-sensitive."""
        self._options.pop(key, None)  # the last spelling wins, also one that was there before
        self._options[key] = value
        return self

    def options(self, **options: object) -> DataFrameWriter:
        """Set several options."""
        for key, value in options.items():
            self.option(key, value)
        return self

    def partitionBy(self, *cols: str | list[str]) -> DataFrameWriter:  # noqa: N802 - PySpark's name
        """Choose the columns that a new Delta table is partitioned by."""
        self._partitions = flat_names(cols)
        return self

    def save(
        self,
        path: str | os.PathLike[str] | None = None,
        format: str | None = None,  # noqa: A002 - PySpark's name
        mode: str | None = None,
        partitionBy: str | list[str] | None = None,  # noqa: N803 - PySpark's name
        **options: object,
    ) -> None:
        """Write the rows to the table in a folder.

        The other arguments are as the calls of these names (PySpark). Raises an `OptionError` for
        what was told wrong, an `AnalysisException` when the table does not take the rows.
        """
        self._take(format, mode, partitionBy, options)
        resolved = self._resolved()
        folder = one_path(path, resolved.path, call="save", folder="the folder of the table")
        place = self._session.locate(folder)
        there = PathExistsError(folder) if _is_something(place) else None
        self._write(place, f"{self._format.value}.`{folder}`", resolved, there)

    def saveAsTable(  # noqa: N802 - PySpark's name
        self,
        name: str,
        format: str | None = None,  # noqa: A002 - PySpark's name
        mode: str | None = None,
        partitionBy: str | list[str] | None = None,  # noqa: N803 - PySpark's name
        **options: object,
    ) -> None:
        """Write the rows to a table of the session's warehouse.

        The other arguments are as the calls of these names (PySpark). Raises an `OptionError` for
        what was told wrong, an `AnalysisException` when the table does not take the rows.
        """
        self._take(format, mode, partitionBy, options)
        resolved = self._resolved()
        if resolved.path is not None:
            raise OptionConflictError(
                ("option path", "saveAsTable"),
                found=f"{resolved.path} beside the table {name}",
                expected="one place: tables are in the warehouse, external ones are not supported",
                remedy="Leave the option out, or call save() instead of saveAsTable.",
            )
        place = self._session.table_folder(name)
        there = TableExistsError(name, str(place)) if format_of(place) else None
        self._write(place, name, resolved, there)

    def _take(
        self,
        source: str | None,
        mode: str | None,
        partitions: str | list[str] | None,
        options: dict[str, object],
    ) -> None:
        if source is not None:
            self.format(source)
        if partitions is not None:
            self.partitionBy(partitions)
        self.mode(mode)
        self.options(**options)

    def _resolved(self) -> BatchOptions:
        return resolve_batch_options(self._options, conf=self._session.conf.as_dict())

    def _write(
        self,
        folder: Path,
        name: str,
        options: BatchOptions,
        there: PathExistsError | TableExistsError | None,
    ) -> None:
        if there is not None:
            if self._mode is SaveMode.ERROR:
                raise there
            if self._mode is SaveMode.IGNORE:
                return
        check_table_format(folder, self._format)
        unheard = misplaced_options(self._options, self._format.value)
        late = (
            late_properties(folder, name, self._options)
            if self._format is TableFormat.DELTA
            else ()
        )
        for text in (*options.warnings, *unheard, *late):
            _LOG.warning(text)
        for text in options.notes:
            _LOG.info(text)
        write = TableWrite(
            folder=folder,
            name=name,
            format=self._format,
            overwrite=self._mode is SaveMode.OVERWRITE,
            options=options,
            partitions=self._partitions,
            now=self._session.now,
            new_id=self._session.new_id,
        )
        write_rows(write, self._schema, self._rows)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise OperationNotSupportedError(
            name,
            of="write",
            supported="format, mode, option, options, partitionBy, save, saveAsTable",
            remedy="Write to a table, or take the rows by .to_polars() or .to_arrow().",
        )


def flat_names(names: tuple[str | list[str], ...]) -> tuple[str, ...]:
    """Give names that were given one by one or as a list (PySpark takes both)."""
    return tuple(
        name for given in names for name in (given if isinstance(given, list) else [given])
    )


def _is_something(place: Path) -> bool:
    """Tell whether a path holds anything: a file, or a folder that is not empty."""
    return place.exists() and (not place.is_dir() or any(place.iterdir()))

"""The rescued column of a table, read file by file; only that column is decoded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.delta.log import DELTA_LOG
from ingest.delta.mapping import physical_name
from ingest.delta.scan import data_files, missing_file, readable_snapshot, unreadable_file
from ingest.errors import TableNotFoundError
from ingest.sinks.manifest import part_paths, read_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from schema_store.types import Schema

BATCH_ROWS = 65_536


def rescued_texts(
    folder: Path, column: str
) -> tuple[Schema, Callable[[], Iterator[tuple[int, pl.Series]]]]:
    """Give a table's schema, and its rescued JSON: so many rows, and what is not NULL in them.

    Raises `TableNotFoundError`, and what reading a table raises.
    """
    if (folder / DELTA_LOG).is_dir():
        snapshot = readable_snapshot(folder)
        field = snapshot.schema.find(column)
        name = column if field is None else physical_name(field)
        files = [(file.path, file.kept) for file in data_files(snapshot)]
        return snapshot.schema, lambda: _texts(files, name)
    manifest = read_manifest(folder)
    if manifest.schema is None:
        raise TableNotFoundError(folder.name, str(folder))
    parts = [(path, None) for path in part_paths(manifest, folder)]
    return manifest.schema, lambda: _texts(parts, column)


def _texts(
    files: list[tuple[Path, pa.BooleanArray | None]] | list[tuple[Path, None]], name: str
) -> Iterator[tuple[int, pl.Series]]:
    for path, kept in files:
        try:
            yield from _of_file(path, kept, name)
        except FileNotFoundError as error:
            raise missing_file(path) from error
        except (OSError, pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise unreadable_file(path, str(error)) from error


def _of_file(
    path: Path, kept: pa.BooleanArray | None, name: str
) -> Iterator[tuple[int, pl.Series]]:
    with pq.ParquetFile(path) as source:
        rows = source.metadata.num_rows
        if kept is not None:
            rows -= len(kept) - int(pl.Series(kept).sum())
        yield rows, pl.Series([], dtype=pl.String)
        if name not in source.schema_arrow.names:
            return
        before = 0
        for batch in source.iter_batches(BATCH_ROWS, columns=[name]):
            texts = pl.Series(batch.column(0)).cast(pl.String)
            if kept is not None:
                mask = pl.Series(kept).slice(before, len(texts))
                before += len(texts)
                mask = mask.extend_constant(value=True, n=len(texts) - len(mask))
                texts = texts.filter(mask)
            yield 0, texts.drop_nulls()

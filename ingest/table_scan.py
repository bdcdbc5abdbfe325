"""`ingest.scan_table`: a table as a Polars LazyFrame, by its folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from ingest.delta.lazy_scan import polars_schema, scan_delta_table
from ingest.delta.log import DELTA_LOG
from ingest.table_reader import read_table

if TYPE_CHECKING:
    import os


def scan_table(path: str | os.PathLike[str], version: int | None = None) -> pl.LazyFrame:
    """Give a table as a Polars LazyFrame; nothing but its log and its footers is read now.

    Unlike `polars.scan_delta` it reads widened and column-mapped tables: each file under its own
    schema, cast to the table's. Predicates and projections reach the Parquet files; maps are
    `polars.Map`. A Parquet table of ours is read at once.

    Args:
        path: the table's folder, the one that holds `_delta_log` or `_manifest`.
        version: a version of a Delta table; the newest if None.

    Raises `TableNotFoundError`, `TableVersionNotFoundError`, `TableFeatureNotSupportedError`, and
    `DamagedTableError`, naming the file.
    """
    folder = Path(path).absolute()  # the frame may be collected elsewhere
    if (folder / DELTA_LOG).is_dir():
        return scan_delta_table(folder, version)
    schema, rows = read_table(folder, version)
    frame = pl.DataFrame(rows, schema=polars_schema(schema))
    return frame.lazy()

"""The benchmarks' Parquet data, made once: the clean rows of the CSV data in 100 typed files."""

from __future__ import annotations

import io
import shutil
from typing import TYPE_CHECKING

import polars as pl
import pyarrow.parquet as pq

from tests.benchmarks.columns import COLUMNS
from tests.benchmarks.csv_data import FILES, csv_lines
from tests.benchmarks.peers import polars_types

if TYPE_CHECKING:
    from pathlib import Path

ROW_BYTES = 125
"""About what a row takes, compressed by snappy."""


def parquet_folder(data: Path, *, megabytes: int) -> Path:
    """Give a folder of Parquet files, written unless it is there (see `csv_folder`)."""
    folder = data / f"parquet-{megabytes}"
    if folder.exists():
        return folder
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    rows = max(1, megabytes * 1_000_000 // ROW_BYTES // FILES)
    for seed in range(FILES):
        text = "\n".join(csv_lines(rows, seed=seed).to_list())
        frame = pl.read_csv(
            io.BytesIO(text.encode()),
            has_header=False,
            new_columns=list(COLUMNS),
            schema_overrides=list(polars_types().values()),
        )
        frame = frame.with_columns(pl.col(pl.Datetime).dt.replace_time_zone("UTC"))
        pq.write_table(frame.to_arrow(), unfinished / f"{seed:05}.parquet", compression="snappy")
    return unfinished.rename(folder)

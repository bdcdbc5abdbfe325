"""A Parquet file's rows as Arrow, in pieces of bounded size.

Two decoders give the same values. Polars is the faster one and knows fewer types: it reads files
of flat columns; where it has no answer, or another one than the footer, Arrow reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa

from ingest.errors import DamagedParquetPagesError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow.parquet as pq

    from ingest.formats.parquet_fields import FileField
    from ingest.formats.parquet_footer import OpenedParquet

BATCH_SIZE = 16 << 20
"""Bytes of a piece, as they are in the file before compression."""
MAX_GROUP = 64 << 20
"""Bytes of a row group that is decoded at once; a larger one is streamed."""
MAX_ROWS = 1 << 17
MIN_ROWS = 64

_FAILURES = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""Polars panics at some damaged pages; Arrow, which reads next, says what is wrong."""
_NEWEST = pl.CompatLevel.newest()


def decode(opened: OpenedParquet) -> Iterator[pa.RecordBatch]:
    """Read all rows in order.

    Raises `DamagedParquetPagesError`.
    """
    pieces = _pieces(opened.reader.metadata)
    done = 0
    if pieces is not None and is_flat(opened.fields):
        for start, rows in pieces:
            batches = _decode_flat(opened, start, rows)
            if batches is None:
                break
            yield from batches
            done = start + rows
    if done < opened.height:
        yield from decode_any(opened, skip=done)


def is_flat(fields: tuple[FileField, ...]) -> bool:
    """Tell whether both decoders read these columns alike."""
    names = {field.name for field in fields}
    return len(names) == len(fields) and all(_is_flat(field) for field in fields)


def decode_any(opened: OpenedParquet, *, skip: int = 0) -> Iterator[pa.RecordBatch]:
    """Read rows of any type by Arrow; `skip` rows have been read already."""
    size = _batch_rows(opened.reader.metadata)
    batches = opened.reader.iter_batches(batch_size=size, use_threads=False)
    while True:
        try:
            batch = next(batches, None)
        except (pa.ArrowException, OSError) as error:
            reason = str(error).partition("\n")[0] or type(error).__name__
            raise DamagedParquetPagesError(opened.file.uri, reason) from error
        if batch is None:
            return
        if skip < batch.num_rows:
            yield batch.slice(skip)
        skip = max(0, skip - batch.num_rows)


def _decode_flat(opened: OpenedParquet, start: int, rows: int) -> list[pa.RecordBatch] | None:
    """Read rows by Polars; None where it fails, or means something else than the footer."""
    try:
        scan = pl.scan_parquet(
            opened.source,
            parallel="none",
            use_statistics=False,
            glob=False,
            hive_partitioning=False,
        )
        frame = scan.slice(start, rows).collect()
    except (*_FAILURES, OSError, UnicodeError):  # the last: a path that is not UTF-8
        return None
    table = frame.to_arrow(compat_level=_NEWEST)
    kinds = [(field.name, _decoded_kind(field.kind)) for field in opened.fields]
    same = [(field.name, field.type) for field in table.schema] == kinds
    return table.to_batches() if same and table.num_rows == rows else None


def _pieces(metadata: pq.FileMetaData) -> list[tuple[int, int]] | None:
    """Put consecutive row groups together up to a size; None when one is too large for that."""
    pieces: list[tuple[int, int]] = []
    start = rows = size = 0
    for at in range(metadata.num_row_groups):
        group = metadata.row_group(at)
        if group.total_byte_size > MAX_GROUP:
            return None
        if rows and size + group.total_byte_size > BATCH_SIZE:
            pieces.append((start, rows))
            start, rows, size = start + rows, 0, 0
        rows += group.num_rows
        size += group.total_byte_size
    return [*pieces, (start, rows)] if rows else pieces


def _batch_rows(metadata: pq.FileMetaData) -> int:
    size = sum(metadata.row_group(at).total_byte_size for at in range(metadata.num_row_groups))
    rows = int(BATCH_SIZE * metadata.num_rows // max(size, 1))
    return max(MIN_ROWS, min(MAX_ROWS, rows))


def _is_flat(field: FileField) -> bool:
    kind, types = field.kind, pa.types
    plain = (
        types.is_boolean(kind)
        or types.is_integer(kind)
        or types.is_float32(kind)
        or types.is_float64(kind)
        or types.is_date32(kind)
        or types.is_timestamp(kind)
        or types.is_string(kind)
        or types.is_large_string(kind)
        or (types.is_decimal128(kind) and kind.scale >= 0)
    )
    return bool(plain and field.data_type is not None and not field.int96)


def _decoded_kind(kind: pa.DataType) -> pa.DataType:
    """Give what Polars makes of a type."""
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    return pa.string_view() if is_text else kind

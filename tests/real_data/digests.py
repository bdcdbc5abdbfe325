"""A short digest of an Arrow column: the same for the same values, whatever made the column."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc


def digest(column: pa.ChunkedArray) -> str:
    """Give 64 bits in hexadecimal digits."""
    found = blake2b(digest_size=8)
    _add(found, pa.concat_arrays(column.chunks) if column.num_chunks else pa.nulls(0, column.type))
    return found.hexdigest()


def _add(found: blake2b, array: Any) -> None:
    """Take in which values are there, then the values; nulls count as zeros."""
    _add_fixed(found, pc.is_valid(array).cast(pa.uint8()))
    kind = array.type
    if pa.types.is_struct(kind):
        for number in range(kind.num_fields):
            found.update(kind.field(number).name.encode())
            _add(found, pc.struct_field(array, number))
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        _add_fixed(found, pc.list_value_length(array).cast(pa.int64()).fill_null(0))
        _add(found, array.flatten())
    elif pa.types.is_timestamp(kind):
        _add_fixed(found, array.cast(pa.timestamp("us", kind.tz)).cast(pa.int64()).fill_null(0))
    elif pa.types.is_date32(kind):
        _add_fixed(found, array.cast(pa.int32()).fill_null(0))
    elif pa.types.is_boolean(kind):
        _add_fixed(found, array.cast(pa.uint8()).fill_null(0))
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
        _add_fixed(found, array.fill_null(0))
    else:
        _add_text(found, array.cast(pa.large_string()).fill_null(""))


def _add_fixed(found: blake2b, array: Any) -> None:
    width = array.type.bit_width // 8
    start = array.offset * width
    found.update(memoryview(array.buffers()[1])[start : start + len(array) * width])


def _add_text(found: blake2b, array: Any) -> None:
    """Take in the lengths, then all the text in one piece."""
    _, offsets, text = array.buffers()
    _add_fixed(found, pc.binary_length(array))
    if text is not None and len(array):
        places = memoryview(offsets).cast("q")
        start, end = places[array.offset], places[array.offset + len(array)]
        found.update(memoryview(text)[start:end])

"""`_metadata`: facts about the file that a row is from (contract 7.7).

Spelled as Spark does (`FileFormat.BASE_METADATA_FIELDS`, `SparkPath.urlEncoded`): paths are
percent-encoded but for letters of other scripts, `file_path` has one slash after `file:`, times
are cut to milliseconds. A file is one block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import category

import pyarrow as pa

from ingest.arrow import to_arrow_type
from ingest.file_entry import file_uri
from schema_store.types import Field, LongType, StringType, StructType, TimestampType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.file_entry import FileEntry

_ESCAPED = frozenset({"Cc", "Cs", "Zl", "Zp", "Zs"})
"""Kinds of characters beyond ASCII that are escaped: controls, blanks, bytes that are no UTF-8."""

METADATA = "_metadata"
"""The hidden column's name."""

METADATA_TYPE = StructType(
    (
        Field("file_path", StringType()),
        Field("file_name", StringType()),
        Field("file_size", LongType()),
        Field("file_block_start", LongType()),
        Field("file_block_length", LongType()),
        Field("file_modification_time", TimestampType()),
    )
)


def file_path(file: FileEntry) -> str:
    """Give the path as `_metadata.file_path` spells it: `file:` and one slash.

    >>> from ingest.file_entry import FileEntry, SeqNum
    >>> file_path(FileEntry(SeqNum(1), b"/landing/a b.csv", 3, 0))
    'file:/landing/a%20b.csv'
    """
    return "file:" + _spelled(file)


def _spelled(file: FileEntry) -> str:
    """Escape a path as `java.net.URI` does: letters of all scripts stay, blanks do not."""
    if file.path.isascii():
        return file.uri.removeprefix("file://")
    return "".join(
        sign if not sign.isascii() and category(sign) not in _ESCAPED else _escaped(sign)
        for sign in file.path.decode("utf-8", "surrogateescape")
    )


def _escaped(sign: str) -> str:
    return file_uri(sign.encode("utf-8", "surrogateescape")).removeprefix("file://")


def metadata_of(files: Sequence[FileEntry]) -> pa.StructArray:
    """Give the metadata of each file."""
    paths = [file_path(file) for file in files]
    sizes = pa.array([file.size for file in files], pa.int64())
    times = pa.array([file.modified_ns // 1_000_000 * 1000 for file in files], pa.int64())
    columns = [
        pa.array(paths, pa.string()),
        pa.array([path.rpartition("/")[2] for path in paths], pa.string()),
        sizes,
        pa.array([0] * len(files), pa.int64()),
        sizes,
        times.cast(pa.timestamp("us", tz="UTC")),
    ]
    return pa.StructArray.from_arrays(columns, fields=list(to_arrow_type(METADATA_TYPE)))


def names_of(files: Sequence[FileEntry]) -> pa.Array:
    """Give each file's URI as `input_file_name()` spells it."""
    return pa.array([f"file://{_spelled(file)}" for file in files], pa.string())

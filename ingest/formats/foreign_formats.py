"""Files that are plainly no text, by their first bytes or their name (contract 10, 11.12)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.errors import ForeignFormatError

if TYPE_CHECKING:
    from ingest.file_entry import FileEntry

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"\xff\x06\x00\x00sNaPpY", "snappy"),
    (b"PAR1", "Parquet"),
    (b"PARE", "encrypted Parquet"),
    (b"ORC", "ORC"),
    (b"Obj\x01", "Avro"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"%PDF-", "PDF"),
    (b"\x7fELF", "ELF"),
    (b"SQLite format 3\x00", "SQLite"),
    (b"\xff\xfe\x00\x00", "UTF-32 text"),
    (b"\x00\x00\xfe\xff", "UTF-32 text"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
)

_BEGINNINGS = tuple(magic for magic, _ in _MAGIC)

_WORDS = {b"BZh", b"PAR1", b"PARE", b"ORC", b"GIF87a", b"GIF89a", b"PK\x03\x04"}
"""Beginnings that text can have as well: only with a byte that is no text soon after."""

_SHOWN = 16
"""Bytes that a message shows of a beginning that is not known."""


@dataclass(frozen=True, slots=True)
class Compression:
    """How a file is compressed: the name for users, and Arrow's."""

    name: str
    arrow_name: str


_COMPRESSIONS = {
    b".gz": Compression("gzip", "gzip"),
    b".bz2": Compression("bzip2", "bz2"),
    b".zst": Compression("zstd", "zstd"),
    b".deflate": Compression("deflate", "gzip"),  # Arrow's codec takes zlib's header as well
}
"""Hadoop's codecs by extension, in any case (`CompressionCodecFactory`)."""

_REFUSED = {b".lz4": "lz4", b".snappy": "snappy", b".xz": "xz", b".zip": "zip"}
"""No maintained library reads Hadoop's lz4 and snappy framing; Spark knows no xz and zip."""


def compression_of(file: FileEntry) -> Compression | None:
    """Tell by the name how a file is compressed.

    Raises `ForeignFormatError` for a compression that cannot be read.
    """
    extension = os.path.splitext(file.path)[1].lower()  # noqa: PTH122 - bytes
    refused = _REFUSED.get(extension)
    if refused is not None:
        raise ForeignFormatError(
            file.uri,
            found=f"a {refused} file, by its name",
            expected="text, plain or compressed as .gz, .bz2, .zst or .deflate",
        )
    return _COMPRESSIONS.get(extension)


def refuse_foreign(file: FileEntry, beginning: bytes, encoding: str) -> None:
    """Raise `ForeignFormatError` for content that is no text, by its first bytes."""
    if not beginning.startswith(_BEGINNINGS):
        return
    for magic, kind in _MAGIC:
        if not beginning.startswith(magic) or (magic in _WORDS and not _is_binary(beginning)):
            continue
        if not kind.endswith("text"):
            raise ForeignFormatError(file.uri, found=f"{kind}, by its first bytes", expected="text")
        if encoding == "utf-8":
            raise ForeignFormatError(
                file.uri,
                found=f"{kind}, by its first bytes",
                expected=f"text in UTF-8, or the option encoding={kind.removesuffix(' text')}",
            )


def refuse_other_than(wanted: str, file: FileEntry, beginning: bytes) -> None:
    """Raise `ForeignFormatError` unless the first bytes are those of this binary format."""
    found = next((kind for magic, kind in _MAGIC if beginning.startswith(magic)), None)
    if found == wanted:
        return
    shown = beginning[:_SHOWN].decode("latin-1").encode("unicode_escape").decode()
    what = f"a file that begins with '{shown}'" if found is None else f"{found}, by its first bytes"
    raise ForeignFormatError(file.uri, found=what, expected=f"{wanted} files")


def _is_binary(beginning: bytes) -> bool:
    return any(byte < ord(" ") and byte not in b"\t\n\r\f" for byte in beginning[:32])

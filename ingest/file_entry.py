"""Files on their way: listed, then numbered for good, then part of a micro-batch."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import NewType
from urllib.parse import quote_from_bytes

SeqNum = NewType("SeqNum", int)
"""A file's place in the sequence of all files ever discovered; the first one is 1."""

BatchId = NewType("BatchId", int)
"""The number of a micro-batch; the first one is 0."""


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file as one listing saw it. `path` is absolute, in the file system's own bytes."""

    path: bytes
    size: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file with its place in the sequence."""

    seq_num: SeqNum
    path: bytes
    size: int
    modified_ns: int

    @property
    def uri(self) -> str:
        """The path as users see it: a `file:///…` URI, percent-encoded (contract 5.1, 11.16)."""
        return file_uri(self.path)


@dataclass(frozen=True, slots=True)
class MicroBatch:
    """The unit of work: the files numbered after `start` up to `end`."""

    batch_id: BatchId
    start: SeqNum
    end: SeqNum
    files: tuple[FileEntry, ...]


def file_uri(path: bytes) -> str:
    """Give the `file:///…` URI of an absolute path; bytes that are not plain are escaped."""
    return "file://" + quote_from_bytes(path, safe="/=:@!$&'()*+,;~")


def display_path(path: bytes) -> str:
    """Give the path for a message: readable where it is UTF-8, escaped where it is not."""
    return os.fsdecode(path).encode("utf-8", "backslashreplace").decode()

"""How much one micro-batch may take (Spark's admission control)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ingest.file_entry import FileEntry
    from ingest.stream_options import ReadLimit


def admit(waiting: Iterable[FileEntry], limit: ReadLimit) -> tuple[FileEntry, ...]:
    """Take files in sequence up to the limit; always at least one when there is one.

    `maxBytesPerTrigger` is a soft limit: the file that crosses it is included (contract 7.1).
    """
    taken: list[FileEntry] = []
    size = 0
    for entry in waiting:
        taken.append(entry)
        size += entry.size
        if limit.files is not None and len(taken) >= limit.files:
            break
        if limit.size is not None and size >= limit.size:
            break
    return tuple(taken)

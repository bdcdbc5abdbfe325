"""Read a batch's files, a few at once, and hand their rows on in file order.

Parsers release the interpreter lock, so threads read while the sink writes. Memory is bounded by a
few read batches, not by the micro-batch: each worker waits until its rows are taken.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from ingest.file_entry import FileEntry
    from ingest.formats import Format
    from ingest.read_batch import ReadBatch
    from schema_store.types import Schema

WORKERS = 3
"""One more than cores that are common: while the sink writes, two read and one has waiting rows."""
GROUP_SIZE = 12 << 20
"""Bytes of files that are read as one piece of work."""
GROUP_FILES = 2000
_PATIENCE = 0.1
"""Seconds after which a waiting worker looks whether the reading was given up."""


def read_files(
    file_format: Format,
    files: Sequence[FileEntry],
    schema: Schema,
    *,
    done: Callable[[Sequence[FileEntry]], None] = lambda _: None,
) -> Generator[ReadBatch]:
    """Read files under a schema; rows come in file order. `done` hears of finished files.

    Raises what the format raises, at the place where the rows would have come. Closing the
    iterator early stops the workers.
    """
    given_up = threading.Event()
    waiting = deque(group_files(files))
    running: deque[tuple[_Group, threading.Thread]] = deque()
    try:
        while waiting or running:
            while waiting and len(running) < WORKERS:
                running.append(_start(_Group(waiting.popleft(), given_up), file_format, schema))
            group, worker = running[0]
            yield from group.rows()
            worker.join()
            running.popleft()
            done(group.files)
    finally:
        given_up.set()
        for _, worker in running:
            worker.join()


def _start(group: _Group, file_format: Format, schema: Schema) -> tuple[_Group, threading.Thread]:
    """Let a worker read the group.

    A plain thread: a pool takes no more work once the main thread has ended, and the stream goes on
    then (contract 1.1).
    """
    worker = threading.Thread(target=group.read, args=(file_format, schema), name="ingest-read")
    worker.start()
    return group, worker


def group_files(files: Sequence[FileEntry]) -> Iterator[tuple[FileEntry, ...]]:
    """Cut the files into pieces of work; order is kept."""
    group: list[FileEntry] = []
    size = 0
    for file in files:
        if group and (size + file.size > GROUP_SIZE or len(group) >= GROUP_FILES):
            yield tuple(group)
            group, size = [], 0
        group.append(file)
        size += file.size
    if group:
        yield tuple(group)


@dataclass(frozen=True, slots=True)
class _Group:
    """Consecutive files, and the rows a worker has read of them but nobody has taken."""

    files: tuple[FileEntry, ...]
    given_up: threading.Event
    read_rows: queue.Queue[ReadBatch | BaseException | None] = field(
        default_factory=lambda: queue.Queue(maxsize=2)
    )

    def read(self, file_format: Format, schema: Schema) -> None:
        """Read the files; runs in a worker. An error travels to the one who takes the rows."""
        try:
            for batch in file_format.read(self.files, schema):
                if not self._hand_over(batch):
                    return
        except BaseException as error:  # noqa: BLE001 - a panic too is raised again by `rows`
            self._hand_over(error)
        else:
            self._hand_over(None)

    def rows(self) -> Iterator[ReadBatch]:
        """Take the rows as they come."""
        while (batch := self.read_rows.get()) is not None:
            if isinstance(batch, BaseException):
                raise batch
            yield batch

    def _hand_over(self, batch: ReadBatch | BaseException | None) -> bool:
        while not self.given_up.is_set():
            try:
                self.read_rows.put(batch, timeout=_PATIENCE)
            except queue.Full:
                continue
            return True
        return False

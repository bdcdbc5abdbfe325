"""Read a batch's files, a few at once, and hand their rows on in file order.

Parsers release the interpreter lock, so threads read while the sink writes. Memory is bounded by a
few read batches, not by the micro-batch: each worker waits until its rows are taken.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from ingest.file_entry import FileEntry
    from ingest.formats import Format
    from ingest.read_batch import ReadBatch
    from schema_store.types import Schema

WORKERS = 3
"""One more than cores that are common, as some wait for their rows to be taken."""
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
    groups = [_Group(group, given_up) for group in group_files(files)]
    work = _Work(iter(groups), file_format, schema)
    workers = [
        threading.Thread(target=work.run, name="ingest-read")
        for _ in range(min(WORKERS, len(groups)))
    ]
    try:
        for worker in workers:
            worker.start()
        for group in groups:
            yield from group.rows()
            work.taken.release()
            done(group.files)
    finally:
        given_up.set()
        work.taken.release(WORKERS)
        for worker in workers:
            worker.join()


class _Work:
    """Groups that are waiting to be read, and the threads' way to the next one.

    Plain threads: a pool takes no more work once the main thread has ended, and the stream goes on
    then (contract 1.1). They stay the same ones, as every new one has memory of its own.
    """

    def __init__(self, groups: Iterator[_Group], file_format: Format, schema: Schema) -> None:
        self._groups = groups
        self._format = file_format
        self._schema = schema
        self._next = threading.Lock()
        self.taken = threading.Semaphore(WORKERS)
        """How many more groups may be begun before the rows of the first are taken."""

    def run(self) -> None:
        """Read group after group."""
        while True:
            self.taken.acquire()
            with self._next:
                group = next(self._groups, None)
            if group is None or group.given_up.is_set():
                return
            group.read(self._format, self._schema)


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

"""Work on several things at once, and take the results in their order.

Plain threads: a pool takes no more work once the main thread has ended, and a stream goes on then
(contract 1.1).
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

Item = TypeVar("Item")
Result = TypeVar("Result")

WORKERS = 2


class Ahead(Generic[Result]):
    """Pieces of work under way, each in a thread; whoever starts them bounds their number."""

    def __init__(self) -> None:
        self._running: deque[tuple[threading.Thread, queue.SimpleQueue[Result | BaseException]]] = (
            deque()
        )

    def __len__(self) -> int:
        return len(self._running)

    def start(self, work: Callable[[], Result], *, name: str) -> None:
        """Start a piece of work in a thread of this name."""
        done: queue.SimpleQueue[Result | BaseException] = queue.SimpleQueue()

        def run() -> None:
            try:
                done.put(work())
            except BaseException as error:  # noqa: BLE001 - raised again by `take`
                done.put(error)

        worker = threading.Thread(target=run, name=name)
        worker.start()
        self._running.append((worker, done))

    def take(self) -> Result:
        """Wait for the oldest piece and give its result, or raise what it raised."""
        worker, done = self._running[0]
        result = done.get()
        worker.join()
        self._running.popleft()  # not before: who is interrupted here still waits for it
        if isinstance(result, BaseException):
            raise result
        return result

    def wait(self) -> None:
        """Wait for all of it; nobody wants the results."""
        while self._running:
            worker, _ = self._running[0]
            worker.join()
            self._running.popleft()


def map_ahead(work: Callable[[Item], Result], items: Iterable[Item]) -> Generator[Result]:
    """Give `work` of each item in order; a few are worked on at once.

    Raises what `work` raises, in the place of its result.

    >>> list(map_ahead(len, ["a", "bc"]))
    [1, 2]
    """
    ahead: Ahead[Result] = Ahead()
    try:
        for item in items:
            ahead.start(partial(work, item), name="ingest-infer")
            if len(ahead) == WORKERS:
                yield ahead.take()
        while len(ahead):
            yield ahead.take()
    finally:
        ahead.wait()

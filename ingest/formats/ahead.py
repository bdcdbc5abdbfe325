"""Work on several things at once, and take the results in their order."""

from __future__ import annotations

import queue
import threading
from collections import deque
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

Item = TypeVar("Item")
Result = TypeVar("Result")

WORKERS = 2


def map_ahead(work: Callable[[Item], Result], items: Iterable[Item]) -> Generator[Result]:
    """Give `work` of each item in order; a few are worked on at once.

    Raises what `work` raises, in the place of its result. Plain threads, for the reason that
    `ingest.reading` gives.

    >>> list(map_ahead(len, ["a", "bc"]))
    [1, 2]
    """
    running: deque[tuple[threading.Thread, queue.SimpleQueue[Result | BaseException]]] = deque()
    try:
        for item in items:
            running.append(_start(work, item))
            if len(running) == WORKERS:
                yield _result(*running.popleft())
        while running:
            yield _result(*running.popleft())
    finally:
        for worker, _ in running:
            worker.join()


def _start(
    work: Callable[[Item], Result], item: Item
) -> tuple[threading.Thread, queue.SimpleQueue[Result | BaseException]]:
    done: queue.SimpleQueue[Result | BaseException] = queue.SimpleQueue()

    def run() -> None:
        try:
            done.put(work(item))
        except BaseException as error:  # noqa: BLE001 - raised again by `_result`
            done.put(error)

    worker = threading.Thread(target=run, name="ingest-infer")
    worker.start()
    return worker, done


def _result(worker: threading.Thread, done: queue.SimpleQueue[Result | BaseException]) -> Result:
    result = done.get()
    worker.join()
    if isinstance(result, BaseException):
        raise result
    return result

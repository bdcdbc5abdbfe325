"""The queries of a session, in the shape of PySpark's `StreamingQueryManager`."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ingest.errors import OperationNotSupportedError, QueryNameInUseError
from ingest.query import check_timeout

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from ingest.query import StreamingQuery


class StreamingQueryManager:
    """Knows which queries run; no two running ones have the same name."""

    def __init__(self) -> None:
        self._queries: list[StreamingQuery] = []
        self._lock = threading.Lock()
        self._changed = threading.Condition()
        self._terminated: StreamingQuery | None = None

    @property
    def active(self) -> list[StreamingQuery]:
        """The queries that are running."""
        return [query for query in self._queries if query.isActive]

    def get(self, id: str) -> StreamingQuery | None:  # noqa: A002 - PySpark's name
        """Give the running query of this id, or None."""
        return next((query for query in self.active if query.id == id), None)

    def start(self, name: str | None, make: Callable[[], StreamingQuery]) -> StreamingQuery:
        """Make a query, unless one of its name is running; raises `QueryNameInUseError`."""
        with self._lock:
            if name is not None and any(query.name == name for query in self.active):
                raise QueryNameInUseError(name)
            query = make()
            self._queries = [*self.active, query]
        query.when_ended(self._note_end)
        return query

    def awaitAnyTermination(self, timeout: float | None = None) -> bool | None:  # noqa: N802 - PySpark's name
        """Wait until a query of this session has ended, at most `timeout` seconds.

        One that has ended since `resetTerminated` counts. With a timeout, say whether one ended.
        Raises `StreamingQueryException` if it failed.
        """
        check_timeout("awaitAnyTermination", timeout)
        with self._changed:
            if not self._changed.wait_for(lambda: self._terminated is not None, timeout):
                return False
            query = self._terminated
        assert query is not None
        error = query.exception()
        if error is not None:
            raise error from error.cause
        return None if timeout is None else True

    def resetTerminated(self) -> None:  # noqa: N802 - PySpark's name
        """Forget the queries that have ended."""
        with self._changed:
            self._terminated = None

    def _note_end(self, query: StreamingQuery) -> None:
        """Remember a query that has ended; one that failed is not replaced (Spark)."""
        with self._changed:
            if self._terminated is None or not self._terminated.has_failed:
                self._terminated = query
            self._changed.notify_all()

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise OperationNotSupportedError(
            name,
            of="spark.streams",
            supported="active, get, awaitAnyTermination, resetTerminated",
            remedy="Leave it out; recentProgress has the reports.",
        )

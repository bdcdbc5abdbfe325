"""The queries of a session, in the shape of PySpark's `StreamingQueryManager`."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ingest.errors import OperationNotSupportedError, QueryNameInUseError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from ingest.query import StreamingQuery


class StreamingQueryManager:
    """Knows which queries run; no two running ones have the same name."""

    def __init__(self) -> None:
        self._queries: list[StreamingQuery] = []
        self._lock = threading.Lock()

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
            return query

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise OperationNotSupportedError(
            name,
            of="spark.streams",
            supported="active, get",
            remedy="Keep what start() gives and call awaitTermination() on it.",
        )

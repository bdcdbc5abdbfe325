"""What the library says while something runs, kept instead of printed."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOGGER = "ingest"


class _Hearing(logging.Handler):
    """Takes the warnings of this library, each text once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: dict[str, None] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Take a record."""
        self.texts[record.getMessage()] = None


@contextmanager
def hear_warnings() -> Iterator[dict[str, None]]:
    """Give the warnings that are said meanwhile, as keys in the order they came.

    Other handlers hear them as well; without any nothing is printed.
    """
    logger = logging.getLogger(_LOGGER)
    hearing = _Hearing()
    logger.addHandler(hearing)
    try:
        yield hearing.texts
    finally:
        logger.removeHandler(hearing)

"""What the console sink was told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.options.given import given_options
from ingest.stream_options import ConsoleOptions

if TYPE_CHECKING:
    from collections.abc import Mapping


def resolve_console_options(raw: Mapping[str, object]) -> ConsoleOptions:
    """Read `numRows` and `truncate` (Spark's `ConsoleTable`); raises `OptionValueError`."""
    given = given_options(raw)
    rows, truncate = given.count("numRows"), given.flag("truncate")
    return ConsoleOptions(rows=20 if rows is None else rows, truncate=truncate is not False)

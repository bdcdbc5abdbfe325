"""Why a stream stopped, in lines: the file, the columns, the types, the value, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.errors import IngestError
from ingest.replay.trial import file_name

if TYPE_CHECKING:
    from ingest.errors import UnknownFieldException
    from ingest.replay.outcome import Outcome

_SHOWN_VALUE = 60
"""Characters of a value that are shown."""


def stop_lines(outcome: Outcome) -> tuple[str, ...]:
    """Tell the stop or the failure of a start, what to do last; nothing when it ended well.

    A stop is told file by file: `b.csv: age new INT (value 25), id INT -> BIGINT (value 3e9)`.
    """
    stop = outcome.stop
    if stop is not None:
        return (*_cause_lines(outcome, stop), stop.remedy)
    return () if outcome.error is None else tuple(error_text(outcome.error).splitlines())


def _cause_lines(outcome: Outcome, stop: UnknownFieldException) -> tuple[str, ...]:
    named = file_name(stop.file)
    files: dict[str, dict[str, None]] = {}
    for cause in outcome.version.causes:
        text = f"{cause.column} {cause.change}{_value(cause.value)}"
        files.setdefault(file_name(cause.file) or named, {})[text] = None
    if not files:
        files[named] = dict.fromkeys(f"new column {column}" for column in stop.new_fields)
    return tuple(f"{file}: {', '.join(causes)}" for file, causes in files.items())


def error_text(error: Exception) -> str:
    """Give an error's message; one that nobody foresaw is told by its type as well."""
    if isinstance(error, (IngestError, OSError)) or type(error).__module__.startswith("schema_"):
        return str(error)
    return f"unexpected {type(error).__name__}: {error}; this is a bug, please report it"


def _value(value: str | None) -> str:
    return "" if value is None else f" (value {shown_value(value)})"


def shown_value(text: str) -> str:
    """Give an example's text, cut; in quotes only when it would not be seen for what it is.

    >>> shown_value("25"), shown_value(" 25"), shown_value("")
    ('25', "' 25'", "''")
    """
    shown = text if len(text) <= _SHOWN_VALUE else text[: _SHOWN_VALUE - 1] + "…"
    is_plain = bool(shown) and shown.strip() == shown and shown.isprintable()
    return shown if is_plain else repr(shown)

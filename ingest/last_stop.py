"""How the last run of a stream failed: a note in the checkpoint, for people.

    .last_stop      {"version":1,"type":"…","condition":"…","message":"…","remedy":"…"}

It is no state: it is replaced, it may be missing, and nothing that a run decides depends on it. A
run removes it when it starts, and writes it as its last effect when it fails; after a kill there is
none. Errors before the checkpoint is open (options, inference, a lock that is taken) leave no note.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from ingest.errors import IngestError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = ".last_stop"
VERSION = 1


@dataclass(frozen=True, slots=True)
class LastStop:
    """The error that ended a run: its class, its condition if it has one, what it says."""

    type: str
    condition: str | None
    message: str
    remedy: str


@contextmanager
def recording_stop(location: Path) -> Iterator[None]:
    """Note the error that ends what is inside; whatever cannot be written is left out."""
    note = location / NAME
    with suppress(OSError):
        note.unlink(missing_ok=True)
    try:
        yield
    except Exception as error:
        with suppress(OSError):
            note.write_bytes(_to_json(error))
        raise


def read_last_stop(location: Path) -> LastStop | None:
    """Read the note; None when there is none, or none that can be understood."""
    try:
        value = orjson.loads((location / NAME).read_bytes())
        if value["version"] > VERSION:
            return None
        condition = value["condition"]
        return LastStop(
            str(value["type"]),
            None if condition is None else str(condition),
            str(value["message"]),
            str(value["remedy"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _to_json(error: Exception) -> bytes:
    known = error if isinstance(error, IngestError) else None
    message = str(error).encode("utf-8", "replace").decode()
    return orjson.dumps(
        {
            "version": VERSION,
            "type": type(error).__name__,
            "condition": None if known is None else known.condition,
            "message": message,
            "remedy": "" if known is None else known.remedy,
        }
    )

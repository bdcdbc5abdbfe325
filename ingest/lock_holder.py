"""Who holds a checkpoint; asks without taking anything that would stay, and writes nothing."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

try:
    from fcntl import LOCK_NB, LOCK_SH, LOCK_UN, flock
except ImportError:  # Windows: then it is not known whether the lock is held

    def _is_held(descriptor: int) -> bool | None:  # noqa: ARG001 - nothing can be asked
        return None
else:

    def _is_held(descriptor: int) -> bool | None:
        try:
            flock(descriptor, LOCK_SH | LOCK_NB)
        except OSError:
            return True
        flock(descriptor, LOCK_UN)
        return False


@dataclass(frozen=True, slots=True)
class Holder:
    """Who says to hold a checkpoint, in words; `is_held` is None where it cannot be found out.

    A process that was killed leaves its name, but not the lock.
    """

    name: str
    is_held: bool | None

    @property
    def holds(self) -> bool:
        """Whether the lock is held, as far as can be told."""
        return self.is_held is not False


def find_holder(checkpoint: Path) -> Holder | None:
    """Look who holds a checkpoint; None when nobody says so.

    The lock is tried only when somebody claims it: a shared one, for an instant.
    """
    try:
        name = (checkpoint / ".lock.holder").read_text(encoding="utf-8")
    except OSError:
        return None
    is_held: bool | None = None
    with suppress(OSError):
        descriptor = os.open(checkpoint / ".lock", os.O_RDONLY)
        try:
            is_held = _is_held(descriptor)
        finally:
            os.close(descriptor)
    return Holder(name or "another query", is_held)

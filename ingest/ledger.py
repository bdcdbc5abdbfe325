"""The loss ledger: what production would lose without a trace (contract 9.1).

An entry counts exactly and keeps a few examples; entries add up, so files can be read in any
order.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_EXAMPLES = 5
"""Examples kept for each (file, column, reason)."""

MAX_EXAMPLE_LENGTH = 200
"""Characters kept of an example's text."""


class LossKind(Enum):
    """What happened to the value."""

    DROPPED = "dropped"
    """It is gone."""

    CHANGED = "changed"
    """It was rounded or cut."""


@dataclass(frozen=True, slots=True)
class LossExample:
    """One lost value: the record's number in its file (the first is 1) and its text."""

    row: int
    text: str


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """Losses of one kind in one column (None: whole records) of one file, for one reason."""

    kind: LossKind
    file: str
    column: str | None
    reason: str
    count: int
    examples: tuple[LossExample, ...]


def add_entries(
    left: tuple[LedgerEntry, ...], right: tuple[LedgerEntry, ...]
) -> tuple[LedgerEntry, ...]:
    """Add losses up: one entry for each (kind, file, column, reason), the first examples kept."""
    if not left or not right:
        return left or right
    return sum_entries(left + right)


def sum_entries(entries: Iterable[LedgerEntry]) -> tuple[LedgerEntry, ...]:
    """Add up what is lost in the same way: one entry for each (kind, file, column, reason)."""
    found: dict[tuple[LossKind, str, str | None, str], LedgerEntry] = {}
    for entry in entries:
        key = (entry.kind, entry.file, entry.column, entry.reason)
        known = found.get(key)
        if known is not None:
            examples = (known.examples + entry.examples)[:MAX_EXAMPLES]
            count = known.count + entry.count
            entry = LedgerEntry(*key, count, examples)  # noqa: PLW2901 - the sum replaces it
        found[key] = entry
    return tuple(found.values())

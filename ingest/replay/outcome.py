"""What one start of a stream has done: a frozen value with everything worth telling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.errors import UnknownFieldException

if TYPE_CHECKING:
    from ingest.ledger import LedgerEntry
    from schema_store.store import AuditCause
    from schema_store.types import Schema


@dataclass(frozen=True, slots=True)
class VersionChange:
    """The schema version before and after a start, and what lies between them.

    `before` and `after` are numbers, None for no version. `diff` tells the differences in the lines
    of `schema_store.schema_diff`, `causes` which file, column and value led to the new versions.
    """

    before: int | None
    after: int | None
    schema: Schema | None
    diff: tuple[str, ...]
    causes: tuple[AuditCause, ...]

    @property
    def is_new(self) -> bool:
        """Whether a version was stored."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Counts:
    """What the batches of a start add up to.

    `rows` went into the table; `rescued` of them have rescued data. `bad` records went to
    `badRecordsPath`.
    """

    batches: int = 0
    rows: int = 0
    rescued: int = 0
    corrupt: int = 0
    bad: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one start of a stream has done, and how it ended.

    * `counts`: batches, rows, rescued rows, corrupt and bad records of the batches that landed.
    * `files`: names of the files that landed, below the landing folder, in sequence.
    * `waiting`: names of the files of the batch that was stopped; a restart takes them again.
    * `version`: the schema version before and after.
    * `stream_schema`: the columns of the stream as it was loaded, the rescued column included; None
      when it could not be loaded.
    * `error`: why it stopped (an `UnknownFieldException`) or failed; None when all files landed.
    * `ledger`: what the landed batches lost silently in production (contract 9.1).
    * `warnings`: what the library warned of.
    """

    counts: Counts
    files: tuple[str, ...]
    waiting: tuple[str, ...]
    version: VersionChange
    stream_schema: Schema | None
    error: Exception | None
    ledger: tuple[LedgerEntry, ...]
    warnings: tuple[str, ...]

    @property
    def stop(self) -> UnknownFieldException | None:
        """The stop for new fields or wider types, None when there was none."""
        return self.error if isinstance(self.error, UnknownFieldException) else None

    @property
    def is_retryable(self) -> bool:
        """Whether starting again goes on."""
        return self.stop is not None and self.stop.retryable

    @property
    def condition(self) -> str | None:
        """The condition of the stop or failure, as Databricks names it, if it has a name."""
        condition = getattr(self.error, "condition", None)
        return condition if isinstance(condition, str) else None

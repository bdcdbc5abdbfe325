"""The stream's durable state, the table, or the bad records cannot be read or written."""

from __future__ import annotations

from ingest.errors.analysis import AnalysisException
from ingest.errors.root import IngestError


class CheckpointError(IngestError):
    """The durable state of a stream is missing, damaged or taken."""


class CheckpointInUseError(CheckpointError):
    """Another query holds the checkpoint (contract 7.5)."""

    condition = "CONCURRENT_QUERY"

    def __init__(self, location: str, holder: str) -> None:
        self.holder = holder
        super().__init__(
            location,
            found=f"the checkpoint is in use by {holder}",
            expected="one running query per checkpoint",
            remedy="Stop that query, or give this one a checkpointLocation of its own.",
        )


class DamagedCheckpointError(CheckpointError):
    """A file of the checkpoint cannot be understood."""


class SinkError(IngestError):
    """The table could not take the rows."""


class TableNotFoundError(SinkError, AnalysisException):
    """No table of that name."""

    condition = "TABLE_OR_VIEW_NOT_FOUND"

    def __init__(self, name: str, place: str) -> None:
        super().__init__(
            name,
            found=f"no table at {place}",
            expected="a table that a stream has written",
            remedy="Run the stream first, or check the name and the warehouse folder.",
        )


class StateNotWritableError(CheckpointError):
    """The checkpoint or the schema location cannot be written."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            path,
            found=f"it cannot be written ({reason.lower()})",
            expected="a folder this process may write to, with space left",
            remedy="Check its permissions and the disk, then start again.",
        )


class SinkNotWritableError(SinkError):
    """The table's folder cannot be written."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            path,
            found=f"the table cannot be written ({reason.lower()})",
            expected="a folder this process may write to, with space left",
            remedy="Check its permissions and the disk, then start again.",
        )


class BadRecordsNotWritableError(SinkError):
    """The folder of `badRecordsPath` cannot be written."""

    def __init__(self, path: str, reason: str) -> None:
        self.reason = reason
        super().__init__(
            path,
            found=f"bad records cannot be written ({reason.lower()})",
            expected="a badRecordsPath that this process may write to, with space left",
            remedy="Check its permissions and the disk, then start again.",
        )


class IncompatibleTableError(SinkError):
    """A column of the table cannot take the stream's type."""

    condition = "INCOMPATIBLE_DATA_FOR_TABLE"

    def __init__(self, table: str, column: str, incoming: str) -> None:
        self.column = column
        self.incoming = incoming
        super().__init__(
            table,
            found=f"the table has {column}, the stream brings {incoming}",
            expected="the same name and type, or a type that widens into the other",
            remedy=f"Write to another table, or keep the table's type: hint {column} in"
            " cloudFiles.schemaHints.",
        )


class DamagedTableError(SinkError):
    """A file of the table is missing, or cannot be understood."""

    def __init__(
        self,
        path: str,
        *,
        found: str = "a manifest entry that cannot be read",
        expected: str = "the line v1 and one JSON object",
        remedy: str = "Restore the table from a backup.",
    ) -> None:
        super().__init__(path, found=found, expected=expected, remedy=remedy)


class NoSchemaVersionError(IngestError):
    """A schema location that has no versions, or not this one."""

    def __init__(self, location: str, number: int | None, *, latest: int | None = None) -> None:
        self.number = number
        self.latest = latest
        is_empty = latest is None
        super().__init__(
            location,
            found="no schema version" if number is None else f"no schema version {number}",
            expected="a cloudFiles.schemaLocation that holds _schemas/0, 1, …"
            if is_empty
            else f"a version from 0 to {latest}",
            remedy="Give the folder that the stream was started with."
            if is_empty
            else "`ingest schema log` lists them.",
        )

"""A table cannot be read, or not by everybody."""

from __future__ import annotations

from ingest.errors.state_errors import SinkError


class TableFeatureNotSupportedError(SinkError):
    """The table has a feature that this reader does not know; reading on would be wrong."""

    condition = "DELTA_UNSUPPORTED_FEATURES_FOR_READ"

    def __init__(self, table: str, features: tuple[str, ...], supported: tuple[str, ...]) -> None:
        self.features = features
        self.supported = supported
        super().__init__(
            table,
            found=f"the table needs {', '.join(features)} to be read",
            expected=f"no other reader features than {', '.join(supported)}",
            remedy="Read it with Spark, or with DuckDB's delta_scan.",
        )


class NotDeltaTableError(SinkError):
    """What was asked for exists for Delta tables only."""

    condition = "DELTA_ONLY_OPERATION"

    def __init__(self, table: str, operation: str) -> None:
        self.operation = operation
        super().__init__(
            table,
            found=f"{operation} of a table that is not Delta's",
            expected="a folder with _delta_log",
            remedy="Write the table with the delta sink to have it.",
        )

"""Parquet files that cannot be read, or whose types have no common one; fixed-schema formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.errors.option_errors import OptionError
from ingest.errors.read_errors import InferenceError, ReadError

if TYPE_CHECKING:
    from schema_store.errors import TypeConflict


class DamagedParquetError(ReadError):
    """A Parquet file is cut off or damaged (contract 10).

    `column` is where, if the footer could be read and the damage is in a column.
    """

    def __init__(self, file: str, reason: str, *, column: str | None = None) -> None:
        self.reason = reason
        self.column = column
        place = "footer" if column is None else f"column {column!r}"
        self.condition = (
            "FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER"
            if column is None
            else "FAILED_READ_FILE.FAILED_CONVERT_PARQUET_COLUMN"
        )
        super().__init__(
            file,
            found=f"a damaged or cut off Parquet file ({place}: {reason})",
            expected="a whole Parquet file, from its first bytes PAR1 to its last",
            remedy="Write the file again, or move it away and put an empty file in its place;"
            " then start again.",
        )


class DamagedParquetPagesError(ReadError):
    """The footer of a Parquet file can be read, but not all of its pages (contract 10)."""

    condition = "FAILED_READ_FILE.NO_HINT"

    def __init__(self, file: str, reason: str) -> None:
        self.reason = reason
        super().__init__(
            file,
            found=f"a damaged Parquet file ({reason})",
            expected="pages as its footer describes them",
            remedy="Write the file again, or move it away and put an empty file in its place;"
            " then start again.",
        )


class ParquetTypeMismatchError(ReadError):
    """A column's type differs from the schema, and there is no rescued data column (4.2)."""

    condition = "FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH"

    def __init__(self, file: str, *, column: str, expected_type: str, actual_type: str) -> None:
        self.column = column
        self.expected_type = expected_type
        self.actual_type = actual_type
        super().__init__(
            file,
            found="Data type mismatches when reading Parquet column"
            f" {column}. Expected Spark type {expected_type}, actual Parquet type {actual_type}",
            expected="that type, or a narrower one",
            remedy="Set the option rescuedDataColumn to keep such values, or change the type in the"
            " schema.",
        )


class ParquetTypeNotSupportedError(ReadError):
    """A column has a Parquet type that Spark does not read: TIME, FLOAT16, UUID (11.21)."""

    condition = "PARQUET_TYPE_ILLEGAL"

    def __init__(self, file: str, *, column: str, parquet_type: str) -> None:
        self.column = column
        self.parquet_type = parquet_type
        super().__init__(
            file,
            found=f"Illegal Parquet type: {parquet_type} in column {column}",
            expected="a type that Spark reads",
            remedy="Write the column as text or a number, or fix its type with"
            f" cloudFiles.schemaHints, for example '{column} STRING': its values are rescued then.",
        )


class AncientDatetimeError(ReadError):
    """A date before 1582 in a file of an unknown writer, with the rebase mode EXCEPTION."""

    condition = "INCONSISTENT_BEHAVIOR_CROSS_VERSION.READ_ANCIENT_DATETIME"

    def __init__(self, file: str, *, column: str, value: str) -> None:
        self.column = column
        self.value = value
        super().__init__(
            file,
            found=f"{value} in column {column}, in a calendar that the file does not name",
            expected="dates since 1582-10-15, or files that say who wrote them",
            remedy="Set datetimeRebaseMode (int96RebaseMode for INT96) to LEGACY if Spark 2 or Hive"
            " wrote the file, else to CORRECTED.",
        )


class CannotMergeTypesError(InferenceError):
    """Files that carry types disagree about some columns (contract 2.2)."""

    condition = "CF_FAILED_TO_INFER_SCHEMA.CANNOT_MERGE"

    def __init__(self, path: str, conflicts: tuple[TypeConflict, ...]) -> None:
        self.conflicts = conflicts
        self.columns = tuple(conflict.column for conflict in conflicts)
        listed = ", ".join(f"{c.column} ({c.left} and {c.right})" for c in conflicts)
        super().__init__(
            path,
            found=f"types that cannot be merged: {listed}",
            expected="types of which one can hold the values of the other",
            remedy="Fix them with cloudFiles.schemaHints, for example"
            f" '{conflicts[0].column} {conflicts[0].right}'; other values are rescued.",
        )


class UnsupportedEvolutionModeError(OptionError):
    """A format with a fixed schema cannot evolve (contract 4.1)."""

    condition = "CF_UNSUPPORTED_SCHEMA_EVOLUTION_MODE"

    def __init__(self, mode: str, format_name: str) -> None:
        self.mode = mode
        self.format_name = format_name
        super().__init__(
            "cloudFiles.schemaEvolutionMode",
            found=f"Schema evolution mode {mode} is not supported for format: {format_name}",
            expected="none, as the schema of this format is fixed",
            remedy='Write .option("cloudFiles.schemaEvolutionMode", "none").',
        )

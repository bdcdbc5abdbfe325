"""What a Delta table refuses, under Delta's own names."""

from __future__ import annotations

from ingest.errors.analysis import AnalysisException
from ingest.errors.state_errors import SinkError


class TableVersionNotFoundError(SinkError):
    """A version of a table that is not there."""

    condition = "DELTA_VERSION_NOT_FOUND"

    def __init__(self, table: str, version: int, *, newest: int) -> None:
        self.version = version
        self.newest = newest
        super().__init__(
            table,
            found=f"no version {version}",
            expected=f"a version from 0 to {newest}",
            remedy="`ingest table history` lists them.",
        )


class DeltaSchemaError(AnalysisException, SinkError):
    """The rows have a schema that the table does not take."""


class MetadataMismatchError(DeltaSchemaError):
    """Columns or types that the table lacks, without `mergeSchema` (Delta's text).

    `columns` are the columns in question, `table_schema` and `data_schema` the trees of both.
    """

    condition = "DELTA_METADATA_MISMATCH"

    def __init__(
        self,
        table: str,
        table_id: str,
        *,
        columns: tuple[str, ...],
        table_schema: str,
        data_schema: str,
    ) -> None:
        self.columns = columns
        self.table_schema = table_schema
        self.data_schema = data_schema
        named = ", ".join(columns)
        remedy = (
            'Write with .option("mergeSchema", "true"), or leave the columns out with'
            " select or drop."
        )
        super().__init__(
            table,
            found=f"the table does not have {named}",
            expected="the table's columns and types, or mergeSchema",
            remedy=remedy,
            message="A schema mismatch detected when writing to the Delta table"
            f" (Table ID: {table_id}).\n"
            "To enable schema migration using DataFrameWriter or DataStreamWriter, please set:\n"
            '\'.option("mergeSchema", "true")\'.\n'
            "For other operations, set the session configuration\n"
            'spark.databricks.delta.schema.autoMerge.enabled to "true". See the documentation\n'
            "specific to the operation for details.\n\n"
            f"Table schema:\n{table_schema}\n\nData schema:\n{data_schema}\n\n"
            f"{table}: the table does not have {named}.",
        )


class FailedToMergeFieldsError(DeltaSchemaError):
    """A column's type that the table's column cannot take (Delta's text)."""

    condition = "DELTA_FAILED_TO_MERGE_FIELDS"

    def __init__(
        self, table: str, column: str, *, table_type: str, incoming: str, remedy: str | None = None
    ) -> None:
        self.column = column
        self.table_type = table_type
        self.incoming = incoming
        remedy = remedy or (
            "Write to another table, cast the column to the table's type, or hint it in"
            f" cloudFiles.schemaHints: {column} {table_type}."
        )
        super().__init__(
            table,
            found=f"{column} is {table_type} in the table and {incoming} in the rows",
            expected="the same type, or a narrower one",
            remedy=remedy,
            message=f"Failed to merge fields '{column}' and '{column}'. Failed to merge"
            f" incompatible data types {table_type} and {incoming}\n{table}: {remedy}",
        )


class TypeWideningNotEnabledError(FailedToMergeFieldsError):
    """A wider type for a table whose columns may not widen (contract 8.2).

    `statement` and `command` are what switches it on.
    """

    def __init__(
        self, table: str, column: str, *, table_type: str, incoming: str, sql_name: str
    ) -> None:
        self.statement = (
            f"ALTER TABLE {sql_name} SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')"
        )
        self.command = f"ingest table set-property {table} delta.enableTypeWidening true"
        super().__init__(
            table,
            column,
            table_type=table_type,
            incoming=incoming,
            remedy="The type can widen once the table allows it:\n"
            f"  {self.statement}\nor\n  {self.command}\nThen start again.",
        )


class InvalidColumnNamesError(DeltaSchemaError):
    """Names that Parquet files of a table without column mapping do not take."""

    condition = "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES"

    def __init__(self, table: str, columns: tuple[str, ...], characters: str) -> None:
        self.columns = columns
        shown = characters.encode("unicode_escape").decode()
        found = f"invalid character(s) among '{shown}' in {', '.join(columns)}"
        remedy = (
            "Rename them in the stream with withColumnRenamed, or let the table map names:"
            ' .option("delta.columnMapping.mode", "name") on the writer, or'
            " ingest run --writer-option delta.columnMapping.mode=name."
        )
        super().__init__(
            table,
            found=found,
            expected="names without these characters",
            remedy=remedy,
            message=f"Found {found} of your schema.\n{table}: {remedy}",
        )


class UnsupportedTypesError(DeltaSchemaError):
    """Types that a Delta table cannot store, or that cannot be written here."""

    condition = "DELTA_UNSUPPORTED_DATA_TYPES"

    def __init__(self, table: str, columns: tuple[str, ...]) -> None:
        self.columns = columns
        super().__init__(
            table,
            found=f"columns of unsupported types: {', '.join(columns)}",
            expected="types that a Delta table stores",
            remedy="Cast them, or leave them out with drop.",
        )


class NotNullViolatedError(SinkError):
    """NULL for a column that is NOT NULL."""

    condition = "DELTA_NOT_NULL_CONSTRAINT_VIOLATED"

    def __init__(self, column: str) -> None:
        self.column = column
        super().__init__(
            column,
            found=f"NOT NULL constraint violated for column: {column}",
            expected="a value in every row",
            remedy="Leave out the rows without one, or drop the constraint of the table.",
        )


class ValueCastError(SinkError):
    """A value that would be changed by the cast to the table's type."""

    condition = "CAST_OVERFLOW_IN_TABLE_INSERT"

    def __init__(self, column: str, source: str, target: str, *, reason: str | None = None) -> None:
        self.column = column
        self.source = source
        self.target = target
        super().__init__(
            column,
            found=f"{source} for {target}" + (f" ({reason})" if reason else ""),
            expected="values that the column's type holds without loss",
            remedy="Cast the column yourself, or let the table's type widen.",
        )


class UnsupportedTableFeatureError(SinkError):
    """Something about a Delta table that this package does not write, or does not read."""

    condition = "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE"

    def __init__(self, table: str, feature: str, *, reason: str) -> None:
        self.feature = feature
        super().__init__(
            table,
            found=f"the table uses {feature}: {reason}",
            expected="a table whose features can be honoured here",
            remedy="Write to another table, or write this one with Spark.",
        )


class TablePropertyError(AnalysisException):
    """A table property that does not exist, or cannot have this value."""

    condition = "DELTA_UNKNOWN_CONFIGURATION"

    def __init__(self, key: str, value: str | None, *, expected: str, remedy: str) -> None:
        self.key = key
        self.value = value
        found = "unknown configuration was specified" if value is None else f"the value {value!r}"
        super().__init__(key, found=found, expected=expected, remedy=remedy)


class MetadataChangedError(SinkError):
    """Another writer has changed the table's columns meanwhile."""

    condition = "DELTA_METADATA_CHANGED"

    def __init__(self, table: str, version: int) -> None:
        self.version = version
        super().__init__(
            table,
            found=f"version {version} has changed the table's columns or features meanwhile",
            expected="a table that stays as it is while a batch is written",
            remedy="Start again: the batch is written anew.",
        )


class AppendOnlyTableError(SinkError):
    """Rows that may not be removed."""

    condition = "DELTA_CANNOT_MODIFY_APPEND_ONLY"

    def __init__(self, table: str) -> None:
        super().__init__(
            table,
            found="the table is append-only (delta.appendOnly=true)",
            expected="mode append",
            remedy="Append, or set delta.appendOnly to false.",
        )

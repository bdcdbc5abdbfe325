"""A call, a statement or a row of the user's that cannot be taken, as Spark names it."""

from __future__ import annotations

from ingest.errors.analysis import AnalysisException
from ingest.errors.root import IngestError


class TableExistsError(AnalysisException):
    """A table is there already, and the save mode is the default one."""

    condition = "TABLE_OR_VIEW_ALREADY_EXISTS"

    def __init__(self, name: str, place: str) -> None:
        self.place = place
        super().__init__(
            name,
            found=f"Cannot create table or view `{name}` because it already exists ({place})",
            expected="a name that is free",
            remedy='Write .mode("append"), "overwrite" or "ignore", or CREATE TABLE IF NOT EXISTS.',
        )


class PathExistsError(AnalysisException):
    """Something is at the path already, and the save mode is the default one."""

    condition = "PATH_ALREADY_EXISTS"

    def __init__(self, path: str) -> None:
        super().__init__(
            path,
            found=f"Path {path} already exists",
            expected="a path that is free",
            remedy='Write .mode("append"), "overwrite" or "ignore".',
        )


class TableFormatError(AnalysisException):
    """A table of the one format is where the other is written or read (Delta's own check).

    `present` is what lies there, `wanted` what was asked for.
    """

    def __init__(self, place: str, *, present: str, wanted: str) -> None:
        self.present = present
        self.wanted = wanted
        self.condition = (
            "DELTA_INVALID_FORMAT" if present == "delta" else "DELTA_MISSING_TRANSACTION_LOG"
        )
        super().__init__(
            place,
            found=f'Incompatible format detected: a {present} table, used with format("{wanted}")',
            expected=f'format("{present}") at this place, or another place for {wanted}',
            remedy=f'Write .format("{present}"), or choose another table.',
        )


class SaveModeError(AnalysisException):
    """A save mode that does not exist."""

    condition = "INVALID_SAVE_MODE"

    def __init__(self, mode: str) -> None:
        self.mode = mode
        super().__init__(
            "mode",
            found=f'The specified save mode "{mode}" is invalid',
            expected='"append", "overwrite", "ignore", "error", "errorifexists", "default"',
            remedy="Correct the mode.",
        )


class OutputModeError(AnalysisException):
    """An output mode other than append, on a stream without aggregations."""

    def __init__(self, mode: str, *, exists: bool) -> None:
        self.mode = mode
        kind = "UNSUPPORTED_OPERATION" if exists else "INVALID"
        self.condition = f"STREAMING_OUTPUT_MODE.{kind}"
        super().__init__(
            "outputMode",
            found=f"Invalid streaming output mode: {mode}",
            expected="append: there are no aggregations on a stream of files here",
            remedy='Write .outputMode("append"), or leave it out.',
        )


class ConfNotFoundError(AnalysisException):
    """A configuration key that is not set and has no default (Spark's `conf.get`)."""

    condition = "SQL_CONF_NOT_FOUND"

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(
            f"spark.conf.get {key}",
            found=f'The SQL config "{key}" cannot be found',
            expected="a key that is set, or one with a default here",
            remedy=f'Set it, or write spark.conf.get("{key}", None).',
        )


class QueryNameInUseError(IngestError, ValueError):
    """A query of that name is running already (Spark: `IllegalArgumentException`)."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"queryName {name!r}",
            found=f"Cannot start query with name {name} as a query with that name is already"
            " active in this session",
            expected="a name of its own for each running query",
            remedy="Stop that query, or give this one another name.",
        )


class ForeachBatchError(IngestError):
    """The function given to `foreachBatch` has failed; its error is the `__cause__`."""

    condition = "FOREACH_BATCH_USER_FUNCTION_ERROR"

    def __init__(self, batch_id: int, reason: str, trace: str) -> None:
        self.batch_id = batch_id
        self.reason = reason
        super().__init__(
            f"foreachBatch, batch {batch_id}",
            found=reason,
            expected="a function of (DataFrame, batch id) that returns",
            remedy="The batch is not committed: the next start calls the function again with the"
            " same batch id and the same files.",
            message="An error occurred in the user provided function in foreach batch sink."
            f" Reason: {reason} (batch {batch_id}; it is not committed, the next start calls the"
            f" function again with the same files)\n{trace}",
        )


class ColumnNotFoundError(AnalysisException, KeyError):
    """A column that the rows do not have."""

    condition = "UNRESOLVED_COLUMN.WITH_SUGGESTION"

    def __init__(self, name: str, columns: tuple[str, ...]) -> None:
        self.name = name
        self.columns = columns
        super().__init__(
            name,
            found=f"A column with name `{name}` cannot be resolved",
            expected=f"one of {', '.join(f'`{column}`' for column in columns)}",
            remedy="Correct the name.",
        )

    __str__ = Exception.__str__  # KeyError's would show it quoted


class ColumnCountError(AnalysisException):
    """Rows and names, or rows and a table, that differ in their number of columns."""

    def __init__(self, what: str, *, condition: str, found: str, expected: str) -> None:
        self.condition = condition
        super().__init__(
            what, found=found, expected=expected, remedy="Give as many columns as are there."
        )


class TableColumnsError(AnalysisException):
    """Rows with other columns than their table (Spark's `_LEGACY_ERROR_TEMP_1144` and others)."""

    condition = "INCOMPATIBLE_DATA_FOR_TABLE"

    def __init__(self, name: str, *, table: str, data: str) -> None:
        self.table = table
        self.data = data
        super().__init__(
            name,
            found=f"the rows have the columns {data}",
            expected=f"those of the table: {table}",
            remedy='Add .option("mergeSchema", "true") to take new columns and leave others NULL.',
        )


class SqlSyntaxError(AnalysisException):
    """Text that is no SQL statement (Spark: `ParseException`)."""

    condition = "PARSE_SYNTAX_ERROR"

    def __init__(self, sql: str, problem: str) -> None:
        self.sql = sql
        self.problem = problem
        super().__init__(
            "spark.sql", found=f"{problem} in: {sql.strip()}", expected="SQL", remedy="Correct it."
        )


class SqlNotSupportedError(AnalysisException):
    """A statement that is not carried out here."""

    condition = "UNSUPPORTED_FEATURE"

    def __init__(self, statement: str, *, supported: str) -> None:
        self.statement = statement
        super().__init__(
            "spark.sql",
            found=f"{statement} is not supported here",
            expected=supported,
            remedy="Ask the rows themselves with SQL elsewhere: rows ="
            ' spark.table(name).to_arrow(); duckdb.sql("SELECT … FROM rows"). Or use real Spark.',
        )

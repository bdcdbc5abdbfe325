"""An expression that cannot be understood, or that fails on a value, by Spark's names."""

from __future__ import annotations

from ingest.errors.analysis import AnalysisException
from ingest.errors.root import IngestError


class AttributeNameError(AnalysisException):
    """A name whose dots or backticks do not add up."""

    condition = "INVALID_ATTRIBUTE_NAME_SYNTAX"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            name,
            found="Syntax error in the attribute name",
            expected="parts between dots, each plain or whole in backticks",
            remedy="Write a name that has dots or backticks as `a.b` or `a``b`, in backticks.",
        )


class ExpressionSyntaxError(AnalysisException):
    """SQL text that is no expression (Spark: `ParseException`)."""

    condition = "PARSE_SYNTAX_ERROR"

    def __init__(self, sql: str, problem: str) -> None:
        self.sql = sql
        self.problem = problem
        super().__init__(
            sql,
            found=f"Syntax error: {problem}",
            expected="one SQL expression, such as `amount > 10 AND name IS NOT NULL`",
            remedy="Correct the text; a column of a name with other signs goes in backticks.",
        )


class LiteralError(AnalysisException):
    """A literal in SQL text that has no value of its type."""

    def __init__(self, text: str, *, condition: str, found: str, expected: str) -> None:
        self.condition = condition
        super().__init__(text, found=found, expected=expected, remedy="Correct the literal.")


class AmbiguousReferenceError(AnalysisException):
    """A name that several columns have."""

    condition = "AMBIGUOUS_REFERENCE"

    def __init__(self, name: str, columns: tuple[str, ...]) -> None:
        self.name = name
        self.columns = columns
        listed = ", ".join(f"`{column}`" for column in columns)
        super().__init__(
            name,
            found=f"Reference `{name}` is ambiguous, could be: [{listed}]",
            expected="a name that one column has, upper and lower case counting as one",
            remedy="Rename the columns, or select one of them, before this call.",
        )


class ColumnAlreadyExistsError(AnalysisException):
    """Two columns of one name, where there may be one only."""

    condition = "COLUMN_ALREADY_EXISTS"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            name,
            found=f"The column `{name}` already exists",
            expected="names that differ, upper and lower case counting as one",
            remedy="Choose another name, or rename or drop the existing column.",
        )


class NoColumnsError(AnalysisException):
    """A stream without columns is written."""

    condition = "EMPTY_SCHEMA_NOT_SUPPORTED_FOR_DATASOURCE"

    def __init__(self) -> None:
        super().__init__(
            "writeStream",
            found="a stream without columns",
            expected="at least one column",
            remedy="Select a column, or drop fewer of them.",
        )


class FieldNotFoundError(AnalysisException):
    """A field that a struct does not have."""

    condition = "FIELD_NOT_FOUND"

    def __init__(self, name: str, fields: tuple[str, ...]) -> None:
        self.name = name
        self.fields = fields
        super().__init__(
            name,
            found=f"No such struct field `{name}`",
            expected=f"one of {', '.join(f'`{field}`' for field in fields)}",
            remedy="Correct the name.",
        )


class NoFieldsError(AnalysisException):
    """A field of something that is no struct."""

    condition = "INVALID_EXTRACT_BASE_FIELD_TYPE"

    def __init__(self, expression: str, sql_type: str) -> None:
        self.sql_type = sql_type
        super().__init__(
            expression,
            found=f'Can\'t extract a value from "{expression}", which is {sql_type}',
            expected="a STRUCT",
            remedy="Correct the name; one that has dots goes in backticks.",
        )


class StarUsageError(AnalysisException):
    """`*` where one value is meant."""

    condition = "INVALID_USAGE_OF_STAR_OR_REGEX"

    def __init__(self, place: str) -> None:
        super().__init__(
            "*",
            found=f"Invalid usage of '*' in {place}",
            expected="'*' as an argument of select or selectExpr",
            remedy="Name the columns.",
        )


class DatatypeMismatchError(AnalysisException):
    """An expression over types that it is not for."""

    def __init__(self, expression: str, subclass: str, problem: str, *, expected: str) -> None:
        self.expression = expression
        self.condition = f"DATATYPE_MISMATCH.{subclass}"
        super().__init__(
            expression,
            found=f'Cannot resolve "{expression}" due to data type mismatch: {problem}',
            expected=expected,
            remedy="Cast the column to the type that is meant.",
        )


class ExpressionError(IngestError):
    """A value of the stream that an expression fails on, in Spark's ANSI mode.

    `expression` is the SQL, `value` the first such value.
    """

    def __init__(
        self, expression: str, *, condition: str, value: str, expected: str, remedy: str
    ) -> None:
        self.expression = expression
        self.condition = condition
        self.value = value
        super().__init__(
            expression,
            found=f"the value {value}",
            expected=expected,
            remedy=remedy,
        )

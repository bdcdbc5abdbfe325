"""Rows given to `createDataFrame` that have no type, or another one than the schema's.

They are `TypeError` and `ValueError` too, as PySpark's `PySparkTypeError` and `PySparkValueError`.
"""

from __future__ import annotations

from ingest.errors.root import IngestError


class RowError(IngestError):
    """A value or a row that cannot be taken; `where` is the column, or the row."""

    def __init__(self, where: str, *, condition: str, found: str, expected: str) -> None:
        self.condition = condition
        super().__init__(where, found=found, expected=expected, remedy=_REMEDIES[condition])


class RowTypeError(RowError, TypeError):
    """A value of a Python type that cannot be taken."""


class RowValueError(RowError, ValueError):
    """A value of the right Python type that cannot be taken."""


_GIVE_SCHEMA = 'Give the schema, e.g. createDataFrame(rows, "id BIGINT, name STRING").'
_CORRECT = "Correct the value, or the type in the schema."

_REMEDIES = {
    "CANNOT_DETERMINE_TYPE": _GIVE_SCHEMA,
    "CANNOT_INFER_EMPTY_SCHEMA": _GIVE_SCHEMA,
    "CANNOT_INFER_SCHEMA_FOR_TYPE": "Write each row as a tuple, list, dict or Row: (1,), not 1.",
    "CANNOT_INFER_TYPE_FOR_FIELD": _GIVE_SCHEMA,
    "CANNOT_MERGE_TYPE": "Give every value of the column one type, or give the schema.",
    "AXIS_LENGTH_MISMATCH": "Give as many names as there are columns.",
    "NOT_EXPECTED_TYPE": "Give the names, or DDL text.",
    "FIELD_DATA_TYPE_UNACCEPTABLE": _CORRECT,
    "FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME": _CORRECT,
    "FIELD_NOT_NULLABLE_WITH_NAME": "Give a value, or leave NOT NULL out of the schema.",
    "FIELD_STRUCT_LENGTH_MISMATCH": "Give one value for each column.",
    "FIELD_STRUCT_LENGTH_MISMATCH_WITH_NAME": "Give one value for each field.",
    "NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION": _CORRECT,
    "STRUCT_ARRAY_LENGTH_MISMATCH": "Give one value for each column.",
    "UNSUPPORTED_DATA_TYPE": "Choose a type that rows can have.",
    "VALUE_OUT_OF_BOUNDS": _CORRECT,
}

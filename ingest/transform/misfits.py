"""A value that a cast fails on, as Spark's error of ANSI mode."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ingest.errors import ExpressionError
from ingest.text.numbers import JAVA_BLANKS, big_decimal
from ingest.transform.type_rules import TEXTUAL
from schema_store.ddl import type_to_sql
from schema_store.types import MAX_PRECISION, DecimalType, TimestampType

if TYPE_CHECKING:
    from ingest.transform.typed import Converted
    from schema_store.types import DataType


def misfit_error(node: Converted, value: object) -> ExpressionError:
    """Make the error for the first value that does not fit."""
    source, target = node.child.data_type, node.data_type
    return ExpressionError(
        node.text,
        condition=_condition(source, target, value),
        value=f"{value!r} of the type {type_to_sql(source)}",
        expected=f"a value that can be cast to {type_to_sql(target)}",
        remedy="Use try_cast in SQL text to get NULL instead, or filter these rows out first.",
    )


def _condition(source: DataType, target: DataType, value: object) -> str:
    if isinstance(source, TEXTUAL):
        return _of_text(str(value), target)
    if isinstance(target, DecimalType):
        return "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"
    if isinstance(target, TimestampType) and isinstance(value, float) and not math.isfinite(value):
        return "CAST_INVALID_INPUT"
    return "CAST_OVERFLOW"


def _of_text(text: str, target: DataType) -> str:
    number = big_decimal(text.strip(JAVA_BLANKS)) if isinstance(target, DecimalType) else None
    if number is None:
        return "CAST_INVALID_INPUT"
    if number.adjusted() >= MAX_PRECISION:
        return "NUMERIC_OUT_OF_SUPPORTED_RANGE"
    return "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"

"""The emulator's answers to what Spark was asked about expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.arrow import from_arrow_schema
from ingest.errors import IngestError, OperationNotSupportedError
from ingest.transform.sql_text import parse_expression
from ingest.transform.transformation import identity, select, transform_table
from schema_store.ddl import type_to_simple_string
from schema_store.errors import SchemaStoreError
from tests.spark.canonical import canonical_rows
from tests.transform.questions import TABLE, table_of

if TYPE_CHECKING:
    import datetime as dt

    import pyarrow as pa

    from ingest.transform.transformation import Transformation
    from tests.transform.questions import Json, Question

UNSUPPORTED = "unsupported"


def name_answer(expression: str) -> Json:
    """Give the names and types of the columns that an expression becomes."""
    try:
        found = _selected(TABLE, expression, "UTC")
        return [[one.name, type_to_simple_string(one.value.data_type)] for one in found.outputs]
    except OperationNotSupportedError:
        return UNSUPPORTED
    except SchemaStoreError:
        return {"error": "UNSUPPORTED_DATATYPE"}
    except IngestError as error:
        return {"error": error.condition}


def value_answers(question: Question, at: dt.datetime) -> list[Json]:
    """Give the expression's value in every row; where one fails, row by row."""
    table = table_of(question)
    try:
        found = _selected(table.schema, question.expression, question.zone)
    except OperationNotSupportedError:
        return [UNSUPPORTED] * table.num_rows
    except IngestError as error:
        return [{"error": error.condition}] * table.num_rows
    return _evaluated(found, table, at)


def _evaluated(found: Transformation, table: pa.Table, at: dt.datetime) -> list[Json]:
    try:
        answers = transform_table(found, table, at=at)
    except IngestError as error:
        if table.num_rows == 1:
            return [{"error": error.condition}]
        middle = table.num_rows // 2
        halves = table.slice(0, middle), table.slice(middle)
        return [answer for half in halves for answer in _evaluated(found, half, at)]
    return [row[0] for row in canonical_rows(answers.columns, answers.num_rows)]


def _selected(schema: pa.Schema, expression: str, zone: str) -> Transformation:
    given = identity(from_arrow_schema(schema), zone)
    return select(given, [parse_expression(expression)])

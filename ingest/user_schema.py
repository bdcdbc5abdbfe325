"""A schema in any of the forms that a user gives one in."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pyarrow as pa

from ingest.arrow import from_arrow_schema
from ingest.errors import OptionValueError, RowTypeError
from schema_store.ddl import parse_data_type, parse_ddl
from schema_store.errors import DdlError
from schema_store.spark_json import schema_from_json
from schema_store.types import DataType, Schema, StructType

if TYPE_CHECKING:
    from ingest.python_rows.frames import Names

UserSchema: TypeAlias = str | pa.Schema | StructType
"""DDL text, Spark's schema JSON, an Arrow schema or a `Schema`."""

RowSchema: TypeAlias = str | pa.Schema | StructType | list[str] | tuple[str, ...]
"""As `UserSchema`, or the columns' names alone."""


def parse_schema(schema: UserSchema) -> Schema:
    """Understand a schema in any of the forms that `.schema(...)` takes."""
    match schema:
        case StructType():
            return schema
        case str():
            return (
                schema_from_json(schema) if schema.lstrip().startswith("{") else parse_ddl(schema)
            )
        case pa.Schema():
            return from_arrow_schema(schema)
        case _:
            raise OptionValueError(
                "schema",
                schema,
                allowed="DDL text, Spark's schema JSON, an Arrow schema or a schema_store Schema",
            )


def parse_row_schema(schema: RowSchema | None) -> DataType | Names | None:
    """Understand the schema of `createDataFrame`; a type alone is that of rows that are values."""
    match schema:
        case None:
            return None
        case list() | tuple() if all(isinstance(name, str) for name in schema):
            return tuple(schema)
        case str() if not schema.lstrip().startswith("{"):
            return _columns_or_type(schema)
        case str() | pa.Schema() | StructType():
            return parse_schema(schema)
        case _:
            raise RowTypeError(
                "schema",
                condition="NOT_EXPECTED_TYPE",
                found=f"{schema!r}, a {type(schema).__name__}",
                expected="DDL text, a list of names, an Arrow schema or a schema_store Schema",
            )


def _columns_or_type(text: str) -> DataType:
    try:
        return parse_ddl(text)
    except DdlError as error:
        try:
            return parse_data_type(text)
        except DdlError:
            raise error from None

"""The schemas of formats that have only one (Spark `TextFileFormat`, `BinaryFileFormat`)."""

from __future__ import annotations

from schema_store.types import (
    BinaryType,
    Field,
    LongType,
    StringType,
    StructType,
    TimestampType,
)

TEXT_SCHEMA = StructType((Field("value", StringType()),))

BINARY_SCHEMA = StructType(
    (
        Field("path", StringType()),
        Field("modificationTime", TimestampType()),
        Field("length", LongType()),
        Field("content", BinaryType()),
    )
)

FIXED_SCHEMAS = {"text": TEXT_SCHEMA, "binaryFile": BINARY_SCHEMA}
"""By the format's name."""

"""Which format reads a stream's files, and which columns it can fill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.formats.binary_files import BinaryFormat
from ingest.formats.csv_files import CsvFormat
from ingest.formats.json_files import JsonFormat
from ingest.formats.parquet_files import ParquetFormat
from ingest.formats.text_files import TextFormat
from schema_store.types import (
    ArrayType,
    DataType,
    MapType,
    NullType,
    StructType,
    VariantType,
)

if TYPE_CHECKING:
    from ingest.formats import Format
    from ingest.stream_options import StreamOptions

_NESTED = (ArrayType, MapType, StructType)


def format_of(options: StreamOptions) -> Format:
    """Give the format that `cloudFiles.format` names."""
    match options.format_name:
        case "json":
            return JsonFormat(options.json, options.reading)
        case "parquet":
            return ParquetFormat(options.parquet, options.reading, options.hints.pinned)
        case "text":
            return TextFormat(options.text_files, options.reading)
        case "binaryFile":
            return BinaryFormat(options.reading)
        case _:
            return CsvFormat(options.csv, options.reading)


def can_fill(format_name: str, data_type: DataType) -> bool:
    """Tell whether files of a format have values of a type (Spark's `supportDataType`)."""
    match data_type:
        case NullType() | VariantType():
            return False
        case _ if format_name == "csv":
            return not isinstance(data_type, _NESTED)
        case StructType(fields):
            return all(can_fill(format_name, field.data_type) for field in fields)
        case ArrayType(element):
            return can_fill(format_name, element)
        case MapType(key, value):
            return can_fill(format_name, key) and can_fill(format_name, value)
        case _:
            return True

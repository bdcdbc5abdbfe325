"""Column mapping: what a column is called in the files (PROTOCOL.md, "Column Mapping").

Every field of every struct has an id and a physical name; files and statistics go by the physical
name, and Parquet fields carry the id.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import orjson
import pyarrow as pa

from ingest.arrow import to_arrow_type
from schema_store.types import ArrayType, DataType, Field, MapType, StructType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ingest.delta.actions import Metadata
    from schema_store.types import Schema

MODE = "delta.columnMapping.mode"
MAX_ID = "delta.columnMapping.maxColumnId"
PHYSICAL_NAME = "delta.columnMapping.physicalName"
FIELD_ID = "delta.columnMapping.id"


def maps_names(configuration: Mapping[str, str]) -> bool:
    """Tell whether files go by physical names."""
    return configuration.get(MODE, "none").lower() != "none"


def physical_name(field: Field) -> str:
    """Give what the field is called in files and statistics; its own name without mapping."""
    name = _known(field).get(PHYSICAL_NAME)
    return name if isinstance(name, str) else field.name


def physical_schema(schema: Schema) -> Schema:
    """Give the schema with the names of the files."""
    return StructType(tuple(_physical_field(field) for field in schema))


def file_schema(schema: Schema) -> pa.Schema:
    """Give the Arrow schema of a file: physical names, and ids where there are some."""
    return pa.schema([_file_field(field) for field in schema])


def with_mapping(metadata: Metadata, new_name: Callable[[Field], str]) -> Metadata:
    """Give every field that has none an id and a physical name; nothing changes without mapping.

    `new_name` makes the physical names: a new table takes random ones, a table that had no
    mapping the columns' own.
    """
    if not maps_names(metadata.configuration):
        return metadata
    last = int(metadata.configuration.get(MAX_ID, "0"))
    numbering = _Numbering(max([last, *_ids(metadata.schema)]), new_name)
    schema = StructType(tuple(numbering.field(field) for field in metadata.schema))
    return replace(
        metadata,
        schema=schema,
        configuration={**metadata.configuration, MAX_ID: str(numbering.last)},
    )


@dataclass(slots=True)
class _Numbering:
    """Gives out ids while it walks a schema."""

    last: int
    new_name: Callable[[Field], str]

    def field(self, field: Field) -> Field:
        known = _known(field)
        if FIELD_ID not in known:
            self.last += 1
            known = {**known, FIELD_ID: self.last}
        if PHYSICAL_NAME not in known:
            known = {**known, PHYSICAL_NAME: self.new_name(field)}
        metadata = orjson.dumps(known).decode()
        return Field(field.name, self.inside(field.data_type), field.nullable, metadata)

    def inside(self, data_type: DataType) -> DataType:
        match data_type:
            case StructType(fields):
                return StructType(tuple(self.field(field) for field in fields))
            case ArrayType(element, contains_null):
                return ArrayType(self.inside(element), contains_null)
            case MapType(key, value, contains_null):
                return MapType(self.inside(key), self.inside(value), contains_null)
            case _:
                return data_type


def _known(field: Field) -> dict[str, Any]:
    known: dict[str, Any] = {} if field.metadata == "{}" else orjson.loads(field.metadata)
    return known


def _ids(data_type: DataType) -> list[int]:
    match data_type:
        case StructType(fields):
            own = [int(_known(field).get(FIELD_ID, 0)) for field in fields]
            return own + [one for field in fields for one in _ids(field.data_type)]
        case ArrayType(element):
            return _ids(element)
        case MapType(key, value):
            return _ids(key) + _ids(value)
        case _:
            return []


def _physical_field(field: Field) -> Field:
    inside = _physical_type(field.data_type)
    return Field(physical_name(field), inside, field.nullable, field.metadata)


def _physical_type(data_type: DataType) -> DataType:
    match data_type:
        case StructType():
            return physical_schema(data_type)
        case ArrayType(element, contains_null):
            return ArrayType(_physical_type(element), contains_null)
        case MapType(key, value, contains_null):
            return MapType(_physical_type(key), _physical_type(value), contains_null)
        case _:
            return data_type


def _file_field(field: Field) -> pa.Field:
    number = _known(field).get(FIELD_ID)
    metadata = None if number is None else {"PARQUET:field_id": str(number)}
    return pa.field(physical_name(field), _file_type(field.data_type), metadata=metadata)


def _file_type(data_type: DataType) -> pa.DataType:
    match data_type:
        case StructType(fields):
            return pa.struct([_file_field(field) for field in fields])
        case ArrayType(element):
            return pa.list_(pa.field("element", _file_type(element)))
        case MapType(key, value):
            return pa.map_(_file_type(key), pa.field("value", _file_type(value)))
        case _:
            return to_arrow_type(data_type)

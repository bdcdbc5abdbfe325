"""The unknown fields of a record as JSON, as `UnknownFieldException` shows them (contract 4.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import orjson

from schema_store.types import ArrayType, MapType, StructType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.read_batch import Misfits, UnknownField
    from schema_store.types import DataType, FieldPath, Schema

_Example: TypeAlias = "tuple[FieldPath, str]"
"""Where a value was met, and its JSON text (which may have been cut)."""


def first_record(
    unknown: Sequence[UnknownField], misfits: Sequence[Misfits], schema: Schema
) -> str:
    """Give the unknown fields of the first record that has some, then values of wider types.

    The first one is the lowest row of the lowest-numbered file. `schema` tells arrays from structs.
    """
    first = min(((one.file.seq_num, one.row) for one in unknown), default=None)
    fields = [
        (one.path, one.example) for one in unknown if (one.file.seq_num, one.row) == first
    ] + [(one.path, one.example) for one in sorted(misfits, key=lambda one: one.file.seq_num)]
    return orjson.dumps(_value(schema, list(dict(reversed(fields)).items())[::-1])).decode()


def _value(data_type: DataType | None, examples: list[_Example]) -> object:
    """Put values under their paths; what is above another value has it already."""
    whole = next((text for path, text in examples if not path), None)
    if whole is not None:
        return _json(whole)
    steps = dict.fromkeys(path[0] for path, _ in examples)
    inner = {
        step: _value(
            _part(data_type, step), [(path[1:], text) for path, text in examples if path[0] == step]
        )
        for step in steps
    }
    return list(inner.values()) if isinstance(data_type, ArrayType) else inner


def _part(data_type: DataType | None, step: str) -> DataType | None:
    match data_type:
        case StructType():
            field = data_type.find_ignoring_case(step)
            return None if field is None else field.data_type
        case ArrayType(element):
            return element
        case MapType(_, value):
            return value
        case _:
            return None


def _json(text: str) -> object:
    """Give JSON as it is written, with its digits; text that was cut as a string."""
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return text.encode("utf-8", "replace").decode()
    return orjson.Fragment(text)

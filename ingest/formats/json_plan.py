"""How each column of JSON lines is read fast: by Arrow, as text and then cast, or value by value.

A compiled decoder of the same shape tells which lines fit exactly; only the others take the exact
way. Names that many lines misfit in are *raw*: the decoder hands out their source text, so that one
new key in every line costs no line its fast way (the learned shadow of the schema).
"""

from __future__ import annotations

from dataclasses import dataclass
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import pyarrow as pa

from ingest.arrow import to_arrow_type
from schema_store.types import (
    ArrayType,
    BooleanType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.formats.json_rows import JsonTarget
    from ingest.stream_options import ReadSettings

_BITS: dict[type[DataType], int] = {ByteType: 8, ShortType: 16, IntegerType: 32, LongType: 64}
NO_RAW = msgspec.Raw(b"")
"""What a raw name has in a line without it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The ways of a schema's columns.

    * `native`: what Arrow parses; the columns in `texts` are text there and cast afterwards.
    * `raw`: names taken as source text, and the attributes of a decoded line that hold it.
    * `decode`: raises for a line that does not fit exactly.
    """

    native: pa.Schema
    texts: frozenset[str]
    raw: dict[str, str]
    decode: Callable[[bytes], object]


def make_plan(target: JsonTarget, learned: frozenset[str]) -> Plan:
    """Choose the way of each column; `learned` are names that are better taken raw.

    Where all columns are STRING and some are taken raw, Arrow has no part: two passes are slower.
    """
    native: list[pa.Field] = []
    texts: set[str] = set()
    raw = [name for name in learned if target.data.find(name) is None]
    shapes: list[tuple[str, Any]] = []
    all_texts = bool(learned) and all(isinstance(one.data_type, StringType) for one in target.data)
    for field in target.data:
        text = isinstance(field.data_type, DateType | TimestampType | TimestampNTZType)
        if (
            all_texts
            or field.name in learned
            or not (text or _is_native(field.data_type, target.settings))
        ):
            raw.append(field.name)
            continue
        kind = pa.string() if text else to_arrow_type(field.data_type)
        native.append(pa.field(field.name, kind))
        shapes.append((field.name, str | None if text else shape_of(field.data_type)))
        texts |= {field.name} if text else set()
    names = {name: f"r{at}" for at, name in enumerate(raw)}
    fields = [(names[name], msgspec.Raw, msgspec.field(default=NO_RAW, name=name)) for name in raw]
    decoder = msgspec.json.Decoder(_struct(shapes, fields))
    return Plan(pa.schema(native), frozenset(texts), names, decoder.decode)


def _is_native(data_type: DataType, settings: ReadSettings) -> bool:
    """Tell whether Arrow's parser takes exactly the values that Spark does."""
    match data_type:
        case StringType() | BooleanType() | FloatType() | DoubleType():
            return True
        case ByteType() | ShortType() | IntegerType() | LongType():
            return True
        case DecimalType():
            return not settings.exact_decimals
        case ArrayType(element):
            return _is_native(element, settings)
        case StructType(fields):
            return all(_is_native(field.data_type, settings) for field in fields) and bool(fields)
        case _:
            return False


def shape_of(data_type: DataType) -> Any:  # noqa: ANN401 - a type made at run time
    """Give the Python type that decodes what Arrow takes; it may take more, never less."""
    match data_type:
        case ByteType() | ShortType() | IntegerType() | LongType():
            limit = 1 << (_BITS[type(data_type)] - 1)
            return Annotated[int, msgspec.Meta(ge=-limit, le=limit - 1)] | None
        case FloatType() | DoubleType() | DecimalType():
            return float | None
        case BooleanType():
            return bool | None
        case ArrayType(element):
            return GenericAlias(list, (shape_of(element),)) | None
        case StructType(fields):
            return _struct([(field.name, shape_of(field.data_type)) for field in fields], []) | None
        case _:
            return str | None


def _struct(shapes: list[tuple[str, Any]], more: list[tuple[str, Any, Any]]) -> Any:  # noqa: ANN401 - see above
    fields = [
        (f"f{at}", shape, msgspec.field(default=None, name=name))
        for at, (name, shape) in enumerate(shapes)
    ]
    return msgspec.defstruct("Line", [*fields, *more], forbid_unknown_fields=True, gc=False)

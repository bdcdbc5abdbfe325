"""JSON records to an observed schema (Spark `JsonInferSchema`), the reference for speed.

Each record has a type, and types merge: the order of records changes nothing but which spelling a
name gets. Types are as observed (`NullType`, empty structs) until `canonical_schema`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ingest.formats.json_tokens import JsonArray, JsonObject, JsonScalar, JsonValue, Kind
from ingest.text.numbers import big_decimal, digits_of
from ingest.text.pattern_values import is_timestamp_by_pattern
from ingest.text.rules import DEFAULT_RULES, TextRules
from ingest.text.times import is_timestamp
from ingest.text.values import exact_number
from schema_store.errors import InvalidDecimalError
from schema_store.merge import merge_types
from schema_store.types import (
    MAX_PRECISION,
    ArrayType,
    BooleanType,
    DataType,
    DecimalType,
    DoubleType,
    Field,
    LongType,
    NullType,
    Schema,
    StringType,
    StructType,
    TimestampType,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONG = range(-(2**63), 2**63)
_LONG_LENGTH = 20

NOTHING = StructType(())
"""The type of no record."""


@dataclass(frozen=True, slots=True)
class InferenceRules:
    """What inference makes of scalars (Spark's options of these names)."""

    prefers_decimal: bool = False
    infer_timestamp: bool = False
    primitives_as_string: bool = False
    drop_field_if_all_null: bool = False
    text: TextRules = DEFAULT_RULES


def infer_record(record: JsonObject, rules: InferenceRules) -> StructType:
    """Give the type of one record.

    Of members with the same name the last counts (contract 11.6); names that differ only in case
    are one field, in the first spelling (contract 2.5).
    """
    fields: dict[str, Field] = {}
    for name, value in dict(record.members).items():
        found = _infer(value, rules)
        known = fields.get(name.lower())
        if known is not None:
            found = merge_types(known.data_type, found)
            name = known.name  # noqa: PLW2901 - the first spelling
        fields[name.lower()] = Field(name, found)
    return StructType(tuple(fields.values()))


def merge_records(known: StructType, found: Iterable[StructType]) -> StructType:
    """Merge types of records into one, each distinct one once."""
    for one in dict.fromkeys(found):
        merged = merge_types(known, one)
        assert isinstance(merged, StructType)
        known = merged
    return known


def canonical_schema(observed: StructType, rules: InferenceRules) -> Schema:
    """Make an observed type a schema (Spark `canonicalizeType`).

    Sorted by name at every depth; void is STRING, or left out under `dropFieldIfAllNull`; empty
    structs and empty names are left out (contract 2.2, 11.8).
    """
    fields = []
    for field in sorted(observed, key=lambda one: one.name.encode("utf-16-be", "surrogatepass")):
        data_type = _canonical(field.data_type, rules) if field.name else None
        if data_type is not None:
            fields.append(replace(field, data_type=data_type))
    return StructType(tuple(fields))


def string_schema(observed: StructType, rules: InferenceRules) -> Schema:
    """Make every column STRING, whatever it holds (contract 2.2)."""
    fields = [
        Field(field.name, StringType())
        for field in sorted(observed, key=lambda one: one.name.encode("utf-16-be", "surrogatepass"))
        if field.name and (field.data_type != NullType() or not rules.drop_field_if_all_null)
    ]
    return StructType(tuple(fields))


def infer_value(value: JsonValue, rules: InferenceRules) -> DataType | None:
    """Give the type that a column for this value alone would have; None when it can be none."""
    return _canonical(_infer(value, rules), rules)


def _infer(value: JsonValue, rules: InferenceRules) -> DataType:
    match value:
        case JsonObject():
            return infer_record(value, rules)
        case JsonArray(elements=elements):
            merged: DataType = NullType()
            for one in dict.fromkeys(_infer(element, rules) for element in elements):
                merged = merge_types(merged, one)
            return ArrayType(merged)
        case JsonScalar(Kind.NULL):
            return NullType()
        case JsonScalar(Kind.TEXT, _, text):
            return _infer_text(text, rules)
        case JsonScalar() if rules.primitives_as_string:
            return StringType()
        case JsonScalar(Kind.TRUE | Kind.FALSE):
            return BooleanType()
        case JsonScalar(Kind.NOT_A_NUMBER):
            return DoubleType()
        case JsonScalar(kind, source, _):
            return _infer_number(kind, source, rules)


def _infer_text(text: str, rules: InferenceRules) -> DataType:
    if not text:
        return NullType()
    if rules.prefers_decimal and (decimal := _decimal_in(text, rules.text)) is not None:
        return decimal
    if rules.infer_timestamp and _is_timestamp(text, rules.text):
        return TimestampType()
    return StringType()


def _decimal_in(text: str, rules: TextRules) -> DecimalType | None:
    """Give the type of a number in a string; more fraction digits than digits is none (Spark)."""
    number = exact_number(text.replace(",", "") if rules.number_symbols is None else text, rules)
    if number is None:
        return None
    try:
        return DecimalType(*digits_of(number))
    except InvalidDecimalError:
        return None


def _is_timestamp(text: str, rules: TextRules) -> bool:
    if rules.timestamp_format is None:
        return is_timestamp(text)
    return is_timestamp_by_pattern(text, rules.timestamp_format)


def _infer_number(kind: Kind, source: str, rules: InferenceRules) -> DataType:
    """Give BIGINT, DECIMAL or DOUBLE; a negative scale is normalised to 0 (contract 11.17)."""
    if kind is Kind.INTEGER and len(source) <= _LONG_LENGTH and int(source) in _LONG:
        return LongType()
    if kind is Kind.FLOAT and not rules.prefers_decimal:
        return DoubleType()
    number = big_decimal(source)
    if number is None:
        return DoubleType()
    precision, scale = digits_of(number)
    precision, scale = max(precision - min(scale, 0), scale), max(scale, 0)
    return DecimalType(precision, scale) if precision <= MAX_PRECISION else DoubleType()


def _canonical(data_type: DataType, rules: InferenceRules) -> DataType | None:
    match data_type:
        case NullType():
            return None if rules.drop_field_if_all_null else StringType()
        case StructType():
            struct = canonical_schema(data_type, rules)
            return struct if struct.fields else None
        case ArrayType(element):
            inner = _canonical(element, rules)
            return None if inner is None else ArrayType(inner)
        case _:
            return data_type

"""Why values are in the rescued column, and what would take them in.

The reason is worked out from the table's schema, as it is now, and the value: the stream's own
schema at the time is not looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from functools import reduce
from typing import TYPE_CHECKING

import polars as pl

from ingest.formats.csv_inference import fold_column
from ingest.formats.json_inference import InferenceRules, infer_record
from ingest.formats.json_tokens import (
    JsonArray,
    JsonObject,
    JsonScalar,
    JsonSyntaxError,
    Kind,
    parse_json,
)
from ingest.rescue import FILE_PATH
from ingest.stream_options import JsonSyntax
from ingest.text.text_types import TextType, infer_text_type
from schema_store.merge import merge_types
from schema_store.types import ArrayType, DataType, Field, MapType, NullType, StringType, StructType
from schema_store.widening import widen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ingest.formats.json_tokens import JsonValue
    from schema_store.types import FieldPath, Schema

MAX_VALUE_LENGTH = 200
_SYNTAX = JsonSyntax()
_RULES = InferenceRules(prefers_decimal=True)
_GENERATED = re.compile(r"_c[0-9]+")


class Reason(Enum):
    """Why a value was rescued."""

    UNKNOWN = "unknown column"
    MISFIT = "misfit"
    CASE = "case difference"
    SURPLUS = "surplus cell"
    FITS_NOW = "fits now"


@dataclass(frozen=True, slots=True)
class Example:
    """A rescued value as JSON text, and its file's URI (empty where the JSON does not tell it)."""

    value: str
    file: str


@dataclass(frozen=True, slots=True)
class RescuedGroup:
    """Values of one field that were rescued for one reason.

    `column` is the type that the table has for it, None if it has none; `spelling` the table's
    own name when only the case differs. `observed` is the type of the values, `others` that of
    those which are not plain text such as `N/A` (NullType: there are none).
    """

    path: FieldPath
    reason: Reason
    column: DataType | None
    spelling: str | None
    count: int
    files: int
    observed: DataType
    others: DataType
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class RescuedReport:
    """What a table's rescued column holds; `unreadable` counts texts that are no JSON object."""

    rows: int
    rescued_rows: int
    unreadable: int
    groups: tuple[RescuedGroup, ...]


@dataclass(slots=True)
class _Group:
    column: DataType | None
    spelling: str | None
    surplus: bool
    count: int = 0
    files: set[str] = field(default_factory=set)
    texts: TextType = field(default_factory=TextType)
    numbers: TextType = field(default_factory=TextType)
    others: DataType = field(default_factory=NullType)
    examples: dict[str, Example] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)

    def add(self, value: JsonValue, file: str, count: int, limit: int) -> None:
        """Count a value; texts and numbers wait to be looked at together."""
        self.count += count
        if file:
            self.files.add(file)
        text = value.source[:MAX_VALUE_LENGTH]
        if len(self.examples) < limit:
            self.examples.setdefault(text, Example(text, file))
        if isinstance(value, JsonScalar) and value.kind is Kind.TEXT:
            self.waiting.append(value.text)
        else:
            found = _new_type(value) if self.column is None else _smallest_type(value)
            self.others = merge_types(self.others, found)

    def settle(self) -> None:
        """Merge the types of the texts that wait."""
        texts = pl.Series(self.waiting, dtype=pl.String).unique(maintain_order=True)
        self.texts = fold_column(texts, self.texts, prefers_decimal=True)
        if isinstance(self.texts.data_type, StringType):
            plain = [text for text in texts if not _is_plain_text(text)]
            texts = pl.Series(plain, dtype=pl.String)
        self.numbers = fold_column(texts, self.numbers, prefers_decimal=True)
        self.waiting.clear()


def report_rescued(
    schema: Schema, batches: Iterable[tuple[int, pl.Series]], *, examples: int
) -> RescuedReport:
    """Sort what is in the rescued column by field and reason; memory does not grow with rows."""
    rows = rescued = unreadable = 0
    groups: dict[FieldPath, _Group] = {}
    for height, texts in batches:
        rows += height
        rescued += len(texts)
        counts = zip(texts.unique(maintain_order=True), texts.unique_counts(), strict=True)
        for text, count in counts:
            members = _members(text)
            if members is None:
                unreadable += count
                continue
            file = members.get(FILE_PATH)
            uri = file.text if isinstance(file, JsonScalar) else ""
            for path, value in _fields(schema, members):
                group = groups.setdefault(path, _new_group(schema, path))
                group.add(value, uri, count, examples)
        for group in groups.values():
            group.settle()
    found = sorted(groups.items(), key=lambda pair: -pair[1].count)
    return RescuedReport(rows, rescued, unreadable, tuple(_finished(*pair) for pair in found))


def _new_type(value: JsonValue) -> DataType:
    """Give the type that a new column for this value would have."""
    record = infer_record(JsonObject("", (("value", value),)), _RULES)
    return record.fields[0].data_type


def _smallest_type(value: JsonValue) -> DataType:
    """Give the smallest type that holds a value: 7 fits INT, though alone it infers as BIGINT."""
    match value:
        case JsonObject(members=members):
            fields = {name.lower(): Field(name, _smallest_type(one)) for name, one in members}
            return StructType(tuple(fields.values()))
        case JsonArray(elements=elements):
            nothing: DataType = NullType()
            return ArrayType(reduce(merge_types, map(_smallest_type, elements), nothing))
        case JsonScalar(Kind.INTEGER | Kind.FLOAT, source, _):
            return infer_text_type(source, TextType(), prefers_decimal=True).data_type
        case _:
            return _new_type(value)


def _is_plain_text(text: str) -> bool:
    found = infer_text_type(text, TextType(), prefers_decimal=True)
    return isinstance(found.data_type, StringType)


def _members(text: str) -> dict[str, JsonValue] | None:
    try:
        parsed = parse_json(text, _SYNTAX)
    except JsonSyntaxError:
        return None
    if parsed is None or not isinstance(parsed.value, JsonObject):
        return None
    return dict(parsed.value.members)


def _fields(
    struct: StructType, members: dict[str, JsonValue], path: FieldPath = ()
) -> Iterator[tuple[FieldPath, JsonValue]]:
    """Give the rescued fields; those of a struct stand under the same nesting (contract 5.3)."""
    for name, value in members.items():
        if not path and name == FILE_PATH:
            continue
        known = struct.find(name)
        inner = None if known is None else known.data_type
        if isinstance(inner, StructType) and isinstance(value, JsonObject) and value.members:
            yield from _fields(inner, dict(value.members), (*path, name))
        else:
            yield (*path, name), value


def _new_group(schema: Schema, path: FieldPath) -> _Group:
    struct: DataType | None = schema
    for step in path[:-1]:
        assert isinstance(struct, StructType)
        inner = struct.find(step)
        struct = None if inner is None else inner.data_type
    assert isinstance(struct, StructType)
    known = struct.find(path[-1])
    other = None if known else struct.find_ignoring_case(path[-1])
    surplus = known is None and len(path) == 1 and bool(_GENERATED.fullmatch(path[-1]))
    column = known or other
    return _Group(
        None if column is None else column.data_type,
        None if other is None else other.name,
        surplus,
    )


def _finished(path: FieldPath, group: _Group) -> RescuedGroup:
    observed = merge_types(group.texts.data_type, group.others)
    return RescuedGroup(
        path,
        _reason(group, observed),
        group.column,
        group.spelling,
        group.count,
        len(group.files),
        observed,
        merge_types(group.numbers.data_type, group.others),
        tuple(group.examples.values()),
    )


def _reason(group: _Group, observed: DataType) -> Reason:
    if group.spelling is not None:
        return Reason.CASE
    if group.column is None:
        return Reason.SURPLUS if group.surplus else Reason.UNKNOWN
    if _has_new_fields(group.column, observed):
        return Reason.UNKNOWN
    fits = widen(group.column, observed) == group.column
    return Reason.FITS_NOW if fits else Reason.MISFIT


def _has_new_fields(column: DataType, observed: DataType) -> bool:
    """Tell whether a nested value differs by fields that the column lacks, not by types."""
    if isinstance(column, StructType) or not _is_nested(column):
        return False
    merged = merge_types(column, observed)
    return _is_nested(observed) and merged != column and widen(column, observed) == column


def _is_nested(data_type: DataType) -> bool:
    return isinstance(data_type, ArrayType | MapType | StructType)

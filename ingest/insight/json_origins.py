"""Which record decided the type of a JSON field, and what its values are like.

Types of records merge whatever their order, so a block is cut in halves until the record is found
that changes the type, and the type without some records is that of all others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, TypeAlias

import polars as pl

from ingest.formats.json_fast_inference import TypeFinder
from ingest.formats.json_inference import NOTHING, InferenceRules, infer_record, merge_records
from ingest.formats.json_lines import NEWLINE, Block, read_blocks
from ingest.formats.json_records import parse_record
from ingest.formats.json_tokens import JsonArray, JsonObject, JsonScalar, Kind
from ingest.insight.origins import (
    MAX_VALUE_LENGTH,
    ColumnFacts,
    Origin,
    TypeChange,
    Without,
    changed_types,
    leaves,
    type_at,
)
from ingest.insight.text_facts import text_facts
from schema_store.merge import merge_types
from schema_store.types import ELEMENT, NullType, StructType, TimestampType, fold_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ingest.file_entry import FileEntry
    from ingest.formats.json_tokens import JsonValue
    from ingest.stream_options import JsonOptions
    from schema_store.types import DataType, FieldPath

_Place: TypeAlias = "tuple[FileEntry, int]"
"""A record: its file, and its number there, the first is 0."""

LOOKED_AT = 1000
"""Records whose values are looked at one by one."""

EXACT_RECORDS = 20_000
"""Records that are inferred again with exact numbers and times; there is no fast way to do so."""

_FEW = 16
_MANY_DIGITS = re.compile(rb"(?<![0-9.])[0-9]{16,}(?![0-9.eE])")


@dataclass(frozen=True, slots=True)
class JsonRecords:
    """Where records are read from, and how they are inferred."""

    files: Sequence[FileEntry]
    json: JsonOptions
    rules: InferenceRules

    def blocks(self) -> Iterator[tuple[FileEntry, int, Block]]:
        """Give blocks with their file, and how many of its records came before."""
        for file in self.files:
            before = 0
            for block in read_blocks(file, self.json):
                yield file, before, block
                before += len(block.records())

    def types(self, rules: InferenceRules, start: StructType) -> TypeFinder:
        """Give what finds the type of blocks."""
        return TypeFinder(start, rules, self.json.syntax, typed=True, fails=False)

    def block(self, raws: Iterable[bytes]) -> Block:
        """Give records as a block again."""
        if self.json.multi_line:
            return Block(b"".join(raws), None)
        separator = NEWLINE if self.json.line_sep is None else self.json.line_sep.encode()
        return Block(separator.join(raws), separator)

    def objects(self, raw: bytes) -> tuple[JsonObject, ...]:
        """Give the objects of a record; none when it is corrupt."""
        record = parse_record(raw, self.json.syntax)
        return () if record is None else record.objects


@dataclass(frozen=True, slots=True)
class _Met:
    """A record that changed the type of a path: where it is, and its text."""

    place: _Place
    raw: bytes
    change: TypeChange


def json_origins(records: JsonRecords) -> dict[FieldPath, Origin]:
    """Give the origin of each field without fields, by its path in lower case."""
    observed = NOTHING
    met: dict[FieldPath, list[_Met]] = {}
    for file, before, block in records.blocks():
        end = _type_of(records, block, observed, file)
        for row, raw, states in _narrow(records, block.records(), (observed, end), file):
            for path, was, now in changed_types(*states):
                value = _deciding(records, raw, path, (was, now))
                change = TypeChange(file.uri, before + row + 1, value, was, now)
                met.setdefault(path, []).append(_Met((file, before + row), raw, change))
        observed = end
    last = {path: found[-1] for path, found in met.items()}
    rest = _without(records, {one.place for one in last.values()})
    found = {}
    for path, data_type in leaves(observed):
        key = fold_path(path)
        changes = tuple(one.change for one in met.get(key, ()))
        without = _type_without(records, key, last, rest) if changes else None
        found[key] = Origin(path, data_type, changes, without)
    return found


def _type_of(records: JsonRecords, block: Block, start: StructType, file: FileEntry) -> StructType:
    finder = records.types(records.rules, start)
    finder.add(block, file)
    return finder.observed


def _narrow(
    records: JsonRecords,
    raws: list[bytes],
    states: tuple[StructType, StructType],
    file: FileEntry,
    first: int = 0,
) -> Iterator[tuple[int, bytes, tuple[StructType, StructType]]]:
    """Give the records that change the type: number, text, the type before and after."""
    start, end = states
    if start == end:
        return
    if len(raws) <= _FEW:
        yield from _one_by_one(records, raws, start, first)
        return
    half = len(raws) // 2
    middle = _type_of(records, records.block(raws[:half]), start, file)
    yield from _narrow(records, raws[:half], (start, middle), file, first)
    yield from _narrow(records, raws[half:], (middle, end), file, first + half)


def _one_by_one(
    records: JsonRecords, raws: list[bytes], start: StructType, first: int
) -> Iterator[tuple[int, bytes, tuple[StructType, StructType]]]:
    for row, raw in enumerate(raws, first):
        types = (infer_record(one, records.rules) for one in records.objects(raw))
        after = merge_records(start, types)
        if after != start:
            yield row, raw, (start, after)
            start = after


def _deciding(
    records: JsonRecords, raw: bytes, path: FieldPath, types: tuple[DataType | None, DataType]
) -> str:
    """Give the value of the record at the path that made the type; the last one if none alone."""
    was, now = types
    text = ""
    for value in chain.from_iterable(_at(one, path) for one in records.objects(raw)):
        text = value.source[:MAX_VALUE_LENGTH]
        if merge_types(was or NullType(), _type(value, records.rules)) == now:
            break
    return text


def _type(value: JsonValue, rules: InferenceRules) -> DataType:
    found = infer_record(JsonObject("", (("value", value),)), rules)
    return found.fields[0].data_type


def _at(value: JsonValue, path: FieldPath) -> Iterator[JsonValue]:
    """Give the values at a folded path, through arrays."""
    match value:
        case _ if not path:
            yield value
        case JsonArray(elements=elements) if path[0] == ELEMENT:
            for one in elements:
                yield from _at(one, path[1:])
        case JsonObject(members=members):
            for name, one in members:
                if name.lower() == path[0]:
                    yield from _at(one, path[1:])
        case _:
            return


def _without(records: JsonRecords, places: set[_Place]) -> StructType:
    """Give the type of all records but these."""
    observed = NOTHING
    for file, before, block in records.blocks():
        raws = block.records()
        left_out = [row for row in range(len(raws)) if (file, before + row) in places]
        if left_out:
            ends = [-1, *left_out, len(raws)]
            kept = chain.from_iterable(raws[a + 1 : b] for a, b in pairwise(ends))
            block = records.block(kept)  # noqa: PLW2901 - what is left of it
        observed = _type_of(records, block, observed, file)
    return observed


def _type_without(
    records: JsonRecords, path: FieldPath, last: Mapping[FieldPath, _Met], rest: StructType
) -> Without:
    """Give the type at a path without the record that decided it, but with all others."""
    own = last[path].place
    others = {one.place: one.raw for one in last.values() if one.place != own}
    types = (
        infer_record(one, records.rules) for raw in others.values() for one in records.objects(raw)
    )
    return Without(type_at(merge_records(rest, types), path) or NullType())


def json_facts(
    records: JsonRecords, origins: Mapping[FieldPath, Origin]
) -> dict[FieldPath, ColumnFacts]:
    """Give the facts of fields: exact types and values of the first records.

    Of later records only those with a number of many digits are looked at, as many again.
    """
    rules = InferenceRules(prefers_decimal=True, infer_timestamp=True, text=records.rules.text)
    observed = NOTHING
    found = dict.fromkeys(origins, ColumnFacts())
    left = 2 * LOOKED_AT
    total = 0
    for file, before, block in records.blocks():
        raws = block.records()
        if total < EXACT_RECORDS:
            finder = records.types(rules, observed)
            finder.add(records.block(raws[: EXACT_RECORDS - total]), file)
            observed = finder.observed
        chosen = [
            (before + row + 1, raw)
            for row, raw in enumerate(raws)
            if total + row < LOOKED_AT or _MANY_DIGITS.search(raw)
        ][:left]
        left -= len(chosen)
        total += len(raws)
        for path, origin in origins.items():
            found[path] += _facts_of(records, chosen, origin, file.uri)
    return {path: one + _asked(observed, path, total) for path, one in found.items()}


def _facts_of(
    records: JsonRecords, chosen: list[tuple[int, bytes]], origin: Origin, file: str
) -> ColumnFacts:
    path = fold_path(origin.path)
    met = [
        (row, value.text if value.kind is Kind.TEXT else value.source)
        for row, raw in chosen
        for one in records.objects(raw)
        for value in _at(one, path)
        if isinstance(value, JsonScalar) and value.kind is not Kind.NULL
    ]
    texts = pl.Series([text for _, text in met], dtype=pl.String)
    return text_facts(texts, origin.observed, (file, [row for row, _ in met]))


def _asked(observed: StructType, path: FieldPath, total: int) -> ColumnFacts:
    data_type = type_at(observed, path) or NullType()
    timed = isinstance(data_type, TimestampType)
    return ColumnFacts(complete=total <= LOOKED_AT, exact=data_type, timed=timed)

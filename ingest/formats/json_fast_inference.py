"""The observed type of many JSON lines: only lines that would change it are looked at exactly.

A decoder is compiled from the type so far. What it decodes is of that type already, so merging it
would change nothing; any other line takes the exact way, and after some of them the decoder is made
anew (`json_inference` is the reference).
"""

from __future__ import annotations

from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from ingest.errors import MalformedRecordError
from ingest.formats.csv_scan import is_utf8
from ingest.formats.json_inference import InferenceRules, infer_record, merge_records
from ingest.formats.json_records import parse_record, record_text
from schema_store.types import (
    ArrayType,
    BooleanType,
    DataType,
    DecimalType,
    DoubleType,
    Field,
    LongType,
    NullType,
    StringType,
    StructType,
)

if TYPE_CHECKING:
    from ingest.file_entry import FileEntry
    from ingest.formats.json_lines import Block
    from ingest.formats.json_tokens import JsonObject
    from ingest.stream_options import JsonSyntax

_LONG = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
_LONG_DIGITS = 20
"""Digits that BIGINT counts as when it meets a DECIMAL."""
_FIRST = 16
"""Lines that are looked at exactly before the first decoder is made; then twice as many."""


class TypeFinder:
    """Finds the type of the records of a file, block after block.

    `typed` False: only names count. `fails`: a corrupt record is an error (FAILFAST).
    """

    def __init__(
        self,
        start: StructType,
        rules: InferenceRules,
        syntax: JsonSyntax,
        *,
        typed: bool,
        fails: bool,
    ) -> None:
        self.observed = start
        self._rules = rules
        self._syntax = syntax
        self._typed = typed
        self._fails = fails
        self._decode = _decoder(start).decode
        self._patience = _FIRST
        self._waiting: list[StructType] = []
        self._before = 0

    def add(self, block: Block, file: FileEntry) -> None:
        """Merge a block's records into the type.

        Raises `MalformedRecordError`.
        """
        records = block.records()
        valid = is_utf8(block.data)
        for number, raw in enumerate(records, self._before + 1):
            if raw and not (valid and self._is_known(raw)):
                self._look(raw, number, file)
        self._before += len(records)
        self._merge()

    def _is_known(self, raw: bytes) -> bool:
        try:
            self._decode(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return False
        return True

    def _look(self, raw: bytes, number: int, file: FileEntry) -> None:
        record = parse_record(raw, self._syntax)
        if record is None:
            return
        if record.problem is not None and self._fails:
            raise MalformedRecordError(
                file.uri, row=number, record=record_text(raw), expected="JSON objects"
            )
        self._waiting += [self._type_of(one) for one in record.objects]
        if len(self._waiting) >= self._patience:
            self._merge()

    def _type_of(self, record: JsonObject) -> StructType:
        if self._typed:
            return infer_record(record, self._rules)
        names = {name.lower(): name for name, _ in reversed(record.members)}
        return StructType(tuple(Field(name, StringType()) for name in reversed(names.values())))

    def _merge(self) -> None:
        merged = merge_records(self.observed, self._waiting)
        self._waiting.clear()
        if merged != self.observed:
            self.observed = merged
            self._decode = _decoder(merged).decode
            self._patience *= 2


def _decoder(observed: StructType) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(_struct(observed))


def _shape(data_type: DataType) -> Any:  # noqa: ANN401 - a type made at run time
    """Give a Python type whose values leave this type as it is when they are merged into it."""
    match data_type:
        case StringType():
            return msgspec.Raw
        case LongType():
            return _LONG | None
        case DecimalType() if data_type.integer_digits >= _LONG_DIGITS:
            return _LONG | None
        case DoubleType():
            return float | None
        case BooleanType():
            return bool | None
        case NullType():
            return Literal[""] | None
        case ArrayType(element):
            return GenericAlias(list, (_shape(element),)) | None
        case StructType():
            return _struct(data_type) | None
        case _:
            return None


def _struct(struct: StructType) -> Any:  # noqa: ANN401 - see above
    fields = []
    for at, field in enumerate(struct):
        shape = _shape(field.data_type)
        default = msgspec.Raw(b"") if shape is msgspec.Raw else None
        fields.append((f"f{at}", shape, msgspec.field(default=default, name=field.name)))
    return msgspec.defstruct("Line", fields, forbid_unknown_fields=True, gc=False)

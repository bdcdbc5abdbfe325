"""The observed type of many JSON lines: only lines that would change it are looked at exactly.

A decoder is compiled from the type so far. What it decodes is of that type already, so merging it
would change nothing; any other line takes the exact way, and after some of them the decoder is made
anew (`json_inference` is the reference).
"""

from __future__ import annotations

import re
from collections import deque
from operator import length_hint
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

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
    TimestampType,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.file_entry import FileEntry
    from ingest.formats.json_lines import Block
    from ingest.formats.json_tokens import JsonObject
    from ingest.stream_options import JsonSyntax

_LONG = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
_LONGS = range(-(2**63), 2**63)
_ISO_TIME = Annotated[
    str,
    msgspec.Meta(
        pattern=r"\A[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
        r"(?:[T ](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?"
        r"(?:Z|[+-](?:0[0-9]|1[0-7]):[0-5][0-9])?)?\Z"
    ),
]
"""Texts that are certainly timestamps; others are looked at."""
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
        self._decode = _decoder(start, rules).decode
        self._patience = _FIRST
        self._waiting: list[StructType] = []
        self._before = 0

    def add(self, block: Block, file: FileEntry) -> None:
        """Merge a block's records into the type.

        Raises `MalformedRecordError`.
        """
        records = block.records()
        valid = is_utf8(block.data)
        waiting = iter(records if valid else [raw if is_utf8(raw) else b"" for raw in records])
        while self._pass_known(waiting):
            at = len(records) - length_hint(waiting) - 1
            self._look(records[at], self._before + at + 1, file)
        self._before += len(records)
        self._merge()

    def _pass_known(self, waiting: Iterator[bytes]) -> bool:
        """Pass over records of the type so far; tell whether there was another one."""
        try:
            deque(map(self._decode, waiting), maxlen=0)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return True
        return False

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
            self._decode = _decoder(merged, self._rules).decode
            self._patience *= 2


class _Held:
    """A number that a DECIMAL holds already: texts with a fraction by `pattern`, and integers."""

    pattern: ClassVar[re.Pattern[bytes]]
    longs: ClassVar[bool]
    limit: ClassVar[int]


def _decoder(observed: StructType, rules: InferenceRules) -> msgspec.json.Decoder[Any]:
    shape = _struct(observed, rules)
    return msgspec.json.Decoder(shape, float_hook=str.encode, dec_hook=_take_held)


def _take_held(kind: type[_Held], found: object) -> _Held:
    """Take a number; `float_hook` has made bytes of one with a fraction, as strings are others."""
    if isinstance(found, bytes):
        is_held = kind.pattern.fullmatch(found) is not None
    elif type(found) is int:
        is_held = kind.longs if found in _LONGS else -kind.limit < found < kind.limit
    else:
        is_held = False
    if not is_held:
        raise ValueError
    return kind()


def _held(data_type: DecimalType, rules: InferenceRules) -> type[_Held]:
    """Give the type of numbers that leave a DECIMAL as it is; fractions only beside decimals."""
    digits = data_type.integer_digits
    whole = f"(?:0|[1-9][0-9]{{0,{digits - 1}}})" if digits else "0"
    scale = data_type.scale if rules.prefers_decimal else 0
    pattern = f"-?{whole}\\.[0-9]{{1,{scale}}}" if scale else "(?!)"
    members = {
        "pattern": re.compile(pattern.encode()),
        "longs": digits >= _LONG_DIGITS,
        "limit": 10**digits,
    }
    return type("HeldNumber", (_Held,), members)


def _shape(data_type: DataType, rules: InferenceRules) -> Any:  # noqa: ANN401 - a type made at run time; one case a type
    """Give a Python type whose values leave this type as it is when they are merged into it."""
    match data_type:
        case StringType():
            return msgspec.Raw
        case LongType():
            return _LONG | None
        case DecimalType():
            return _held(data_type, rules) | None
        case DoubleType():
            return float | None
        case BooleanType():
            return bool | None
        case NullType():
            return Literal[""] | None
        case TimestampType() if rules.text.timestamp_format is None:
            return _ISO_TIME | None
        case ArrayType(element):
            return GenericAlias(list, (_shape(element, rules),)) | None
        case StructType():
            return _struct(data_type, rules) | None
        case _:
            return None


def _struct(struct: StructType, rules: InferenceRules) -> Any:  # noqa: ANN401 - see above
    fields = []
    for at, field in enumerate(struct):
        shape = _shape(field.data_type, rules)
        default = msgspec.Raw(b"") if shape is msgspec.Raw else None
        fields.append((f"f{at}", shape, msgspec.field(default=default, name=field.name)))
    return msgspec.defstruct("Line", fields, forbid_unknown_fields=True, gc=False)

"""Source texts of single fields, taken out of lines that fit otherwise, to columns.

Every distinct text is read once, by the exact reader.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import polars as pl
import pyarrow as pa

from ingest.arrow import to_arrow_type
from ingest.formats.json_fitting import Fitted, Met
from ingest.formats.json_plan import shape_of
from ingest.formats.json_tokens import JsonValue, is_doubtful, is_long, parse_json
from ingest.formats.json_writing import quote, write_compact
from schema_store.types import BooleanType, DoubleType, IntegerType, LongType, StringType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ingest.formats.json_fitting import Reader
    from ingest.stream_options import JsonSyntax
    from schema_store.types import DataType, Field

_MOST_REMEMBERED = 20_000
_TEXT = msgspec.json.Decoder(str).decode
_PAIRS = json.JSONDecoder(object_pairs_hook=tuple, parse_int=str, parse_float=str)
_BLANKS = (b" ", b"\t")
_OPENING = (b"{", b"[")


class Leftover(NamedTuple):
    """Values of one name that have no place in a column: JSON texts, and the rows they are of."""

    name: str
    met: Met
    rows: list[int]
    texts: list[str]
    values: dict[str, JsonValue]
    """The distinct ones, read; only as many as findings need."""


class RawColumn(NamedTuple):
    """A column read value by value; `odd` are rows that need the exact way as a whole."""

    array: pa.Array
    odd: list[int]
    misfits: Leftover


def unknown_values(name: str, raws: Sequence[bytes], syntax: JsonSyntax) -> Leftover:
    """Take the values of an unknown name as compact JSON texts."""
    rows = [row for row, raw in enumerate(raws) if raw]
    texts = [_compact(raws[row], syntax) for row in rows]
    return Leftover(name, Met.UNKNOWN, rows, texts, {})


def string_column(raws: Sequence[bytes]) -> pa.Array:
    """Give a STRING column: what a string says, else the source text."""
    sources = pl.Series(pa.array(raws, pa.large_binary()).cast(pa.large_string()))
    is_text = sources.str.starts_with('"')
    found = sources
    if is_text.any():
        texts = sources.str.strip_prefix('"').str.strip_suffix('"')
        found = texts.zip_with(is_text, sources)
    absent = (sources == "") | (sources == "null")
    if absent.any():
        nothing = pl.Series([None], dtype=pl.String).new_from_index(0, len(found))
        found = nothing.zip_with(absent, found)
    escaped = (is_text & sources.str.contains("\\", literal=True)).arg_true()
    if len(escaped):
        found = found.scatter(escaped, [_TEXT(raws[row]) for row in escaped])
    return found.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(pa.string())


def raw_column(field: Field, raws: Sequence[bytes], read: Reader, syntax: JsonSyntax) -> RawColumn:
    """Read the values of a column one by one."""
    misfits = Leftover(field.name, Met.MISFIT, [], [], {})
    if isinstance(field.data_type, StringType):
        return RawColumn(string_column(raws), [], misfits)
    known: dict[bytes, tuple[Fitted, JsonValue]] = {}
    values, left = _quick_values(field.data_type, raws)
    odd: list[int] = []
    for row in left:
        raw = raws[row]
        if raw not in known:
            if len(known) >= _MOST_REMEMBERED:
                known.clear()
            value = parse_raw(raw, syntax)
            known[raw] = read(value), value
        fitted, value = known[raw]
        values[row] = fitted.value
        if fitted.misfit and [note.path for note in fitted.notes] == [(field.name,)]:
            text = str(fitted.rescued)
            misfits.rows.append(row)
            misfits.texts.append(text)
            misfits.values.setdefault(text, value)
        elif fitted.notes:
            odd.append(row)
    return RawColumn(pa.array(values, to_arrow_type(field.data_type)), odd, misfits)


def _quick_values(data_type: DataType, raws: Sequence[bytes]) -> tuple[list[object], list[int]]:
    """Decode what certainly fits; give the rows of the rest as well."""
    values: list[object] = [None] * len(raws)
    decode = _quick_decoder(data_type)
    if decode is None:
        return values, [row for row, raw in enumerate(raws) if raw]
    left: list[int] = []
    for row, raw in enumerate(raws):
        if raw.startswith(b"-0"):
            left.append(row)
        elif raw:
            try:
                values[row] = decode(raw)
            except msgspec.MsgspecError:
                left.append(row)
    return values, left


def _quick_decoder(data_type: DataType) -> Callable[[bytes], object] | None:
    """Give a decoder that takes only what fits exactly; a zero with a sign is not for it."""
    match data_type:
        case IntegerType() | LongType() | BooleanType() | DoubleType():
            return msgspec.json.Decoder(shape_of(data_type)).decode
        case _:
            return None


def find_doubtful(lines: Sequence[bytes], raws: Iterable[Sequence[bytes]]) -> set[int]:
    """Give the lines with an array or object that the exact reader may find no JSON."""
    escapes = b"\\u" in b"".join(lines)
    return {
        row
        for texts in raws
        if escapes or is_long(max(texts, key=len, default=b""))
        for row, text in enumerate(texts)
        if text.startswith(_OPENING) and is_doubtful(text)
    }


def find_doubled(lines: Sequence[bytes], raws: Mapping[str, Sequence[bytes]]) -> list[int]:
    """Give the lines in which a raw name comes twice; the decoder has kept the last one only.

    A name in quotes that is found as often as it is a member comes nowhere twice, unless it is
    spelled with an escape.
    """
    data = b"\n".join(lines)
    if (
        b"\\u" not in data
        and b"\\/" not in data
        and all(_is_once(name, data, raws) for name in raws)
    ):
        return []
    return [row for row, line in enumerate(lines) if has_double(line)]


def is_tight(lines: Sequence[bytes], raws: Mapping[str, Sequence[bytes]]) -> bool:
    r"""Tell whether lines hold nothing but blanks beside these members, which are all of theirs.

    A member that the decoder has not kept, as its name comes again, makes a line longer.

    >>> is_tight([b'{"a": 1}'], {"a": [b"1"]}), is_tight([b'{"a":2,"a":1}'], {"a": [b"1"]})
    (True, False)
    """
    size = sum(map(len, lines)) - b"".join(lines).count(b" ")
    for name, texts in raws.items():
        written = b"".join(texts)
        member = quote(name).encode() + b":,"
        there = len(texts) - texts.count(b"")
        size -= len(written) - written.count(b" ")
        size -= there * (len(member) - member.count(b" "))
    return size == len(lines)  # two braces each, and a comma less than members


def _is_once(name: str, data: bytes, raws: Mapping[str, Sequence[bytes]]) -> bool:
    """Tell whether a name is nowhere but where it is a member, and inside the texts of members."""
    quoted = quote(name).encode()
    more = data.count(quoted) - sum(map(bool, raws[name]))
    return not more or more == sum(b"\n".join(texts).count(quoted) for texts in raws.values())


def has_double(line: bytes) -> bool:
    """Tell whether a name comes twice in an object."""
    pairs = _PAIRS.decode(line.decode())
    return len({name for name, _ in pairs}) < len(pairs)


def parse_raw(raw: bytes, syntax: JsonSyntax) -> JsonValue:
    """Read the source text of a value."""
    parsed = parse_json(raw.decode(), syntax)
    assert parsed is not None, "the decoder has seen a value"
    return parsed.value


def _compact(raw: bytes, syntax: JsonSyntax) -> str:
    if raw[:1] in {b"{", b"["} and any(blank in raw for blank in _BLANKS):
        return write_compact(parse_raw(raw, syntax))
    return raw.decode()

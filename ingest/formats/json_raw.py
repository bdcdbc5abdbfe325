"""Source texts of single fields, taken out of lines that fit otherwise, to columns.

Every distinct text is read once, by the exact reader.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import pyarrow as pa

from ingest.arrow import to_arrow_type
from ingest.formats.json_fitting import Fitted, Met
from ingest.formats.json_plan import shape_of
from ingest.formats.json_tokens import JsonValue, parse_json
from ingest.formats.json_writing import quote, write_compact
from schema_store.types import BooleanType, DoubleType, IntegerType, LongType, StringType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ingest.formats.json_fitting import Reader
    from ingest.stream_options import JsonSyntax
    from schema_store.types import DataType, Field

_MOST_REMEMBERED = 20_000
_PAIRS = json.JSONDecoder(object_pairs_hook=tuple, parse_int=str, parse_float=str)
_BLANKS = (b" ", b"\t")
_TEXT_MARKS = (b'"', b"n")


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
    return pa.array([_text(raw) for raw in raws], pa.string())


def raw_column(field: Field, raws: Sequence[bytes], read: Reader, syntax: JsonSyntax) -> RawColumn:
    """Read the values of a column one by one."""
    if isinstance(field.data_type, StringType):
        nothing = Leftover(field.name, Met.MISFIT, [], [], {})
        return RawColumn(string_column(raws), [], nothing)
    decode = _quick_decoder(field.data_type)
    known: dict[bytes, tuple[Fitted, JsonValue]] = {}
    values: list[object] = [None] * len(raws)
    odd: list[int] = []
    misfits = Leftover(field.name, Met.MISFIT, [], [], {})
    for row, raw in enumerate(raws):
        if not raw:
            continue
        if decode is not None and not raw.startswith(b"-0"):
            try:
                values[row] = decode(raw)
            except msgspec.MsgspecError:
                pass
            else:
                continue
        found = known.get(raw)
        if found is None:
            value = parse_raw(raw, syntax)
            found = read(value), value
            if len(known) < _MOST_REMEMBERED:
                known[raw] = found
        fitted, value = found
        values[row] = fitted.value
        if fitted.misfit and len(fitted.notes) == 1 and fitted.notes[0].path == (field.name,):
            text = str(fitted.rescued)
            misfits.rows.append(row)
            misfits.texts.append(text)
            misfits.values.setdefault(text, value)
        elif fitted.notes:
            odd.append(row)
    return RawColumn(pa.array(values, to_arrow_type(field.data_type)), odd, misfits)


def _quick_decoder(data_type: DataType) -> Callable[[bytes], object] | None:
    """Give a decoder that takes only what fits exactly; a zero with a sign is not for it."""
    match data_type:
        case IntegerType() | LongType() | BooleanType() | DoubleType():
            return msgspec.json.Decoder(shape_of(data_type)).decode
        case _:
            return None


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


def _text(raw: bytes) -> str | None:
    if not raw.startswith(_TEXT_MARKS):
        return raw.decode() if raw else None
    if raw == b"null":
        return None
    if b"\\" not in raw:
        return raw[1:-1].decode()
    text: str = json.loads(raw)
    return text if text.isascii() else text.encode("utf-8", "replace").decode()

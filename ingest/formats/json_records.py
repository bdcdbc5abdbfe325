"""A record of a JSON file: the objects in it, or why it is none.

One line, or the whole file under `multiLine`. An array at the top gives its objects as rows; only
the first value counts, what stands after it is lost (Spark `JacksonParser.parse`, contract 11.11).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.formats.json_tokens import (
    JsonArray,
    JsonObject,
    JsonSyntaxError,
    JsonValue,
    parse_json,
)

if TYPE_CHECKING:
    from ingest.stream_options import JsonSyntax

_NOT_UTF8 = "bytes that are not UTF-8"
_BLANKS = " \t\r\n"


class Record(NamedTuple):
    """What a record holds.

    `problem` says why it is corrupt; then there are no objects. `rest` is text after the value.
    """

    objects: tuple[JsonObject, ...]
    rest: str = ""
    problem: str | None = None


def parse_record(raw: bytes, syntax: JsonSyntax) -> Record | None:
    """Find the objects of a record; None for blanks, which are no record.

    >>> from ingest.stream_options import JsonSyntax
    >>> parse_record(b'[{"a": 1}, {}] x', JsonSyntax()).rest
    'x'
    >>> parse_record(b"5", JsonSyntax()).problem
    'a scalar where an object was expected'
    """
    try:
        parsed = parse_json(raw.decode(), syntax)
    except UnicodeDecodeError:
        return Record((), problem=_NOT_UTF8)
    except JsonSyntaxError as error:
        return Record((), problem=str(error))
    if parsed is None:
        return None
    rest = parsed.rest.strip(_BLANKS)
    if isinstance(parsed.value, JsonObject):
        return Record((parsed.value,), rest)
    return _array_record(parsed.value, rest)


def _array_record(value: JsonValue, rest: str) -> Record:
    if not isinstance(value, JsonArray):
        return Record((), problem="a scalar where an object was expected")
    objects = tuple(one for one in value.elements if isinstance(one, JsonObject))
    if len(objects) < len(value.elements):
        return Record((), problem="an array of other things than objects")
    return Record(objects, rest)


def record_text(raw: bytes) -> str:
    """Give a record as text, as it is kept in the column of corrupt records."""
    return raw.decode("utf-8", "replace")

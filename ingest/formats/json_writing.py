"""Values of JSON as compact JSON text again, digits and escapes as they came (contract 5.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import orjson

from ingest.formats.json_tokens import JsonArray, JsonObject, JsonScalar, JsonValue, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

_VALID_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"')
_VALID_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LEADING_ZEROS = re.compile(r"(-?)0+(?=[0-9])")


def write_compact(value: JsonValue) -> str:
    """Write a value without blanks; text that only an option allowed becomes plain JSON.

    >>> from ingest.formats.json_tokens import parse_json
    >>> from ingest.stream_options import JsonSyntax
    >>> write_compact(parse_json("{'a': [1.50, NaN]}", JsonSyntax()).value)
    '{"a":[1.50,"NaN"]}'
    """
    match value:
        case JsonObject(members=members):
            return write_members((name, write_compact(inner)) for name, inner in members)
        case JsonArray(elements=elements):
            return "[" + ",".join(map(write_compact, elements)) + "]"
        case JsonScalar(Kind.TEXT, source, text):
            return source if _VALID_STRING.fullmatch(source) else quote(text)
        case JsonScalar(Kind.NOT_A_NUMBER, source, _):
            return f'"{source}"'
        case JsonScalar(Kind.INTEGER | Kind.FLOAT, source, _):
            valid = _VALID_NUMBER.fullmatch(source)
            return source if valid else _LEADING_ZEROS.sub(r"\1", source, count=1)
        case JsonScalar(_, source, _):
            return source


def write_members(members: Iterable[tuple[str, str]]) -> str:
    """Write an object of names and JSON texts."""
    return "{" + ",".join(f"{quote(name)}:{text}" for name, text in members) + "}"


def quote(text: str) -> str:
    """Write a JSON string; half a surrogate pair stays an escape."""
    try:
        return orjson.dumps(text).decode()
    except TypeError:  # orjson takes whole characters only
        return "".join(
            f"\\u{ord(one):04x}"
            if "\ud800" <= one <= "\udfff"
            else orjson.dumps(one).decode()[1:-1]
            for one in text
        ).join('""')

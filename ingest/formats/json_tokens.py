r"""JSON text to a tree of its values, each with its exact source text (Jackson's grammar).

The reference for speed: one record at a time, nothing rounded, nothing re-spaced, members in source
order with their duplicates. Numbers stay text. What Jackson accepts only under an option is in
`JsonSyntax` (Spark `JSONOptions`, Jackson `JsonReadFeature`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, Union

if TYPE_CHECKING:
    from ingest.stream_options import JsonSyntax

MAX_DEPTH = 200
"""Nesting up to which text is read; Jackson's limit is 1000, Python's own is lower."""

_DEEP_LENGTH = 2 * MAX_DEPTH
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")


def is_long(text: bytes) -> bool:
    """Tell whether a text is long enough to be nested deeper than is read."""
    return len(text) > _DEEP_LENGTH


def is_doubtful(text: bytes) -> bool:
    r"""Tell whether valid JSON may be none for `parse_json`: too deep, or with half characters.

    >>> is_doubtful(b'{"a":[1]}'), is_doubtful(b"[" * 500), is_doubtful(rb'{"\ud800":1}')
    (False, True, True)
    """
    is_deep = is_long(text) and text.count(b"[") + text.count(b"{") > MAX_DEPTH
    return is_deep or (b"\\u" in text and _SURROGATE_ESCAPE.search(text) is not None)


class Kind(Enum):
    """What a scalar is, as Jackson names its tokens."""

    TEXT = "string"
    INTEGER = "integer"
    FLOAT = "float"
    NOT_A_NUMBER = "NaN"
    TRUE = "true"
    FALSE = "false"
    NULL = "null"


class JsonScalar(NamedTuple):
    """A scalar: its kind, its source text, and what a string says."""

    kind: Kind
    source: str
    text: str


class JsonObject(NamedTuple):
    """Members in source order, duplicates included."""

    source: str
    members: tuple[tuple[str, JsonValue], ...]


class JsonArray(NamedTuple):
    """Elements in order."""

    source: str
    elements: tuple[JsonValue, ...]


JsonValue: TypeAlias = Union[JsonScalar, JsonObject, JsonArray]  # noqa: UP007 - recursive


class JsonSyntaxError(ValueError):
    """Text that is no JSON; `position` is where it stops being any."""

    def __init__(self, position: int, expected: str) -> None:
        self.position = position
        self.expected = expected
        super().__init__(f"expected {expected} at character {position + 1}")


class Parsed(NamedTuple):
    """The first value of a text, and what stands after it."""

    value: JsonValue
    rest: str


_BLANK = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"[ \t\r\n]*(?:/\*.*?\*/|//[^\r\n]*)?", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_ZEROS = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NAMED = re.compile(r"NaN|Infinity|[+-](?:INF|Infinity)")
_NAME = re.compile(r"[A-Za-z0-9_$@#*+-]+")
"""A name without quotes (Jackson `CharTypes.getInputCodeUtf8JsNames`)."""
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*"')
_ESCAPES = {
    '"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"
}  # fmt: skip
_WORDS = (("true", Kind.TRUE), ("false", Kind.FALSE), ("null", Kind.NULL))
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_SURROGATES = re.compile("([\ud800-\udbff])([\udc00-\udfff])")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
"""Spark 4.3's Jackson takes half a surrogate pair in values, not in names."""


def parse_json(text: str, syntax: JsonSyntax) -> Parsed | None:
    r"""Read the first value; None when there is none but blanks.

    Raises `JsonSyntaxError`.

    >>> from ingest.stream_options import JsonSyntax
    >>> parse_json('{"a": 1.50} x', JsonSyntax())
    Parsed(value=JsonObject(source='{"a": 1.50}', members=(('a', JsonScalar(kind=<Kind.FLOAT: 'float'>, source='1.50', text='')),)), rest=' x')
    """  # noqa: E501 - one line of output
    reader = _Reader(text, syntax)
    start = reader.skip(0)
    if start == len(text):
        return None
    value, end = reader.value(start, 0)
    is_number = isinstance(value, JsonScalar) and value.kind in {Kind.INTEGER, Kind.FLOAT}
    if is_number and end < len(text) and text[end] not in " \t\r\n":
        raise JsonSyntaxError(end, "a blank after the number")
    return Parsed(value, text[end:])


@dataclass(frozen=True, slots=True)
class _Reader:
    """Walks over a text; each step is given a place and gives the place after what it read."""

    text: str
    syntax: JsonSyntax

    def skip(self, at: int) -> int:
        """Pass over blanks, and comments where they are allowed."""
        if not self.syntax.comments:
            match = _BLANK.match(self.text, at)
            assert match is not None
            return match.end()
        while True:
            match = _COMMENT.match(self.text, at)
            assert match is not None
            if match.end() == at:
                return at
            at = match.end()

    def value(self, at: int, depth: int) -> tuple[JsonValue, int]:
        """Read a value that begins here."""
        if depth > MAX_DEPTH:
            raise JsonSyntaxError(at, f"at most {MAX_DEPTH} levels of nesting")
        first = self.text[at : at + 1]
        if first == "{":
            return self._object(at, depth)
        if first == "[":
            return self._array(at, depth)
        if first == '"' or (first == "'" and self.syntax.single_quotes):
            text, end = self._string(at)
            return JsonScalar(Kind.TEXT, self.text[at:end], text), end
        return self._bare(at)

    def _object(self, at: int, depth: int) -> tuple[JsonObject, int]:
        members: list[tuple[str, JsonValue]] = []
        place = self.skip(at + 1)
        if self._is_at(place, "}"):
            return JsonObject(self.text[at : place + 1], ()), place + 1
        while True:
            name, place = self._name(place)
            place = self._after(self.skip(place), ":")
            value, place = self.value(place, depth + 1)
            members.append((name, value))
            place = self.skip(place)
            if self._is_at(place, "}"):
                return JsonObject(self.text[at : place + 1], tuple(members)), place + 1
            place = self._after(place, ",")

    def _array(self, at: int, depth: int) -> tuple[JsonArray, int]:
        elements: list[JsonValue] = []
        place = self.skip(at + 1)
        if self._is_at(place, "]"):
            return JsonArray(self.text[at : place + 1], ()), place + 1
        while True:
            value, place = self.value(place, depth + 1)
            elements.append(value)
            place = self.skip(place)
            if self._is_at(place, "]"):
                return JsonArray(self.text[at : place + 1], tuple(elements)), place + 1
            place = self._after(place, ",")

    def _name(self, at: int) -> tuple[str, int]:
        if self._is_at(at, '"') or (self._is_at(at, "'") and self.syntax.single_quotes):
            name, end = self._string(at)
            if not name.isascii() and _HALF_PAIR.search(name):
                raise JsonSyntaxError(at, "a name of whole characters")
            return name, end
        match = _NAME.match(self.text, at) if self.syntax.unquoted_names else None
        if match is None:
            raise JsonSyntaxError(at, "a name in quotes")
        return match[0], match.end()

    def _after(self, at: int, mark: str) -> int:
        """Pass over a mark and the blanks behind it."""
        if not self._is_at(at, mark):
            raise JsonSyntaxError(at, repr(mark))
        return self.skip(at + 1)

    def _is_at(self, at: int, mark: str) -> bool:
        return self.text.startswith(mark, at)

    def _string(self, at: int) -> tuple[str, int]:
        match = _PLAIN.match(self.text, at + 1) if self.text[at] == '"' else None
        if match is not None:
            return self.text[at + 1 : match.end() - 1], match.end()
        return self._odd_string(at)

    def _odd_string(self, at: int) -> tuple[str, int]:
        """Read a string with escapes, character by character."""
        quote, place = self.text[at], at + 1
        parts: list[str] = []
        while place < len(self.text):
            character = self.text[place]
            if character == quote:
                return _SURROGATES.sub(_joined, "".join(parts)), place + 1
            if character == "\\":
                character, place = self._escape(place)
            elif character < " " and not self.syntax.control_characters:
                raise JsonSyntaxError(place, "control characters to be escaped")
            else:
                place += 1
            parts.append(character)
        raise JsonSyntaxError(place, f"the string to end with {quote}")

    def _escape(self, at: int) -> tuple[str, int]:
        mark = self.text[at + 1 : at + 2]
        if mark == "u":
            digits = _HEX.match(self.text, at + 2)
            if digits is None:
                raise JsonSyntaxError(at, "four hexadecimal digits")
            return chr(int(digits[0], 16)), digits.end()
        known = _ESCAPES.get(mark)
        if known is None and mark and (self.syntax.escape_any or self._is_quote(mark)):
            known = mark
        if known is None:
            raise JsonSyntaxError(at, "an escape that JSON has")
        return known, at + 2

    def _is_quote(self, mark: str) -> bool:
        """Tell whether this is a single quote that may be escaped (Jackson: where it may stand)."""
        return mark == "'" and self.syntax.single_quotes

    def _bare(self, at: int) -> tuple[JsonScalar, int]:
        number = (_ZEROS if self.syntax.leading_zeros else _NUMBER).match(self.text, at)
        if number is not None and not self.text.startswith((".", "e", "E"), number.end()):
            is_float = number[1] is not None or number[2] is not None
            kind = Kind.FLOAT if is_float else Kind.INTEGER
            return self._scalar(kind, number[0], number.end())
        named = _NAMED.match(self.text, at) if self.syntax.non_numeric else None
        if named is not None:
            return self._scalar(Kind.NOT_A_NUMBER, named[0], named.end())
        for word, kind in _WORDS:
            if self.text.startswith(word, at):
                return self._scalar(kind, word, at + len(word))
        raise JsonSyntaxError(at, "a value")

    def _scalar(self, kind: Kind, source: str, end: int) -> tuple[JsonScalar, int]:
        following = self.text[end : end + 1]
        if following.isalnum() or following in {"_", "$", "."}:
            raise JsonSyntaxError(end, "the end of the value")
        return JsonScalar(kind, source, ""), end


def _joined(pair: re.Match[str]) -> str:
    """Make one character of two surrogates."""
    high, low = ord(pair[1]), ord(pair[2])
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))

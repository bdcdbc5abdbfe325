"""A text against the parts of a pattern, from left to right, as `java.time` parses.

Greedy, without going back: an optional section is taken when it fits where it stands. What is found
are raw fields; `pattern_values.py` makes dates and times of them.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from ingest.text.pattern_parts import (
    Digits,
    Fraction,
    GmtOffset,
    Literal,
    Name,
    Offset,
    Section,
    Sign,
    TimeField,
    Zone,
)
from ingest.text.times import find_zone, zone_names
from ingest.text.zone_names import SHORT_ZONE_NAMES

if TYPE_CHECKING:
    from ingest.text.pattern_parts import Part, Pattern

_DIGITS = re.compile(r"[0-9]*")
_GMT_SHORT = re.compile(r"([+-])([0-9]{1,2})(?::([0-9]{2})(?::([0-9]{2}))?)?")
_GMT_PADDED = re.compile(r"([+-])([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?")
_BARE_ZONE = re.compile(r"UTC|UT|GMT", re.IGNORECASE)
_ID_OFFSET = Offset(colon=True, minutes_needed=True, seconds=True, zero="Z")
_FORBIDDEN = {Sign.NONE: {"+", "-"}, Sign.MINUS: {"+"}, Sign.EXCEEDING: set[str]()}
_LONGEST_NAME = 40
_MAX_HOUR = 23
_MAX_OFFSET = 18 * 3600


@dataclass(slots=True)
class Fields:
    """What a text says, field by field; a zone is kept apart."""

    numbers: dict[TimeField, int] = field(default_factory=dict)
    zone: dt.tzinfo | None = None

    def set(self, name: TimeField, value: int) -> bool:
        """Set a field; False when it has another value already."""
        return self.numbers.setdefault(name, value) == value


class _NeverFitsError(Exception):
    """What Java throws inside of a part: no optional section can go on after it."""


def match_pattern(pattern: Pattern, text: str) -> Fields | None:
    """Find the fields of a text that fits the pattern from its first to its last character."""
    fields = Fields()
    try:
        end = _match_parts(pattern.parts, text, 0, fields)
    except _NeverFitsError:
        return None
    return fields if end == len(text) else None


def _match_parts(parts: tuple[Part, ...], text: str, at: int, fields: Fields) -> int:
    """Match part after part; gives where the last one ends, or -1."""
    for part in parts:
        at = _match_part(part, text, at, fields)
        if at < 0:
            return -1
    return at


def _match_part(part: Part, text: str, at: int, fields: Fields) -> int:
    match part:
        case Literal(wanted):
            end = at + len(wanted)
            return end if _same(text[at:end], wanted) else -1
        case Digits():
            return _match_digits(part, text, at, fields)
        case Fraction(most):
            digits = _digits(text, at, most)
            fits = digits and fields.set(TimeField.NANO, int(digits.ljust(9, "0")))
            return at + len(digits) if fits else -1
        case Name(name, names):
            return _match_name(name, names, text, at, fields)
        case Offset():
            return _match_offset(part, text, at, fields)
        case GmtOffset(padded):
            return _match_gmt_offset(text, at, fields, padded=padded)
        case Zone(names):
            return _match_zone(text, at, fields, _short_names() if names else _region_ids())
        case Section(parts):
            return _match_section(parts, text, at, fields)


def _match_section(parts: tuple[Part, ...], text: str, at: int, fields: Fields) -> int:
    tried = Fields(dict(fields.numbers), fields.zone)
    end = _match_parts(parts, text, at, tried)
    if end < 0:
        return at
    fields.numbers, fields.zone = tried.numbers, tried.zone
    return end


def _match_digits(part: Digits, text: str, at: int, fields: Fields) -> int:
    """Match a number (`NumberPrinterParser.parse`)."""
    sign = text[at : at + 1]
    if (sign == "-" and part.sign is Sign.NONE) or (
        sign == "+" and part.sign is not Sign.EXCEEDING
    ):
        return -1
    start = at + 1 if sign in {"+", "-"} else at
    width = len(_digits(text, start, part.most + part.following))
    if part.following:
        width = min(max(part.least, width - part.following), width)
    if width < part.least:
        return -1
    value = int(text[start : start + width])
    if sign == "-" and value == 0:
        return -1
    if part.sign is Sign.EXCEEDING and sign != "-" and (width > part.least) != (sign == "+"):
        return -1
    if value >= 1 << 63:
        value, width = value // 10, width - 1
    if part.since is not None:
        value += part.since
    return start + width if fields.set(part.field, -value if sign == "-" else value) else -1


def _match_name(
    name: TimeField, names: tuple[tuple[str, int], ...], text: str, at: int, fields: Fields
) -> int:
    for wanted, value in names:
        end = at + len(wanted)
        if _same(text[at:end], wanted):
            return end if fields.set(name, value) else -1
    return -1


def _match_offset(part: Offset, text: str, at: int, fields: Fields) -> int:
    end = at + len(part.zero)
    if _same(text[at:end], part.zero):
        return end if fields.set(TimeField.OFFSET, 0) else -1
    found = _read_offset(part, text, at)
    if found is None:
        return -1
    seconds, end = found
    return end if fields.set(TimeField.OFFSET, seconds) else -1


def _read_offset(part: Offset, text: str, at: int) -> tuple[int, int] | None:
    """Read sign, hours, minutes, seconds; gives the seconds, and where they end."""
    if text[at : at + 1] not in {"+", "-"}:
        return None
    hours = _two_digits(text, at + 1)
    if hours is None:
        return None
    end, sizes = at + 3, [hours, 0, 0]
    needed = (part.minutes_needed, False)
    for place in (1, 2) if part.seconds else (1,):
        begin = end + 1 if part.colon else end
        size = _two_digits(text, begin)
        if size is None or (part.colon and text[end] != ":"):
            if needed[place - 1]:
                return None
            if place == 1:
                continue
            break
        end, sizes[place] = begin + 2, size
    if hours > _MAX_HOUR:
        raise _NeverFitsError
    seconds = sizes[0] * 3600 + sizes[1] * 60 + sizes[2]
    return (-seconds if text[at] == "-" else seconds), end


def _two_digits(text: str, at: int) -> int | None:
    """Read two digits up to 59."""
    found = _digits(text, at, 2)
    return int(found) if len(found) == 2 and found < "60" else None  # noqa: PLR2004 - two


def _match_gmt_offset(text: str, at: int, fields: Fields, *, padded: bool) -> int:
    """Match `GMT`, and an offset after it (`LocalizedOffsetIdPrinterParser`)."""
    end = at + 3
    if not _same(text[at:end], "GMT"):
        return -1
    if text[end : end + 1] not in {"+", "-"}:
        return end if fields.set(TimeField.OFFSET, 0) else -1
    match = (_GMT_PADDED if padded else _GMT_SHORT).match(text, end)
    if match is None:
        return -1
    sign, hours, minutes, seconds = match.groups()
    size = int(hours) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    return match.end() if fields.set(TimeField.OFFSET, -size if sign == "-" else size) else -1


def _match_zone(text: str, at: int, fields: Fields, names: dict[str, str]) -> int:
    """Match a zone (`ZoneIdPrinterParser.parse`): an offset, `UTC+1`, a region, a short name."""
    bare = _BARE_ZONE.match(text, at)
    if text[at : at + 1] in {"+", "-"}:
        return _match_zone_offset(text, at, fields, bare="")
    if bare is not None:
        if bare[0].upper() == "GMT" and text[bare.end() : bare.end() + 1] == "0":
            fields.zone = dt.UTC
            return bare.end() + 1
        return _match_zone_offset(text, bare.end(), fields, bare=bare[0])
    for length in range(min(_LONGEST_NAME, len(text) - at), 0, -1):
        zone_id = names.get(text[at : at + length].lower())
        if zone_id is not None:
            fields.zone = find_zone(zone_id)
            return at + length
    if text[at : at + 1] in {"Z", "z"}:
        fields.zone = dt.UTC
        return at + 1
    return -1


def _match_zone_offset(text: str, at: int, fields: Fields, *, bare: str) -> int:
    found = _read_offset(_ID_OFFSET, text, at)
    if found is None:
        if not bare:
            return -1
        fields.zone = dt.UTC
        return at
    seconds, end = found
    if abs(seconds) > _MAX_OFFSET:
        return -1
    fields.zone = dt.timezone(dt.timedelta(seconds=seconds))
    return end


@lru_cache(maxsize=1)
def _region_ids() -> dict[str, str]:
    return {name.lower(): name for name in zone_names()}


@lru_cache(maxsize=1)
def _short_names() -> dict[str, str]:
    regions = {name: zone for name, zone in _region_ids().items() if name[:7] != "etc/gmt"}
    return regions | {name.lower(): zone for name, zone in SHORT_ZONE_NAMES.items()}


def _digits(text: str, at: int, most: int) -> str:
    match = _DIGITS.match(text, at, at + most)
    return "" if match is None else match[0]


def _same(found: str, wanted: str) -> bool:
    """Compare whatever the case, character by character."""
    if found == wanted:
        return True
    return len(found) == len(wanted) and (
        found.upper() == wanted.upper() or found.lower() == wanted.lower()
    )

"""Columns of dates and timestamps cast by a format, a shape at a time; null where in doubt.

A format without optional sections has one shape, each section doubles them. A shape is a regular
expression that surely fits, and what polars calls the format; texts that fit it mean the same to
Java and to polars. Everything else is left to the scalar converter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import polars as pl

from ingest.text.fast_times import MAX_SHAPES, in_zone
from ingest.text.pattern_parts import (
    Digits,
    Fraction,
    Literal,
    Name,
    Offset,
    Section,
    Sign,
    TimeField,
)
from ingest.text.times import find_zone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.text.pattern_parts import Part, Pattern
    from ingest.text.times import SessionTime

_MAX_SECTIONS = 3
_F = TimeField
_DATE = frozenset({_F.YEAR, _F.MONTH, _F.DAY})
_CLOCKS = tuple(
    _DATE | clock
    for hours in ({_F.HOUR}, {_F.CLOCK_HOUR_OF_AMPM, _F.AMPM})
    for clock in (
        hours | {_F.MINUTE},
        hours | {_F.MINUTE, _F.SECOND},
        hours | {_F.MINUTE, _F.SECOND, _F.NANO},
    )
)
_YEAR = "(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"
_TWO_DIGITS = {
    _F.MONTH: ("(?:0[1-9]|1[0-2])", "%m"),
    _F.DAY: ("(?:0[1-9]|[12][0-9]|3[01])", "%d"),
    _F.HOUR: ("(?:[01][0-9]|2[0-3])", "%H"),
    _F.CLOCK_HOUR_OF_AMPM: ("(?:0[1-9]|1[0-2])", "%I"),
    _F.MINUTE: ("[0-5][0-9]", "%M"),
    _F.SECOND: ("[0-5][0-9]", "%S"),
}
_OFFSET_HOURS = "[+-](?:0[0-9]|1[0-7])"


@dataclass(frozen=True, slots=True)
class _Shape:
    """Texts of one shape; they may end with an `offset`, or with a `Z` for `utc`.

    With `comma` a comma is before the fraction, where polars wants a point.
    """

    regex: str
    format_: str
    fields: frozenset[TimeField]
    offset: bool = False
    utc: bool = False
    comma: bool = False

    def __add__(self, other: _Shape) -> _Shape:
        return _Shape(
            self.regex + other.regex,
            self.format_ + other.format_,
            self.fields | other.fields,
            self.offset or other.offset,
            self.utc or other.utc,
            self.comma or other.comma,
        )


def fast_dates_by(pattern: Pattern, text: pl.Series) -> pl.Series:
    """Cast dates of this format; a format with a time or a zone is left to the converter."""
    shapes = tuple(s for s in _shapes(pattern) if s.fields == _DATE and not (s.offset or s.utc))
    return _by_shape(text, shapes, pl.Date(), None)


def fast_local_timestamps_by(pattern: Pattern, text: pl.Series) -> pl.Series:
    """Cast dates and times without a zone."""
    shapes = tuple(s for s in _shapes(pattern) if not (s.offset or s.utc))
    return _by_shape(text, shapes, pl.Datetime("us"), None)


def fast_timestamps_by(pattern: Pattern, text: pl.Series, session: SessionTime) -> pl.Series:
    """Cast instants; text without a zone is in the session's zone."""
    return _by_shape(text, _shapes(pattern), pl.Datetime("us", "UTC"), session)


def _by_shape(
    text: pl.Series, shapes: tuple[_Shape, ...], target: pl.DataType, session: SessionTime | None
) -> pl.Series:
    """Cast shape after shape: the shape of the first cell that is still null comes next."""
    done = pl.Series(text.name, [None], dtype=target).new_from_index(0, len(text))
    left = list(shapes)
    for _ in range(MAX_SHAPES):
        first = (done.is_null() & text.is_not_null()).arg_max() if len(text) else None
        cell = None if first is None else text[first]
        shape = next((s for s in left if cell is not None and re.fullmatch(s.regex, cell)), None)
        if shape is None:
            break
        left.remove(shape)
        expression = _cast(shape, target, session)
        if expression is not None:
            found = pl.DataFrame({"t": text}).select(expression.alias(text.name)).to_series()
            done = done.zip_with(done.is_not_null(), found)
    return done


def _cast(shape: _Shape, target: pl.DataType, session: SessionTime | None) -> pl.Expr | None:
    text = pl.col("t")
    # a text without a match is null before it is read, so that it is read as nothing at all
    fitting: pl.Expr = pl.when(text.str.contains(f"^{shape.regex}$")).then(text)
    if shape.comma:
        fitting = fitting.str.replace(r",([0-9]+[^0-9,]?[0-9:+-]*)$", ".$1")
    if shape.fields == _DATE and not (shape.offset or shape.utc):
        moment = fitting.str.strptime(pl.Date, shape.format_, strict=False, cache=False)
        if target == pl.Date():
            return moment
        moment = moment.cast(pl.Datetime("us"))
    else:
        kind = pl.Datetime("us", "UTC") if shape.offset else pl.Datetime("us")
        moment = fitting.str.strptime(kind, shape.format_, strict=False, cache=False)
    if session is None:
        return moment
    inside = moment.dt.year().is_between(2, 9998)
    if shape.offset:
        return pl.when(inside).then(moment)
    if shape.utc:
        return moment.dt.replace_time_zone("UTC")
    return in_zone(moment, find_zone(session.zone), inside)


@lru_cache(maxsize=64)
def _shapes(pattern: Pattern) -> tuple[_Shape, ...]:
    """Give the shapes that are surely read alike, those with every section first."""
    sections = sum(isinstance(part, Section) for part in pattern.parts)
    if sections > _MAX_SECTIONS:
        return ()
    found: list[_Shape] = []
    for parts in _flat(pattern.parts):
        alternatives = [_Shape("", "", frozenset())]
        for shapes in _pieces(parts):
            alternatives = [one + other for one in alternatives for other in shapes]
        found += [one for one in alternatives if one.fields == _DATE or one.fields in _CLOCKS]
    return tuple(found)


def _flat(parts: tuple[Part, ...]) -> Iterator[tuple[Part, ...]]:
    """Take every section or leave it out, where Java would surely do so too."""
    for at, part in enumerate(parts):
        if not isinstance(part, Section):
            continue
        before, after = parts[:at], parts[at + 1 :]
        yield from _flat((*before, *part.parts, *after))
        if not _may_begin(part.parts[0]) & _first_characters(after):
            yield from _flat((*before, *after))
        return
    yield parts


def _first_characters(parts: tuple[Part, ...]) -> frozenset[str]:
    """Give the characters that a text of these parts may begin with."""
    found: frozenset[str] = frozenset()
    for part in parts:
        found |= _may_begin(part.parts[0] if isinstance(part, Section) else part)
        if not isinstance(part, Section):
            break
    return found


_DIGIT_CHARACTERS = frozenset("0123456789+-")
_ANY = frozenset(map(chr, range(33, 127)))


def _may_begin(part: Part) -> frozenset[str]:
    match part:
        case Literal(text):
            return frozenset({text[0].lower(), text[0].upper()})
        case Digits() | Fraction():
            return _DIGIT_CHARACTERS
        case Offset():
            return frozenset("+-Zz")
        case _:
            return _ANY


def _pieces(parts: tuple[Part, ...]) -> Iterator[list[_Shape]]:
    """Give the shapes of part after part; none for a part that is not done here."""
    seen: set[TimeField] = set()
    for at, part in enumerate(parts):
        shapes = _piece(part, parts[:at], parts[at + 1 :])
        if any(shape.fields & seen for shape in shapes):
            shapes = []
        seen |= {field for shape in shapes for field in shape.fields}
        yield shapes


def _piece(part: Part, before: tuple[Part, ...], after: tuple[Part, ...]) -> list[_Shape]:
    match part:
        case Literal(text):
            return [_literal(text, after)]
        case Digits():
            return _digits(part, after)
        case Fraction(most) if before and isinstance(before[-1], Literal):
            if not before[-1].text.endswith((".", ",")) or _starts_with_digit(after):
                return []
            return [_Shape(f"[0-9]{{1,{min(most, 6)}}}", "%.f", frozenset({_F.NANO}))]
        case Name(field, names) if field is not _F.ERA:
            regex = "|".join(name for name, _ in names)
            format_ = "%p" if field is _F.AMPM else "%B" if names[0][0] == "September" else "%b"
            return [_Shape(f"(?i:{regex})", format_, frozenset({field}))]
        case Offset() if not after:
            return _offset(part)
        case _:
            return []


def _literal(text: str, after: tuple[Part, ...]) -> _Shape:
    before_fraction = bool(after) and isinstance(after[0], Fraction) and text.endswith((".", ","))
    # polars reads the point together with the fraction
    format_ = (text[:-1] if before_fraction else text).replace("%", "%%")
    comma = before_fraction and text.endswith(",")
    return _Shape(re.escape(text), format_, frozenset(), comma=comma)


def _digits(part: Digits, after: tuple[Part, ...]) -> list[_Shape]:
    rest = after
    if not part.is_fixed:
        while part.following and rest and isinstance(rest[0], Digits) and rest[0].is_fixed:
            rest = rest[1:]
        if _starts_with_digit(rest):
            return []
    fields = frozenset({part.field})
    if part.field is _F.YEAR:
        if part.since is not None:
            return [_Shape("[0-5][0-9]", "%y", fields)]
        return [_Shape(_YEAR, "%Y", fields)] if part.least == 4 else []  # noqa: PLR2004 - yyyy
    if part.field not in _TWO_DIGITS:
        return []
    regex, format_ = _TWO_DIGITS[part.field]
    if part.sign is Sign.NONE:
        return [_Shape(regex, format_, fields)]
    return [_Shape(f"(?:{regex}|[0-9])", format_, fields)]


def _starts_with_digit(parts: tuple[Part, ...]) -> bool:
    return bool(parts) and not _first_characters(parts).isdisjoint("0123456789")


def _offset(part: Offset) -> list[_Shape]:
    if part.zero == "+00":
        return []  # Java takes it off `+0030` and stumbles over the rest
    colon, format_ = (":", "%:z") if part.colon else ("", "%z")
    regex = f"{_OFFSET_HOURS}{colon}[0-5][0-9]"
    shapes = [_Shape(regex, format_, frozenset(), offset=True)]
    if part.zero == "Z":
        shapes.append(_Shape("Z", "Z", frozenset(), utc=True))
    return shapes

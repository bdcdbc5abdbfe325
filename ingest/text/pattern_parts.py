"""What a date and time pattern is made of (`java.time.format.DateTimeFormatterBuilder`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class TimeField(Enum):
    """What a part of a pattern says (`java.time.temporal.ChronoField`)."""

    ERA = "era"
    YEAR_OF_ERA = "year of era"
    YEAR = "year"
    DAY_OF_YEAR = "day of year"
    MONTH = "month"
    DAY = "day"
    AMPM = "AM or PM"
    HOUR = "hour 0-23"
    CLOCK_HOUR = "hour 1-24"
    HOUR_OF_AMPM = "hour 0-11"
    CLOCK_HOUR_OF_AMPM = "hour 1-12"
    MINUTE = "minute"
    SECOND = "second"
    NANO = "nanosecond"
    OFFSET = "offset in seconds"


class Sign(Enum):
    """Which signs a number may have (`java.time.format.SignStyle`)."""

    NONE = "none"
    MINUS = "minus"
    EXCEEDING = "plus only beyond the width, minus"


@dataclass(frozen=True, slots=True)
class Literal:
    """Text that has to stand there, in any case."""

    text: str


@dataclass(frozen=True, slots=True)
class Digits:
    """A number; `following` digits to its right belong to other fields.

    With `since` the number is the last two digits of a year of the hundred years from then on.
    """

    field: TimeField
    least: int
    most: int
    sign: Sign
    following: int = 0
    since: int | None = None

    @property
    def is_fixed(self) -> bool:
        """Tell whether it takes digits off an adjacent number to its left."""
        return self.least == self.most and self.sign is Sign.NONE


@dataclass(frozen=True, slots=True)
class Fraction:
    """One to `most` digits of a second's fraction."""

    most: int


@dataclass(frozen=True, slots=True)
class Name:
    """One of some names, in any case; the longest first."""

    field: TimeField
    names: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Offset:
    """An offset such as `+01:00`; `zero` is the text for none."""

    colon: bool
    minutes_needed: bool
    seconds: bool
    zero: str


@dataclass(frozen=True, slots=True)
class GmtOffset:
    """`GMT` with an offset: `GMT+1`, or padded, `GMT+01:00`."""

    padded: bool


@dataclass(frozen=True, slots=True)
class Zone:
    """The id of a zone, or with `names` also a short name such as `PST`."""

    names: bool


@dataclass(frozen=True, slots=True)
class Section:
    """Parts in `[` and `]`: all of them or none."""

    parts: tuple[Part, ...]


Part: TypeAlias = Literal | Digits | Fraction | Name | Offset | GmtOffset | Zone | Section


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern and its parts."""

    text: str
    parts: tuple[Part, ...]


def text_in(parts: tuple[Part, ...]) -> str | None:
    """Give what in these parts depends on the language; None when nothing does."""
    for part in parts:
        match part:
            case Name(field, _):
                return field.value
            case Zone(names=True):
                return "names of zones"
            case Section(inner):
                found = text_in(inner)
                if found is not None:
                    return found
            case _:
                pass
    return None

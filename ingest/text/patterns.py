"""Java's date and time patterns, as Spark takes them for reading.

`parse_pattern` turns `dd/MM/yyyy HH:mm[:ss][.SSS]` into the parts that a text is matched against.
Rules: Spark's `DateTimeFormatterHelper` (which letters, `y` is the year, `S` is one to n digits)
and `java.time.format.DateTimeFormatterBuilder.appendPattern` (what a letter means, adjacent
digits). Names of months, AM/PM and eras are those of en-US.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ingest.text.pattern_parts import (
    Digits,
    Fraction,
    GmtOffset,
    Literal,
    Name,
    Offset,
    Part,
    Pattern,
    Section,
    Sign,
    TimeField,
    Zone,
)

MAX_DIGITS = 19
"""Digits of a 64-bit number."""


class PatternError(ValueError):
    """A pattern that Java or Spark refuse, or a letter that cannot be done here."""

    def __init__(self, pattern: str, letter: str, problem: str) -> None:
        self.pattern = pattern
        self.letter = letter
        self.problem = problem
        super().__init__(f"{pattern!r}: {problem}; use the letters of Spark's datetime patterns")


SHORT_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
FULL_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_ERAS = (("BC", 0), ("AD", 1))
_FULL_ERAS = (("Before Christ", 0), ("Anno Domini", 1))
_REFUSED = {
    **dict.fromkeys("YWwuec", "week-based letters are unsupported since Spark 3.0"),
    **dict.fromkeys("ABnNp", "Spark does not support the letter"),
    **dict.fromkeys("EFqQ", "the letter is for writing only"),
    **dict.fromkeys("gv", "the letter is not supported here"),
    **dict.fromkeys("{}#", "the character is reserved"),
}
_NARROW = ("GGGGG", "MMMMM", "LLLLL")
_MAX_YEAR_LETTERS = 6
_CENTURY = 2000
_TOKEN = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|.", re.DOTALL)
_ONE_OR_TWO = {
    "d": TimeField.DAY, "h": TimeField.CLOCK_HOUR_OF_AMPM, "H": TimeField.HOUR,
    "k": TimeField.CLOCK_HOUR, "K": TimeField.HOUR_OF_AMPM, "m": TimeField.MINUTE,
    "s": TimeField.SECOND,
}  # fmt: skip
_ZONE_PARTS: dict[str, Part] = {
    "VV": Zone(names=False),
    **{"z" * count: Zone(names=True) for count in (1, 2, 3)},
    "O": GmtOffset(padded=False),
    "OOOO": GmtOffset(padded=True),
    **{"Z" * n: Offset(False, True, False, "+0000") for n in (1, 2, 3)},  # noqa: FBT003 - a table
    "ZZZZ": GmtOffset(padded=True),
    "ZZZZZ": Offset(colon=True, minutes_needed=True, seconds=True, zero="Z"),
}
_OFFSET_STYLES = (
    Offset(colon=False, minutes_needed=False, seconds=False, zero="+00"),
    Offset(colon=False, minutes_needed=True, seconds=False, zero="+0000"),
    Offset(colon=True, minutes_needed=True, seconds=False, zero="+00:00"),
    Offset(colon=False, minutes_needed=True, seconds=True, zero="+0000"),
    Offset(colon=True, minutes_needed=True, seconds=True, zero="+00:00"),
)
"""What one to five letters `x` mean; `X` is the same with `Z` for none."""


def parse_pattern(text: str) -> Pattern:
    """Parse a pattern as Spark does for reading.

    >>> [type(part).__name__ for part in parse_pattern("dd/MM[ 'at' HH]").parts]
    ['Digits', 'Literal', 'Digits', 'Section']

    Raises `PatternError` with the letter.
    """
    open_sections: list[list[Part]] = [[]]
    base: int | None = None
    while "S" in text and text.endswith("''"):
        text = text[:-2]  # Spark loses quotes at the end of a pattern with a fraction
    has_era = "G" in re.sub("'[^']*'", "", text)
    for token in _TOKEN.finditer(text):
        parts = open_sections[-1]
        if token[0] == "[":
            open_sections.append([])
            base = None
        elif token[0] == "]":
            base = None
            _close(open_sections, text)
        else:
            base = _append(parts, base, _part(token, text, has_era=has_era))
    while len(open_sections) > 1:
        _close(open_sections, text)
    return Pattern(text, tuple(open_sections[0]))


def _close(open_sections: list[list[Part]], text: str) -> None:
    if len(open_sections) == 1:
        raise PatternError(text, "]", "a ] without its [")
    parts = open_sections.pop()
    if parts:
        open_sections[-1].append(Section(tuple(parts)))


def _append(parts: list[Part], base: int | None, part: Part) -> int | None:
    """Append a part; gives the number to which adjacent digits are added (`appendValue`)."""
    parts.append(part)
    match part:
        case Digits() if part.is_fixed:
            width: int | None = part.most
        case Fraction(1):
            width = 1
        case Digits():
            width = None
        case _:
            return None
    before = None if base is None else parts[base]
    if base is None or not isinstance(before, Digits):
        return len(parts) - 1
    if width is None:
        parts[base] = replace(before, following=0)
        return len(parts) - 1
    parts[base] = replace(before, following=before.following + width)
    return base


def _part(token: re.Match[str], text: str, *, has_era: bool) -> Part:
    found, quoted, letter = token[0], token[1], token[2]
    if quoted is not None:
        return Literal(quoted.replace("''", "'") or "'")
    if found == "'":
        raise PatternError(text, "'", "a quote that is not closed")
    if found[0] in _REFUSED:
        raise PatternError(text, found[0], f"{found[0]}: {_REFUSED[found[0]]}")
    if letter is None:
        return Literal(found)
    part = _date_part(found, has_era=has_era) or _time_part(found) or _zone_part(found)
    if part is None:
        raise PatternError(text, letter, f"{found}: no such letter, or a wrong number of it")
    return part


def _date_part(letters: str, *, has_era: bool) -> Part | None:
    letter, count = letters[0], len(letters)
    match letter:
        case "y" if count <= _MAX_YEAR_LETTERS:
            return _year(TimeField.YEAR_OF_ERA if has_era else TimeField.YEAR, count)
        case "M" | "L" if not letters.startswith(_NARROW):
            return _month(count)
        case "G" if not letters.startswith(_NARROW):
            return Name(TimeField.ERA, _ERAS if count <= 3 else _FULL_ERAS)  # noqa: PLR2004 - GGG
        case "D" if count == 1:
            return _number(TimeField.DAY_OF_YEAR)
        case "D" if count <= 3:  # noqa: PLR2004 - DDD
            return Digits(TimeField.DAY_OF_YEAR, count, 3, Sign.NONE)
        case _:
            return None


def _year(field: TimeField, count: int) -> Digits:
    match count:
        case 2:
            return Digits(field, 2, 2, Sign.NONE, since=_CENTURY)
        case 1 | 3:
            return Digits(field, count, MAX_DIGITS, Sign.MINUS)
        case _:
            return Digits(field, count, MAX_DIGITS, Sign.EXCEEDING)


def _month(count: int) -> Part:
    match count:
        case 1:
            return _number(TimeField.MONTH)
        case 2:
            return _two_digits(TimeField.MONTH)
        case _:
            names = SHORT_MONTHS if count == 3 else FULL_MONTHS  # noqa: PLR2004 - MMM
            numbered = [(name, number) for number, name in enumerate(names, 1)]
            return Name(TimeField.MONTH, tuple(sorted(numbered, key=lambda one: -len(one[0]))))


def _time_part(letters: str) -> Part | None:
    letter, count = letters[0], len(letters)
    if letter in _ONE_OR_TWO and count <= 2:  # noqa: PLR2004 - HH
        field = _ONE_OR_TWO[letter]
        return _number(field) if count == 1 else _two_digits(field)
    if letter == "S" and count <= 9:  # noqa: PLR2004 - nanoseconds
        return Fraction(count)
    if letters == "a":
        return Name(TimeField.AMPM, (("AM", 0), ("PM", 1)))
    return None


def _zone_part(letters: str) -> Part | None:
    if letters in _ZONE_PARTS:
        return _ZONE_PARTS[letters]
    if letters[0] in "Xx" and len(letters) <= len(_OFFSET_STYLES):
        style = _OFFSET_STYLES[len(letters) - 1]
        return replace(style, zero="Z") if letters[0] == "X" else style
    return None


def _number(field: TimeField) -> Digits:
    return Digits(field, 1, MAX_DIGITS, Sign.MINUS)


def _two_digits(field: TimeField) -> Digits:
    return Digits(field, 2, 2, Sign.NONE)

"""Dates and timestamps in formats of their own, and locales: types and values."""

from __future__ import annotations

import itertools
import random
import re

from tests.spark.questions import Kind, QuestionSet

_DATE_FORMATS = (
    "yyyy-MM-dd", "dd/MM/yyyy", "d/M/yyyy", "d/M/yy", "yyyyMMdd", "dd.MM.yyyy", "MM-dd-yyyy",
    "yyyy/M/d", "dd MMM yyyy", "MMM d, yyyy", "d MMMM yyyy", "EEE, d MMM yyyy", "yyyy-MM", "yyyy",
    "yyyy-DDD", "uuuu-MM-dd", "yyyy-MM-dd G", "dd-MMM-yy", "yyyy['/'MM]", "yyyy-M-d",
    "dd/MM/yyyy HH:mm", "'on' yyyy-MM-dd", "yyyy-MM-dd[ HH:mm]", "EEEE dd MMMM yyyy", "QQQ yyyy",
)  # fmt: skip
_TIMESTAMP_FORMATS = (
    "yyyy-MM-dd HH:mm:ss", "dd/MM/yyyy HH:mm", "yyyy-MM-dd'T'HH:mm:ss.SSS",
    "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "yyyy-MM-dd'T'HH:mm:ss[.SSS][XXX]", "yyyyMMddHHmmss",
    "M/d/yyyy h:mm a", "MM/dd/yyyy hh:mm:ss a", "dd-MMM-yyyy HH:mm:ss", "yyyy-MM-dd HH:mm:ss.SSSSSS",
    "yyyy-MM-dd HH:mm:ssX", "yyyy-MM-dd HH:mm:ssxx", "yyyy-MM-dd HH:mm:ss z", "yyyy-MM-dd HH:mm VV",
    "dd/MM/yyyy", "yyyy-MM-dd HH", "HH:mm:ss", "yyyy-MM-dd HH:mm:ss.S", "yyyy-MM-dd kk:mm",
    "EEE MMM dd HH:mm:ss zzz yyyy", "yyyy-MM-dd'T'HH:mm:ssZ", "yyyy-MM-dd HH:mm:ss O",
    "yyyy-MM-dd K:mm a",
)  # fmt: skip
_ISO = (
    "2024-01-05", "2024-1-5", "2024-01", "2024", "20240105", "2024-01-05 10:11:12",
    "2024-01-05T10:11:12.123", "2024-01-05T10:11:12Z", "12:34", "2024-02-30", "x", "1", "1.5", "true",
)  # fmt: skip
_VALUES: dict[str, tuple[str, ...]] = {
    "y": ("2024", "1999", "24", "99", "0001", "10000", "202"), "M": ("1", "01", "12", "13", "00", "2"),
    "d": ("1", "01", "15", "31", "30", "29", "00", "32"), "D": ("1", "001", "366", "365", "060"),
    "H": ("0", "00", "9", "09", "23", "24"), "h": ("1", "01", "12", "13", "00"),
    "k": ("1", "24", "00", "12"), "K": ("0", "11", "12"), "m": ("0", "00", "5", "59", "60"),
    "s": ("0", "00", "59", "60"), "S": ("1", "12", "123", "123456", "1234567"),
    "a": ("AM", "PM", "am", "noon"), "E": ("Mon", "Fri", "Monday", "Friday", "fri"),
    "X": ("Z", "+01", "+01:00", "-0530", "+1"), "x": ("+0100", "+01:00", "Z", "+0000"),
    "Z": ("+0100", "+01:00", "Z"), "z": ("UTC", "CET", "PST", "GMT+1"), "G": ("AD", "BC", "A"),
    "V": ("Europe/Paris", "UTC", "Z", "+01:00"), "O": ("GMT+1", "GMT", "UTC+1", "GMT-05:30"),
    "Q": ("Q1", "Q4", "1st quarter"), "u": ("2024", "1999", "10000"),
}  # fmt: skip
_MONTHS = ("Jan", "Feb", "May", "Dec", "January", "jan", "Sept", "Januar", "janv.", "Mai", "März")
_RUN = re.compile(r"'([^']*)'|([A-Za-z])\2*|[\[\]]|.")
_TYPES = ("DATE", "TIMESTAMP", "TIMESTAMP_NTZ")


def time_sets(seed: int) -> list[QuestionSet]:
    """Give the sets for every format, and those of locales."""
    sets: list[QuestionSet] = []
    for number, pattern in enumerate(_DATE_FORMATS):
        sets += _sets(f"date-format-{number:02}", {"dateFormat": pattern}, pattern, seed)
    for number, pattern in enumerate(_TIMESTAMP_FORMATS):
        options = {"timestampFormat": pattern}
        sets += _sets(f"timestamp-format-{number:02}", options, pattern, seed)
    pattern = "dd/MM/yyyy HH:mm"
    sets += _sets("timestamp-ntz-format", {"timestampNTZFormat": pattern}, pattern, seed)
    both = {"dateFormat": "dd/MM/yyyy", "timestampFormat": pattern}
    sets += _sets("date-and-timestamp-format", both, pattern, seed)
    fallback = {"dateFormat": "dd/MM/yyyy", "enableDateTimeParsingFallback": "true"}
    sets += _sets("date-format-fallback", fallback, "dd/MM/yyyy", seed)
    fallback = {"timestampFormat": pattern, "enableDateTimeParsingFallback": "true"}
    sets += _sets("timestamp-format-fallback", fallback, pattern, seed)
    late = {"dateFormat": "dd/MM/yyyy", "preferDate": "false"}
    sets += _sets("date-format-prefer-date-off", late, "dd/MM/yyyy", seed)
    zone = {"timestampFormat": "yyyy-MM-dd HH:mm:ss", "timeZone": "America/New_York"}
    sets += _sets("timestamp-format-new-york", zone, "yyyy-MM-dd HH:mm:ss", seed)
    return [*sets, *_locales(seed)]


def _sets(name: str, options: dict[str, str], pattern: str, seed: int) -> list[QuestionSet]:
    rng = random.Random(f"{seed} {options}")
    texts = tuple(dict.fromkeys([*(_text(rng, pattern) for _ in range(40)), *_ISO]))
    paired = (*texts[:4], "2024-01-05", "2024-01-05 10:11:12", "1", "")
    columns = [[text] for text in texts] + [
        list(two) for two in itertools.product(paired, repeat=2)
    ]
    return [
        QuestionSet(f"types-{name}", Kind.TYPES, options, tuple(columns)),
        QuestionSet(f"values-{name}", Kind.VALUES, options, texts, _TYPES),
    ]


def _text(rng: random.Random, pattern: str) -> str:
    """Write a moment as the pattern says, or nearly."""
    shown, depth_left_out = "", False
    for run in _RUN.finditer(pattern):
        piece = run[0]
        if piece == "[":
            depth_left_out = rng.random() < 0.3
        elif piece == "]":
            depth_left_out = False
        elif not depth_left_out:
            shown += run[1] if piece.startswith("'") else _piece(rng, piece)
    return shown if rng.random() < 0.93 else shown + rng.choice((" ", "x", "0"))


def _piece(rng: random.Random, piece: str) -> str:
    letter = piece[0]
    if letter not in _VALUES:
        return piece
    if letter == "M" and len(piece) > 2:
        return rng.choice(_MONTHS)
    if rng.random() < 0.25:
        return rng.choice(_VALUES[letter])
    if letter in "yu":
        year = str(rng.randint(1970, 2068))
        return year[-2:] if len(piece) == 2 else year
    if letter in "MdHhmsSDkK":
        return str(rng.randint(1, 11)).zfill(len(piece))
    return _VALUES[letter][0]


def _locales(seed: int) -> list[QuestionSet]:
    rng = random.Random(seed)
    numbers = ("1.000,5", "1,5", "1.5", "1 000,5", "1'000.5", "1,000", "-1,5", "+1", "1.", "1e5", "x",
               "1.000", "1\u202f000,5", "1\xa0000", "1’000", "0,10", "1,234.50", "12abc", "")  # fmt: skip
    sets = []
    for locale in ("de-DE", "fr-FR", "de-CH", "en-US", "en-GB", "es", "ja-JP"):
        options = {"locale": locale}
        types = ("DECIMAL(10,2)", "DECIMAL(20,0)", "DOUBLE", "INT", "DATE")
        columns = [[one] for one in numbers] + [
            list(two) for two in itertools.product(numbers[:5], repeat=2)
        ]
        sets += [
            QuestionSet(f"types-locale-{locale.lower()}", Kind.TYPES, options, tuple(columns)),
            QuestionSet(f"values-locale-{locale.lower()}", Kind.VALUES, options, numbers, types),
        ]
    for locale, words in {
        "de-DE": ("5 Januar 2024", "5 März 2024", "5 Mai 2024", "5 Jan. 2024"),
        "fr-FR": ("5 janvier 2024", "5 février 2024", "5 Mai 2024", "5 mai 2024"),
        "en-US": ("5 January 2024", "5 may 2024", "5 May 2024", "5 Januar 2024"),
    }.items():
        options = {"locale": locale, "dateFormat": "d MMMM yyyy"}
        texts = (*words, *(_text(rng, "d MMMM yyyy") for _ in range(10)))
        name = f"values-locale-{locale.lower()}-months"
        sets.append(QuestionSet(name, Kind.VALUES, options, tuple(dict.fromkeys(texts)), _TYPES))
    return sets

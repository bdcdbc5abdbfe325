"""Texts that are nearly numbers, dates, times or booleans: where readers disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

ZONES = (
    "", "", "", "Z", "z", "+02:00", "-0330", "+2", "+18:00", "+18:01", "+2:00", "+02:0", "+020000",
    " UTC", "UTC", "GMT", "GMT+1", "UTC+01:00", "UT-5", " Europe/Paris", "America/New_York", "PST",
    " EST", "CET", "Etc/GMT+5", "+99:00", " Mars/City", "[UTC]", "+02:00[Europe/Paris]",
)  # fmt: skip
_NULL_LIKE = (
    "null", "NULL", "None", "N/A", "n/a", "NA", "-", "--", "?", "\\N", "nil", ".", "NaN", "nan",
    "NAN", "Inf", "-Inf", "+Inf", "inf", "Infinity", "-Infinity", "+Infinity", "INFINITY", "-NaN",
)  # fmt: skip
_BOOLEANS = ("true", "false", "yes", "no", "t", "f", "1", "0", "truе", "on", "true.", "wahr")
_BLANKS = (" ", "  ", "\t", "\x0b", "\xa0", "\u2003", "\x01", "\x7f", "\u200b")
_DIGITS = {"arabic": 0x660, "wide": 0xFF10, "devanagari": 0x966, "bold": 0x1D7CE}
_NOISE = "0123456789+-.eE:TZ/dDfFxXpPlL_,%naN \t$€'"


def random_text(rng: random.Random) -> str:
    """Give one text; most are well-formed, some are nearly."""
    make: Callable[[random.Random], str] = rng.choices(_MAKERS, _WEIGHTS)[0]
    text = make(rng)
    if rng.random() < 0.08:
        text = _mutate(rng, text)
    if rng.random() < 0.04:
        text = rng.choice(_BLANKS) + text
    if rng.random() < 0.04:
        text += rng.choice(_BLANKS)
    return text


def _digits(rng: random.Random, most: int) -> str:
    return "".join(rng.choices("0123456789", k=rng.randint(1, most)))


def _sign(rng: random.Random) -> str:
    return rng.choices(("", "-", "+"), (7, 2, 1))[0]


def _integer(rng: random.Random) -> str:
    size = rng.choice((1, 2, 3, 5, 9, 10, 11))
    return _sign(rng) + _digits(rng, size)


def _edge(rng: random.Random) -> str:
    bits = rng.choice((7, 8, 15, 16, 31, 32, 63, 64, 126))
    return str(rng.choice((-1, 1)) * (2**bits) + rng.randint(-2, 2))


def _big(rng: random.Random) -> str:
    return _sign(rng) + _digits(rng, rng.choice((18, 19, 20, 37, 38, 39, 40, 60)))


def _fraction(rng: random.Random) -> str:
    whole = "" if rng.random() < 0.1 else _digits(rng, rng.choice((1, 3, 8, 20)))
    fraction = "" if rng.random() < 0.1 else _digits(rng, rng.choice((1, 2, 3, 9, 19)))
    return f"{_sign(rng)}{whole}.{fraction}"


def _tie(rng: random.Random) -> str:
    return f"{_sign(rng)}{_digits(rng, 4)}.{rng.choice(('005', '995', '125', '5', '4999', '0050'))}"


def _exponent(rng: random.Random) -> str:
    number = _fraction(rng) if rng.random() < 0.5 else _integer(rng)
    power = rng.choice(
        ("0", "1", "5", "10", "-1", "-5", "+3", "37", "38", "308", "309", "-324", "05")
    )
    return f"{number}{rng.choice('eE')}{power}"


def _java(rng: random.Random) -> str:
    if rng.random() < 0.5:
        return _fraction(rng) + rng.choice("dDfFlL")
    digits = rng.choice(("1F", "1.8", "a.", ".c"))
    return f"{_sign(rng)}0{rng.choice('xX')}{digits}p{_integer(rng)[:3]}"


def _grouped(rng: random.Random) -> str:
    return rng.choice(
        ("1,000", "1,5", "1.000,5", "1 000", "1_000", "12,34,567.8", ",5", "5,", "$5", "50%")
    )


def _foreign_digits(rng: random.Random) -> str:
    zero = rng.choice(tuple(_DIGITS.values()))
    text = _integer(rng) if rng.random() < 0.7 else _date(rng)
    return "".join(chr(zero + int(c)) if c.isdigit() else c for c in text)


def _date(rng: random.Random) -> str:
    year = rng.choice(("2024", "1999", "2023", "1582", "1900", "0001", "9999", "0000", "10000",
                       "+12020", "-0001", "12020", "24", "202", "0293", "+2020"))  # fmt: skip
    month = rng.choice(("1", "01", "2", "02", "6", "10", "12", "00", "13"))
    day = rng.choice(("1", "01", "5", "09", "28", "29", "30", "31", "32", "00"))
    parts = (year, month, day)[: rng.choices((3, 2, 1), (8, 1, 1))[0]]
    return rng.choices(("-", "/", ".", ""), (12, 1, 1, 1))[0].join(parts)


def _plain_date(rng: random.Random) -> str:
    return f"{rng.randint(1000, 2999)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"


def _clock(rng: random.Random) -> str:
    hour = rng.choice(("0", "00", "1", "10", "23", "24", "7"))
    minute = rng.choice(("0", "00", "5", "34", "59", "60"))
    second = rng.choice(("0", "00", "7", "56", "59", "60", "61"))
    parts = (hour, minute, second)[: rng.choices((3, 2, 1), (6, 3, 1))[0]]
    fraction = rng.choice(("", "", "", ".", ".1", ".123", ".123456", ".123456789", ".9999999"))
    return ":".join(parts) + fraction


def _moment(rng: random.Random) -> str:
    date = _plain_date(rng) if rng.random() < 0.7 else _date(rng)
    between = rng.choices(("T", " ", "  ", "t", "_", ""), (8, 8, 1, 1, 1, 1))[0]
    return date + between + _clock(rng) + rng.choice(ZONES)


def _time(rng: random.Random) -> str:
    return rng.choices(("", "T"), (3, 1))[0] + _clock(rng) + rng.choice(("", "", "Z", "+02:00"))


def _after_date(rng: random.Random) -> str:
    return _plain_date(rng) + rng.choice(
        ("T", " ", "Tabc", " x", "abc", "T24:00:00", " 1", "+02:00")
    )


def _boolean(rng: random.Random) -> str:
    text = rng.choice(_BOOLEANS)
    return "".join(c.upper() if rng.random() < 0.3 else c for c in text)


def _null_like(rng: random.Random) -> str:
    return rng.choice(_NULL_LIKE)


def _word(rng: random.Random) -> str:
    return rng.choice(
        ("a", "abc", "id-7", "x y", "é", "日本", "😀", "1a", "a1", "2024-W05", "e5", "E")
    )


def _mutate(rng: random.Random, text: str) -> str:
    at = rng.randint(0, len(text))
    match rng.randint(0, 2):
        case 0:
            return text[:at] + rng.choice(_NOISE) + text[at:]
        case 1:
            return text[:at] + text[at + 1 :]
        case _:
            return text[:at] + rng.choice(_NOISE) + text[at + 1 :]


_WEIGHTED: tuple[tuple[Callable[[random.Random], str], int], ...] = (
    (_integer, 12), (_edge, 6), (_big, 4), (_fraction, 10), (_tie, 3), (_exponent, 6), (_java, 4),
    (_grouped, 3), (_foreign_digits, 2), (_date, 10), (_plain_date, 8), (_moment, 14), (_time, 5),
    (_after_date, 3), (_boolean, 6), (_null_like, 5), (_word, 4),
)  # fmt: skip
_MAKERS = tuple(make for make, _ in _WEIGHTED)
_WEIGHTS = tuple(weight for _, weight in _WEIGHTED)

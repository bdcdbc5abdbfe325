"""Numbers as text, exactly as Java and Spark read them.

None means that the text is no such number. Rules: `java.lang.Integer.parseInt`,
`java.lang.Double.parseDouble`, `java.math.BigDecimal(String)`, Spark's `UnivocityParser`.
"""

from __future__ import annotations

import math
import re
import struct
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

JAVA_BLANKS = "".join(map(chr, range(33)))
"""What Java's `String.trim` removes: every character up to the blank."""

_INTEGER = re.compile(r"[+-]?\d+")
_DOUBLE = re.compile(
    r"([+-]?)(?:(NaN)|(Infinity)|((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[fFdD]?"
    r"|(0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)[fFdD]?)"
)
_DECIMAL = re.compile(r"([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,10}))?")
LAST_BMP = "\uffff"
"""The last character that is one `char` of Java's."""

_MAX_EXPONENT = 2**31 - 1
_EXACT = Context(prec=2000, Emin=-(10**6), Emax=10**6)
_FLOAT_TAIL = 29
"""Bits of a double's fraction that a float lacks."""


def integer_from_text(text: str, bits: int) -> int | None:
    """Give the integer of this many bits (`parseByte` … `parseLong`: a sign, Unicode digits).

    >>> integer_from_text("+007", 8), integer_from_text("128", 8), integer_from_text(" 1", 8)
    (7, None, None)
    """
    if not _INTEGER.fullmatch(text) or max(text) > LAST_BMP:
        return None
    value = int(text) if len(text) <= 1000 else _long_integer(text)  # noqa: PLR2004 - CPython's limit
    limit = 1 << (bits - 1)
    return value if -limit <= value < limit else None


def double_from_text(text: str) -> float | None:
    """Give the double (`Double.parseDouble`, which trims).

    >>> double_from_text(" 1d "), double_from_text("0x1p3"), double_from_text("nan")
    (1.0, 8.0, None)
    """
    match = _DOUBLE.fullmatch(text.strip(JAVA_BLANKS))
    return None if match is None else _double_of(match)


def float_from_text(text: str) -> float | None:
    """Give the 32-bit float nearest to the text (`Float.parseFloat`), not to its double."""
    match = _DOUBLE.fullmatch(text.strip(JAVA_BLANKS))
    if match is None:
        return None
    double = _double_of(match)
    if not math.isfinite(double):
        return double
    bits: int = struct.unpack("<q", struct.pack("<d", double))[0]
    if bits & ((1 << _FLOAT_TAIL) - 1) == 1 << (_FLOAT_TAIL - 1):
        double = _away_from_tie(double, match)
    try:
        rounded: float = struct.unpack("<f", struct.pack("<f", double))[0]
    except OverflowError:
        return math.copysign(math.inf, double)
    return rounded


def big_decimal(text: str) -> Decimal | None:
    """Give the number with its digits kept (`new BigDecimal(text)`); no blanks, no commas."""
    match = _DECIMAL.fullmatch(text)
    if match is None or max(text) > LAST_BMP:
        return None
    sign, whole, fraction, exponent = match.groups()
    power = int(exponent or 0)
    if abs(power) > _MAX_EXPONENT:
        return None
    digits = tuple(map(int, whole + (fraction or "")))
    return Decimal((int(sign == "-"), digits, power - len(fraction or "")))


def digits_of(number: Decimal) -> tuple[int, int]:
    """Give `BigDecimal.precision` and `BigDecimal.scale` (negative for a number such as 1e5)."""
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int), "NaN and Infinity are no big decimals"
    significant = len("".join(map(str, digits)).lstrip("0"))
    return max(significant, 1), -exponent


def round_decimal(number: Decimal, precision: int, scale: int) -> tuple[Decimal, Decimal] | None:
    """Give the number at this scale, rounded HALF_UP, and itself; None when it is too large.

    >>> round_decimal(Decimal("1234.565"), 10, 2)
    (Decimal('1234.57'), Decimal('1234.565'))
    """
    if number and number.adjusted() < -scale - 1:
        return Decimal((0, (0,), -scale)), number
    if number.adjusted() > precision:
        return (Decimal((0, (0,), -scale)), number) if not number else None
    rounded = number.quantize(Decimal((0, (1,), -scale)), ROUND_HALF_UP, _EXACT)
    return (rounded, number) if digits_of(rounded)[0] <= precision else None


def _long_integer(text: str) -> int:
    """Give an integer of more digits than CPython converts; it is too large unless all zeros."""
    rest = "".join(str(int(digit)) for digit in text.lstrip("+-")).lstrip("0")
    value = int(rest[:100] or 0)
    return -value if text[0] == "-" else value


def _double_of(match: re.Match[str]) -> float:
    sign, nan, infinity, number, hexadecimal = match.groups()
    if nan:
        return math.nan
    if infinity:
        size = math.inf
    elif number:
        size = float(number)
    else:
        try:
            size = float.fromhex(hexadecimal)
        except OverflowError:
            size = math.inf
    return -size if sign == "-" else size


def _away_from_tie(double: float, match: re.Match[str]) -> float:
    """Move a double that lies between two floats to the side on which the exact text is."""
    _, _, _, number, hexadecimal = match.groups()
    if hexadecimal:
        return double
    size = abs(double)
    exact = Fraction(Decimal(number))
    if exact != Fraction(size):
        size = math.nextafter(size, math.inf if exact > Fraction(size) else 0.0)
    return math.copysign(size, double)

"""How decimals are written in a locale, and decimals as `java.text.DecimalFormat` reads them.

Spark uses it for DECIMAL columns, and for whole numbers beyond BIGINT in inference, when `locale`
is not en-US (`ExprUtils.getDecimalParser`). The symbols are those of Java 17 (CLDR).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from ingest.text.numbers import LAST_BMP

_MAX_EXPONENT = 2**31 - 1
_NBSP, _NARROW, _MINUS, _QUOTE = "\u00a0", "\u202f", "\u2212", "\u2019"


@dataclass(frozen=True, slots=True)
class NumberSymbols:
    """The characters of a locale's numbers (`java.text.DecimalFormatSymbols`)."""

    decimal: str
    grouping: str
    minus: str = "-"
    exponent: str = "E"


_LOCALES: dict[NumberSymbols, str] = {
    NumberSymbols(".", ","): (
        "en en-GB en-IE en-NZ en-IN en-SG en-HK en-MT ga ga-IE cy mt mt-MT es-MX es-US ja ja-JP zh"
        " zh-CN zh-TW ko ko-KR"
    ),
    NumberSymbols(".", ",", exponent="e"): "en-AU en-CA",
    NumberSymbols(",", "."): (
        "de de-DE de-BE de-LU de-IT nl nl-NL nl-BE es es-ES it it-IT it-SM pt pt-BR da da-DK is"
        " is-IS ro ro-RO ro-MD tr tr-TR tr-CY sr sr-RS bs bs-BA mk mk-MK ca ca-ES gl gl-ES lb lb-LU"
        " en-BE en-DE en-DK en-NL es-AR es-CL es-CO fr-LU fr-MA"
    ),
    NumberSymbols(",", _NBSP): (
        "de-AT pl pl-PL cs cs-CZ hu hu-HU bg bg-BG ru ru-RU be be-BY lv lv-LV sq sq-AL pt-PT pt-CH"
        " en-FI en-ZA fr-CA es-CR"
    ),
    NumberSymbols(",", _NBSP, exponent="e"): "sk sk-SK",
    NumberSymbols(",", _NBSP, exponent="\u0415"): "uk uk-UA",
    NumberSymbols(",", _NBSP, exponent="\u00d710^"): "en-SE",
    NumberSymbols(",", _NARROW): "fr fr-FR fr-BE fr-CH fr-MC fr-DZ fr-TN",
    NumberSymbols(",", _NBSP, _MINUS): "nb nb-NO nn nn-NO no no-NO fi fi-FI",
    NumberSymbols(",", _NBSP, _MINUS, "\u00d710^"): "sv sv-SE sv-FI et et-EE lt lt-LT",
    NumberSymbols(",", ".", _MINUS): "eu eu-ES hr hr-HR hr-BA",
    NumberSymbols(",", ".", _MINUS, "e"): "sl sl-SI",
    NumberSymbols(",", ".", exponent="e"): "el el-GR el-CY",
    NumberSymbols(".", _QUOTE): "de-CH de-LI it-CH en-CH",
}

LOCALES: dict[str, NumberSymbols] = {
    tag: symbols for symbols, tags in _LOCALES.items() for tag in tags.split()
}
"""The symbols by language tag; en-US is not among them, it is read without `DecimalFormat`."""


def localized_big_decimal(text: str, symbols: NumberSymbols) -> Decimal | None:
    """Give the number with its digits kept (`DecimalFormat.parse` of the whole text).

    >>> localized_big_decimal("1.234,50", LOCALES["de-DE"])
    Decimal('1234.50')
    """
    match = _number(symbols).fullmatch(text)
    if not text or match is None or max(text) > LAST_BMP:
        return None
    minus, whole, fraction, other_fraction, exponent_minus, exponent = match.groups()
    fraction = fraction or other_fraction or ""
    digits = tuple(map(int, whole.replace(symbols.grouping, "") + fraction))
    power = int(exponent or 0)
    if not digits or power > _MAX_EXPONENT:
        return None
    scale = (-power if exponent_minus else power) - len(fraction)
    return Decimal((int(bool(minus)), digits, scale))


@lru_cache(maxsize=64)
def _number(symbols: NumberSymbols) -> re.Pattern[str]:
    minus, decimal, grouping, exponent = (
        re.escape(one)
        for one in (symbols.minus, symbols.decimal, symbols.grouping, symbols.exponent)
    )
    return re.compile(
        rf"({minus})?((?:{grouping}*\d)*)(?:{decimal}(\d*)|{grouping}+{decimal}(\d+))?"
        rf"(?:{exponent}({minus})?(\d{{1,10}}))?"
    )

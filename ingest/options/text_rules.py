"""The options of how text becomes values (Spark `CSVOptions`): formats, named numbers, locale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.errors import OptionValueError, UnsupportedOptionError
from ingest.text.number_symbols import LOCALES
from ingest.text.pattern_parts import text_in
from ingest.text.patterns import PatternError, parse_pattern
from ingest.text.rules import DEFAULT_RULES, TextRules

if TYPE_CHECKING:
    from ingest.options.given import GivenOptions
    from ingest.text.number_symbols import NumberSymbols
    from ingest.text.pattern_parts import Pattern

_DEFAULT_LOCALES = frozenset({"us", "en-us", "en_us"})
"""How the default is spelled: by Spark, by Databricks' page, by habit."""

_LETTERS = "the letters G y M L D d a h H k K m s S V z O X x Z of Spark's patterns for reading"


def text_rules(given: GivenOptions) -> TextRules:
    """Resolve how text becomes values.

    Raises `UnsupportedOptionError` for a locale without symbols here, and for names of months or
    the like in another language than en-US.
    """
    symbols = _number_symbols(given)
    nan, positive, negative = (
        given.text(key) for key in ("nanValue", "positiveInf", "negativeInf")
    )
    default = DEFAULT_RULES
    return TextRules(
        date_format=_format(given, "dateFormat", symbols),
        timestamp_format=_format(given, "timestampFormat", symbols),
        timestamp_ntz_format=_format(given, "timestampNTZFormat", None),
        parsing_fallback=given.flag("enableDateTimeParsingFallback"),
        prefer_date=given.flag("preferDate") is not False,
        nan=default.nan if nan is None else nan,
        positive_infinity=default.positive_infinity if positive is None else positive,
        negative_infinity=default.negative_infinity if negative is None else negative,
        number_symbols=symbols,
    )


def _number_symbols(given: GivenOptions) -> NumberSymbols | None:
    """Find the locale's symbols; None for en-US, which Spark reads in its own way."""
    text = given.text("locale")
    if text is None or text.lower() in _DEFAULT_LOCALES:
        return None
    symbols = {tag.lower(): one for tag, one in LOCALES.items()}.get(text.lower())
    if symbols is None:
        raise UnsupportedOptionError(
            "locale",
            text,
            supported=f"a language tag such as en-US (the default), {', '.join(LOCALES)}",
            remedy="Use a locale of the same decimal and grouping characters.",
        )
    return symbols


def _format(given: GivenOptions, key: str, symbols: NumberSymbols | None) -> Pattern | None:
    text = given.text(key)
    if text is None:
        return None
    try:
        pattern = parse_pattern(text)
    except PatternError as error:
        raise OptionValueError(key, text, allowed=_LETTERS, problem=error.problem) from error
    words = text_in(pattern.parts)
    if words is not None and symbols is not None:
        raise UnsupportedOptionError(
            key,
            text,
            supported=f"{words} in a format only with locale en-US",
            remedy="Leave locale out, or use a format of digits.",
        )
    return pattern

"""What the options say of how text becomes values; everything has Spark's default."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.text.numbers import double_from_text

if TYPE_CHECKING:
    from ingest.text.number_symbols import NumberSymbols
    from ingest.text.pattern_parts import Pattern

_PARTIAL_ISO_DATES = frozenset(
    {"yyyy-MM-dd", "yyyy-M-d", "yyyy-M-dd", "yyyy-MM-d", "yyyy-MM", "yyyy-M", "yyyy"}
)
"""Formats whose dates are timestamps too (`LENIENT_TS_FORMATTER_SUPPORTED_DATE_FORMATS`)."""


@dataclass(frozen=True, slots=True)
class TextRules:
    """How text is read (Spark's `CSVOptions`).

    * `date_format`, `timestamp_format`, `timestamp_ntz_format`: None means the lenient ISO grammar.
    * `parsing_fallback`: whether text that does not fit a format is tried leniently
      (`enableDateTimeParsingFallback`); None means only where no format is given.
    * `prefer_date`: dates are inferred as DATE, else as TIMESTAMP.
    * `number_symbols`: how decimals are written; None means en-US.
    """

    date_format: Pattern | None = None
    timestamp_format: Pattern | None = None
    timestamp_ntz_format: Pattern | None = None
    parsing_fallback: bool | None = None
    prefer_date: bool = True
    nan: str = "NaN"
    positive_infinity: str = "Inf"
    negative_infinity: str = "-Inf"
    number_symbols: NumberSymbols | None = None

    @property
    def named_numbers(self) -> list[str]:
        """Give the texts that mean NaN or an infinity although they are finite numbers."""
        names = (self.nan, self.positive_infinity, self.negative_infinity)
        finite = ((name, double_from_text(name)) for name in names)
        return [name for name, value in finite if value is not None and math.isfinite(value)]

    @property
    def falls_back_for_dates(self) -> bool:
        """Tell whether a date that does not fit is tried leniently."""
        return self.date_format is None if self.parsing_fallback is None else self.parsing_fallback

    @property
    def falls_back_for_timestamps(self) -> bool:
        """Tell whether a timestamp that does not fit is tried leniently."""
        if self.parsing_fallback is None:
            return self.timestamp_format is None
        return self.parsing_fallback

    @property
    def merges_dates_with_timestamps(self) -> bool:
        """Tell whether a column of both is TIMESTAMP, not STRING (`canParseDateAsTimestamp`)."""
        date_format = "yyyy-MM-dd" if self.date_format is None else self.date_format.text
        return self.timestamp_format is None and date_format in _PARTIAL_ISO_DATES


DEFAULT_RULES = TextRules()
"""What holds when no option is set."""

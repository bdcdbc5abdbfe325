"""What the user wrote, read as values; each bad value is one error with its key."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from ingest.errors import OptionValueError

if TYPE_CHECKING:
    from collections.abc import Mapping

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_BYTES = re.compile(r"([0-9]{1,18})([a-z]*)")
_BYTE_UNITS = {
    **dict.fromkeys(("", "b"), 0),
    **dict.fromkeys(("k", "kb"), 10),
    **dict.fromkeys(("m", "mb"), 20),
    **dict.fromkeys(("g", "gb"), 30),
    **dict.fromkeys(("t", "tb"), 40),
    **dict.fromkeys(("p", "pb"), 50),
}
"""Powers of two (Spark `JavaUtils.byteStringAs`)."""


@dataclass(frozen=True, slots=True)
class GivenOptions:
    """Options as text by lower-cased name; a later spelling of a name replaces an earlier one.

    Each reader gives None when the option was left out. Keys are spelled as documented.
    """

    texts: Mapping[str, str]

    def text(self, key: str) -> str | None:
        """Give the text as it is; it may be empty."""
        return self.texts.get(key.lower())

    def name(self, key: str) -> str | None:
        """Give a text that must not be blank: a path, a column name."""
        text = self.text(key)
        if text is not None and not text.strip():
            raise OptionValueError(key, text, allowed="a text that is not blank")
        return text

    def flag(self, key: str) -> bool | None:
        """Read true or false, in any case (Scala `toBoolean`)."""
        text = self.text(key)
        if text is None:
            return None
        if text.lower() not in {"true", "false"}:
            raise OptionValueError(key, text, allowed="true or false")
        return text.lower() == "true"

    def count(self, key: str) -> int | None:
        """Read a whole number of at least 1."""
        text = self.text(key)
        if text is None:
            return None
        if not _INTEGER.fullmatch(text) or int(text) < 1:
            raise OptionValueError(key, text, allowed="a whole number of at least 1")
        return int(text)

    def size(self, key: str) -> int | None:
        """Read a byte string of at least one byte: `1048576`, `100mb`, `10g`."""
        text = self.text(key)
        if text is None:
            return None
        match = _BYTES.fullmatch(text.strip().lower())
        if not match or match[2] not in _BYTE_UNITS or int(match[1]) < 1:
            raise OptionValueError(
                key,
                text,
                allowed="bytes as a whole number with b, kb, mb, gb, tb or pb: 100mb, 10g",
            )
        return int(match[1]) << _BYTE_UNITS[match[2]]

    def choice(self, key: str, allowed: tuple[str, ...]) -> str | None:
        """Read one of some words, whatever its case; gives the word as documented."""
        text = self.text(key)
        if text is None:
            return None
        found = next((word for word in allowed if word.lower() == text.lower()), None)
        if found is None:
            raise OptionValueError(key, text, allowed=f"one of {', '.join(allowed)}")
        return found


def conf_text(key: str, value: object) -> str:
    """Give a configuration value as text; raises `OptionValueError`.

    >>> conf_text("spark.databricks.delta.schema.autoMerge.enabled", True)
    'true'
    """
    return _to_text(key, value)


def given_options(raw: Mapping[str, object]) -> GivenOptions:
    """Turn values to text as PySpark does (`pyspark.sql.utils.to_str`)."""
    texts = {key.lower(): _to_text(key, value) for key, value in raw.items()}
    return GivenOptions(MappingProxyType(texts))


def _to_text(key: str, value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case int() | float():
            return str(value)
        case os.PathLike():
            return os.fsdecode(value)
        case _:
            raise OptionValueError(key, value, allowed="a text, true, false or a number")

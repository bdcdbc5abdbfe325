"""The options of CSV (Spark `CSVOptions`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.errors import OptionValueError, UnsupportedOptionError
from ingest.stream_options import CsvOptions

if TYPE_CHECKING:
    from ingest.options.given import GivenOptions

NO_CHARACTER = "\u0000"
"""What an empty character option means: a character that is not in the text (Spark)."""

_ESCAPES = {
    "t": "\t",
    "r": "\r",
    "b": "\b",
    "f": "\f",
    '"': '"',
    "'": "'",
    "\\": "\\",
    "u0000": NO_CHARACTER,
}
_UNIT = re.compile(r"\\(u0000|.)|[^\\]", re.DOTALL)
_ESCAPE_CHARACTERS = ("\\", '"')


def csv_options(given: GivenOptions) -> CsvOptions:
    """Resolve how CSV text is cut into cells."""
    default = CsvOptions()
    sep_key = "delimiter" if given.text("sep") is None else "sep"
    encoding_key = "charset" if given.text("encoding") is None else "encoding"
    sep, quote, escape = given.text(sep_key), given.text("quote"), given.text("escape")
    null_value, empty_value = given.text("nullValue"), given.text("emptyValue")
    check_encoding(encoding_key, given.text(encoding_key) or "UTF-8")
    return CsvOptions(
        sep=default.sep if sep is None else parse_separator(sep_key, sep),
        quote=default.quote if quote is None else parse_character("quote", quote),
        escape=default.escape if escape is None else parse_escape("escape", escape),
        header=given.flag("header"),
        null_value=default.null_value if null_value is None else null_value,
        empty_value=default.empty_value if empty_value is None else empty_value,
        ignore_leading_white_space=given.flag("ignoreLeadingWhiteSpace"),
        ignore_trailing_white_space=given.flag("ignoreTrailingWhiteSpace"),
    )


def parse_separator(key: str, text: str) -> str:
    r"""Parse a separator of one or several characters, with `\t`, `\\`, `\"` … for one.

    A lone backslash is an error (Spark `CSVExprUtils.toDelimiterStr`).
    """
    separator = ""
    at = 0
    while at < len(text):
        unit = _UNIT.match(text, at)
        if unit is None or (unit[1] is not None and unit[1] not in _ESCAPES):
            raise OptionValueError(
                key, text, allowed=r"characters, or \t \r \b \f \" \' \\ for one of them"
            )
        separator += unit[0] if unit[1] is None else _ESCAPES[unit[1]]
        at = unit.end()
    if not separator or "\n" in separator:
        raise OptionValueError(key, text, allowed="at least one character, none of them a line end")
    return separator


def parse_character(key: str, text: str) -> str:
    """Parse a single character; an empty text turns it off (Spark `CSVOptions.getChar`)."""
    if len(text) > 1:
        raise OptionValueError(key, text, allowed="one character, or an empty text for none")
    return text or NO_CHARACTER


def parse_escape(key: str, text: str) -> str:
    """Parse the escape character; only the two that files really use work yet."""
    escape = parse_character(key, text)
    if escape not in _ESCAPE_CHARACTERS:
        raise UnsupportedOptionError(
            key,
            text,
            supported='\\ (the default) or "',
            remedy="Write the files with one of these escape characters.",
        )
    return escape


def check_encoding(key: str, text: str) -> None:
    """Refuse every encoding but UTF-8."""
    if text.lower() not in {"utf-8", "utf8"}:
        raise UnsupportedOptionError(
            key, text, supported="UTF-8, the default", remedy="Convert the files to UTF-8."
        )

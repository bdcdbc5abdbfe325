"""The options of CSV (Spark `CSVOptions`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.errors import OptionConflictError, OptionValueError
from ingest.options.encodings import ENCODINGS, find_codec
from ingest.stream_options import CsvOptions, UnescapedQuotes

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
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_MAX_LINE_SEP = 2
_WRITTEN_NUL = ("\\0", "\\u0000")
"""How the documentation writes the null character, the default of some options."""


def csv_options(given: GivenOptions) -> CsvOptions:
    """Resolve how CSV text is cut into cells."""
    default = CsvOptions()
    sep_key = "delimiter" if given.text("sep") is None else "sep"
    sep, quote, escape = given.text(sep_key), given.text("quote"), given.text("escape")
    null_value, empty_value = given.text("nullValue"), given.text("emptyValue")
    max_chars = parse_number(given, "maxCharsPerColumn", least=-1)
    unescaped = given.choice("unescapedQuoteHandling", tuple(one.value for one in UnescapedQuotes))
    options = CsvOptions(
        sep=default.sep if sep is None else parse_separator(sep_key, sep),
        quote=default.quote if quote is None else parse_character("quote", quote),
        escape=default.escape if escape is None else parse_character("escape", escape),
        header=given.flag("header"),
        null_value=default.null_value if null_value is None else null_value,
        empty_value=default.empty_value if empty_value is None else empty_value,
        ignore_leading_white_space=given.flag("ignoreLeadingWhiteSpace"),
        ignore_trailing_white_space=given.flag("ignoreTrailingWhiteSpace"),
        escape_of_escape=_escape_of_escape(given),
        unescaped=default.unescaped if unescaped is None else UnescapedQuotes(unescaped),
        comment=_comment(given),
        skip_rows=parse_number(given, "skipRows", least=0) or 0,
        multi_line=given.flag("multiLine") or False,
        line_sep=_line_separator(given.text("lineSep")),
        max_columns=parse_number(given, "maxColumns", least=1) or default.max_columns,
        max_chars=None if max_chars == -1 else max_chars,
        encoding=_encoding(given),
    )
    _check_together(options)
    return options


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


def parse_number(given: GivenOptions, key: str, *, least: int) -> int | None:
    """Read a whole number."""
    text = given.text(key)
    if text is None:
        return None
    if not _NUMBER.fullmatch(text) or int(text) < least:
        raise OptionValueError(key, text, allowed=f"a whole number of at least {least}")
    return int(text)


def _escape_of_escape(given: GivenOptions) -> str | None:
    """Read the character; left out or empty, it is Univocity's to choose."""
    key = "charToEscapeQuoteEscaping"
    text = given.text(key)
    return None if text in {None, "", *_WRITTEN_NUL} else parse_character(key, str(text))


def _comment(given: GivenOptions) -> str | None:
    """Read the character; the null character means that there are no comments."""
    text = given.text("comment")
    text = None if text in _WRITTEN_NUL else text
    character = NO_CHARACTER if text is None else parse_character("comment", text)
    return None if character == NO_CHARACTER else character


def _line_separator(text: str | None) -> str | None:
    if text is not None and not 1 <= len(text) <= _MAX_LINE_SEP:
        raise OptionValueError("lineSep", text, allowed="one or two characters")
    return text


def _encoding(given: GivenOptions) -> str:
    """Find the codec; a name that Java may know but nothing here decodes is refused."""
    key = "charset" if given.text("encoding") is None else "encoding"
    name = given.text(key)
    codec = find_codec("UTF-8" if name is None else name)
    if codec is None:
        raise OptionValueError(key, name, allowed=f"one of {', '.join(ENCODINGS)}")
    return codec


def _check_together(options: CsvOptions) -> None:
    """Refuse what Univocity itself makes nothing of."""
    key = "unescapedQuoteHandling"
    if options.unescaped is UnescapedQuotes.SKIP_VALUE and len(options.sep) > 1:
        raise OptionConflictError(
            (key, "sep"),
            found=f"SKIP_VALUE beside a separator of {len(options.sep)} characters",
            expected="a separator of one character (Spark fails at such a value)",
            remedy=f"Set {key} otherwise.",
        )
    if options.unescaped is UnescapedQuotes.BACK_TO_DELIMITER and options.multi_line:
        raise OptionConflictError(
            (key, "multiLine"),
            found="BACK_TO_DELIMITER beside multiLine",
            expected="one of the two",
            remedy=f"Set {key} otherwise.",
        )
    if options.multi_line and options.line_sep is not None and options.line_sep in options.sep:
        raise OptionConflictError(
            ("lineSep", "sep"),
            found=f"lineSep {options.line_sep!r} inside sep {options.sep!r}",
            expected="separators of lines and of cells that differ",
            remedy="Set one of them otherwise.",
        )

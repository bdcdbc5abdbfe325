"""The options of JSON (Spark `JSONOptions`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.errors import OptionValueError
from ingest.options.encodings import ENCODINGS, find_codec
from ingest.stream_options import JsonOptions, JsonSyntax

if TYPE_CHECKING:
    from ingest.options.given import GivenOptions


def json_options(given: GivenOptions) -> JsonOptions:
    """Resolve how JSON text is cut into records, and what inference makes of it."""
    return JsonOptions(
        syntax=_syntax(given),
        multi_line=given.flag("multiLine") or False,
        line_sep=_line_separator(given.text("lineSep")),
        encoding=_encoding(given),
        infer_timestamp=given.flag("inferTimestamp") or False,
        primitives_as_string=given.flag("primitivesAsString") or False,
        drop_field_if_all_null=given.flag("dropFieldIfAllNull") or False,
    )


def _syntax(given: GivenOptions) -> JsonSyntax:
    return JsonSyntax(
        comments=given.flag("allowComments") or False,
        single_quotes=given.flag("allowSingleQuotes") is not False,
        unquoted_names=given.flag("allowUnquotedFieldNames") or False,
        leading_zeros=given.flag("allowNumericLeadingZeros") or False,
        escape_any=given.flag("allowBackslashEscapingAnyCharacter") or False,
        control_characters=given.flag("allowUnquotedControlChars") or False,
        non_numeric=given.flag("allowNonNumericNumbers") is not False,
    )


def _line_separator(text: str | None) -> str | None:
    if text == "":
        raise OptionValueError("lineSep", text, allowed="at least one character")
    return text


def _encoding(given: GivenOptions) -> str:
    key = "charset" if given.text("encoding") is None else "encoding"
    name = given.text(key)
    codec = find_codec("UTF-8" if name is None else name)
    if codec is None:
        raise OptionValueError(key, name, allowed=f"one of {', '.join(ENCODINGS)}")
    return codec

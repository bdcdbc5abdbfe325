"""Lines of CSV in many dialects."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.spark.questions import Kind, QuestionSet

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH = 6
COUNT = 300

_FIXED = (
    '"x""y",2', '"x"",y",2', r'"x\"y"', r'"x\ny"', r"c:\d", r'"x\\"', 'x"y', '"x"y', '"x"y"',
    '"x,2', ' "x" ,2', ' "x" , y ,"z" ', ',""', '"end""",7', '1,5" pipe,7', '2,"6" rod",8', '"', '""',
    '"""', '""""', '"a"b,c', '"a" b,c', '"a" ,c', '"a" "b",c', "a,b,c,d,e,f", "a,b,c,d,e,f,g,h",
    ",", ",,", "a,", ",a", '"a,b', '"a",', ',"a"', r'"a\",b', r'"a\\",b', r'"a\\\",b"', "\\", r"\,a",
    r'"\\""', '"\\', '"a\\', "NV,EV", '"NV","EV"', "#a,b", "a,#b", '"#a",b', "'a','b'", "'a''b',c",
    "a\x85b,c\u2028d", "é,日,😀", '"😀",x', "a;b;c", "a|b|c", "a||b||c", "a::b", "x\ty\tz", "a b  c",
    "0,\x01,\x00b",
)  # fmt: skip

_ESCAPE = {"escape": '"'}
_LEAD = {"ignoreLeadingWhiteSpace": "true"}
_TRAIL = {"ignoreTrailingWhiteSpace": "true"}
_TRIM = _LEAD | _TRAIL
_HANDLING = (
    "STOP_AT_CLOSING_QUOTE", "BACK_TO_DELIMITER", "STOP_AT_DELIMITER", "SKIP_VALUE", "RAISE_ERROR",
)  # fmt: skip

_DIALECTS: dict[str, dict[str, str]] = {
    "default": {},
    "escape-quote": _ESCAPE,
    "escape-none": {"escape": ""},
    "escape-bang": {"escape": "!"},
    "quote-single": {"quote": "'"},
    "quote-single-doubled": {"quote": "'", "escape": "'"},
    "quote-none": {"quote": ""},
    "sep-semicolon": {"sep": ";"},
    "sep-tab": {"sep": "\\t"},
    "sep-pipe-quote-single": {"sep": "|", "quote": "'"},
    "sep-blank": {"sep": " "},
    "sep-two-pipes": {"sep": "||"},
    "sep-two-pipes-escape-quote": {"sep": "||"} | _ESCAPE,
    "sep-colons-trimmed": {"sep": "::"} | _TRIM,
    "sep-comma-blank": {"sep": ", "},
    "sep-mixed": {"sep": ",;"},
    "trim-leading": _LEAD,
    "trim-trailing": _TRAIL,
    "trimmed": _TRIM,
    "trim-leading-escape-quote": _LEAD | _ESCAPE,
    "trim-trailing-escape-quote": _TRAIL | _ESCAPE,
    "trimmed-escape-quote": _TRIM | _ESCAPE,
    "null-value": {"nullValue": "NV"},
    "empty-value": {"emptyValue": "EV"},
    "null-and-empty-value": {"nullValue": "NV", "emptyValue": "EV"} | _ESCAPE,
    "null-is-empty-value": {"nullValue": "NV", "emptyValue": "NV"},
    "null-value-trimmed": {"nullValue": "NV"} | _TRIM,
    "null-value-a": {"nullValue": "a"},
    "escape-of-escape-backslash": {"charToEscapeQuoteEscaping": "\\"},
    "escape-of-escape-bang": {"charToEscapeQuoteEscaping": "!"},
    "escape-of-escape-bang-doubled": {"charToEscapeQuoteEscaping": "!"} | _ESCAPE,
    "escape-of-escape-none": {"charToEscapeQuoteEscaping": "\0"},
}


def line_sets(seed: int) -> list[QuestionSet]:
    """Give a set of lines for every dialect."""
    return [
        QuestionSet(
            f"lines-{name}", Kind.LINES, options, _lines(options, seed), ("STRING",) * WIDTH
        )
        for name, options in _all_dialects()
    ]


def _all_dialects() -> Iterator[tuple[str, dict[str, str]]]:
    yield from _DIALECTS.items()
    for handling in _HANDLING:
        if handling != "RAISE_ERROR":
            options = {"unescapedQuoteHandling": handling}
            name = f"unescaped-{handling.lower().replace('_', '-')}"
            yield name, options
            yield f"{name}-escape-quote", options | _ESCAPE
            yield f"{name}-trimmed", options | _TRIM


def _lines(options: dict[str, str], seed: int) -> tuple[str, ...]:
    rng = random.Random(f"{seed} {options}")
    sep = options.get("sep", ",").replace("\\t", "\t")
    quote = options.get("quote", '"') or '"'
    escape = options.get("escape", "\\") or "\\"
    special = options.get("charToEscapeQuoteEscaping", "!").replace("\0", "!")
    tokens = (sep, quote, escape, " ", "a", "b", "1", "é", "\t", special, "NV", "EV", "'", ";", "|",
              "\x01", "\u2028", "😀", ":")  # fmt: skip
    weights = (9, 9, 6, 4, 4, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 0.4, 0.3, 0.3, 1)
    lines = list(_FIXED)
    while len(lines) < COUNT:
        lines.append("".join(rng.choices(tokens, weights, k=rng.randint(1, 14))))
    return tuple(dict.fromkeys(line for line in lines if line.strip("".join(map(chr, range(33))))))

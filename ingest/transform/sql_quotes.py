"""Doubled quotes in SQL strings: one quote to Spark; to sqlglot, the end of a string."""

from __future__ import annotations

import re

_QUOTED = re.compile(
    r"""[rRxX](?:'[^']*'|"[^"]*")"""
    r"""|'(?:[^'\\]|\\.|'')*'"""
    r'''|"(?:[^"\\]|\\.|"")*"'''
    r"""|`(?:[^`]|``)*`""",
    re.DOTALL,
)


def with_escaped_quotes(text: str) -> str:
    r"""Write a doubled quote in a string as an escaped one.

    >>> with_escaped_quotes("name = 'it''s' AND `a''b` = ''")
    "name = 'it\\'s' AND `a''b` = ''"
    """
    return _QUOTED.sub(_with_escapes, text)


def _with_escapes(match: re.Match[str]) -> str:
    string = match[0]
    quote = string[0]
    if quote not in {"'", '"'}:
        return string
    return quote + string[1:-1].replace(quote * 2, "\\" + quote) + quote

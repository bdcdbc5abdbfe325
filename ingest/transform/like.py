"""LIKE patterns as regular expressions (Spark's `StringUtils.escapeLikeRegex`)."""

from __future__ import annotations

import re

from ingest.errors import LiteralError

_ANY = {"_": ".", "%": ".*"}


def like_to_regex(pattern: str, escape: str = "\\") -> str:
    r"""Give the regular expression of a whole text; `escape` makes `_`, `%` and itself plain.

    >>> like_to_regex("a%"), like_to_regex("1!_", "!")
    ('(?s)\\Aa.*\\z', '(?s)\\A1_\\z')
    """
    parts: list[str] = []
    rest = iter(pattern)
    for sign in rest:
        if sign != escape:
            parts.append(_ANY.get(sign) or _plain(sign))
            continue
        following = next(rest, None)
        if following is None or following not in {"_", "%", escape}:
            place = "AT_THE_END" if following is None else "IN_THE_MIDDLE"
            raise LiteralError(
                pattern,
                condition=f"INVALID_FORMAT.ESC_{place}",
                found=f"the escape character {escape} before no _, % or itself",
                expected="a LIKE pattern",
            )
        parts.append(_plain(following))
    return rf"(?s)\A{''.join(parts)}\z"


def _plain(sign: str) -> str:
    return re.escape(sign) if sign.isascii() else sign

"""Lines of text as bytes."""

from __future__ import annotations

import re

from ingest.formats.csv_scan import is_utf8

_SURROGATE = re.compile(b"\xed[\xa0-\xbf][\x80-\xbf]")


def whole_lines(raw: bytes) -> tuple[bytes, bytes]:
    """Cut after the last line end; a lone carriage return at the very end may be half of one."""
    end = max(raw.rfind(b"\n"), raw.rfind(b"\r", 0, len(raw) - 1) if b"\r" in raw else -1) + 1
    return raw[:end], raw[end:]


def to_utf8(text: bytes) -> bytes:
    """Make every byte that is not UTF-8 U+FFFD (contract 11.3); a surrogate's three are one."""
    if is_utf8(text):
        return text
    return _SURROGATE.sub(b"\xff", text).decode("utf-8", "replace").encode()

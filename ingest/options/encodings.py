"""Names of encodings as Java knows them, and the codecs that decode them."""

from __future__ import annotations

_WINDOWS = tuple(range(1250, 1259))
_ISO = (1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 15)
_ISO_TO_LATIN = {1: "latin1", 2: "latin2", 3: "latin3", 4: "latin4", 9: "latin5", 15: "latin9"}

ENCODINGS = (
    "UTF-8",
    "UTF-16",
    "UTF-16LE",
    "UTF-16BE",
    "UTF-32",
    "UTF-32LE",
    "UTF-32BE",
    "US-ASCII",
    *(f"ISO-8859-{part}" for part in _ISO),
    *(f"windows-{page}" for page in _WINDOWS),
)
"""The encodings that can be read, as `java.nio.charset.Charset` spells them."""

_CODECS = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "utf-16": "utf-16",
    "utf16": "utf-16",
    "unicode": "utf-16",
    "utf-16le": "utf-16-le",
    "x-utf-16le": "utf-16-le",
    "unicodelittleunmarked": "utf-16-le",
    "utf-16be": "utf-16-be",
    "x-utf-16be": "utf-16-be",
    "unicodebigunmarked": "utf-16-be",
    "utf-32": "utf-32",
    "utf32": "utf-32",
    "utf-32le": "utf-32-le",
    "x-utf-32le": "utf-32-le",
    "utf-32be": "utf-32-be",
    "x-utf-32be": "utf-32-be",
    "us-ascii": "ascii",
    "ascii": "ascii",
    "iso646-us": "ascii",
    "646": "ascii",
    **{f"iso-8859-{part}": f"iso8859-{part}" for part in _ISO},
    **{f"iso8859-{part}": f"iso8859-{part}" for part in _ISO},
    **{f"iso8859_{part}": f"iso8859-{part}" for part in _ISO},
    **{latin: f"iso8859-{part}" for part, latin in _ISO_TO_LATIN.items()},
    "latin-9": "iso8859-15",
    "l1": "iso8859-1",
    **{f"windows-{page}": f"cp{page}" for page in _WINDOWS},
    **{f"cp{page}": f"cp{page}" for page in _WINDOWS},
}


def find_codec(name: str) -> str | None:
    """Give the codec of a Java charset's name or alias, in any case; None when there is none.

    >>> find_codec("ISO-8859-1"), find_codec("latin1"), find_codec("EBCDIC")
    ('iso8859-1', 'iso8859-1', None)
    """
    return _CODECS.get(name.lower())

"""Text that Arrow holds but has not looked at, as UTF-8."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl
import pyarrow as pa


@dataclass(frozen=True, slots=True)
class ReadText:
    """Text that is UTF-8; `wrong` are the places where bytes became U+FFFD, ascending."""

    values: pa.Array
    wrong: tuple[int, ...]


def read_text(array: pa.Array) -> ReadText:
    r"""Give text or bytes as text; what is not UTF-8 is read as Java does (contract 11.3).

    >>> read_text(pa.array([b"a", b"\xff"])).wrong
    (1,)
    """
    text = array if pa.types.is_string(array.type) else array.cast(pa.string(), safe=False)
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        raw = text.cast(pa.binary()).to_pylist()
    else:
        return ReadText(text, ())
    read = [None if one is None else one.decode("utf-8", "replace") for one in raw]
    wrong = [at for at, one in enumerate(raw) if one is not None and not _is_utf_8(one)]
    return ReadText(pa.array(read, pa.string()), tuple(wrong))


def rows_not_utf_8(array: pa.Array) -> pl.Series:
    r"""Give the places of values, of any type, in which some text is not UTF-8, ascending.

    >>> rows_not_utf_8(pa.array([b"a", b"\xff"]).cast(pa.string(), safe=False)).to_list()
    [1]
    """
    wrong = [] if _is_valid(array) else [at for at in range(len(array)) if _is_wrong(array, at)]
    return pl.Series(wrong, dtype=pl.UInt32)


def _is_wrong(array: pa.Array, at: int) -> bool:
    return not _is_valid(array.take(pa.array([at])))


def _is_valid(array: pa.Array) -> bool:
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _is_utf_8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True

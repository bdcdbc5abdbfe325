"""Values as text, as Spark's `show` prints them (`ToPrettyString`, `Dataset.showString`)."""

from __future__ import annotations

import datetime as dt
import math
import re
import struct
from decimal import Decimal
from typing import Any

from schema_store.types import ArrayType, DataType, FloatType, MapType, StructType

MIN_WIDTH = 3
"""Characters that every column of the table takes at least."""

_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]"
)
_ESCAPES = str.maketrans(
    {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f", "\b": "\\b", "\v": "\\v", "\a": "\\a"}
)
_PLAIN_FROM, _PLAIN_TO = 1e-3, 1e7
_ELLIPSIS_FROM = 4


def table_text(names: tuple[str, ...], rows: list[list[str]], *, align_left: bool) -> str:
    """Draw cells as Spark does: three characters wide at least, wide characters count twice."""
    cells = [[name.translate(_ESCAPES) for name in names], *rows]
    widths = [max(MIN_WIDTH, *map(_width, column)) for column in zip(*cells, strict=True)]
    rule = "+" + "+".join("-" * width for width in widths) + "+"
    lines = [
        [
            _padded(cell, width, align_left=align_left)
            for cell, width in zip(row, widths, strict=True)
        ]
        for row in cells
    ]
    head, *body = ["|" + "|".join(line) + "|" for line in lines]
    return "\n".join([rule, head, rule, *body, rule])


def shown(value: object, data_type: DataType, width: int) -> str:
    """Give a value as one cell: control characters escaped, cut to `width` characters if > 0.

    >>> from schema_store.types import StringType
    >>> shown("a value of many characters", StringType(), 20)
    'a value of many c...'
    """
    text = value_text(value, data_type).translate(_ESCAPES)
    if not 0 < width < len(text):
        return text
    return text[:width] if width < _ELLIPSIS_FROM else text[: width - 3] + "..."


def value_text(value: Any, data_type: DataType) -> str:  # noqa: ANN401 - a value of any column
    """Give a value as Spark casts it to text; NULL is `NULL`."""
    match data_type:
        case _ if value is None:
            return "NULL"
        case StructType(fields):
            inner = [value_text(value[field.name], field.data_type) for field in fields]
            return "{" + ", ".join(inner) + "}"
        case ArrayType(element):
            return "[" + ", ".join(value_text(one, element) for one in value) + "]"
        case MapType(key, item):
            pairs = [f"{value_text(k, key)} -> {value_text(v, item)}" for k, v in value]
            return "{" + ", ".join(pairs) + "}"
        case FloatType():
            return _double_text(_shortest_float(value))
        case _:
            return _atom_text(value)


def _atom_text(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case float():
            return _double_text(value)
        case Decimal():
            return format(value, "f")
        case bytes():
            return "[" + value.hex(" ").upper() + "]"
        case dt.datetime():
            text = value.replace(tzinfo=None).isoformat(" ")
            return text.rstrip("0") if value.microsecond else text
        case _:
            return str(value)


def _double_text(value: float) -> str:
    """Write a double as Java's `Double.toString` does: `1.0E7`, not `10000000.0`."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0 or _PLAIN_FROM <= abs(value) < _PLAIN_TO:
        return repr(value)
    sign, digits, _ = Decimal(repr(value)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    exponent = Decimal(repr(value)).adjusted()
    return f"{'-' if sign else ''}{text[0]}.{text[1:] or '0'}E{exponent}"


def _shortest_float(value: float) -> float:
    """Give the double with the fewest digits that is this float of 32 bits."""
    for digits in range(1, 9):
        candidate = float(f"{value:.{digits}g}")
        if math.isfinite(value) and struct.pack("f", candidate) == struct.pack("f", value):
            return candidate
    return value


def _width(text: str) -> int:
    return len(text) + len(_WIDE.findall(text))


def _padded(text: str, width: int, *, align_left: bool) -> str:
    blanks = " " * (width - _width(text))
    return text + blanks if align_left else blanks + text

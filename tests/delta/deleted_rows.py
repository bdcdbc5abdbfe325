"""Deletion vectors inside the log, as Spark writes them (PROTOCOL.md, "Deletion Vectors")."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_Z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
_MAGIC = 1681511377
_NO_RUNS = 12346


def deletion_vector(rows: Sequence[int]) -> dict[str, object]:
    """Give the descriptor of deleted rows below 65,536: a Roaring bitmap of one array, inline."""
    array = struct.pack(f"<IIHHI{len(rows)}H", _NO_RUNS, 1, 0, len(rows) - 1, 16, *rows)
    data = struct.pack("<IQI", _MAGIC, 1, 0) + array
    return {
        "storageType": "i",
        "pathOrInlineDv": _z85(data + b"\0" * (-len(data) % 4)),
        "sizeInBytes": len(data),
        "cardinality": len(rows),
    }


def _z85(data: bytes) -> str:
    digits = []
    for (number,) in struct.iter_unpack(">I", data):
        digits += [_Z85[number // 85**place % 85] for place in (4, 3, 2, 1, 0)]
    return "".join(digits)

"""What Spark is asked about partition folders `p=<text>`, and its answers on disk."""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import orjson

RECORDED = Path(__file__).parent / "recorded.json.xz"

TEXTS = (
    "1", "0", "007", "+1", "-0", "-5", "2147483647", "2147483648", "-2147483649",
    "9223372036854775807", "9223372036854775808", "9" * 38, "9" * 39, "1" + "0" * 37, "0" * 40,
    "1e5", "1E5", "1e0", "1.", "1.0", ".5", "1.5", "-1.5", "1e-5", "1e37", "1e38", "1e400", "0e5",
    "NaN", "nan", "Infinity", "-Infinity", "+Infinity", "Inf", "1d", "1f", "1L", "0x1p3", "0x10",
    " 1", "1 ", " 1.5 ", "1_000", "1,5", "1,000", "٣", "½",
    "true", "TRUE", "false", "t", "yes", "null", "NULL", "none", "a", "A b", "é", "日本", "😀",
    "a=b", "a%2Fb", "%31", "%20", "%2", "%", "%zz", "%C3%A9", "a%3Db", "100%25", "%41%42",
    "__HIVE_DEFAULT_PARTITION__", "__hive_default_partition__", "_x", "-", "+", ".", "..x", "''",
    "2030-01-05", "2030-1-5", "2030-01", "2030", "20300105", "2030-02-30", "2030-13-01",
    "0001-01-01", "0000-01-01", "9999-12-31", "12030-01-05", "+12030-01-05", "-0001-01-01",
    "1582-10-10", "2030-01-05 ", " 2030-01-05", "2030-01-05T00", "2030-01-05Z",
    "2030-01-05 10%3A11%3A12", "2030-01-05 10%3A11%3A12.5", "2030-01-05 10%3A11%3A12.50",
    "2030-01-05 10%3A11%3A12.123456", "2030-01-05T10%3A11%3A12", "2030-01-05 10%3A11",
    "2030-01-05 10%3A11%3A12Z", "2030-01-05 24%3A00%3A00", "2030-01-05 10%3A11%3A60",
    "2030-01-05 00%3A00%3A00", "2030-1-5 1%3A1%3A1", "0001-01-01 00%3A00%3A00", "10%3A11%3A12",
    "2030-02-30 10%3A11%3A12", "2030%2D01%2D05", "2030-01-05%20", "2030-01-05 10:11:12",
)  # fmt: skip
"""Values of folders, alone."""

_MIXED = (
    "1", "2147483648", "9223372036854775808", "9" * 38, "1.5", "1e5", "2030-01-05",
    "2030-01-05 10%3A11%3A12", "true", "a", "__HIVE_DEFAULT_PARTITION__", "007",
)  # fmt: skip
SETS = tuple(combinations(_MIXED, 2)) + tuple(combinations(_MIXED[:8], 3))
"""Values of folders side by side."""

TYPES = (
    "STRING", "INT", "BIGINT", "SMALLINT", "TINYINT", "FLOAT", "DOUBLE", "BOOLEAN", "DATE",
    "TIMESTAMP", "TIMESTAMP_NTZ", "DECIMAL(38,0)", "DECIMAL(10,2)", "BINARY",
)  # fmt: skip
"""Types that a schema of the user's gives to the column."""


@dataclass(frozen=True, slots=True)
class Recording:
    """Spark's answers: the inferred type and value of each text, the inferred type of each set.

    `casts` has the value of each text in each type; None where Spark fails or gives NULL.
    """

    spark: str
    alone: dict[str, tuple[str, str | None]]
    sets: dict[str, str]
    casts: dict[str, dict[str, str | None]]


def set_key(texts: tuple[str, ...]) -> str:
    """Name a set."""
    return " | ".join(texts)


def write_recording(recording: Recording, path: Path = RECORDED) -> None:
    """Store the answers, compressed."""
    path.write_bytes(lzma.compress(orjson.dumps(recording, option=orjson.OPT_INDENT_2)))


def read_recording(path: Path = RECORDED) -> Recording:
    """Read the stored answers."""
    value: dict[str, Any] = orjson.loads(lzma.decompress(path.read_bytes()))
    alone = {text: (answer[0], answer[1]) for text, answer in value["alone"].items()}
    return Recording(value["spark"], alone, value["sets"], value["casts"])

"""Where expressions do not answer as Spark's do, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.transform.questions import ANY

if TYPE_CHECKING:
    from tests.transform.questions import Json


@dataclass(frozen=True, slots=True)
class Difference:
    """Cases that differ for one reason; `cases` finds `<expression> | <row>`."""

    reason: str
    count: int
    cases: str


DIFFERENCES: tuple[Difference, ...] = (
    Difference(
        "Dates and times outside the years 1 to 9999 are errors (`try_cast`: NULL): Python and most"
        " readers cannot hold them. In the year 1 a zone's local mean time is that of Python's time"
        " zone database.",
        47,
        r"AS (DATE|TIMESTAMP|TIMESTAMP_NTZ)\) \| (32768|0000-01-01|-0001-01-01|0001-01-01"
        r"|9999-12-31|-?9\d{15,}|253402300800|-62135596801)|AS STRING\) \| (9999-12-31|0001-01-01)",
    ),
    Difference(
        "Java before 19 writes some floating point numbers with other digits than the shortest"
        " ones.",
        4,
        r"AS (STRING|DECIMAL\(38,10\))\) \| (2147483648.0|1e\+23|5e-324)$",
    ),
    Difference(
        "The smallest and the largest decimal can be negated; Spark 4.3 fails on the largest one.",
        1,
        r"^- a \| 9999",
    ),
)

NAME_DIFFERENCES = (
    *(f"{one} < 1.5" for one in ("by", "sh", "i", "l")),  # Spark names it after its optimization
    *(f"1.5 < {one}" for one in ("by", "sh", "i", "l")),
    "NOT i IS NULL",
    "+i",
    "",
    "CAST(i AS nope)",
)
"""Names, or conditions of errors, that are others; the types are the same."""

REFUSED = (
    r"\b(da|ts|nt)\b|DATE'",  # arithmetic with dates and times
    r"[/%]",  # of decimals; % of floating point numbers
    r"dw \* |\* dw",  # 39 digits and more on both sides
    r"\bst\b",  # values with parts
    r"div|upper|\|\||&|CASE|count|nofunction|SELECT|IS TRUE|LIKE i|startswith\(s, s\)|ARRAY",
)
"""What is refused by name, with the advice to use `foreachBatch` or real Spark."""


def same(spark: Json, ours: Json) -> bool:
    """Tell whether two answers are the same; of errors, the conditions without the subclass.

    Where Spark was not asked why a row fails, it may be NULL too (`try_cast` gave NULL).
    """
    if isinstance(spark, dict) and spark["error"] == ANY:
        return ours is None or isinstance(ours, dict)
    if isinstance(spark, dict) and isinstance(ours, dict):
        return str(spark["error"]).split(".")[0] == str(ours["error"]).split(".")[0]
    return bool(spark == ours)

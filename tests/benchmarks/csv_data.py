"""Data of a fixed seed, made once: CSV files of 20 columns (see `COLUMNS`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = {
    "id": "BIGINT",
    "customer_id": "INT",
    "quantity": "INT",
    "stock": "INT",
    "code": "BIGINT",
    "price": "DOUBLE",
    "weight": "DOUBLE",
    "ratio": "DOUBLE",
    "amount": "DECIMAL(12,2)",
    "rate": "DECIMAL(14,4)",
    "ordered": "DATE",
    "shipped": "DATE",
    "created_at": "TIMESTAMP",
    "changed_at": "TIMESTAMP",
    "status": "STRING",
    "country": "STRING",
    "name": "STRING",
    "comment": "STRING",
    "token": "STRING",
    "gift": "BOOLEAN",
}
FILES = 100
ROW_BYTES = 232
"""About what a row takes."""


def write_csv_files(folder: Path, *, megabytes: int) -> None:
    """Write the files unless they are there: names and bytes depend on nothing but the size."""
    if (folder / f"{FILES - 1:05}.csv").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    rows = max(1, megabytes * 1_000_000 // ROW_BYTES // FILES)
    for number in range(FILES):
        lines = csv_lines(rows, seed=number)
        text = ",".join(COLUMNS) + "\n" + "\n".join(lines.to_list()) + "\n"
        (folder / f"{number:05}.csv").write_text(text, encoding="utf-8")


def csv_lines(rows: int, *, seed: int) -> pl.Series:
    """Make rows: one column always quoted with a comma, a tenth of them with doubled quotes."""
    at = pl.int_range(rows, dtype=pl.Int64)

    def rand(salt: int, below: int) -> pl.Expr:
        return at.hash(seed * 1000 + salt) % below

    def pick(salt: int, *choices: str) -> pl.Expr:
        return rand(salt, len(choices)).replace_strict(
            dict(enumerate(choices)), return_dtype=pl.String
        )

    def digits(expr: pl.Expr, width: int) -> pl.Expr:
        return expr.cast(pl.String).str.zfill(width)

    def day(salt: int) -> pl.Expr:
        return (
            pl.lit("20")
            + digits(rand(salt, 30), 2)
            + "-"
            + digits(rand(salt + 1, 12) + 1, 2)
            + "-"
            + digits(rand(salt + 2, 28) + 1, 2)
        )

    def clock(salt: int) -> pl.Expr:
        return pl.concat_str(
            [
                digits(rand(salt, 24), 2),
                digits(rand(salt + 1, 60), 2),
                digits(rand(salt + 2, 60), 2),
            ],
            separator=":",
        )

    def fraction(salt: int, below: int, scale: int) -> pl.Expr:
        return rand(salt, below).cast(pl.String) + "." + digits(rand(salt + 1, 10**scale), scale)

    said = pl.when(rand(60, 10) == 0).then(pl.lit('said ""yes"" to ')).otherwise(pl.lit("from "))
    cells = [
        at + seed * 10_000_000 + 3_000_000_000,
        rand(1, 2_000_000),
        rand(2, 100),
        rand(3, 50_000),
        rand(4, 9_000_000_000_000),
        fraction(5, 10_000, 2),
        fraction(7, 100, 5),
        fraction(9, 2, 9),
        fraction(11, 1_000_000, 2),
        fraction(13, 100_000, 4),
        day(15),
        day(18),
        day(21) + " " + clock(24),
        day(27) + "T" + clock(30) + "." + digits(rand(33, 1000), 3),
        pick(35, "new", "paid", "shipped", "returned"),
        pick(36, "no", "se", "dk", "de", "fr"),
        pl.lit("customer ") + rand(37, 500_000).cast(pl.String),
        pl.lit('"')
        + said
        + pick(61, "Oslo", "Bergen", "Malmö")
        + ", box "
        + rand(38, 9999).cast(pl.String)
        + pl.lit('"'),
        rand(39, 2**48).cast(pl.String),
        pick(40, "true", "false"),
    ]
    return pl.select(
        pl.concat_str(
            [cell.cast(pl.String) if isinstance(cell, pl.Expr) else cell for cell in cells],
            separator=",",
        )
    ).to_series()

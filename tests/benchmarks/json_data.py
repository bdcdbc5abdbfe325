"""NDJSON of a fixed seed, made once: a nested struct, a list, a list of structs; clean or not."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import polars as pl

from tests.benchmarks.csv_data import Kind

if TYPE_CHECKING:
    from pathlib import Path

FILES = 100
ROW_BYTES = 480
"""About what a line takes."""

DDL = (
    "address STRUCT<city: STRING, geo: STRUCT<lat: DOUBLE, lon: DOUBLE>, street: STRING>,"
    " comment STRING, country STRING, created_at STRING, customer_id BIGINT, discount DOUBLE,"
    " gift BOOLEAN, id BIGINT, items ARRAY<STRUCT<price: DOUBLE, qty: BIGINT, sku: STRING>>,"
    " name STRING, order_date STRING, price DOUBLE, quantity BIGINT, status STRING,"
    " tags ARRAY<STRING>"
)
"""What inference finds in clean files."""

DUCKDB_COLUMNS = {
    "address": "STRUCT(city VARCHAR, geo STRUCT(lat DOUBLE, lon DOUBLE), street VARCHAR)",
    "comment": "VARCHAR", "country": "VARCHAR", "created_at": "VARCHAR", "customer_id": "BIGINT",
    "discount": "DOUBLE", "gift": "BOOLEAN", "id": "BIGINT",
    "items": "STRUCT(price DOUBLE, qty BIGINT, sku VARCHAR)[]", "name": "VARCHAR",
    "order_date": "VARCHAR", "price": "DOUBLE", "quantity": "BIGINT", "status": "VARCHAR",
    "tags": "VARCHAR[]",
}  # fmt: skip
"""The same for DuckDB."""

_SHAPE = (
    '{"id":@,"customer_id":@,"status":"@","quantity":@,"price":@,"discount":@,"gift":@,'
    '"order_date":"2030-0@-1@","created_at":"2030-01-1@T1@:00:0@Z","country":"@",'
    '"name":"Customer @","comment":"@","address":{"street":"@ Long Street","city":"@",'
    '"geo":{"lat":5@.@,"lon":1@.@}},"tags":["@","@"],"items":[{"sku":"S-@","qty":@,'
    '"price":@.5},{"sku":"S-@","qty":@,"price":@.25}]@}'
)
"""A line; `@` is where a cell goes."""


def json_folder(data: Path, kind: Kind, *, megabytes: int) -> Path:
    """Give a folder of NDJSON, written unless it is there: nothing but kind and size decide."""
    folder = data / f"json-{megabytes}" / kind.value
    if folder.exists():
        return folder
    unfinished = folder.with_name(f"{kind.value}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    rows = max(1, megabytes * 1_000_000 // ROW_BYTES // FILES)
    for seed in range(FILES):
        text = "\n".join(json_lines(rows, seed=seed, kind=kind).to_list()) + "\n"
        (unfinished / f"{seed:05}.json").write_text(text, encoding="utf-8")
    return unfinished.rename(folder)


def json_lines(rows: int, *, seed: int, kind: Kind) -> pl.Series:
    """Make lines that look random and depend on their number and the seed alone."""
    at = pl.int_range(rows, dtype=pl.Int64)

    def below(salt: int, limit: int) -> pl.Expr:
        return at.hash(seed * 1000 + salt) % limit

    def pick(salt: int, *choices: str) -> pl.Expr:
        names = dict(enumerate(choices))
        return below(salt, len(choices)).replace_strict(names, return_dtype=pl.String)

    def unless(condition: pl.Expr, text: str, value: pl.Expr) -> pl.Expr:
        return pl.when(condition).then(pl.lit(text)).otherwise(value)

    digits = [below(20 + salt, 9) + 1 for salt in range(5)]
    odd = _odd(kind, below(70, 100), below(71, 4))
    cells = [
        unless(odd == 0, '"unknown"', (at + seed * 10_000_000 + 3_000_000_000).cast(pl.String)),
        below(1, 2_000_000),
        pick(2, "new", "paid", "shipped", "returned"),
        unless(odd == 1, '"many"', below(3, 100).cast(pl.String)),
        unless(odd == 2, '"12.50"', pl.format("{}.{}", below(4, 1000), below(5, 90) + 10)),
        pl.format("0.{}", below(6, 90) + 10),
        unless(odd == 3, '"yes"', pick(7, "true", "false")),
        *digits,
        pick(8, "NO", "SE", "DE", "FR"),
        below(9, 100_000),
        pick(10, 'said \\"yes\\" to it', "from Malmö, with thanks", "nothing", "left outside"),
        below(11, 200),
        pick(12, "Oslo", "Bergen", "Malmö"),
        below(13, 10), below(14, 900_000) + 100_000, below(15, 10), below(16, 900_000) + 100_000,
        pick(17, "red", "blue"), pick(18, "large", "small"),
        below(30, 10_000), below(31, 9), below(32, 500),
        below(33, 10_000), below(34, 9), below(35, 500),
        _more(kind, below(72, 100), below(73, 1_000_000)),
    ]  # fmt: skip
    texts = [pl.lit(text) for text in _SHAPE.split("@")]
    pieces = [piece for pair in zip(texts, cells, strict=False) for piece in pair]
    return pl.select(pl.concat_str([*pieces, texts[-1]])).to_series()


def _odd(kind: Kind, hundredth: pl.Expr, which: pl.Expr) -> pl.Expr:
    """Tell which column misfits; none is 4."""
    if kind is Kind.ONE_PERCENT:
        return pl.when(hundredth == 0).then(which).otherwise(pl.lit(4))
    return which if kind is Kind.EVERY_ROW else pl.lit(4)


def _more(kind: Kind, hundredth: pl.Expr, number: pl.Expr) -> pl.Expr:
    coupon = pl.format(',"coupon":"C-{}"', number)
    if kind is Kind.ONE_PERCENT:
        return pl.when(hundredth == 0).then(coupon).otherwise(pl.lit(""))
    return coupon if kind is Kind.EXTRA_COLUMN else pl.lit("")

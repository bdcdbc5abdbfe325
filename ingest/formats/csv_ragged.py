"""Lines that the fast parser cannot cut with the others: of another length, or not plain.

Plain lines of one and the same length are cut together; the exact tokenizer cuts the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from ingest.formats.csv_cutter import UnescapedQuoteFoundError
from ingest.formats.csv_limits import unescaped_quote
from ingest.formats.csv_marks import unfold
from ingest.formats.csv_parse import cell_names, cell_schema, parse_lines
from ingest.formats.csv_plain import plain_lengths, without_blanks
from ingest.formats.csv_tokens import cut_line
from ingest.rescue import Rescued

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.formats.csv_bytes import Block
    from ingest.formats.csv_dialect import Dialect

FEW = 200
"""Lines of one length up to which the tokenizer is as quick."""


@dataclass(frozen=True, slots=True)
class Ragged:
    """Records of another length than the header, in order: corrupt for Spark (contract 5.5).

    `surplus` are their cells beyond the header that are not null, by position and named by it.
    """

    rows: pl.Series
    lengths: pl.Series
    surplus: tuple[Rescued, ...]


@dataclass(frozen=True, slots=True)
class _Cut:
    """Some of the records: their rows, ascending, what they are cut to, and their lengths."""

    rows: pl.Series
    columns: pl.DataFrame
    lengths: pl.Series
    surplus: tuple[Rescued, ...]


_NONE = pl.Series([], dtype=pl.UInt32)
NO_RAGGED = Ragged(_NONE, _NONE, ())


def cut_odd(
    lines: pl.Series, rows: pl.Series, width: int, block: Block, dialect: Dialect
) -> tuple[pl.DataFrame, Ragged]:
    """Cut lines, which are these rows of the block, into `width` columns.

    Raises `RefusedRecordError`.
    """
    bare = without_blanks(lines, dialect) if len(lines) > FEW else lines
    lengths = plain_lengths(bare, block, dialect) if len(lines) > FEW else None
    if lengths is None:
        cut = _cut_singly(lines, rows, width, dialect)
        return cut.columns, _ragged(cut, width)
    counts = lengths.drop_nulls().value_counts(name="lines")
    many = counts.filter(counts["lines"] > FEW).to_series(0)
    cuts: list[_Cut] = []
    for length in many:
        some = (lengths == length).fill_null(value=False)
        cells = parse_lines(bare.filter(some), length, block, dialect)
        cuts.append(_cut_alike(rows.filter(some), cells, width))
    odd = ~lengths.is_in(many.implode()).fill_null(value=False)
    if odd.any() or not cuts:
        cuts.append(_cut_singly(lines.filter(odd), rows.filter(odd), width, dialect))
    cut = cuts[0] if len(cuts) == 1 else _together(cuts)
    return cut.columns, _ragged(cut, width)


def _cut_alike(rows: pl.Series, cells: pl.DataFrame, width: int) -> _Cut:
    """Take records of one length: surplus cells apart, missing ones null."""
    names = cell_names(width)
    missing = [pl.lit(None, pl.String).alias(name) for name in names[cells.width :]]
    columns = cells.select(names[: cells.width]).with_columns(missing)
    surplus: list[Rescued] = []
    for position in range(width, cells.width):
        texts = cells.to_series(position)
        if texts.null_count() < len(texts):
            some = rows.filter(texts.is_not_null())
            surplus.append(Rescued(f"_c{position}", some, texts.drop_nulls()))
    lengths = pl.Series([cells.width], dtype=pl.UInt32).new_from_index(0, len(rows))
    return _Cut(rows, columns, lengths, tuple(surplus))


def _cut_singly(lines: pl.Series, rows: pl.Series, width: int, dialect: Dialect) -> _Cut:
    """Cut lines by the exact tokenizer."""
    lengths: list[int] = []
    records: list[list[str | None]] = []
    surplus: dict[int, tuple[list[int], list[str]]] = {}
    for row, line in zip(rows.to_list(), lines.to_list(), strict=True):
        try:
            cells = cut_line(line, dialect)
        except UnescapedQuoteFoundError as error:
            raise unescaped_quote(row, unfold(line, dialect) if dialect.folds else line) from error
        lengths.append(len(cells))
        for position, text in enumerate(cells[width:], width):
            if text is not None:
                some, texts = surplus.setdefault(position, ([], []))
                some.append(row)
                texts.append(text)
        records.append(cells if len(cells) == width else (cells + [None] * width)[:width])
    rescued = (
        Rescued(f"_c{position}", pl.Series(some, dtype=pl.UInt32), pl.Series(texts))
        for position, (some, texts) in sorted(surplus.items())
    )
    columns = pl.DataFrame(records, schema=cell_schema(width), orient="row")
    return _Cut(rows, columns, pl.Series(lengths, dtype=pl.UInt32), tuple(rescued))


def _together(cuts: Sequence[_Cut]) -> _Cut:
    """Put records in their order."""
    rows = pl.concat([cut.rows for cut in cuts])
    order = rows.arg_sort()
    columns = pl.concat([cut.columns for cut in cuts])[order]
    lengths = pl.concat([cut.lengths for cut in cuts]).gather(order)
    by_name: dict[str, list[Rescued]] = {}
    for one in (one for cut in cuts for one in cut.surplus):
        by_name.setdefault(one.name, []).append(one)
    in_order = sorted(by_name, key=lambda name: int(name.removeprefix("_c")))
    surplus = tuple(_in_order(by_name[name]) for name in in_order)
    return _Cut(rows.gather(order), columns, lengths, surplus)


def _in_order(several: Sequence[Rescued]) -> Rescued:
    """Put the cells of one position in order."""
    if len(several) == 1:
        return several[0]
    rows = pl.concat([one.rows for one in several])
    order = rows.arg_sort()
    texts = pl.concat([one.texts for one in several]).gather(order)
    return Rescued(several[0].name, rows.gather(order), texts)


def _ragged(cut: _Cut, width: int) -> Ragged:
    other = cut.lengths != width
    return Ragged(cut.rows.filter(other), cut.lengths.filter(other), cut.surplus)

"""A column of text to a typed column: whole columns at once, odd cells one by one.

The fast casts are polars'; wherever polars is stricter or more generous than Spark the cell is
*suspicious* and goes to the scalar converter (`values.py`), which decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from ingest.text.fast_patterns import (
    fast_dates_by,
    fast_local_timestamps_by,
    fast_timestamps_by,
)
from ingest.text.fast_times import fast_dates, fast_local_timestamps, fast_timestamps
from ingest.text.times import SessionTime
from ingest.text.values import Converted, convert_text
from schema_store.types import (
    BinaryType,
    BooleanType,
    ByteType,
    CharType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    ShortType,
    StringType,
    TimestampNTZType,
    TimestampType,
    VarcharType,
)

if TYPE_CHECKING:
    from ingest.stream_options import ReadSettings
    from ingest.text.number_symbols import NumberSymbols
    from ingest.text.rules import TextRules

_POLARS: dict[type[DataType], pl.DataType] = {
    BooleanType: pl.Boolean(),
    ByteType: pl.Int8(),
    ShortType: pl.Int16(),
    IntegerType: pl.Int32(),
    LongType: pl.Int64(),
    FloatType: pl.Float32(),
    DoubleType: pl.Float64(),
    StringType: pl.String(),
    CharType: pl.String(),
    VarcharType: pl.String(),
    BinaryType: pl.Binary(),
    DateType: pl.Date(),
    TimestampType: pl.Datetime("us", "UTC"),
    TimestampNTZType: pl.Datetime("us"),
}


@dataclass(frozen=True, slots=True)
class Cast:
    """A typed column, and the numbers of the rows that did not fit, and of those that changed.

    A misfit is null in `values`; a changed value was rounded or cut (contract 11.5, 11.19).
    """

    values: pl.Series
    misfits: pl.Series | None = None
    changed: pl.Series | None = None


def cast_column(text: pl.Series, data_type: DataType, settings: ReadSettings) -> Cast:
    """Cast a column of text as Spark's CSV reader does; nulls stay null and fit everything."""
    target = polars_type(data_type)
    if target is None:
        return _nothing_fits(text)
    if isinstance(target, pl.String):
        return Cast(text)
    session = SessionTime(settings.time_zone, settings.today)
    scalar = _Scalar(data_type, target, session, settings.exact_decimals, settings.text)
    plain = _with_a_point(text, data_type, settings.text.number_symbols)
    fast = _fast(plain, scalar)
    odd = _odd_rows(plain, fast, scalar)
    if plain is not text and len(lost := (plain.is_null() & text.is_not_null()).arg_true()):
        odd = lost if odd is None else pl.concat([odd, lost]).unique().sort()
    if odd is None:
        return Cast(fast)
    return _mend(text, fast, odd, scalar)


def polars_type(data_type: DataType) -> pl.DataType | None:
    """Give the polars type that holds this type's values; None where CSV text cannot."""
    if isinstance(data_type, DecimalType):
        return pl.Decimal(data_type.precision, data_type.scale)
    return _POLARS.get(type(data_type))


@dataclass(frozen=True, slots=True)
class _Scalar:
    """How the cells that need a closer look are converted."""

    data_type: DataType
    target: pl.DataType
    session: SessionTime
    exact_decimals: bool
    rules: TextRules

    def convert(self, texts: pl.Series) -> list[Converted | None]:
        """Convert texts one by one."""
        return [
            convert_text(
                text,
                self.data_type,
                self.session,
                exact_decimals=self.exact_decimals,
                rules=self.rules,
            )
            for text in texts
        ]


def _fast(text: pl.Series, scalar: _Scalar) -> pl.Series:
    rules, session = scalar.rules, scalar.session
    match scalar.data_type:
        case BooleanType():
            return _fast_booleans(text)
        case DateType():
            date_format = rules.date_format
            return fast_dates(text) if date_format is None else fast_dates_by(date_format, text)
        case TimestampNTZType():
            ntz_format = rules.timestamp_ntz_format
            if ntz_format is None:
                return fast_local_timestamps(text)
            return fast_local_timestamps_by(ntz_format, text)
        case TimestampType():
            if rules.timestamp_format is None:
                return fast_timestamps(text, session)
            return fast_timestamps_by(rules.timestamp_format, text, session)
        case _:
            return text.cast(scalar.target, strict=False)


def _with_a_point(text: pl.Series, data_type: DataType, symbols: NumberSymbols | None) -> pl.Series:
    """Write decimals of a locale with a point; null where a closer look is needed."""
    if symbols is None or not isinstance(data_type, DecimalType):
        return text
    cell = pl.first()
    plain = cell.str.contains(rf"^-?[0-9]+(?:{re.escape(symbols.decimal)}[0-9]+)?$")
    if symbols.minus != "-":
        plain &= ~cell.str.starts_with("-")
    pointed = pl.when(plain).then(cell.str.replace(symbols.decimal, ".", literal=True))
    return text.to_frame().select(pointed.alias(text.name)).to_series()


def _fast_booleans(text: pl.Series) -> pl.Series:
    cell = pl.first()
    no = pl.when(cell == "false").then(statement=False)
    yes = pl.when(cell == "true").then(statement=True)
    return text.to_frame().select(yes.otherwise(no).alias(text.name)).to_series()


def _odd_rows(text: pl.Series, fast: pl.Series, scalar: _Scalar) -> pl.Series | None:
    """Give the rows that need a closer look: lost by the fast cast, or suspicious."""
    mask = None
    if fast.null_count() != text.null_count():
        mask = fast.is_null()
        if text.null_count():
            mask &= text.is_not_null()
    suspicious = _suspicious(text, fast, scalar)
    if suspicious is not None:
        mask = suspicious if mask is None else mask | suspicious
    if mask is None:
        return None
    rows = mask.arg_true()
    return rows if len(rows) else None


def _suspicious(text: pl.Series, fast: pl.Series, scalar: _Scalar) -> pl.Series | None:
    """Mark cells that polars casts, but not as Spark does."""
    match scalar.data_type:
        case FloatType() | DoubleType():
            finite, named = fast.is_finite(), scalar.rules.named_numbers
            if not named:
                return None if finite.all() else ~finite.fill_null(value=True)
            return ~finite.fill_null(value=True) | text.is_in(named).fill_null(value=False)
        case DecimalType(_, scale):
            return _suspicious_decimals(text, scale)
        case _:
            return None


def _suspicious_decimals(text: pl.Series, scale: int) -> pl.Series | None:
    """Mark numbers with an exponent, or with more fraction digits than the scale."""
    cells = text.to_arrow()
    point = pc.find_substring(cells, ".")
    digits = pc.subtract(pc.binary_length(cells), pc.cast(point, pa.int64()))
    longer = pc.and_(pc.greater(digits, scale + 1), pc.greater_equal(point, 0))
    data = cells.buffers()[-1]
    texts = b"" if data is None else data.to_pybytes()
    if b"e" in texts or b"E" in texts:
        longer = pc.or_(longer, pc.match_substring_regex(cells, "[eE]"))
    marked = pl.Series(longer)
    return marked.fill_null(value=False) if marked.any() else None


def _mend(text: pl.Series, fast: pl.Series, odd: pl.Series, scalar: _Scalar) -> Cast:
    """Convert the odd cells exactly, distinct texts once, and put them back."""
    cells = text.gather(odd)
    texts = cells.unique()
    found = scalar.convert(texts)
    if not any(found) and fast.gather(odd).null_count() == len(odd):
        return Cast(fast, odd)
    values = [None if one is None else one.value for one in found]
    answers = pl.DataFrame(
        {
            "text": texts,
            "value": pl.Series(values, dtype=scalar.target, strict=False),
            "changed": [one is not None and one.changed for one in found],
        }
    )
    joined = cells.to_frame("text").join(answers, on="text", how="left", maintain_order="left")
    mended = fast.scatter(odd, joined["value"])
    misfits = odd.filter(joined["value"].is_null())
    changed = odd.filter(joined["changed"])
    return Cast(mended, misfits if len(misfits) else None, changed if len(changed) else None)


def _nothing_fits(text: pl.Series) -> Cast:
    rows = text.is_not_null().arg_true()
    nulls = pl.Series(text.name, [None], dtype=pl.Null).new_from_index(0, len(text))
    return Cast(nulls, rows if len(rows) else None)

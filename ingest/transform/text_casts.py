"""Text to values as SQL casts do (`Cast` in ANSI mode); NULL where the text is none.

The CSV reader's casts, which reproduce Spark's, do the work; SQL differs from CSV in blanks, in
digits that are not ASCII, in names of infinities, and in words for true and false.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa

from ingest.stream_options import ParseMode, ReadSettings
from ingest.text.casting import cast_column, polars_type
from ingest.text.numbers import JAVA_BLANKS
from ingest.text.rules import TextRules
from ingest.text.times import (
    SPARK_BLANKS,
    SessionTime,
    date_from_text,
    local_timestamp_from_text,
    timestamp_from_text,
)
from ingest.transform.polars_arrays import from_polars, to_polars
from ingest.transform.type_rules import INTEGRAL
from schema_store.types import (
    BinaryType,
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    TimestampNTZType,
    TimestampType,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.text.values import TextValue

_INTEGER = r"^[+-]?[0-9]+$"
_TRUE = ["t", "true", "y", "yes", "1"]
_FALSE = ["f", "false", "n", "no", "0"]
_INFINITY = ["inf", "+inf", "infinity", "+infinity"]
_MINUS_INFINITY = ["-inf", "-infinity"]
_STRICT = TextRules(parsing_fallback=False)
_LENIENT = TextRules(parsing_fallback=True)
_DATE_AND_TIME = re.compile(r"\+?[0-9]{4,6}-[0-9]{1,2}-[0-9]{1,2}[ T][0-9:.]+")


def cast_text(values: pa.Array, target: DataType, session: SessionTime) -> pa.Array:
    """Cast texts, NULL where one is no value of the type."""
    text = to_polars(values)
    match target:
        case BooleanType():
            return from_polars(_booleans(text))
        case BinaryType():
            return values.cast(pa.large_string()).cast(pa.large_binary())
        case FloatType() | DoubleType():
            return from_polars(_fractions(text, target, session))
        case DecimalType():
            plain = text.str.strip_chars(JAVA_BLANKS)
            with_comma = plain.str.contains(",", literal=True)
            return from_polars(_cast(_without(plain, with_comma), target, session, _STRICT))
        case DateType():
            return from_polars(_dates(text, session))
        case TimestampType():
            return from_polars(_cast(text, target, session, _STRICT))
        case TimestampNTZType():
            return from_polars(_local_times(text, session))
        case _ if isinstance(target, INTEGRAL):
            return from_polars(_integers(text, target))
        case _:
            return values


def _integers(text: pl.Series, target: DataType) -> pl.Series:
    plain = text.str.strip_chars(SPARK_BLANKS)
    digits = _without(plain, ~plain.str.contains(_INTEGER)).str.strip_prefix("+")
    return digits.cast(_kind(target), strict=False)


def _booleans(text: pl.Series) -> pl.Series:
    word = pl.first().str.strip_chars(SPARK_BLANKS).str.to_lowercase()
    no = pl.when(word.is_in(_FALSE)).then(statement=False)
    yes = pl.when(word.is_in(_TRUE)).then(statement=True)
    return text.to_frame().select(yes.otherwise(no).alias("value"))["value"]


def _fractions(text: pl.Series, target: DataType, session: SessionTime) -> pl.Series:
    word = pl.first().str.strip_chars(JAVA_BLANKS).str.to_lowercase()
    named = (
        pl.when(word.is_in(_INFINITY))
        .then(float("inf"))
        .when(word.is_in(_MINUS_INFINITY))
        .then(float("-inf"))
        .when(word == "nan")
        .then(float("nan"))
    )
    found = text.to_frame().select(named.alias("value"))["value"]
    plain = _cast(_without(text, found.is_not_null()), target, session, _STRICT)
    return plain.zip_with(found.is_null(), found.cast(plain.dtype))


def _dates(text: pl.Series, session: SessionTime) -> pl.Series:
    def exact(one: str) -> TextValue | None:
        found = date_from_text(one)
        return None if found is None else found[0]

    odd = text.str.contains("GMT", literal=True)  # the CSV reader would take it out
    plain = _cast(_without(text, odd), DateType(), session, _LENIENT)
    return _mended(text, plain, odd, exact)


def _local_times(text: pl.Series, session: SessionTime) -> pl.Series:
    """Cast to TIMESTAMP_NTZ; a zone is allowed and has no effect (`allowTimeZone`)."""

    def exact(one: str) -> TextValue | None:
        match = _DATE_AND_TIME.match(one.strip(SPARK_BLANKS))
        if match is None or timestamp_from_text(one, session) is None:
            return None
        return local_timestamp_from_text(match[0])

    plain = _cast(text, TimestampNTZType(), session, _STRICT)
    return _mended(text, plain, plain.is_null() & text.is_not_null(), exact)


def _mended(
    text: pl.Series, plain: pl.Series, odd: pl.Series, exact: Callable[[str], TextValue | None]
) -> pl.Series:
    """Convert odd texts one by one, distinct ones once."""
    rows = odd.fill_null(value=False).arg_true()
    if not len(rows):
        return plain
    cells = text.gather(rows)
    unique = cells.unique()
    values = pl.Series([exact(one) for one in unique], dtype=plain.dtype)
    answers = pl.DataFrame({"text": unique, "value": values})
    joined = cells.to_frame("text").join(answers, on="text", how="left", maintain_order="left")
    return plain.scatter(rows, joined["value"])


def _without(text: pl.Series, rows: pl.Series) -> pl.Series:
    """Put NULL where a text is none of the type's."""
    if not rows.any():
        return text
    return text.set(rows.fill_null(value=False), None)


def _cast(text: pl.Series, target: DataType, session: SessionTime, rules: TextRules) -> pl.Series:
    settings = ReadSettings(
        rescued_column=None,
        file_path_in_rescued=False,
        case_sensitive=True,
        parse_mode=ParseMode.PERMISSIVE,
        corrupt_column="",
        exact_decimals=False,
        observe_misfits=False,
        typed=True,
        prefers_decimal=False,
        time_zone=session.zone,
        today=session.today,
        user_schema=True,
        text=rules,
    )
    found = cast_column(text, target, settings).values
    return found.cast(_kind(target)) if found.dtype == pl.Null else found


def _kind(target: DataType) -> pl.DataType:
    kind = polars_type(target)
    assert kind is not None, "texts are cast to types without parts only"
    return kind

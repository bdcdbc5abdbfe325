"""Text to type, one cell at a time: Spark's ladder (`CSVInferSchema`), the reference for speed."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.text.numbers import digits_of, double_from_text, integer_from_text
from ingest.text.pattern_values import is_date_by_pattern, is_timestamp_by_pattern
from ingest.text.rules import DEFAULT_RULES, TextRules
from ingest.text.times import is_strict_date, is_timestamp
from ingest.text.values import BITS, exact_number, named_double
from schema_store.merge import merge_types
from schema_store.types import (
    MAX_PRECISION,
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    IntegerType,
    LongType,
    NullType,
    StringType,
    TimestampNTZType,
    TimestampType,
)

_TIMESTAMPS: set[type[DataType]] = {TimestampType, TimestampNTZType}


@dataclass(frozen=True, slots=True)
class TextType:
    """The type of some texts; `beyond_decimal` when numbers needed more than 38 digits."""

    data_type: DataType = NullType()  # noqa: RUF009 - a frozen value
    beyond_decimal: bool = False


def infer_text_type(
    text: str, running: TextType, *, prefers_decimal: bool, rules: TextRules = DEFAULT_RULES
) -> TextType:
    """Merge one more cell into a column's type (Spark's `CSVInferSchema.inferField`).

    The running type decides where the ladder is entered, so the order of cells counts. With
    `prefers_decimal` a fraction is a DECIMAL of its digits, and the order of numbers does not
    count (contract 6.4).

    >>> infer_text_type("2020", TextType(DateType()), prefers_decimal=False).data_type
    TimestampType()
    """
    if text == "" or isinstance(running.data_type, StringType):
        return running
    if prefers_decimal and not _is_past_numbers(running.data_type):
        found = _decimal_rung(text, rules)
    else:
        found = TextType(_rung(text, running.data_type, rules))
    return merge_text_types(running, found, rules)


def merge_text_types(left: TextType, right: TextType, rules: TextRules = DEFAULT_RULES) -> TextType:
    """Merge a column's types of two files, in their order (`CSVInferSchema.mergeRowTypes`)."""
    both = {type(left.data_type), type(right.data_type)}
    if DateType in both and both & _TIMESTAMPS and not rules.merges_dates_with_timestamps:
        return TextType(StringType())
    merged = merge_types(left.data_type, right.data_type)
    beyond = left.beyond_decimal or right.beyond_decimal or _overflows(left, right, merged)
    return TextType(merged, beyond and isinstance(merged, DoubleType))


def _rung(text: str, running: DataType, rules: TextRules) -> DataType:
    """Enter the ladder at the running type's rung, and climb until the text fits."""
    match running:
        case DateType():
            return _date_rung(text, rules)
        case TimestampType():
            return _timestamp_rung(text, rules)
        case BooleanType():
            return _boolean_rung(text)
        case DoubleType():
            return _double_rung(text, rules)
        case DecimalType():
            return _big_integer_rung(text, rules)
        case LongType():
            return _long_rung(text, rules)
        case _ if integer_from_text(text, 32) is not None:
            return IntegerType()
        case _:
            return _long_rung(text, rules)


def _long_rung(text: str, rules: TextRules) -> DataType:
    if integer_from_text(text, 64) is not None:
        return LongType()
    return _big_integer_rung(text, rules)


def _big_integer_rung(text: str, rules: TextRules) -> DataType:
    number = exact_number(text, rules)
    if number is not None:
        precision, scale = digits_of(number)
        if scale == 0 and precision <= MAX_PRECISION:
            return DecimalType(precision, 0)
    return _double_rung(text, rules)


def _double_rung(text: str, rules: TextRules) -> DataType:
    if double_from_text(text) is not None or named_double(text, rules) is not None:
        return DoubleType()
    return _date_rung(text, rules) if rules.prefer_date else _timestamp_rung(text, rules)


def _date_rung(text: str, rules: TextRules) -> DataType:
    if rules.date_format is None:
        fits = is_strict_date(text)
    else:
        fits = is_date_by_pattern(text, rules.date_format)
    return DateType() if fits else _timestamp_rung(text, rules)


def _timestamp_rung(text: str, rules: TextRules) -> DataType:
    if rules.timestamp_format is None:
        fits = is_timestamp(text)
    else:
        fits = is_timestamp_by_pattern(text, rules.timestamp_format)
    return TimestampType() if fits else _boolean_rung(text)


def _boolean_rung(text: str) -> DataType:
    return BooleanType() if text.lower() in {"true", "false"} else StringType()


def _decimal_rung(text: str, rules: TextRules) -> TextType:
    """Infer a number by its digits, whatever came before (contract 6.4)."""
    for data_type in (IntegerType(), LongType()):
        if integer_from_text(text, BITS[type(data_type)]) is not None:
            return TextType(data_type)
    number = exact_number(text, rules)
    if number is None:
        return TextType(_double_rung(text, rules))
    precision, scale = digits_of(number)
    precision, scale = max(precision - min(scale, 0), scale), max(scale, 0)
    if precision > MAX_PRECISION:
        return TextType(DoubleType(), beyond_decimal=True)
    return TextType(DecimalType(precision, scale))


def _is_past_numbers(running: DataType) -> bool:
    return isinstance(running, DateType | TimestampType | TimestampNTZType | BooleanType)


def _overflows(left: TextType, right: TextType, merged: DataType) -> bool:
    """Tell whether only the merge of two exact types needs more than 38 digits."""
    exact = (IntegerType, LongType, DecimalType)
    return (
        isinstance(merged, DoubleType)
        and isinstance(left.data_type, exact)
        and isinstance(right.data_type, exact)
    )

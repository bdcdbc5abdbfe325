"""Types and values of partition folders, as Spark's `PartitioningUtils` infers and casts them."""

from __future__ import annotations

import re
from functools import reduce
from typing import TYPE_CHECKING

from ingest.partitions.folders import NULL_PARTITION, partition_texts, unescape
from ingest.text.numbers import big_decimal, digits_of, double_from_text, integer_from_text
from ingest.text.rules import TextRules
from ingest.text.times import is_strict_date, is_timestamp
from ingest.text.values import Converted, convert_text
from schema_store.merge import merge_types
from schema_store.types import (
    MAX_PRECISION,
    BinaryType,
    BooleanType,
    ByteType,
    CharType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    Field,
    FloatType,
    IntegerType,
    LongType,
    NullType,
    ShortType,
    StringType,
    TimestampNTZType,
    TimestampType,
    VarcharType,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ingest.text.times import SessionTime

PARTITION_TYPES = (
    BinaryType,
    BooleanType,
    ByteType,
    CharType,
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
"""Types that a partition column can have."""

_UNESCAPED = (CharType, StringType, TimestampNTZType, TimestampType, VarcharType)
"""Types whose values are decoded before they are cast (`castPartValueToDesiredType`)."""

_RULES = TextRules(positive_infinity="Infinity", negative_infinity="-Infinity")
"""Java's spelling of numbers; the options of the files' format do not count for their folders."""

_TIMESTAMP = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9])?", re.ASCII
)
"""`yyyy-MM-dd HH:mm:ss[.S]`, the only spelling that is inferred as a timestamp."""


def infer_partition_columns(
    names: Iterable[str], base: bytes, folders: Iterable[bytes]
) -> tuple[Field, ...]:
    """Give partition columns of these names, with the types of their values in these folders."""
    found = [partition_texts(base, folder) for folder in dict.fromkeys(folders)]
    return tuple(
        Field(name, infer_partition_type(text for one in found if (text := one.get(name.lower()))))
        for name in names
    )


def infer_partition_type(texts: Iterable[str]) -> DataType:
    """Give the type of all values of a partition column; the order does not count.

    >>> infer_partition_type(["007", "2147483648"]), infer_partition_type(["1", "a"])
    (LongType(), StringType())
    """
    types = {_type_of(text) for text in dict.fromkeys(texts)}
    if DoubleType() in types and any(isinstance(one, LongType | DecimalType) for one in types):
        return StringType()
    none: DataType = NullType()
    merged = reduce(merge_types, types, none)
    return StringType() if isinstance(merged, NullType) else merged


def partition_value(
    text: str, data_type: DataType, session: SessionTime, *, exact_decimals: bool = False
) -> Converted | None:
    """Give the value in a column of this type; None is a misfit, or NULL (`is_null`).

    A number too long for TINYINT or SMALLINT is a misfit, and a fraction is rounded to a decimal's
    scale, as in files; Spark cuts the one and keeps the other.
    """
    if isinstance(data_type, DecimalType) and "," in text:
        return None  # unlike in files, where they are left out
    plain = unescape(text) if isinstance(data_type, _UNESCAPED) else text
    return convert_text(plain, data_type, session, exact_decimals=exact_decimals, rules=_RULES)


def is_null(text: str | None) -> bool:
    """Tell whether a folder gives no value: it has no such key, or the one that means NULL."""
    return text is None or text == NULL_PARTITION


def _type_of(text: str) -> DataType:
    """Infer one value (`inferPartitionColumnValue`); numbers and dates are not decoded."""
    if integer_from_text(text, 32) is not None:
        return IntegerType()
    if integer_from_text(text, 64) is not None:
        return LongType()
    decimal = _decimal_type(text)
    if decimal is not None:
        return decimal
    if double_from_text(text) is not None:
        return DoubleType()
    decoded = unescape(text)
    if _TIMESTAMP.fullmatch(decoded) and is_timestamp(decoded):
        return TimestampType()
    if is_strict_date(text):
        return DateType()
    return NullType() if text == NULL_PARTITION else StringType()


def _decimal_type(text: str) -> DecimalType | None:
    number = big_decimal(text)
    if number is None:
        return None
    precision, scale = digits_of(number)
    if scale > 0 or precision - scale > MAX_PRECISION:
        return None
    return DecimalType(precision - scale, 0)

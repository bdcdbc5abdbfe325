"""What of a schema may surprise in production, and the hint or option that prevents it; pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from schema_store.type_names import path_text, type_to_sql
from schema_store.types import (
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    LongType,
    NullType,
    StringType,
    StructType,
    TimestampType,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.insight.origins import ColumnFacts, Origin, Seen


class SurpriseKind(Enum):
    """What is surprising."""

    ALL_NULL = "all null"
    FEW_TEXTS = "few texts"
    MIXED = "mixed types"
    LEADING_ZEROS = "leading zeros"
    BEYOND_BIGINT = "beyond BIGINT"
    BEYOND_DOUBLE = "beyond 2^53"
    DOUBLE = "decimals as DOUBLE"
    DATES_AND_TIMES = "dates and times"
    DAY_OR_MONTH = "day or month first"
    ZERO_ONE = "0 and 1"
    TIMES_AS_TEXT = "times as text"


@dataclass(frozen=True, slots=True)
class Surprise:
    """What may surprise in a column: the fact, and what prevents it.

    `hint` is an entry for `cloudFiles.schemaHints`, `option` a reader option as KEY=VALUE; either
    may be missing. `advice` says what they do.
    """

    kind: SurpriseKind
    column: str
    fact: str
    advice: str
    hint: str | None = None
    option: str | None = None


def find_surprises(origin: Origin, facts: ColumnFacts, format_name: str) -> tuple[Surprise, ...]:
    """Give what is surprising about a column."""
    finding = _Finding(path_text(origin.path), origin, facts, format_name)
    return tuple(one for part in _PARTS for one in part(finding))


@dataclass(frozen=True, slots=True)
class _Finding:
    name: str
    origin: Origin
    facts: ColumnFacts
    format_name: str

    @property
    def data_type(self) -> DataType:
        return self.origin.observed

    @property
    def scope(self) -> str:
        """Say that not all values were looked at."""
        return "" if self.facts.complete else " (of those looked at)"

    def hint(self, data_type: DataType) -> str:
        """Give an entry for the schema hints."""
        return f"{self.name} {type_to_sql(data_type)}"


def _nulls(at: _Finding) -> Iterator[Surprise]:
    if isinstance(at.data_type, NullType):
        yield Surprise(
            SurpriseKind.ALL_NULL,
            at.name,
            "has no value in these files: STRING is only a guess",
            "gives it the type that you expect (here BIGINT stands for it)",
            hint=at.hint(LongType()),
        )


def _texts(at: _Finding) -> Iterator[Surprise]:
    origin, without = at.origin, at.origin.without
    if not origin.alone or without is None or not isinstance(origin.observed, StringType):
        return
    if isinstance(without.data_type, NullType):
        return  # the text is all there is
    option = None
    if without.texts:
        cells = f"{without.count:,} cell{'' if without.count == 1 else 's'}"
        what = f"{', '.join(map(repr, without.texts))} ({cells})"
        if len(without.texts) == 1 and stands_for_nothing(without.texts[0]):
            option = f"nullValue={without.texts[0]}"
    else:
        value = None if origin.decided is None else origin.decided.value
        what = "one file" if value is None else f"one record ({value})"
    inner = without.data_type
    yield Surprise(
        SurpriseKind.FEW_TEXTS,
        at.name,
        f"is STRING because of {what}, without which it is {type_to_sql(inner)}",
        "the option reads it as NULL, the hint rescues it"
        if option
        else "rescues what does not fit",
        hint=None if isinstance(inner, StructType) else at.hint(inner),
        option=option,
    )


def stands_for_nothing(text: str) -> bool:
    """Tell whether a text could be meant as NULL: one with digits is rather a value.

    >>> stands_for_nothing("N/A"), stands_for_nothing("05/01/2030")
    (True, False)
    """
    return not any(character.isdigit() for character in text)


def _mixed(at: _Finding) -> Iterator[Surprise]:
    decided = at.origin.decided
    if decided is None or at.origin.alone or not isinstance(at.data_type, StringType):
        return
    was = decided.was
    if was is not None and not isinstance(was, StringType):
        yield Surprise(
            SurpriseKind.MIXED,
            at.name,
            f"began as {type_to_sql(was)}, then values came that are none: it is STRING",
            f"keeps {type_to_sql(was)} and rescues the others",
            hint=None if isinstance(was, StructType) else at.hint(was),
        )


def _zeros(at: _Finding) -> Iterator[Surprise]:
    zeros = at.facts.zeros
    if zeros.count:
        yield Surprise(
            SurpriseKind.LEADING_ZEROS,
            at.name,
            f"loses leading zeros as {type_to_sql(at.data_type)}: {_seen(zeros)}",
            "keeps the text",
            hint=at.hint(StringType()),
        )


def _large(at: _Finding) -> Iterator[Surprise]:
    large = at.facts.large
    if at.format_name == "parquet":  # a hint does not cast there (contract 5.6)
        if large.count:
            yield Surprise(
                SurpriseKind.BEYOND_DOUBLE, at.name, _rounded(large), _cast(at, "string")
            )
        return
    match at.data_type:
        case DecimalType(precision, 0):
            yield Surprise(
                SurpriseKind.BEYOND_BIGINT,
                at.name,
                f"has integers beyond BIGINT, so it is DECIMAL({precision},0)"
                + (f": {_seen(large)}" if large.count else ""),
                "keeps an id as it is",
                hint=at.hint(StringType()),
            )
        case DoubleType() if large.count:
            yield Surprise(
                SurpriseKind.BEYOND_DOUBLE,
                at.name,
                f"loses digits: integers beyond 2^53 are no exact DOUBLE: {_seen(large)}",
                "keeps an id as it is",
                hint=at.hint(StringType()),
            )
        case LongType() if large.count:
            yield Surprise(
                SurpriseKind.BEYOND_DOUBLE,
                at.name,
                _rounded(large),
                "is safe everywhere",
                hint=at.hint(StringType()),
            )


def _rounded(large: Seen) -> str:
    return (
        "is exact as BIGINT, but readers that take numbers as doubles (JavaScript, pandas with"
        f" NULLs) round integers beyond 2^53: {_seen(large)}"
    )


def _cast(at: _Finding, wanted: str) -> str:
    return f'.withColumn("{at.name}", col("{at.name}").cast("{wanted}")) after load'


def _double(at: _Finding) -> Iterator[Surprise]:
    exact = at.facts.exact
    if isinstance(at.data_type, DoubleType) and isinstance(exact, DecimalType):
        yield Surprise(
            SurpriseKind.DOUBLE,
            at.name,
            "has decimal fractions, which DOUBLE does not keep exactly",
            f"keeps every digit{at.scope}; give more for larger amounts",
            hint=at.hint(exact),
        )


def _dates(at: _Finding) -> Iterator[Surprise]:
    days = at.facts.days
    if isinstance(at.data_type, TimestampType) and 0 < days.count < at.facts.values:
        yield Surprise(
            SurpriseKind.DATES_AND_TIMES,
            at.name,
            f"mixes dates and times; dates become midnight: {_seen(days)}{at.scope}",
            "makes it TIMESTAMP even if the first files have only dates",
            hint=at.hint(TimestampType()),
        )


def _day_or_month(at: _Finding) -> Iterator[Surprise]:
    facts = at.facts
    slashed = facts.day_first + facts.month_first + facts.either
    if not slashed.count or slashed.count * 2 < facts.values:
        return
    shape, option = _order(facts)
    yield Surprise(
        SurpriseKind.DAY_OR_MONTH,
        at.name,
        f"looks like dates, {shape}: {_seen(slashed)}{at.scope}",
        "reads them as dates" if option else "settle it with whoever writes the files",
        hint=at.hint(DateType()) if option else None,
        option=option,
    )


def _order(facts: ColumnFacts) -> tuple[str, str | None]:
    """Tell which part is the day, and the format if only one can be."""
    day, month, either = (one.count for one in (facts.day_first, facts.month_first, facts.either))
    if day and month:
        return f"{day:,} with the day first and {month:,} with the month first", None
    if not day and not month:
        return "day and month cannot be told apart", None
    sample = facts.day_first if day else facts.month_first
    separator = next(sign for sign in sample.value if not sign.isdigit())
    parts = ("dd", "MM", "yyyy") if day else ("MM", "dd", "yyyy")
    name = "day" if day else "month"
    doubt = f" ({either:,} could be either)" if either else ""
    plain = sample.value.count(separator) == len(parts) - 1 and " " not in sample.value
    return f"{name} first{doubt}", f"dateFormat={separator.join(parts)}" if plain else None


def _bits(at: _Finding) -> Iterator[Surprise]:
    facts = at.facts
    if all(facts.bits) and sum(facts.bits) == facts.values:
        yield Surprise(
            SurpriseKind.ZERO_ONE,
            at.name,
            f"has only 0 and 1{at.scope} and is {type_to_sql(at.data_type)};"
            " a hint BOOLEAN would rescue every value",
            _cast(at, "boolean"),
        )


def _times(at: _Finding) -> Iterator[Surprise]:
    if isinstance(at.data_type, StringType) and at.facts.timed and at.format_name == "json":
        yield Surprise(
            SurpriseKind.TIMES_AS_TEXT,
            at.name,
            f"has only times{at.scope}, which JSON inference leaves STRING",
            "makes them TIMESTAMP",
            hint=at.hint(TimestampType()),
            option="inferTimestamp=true",
        )


def _seen(seen: Seen) -> str:
    """Tell the first value and how many there are."""
    others = f" and {seen.count - 1:,} more" if seen.count > 1 else ""
    return f"{seen.value}{others}"


_PARTS = (
    _nulls, _texts, _mixed, _zeros, _large, _double, _dates, _day_or_month, _bits, _times,
)  # fmt: skip

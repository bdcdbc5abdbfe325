"""Fields that a pattern found to dates and times, as Java resolves them strictly.

Rules: `java.time.format.Parsed` in `ResolverStyle.STRICT`, and Spark's `DateTimeFormatterHelper`
(`toLocalDate`, `toLocalTime`): a missing year is 1970, other missing fields are their least.
Inference looks at timestamps *without* resolving them (`Iso8601TimestampFormatter.parseOptional`),
so it takes some texts that have no value, and does not take some that have one.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.text.pattern_matching import match_pattern
from ingest.text.pattern_parts import TimeField
from ingest.text.times import YEARS, find_zone, is_day, to_utc

if TYPE_CHECKING:
    from ingest.text.pattern_matching import Fields
    from ingest.text.pattern_parts import Pattern

_F = TimeField
_MAX_OFFSET = 18 * 3600
_DATE_YEARS = range(-5_877_641, 5_881_581)
"""Years whose days fit Spark's 32-bit DATE."""
_TIMESTAMP_YEARS = range(-290_308, 294_248)
"""Years whose microseconds fit Spark's 64-bit TIMESTAMP."""
_RANGES = {
    _F.HOUR: range(24),
    _F.HOUR_OF_AMPM: range(12),
    _F.CLOCK_HOUR: range(1, 25),
    _F.CLOCK_HOUR_OF_AMPM: range(1, 13),
    _F.MINUTE: range(60),
    _F.SECOND: range(60),
}
_CLOCK = (_F.HOUR, _F.MINUTE, _F.SECOND, _F.NANO)


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, of any year, and a time of day."""

    date: tuple[int, int, int]
    time: tuple[int, int, int, int] = (0, 0, 0, 0)


class _ConflictError(Exception):
    """Fields that contradict each other or are out of their range."""


def date_by_pattern(text: str, pattern: Pattern) -> tuple[dt.date, bool] | None:
    """Give the date, and whether the pattern found a time of day too (contract 11.19)."""
    date = _date(text, pattern)
    if date is None or date[0][0] not in YEARS:
        return None
    return dt.date(*date[0]), date[1]


def timestamp_by_pattern(text: str, pattern: Pattern, session_zone: str) -> dt.datetime | None:
    """Give the instant in UTC; the zone in the text comes before the session's."""
    fields = match_pattern(pattern, text)
    moment = None if fields is None else _moment(fields)
    if fields is None or moment is None or moment.date[0] not in YEARS:
        return None
    zone = _zone_of(fields) or find_zone(session_zone)
    return None if zone is None else to_utc(_local(moment), zone)


def local_timestamp_by_pattern(text: str, pattern: Pattern) -> dt.datetime | None:
    """Give the date and time for TIMESTAMP_NTZ; a text with a zone is none."""
    fields = match_pattern(pattern, text)
    moment = None if fields is None else _moment(fields)
    if fields is None or moment is None or moment.date[0] not in YEARS:
        return None
    has_zone = fields.zone is not None or _F.OFFSET in fields.numbers
    return None if has_zone else _local(moment)


def is_date_by_pattern(text: str, pattern: Pattern) -> bool:
    """Tell whether inference takes the text for a DATE, of any year."""
    date = _date(text, pattern)
    return date is not None and date[0][0] in _DATE_YEARS


def is_timestamp_by_pattern(text: str, pattern: Pattern) -> bool:
    """Tell whether inference takes the text for a TIMESTAMP, of any year."""
    fields = match_pattern(pattern, text)
    if fields is None or not _is_offset(fields):
        return False
    try:
        return _default_moment(fields.numbers).date[0] in _TIMESTAMP_YEARS
    except _ConflictError:
        return False


def _date(text: str, pattern: Pattern) -> tuple[tuple[int, int, int], bool] | None:
    """Give the date, and whether there is a time of day; the time has to be a time if resolved."""
    fields = match_pattern(pattern, text)
    if fields is None:
        return None
    numbers = dict(fields.numbers)
    try:
        date, time = _resolve(numbers)
        _check(date is None or time is None or _is_offset(fields))
        date = date or _default_date(numbers)
    except _ConflictError:
        return None
    return date, any(time or (numbers.get(field) for field in _CLOCK))


def _moment(fields: Fields) -> Moment | None:
    numbers = dict(fields.numbers)
    try:
        date, time = _resolve(numbers)
        moment = Moment(date or _default_date(numbers), time or _default_time(numbers))
    except _ConflictError:
        return None
    return moment if _is_offset(fields) else None


def _resolve(
    numbers: dict[TimeField, int],
) -> tuple[tuple[int, int, int] | None, tuple[int, int, int, int] | None]:
    """Make the date and the time that the fields say in full (`Parsed.resolveFields`)."""
    _resolve_year(numbers)
    date = _resolve_date(numbers)
    _resolve_hours(numbers)
    return date, _resolve_time(numbers)


def _resolve_year(numbers: dict[TimeField, int]) -> None:
    """Make a year of a year of an era (`IsoChronology.resolveYearOfEra`); no era is invented."""
    year = numbers.get(_F.YEAR_OF_ERA)
    if year is None:
        return
    _check(year >= 1)
    if _F.ERA in numbers:
        _put(numbers, _F.YEAR, year if numbers.pop(_F.ERA) else 1 - year)


def _resolve_date(numbers: dict[TimeField, int]) -> tuple[int, int, int] | None:
    if _F.YEAR not in numbers:
        return None
    year, month, day = (numbers.get(part) for part in (_F.YEAR, _F.MONTH, _F.DAY))
    day_of_year = numbers.get(_F.DAY_OF_YEAR)
    assert year is not None, "it is there"
    if month is not None and day is not None:
        _check(is_day(year, month, day))
        date = (year, month, day)
    elif day_of_year is not None:
        date = _by_day_of_year(year, day_of_year)
    else:
        return None
    _check(month in {None, date[1]} and day in {None, date[2]})
    _check(day_of_year is None or date == _by_day_of_year(year, day_of_year))
    return date


def _by_day_of_year(year: int, day_of_year: int) -> tuple[int, int, int]:
    twin = 2000 + year % 400
    _check(1 <= day_of_year <= (366 if is_day(year, 2, 29) else 365))
    date = dt.date(twin, 1, 1) + dt.timedelta(days=day_of_year - 1)
    return year, date.month, date.day


def _resolve_hours(numbers: dict[TimeField, int]) -> None:
    """Make hours of the day of the other kinds of hours (`Parsed.resolveTimeFields`)."""
    for clock, field, hours in (
        (_F.CLOCK_HOUR, _F.HOUR, 24),
        (_F.CLOCK_HOUR_OF_AMPM, _F.HOUR_OF_AMPM, 12),
    ):
        if clock in numbers:
            hour = numbers.pop(clock)
            _check(hour in _RANGES[clock])
            _put(numbers, field, hour % hours)
    if _F.AMPM in numbers and _F.HOUR_OF_AMPM in numbers:
        hour = numbers.pop(_F.HOUR_OF_AMPM)
        _check(hour in _RANGES[_F.HOUR_OF_AMPM])
        _put(numbers, _F.HOUR, 12 * numbers.pop(_F.AMPM) + hour)


def _resolve_time(numbers: dict[TimeField, int]) -> tuple[int, int, int, int] | None:
    """Make a time of an hour and what follows it without a gap."""
    given = [field in numbers for field in _CLOCK]
    if given[0] and given != sorted(given, reverse=True):
        return None
    for field, allowed in _RANGES.items():
        _check(numbers.get(field, allowed[0]) in allowed)
    if not given[0]:
        return None
    hour, minute, second, nano = (numbers.get(field, 0) for field in _CLOCK)
    _check(numbers.get(_F.AMPM, hour // 12) == hour // 12)
    _check(numbers.get(_F.HOUR_OF_AMPM, hour % 12) == hour % 12)
    return hour, minute, second, nano


def _default_moment(numbers: dict[TimeField, int]) -> Moment:
    """Fill in what is missing (`DateTimeFormatterHelper.toLocalDate`, `.toLocalTime`)."""
    return Moment(_default_date(numbers), _default_time(numbers))


def _default_date(numbers: dict[TimeField, int]) -> tuple[int, int, int]:
    year = numbers.get(_F.YEAR, 1970)
    if _F.DAY_OF_YEAR in numbers:
        date = _by_day_of_year(year, numbers[_F.DAY_OF_YEAR])
        _check(
            numbers.get(_F.MONTH, date[1]) == date[1] and numbers.get(_F.DAY, date[2]) == date[2]
        )
        return date
    date = (year, numbers.get(_F.MONTH, 1), numbers.get(_F.DAY, 1))
    _check(is_day(*date))
    return date


def _default_time(numbers: dict[TimeField, int]) -> tuple[int, int, int, int]:
    if _F.HOUR in numbers or _F.HOUR_OF_AMPM in numbers:
        field = _F.HOUR if _F.HOUR in numbers else _F.HOUR_OF_AMPM
        hour = numbers[field]
        _check(hour in _RANGES[field])
    else:
        hour = 12 * numbers.get(_F.AMPM, 0)
    minute, second = numbers.get(_F.MINUTE, 0), numbers.get(_F.SECOND, 0)
    _check(minute in _RANGES[_F.MINUTE] and second in _RANGES[_F.SECOND])
    return hour, minute, second, numbers.get(_F.NANO, 0)


def _put(numbers: dict[TimeField, int], field: TimeField, value: int) -> None:
    _check(numbers.setdefault(field, value) == value)


def _check(fits: object) -> None:
    if not fits:
        raise _ConflictError


def _is_offset(fields: Fields) -> bool:
    return fields.zone is not None or abs(fields.numbers.get(_F.OFFSET, 0)) <= _MAX_OFFSET


def _zone_of(fields: Fields) -> dt.tzinfo | None:
    if fields.zone is not None or _F.OFFSET not in fields.numbers:
        return fields.zone
    return dt.timezone(dt.timedelta(seconds=fields.numbers[_F.OFFSET]))


def _local(moment: Moment) -> dt.datetime:
    hour, minute, second, nano = moment.time
    return dt.datetime.combine(dt.date(*moment.date), dt.time(hour, minute, second, nano // 1000))

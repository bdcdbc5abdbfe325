"""Dates and times as text, as Spark reads them without an explicit format.

Rules: `SparkDateTimeUtils.stringToDate`, `.parseTimestampString`, `.getZoneId`; a value is held by
Python's and Arrow's common range, the years 1 to 9999. Texts of other years are valid for inference
but have no value here: they are rescued.
"""

from __future__ import annotations

import datetime as dt
import re
from calendar import monthrange
from dataclasses import dataclass
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from ingest.text.numbers import JAVA_BLANKS

SPARK_BLANKS = JAVA_BLANKS + "\x7f"
"""What Spark trims from dates and times: blanks and control characters."""

_DATE = re.compile(
    r"([+-]?)([0-9]{4,7})(?:-([0-9]{1,2})(?:-([0-9]{1,2})(?:([ T])(.*))?)?)?", re.DOTALL
)
_STRICT_DATE = re.compile(r"([0-9]{4}|\+[0-9]{5,9}|-[0-9]{4,9})-([0-9]{2})-([0-9]{2})")
_CLOCK = r"([0-9]{1,2})(?::([0-9]{1,2})(?::([0-9]{1,2})(?:(?:\.([0-9]*))?([^0-9.].*)?)?)?)?"
_MOMENT = re.compile(
    rf"([+-]?)([0-9]{{4,6}})(?:-([0-9]{{1,2}})(?:-([0-9]{{1,2}})(?:[ T]{_CLOCK})?)?)?", re.DOTALL
)
_TIME_ONLY = re.compile(rf"(?:T|(?=[0-9]{{1,2}}:)){_CLOCK}", re.DOTALL)
_OFFSET = re.compile(r"([+-])(?:([0-9]{1,2})|([0-9]{2}):?([0-9]{2})(?::?([0-9]{2}))?)")
_SHORT_OFFSET = re.compile(r"([+-])([0-9]):")
_SHORT_MINUTE = re.compile(r"([+-])([0-9]{2}):([0-9])$")
_MAX_OFFSET = dt.timedelta(hours=18)
YEARS = range(1, 10000)
"""The years that a value can have."""

_MICROSECOND_YEARS = range(-290307, 294247)
"""The years whose instants are 64-bit counts of microseconds; no others are a TIMESTAMP."""

_SIXTY = 60
_HOURS = 24

_NO_REGIONS = {"EST", "MST", "HST", "ROC", "GMT+0", "GMT-0", "Factory", "localtime"}

_SHORT_IDS = {
    "EST": "-05:00", "HST": "-10:00", "MST": "-07:00", "ACT": "Australia/Darwin",
    "AET": "Australia/Sydney", "AGT": "America/Argentina/Buenos_Aires", "ART": "Africa/Cairo",
    "AST": "America/Anchorage", "BET": "America/Sao_Paulo", "BST": "Asia/Dhaka",
    "CAT": "Africa/Harare", "CNT": "America/St_Johns", "CST": "America/Chicago",
    "CTT": "Asia/Shanghai", "EAT": "Africa/Addis_Ababa", "ECT": "Europe/Paris",
    "IET": "America/Indiana/Indianapolis", "IST": "Asia/Kolkata", "JST": "Asia/Tokyo",
    "MIT": "Pacific/Apia", "NET": "Asia/Yerevan", "NST": "Pacific/Auckland",
    "PLT": "Asia/Karachi", "PNT": "America/Phoenix", "PRT": "America/Puerto_Rico",
    "PST": "America/Los_Angeles", "SST": "Pacific/Guadalcanal", "VST": "Asia/Ho_Chi_Minh",
}  # fmt: skip
"""`java.time.ZoneId.SHORT_IDS`."""


@dataclass(frozen=True, slots=True)
class SessionTime:
    """The session's time zone, and the day it is there (for texts that are only a time)."""

    zone: str
    today: dt.date


def find_zone(name: str) -> dt.tzinfo | None:
    """Give the zone of a Java zone id (Spark's `getZoneId`); None when there is none.

    >>> find_zone("+2:00"), find_zone("PST"), find_zone("Moon")
    (datetime.timezone(datetime.timedelta(seconds=7200)), zoneinfo.ZoneInfo(key='America/Los_Angeles'), None)
    """  # noqa: E501 - one line of output
    padded = _SHORT_OFFSET.sub(r"\g<1>0\2:", name, count=1)
    padded = _SHORT_MINUTE.sub(r"\1\g<2>0\3", padded, count=1)
    return _zone(_SHORT_IDS.get(padded, padded))


@lru_cache(maxsize=1)
def zone_names() -> frozenset[str]:
    """Give the names in the time zone database that are region ids of Java's too."""
    return frozenset(available_timezones()) - _NO_REGIONS


def is_strict_date(text: str) -> bool:
    """Tell whether inference takes the text for a DATE (`yyyy-MM-dd`, exactly)."""
    match = _STRICT_DATE.fullmatch(text)
    return match is not None and match[1] != "-0000" and is_day(*map(int, match.groups()))


def date_from_text(text: str) -> tuple[dt.date, bool] | None:
    """Give the date, and whether a time of day was cut off (contract 11.19).

    >>> date_from_text("2030-1")
    (datetime.date(2030, 1, 1), False)
    """
    match = _DATE.fullmatch(text.strip(SPARK_BLANKS))
    if match is None or match[1] == "-":
        return None
    year, month, day = int(match[2]), int(match[3] or 1), int(match[4] or 1)
    if year not in YEARS or not is_day(year, month, day):
        return None
    return dt.date(year, month, day), match[5] is not None


def is_timestamp(text: str) -> bool:
    """Tell whether inference takes the text for a TIMESTAMP, of any year."""
    trimmed = text.strip(SPARK_BLANKS)
    match = _MOMENT.fullmatch(trimmed)
    if match is not None:
        sign, year, month, day, *clock = match.groups()
        signed = -int(year) if sign == "-" else int(year)
        possible = signed in _MICROSECOND_YEARS and is_day(signed, int(month or 1), int(day or 1))
        return possible and _is_clock(clock)
    match = _TIME_ONLY.fullmatch(trimmed)
    return match is not None and _is_clock(match.groups())


def timestamp_from_text(text: str, session: SessionTime) -> dt.datetime | None:
    """Give the instant in UTC; text without a zone is in the session's zone.

    >>> timestamp_from_text("2030-01-05 10:00:00 PST", SessionTime("UTC", dt.date(2030, 1, 1)))
    datetime.datetime(2030, 1, 5, 18, 0, tzinfo=datetime.timezone.utc)
    """
    found = _local_time(text, session.today)
    if found is None:
        return None
    local, zone_name = found
    zone = find_zone(session.zone if zone_name is None else zone_name)
    return None if zone is None else to_utc(local, zone)


def to_utc(local: dt.datetime, zone: dt.tzinfo) -> dt.datetime | None:
    """Give the instant of a local time as Java does; None beyond the years 1 to 9999.

    In an overlap the earlier one counts, and a time in a gap is moved on by the gap's length.
    """
    try:
        return local.replace(tzinfo=zone).astimezone(dt.UTC)
    except OverflowError:
        return None


def local_timestamp_from_text(text: str) -> dt.datetime | None:
    """Give the date and time for TIMESTAMP_NTZ; a text with a zone or without a date is none."""
    if _MOMENT.fullmatch(text.strip(SPARK_BLANKS)) is None:
        return None
    found = _local_time(text, dt.date.min)
    return found[0] if found is not None and found[1] is None else None


def _local_time(text: str, today: dt.date) -> tuple[dt.datetime, str | None] | None:
    trimmed = text.strip(SPARK_BLANKS)
    match = _MOMENT.fullmatch(trimmed)
    if match is not None:
        sign, year, month, day, *clock = match.groups()
        date = (int(year), int(month or 1), int(day or 1))
        if sign == "-" or date[0] not in YEARS:
            return None
    else:
        match = _TIME_ONLY.fullmatch(trimmed)
        if match is None:
            return None
        clock = list(match.groups())
        date = (today.year, today.month, today.day)
    if not (is_day(*date) and _is_clock(clock)):
        return None
    hour, minute, second, fraction, zone = clock
    micros = int(((fraction or "") + "000000")[:6])
    time = dt.time(int(hour or 0), int(minute or 0), int(second or 0), micros)
    zone = None if zone is None else zone.strip(JAVA_BLANKS)
    return dt.datetime.combine(dt.date(*date), time), zone


def is_day(year: int, month: int, day: int) -> bool:
    """Tell whether there is such a day, in any year."""
    if not 1 <= month <= 12:  # noqa: PLR2004 - months of a year
        return False
    return 1 <= day <= monthrange(2000 + year % 400, month)[1]


def _is_clock(clock: tuple[str | None, ...] | list[str | None]) -> bool:
    hour, minute, second, _, zone = clock
    in_range = int(hour or 0) < _HOURS and int(minute or 0) < _SIXTY and int(second or 0) < _SIXTY
    return in_range and (zone is None or find_zone(zone.strip(JAVA_BLANKS)) is not None)


@lru_cache(maxsize=4096)
def _zone(name: str) -> dt.tzinfo | None:
    if name == "Z":
        return dt.UTC
    for prefix in ("", "UTC", "GMT", "UT"):
        rest = name.removeprefix(prefix)
        if name.startswith(prefix) and (rest[:1] in {"+", "-"} or (prefix and not rest)):
            return _offset(rest) if rest else dt.UTC
    return ZoneInfo(name) if name in zone_names() else None


def _offset(text: str) -> dt.tzinfo | None:
    match = _OFFSET.fullmatch(text)
    if match is None:
        return None
    sign, hours, hours_too, minutes, seconds = match.groups()
    if int(minutes or 0) >= _SIXTY or int(seconds or 0) >= _SIXTY:
        return None
    offset = dt.timedelta(
        hours=int(hours or hours_too), minutes=int(minutes or 0), seconds=int(seconds or 0)
    )
    return dt.timezone(-offset if sign == "-" else offset) if offset <= _MAX_OFFSET else None

"""When micro-batches run (Spark's triggers)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from ingest.errors import OptionConflictError, OptionValueError, UnsupportedOptionError


@dataclass(frozen=True, slots=True)
class AvailableNow:
    """Take what is there at the start, in batches within the limits, then end (contract 7.2)."""


@dataclass(frozen=True, slots=True)
class Once:
    """Take what is there at the start in one batch without limits, then end."""


@dataclass(frozen=True, slots=True)
class ProcessingTime:
    """Look for new files every so many seconds, without end; 0: as soon as possible."""

    seconds: float


Trigger: TypeAlias = AvailableNow | Once | ProcessingTime

DEFAULT_TRIGGER = ProcessingTime(0.0)
"""What Spark takes when none is given."""

_WORKING = 'availableNow=True, once=True, processingTime="10 seconds"'
_LATER = ("continuous", "realTime")
_NAMES = ("availableNow", "once", "processingTime", *_LATER)
_SECONDS = {
    "microsecond": 1e-6,
    "millisecond": 1e-3,
    "second": 1.0,
    "minute": 60.0,
    "hour": 3600.0,
    "day": 86400.0,
    "week": 604800.0,
}
_PART = re.compile(r"([+-]?[0-9]+(?:\.[0-9]+)?)\s+([a-z]+)", re.IGNORECASE)
_INTERVAL = re.compile(
    rf"(?:interval\s+)?{_PART.pattern}(?:\s+{_PART.pattern})*", re.IGNORECASE | re.ASCII
)


def parse_trigger(**given: object) -> Trigger:
    """Choose the trigger from the arguments of `trigger(...)`, as PySpark does.

    Exactly one of `availableNow=True`, `once=True` and `processingTime="10 seconds"`; an argument
    that is None counts as left out.

    >>> parse_trigger(availableNow=True)
    AvailableNow()
    >>> parse_trigger(processingTime="1 minute 30 seconds")
    ProcessingTime(seconds=90.0)
    """
    wanted = {name: value for name, value in given.items() if value is not None}
    for name in wanted:
        if name not in _NAMES:
            raise OptionValueError("trigger", name, allowed=f"an argument: {', '.join(_NAMES)}")
    for name in _LATER:
        if name in wanted:
            raise UnsupportedOptionError(
                name, str(wanted[name]), supported=_WORKING, remedy="Use availableNow."
            )
    match list(wanted.items()):
        case [("availableNow", value)]:
            _check_true("availableNow", value)
            return AvailableNow()
        case [("once", value)]:
            _check_true("once", value)
            return Once()
        case [("processingTime", value)]:
            return ProcessingTime(parse_interval("processingTime", value))
        case _:
            raise OptionConflictError(
                tuple(wanted) or ("trigger(...)",),
                found=f"{len(wanted)} triggers",
                expected=f"exactly one of {_WORKING}",
                remedy="Write .trigger(availableNow=True), or leave the call out.",
            )


def parse_interval(key: str, text: object) -> float:
    """Parse an interval of weeks to microseconds into seconds (Spark `stringToInterval`)."""
    allowed = 'an interval such as "10 seconds" or "1 minute 30 seconds"'
    if not isinstance(text, str) or not _INTERVAL.fullmatch(text.strip()):
        raise OptionValueError(key, text, allowed=allowed)
    total = 0.0
    for number, unit in _PART.findall(text):
        name = unit.lower().removesuffix("s")
        if name not in _SECONDS:
            raise OptionValueError(key, text, allowed=allowed, problem=f"no unit {unit}")
        if "." in number and name != "second":
            raise OptionValueError(
                key, text, allowed=allowed, problem="only seconds have fractions"
            )
        total += float(number) * _SECONDS[name]
    if total < 0:
        raise OptionValueError(key, text, allowed=allowed, problem="it is negative")
    return total


def _check_true(key: str, value: object) -> None:
    if value is not True:
        raise OptionValueError(key, value, allowed="True")

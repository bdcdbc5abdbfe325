"""Which files of the landing folder belong to the stream, and what becomes of them afterwards."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from ingest.errors import MissingOptionError, OptionConflictError, OptionValueError
from ingest.stream_options import (
    CleanSource,
    DeleteSource,
    DiscoveryOptions,
    KeepSource,
    MoveSource,
)
from ingest.text.times import SessionTime, timestamp_from_text
from ingest.trigger import parse_interval

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ingest.options.given import GivenOptions

_CLEAN = "cloudFiles.cleanSource"
_RETENTION = f"{_CLEAN}.retentionDuration"
_DESTINATION = f"{_CLEAN}.moveDestination"
_DAY = 86_400
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
DEFAULT_RETENTION = 30 * _DAY
"""Seconds that an ingested file is kept at least, unless the user says otherwise."""
SHORTEST_DELETION = 7 * _DAY
"""Seconds of retention that deleting files has to be longer than (Databricks)."""


def discovery_options(
    given: GivenOptions,
    session: SessionTime,
    *,
    partition_columns: tuple[str, ...] | None,
    locate: Callable[[str], Path],
) -> DiscoveryOptions:
    """Check the options of discovery (Databricks, "Auto Loader options"; contract 7.1)."""
    overwrites = given.flag("cloudFiles.allowOverwrites") or False
    return DiscoveryOptions(
        path_glob_filter=given.name("pathGlobFilter"),
        allow_overwrites=overwrites,
        include_existing_files=given.flag("cloudFiles.includeExistingFiles") is not False,
        use_strict_globber=given.flag("cloudFiles.useStrictGlobber") or False,
        partition_columns=partition_columns,
        modified_after_ms=_moment(given, "modifiedAfter", session),
        modified_before_ms=_moment(given, "modifiedBefore", session),
        max_file_age=_interval(given, "cloudFiles.maxFileAge"),
        backfill_interval=_interval(given, "cloudFiles.backfillInterval"),
        clean_source=_clean_source(given, locate, overwrites=overwrites),
        ignore_missing_files=given.flag("ignoreMissingFiles") or False,
        ignore_corrupt_files=given.flag("ignoreCorruptFiles") or False,
    )


def clean_source_warnings(given: GivenOptions) -> tuple[str, ...]:
    """Name the options of cleanSource that have no effect as it is set."""
    mode = given.choice(_CLEAN, ("OFF", "DELETE", "MOVE")) or "OFF"
    useless = {"OFF": (_RETENTION, _DESTINATION), "DELETE": (_DESTINATION,), "MOVE": ()}[mode]
    return tuple(
        f"{key} has no effect while {_CLEAN} is {mode}"
        for key in useless
        if given.text(key) is not None
    )


def _moment(given: GivenOptions, key: str, session: SessionTime) -> int | None:
    """Read a timestamp as Spark casts one; milliseconds since 1970 (`ModifiedDateFilter`)."""
    text = given.text(key)
    if text is None:
        return None
    moment = timestamp_from_text(text, session)
    if moment is None:
        raise OptionValueError(
            key, text, allowed="a timestamp such as 2030-01-31T23:59:59 or 2030-01-31 23:59:59 UTC"
        )
    return (moment - _EPOCH) // dt.timedelta(milliseconds=1)


def _interval(given: GivenOptions, key: str) -> float | None:
    text = given.text(key)
    if text is None:
        return None
    seconds = parse_interval(key, text)
    if seconds == 0:
        raise OptionValueError(key, text, allowed='an interval such as "1 day" or "90 days"')
    return seconds


def _clean_source(
    given: GivenOptions, locate: Callable[[str], Path], *, overwrites: bool
) -> CleanSource:
    mode = given.choice(_CLEAN, ("OFF", "DELETE", "MOVE"))
    if mode in {None, "OFF"}:
        return KeepSource()
    if overwrites:
        raise OptionConflictError(
            (_CLEAN, "cloudFiles.allowOverwrites"),
            found=f"{mode} beside allowOverwrites=true",
            expected="one of the two: a file that may be replaced cannot be cleaned up safely",
            remedy=f"Leave one of them out, or set {_CLEAN} to OFF.",
        )
    retention = _retention(given)
    if mode == "DELETE":
        if retention <= SHORTEST_DELETION:
            raise OptionValueError(
                _RETENTION,
                given.text(_RETENTION),
                allowed="an interval of more than 7 days while files are deleted",
            )
        return DeleteSource(retention)
    destination = given.name(_DESTINATION)
    if destination is None:
        raise MissingOptionError(
            _DESTINATION,
            needed_for="a folder for the files that cleanSource moves",
            example=f'.option("{_DESTINATION}", "<folder>")',
        )
    return MoveSource(retention, locate(destination))


def _retention(given: GivenOptions) -> float:
    text = given.text(_RETENTION)
    return DEFAULT_RETENTION if text is None else parse_interval(_RETENTION, text)

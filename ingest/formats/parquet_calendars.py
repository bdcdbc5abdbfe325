"""In which calendar a Parquet file counts its old dates (Spark `DataSourceUtils`).

Spark writes its version into the footer, and a mark when it counted as Spark 2 did. For files of
other writers the options decide.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.formats.parquet_plan import Calendars
from ingest.stream_options import Rebase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.stream_options import ParquetOptions

_VERSION = b"org.apache.spark.version"
_LEGACY_DATES = b"org.apache.spark.legacyDateTime"
_LEGACY_INT96 = b"org.apache.spark.legacyINT96"
_NUMBERS = re.compile(rb"([0-9]+)\.([0-9]+)")
_CORRECT_DATES = (3, 0)
_CORRECT_INT96 = (3, 1)


def find_calendars(metadata: Mapping[bytes, bytes], options: ParquetOptions) -> Calendars:
    """Tell which of a file's dates and timestamps have to be counted anew.

    >>> from ingest.stream_options import ParquetOptions
    >>> find_calendars({b"org.apache.spark.version": b"2.4.0"}, ParquetOptions())
    Calendars(dates=<Rebase.LEGACY: 'LEGACY'>, int96=<Rebase.LEGACY: 'LEGACY'>)
    """
    version = _version(metadata)
    if version is None:
        return Calendars(options.dates, options.int96)
    return Calendars(
        _rebase(legacy=version < _CORRECT_DATES or _LEGACY_DATES in metadata),
        _rebase(legacy=version < _CORRECT_INT96 or _LEGACY_INT96 in metadata),
    )


def calendar_is_known(metadata: Mapping[bytes, bytes]) -> bool:
    """Tell whether the file says who wrote it."""
    return _version(metadata) is not None


def _rebase(*, legacy: bool) -> Rebase:
    return Rebase.LEGACY if legacy else Rebase.CORRECTED


def _version(metadata: Mapping[bytes, bytes]) -> tuple[int, int] | None:
    match = _NUMBERS.match(metadata.get(_VERSION, b""))
    return None if match is None else (int(match[1]), int(match[2]))

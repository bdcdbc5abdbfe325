"""How streams that go on wait for files: what the session's configuration says of it.

It is configuration, not an option, so that the stream's own code is the same in production.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.options.given import given_options
from ingest.settling import SETTLE_SECONDS
from ingest.trigger import parse_interval

if TYPE_CHECKING:
    from collections.abc import Mapping

WATCH = "ingest.watch"
"""Whether the landing folder is watched for file-system events."""

SETTLE_TIME = "ingest.settleTime"
"""How long a file has to be quiet before it is taken (contract 7.2)."""


@dataclass(frozen=True, slots=True)
class PacingOptions:
    """Whether the landing folder is watched, and how long a file has to be quiet."""

    is_watched: bool
    settle_seconds: float


def resolve_pacing(conf: Mapping[str, object]) -> PacingOptions:
    """Read the configuration; raises `OptionValueError`.

    >>> resolve_pacing({"ingest.watch": "true", "ingest.settleTime": "2 seconds"})
    PacingOptions(is_watched=True, settle_seconds=2.0)
    """
    given = given_options({key: conf[key] for key in (WATCH, SETTLE_TIME) if key in conf})
    settle = given.text(SETTLE_TIME)
    return PacingOptions(
        is_watched=given.flag(WATCH) or False,
        settle_seconds=SETTLE_SECONDS if settle is None else parse_interval(SETTLE_TIME, settle),
    )

"""What every format's reader needs to know, from the options, the session and the mode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.errors import OptionConflictError, OptionValueError, UnsupportedOptionError
from ingest.options.given import given_options
from ingest.options.text_rules import text_rules
from ingest.stream_options import ParseMode, ReadSettings
from ingest.text.times import find_zone
from schema_store.evolution import EvolutionMode

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from ingest.options.given import GivenOptions
    from schema_store.types import Schema

DEFAULT_RESCUED_COLUMN = "_rescued_data"

_MODE = "cloudFiles.schemaEvolutionMode"
_SESSION_ZONE = "spark.sql.session.timeZone"
_WIDENING = EvolutionMode.ADD_NEW_COLUMNS_WITH_TYPE_WIDENING


@dataclass(frozen=True, slots=True)
class Stream:
    """The parts that a stream's settings are resolved from."""

    given: GivenOptions
    conf: GivenOptions
    user_schema: Schema | None
    mode: EvolutionMode
    today: dt.date
    format_name: str


def read_settings(stream: Stream, *, locate: Callable[[str], Path]) -> ReadSettings:
    """Resolve what holds for every format (contract 4.3, 5.7, 6.3, 6.4, 11.18)."""
    given, conf, widening = stream.given, stream.conf, stream.mode is _WIDENING
    file_path = conf.flag("spark.databricks.sql.rescuedDataColumn.filePath.enabled")
    corrupt = given.name("columnNameOfCorruptRecord") or conf.name(
        "spark.sql.columnNameOfCorruptRecord"
    )
    parse_mode = _parse_mode(given)
    _check_prefers_decimal(stream)
    return ReadSettings(
        rescued_column=_rescued_column(stream),
        file_path_in_rescued=file_path is not False,
        case_sensitive=_case_sensitive(given),
        parse_mode=parse_mode,
        corrupt_column=corrupt or "_corrupt_record",
        exact_decimals=widening,
        observe_misfits=widening,
        typed=given.flag("cloudFiles.inferColumnTypes") or False,
        prefers_decimal=widening or given.flag("prefersDecimal") or False,
        time_zone=_time_zone(given, conf),
        today=stream.today,
        user_schema=stream.user_schema is not None,
        bad_records_path=_bad_records_path(given, parse_mode, locate),
        text=text_rules(given),
    )


def _case_sensitive(given: GivenOptions) -> bool:
    """Read `readerCaseSensitive`, or the deprecated name that CSV has for it."""
    deprecated, wanted = given.flag("parserCaseSensitive"), given.flag("readerCaseSensitive")
    return (deprecated if wanted is None else wanted) is not False


def _parse_mode(given: GivenOptions) -> ParseMode:
    text = given.choice("mode", tuple(mode.value for mode in ParseMode))
    return ParseMode(text) if text else ParseMode.PERMISSIVE


def _bad_records_path(
    given: GivenOptions, mode: ParseMode, locate: Callable[[str], Path]
) -> Path | None:
    """Take it in PERMISSIVE mode only, for which it is documented (Databricks, "CSV file")."""
    key = "badRecordsPath"
    text = given.name(key)
    if text is None:
        return None
    if mode is not ParseMode.PERMISSIVE:
        raise OptionConflictError(
            (key, "mode"),
            found=f"{mode.value} beside {key}",
            expected=f"{ParseMode.PERMISSIVE.value}, the mode in which malformed records go there",
            remedy="Leave one of the two out.",
        )
    return locate(text)


def _check_prefers_decimal(stream: Stream) -> None:
    """Take only the mode's default except for JSON; it is fixed while types widen (6.4)."""
    key, mode = "prefersDecimal", stream.mode
    wanted = stream.given.flag(key)
    if mode is _WIDENING and wanted is False:
        raise OptionConflictError(
            (key, _MODE),
            found=f"false beside {mode.value}",
            expected="true, the default of this mode",
            remedy=f"Leave {key} out.",
        )
    if mode is not _WIDENING and wanted is True and stream.format_name != "json":
        raise UnsupportedOptionError(
            key,
            "true",
            supported="false in this mode (the option is documented for JSON files)",
            remedy=f"Use {_MODE}={_WIDENING.value}, or fix the types by cloudFiles.schemaHints.",
        )


def _rescued_column(stream: Stream) -> str | None:
    """Name the rescued data column, if there is one (contract 4.3)."""
    plain, prefixed = "rescuedDataColumn", "cloudFiles.rescuedDataColumn"
    name, other = stream.given.name(plain), stream.given.name(prefixed)
    if name and other and name != other:
        raise OptionConflictError(
            (plain, prefixed), found=f"{name} and {other}", expected="one name", remedy="Keep one."
        )
    inferred = stream.user_schema is None and stream.mode is not EvolutionMode.NONE
    if inferred or stream.mode is EvolutionMode.RESCUE:
        return name or other or DEFAULT_RESCUED_COLUMN
    return name or other


def _time_zone(given: GivenOptions, conf: GivenOptions) -> str:
    """Choose the zone of timestamps: the option, the session's, UTC (contract 11.18)."""
    return _zone_name(given, "timeZone") or _zone_name(conf, _SESSION_ZONE) or "UTC"


def session_zone(conf: Mapping[str, object]) -> dt.tzinfo:
    """Find the zone in which a session shows timestamps (contract 11.18).

    Raises `OptionValueError`.
    """
    zone = find_zone(_zone_name(given_options(conf), _SESSION_ZONE) or "UTC")
    assert zone is not None, "names are checked"
    return zone


def _zone_name(options: GivenOptions, key: str) -> str | None:
    name = options.name(key)
    if name is not None and find_zone(name) is None:
        raise OptionValueError(
            key,
            name,
            allowed="a region such as UTC or Europe/Berlin, or an offset such as +01:00, GMT+1",
        )
    return name

"""From what `readStream` was told to frozen values; the only door for option text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ingest.errors import (
    AddNewNotSupportedError,
    MissingOptionError,
    OptionValueError,
    UnsupportedOptionError,
)
from ingest.formats.fixed_schemas import FIXED_SCHEMAS
from ingest.options.csv_text import csv_options
from ingest.options.discovery import clean_source_warnings, discovery_options
from ingest.options.fixed_formats import (
    check_fixed_mode,
    fixed_schema,
    parquet_options,
    text_file_options,
)
from ingest.options.given import GivenOptions, given_options
from ingest.options.json_text import json_options
from ingest.options.known import Remarks, remark_conf, remark_reader_options
from ingest.options.option_types import Group
from ingest.options.read_settings import Stream, read_settings
from ingest.stream_options import (
    CsvOptions,
    JsonOptions,
    ParquetOptions,
    ReadLimit,
    SampleLimit,
    StreamOptions,
    TextFileOptions,
)
from ingest.text.times import SessionTime
from schema_store.errors import UnknownEvolutionModeError
from schema_store.evolution import EvolutionMode
from schema_store.hints import parse_hints

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Mapping

    from ingest.stream_options import DiscoveryOptions, ReadSettings
    from schema_store.hints import SchemaHints
    from schema_store.types import Schema

FORMATS = ("avro", "binaryFile", "csv", "json", "orc", "parquet", "text", "xml")
WORKING_FORMATS = ("csv", "json", "parquet", "text", "binaryFile")
DEFAULT_FILES_PER_TRIGGER = 1000
DEFAULT_SAMPLE = SampleLimit(files=1000, size=50 << 30)
"""At most 1000 files or 50 GB, whichever comes first (contract 2.1)."""

_MODE = "cloudFiles.schemaEvolutionMode"
_SAMPLE_CONF = "spark.databricks.cloudFiles.schemaInference.sampleSize"
_ADDING = (EvolutionMode.ADD_NEW_COLUMNS, EvolutionMode.ADD_NEW_COLUMNS_WITH_TYPE_WIDENING)


def resolve_options(
    raw: Mapping[str, object],
    *,
    conf: Mapping[str, object],
    user_schema: Schema | None,
    today: dt.date,
    locate: Callable[[str], Path] = Path,
) -> StreamOptions:
    """Check the options of `readStream` (contract 1.2 to 1.4, 2.1, 4.1, 4.3).

    Args:
        raw: names in any case, values as PySpark takes them: text, booleans, numbers.
        conf: the session's configuration.
        user_schema: the schema given by `.schema(...)`, or None to infer one.
        today: the day that a time without a date belongs to (contract 11.19).
        locate: gives the local place of a path that the user wrote.

    Raises an `OptionError` with the key, what was found, what was expected and what to do, or a
    `schema_store.errors.HintError`. Unknown `cloudFiles.*` keys are only collected; `check_known`
    refuses them when the stream starts.
    """
    given = given_options(raw)
    format_name = _format_name(given)
    remarks = _remarks(given, Group(format_name))
    check_fixed_mode(given, format_name, user_schema)
    user_schema = fixed_schema(format_name, user_schema)
    mode = _evolution_mode(given, user_schema)
    stream = Stream(given, given_options(conf), user_schema, mode, today, format_name)
    hints, hint_warnings = _hints(stream)
    reading = read_settings(stream, locate=locate)
    return StreamOptions(
        format_name=format_name,
        schema_location=_schema_location(stream, locate),
        mode=mode,
        user_schema=user_schema,
        hints=hints,
        sample=_sample_limit(stream.conf),
        limit=_read_limit(given),
        discovery=_discovery(given, reading, locate),
        reading=reading,
        csv=csv_options(given) if format_name == "csv" else CsvOptions(),
        json=json_options(given) if format_name == "json" else JsonOptions(),
        parquet=parquet_options(given) if format_name == "parquet" else ParquetOptions(),
        text_files=text_file_options(given) if format_name == "text" else TextFileOptions(),
        unknown_keys=remarks.unknown_keys,
        warnings=(
            *remarks.warnings,
            *clean_source_warnings(given),
            *hint_warnings,
            *remark_conf(conf),
        ),
        notes=(*remarks.notes, *_header_note(stream)),
    )


def _format_name(given: GivenOptions) -> str:
    key = "cloudFiles.format"
    name = given.choice(key, FORMATS)
    if name is None:
        raise MissingOptionError(
            key,
            needed_for=f"one of {', '.join(FORMATS)}",
            example='.option("cloudFiles.format", "csv")',
        )
    if name not in WORKING_FORMATS:
        raise UnsupportedOptionError(
            key,
            name,
            supported=" or ".join(WORKING_FORMATS),
            remedy="Convert the files, or wait for a version that reads this format.",
        )
    return name


def _remarks(given: GivenOptions, group: Group) -> Remarks:
    remarks = remark_reader_options(given.texts, group)
    if given.flag("cloudFiles.validateOptions") is not False or not remarks.unknown_keys:
        return remarks
    ignored = ", ".join(remarks.unknown_keys)
    warning = f"cloudFiles.validateOptions=false: unknown option keys are ignored: {ignored}"
    return Remarks((), (*remarks.warnings, warning), remarks.notes)


def _evolution_mode(given: GivenOptions, user_schema: Schema | None) -> EvolutionMode:
    text = given.text(_MODE)
    if text is None:
        return EvolutionMode.ADD_NEW_COLUMNS if user_schema is None else EvolutionMode.NONE
    try:
        mode = EvolutionMode.from_text(text)
    except UnknownEvolutionModeError as error:
        raise OptionValueError(
            _MODE, text, allowed=f"one of {', '.join(mode.value for mode in EvolutionMode)}"
        ) from error
    if user_schema is not None and mode in _ADDING:
        raise AddNewNotSupportedError(mode.value)
    return mode


def _schema_location(stream: Stream, locate: Callable[[str], Path]) -> Path | None:
    key = "cloudFiles.schemaLocation"
    text = stream.given.name(key)
    if text is not None:
        return locate(text)
    if stream.user_schema is None:
        raise MissingOptionError(
            key,
            needed_for="a folder for the inferred schema and its later versions",
            example=f'.option("{key}", "<folder>"), or give a schema by .schema(...)',
        )
    return None


def _hints(stream: Stream) -> tuple[SchemaHints, tuple[str, ...]]:
    """Give the hints, and a warning for what a schema of the user's leaves without effect."""
    text = stream.given.text("cloudFiles.schemaHints") or ""
    if stream.user_schema is None:
        return parse_hints(text), ()
    useless = ["cloudFiles.schemaHints"] if text.strip() else []
    partitions_only = stream.format_name in FIXED_SCHEMAS
    if stream.given.flag("cloudFiles.inferColumnTypes") and not partitions_only:
        useless.append("cloudFiles.inferColumnTypes")
    return parse_hints(""), tuple(
        f"{key} has no effect beside .schema(...): the schema decides" for key in useless
    )


def _sample_limit(conf: GivenOptions) -> SampleLimit:
    return SampleLimit(
        files=conf.count(f"{_SAMPLE_CONF}.numFiles") or DEFAULT_SAMPLE.files,
        size=conf.size(f"{_SAMPLE_CONF}.numBytes") or DEFAULT_SAMPLE.size,
    )


def _read_limit(given: GivenOptions) -> ReadLimit:
    return ReadLimit(
        files=given.count("cloudFiles.maxFilesPerTrigger") or DEFAULT_FILES_PER_TRIGGER,
        size=given.size("cloudFiles.maxBytesPerTrigger"),
    )


def _discovery(
    given: GivenOptions, reading: ReadSettings, locate: Callable[[str], Path]
) -> DiscoveryOptions:
    return discovery_options(
        given,
        SessionTime(reading.time_zone, reading.today),
        partition_columns=_partition_columns(given),
        locate=locate,
    )


def _partition_columns(given: GivenOptions) -> tuple[str, ...] | None:
    """Read the names; `recursiveFileLookup` alone means that there are none (Spark)."""
    key = "cloudFiles.partitionColumns"
    recursive = given.flag("recursiveFileLookup") or False
    text = given.text(key)
    if text is None:
        return () if recursive else None
    names = [name.strip() for name in text.split(",")] if text.strip() else []
    if "" in names or len({name.lower() for name in names}) != len(names):
        raise OptionValueError(
            key, text, allowed='different names with commas between them, or "" for none'
        )
    return tuple(names)


def _header_note(stream: Stream) -> tuple[str, ...]:
    """Say what surprises most beside a schema: no header is assumed (contract 11.2)."""
    if stream.format_name != "csv" or stream.user_schema is None:
        return ()
    if stream.given.text("header") is not None:
        return ()
    return (
        "header is not set beside .schema(...): files are read by position, first line included",
    )

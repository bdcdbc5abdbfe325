"""`ingest.options` and `ingest.trigger`: what a user writes becomes checked values."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ingest.errors import (
    AddNewNotSupportedError,
    MissingOptionError,
    OptionConflictError,
    OptionError,
    OptionValueError,
    UnknownOptionKeysError,
    UnsupportedOptionError,
)
from ingest.options import (
    READER_OPTIONS,
    Group,
    Status,
    check_known,
    resolve_options,
    resolve_writer_options,
)
from ingest.stream_options import CsvOptions, ParseMode, ReadLimit, SampleLimit
from ingest.text.number_symbols import NumberSymbols
from ingest.text.rules import DEFAULT_RULES
from ingest.trigger import AvailableNow, Once, ProcessingTime, parse_trigger
from schema_store.ddl import parse_ddl
from schema_store.errors import HintError
from schema_store.evolution import EvolutionMode

if TYPE_CHECKING:
    from ingest.stream_options import StreamOptions

SAMPLE_CONF = "spark.databricks.cloudFiles.schemaInference.sampleSize"


def resolve(
    given: dict[str, object] | None = None,
    *,
    conf: dict[str, object] | None = None,
    schema: str | None = None,
) -> StreamOptions:
    """Resolve options on top of the two that inference needs."""
    needed: dict[str, object] = {"cloudFiles.format": "csv", "cloudFiles.schemaLocation": "s"}
    return resolve_options(
        needed | (given or {}),
        conf=conf or {},
        user_schema=None if schema is None else parse_ddl(schema),
        today=dt.date(2024, 1, 2),
    )


def test_defaults_are_the_documented_ones() -> None:
    options = resolve()
    assert options.mode is EvolutionMode.ADD_NEW_COLUMNS  # contract 4.1
    assert options.limit == ReadLimit(files=1000, size=None)
    assert options.sample == SampleLimit(files=1000, size=50 * 1024**3)  # contract 2.1
    assert options.csv == CsvOptions()
    assert options.schema_location == Path("s")
    assert options.reading.rescued_column == "_rescued_data"
    assert options.reading.time_zone == "UTC"  # contract 11.18
    assert options.reading.file_path_in_rescued
    assert options.reading.case_sensitive
    assert not options.reading.typed
    assert options.discovery.include_existing_files
    assert options.discovery.partition_columns is None
    assert (options.unknown_keys, options.warnings, options.notes) == ((), (), ())


@pytest.mark.parametrize("value", [True, "true", "TRUE"])
@pytest.mark.parametrize("key", ["cloudFiles.inferColumnTypes", "CLOUDFILES.INFERCOLUMNTYPES"])
def test_names_and_flags_ignore_case(key: str, value: object) -> None:  # contract 1.2
    assert resolve({key: value}).reading.typed


@pytest.mark.parametrize("value", [7, "7"])
def test_numbers_may_be_text(value: object) -> None:  # contract 1.2
    assert resolve({"cloudFiles.maxFilesPerTrigger": value}).limit.files == 7


@pytest.mark.parametrize(
    ("text", "size"),
    [("10g", 10 * 1024**3), ("100MB", 100 * 1024**2), ("1k", 1024), (2048, 2048), ("5b", 5)],
)
def test_byte_strings_are_powers_of_two(text: object, size: int) -> None:
    assert resolve({"cloudFiles.maxBytesPerTrigger": text}).limit.size == size


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("cloudFiles.format", "cvs"),
        ("cloudFiles.inferColumnTypes", "yes"),
        ("cloudFiles.maxFilesPerTrigger", 0),
        ("cloudFiles.maxFilesPerTrigger", "many"),
        ("cloudFiles.maxFilesPerTrigger", 1.5),
        ("cloudFiles.maxBytesPerTrigger", "0.5g"),
        ("cloudFiles.maxBytesPerTrigger", "10q"),
        ("cloudFiles.schemaEvolutionMode", "addColumns"),
        ("cloudFiles.schemaLocation", " "),
        ("cloudFiles.validateOptions", "off"),
        ("rescuedDataColumn", ""),
        ("readerCaseSensitive", "no"),
        ("recursiveFileLookup", "deep"),
        ("mode", "LENIENT"),
        ("header", 1),
        ("sep", ""),
        ("sep", "\\"),
        ("sep", "\\x"),
        ("quote", "''"),
        ("timeZone", "Europe/Atlantis"),
        ("timeZone", "+18:01"),
        ("timeZone", "pst"),
        ("dateFormat", "EEE dd.MM"),
        ("timestampFormat", "dd.MM.YYYY"),
        ("timestampNTZFormat", "HH:mm:ss 'open"),
        ("preferDate", "maybe"),
        ("enableDateTimeParsingFallback", "1"),
        ("nullValue", ["NA"]),
        ("nullValue", None),
    ],
)
def test_a_bad_value_names_key_value_and_what_is_allowed(key: str, value: object) -> None:
    with pytest.raises(OptionValueError) as caught:
        resolve({key: value})
    error = caught.value
    assert error.key == key
    assert error.where == key
    assert error.allowed == error.expected
    assert repr(error.value) in str(error)
    assert error.remedy


def test_an_unknown_mode_lists_the_five() -> None:  # contract 4.1
    with pytest.raises(OptionValueError) as caught:
        resolve({"cloudFiles.schemaEvolutionMode": "addColumns"})
    assert all(mode.value in caught.value.allowed for mode in EvolutionMode)


@pytest.mark.parametrize("mode", list(EvolutionMode))
def test_mode_names_ignore_case(mode: EvolutionMode) -> None:  # contract 4.1
    assert resolve({"cloudFiles.schemaEvolutionMode": mode.value.upper()}).mode is mode


def test_the_format_is_required() -> None:
    with pytest.raises(MissingOptionError) as caught:
        resolve_options({}, conf={}, user_schema=None, today=dt.date(2024, 1, 2))
    assert caught.value.key == "cloudFiles.format"


@pytest.mark.parametrize("name", ["avro", "orc", "xml"])
def test_other_formats_are_refused_by_name(name: str) -> None:
    with pytest.raises(UnsupportedOptionError) as caught:
        resolve({"cloudFiles.format": name})
    assert (caught.value.key, caught.value.value) == ("cloudFiles.format", name)
    assert "not supported yet" in str(caught.value)


def test_inference_needs_a_schema_location() -> None:  # contract 2.1
    with pytest.raises(MissingOptionError) as caught:
        resolve_options(
            {"cloudFiles.format": "csv"}, conf={}, user_schema=None, today=dt.date(2024, 1, 2)
        )
    assert caught.value.key == "cloudFiles.schemaLocation"


def test_a_user_schema_needs_no_schema_location_and_defaults_to_none() -> None:  # contract 4.1
    schema = parse_ddl("id INT")
    options = resolve_options(
        {"cloudFiles.format": "csv"}, conf={}, user_schema=schema, today=dt.date(2024, 1, 2)
    )
    assert options.schema_location is None
    assert options.mode is EvolutionMode.NONE
    assert options.user_schema == schema
    assert options.reading.user_schema
    assert "by position" in options.notes[0]  # contract 11.2


@pytest.mark.parametrize("mode", ["addNewColumns", "addNewColumnsWithTypeWidening"])
def test_adding_modes_are_refused_beside_a_user_schema(mode: str) -> None:  # contract 4.1
    with pytest.raises(AddNewNotSupportedError) as caught:
        resolve({"cloudFiles.schemaEvolutionMode": mode}, schema="id INT")
    assert caught.value.mode == mode
    assert str(caught.value).startswith("[CF_ADD_NEW_NOT_SUPPORTED]")


@pytest.mark.parametrize(
    ("mode", "schema", "option", "column"),
    [
        ("addNewColumns", None, {}, "_rescued_data"),
        ("addNewColumnsWithTypeWidening", None, {}, "_rescued_data"),
        ("failOnNewColumns", None, {}, "_rescued_data"),
        ("rescue", None, {}, "_rescued_data"),
        ("none", None, {}, None),
        ("none", None, {"rescuedDataColumn": "r"}, "r"),
        ("none", "id INT", {}, None),
        ("rescue", "id INT", {}, "_rescued_data"),
        ("failOnNewColumns", "id INT", {}, None),
        ("failOnNewColumns", "id INT", {"rescuedDataColumn": "r"}, "r"),
        ("addNewColumns", None, {"cloudFiles.rescuedDataColumn": "r"}, "r"),
    ],
)
def test_the_rescued_column_exists_by_schema_mode_and_option(
    mode: str, schema: str | None, option: dict[str, object], column: str | None
) -> None:  # contract 4.3
    options = resolve({"cloudFiles.schemaEvolutionMode": mode, **option}, schema=schema)
    assert options.reading.rescued_column == column


def test_two_names_for_the_rescued_column_conflict() -> None:
    with pytest.raises(OptionConflictError):
        resolve({"rescuedDataColumn": "a", "cloudFiles.rescuedDataColumn": "b"})


def test_the_widening_mode_reads_exact_decimals() -> None:  # contract 6.3, 6.4
    reading = resolve(
        {"cloudFiles.schemaEvolutionMode": "addNewColumnsWithTypeWidening", "prefersDecimal": True}
    ).reading
    assert reading.exact_decimals
    assert reading.observe_misfits
    assert reading.prefers_decimal


def test_prefers_decimal_may_not_be_false_while_types_widen() -> None:  # contract 6.4
    with pytest.raises(OptionConflictError) as caught:
        resolve(
            {
                "cloudFiles.schemaEvolutionMode": "addNewColumnsWithTypeWidening",
                "prefersDecimal": "false",
            }
        )
    assert caught.value.keys == ("prefersDecimal", "cloudFiles.schemaEvolutionMode")


def test_prefers_decimal_is_only_the_modes_default_for_csv() -> None:
    assert not resolve({"prefersDecimal": False}).reading.prefers_decimal
    with pytest.raises(UnsupportedOptionError):
        resolve({"prefersDecimal": True})


def test_unknown_prefixed_keys_are_collected_and_refused_at_the_start() -> None:  # contract 1.3
    options = resolve({"cloudFiles.maxFilesPerTriger": "5"})
    assert options.unknown_keys == ("cloudFiles.maxfilespertriger",)
    with pytest.raises(UnknownOptionKeysError) as caught:
        check_known(options)
    assert caught.value.keys == ("cloudFiles.maxfilespertriger",)
    assert caught.value.suggestions == ("cloudFiles.maxFilesPerTrigger",)
    assert (
        "[CF_UNKNOWN_OPTION_KEYS_ERROR] Found unknown option keys: cloudFiles.maxfilespertriger"
        in str(caught.value)
    )


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("cloudFiles.pathGlobFilter", "pathGlobFilter"),
        ("cloudFiles.readerCaseSensitive", "readerCaseSensitive"),
        ("cloudFiles.fileNamePattern", "pathGlobFilter"),
        ("cloudFiles.header", "header"),
    ],
)
def test_generic_options_are_unknown_with_the_prefix(key: str, meant: str) -> None:  # contract 1.3
    with pytest.raises(UnknownOptionKeysError) as caught:
        check_known(resolve({key: "x"}))
    assert caught.value.suggestions == (meant,)


def test_known_options_pass_the_check() -> None:
    check_known(resolve({"header": True}))


def test_validate_options_false_turns_the_check_off() -> None:  # contract 1.3
    options = resolve({"cloudFiles.nonsense": "1", "cloudFiles.validateOptions": False})
    check_known(options)
    assert len(options.warnings) == 1
    assert "cloudFiles.nonsense" in options.warnings[0]


def test_an_unknown_unprefixed_key_is_one_warning() -> None:  # contract 1.3
    assert resolve({"headr": "true"}).warnings == ("unknown option headr; did you mean header?",)
    assert resolve({"qqqq": "1"}).warnings == ("unknown option qqqq; it has no effect",)


def test_an_option_of_another_place_is_a_warning_that_says_so() -> None:
    assert resolve({"rowTag": "r"}).warnings == (
        "rowTag has no effect on csv files; it is for xml",
    )
    assert "writeStream" in resolve({"checkpointLocation": "c"}).warnings[0]


def test_cloud_only_keys_are_one_note() -> None:  # contract 1.4
    options = resolve(
        {
            "cloudFiles.region": "eu-west-1",
            "cloudFiles.useNotifications": True,
            "cloudFiles.resourceTag.team": "x",
        }
    )
    keys = "cloudFiles.region, cloudFiles.useNotifications, cloudFiles.resourceTag.team"
    assert options.notes == (f"no effect without a cloud: {keys}",)
    assert options.unknown_keys == ()


@pytest.mark.parametrize("key", ["enforceSchema", "mergeSchema"])
@pytest.mark.parametrize("value", [True, False])
def test_options_without_effect_are_named_once(key: str, value: object) -> None:
    options = resolve({key: value})
    assert len(options.notes) == 1
    assert options.notes[0].startswith(f"{key} has no effect here")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("locale", "th-TH"),
        ("samplingRatio", "0.5"),
        ("inferSchema", "true"),
    ],
)
def test_what_comes_later_is_refused_by_name(key: str, value: object) -> None:
    with pytest.raises(UnsupportedOptionError) as caught:
        resolve({key: value})
    assert caught.value.where == key
    assert "not supported yet" in caught.value.found
    assert caught.value.remedy


@pytest.mark.parametrize(
    "option",
    [
        option
        for option in READER_OPTIONS
        if option.group in {Group.COMMON, Group.GENERIC, Group.CSV}
        and option.status is Status.LATER
        and option.neutral
    ],
    ids=lambda option: option.name,
)
def test_the_default_of_what_comes_later_is_taken(option: object) -> None:
    assert isinstance(option, type(READER_OPTIONS[0]))
    for value in option.neutral:
        assert resolve({option.name: value}).warnings == ()


def test_csv_options_become_values() -> None:
    options = resolve(
        {
            "sep": "\\t",
            "delimiter": ";",
            "quote": "'",
            "escape": '"',
            "header": "false",
            "nullValue": "NA",
            "emptyValue": "-",
            "ignoreLeadingWhiteSpace": True,
            "ignoreTrailingWhiteSpace": False,
            "encoding": "utf8",
        }
    )
    assert options.csv == CsvOptions(
        sep="\t",
        quote="'",
        escape='"',
        header=False,
        null_value="NA",
        empty_value="-",
        ignore_leading_white_space=True,
        ignore_trailing_white_space=False,
    )


@pytest.mark.parametrize(
    ("text", "separator"), [("\\\\", "\\"), ("||", "||"), ("\\t|", "\t|"), ("\\u0000", "\0")]
)
def test_separators_are_written_as_in_spark(text: str, separator: str) -> None:
    assert resolve({"delimiter": text}).csv.sep == separator


def test_an_empty_quote_is_a_character_that_is_not_there() -> None:
    assert resolve({"quote": ""}).csv.quote == "\0"


def test_parse_modes() -> None:
    assert resolve({"mode": "failfast"}).reading.parse_mode is ParseMode.FAILFAST


def test_discovery_options_become_values() -> None:
    discovery = resolve(
        {
            "pathGlobFilter": "*.csv",
            "cloudFiles.allowOverwrites": "true",
            "cloudFiles.includeExistingFiles": "false",
            "cloudFiles.useStrictGlobber": True,
            "cloudFiles.partitionColumns": "",
        }
    ).discovery
    assert discovery.path_glob_filter == "*.csv"
    assert discovery.allow_overwrites
    assert not discovery.include_existing_files
    assert discovery.use_strict_globber
    assert discovery.partition_columns == ()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, None),
        ({"cloudFiles.partitionColumns": " year, Month "}, ("year", "Month")),
        ({"cloudFiles.partitionColumns": " "}, ()),
        ({"recursiveFileLookup": "true"}, ()),
        ({"recursiveFileLookup": "false"}, None),
        ({"recursiveFileLookup": True, "cloudFiles.partitionColumns": "year"}, ("year",)),
    ],
)
def test_partition_columns_are_named_or_found(
    options: dict[str, object], expected: tuple[str, ...] | None
) -> None:
    assert resolve(options).discovery.partition_columns == expected


@pytest.mark.parametrize("text", ["year,,day", "year,", "year,YEAR"])
def test_partition_columns_that_are_no_names_are_refused(text: str) -> None:
    with pytest.raises(OptionValueError) as caught:
        resolve({"cloudFiles.partitionColumns": text})
    assert (caught.value.where, caught.value.remedy != "") == ("cloudFiles.partitionColumns", True)


def test_the_sample_limit_is_set_by_the_session() -> None:  # contract 2.1
    options = resolve(conf={f"{SAMPLE_CONF}.numFiles": 3, f"{SAMPLE_CONF}.numBytes": "10mb"})
    assert options.sample == SampleLimit(files=3, size=10 * 1024**2)


def test_the_session_sets_the_rescued_file_path() -> None:  # contract 5.1
    conf: dict[str, object] = {"spark.databricks.sql.rescuedDataColumn.filePath.enabled": False}
    assert not resolve(conf=conf).reading.file_path_in_rescued


def test_the_option_time_zone_wins_over_the_sessions() -> None:  # contract 11.18
    conf: dict[str, object] = {"spark.sql.session.timeZone": "Europe/Berlin"}
    assert resolve(conf=conf).reading.time_zone == "Europe/Berlin"
    assert resolve({"timeZone": "Asia/Tokyo"}, conf=conf).reading.time_zone == "Asia/Tokyo"


@pytest.mark.parametrize("zone", ["PST", "+01:00", "+1:00", "GMT+1", "UTC", "Z", "Asia/Calcutta"])
def test_zones_are_given_in_every_form_that_spark_takes(zone: str) -> None:
    assert resolve({"timeZone": zone}).reading.time_zone == zone
    assert resolve(conf={"spark.sql.session.timeZone": zone}).reading.time_zone == zone


def test_formats_and_names_of_numbers_become_rules() -> None:
    rules = resolve(
        {
            "dateFormat": "dd.MM.yyyy",
            "timestampFormat": "dd.MM.yyyy HH:mm",
            "timestampNTZFormat": "MMM d yyyy HH:mm",
            "enableDateTimeParsingFallback": True,
            "preferDate": "false",
            "nanValue": "nan",
            "positiveInf": "",
            "negativeInf": "-inf",
            "locale": "de-de",
        }
    ).reading.text
    formats = (rules.date_format, rules.timestamp_format, rules.timestamp_ntz_format)
    assert [one.text for one in formats if one is not None] == [
        "dd.MM.yyyy",
        "dd.MM.yyyy HH:mm",
        "MMM d yyyy HH:mm",
    ]
    assert (rules.nan, rules.positive_infinity, rules.negative_infinity) == ("nan", "", "-inf")
    assert (rules.parsing_fallback, rules.prefer_date) == (True, False)
    assert rules.number_symbols == NumberSymbols(",", ".")


@pytest.mark.parametrize("locale", ["US", "en-US", "en_US", None])
def test_the_default_locale_has_no_symbols(locale: str | None) -> None:
    options: dict[str, object] = {} if locale is None else {"locale": locale}
    assert resolve(options).reading.text == DEFAULT_RULES


def test_names_of_months_need_the_default_locale() -> None:
    with pytest.raises(UnsupportedOptionError) as caught:
        resolve({"locale": "de-DE", "dateFormat": "d MMM yyyy"})
    assert caught.value.key == "dateFormat"
    assert "month" in caught.value.expected


def test_a_bad_session_time_zone_names_its_key() -> None:
    with pytest.raises(OptionValueError) as caught:
        resolve(conf={"spark.sql.session.timeZone": "Nowhere"})
    assert caught.value.key == "spark.sql.session.timeZone"


def test_hints_are_parsed() -> None:
    assert resolve({"cloudFiles.schemaHints": "id BIGINT"}).hints.pinned == {("id",)}
    assert resolve().hints.pinned == frozenset()


def test_bad_hints_are_refused() -> None:
    with pytest.raises(HintError):
        resolve({"cloudFiles.schemaHints": "id BIGINTT,"})


def test_hints_beside_a_schema_are_a_warning() -> None:
    options = resolve({"cloudFiles.schemaHints": "id BIGINT"}, schema="id INT")
    assert options.hints.pinned == frozenset()
    assert options.warnings == (
        "cloudFiles.schemaHints has no effect beside .schema(...): the schema decides",
    )


def test_paths_are_located_by_the_session() -> None:
    options = resolve_options(
        {"cloudFiles.format": "csv", "cloudFiles.schemaLocation": "dbfs:/s"},
        conf={},
        user_schema=None,
        today=dt.date(2024, 1, 2),
        locate=lambda text: Path(text.replace("dbfs:", "/mnt")),
    )
    assert options.schema_location == Path("/mnt/s")


def test_one_spelling_per_option_and_group() -> None:
    keys = [(option.group, option.key) for option in READER_OPTIONS]
    assert len(keys) == len(set(keys))


def test_writer_options_become_values() -> None:
    options = resolve_writer_options({"CheckpointLocation": "c", "path": "t"})
    assert options.checkpoint_location == Path("c")
    assert options.path == "t"
    assert (options.warnings, options.notes) == ((), ())


def test_writer_options_without_effect_are_named_once() -> None:  # contract 1.1
    options = resolve_writer_options({"ignoreChanges": True, "margeSchema": "true"})
    assert options.notes == ("ignoreChanges has no effect here",)
    assert options.warnings == (
        "unknown option margeschema of writeStream; did you mean mergeSchema?",
    )


def test_table_properties_come_from_options_and_then_from_the_configuration() -> None:
    defaults = "spark.databricks.delta.properties.defaults"
    options = resolve_writer_options(
        {"DELTA.appendonly": True},
        conf={f"{defaults}.enableTypeWidening": "true", f"{defaults}.appendOnly": "false"},
    )
    assert dict(options.properties) == {
        "delta.enableTypeWidening": "true",
        "delta.appendOnly": "true",
    }


@pytest.mark.parametrize(
    ("option", "conf", "expected"),
    [(None, None, False), ("true", None, True), (None, "true", True), ("false", "true", False)],
)
def test_schema_is_merged_by_option_or_configuration(
    option: str | None, conf: str | None, *, expected: bool
) -> None:
    raw: dict[str, object] = {} if option is None else {"mergeSchema": option}
    session: dict[str, object] = (
        {} if conf is None else {"spark.databricks.delta.schema.autoMerge.enabled": conf}
    )
    assert resolve_writer_options(raw, conf=session).merge_schema is expected


def test_writer_option_that_comes_later_is_refused() -> None:
    assert resolve_writer_options({"compression": "snappy"}).warnings == ()
    with pytest.raises(UnsupportedOptionError) as caught:
        resolve_writer_options({"compression": "gzip"})
    assert caught.value.where == "compression"


def test_triggers() -> None:
    assert parse_trigger(availableNow=True) == AvailableNow()
    assert parse_trigger(once=True, availableNow=None) == Once()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("10 seconds", 10.0),
        ("1 minute 30 seconds", 90.0),
        (" interval 2 hours ", 7200.0),
        ("1.5 seconds", 1.5),
        ("500 milliseconds", 0.5),
        ("0 seconds", 0.0),
    ],
)
def test_processing_times(text: str, seconds: float) -> None:
    assert parse_trigger(processingTime=text) == ProcessingTime(seconds)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"availableNow": None},
        {"availableNow": True, "once": True},
        {"availableNow": False},
        {"once": "true"},
        {"processingTime": ""},
        {"processingTime": 10},
        {"processingTime": "10s"},
        {"processingTime": "10 parsecs"},
        {"processingTime": "1 month"},
        {"processingTime": "-1 second"},
        {"processingTime": "1.5 minutes"},
        {"continuous": "1 second"},
        {"sometimes": True},
    ],
)
def test_a_bad_trigger_is_an_error(given: dict[str, object]) -> None:
    with pytest.raises(OptionError) as caught:
        parse_trigger(**given)
    assert caught.value.expected


def test_type_inference_beside_a_schema_is_a_warning() -> None:
    options = resolve_options(
        {"cloudFiles.format": "csv", "cloudFiles.inferColumnTypes": True},
        conf={},
        user_schema=parse_ddl("id INT"),
        today=dt.date(2026, 11, 30),
    )

    assert options.warnings == (
        "cloudFiles.inferColumnTypes has no effect beside .schema(...): the schema decides",
    )

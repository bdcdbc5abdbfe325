"""Every documented option: spelling, type, default, and what this version makes of it.

Source: Databricks, "Auto Loader options" (common, generic and format options); rows marked Spark
are of the CSV data source of open-source Spark. The README's option table is this table.
"""

from __future__ import annotations

from ingest.options.format_options import FORMAT_OPTIONS
from ingest.options.option_types import Group, Kind, Option, Status


def _works(group: Group, name: str, kind: Kind, default: str | None, about: str) -> Option:
    return Option(name, group, kind, default, Status.WORKS, (), about)


def _no_effect(group: Group, name: str, kind: Kind, default: str | None, about: str) -> Option:
    return Option(name, group, kind, default, Status.NO_EFFECT, (), about)


def _later(
    group: Group, name: str, kind: Kind, default: str | None, about: str = "Leave it out."
) -> Option:
    neutral = () if default is None else (default,)
    return Option(name, group, kind, default, Status.LATER, neutral, about)


def _later_unless(
    group: Group, name: str, default: str, neutral: tuple[str, ...], about: str = "Leave it out."
) -> Option:
    return Option(name, group, Kind.TEXT, default, Status.LATER, neutral, about)


def _cloud(name: str, kind: Kind = Kind.TEXT, default: str | None = None) -> Option:
    return Option(f"cloudFiles.{name}", Group.CLOUD, kind, default, Status.CLOUD_ONLY, (), "")


_C, _G, _V, _W = Group.COMMON, Group.GENERIC, Group.CSV, Group.WRITER
_TEXT, _FLAG, _COUNT, _CHAR = Kind.TEXT, Kind.FLAG, Kind.COUNT, Kind.CHARACTER

_COMMON = (
    _works(_C, "cloudFiles.format", _TEXT, None, "Required. `csv`; the other formats come later."),
    _works(_C, "cloudFiles.schemaLocation", _TEXT, None, "Required to infer: the schema history."),
    _works(
        _C,
        "cloudFiles.schemaEvolutionMode",
        _TEXT,
        None,
        "`addNewColumns` (default without a schema), `rescue`, `failOnNewColumns`, `none` (default"
        " with one), `addNewColumnsWithTypeWidening`.",
    ),
    _works(_C, "cloudFiles.inferColumnTypes", _FLAG, "false", "Types instead of STRING columns."),
    _works(_C, "cloudFiles.schemaHints", _TEXT, None, "DDL of columns whose types are fixed."),
    _works(
        _C,
        "cloudFiles.partitionColumns",
        _TEXT,
        None,
        'Keys of Hive-style folders that are columns, NULL where a path lacks one; `""`: none.'
        " Left out: those that all files have.",
    ),
    _works(_C, "cloudFiles.maxFilesPerTrigger", _COUNT, "1000", "Files per micro-batch."),
    _works(
        _C,
        "cloudFiles.maxBytesPerTrigger",
        Kind.BYTES,
        None,
        "Bytes per micro-batch, e.g. `10g`; the file that crosses the limit is included.",
    ),
    _works(
        _C, "cloudFiles.includeExistingFiles", _FLAG, "true", "Looked at in the first start only."
    ),
    _works(_C, "cloudFiles.allowOverwrites", _FLAG, "false", "A changed file is a new file."),
    _works(_C, "cloudFiles.useStrictGlobber", _FLAG, "false", "Globs as in other Spark sources."),
    _works(_C, "cloudFiles.validateOptions", _FLAG, "true", "Refuse unknown cloudFiles.* keys."),
    _works(_C, "cloudFiles.rescuedDataColumn", _TEXT, None, "Also accepted without the prefix."),
    _works(
        _C,
        "cloudFiles.maxFileAge",
        Kind.INTERVAL,
        None,
        "Files older than the newest one by more are forgotten, and not taken.",
    ),
    _works(
        _C,
        "cloudFiles.backfillInterval",
        Kind.INTERVAL,
        None,
        "Every folder is listed anew at least so often, changed or not; by default every 10"
        " minutes.",
    ),
    _works(
        _C,
        "cloudFiles.cleanSource",
        _TEXT,
        "OFF",
        "`OFF`, `DELETE` or `MOVE`: what becomes of a file some time after its batch is committed.",
    ),
    _works(
        _C,
        "cloudFiles.cleanSource.retentionDuration",
        Kind.INTERVAL,
        "30 days",
        "How long it stays at least; more than 7 days for `DELETE`.",
    ),
    _works(
        _C,
        "cloudFiles.cleanSource.moveDestination",
        _TEXT,
        None,
        "Where `MOVE` moves files to, in the same sub-folders; not in the landing folder.",
    ),
)

_CLOUD_ONLY = (
    _cloud("useIncrementalListing", default="auto"),
    _cloud("useNotifications", _FLAG, "false"),
    _cloud("useManagedFileEvents", _FLAG, "false"),
    _cloud("fetchParallelism", _COUNT, "1"),
    _cloud("pathRewrites"),
    _cloud("listOnStart", _FLAG, "false"),
    _cloud("resourceTag.<key>"),
    *map(_cloud, ("region", "queueUrl", "databricks.serviceCredential")),
    _cloud("restrictNotificationSetupToSameAWSAccountId", _FLAG, "false"),
    *map(_cloud, ("awsAccessKey", "awsSecretKey", "roleArn", "roleExternalId")),
    *map(_cloud, ("roleSessionName", "stsEndpoint", "resourceGroup", "subscriptionId")),
    *map(_cloud, ("tenantId", "clientId", "clientSecret", "connectionString", "queueName")),
    *map(_cloud, ("projectId", "client", "clientEmail", "privateKey", "privateKeyId")),
    _cloud("subscription"),
)

_GENERIC = (
    _works(_G, "path", _TEXT, None, "The landing folder, when `load()` is called without one."),
    _works(_G, "pathGlobFilter", _TEXT, None, "A glob that a file's name has to match."),
    _works(
        _G,
        "recursiveFileLookup",
        _FLAG,
        "false",
        "Sub-folders are always searched; `true`: partition columns are not looked for.",
    ),
    _works(_G, "rescuedDataColumn", _TEXT, None, "The name of the rescued data column."),
    _works(_G, "readerCaseSensitive", _FLAG, "true", "`false`: names match whatever their case."),
    _works(
        _G,
        "ignoreCorruptFiles",
        _FLAG,
        "false",
        "Skip the rest of a corrupt file, with a ledger entry; rows read before it stay.",
    ),
    _works(_G, "ignoreMissingFiles", _FLAG, "false", "Skip a file that is gone; a ledger entry."),
    _works(_G, "modifiedAfter", Kind.TIMESTAMP, None, "Only files modified after this time."),
    _works(_G, "modifiedBefore", Kind.TIMESTAMP, None, "Only files modified before this time."),
)

_CSV = (
    _works(_V, "sep", _TEXT, ",", "Separator; several characters are possible."),
    _works(_V, "delimiter", _TEXT, ",", "As `sep`; `sep` wins."),
    _works(_V, "quote", _CHAR, '"', "Quote character; empty: no quoting."),
    _works(_V, "escape", _CHAR, "\\", 'Escapes a quote inside quotes; `"`: quotes are doubled.'),
    _works(_V, "header", _FLAG, None, "Assumed `true` when inferring, `false` with a schema."),
    _works(_V, "nullValue", _TEXT, "", "The text that means NULL."),
    _works(_V, "emptyValue", _TEXT, "", "What a quoted empty cell becomes."),
    _works(_V, "ignoreLeadingWhiteSpace", _FLAG, "false", "Trim blanks before a cell."),
    _works(_V, "ignoreTrailingWhiteSpace", _FLAG, "false", "Trim blanks after a cell."),
    _works(_V, "mode", _TEXT, "PERMISSIVE", "`PERMISSIVE`, `DROPMALFORMED` or `FAILFAST`."),
    _works(_V, "columnNameOfCorruptRecord", _TEXT, "_corrupt_record", "Filled if it is hinted."),
    _works(_V, "prefersDecimal", _FLAG, None, "Only the mode's default: `true` while types widen."),
    _works(_V, "timeZone", _TEXT, None, "Zone of timestamps without one; default: the session's."),
    _works(_V, "encoding", _TEXT, "UTF-8", "UTF-8, -16, -32, ISO-8859, windows-125x, …"),
    _works(_V, "charset", _TEXT, "UTF-8", "As `encoding`; `encoding` wins."),
    _no_effect(_V, "enforceSchema", _FLAG, "true", "Auto Loader ignores it; headers decide."),
    _no_effect(_V, "mergeSchema", _FLAG, "false", "Headers are always merged when inferring."),
    _works(_V, "badRecordsPath", _TEXT, None, "Malformed records go there, not into the table."),
    _works(_V, "charToEscapeQuoteEscaping", _CHAR, "\\0", "Escapes the escape character."),
    _works(_V, "comment", _CHAR, "\\u0000", "Lines that begin with it are left out."),
    _works(_V, "dateFormat", _TEXT, None, "Pattern of dates; default: ISO dates, leniently."),
    _works(_V, "timestampFormat", _TEXT, None, "Pattern of timestamps; default: ISO, leniently."),
    _works(_V, "timestampNTZFormat", _TEXT, None, "Pattern of timestamps without a zone."),
    _works(_V, "enableDateTimeParsingFallback", _FLAG, None, "Read leniently what fits no format."),
    _later(_V, "inferSchema", _FLAG, "false", "Use cloudFiles.inferColumnTypes."),
    _works(_V, "lineSep", _TEXT, None, "One or two characters; default: \\n, \\r\\n and \\r."),
    _works(_V, "locale", _TEXT, "US", "Decimals in a European way: `de-DE`, `fr-FR`, …"),
    _works(_V, "maxCharsPerColumn", _COUNT, "-1", "A longer cell is an error; -1: no limit."),
    _works(_V, "maxColumns", _COUNT, "20480", "A longer record is an error."),
    _works(_V, "multiLine", _FLAG, "false", "Quoted cells may have line breaks."),
    _works(_V, "nanValue", _TEXT, "NaN", "The text that means NaN, beside `NaN`."),
    _works(_V, "negativeInf", _TEXT, "-Inf", "The text that means -∞, beside `-Infinity`."),
    _works(_V, "positiveInf", _TEXT, "Inf", "The text that means ∞, beside `Infinity`."),
    _works(_V, "parserCaseSensitive", _FLAG, "true", "As `readerCaseSensitive`, which wins."),
    _works(_V, "preferDate", _FLAG, "true", "Infer DATE; `false`: TIMESTAMP."),
    _later(_V, "samplingRatio", Kind.NUMBER, "1.0"),
    _later(_V, "singleVariantColumn", _TEXT, None),
    _works(_V, "skipRows", _COUNT, "0", "Leading lines of each file to leave out."),
    _works(
        _V,
        "unescapedQuoteHandling",
        _TEXT,
        "STOP_AT_DELIMITER",
        "Also `STOP_AT_CLOSING_QUOTE`, `BACK_TO_DELIMITER`, `SKIP_VALUE`, `RAISE_ERROR`.",
    ),
    _later(_V, "columnPruning", _FLAG, "true"),
    _no_effect(_V, "inputBufferSize", _COUNT, "1048576", "Spark's buffer; any line length works."),
)

_WRITER = (
    _works(_W, "checkpointLocation", _TEXT, None, "The stream's durable state; a table needs it."),
    _works(_W, "path", _TEXT, None, "Where the table is, when `start()` is called without one."),
    _works(
        _W,
        "mergeSchema",
        _FLAG,
        "false",
        "New columns, and wider types where the table allows them, go into a Delta table; a Parquet"
        " table always takes them.",
    ),
    _works(_W, "delta.<property>", _TEXT, None, "A property of the Delta table, if it is made."),
    _works(_W, "numRows", _COUNT, "20", "Rows of a batch that the console shows."),
    _works(_W, "truncate", _FLAG, "true", "The console cuts long values."),
    _later_unless(_W, "compression", "snappy", ("snappy",)),
    _later_unless(_W, "maxRecordsPerFile", "0", ("0",)),
    *(
        _no_effect(_W, name, _TEXT, None, "Only batch writes, `df.write`, have it.")
        for name in ("overwriteSchema", "txnAppId", "txnVersion")
    ),
    *(
        _no_effect(_W, name, _TEXT, None, "")
        for name in (
            "ignoreChanges",
            "ignoreDeletes",
            "skipChangeCommits",
            "optimizeWrite",
            "userMetadata",
            "asyncProgressTrackingEnabled",
        )
    ),
)

READER_OPTIONS: tuple[Option, ...] = (*_COMMON, *_CLOUD_ONLY, *_GENERIC, *_CSV, *FORMAT_OPTIONS)
"""The options of `readStream`. A name can stand in the groups of several formats."""

WRITER_OPTIONS: tuple[Option, ...] = _WRITER
"""The options of `writeStream`."""

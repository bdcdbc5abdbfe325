"""The documented options of JSON, and of formats that come later: XML, Avro, ORC and more.

binaryFile has none (Databricks, "Auto Loader options").
"""

from __future__ import annotations

from ingest.options.option_types import Group, Kind, Option, Status

_FLAG, _TEXT = Kind.FLAG, Kind.TEXT
_TIMESTAMP_FORMAT = "yyyy-MM-dd'T'HH:mm:ss[.SSS][XXX]"


def _parquet(name: str, about: str) -> Option:
    return Option(name, Group.PARQUET, _TEXT, "LEGACY", Status.WORKS, (), about)


_DOCUMENTED: dict[Group, tuple[tuple[str, Kind, str | None], ...]] = {
    Group.XML: (
        ("rowTag", _TEXT, None),
        ("samplingRatio", Kind.NUMBER, "1.0"),
        ("excludeAttribute", _FLAG, "false"),
        ("mode", _TEXT, "PERMISSIVE"),
        ("inferSchema", _FLAG, "true"),
        ("columnNameOfCorruptRecord", _TEXT, None),
        ("attributePrefix", _TEXT, "_"),
        ("valueTag", _TEXT, "_VALUE"),
        ("encoding", _TEXT, "UTF-8"),
        ("ignoreSurroundingSpaces", _FLAG, "true"),
        ("rowValidationXSDPath", _TEXT, None),
        ("ignoreNamespace", _FLAG, "false"),
        ("timestampFormat", _TEXT, _TIMESTAMP_FORMAT),
        ("timestampNTZFormat", _TEXT, "yyyy-MM-dd'T'HH:mm:ss[.SSS]"),
        ("dateFormat", _TEXT, "yyyy-MM-dd"),
        ("locale", _TEXT, "en-US"),
        ("nullValue", _TEXT, "null"),
        ("singleVariantColumn", _TEXT, None),
        ("rootTag", _TEXT, "ROWS"),
        ("declaration", _TEXT, None),
        ("arrayElementName", _TEXT, "item"),
        ("compression", _TEXT, None),
        ("validateName", _FLAG, "true"),
    ),
    Group.AVRO: (
        ("avroSchema", _TEXT, None),
        ("datetimeRebaseMode", _TEXT, "LEGACY"),
        ("mergeSchema", _FLAG, "false"),
    ),
    Group.ORC: (("mergeSchema", _FLAG, "false"),),
}

_JSON: tuple[tuple[str, Kind, str | None, str], ...] = (
    ("allowBackslashEscapingAnyCharacter", _FLAG, "false", "Any character may be escaped."),
    ("allowComments", _FLAG, "false", "Comments as in Java."),
    ("allowNonNumericNumbers", _FLAG, "true", "`NaN` and `Infinity` are numbers."),
    ("allowNumericLeadingZeros", _FLAG, "false", "Numbers such as `007`."),
    ("allowSingleQuotes", _FLAG, "true", "Strings and names in single quotes."),
    ("allowUnquotedControlChars", _FLAG, "false", "Control characters in strings."),
    ("allowUnquotedFieldNames", _FLAG, "false", "Names without quotes."),
    ("badRecordsPath", _TEXT, None, "Corrupt records go there, not into the table."),
    ("columnNameOfCorruptRecord", _TEXT, "_corrupt_record", "Filled if it is hinted."),
    ("dateFormat", _TEXT, None, "Pattern of dates; default: ISO dates, leniently."),
    ("dropFieldIfAllNull", _FLAG, "false", "Infer no column that is null throughout."),
    ("enableDateTimeParsingFallback", _FLAG, None, "Read leniently what fits no format."),
    ("encoding", _TEXT, "UTF-8", "UTF-8, -16, -32, ISO-8859, windows-125x, …"),
    ("charset", _TEXT, "UTF-8", "As `encoding`; `encoding` wins."),
    ("inferTimestamp", _FLAG, "false", "Infer TIMESTAMP from strings."),
    ("lineSep", _TEXT, None, "Separator of records; default: \\n, \\r\\n and \\r."),
    ("locale", _TEXT, "US", "Decimals in strings in a European way: `de-DE`, `fr-FR`, …"),
    ("mode", _TEXT, "PERMISSIVE", "`PERMISSIVE`, `DROPMALFORMED` or `FAILFAST`."),
    ("multiLine", _FLAG, "false", "A file is one value, or one array of records."),
    ("prefersDecimal", _FLAG, None, "Infer fractions as DECIMAL; `true` while types widen."),
    ("primitivesAsString", _FLAG, "false", "Infer numbers and booleans as STRING."),
    ("timestampFormat", _TEXT, None, "Pattern of timestamps; default: ISO, leniently."),
    ("timestampNTZFormat", _TEXT, None, "Pattern of timestamps without a zone."),
    ("timeZone", _TEXT, None, "Zone of timestamps without one; default: the session's."),
)

_PARQUET: tuple[Option, ...] = (
    _parquet("datetimeRebaseMode", "Dates before 1582 of unknown writers; or `CORRECTED`."),
    _parquet("int96RebaseMode", "As `datetimeRebaseMode`, for INT96 timestamps."),
    Option(
        "mergeSchema",
        Group.PARQUET,
        _FLAG,
        "false",
        Status.NO_EFFECT,
        (),
        "Footers are always merged when inferring.",
    ),
)

_TEXT_FILES: tuple[tuple[str, Kind, str | None, str], ...] = (
    ("encoding", _TEXT, "UTF-8", "Of the line separator; content is read as it is."),
    ("lineSep", _TEXT, None, "Separator of rows; default: \\n, \\r\\n and \\r."),
    ("wholeText", _FLAG, "false", "One row for each file."),
)

_JSON_LATER = (Option("singleVariantColumn", Group.JSON, _TEXT, None, Status.LATER, (), ""),)

_LATER: tuple[Option, ...] = tuple(
    Option(name, group, kind, default, Status.LATER, (), "")
    for group, rows in _DOCUMENTED.items()
    for name, kind, default in rows
)

FORMAT_OPTIONS: tuple[Option, ...] = (
    *(
        Option(name, Group.JSON, kind, default, Status.WORKS, (), about)
        for name, kind, default, about in _JSON
    ),
    *_JSON_LATER,
    *_PARQUET,
    *(
        Option(name, Group.TEXT, kind, default, Status.WORKS, (), about)
        for name, kind, default, about in _TEXT_FILES
    ),
    *_LATER,
)
"""One row per option and format."""

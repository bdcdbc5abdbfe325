"""The documented options of the formats that come later: JSON, XML, Parquet, Avro, ORC, text.

binaryFile has none (Databricks, "Auto Loader options").
"""

from __future__ import annotations

from ingest.options.option_types import Group, Kind, Option, Status

_FLAG, _TEXT = Kind.FLAG, Kind.TEXT
_TIMESTAMP_FORMAT = "yyyy-MM-dd'T'HH:mm:ss[.SSS][XXX]"

_DOCUMENTED: dict[Group, tuple[tuple[str, Kind, str | None], ...]] = {
    Group.JSON: (
        ("allowBackslashEscapingAnyCharacter", _FLAG, "false"),
        ("allowComments", _FLAG, "false"),
        ("allowNonNumericNumbers", _FLAG, "true"),
        ("allowNumericLeadingZeros", _FLAG, "false"),
        ("allowSingleQuotes", _FLAG, "true"),
        ("allowUnquotedControlChars", _FLAG, "false"),
        ("allowUnquotedFieldNames", _FLAG, "false"),
        ("badRecordsPath", _TEXT, None),
        ("columnNameOfCorruptRecord", _TEXT, "_corrupt_record"),
        ("dateFormat", _TEXT, "yyyy-MM-dd"),
        ("dropFieldIfAllNull", _FLAG, "false"),
        ("encoding", _TEXT, "UTF-8"),
        ("charset", _TEXT, "UTF-8"),
        ("inferTimestamp", _FLAG, "false"),
        ("lineSep", _TEXT, None),
        ("locale", _TEXT, "US"),
        ("mode", _TEXT, "PERMISSIVE"),
        ("multiLine", _FLAG, "false"),
        ("prefersDecimal", _FLAG, "false"),
        ("primitivesAsString", _FLAG, "false"),
        ("singleVariantColumn", _TEXT, None),
        ("timestampFormat", _TEXT, _TIMESTAMP_FORMAT),
        ("timeZone", _TEXT, None),
    ),
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
    Group.PARQUET: (
        ("datetimeRebaseMode", _TEXT, "LEGACY"),
        ("int96RebaseMode", _TEXT, "LEGACY"),
        ("mergeSchema", _FLAG, "false"),
    ),
    Group.AVRO: (
        ("avroSchema", _TEXT, None),
        ("datetimeRebaseMode", _TEXT, "LEGACY"),
        ("mergeSchema", _FLAG, "false"),
    ),
    Group.ORC: (("mergeSchema", _FLAG, "false"),),
    Group.TEXT: (
        ("encoding", _TEXT, "UTF-8"),
        ("lineSep", _TEXT, None),
        ("wholeText", _FLAG, "false"),
    ),
}

FORMAT_OPTIONS: tuple[Option, ...] = tuple(
    Option(name, group, kind, default, Status.LATER, (), "")
    for group, rows in _DOCUMENTED.items()
    for name, kind, default in rows
)
"""One row per option and format."""

"""Delta's table properties: spelling, kind of value, and what becomes of them here.

Pure. Source: Delta, "Table properties" and `DeltaConfigs`. A key below `delta.` that is not in the
table is an error there, and here.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from ingest.errors import TablePropertyError

if TYPE_CHECKING:
    from collections.abc import Mapping


class ValueKind(Enum):
    """What a property's value has to look like; the text is for messages."""

    FLAG = "true or false"
    COUNT = "a whole number of at least 1"
    INDEX_COUNT = "a whole number of at least -1"
    INTERVAL = "an interval of days, hours, …: interval 30 days"
    MAPPING = "none or name"
    ISOLATION = "Serializable or WriteSerializable"
    TEXT = "a text"
    VERSION = "a version number"
    """Not stored: the protocol follows from the features that are needed."""
    FORBIDDEN = "no value: it cannot be set here"


@dataclass(frozen=True, slots=True)
class CheckedProperties:
    """Properties to store, in Delta's spelling, and features to list (`delta.feature.*`)."""

    stored: dict[str, str]
    features: tuple[str, ...]


_F, _C, _I, _T, _N = (
    ValueKind.FLAG,
    ValueKind.COUNT,
    ValueKind.INTERVAL,
    ValueKind.TEXT,
    ValueKind.FORBIDDEN,
)

PROPERTIES: dict[str, ValueKind] = {
    "appendOnly": _F,
    "autoOptimize.autoCompact": _T,
    "autoOptimize.optimizeWrite": _F,
    "checkpoint.writeStatsAsJson": _F,
    "checkpoint.writeStatsAsStruct": _F,
    "checkpointInterval": _C,
    "checkpointPolicy": _N,
    "checkpointRetentionDuration": _I,
    "columnMapping.mode": ValueKind.MAPPING,
    "columnMapping.maxColumnId": _N,
    "compatibility.symlinkFormatManifest.enabled": _N,
    "dataSkippingNumIndexedCols": ValueKind.INDEX_COUNT,
    "dataSkippingStatsColumns": _N,
    "deletedFileRetentionDuration": _I,
    "enableChangeDataFeed": _F,
    "enableDeletionVectors": _F,
    "enableExpiredLogCleanup": _F,
    "enableFullRetentionRollback": _F,
    "enableIcebergCompatV1": _N,
    "enableIcebergCompatV2": _N,
    "enableInCommitTimestamps": _N,
    "enableRowTracking": _N,
    "enableTypeWidening": _F,
    "enableVariantShredding": _N,
    "ignoreProtocolDefaults": _F,
    "isolationLevel": ValueKind.ISOLATION,
    "logRetentionDuration": _I,
    "minReaderVersion": ValueKind.VERSION,
    "minWriterVersion": ValueKind.VERSION,
    "parquet.compression.codec": _N,
    "randomizeFilePrefixes": _N,
    "randomPrefixLength": _N,
    "sampleRetentionDuration": _I,
    "setTransactionRetentionDuration": _I,
    "targetFileSize": _T,
    "tuneFileSizesForRewrites": _F,
    "universalFormat.enabledFormats": _N,
}
"""By name after `delta.`; one that asks for what is not done here is forbidden."""

FEATURES = ("appendOnly", "invariants", "changeDataFeed", "columnMapping", "deletionVectors")
"""Features that `delta.feature.<name>` = `supported` may list, beside the following."""

_MORE_FEATURES = ("timestampNtz", "typeWidening", "domainMetadata", "vacuumProtocolCheck")
_PREFIX, _FEATURE, _CONSTRAINT = "delta.", "delta.feature.", "delta.constraints."
_BY_KEY = {f"{_PREFIX}{name}".lower(): name for name in PROPERTIES}
_INTERVAL = re.compile(
    r"(interval\s+)?(\d+\s+(week|day|hour|minute|second|millisecond|microsecond)s?\s*)+"
)
_CHOICES = {
    ValueKind.FLAG: ("true", "false"),
    ValueKind.MAPPING: ("none", "name"),  # not id: such files are not read here
    ValueKind.ISOLATION: ("Serializable", "WriteSerializable"),
}


def check_properties(properties: Mapping[str, str]) -> CheckedProperties:
    """Check names and values; keys below `delta.` ignore case, others are free.

    Raises `TablePropertyError` (`DELTA_UNKNOWN_CONFIGURATION`) that names the key.

    >>> check_properties({"DELTA.appendonly": "TRUE", "owner": "me"}).stored
    {'delta.appendOnly': 'true', 'owner': 'me'}
    """
    stored: dict[str, str] = {}
    features: list[str] = []
    for key, value in properties.items():
        lower = key.lower()
        if not lower.startswith(_PREFIX):
            stored[key] = value
        elif lower.startswith(_FEATURE):
            features.append(_feature(key, value))
        else:
            name, text = _checked(key, value)
            if PROPERTIES[name] is not ValueKind.VERSION:
                stored[f"{_PREFIX}{name}"] = text
    return CheckedProperties(stored, tuple(features))


def property_name(key: str) -> str:
    """Give a key in Delta's spelling; one that is no known `delta.` key stays as it is."""
    known = _BY_KEY.get(key.lower())
    return key if known is None else f"{_PREFIX}{known}"


def _checked(key: str, value: str) -> tuple[str, str]:
    name = _BY_KEY.get(key.lower())
    if name is None:
        raise _unknown(key)
    kind = PROPERTIES[name]
    text = _value(kind, value.strip())
    if text is None:
        raise TablePropertyError(
            f"{_PREFIX}{name}",
            value,
            expected=kind.value,
            remedy="Correct the value, or leave the property out.",
        )
    return name, text


def _value(kind: ValueKind, value: str) -> str | None:
    """Give the value as it is stored; None when it is not of the kind."""
    match kind:
        case ValueKind.FLAG | ValueKind.MAPPING | ValueKind.ISOLATION:
            return next((one for one in _CHOICES[kind] if one.lower() == value.lower()), None)
        case ValueKind.COUNT | ValueKind.VERSION:
            return value if value.isascii() and value.isdecimal() and int(value) > 0 else None
        case ValueKind.INDEX_COUNT:
            return value if re.fullmatch(r"-1|[0-9]{1,9}", value) else None
        case ValueKind.INTERVAL:
            return value if _INTERVAL.fullmatch(value.lower()) else None
        case ValueKind.TEXT:
            return value
        case ValueKind.FORBIDDEN:
            return None


def _feature(key: str, value: str) -> str:
    named = key[len(_FEATURE) :]
    allowed = (*FEATURES, *_MORE_FEATURES)
    name = next((one for one in allowed if one.lower() == named.lower()), None)
    if name is None or value.lower() != "supported":
        raise TablePropertyError(
            key,
            value,
            expected=f"'supported', for one of the features {', '.join(allowed)}",
            remedy="Correct the property, or leave it out.",
        )
    return name


def _unknown(key: str) -> TablePropertyError:
    if key.lower().startswith(_CONSTRAINT):
        remedy = "Constraints are not checked here: add them with Spark."
    else:
        names = [f"{_PREFIX}{name}" for name in PROPERTIES]
        near = difflib.get_close_matches(key, names, n=1, cutoff=0.7)
        remedy = f"Did you mean {near[0]}?" if near else "Correct the name, or leave it out."
    return TablePropertyError(
        key, None, expected="a table property of Delta's, or a name without delta.", remedy=remedy
    )

"""Which features of a table a write honours, and how a protocol gets new ones (PROTOCOL.md).

A table that uses something a plain append would break is refused by name; a feature that is only
listed, and not in use, does no harm.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import orjson

from ingest.delta.actions import Protocol
from ingest.errors import UnsupportedTableFeatureError
from schema_store.types import (
    ArrayType,
    DataType,
    MapType,
    StructType,
    TimestampNTZType,
    VariantType,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ingest.delta.actions import Metadata
    from schema_store.types import Field, Schema

TYPE_WIDENING = "typeWidening"
TIMESTAMP_NTZ = "timestampNtz"
COLUMN_MAPPING = "columnMapping"

_LEGACY_WRITER_FEATURES = (
    (2, "appendOnly"),
    (2, "invariants"),
    (3, "checkConstraints"),
    (4, "changeDataFeed"),
    (4, "generatedColumns"),
    (5, COLUMN_MAPPING),
    (6, "identityColumns"),
)
_LEGACY_READER_FEATURES = ((2, COLUMN_MAPPING),)
_READER_VERSION, _WRITER_VERSION = 3, 7
_READER_WRITER = frozenset({TYPE_WIDENING, TIMESTAMP_NTZ, COLUMN_MAPPING, "deletionVectors"})

_HARMLESS = frozenset(
    {
        "appendOnly",  # appends are what it allows
        "changeDataFeed",  # readers derive inserts from plain add actions
        "deletionVectors",  # new files have none
        "domainMetadata",
        "clustering",  # new files are unclustered; statistics are there
        "vacuumProtocolCheck",
        "v2Checkpoint",  # no checkpoint is written by us then
        "checkpointProtection",
        "typeWidening-preview",
        TYPE_WIDENING,
        TIMESTAMP_NTZ,
        COLUMN_MAPPING,
        # looked for where they are in use, in fields and properties:
        "invariants",
        "checkConstraints",
        "generatedColumns",
        "identityColumns",
        "allowColumnDefaults",
        "icebergCompatV1",
        "icebergCompatV2",
        "inCommitTimestamp",
        "variantType",
        "variantType-preview",
    }
)
_FIELD_KEYS = {
    "delta.invariants": "invariants",
    "delta.generationExpression": "generatedColumns",
    "delta.identity.start": "identityColumns",
    "CURRENT_DEFAULT": "allowColumnDefaults",
}
_FLAGS = {
    "delta.enableIcebergCompatV1": "icebergCompatV1",
    "delta.enableIcebergCompatV2": "icebergCompatV2",
    "delta.enableInCommitTimestamps": "inCommitTimestamp",
}
_CONSTRAINT = "delta.constraints."


def is_on(configuration: Mapping[str, str], key: str) -> bool:
    """Tell whether a property is true."""
    return configuration.get(key, "false").lower() == "true"


def widens_types(configuration: Mapping[str, str]) -> bool:
    """Tell whether the table's columns may widen."""
    return is_on(configuration, "delta.enableTypeWidening")


def writer_features(protocol: Protocol) -> frozenset[str]:
    """Give the features that writers have to honour; legacy versions imply theirs."""
    if protocol.min_writer_version >= _WRITER_VERSION:
        return frozenset(protocol.writer_features or ())
    return frozenset(_implied(protocol.min_writer_version, _LEGACY_WRITER_FEATURES))


def check_writable(place: str, protocol: Protocol, metadata: Metadata) -> None:
    """Refuse a table that a plain append of ours could damage.

    Raises `UnsupportedTableFeatureError` with the feature's name.
    """
    version = (protocol.min_reader_version, protocol.min_writer_version)
    if version[0] > _READER_VERSION or version[1] > _WRITER_VERSION:
        raise UnsupportedTableFeatureError(
            place, f"protocol {version}", reason="it is newer than (3, 7)"
        )
    for feature in sorted(writer_features(protocol) - _HARMLESS):
        raise UnsupportedTableFeatureError(
            place, feature, reason="a write has to do more than is done here"
        )
    for feature, where in _in_use(metadata):
        raise UnsupportedTableFeatureError(place, feature, reason=f"it is in use ({where})")


def _in_use(metadata: Metadata) -> Iterator[tuple[str, str]]:
    for key in metadata.configuration:
        if key.startswith(_CONSTRAINT):
            yield "checkConstraints", key
    for key, feature in _FLAGS.items():
        if is_on(metadata.configuration, key):
            yield feature, key
    for field in _fields(metadata.schema):
        if isinstance(field.data_type, VariantType):
            yield "variantType", field.name
        if field.metadata != "{}":
            known = orjson.loads(field.metadata)
            yield from ((_FIELD_KEYS[key], field.name) for key in known if key in _FIELD_KEYS)


def needed_features(schema: Schema, configuration: Mapping[str, str]) -> tuple[str, ...]:
    """Give the features that a table of these columns and properties has to list."""
    needed = []
    if any(isinstance(kind, TimestampNTZType) for kind in _types(schema)):
        needed.append(TIMESTAMP_NTZ)
    if widens_types(configuration):
        needed.append(TYPE_WIDENING)
    if configuration.get("delta.columnMapping.mode", "none").lower() != "none":
        needed.append(COLUMN_MAPPING)
    if is_on(configuration, "delta.enableDeletionVectors"):
        needed.append("deletionVectors")
    if is_on(configuration, "delta.enableChangeDataFeed"):
        needed.append("changeDataFeed")
    if is_on(configuration, "delta.appendOnly"):
        needed.append("appendOnly")
    if any(not field.nullable for field in _fields(schema)):
        needed.append("invariants")
    return tuple(needed)


def with_features(protocol: Protocol, features: Iterable[str]) -> Protocol:
    """Give the protocol that supports these features as well.

    A legacy version becomes a table-features version that lists what it implied.
    """
    wanted = tuple(features)
    supported = writer_features(protocol)
    if "typeWidening-preview" in supported:
        wanted = tuple(feature for feature in wanted if feature != TYPE_WIDENING)
    if supported.issuperset(wanted):
        return protocol
    reader_version, names = protocol.min_reader_version, protocol.reader_features
    reads = [feature for feature in wanted if feature in _READER_WRITER]
    if reads:
        implied = _implied(reader_version, _LEGACY_READER_FEATURES)
        names = _joined(implied if names is None else names, reads)
        reader_version = _READER_VERSION
    old_writer = protocol.writer_features
    implied = _implied(protocol.min_writer_version, _LEGACY_WRITER_FEATURES)
    return replace(
        protocol,
        min_reader_version=reader_version,
        min_writer_version=_WRITER_VERSION,
        reader_features=names,
        writer_features=_joined(implied if old_writer is None else old_writer, wanted),
    )


LEGACY = Protocol(1, 2)
"""The protocol of a table that needs no feature, as Spark makes it."""


def _implied(version: int, features: tuple[tuple[int, str], ...]) -> tuple[str, ...]:
    return tuple(name for since, name in features if since <= version)


def _joined(known: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *more)))


def _fields(data_type: DataType) -> Iterator[Field]:
    match data_type:
        case StructType(fields):
            for field in fields:
                yield field
                yield from _fields(field.data_type)
        case ArrayType(element):
            yield from _fields(element)
        case MapType(key, value):
            yield from _fields(key)
            yield from _fields(value)
        case _:
            pass


def _types(data_type: DataType) -> Iterator[DataType]:
    yield data_type
    match data_type:
        case StructType(fields):
            for field in fields:
                yield from _types(field.data_type)
        case ArrayType(element):
            yield from _types(element)
        case MapType(key, value):
            yield from _types(key)
            yield from _types(value)
        case _:
            pass

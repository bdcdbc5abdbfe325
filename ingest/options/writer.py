"""From what `writeStream` was told to frozen values."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from ingest.options.given import given_options
from ingest.options.known import PROPERTY, remark_writer_options
from ingest.options.table_properties import check_properties
from ingest.stream_options import WriterOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ingest.options.given import GivenOptions

AUTO_MERGE = "spark.databricks.delta.schema.autoMerge.enabled"
"""The session's `mergeSchema`."""

PROPERTY_DEFAULTS = "spark.databricks.delta.properties.defaults."
"""What the session's configuration calls the properties of tables that are made."""


def resolve_writer_options(
    raw: Mapping[str, object],
    *,
    conf: Mapping[str, object] = MappingProxyType({}),
    locate: Callable[[str], Path] = Path,
) -> WriterOptions:
    """Check the options of `writeStream` (contract 1.1, 1.2).

    Table properties are what the session's configuration has as defaults, and then what options
    named `delta.<property>` say. Options without an effect become notes, unknown ones warnings.
    Raises an `OptionError` for a bad value, `TablePropertyError` for a bad property.
    """
    given = given_options(raw)
    remarks = remark_writer_options(given.texts)
    checkpoint = given.name("checkpointLocation")
    return WriterOptions(
        checkpoint_location=None if checkpoint is None else locate(checkpoint),
        path=given.name("path"),
        merge_schema=_merges_schema(given, conf),
        properties=_properties(given, conf),
        warnings=remarks.warnings,
        notes=remarks.notes,
    )


def told_properties(raw: Mapping[str, object]) -> Mapping[str, str]:
    """Give only the table properties that options named `delta.<property>` tell.

    Raises `TablePropertyError` for a bad one.
    """
    return check_properties(_told_properties(given_options(raw))).stored


def _merges_schema(given: GivenOptions, conf: Mapping[str, object]) -> bool:
    """Tell whether new columns go into the table; an option wins over the configuration."""
    option = given.flag("mergeSchema")
    if option is not None:
        return option
    session = {key: conf[key] for key in (AUTO_MERGE,) if key in conf}
    return given_options(session).flag(AUTO_MERGE) or False


def _told_properties(given: GivenOptions) -> dict[str, str]:
    return {key: text for key, text in given.texts.items() if key.startswith(PROPERTY)}


def _properties(given: GivenOptions, conf: Mapping[str, object]) -> Mapping[str, str]:
    defaults = given_options(
        {
            PROPERTY + key[len(PROPERTY_DEFAULTS) :]: value
            for key, value in conf.items()
            if key.lower().startswith(PROPERTY_DEFAULTS.lower())
        }
    )
    checked = check_properties({**defaults.texts, **_told_properties(given)})
    features = {f"delta.feature.{name}": "supported" for name in checked.features}
    return MappingProxyType({**checked.stored, **features})

"""Which options exist, which have an effect, and what to say of the others."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.errors import UnknownOptionKeysError, UnsupportedOptionError
from ingest.options.option_table import READER_OPTIONS, WRITER_OPTIONS
from ingest.options.option_types import Group, Option, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ingest.stream_options import StreamOptions

PREFIX = "cloudfiles."
PROPERTY = "delta."
"""How the name of an option begins that is a property of a Delta table."""

_CONSOLE_ONLY = frozenset({"numrows", "truncate"})
_RESOURCE_TAG = "cloudfiles.resourcetag."
_EVERY_FORMAT = (Group.COMMON, Group.CLOUD, Group.GENERIC)
KNOWN_CONF = (
    "spark.sql.session.timeZone",
    "spark.sql.columnNameOfCorruptRecord",
    "spark.databricks.cloudFiles.schemaInference.sampleSize.numFiles",
    "spark.databricks.cloudFiles.schemaInference.sampleSize.numBytes",
    "spark.databricks.sql.rescuedDataColumn.filePath.enabled",
    "spark.databricks.delta.schema.autoMerge.enabled",
    "spark.databricks.delta.properties.defaults.<property>",
    "ingest.watch",
    "ingest.settleTime",
)
"""The session's configuration that has an effect."""

CONF_DEFAULTS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.columnNameOfCorruptRecord": "_corrupt_record",
    "spark.databricks.sql.rescuedDataColumn.filePath.enabled": "true",
    "spark.databricks.delta.schema.autoMerge.enabled": "false",
    "ingest.watch": "false",
    "ingest.settleTime": "500 milliseconds",
}
"""What they stand at when they are not set (contract 11.18)."""

_PROPERTY_DEFAULTS = "spark.databricks.delta.properties.defaults."
_OTHER_NAMES = {"filenamepattern": "pathGlobFilter", "casesensitive": "readerCaseSensitive"}
"""What other readers of files call it (Databricks `read_files`)."""


@dataclass(frozen=True, slots=True)
class Remarks:
    """What is to be said of the options that were given."""

    unknown_keys: tuple[str, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]


def remark_reader_options(texts: Mapping[str, str], group: Group) -> Remarks:
    """Look up every option of `readStream` for a format.

    Raises `UnsupportedOptionError` for one that comes later and is not left at its default.
    """
    known = _by_key(READER_OPTIONS, (*_EVERY_FORMAT, group))
    refuse_later(texts, known)
    unknown = [key for key in texts if key not in known and not key.startswith(_RESOURCE_TAG)]
    return Remarks(
        tuple(f"cloudFiles.{key[len(PREFIX) :]}" for key in unknown if key.startswith(PREFIX)),
        tuple(_warning(key, group) for key in unknown if not key.startswith(PREFIX)),
        _notes(texts, known),
    )


def remark_writer_options(texts: Mapping[str, str]) -> Remarks:
    """Look up every option of `writeStream`.

    Raises `UnsupportedOptionError` for one that comes later and is not left at its default.
    """
    known = _by_key(WRITER_OPTIONS, (Group.WRITER,))
    refuse_later(texts, known)
    unknown = [key for key in texts if key not in known and not key.startswith(PROPERTY)]
    return Remarks((), tuple(map(_writer_warning, unknown)), _notes(texts, known))


def misplaced_options(names: Iterable[str], sink: str) -> tuple[str, ...]:
    """Name the options that are for another sink than this one, a warning for each."""
    owners = {name: _owner(name.lower()) for name in names}
    return tuple(
        f"{name} has no effect here; it is for {owner}, not for {sink}"
        for name, owner in owners.items()
        if owner not in {None, sink}
    )


def remark_conf(keys: Iterable[str]) -> tuple[str, ...]:
    """Name the session's configuration keys that mean nothing here, in one warning at most."""
    known = {key.lower() for key in KNOWN_CONF}
    unknown = sorted(
        key
        for key in keys
        if key.lower() not in known and not key.lower().startswith(_PROPERTY_DEFAULTS)
    )
    return (f"configuration without an effect here: {', '.join(unknown)}",) if unknown else ()


def check_known(options: StreamOptions) -> None:
    """Refuse `cloudFiles.*` keys that do not exist; called when the stream starts (contract 1.3).

    Raises `UnknownOptionKeysError`.
    """
    if options.unknown_keys:
        near = (suggestion(key) for key in options.unknown_keys)
        raise UnknownOptionKeysError(
            options.unknown_keys, tuple(name for name in near if name is not None)
        )


def suggestion(key: str) -> str | None:
    """Find the documented option that was probably meant, with or without the prefix."""
    bare = key.lower().removeprefix(PREFIX)
    if bare in _OTHER_NAMES:
        return _OTHER_NAMES[bare]
    names = {
        option.key.removeprefix(PREFIX): option.name
        for option in (*WRITER_OPTIONS, *READER_OPTIONS)
    }
    near = difflib.get_close_matches(bare, names, n=1, cutoff=0.7)
    return names[near[0]] if near else None


def refuse_later(texts: Mapping[str, str], known: Mapping[str, Option]) -> None:
    """Refuse the first option that this version does not implement yet."""
    for key, text in texts.items():
        option = known.get(key)
        if option and option.status is Status.LATER and not option.is_neutral(text):
            supported = f"{option.default}, the default" if option.neutral else "it to be left out"
            raise UnsupportedOptionError(
                option.name, text, supported=supported, remedy=option.about
            )


def _by_key(options: Iterable[Option], groups: tuple[Group, ...]) -> dict[str, Option]:
    return {option.key: option for option in options if option.group in groups}


def _warning(key: str, group: Group) -> str:
    others = [option for option in READER_OPTIONS if option.key == key]
    if others:
        formats = ", ".join(option.group.value for option in others)
        return f"{others[0].name} has no effect on {group.value} files; it is for {formats}"
    writer = next((option for option in WRITER_OPTIONS if option.key == key), None)
    if writer:
        return f"{writer.name} has no effect here; it belongs to writeStream"
    return f"unknown option {key}{_did_you_mean(key)}"


def _writer_warning(key: str) -> str:
    reader = next((option for option in READER_OPTIONS if option.key == key), None)
    if reader or key.startswith(PREFIX):
        name = reader.name if reader else key
        return f"{name} has no effect here; it belongs to readStream"
    return f"unknown option {key} of writeStream{_did_you_mean(key)}"


def _owner(key: str) -> str | None:
    """Give the only sink that an option is for, if there is one."""
    if key.startswith(PROPERTY):
        return "delta"
    return "console" if key in _CONSOLE_ONLY else None


def _did_you_mean(key: str) -> str:
    near = suggestion(key)
    return f"; did you mean {near}?" if near else "; it has no effect"


def _notes(texts: Mapping[str, str], known: Mapping[str, Option]) -> tuple[str, ...]:
    given = [known[key] for key in texts if key in known]
    cloud = [option.name for option in given if option.status is Status.CLOUD_ONLY]
    cloud += [
        f"cloudFiles.resourceTag.{key[len(_RESOURCE_TAG) :]}"
        for key in texts
        if key.startswith(_RESOURCE_TAG)
    ]
    notes = [
        f"{option.name} has no effect here" + (f": {option.about}" if option.about else "")
        for option in given
        if option.status is Status.NO_EFFECT
    ]
    if cloud:
        notes.append(f"no effect without a cloud: {', '.join(cloud)}")
    return tuple(notes)

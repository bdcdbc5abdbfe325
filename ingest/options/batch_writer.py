"""From what a batch `write` was told to frozen values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.errors import (
    OptionConflictError,
    OptionValueError,
    SaveModeError,
    UnsupportedOptionError,
)
from ingest.options.given import given_options
from ingest.options.known import suggestion
from ingest.options.option_table import WRITER_OPTIONS
from ingest.options.writer import resolve_writer_options
from ingest.stream_options import BatchOptions, SaveMode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.options.given import GivenOptions

_OWN = frozenset({"overwriteschema", "txnappid", "txnversion"})
_STREAM_ONLY = {
    "checkpointlocation": "checkpointLocation has no effect here; it belongs to writeStream",
}
_KNOWN = _OWN | ({option.key for option in WRITER_OPTIONS} - _STREAM_ONLY.keys())
_REFUSED = {
    "replaceWhere": "Write the whole table with mode overwrite, or use real Spark.",
    "partitionOverwriteMode": "Write the whole table with mode overwrite, or use real Spark.",
}


_MODES = {
    "append": SaveMode.APPEND,
    "overwrite": SaveMode.OVERWRITE,
    "ignore": SaveMode.IGNORE,
    "error": SaveMode.ERROR,
    "errorifexists": SaveMode.ERROR,
    "default": SaveMode.ERROR,
}


def parse_save_mode(text: str) -> SaveMode:
    """Understand a save mode, in any case; raises `SaveModeError`."""
    mode = _MODES.get(text.lower())
    if mode is None:
        raise SaveModeError(text)
    return mode


def resolve_batch_options(raw: Mapping[str, object], *, conf: Mapping[str, object]) -> BatchOptions:
    """Check the options of `write` (Delta's `DeltaOptions`); unknown ones become warnings.

    Raises an `OptionError` for a bad value, or one that would be silently wrong to leave out.
    """
    given = given_options(raw)
    for key, remedy in _REFUSED.items():
        text = given.text(key)
        if text is not None:
            raise UnsupportedOptionError(key, text, supported="it to be left out", remedy=remedy)
    unknown = [key for key in given.texts if key not in _KNOWN and not key.startswith("delta.")]
    shared = {
        key: value
        for key, value in raw.items()
        if key.lower() not in _OWN and key.lower() not in unknown
    }
    stream = resolve_writer_options(shared, conf=conf)
    return BatchOptions(
        path=stream.path,
        merge_schema=stream.merge_schema,
        overwrite_schema=given.flag("overwriteSchema") or False,
        transaction=_transaction(given),
        properties=stream.properties,
        warnings=(*stream.warnings, *map(_warning, unknown)),
        notes=stream.notes,
    )


def _warning(key: str) -> str:
    if key in _STREAM_ONLY:
        return _STREAM_ONLY[key]
    near = suggestion(key)
    said = f"did you mean {near}?" if near else "it has no effect"
    return f"unknown option {key} of write; {said}"


def _transaction(given: GivenOptions) -> tuple[str, int] | None:
    """Read what makes a write in `foreachBatch` happen once (Databricks, "Idempotent writes")."""
    application, version = given.name("txnAppId"), given.text("txnVersion")
    if application is None and version is None:
        return None
    if application is None or version is None:
        raise OptionConflictError(
            ("txnAppId", "txnVersion"),
            found="one of the two",
            expected="both, or neither",
            remedy="Give an id of the stream and the batch id.",
        )
    if not version.isdecimal():
        raise OptionValueError("txnVersion", version, allowed="a whole number from 0 on")
    return application, int(version)

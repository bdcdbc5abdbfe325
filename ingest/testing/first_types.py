"""Which value decided the types of a first inference: for the message of a schema that differs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ingest.errors import IngestError
from ingest.insight.inferring import infer_files
from ingest.options import resolve_options
from ingest.replay.trial import file_name
from schema_store.errors import SchemaStoreError
from schema_store.type_names import path_text, type_to_sql

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ingest.insight.origins import TypeChange
    from ingest.replay.trial import TrialSettings

_LOCATION = "cloudFiles.schemaLocation"


def first_types(
    files: Sequence[Path], settings: TrialSettings, *, at: dt.datetime
) -> Mapping[str, str]:
    """Give, for each column, the file and the value that decided its type; {} when unknown.

    Files may have changed or gone since they were inferred.
    """
    reader = {_LOCATION: "not used", **settings.reader}
    if settings.mode is not None:
        reader["cloudFiles.schemaEvolutionMode"] = settings.mode.value
    try:
        options = resolve_options(reader, conf=settings.conf, user_schema=None, today=at.date())
        found = infer_files([os.fspath(file) for file in files if file.exists()], options)
    except (IngestError, SchemaStoreError, OSError):
        return {}
    decided = {column.path: column.origin.decided for column in found.columns if column.origin}
    return {path_text(path): _text(change) for path, change in decided.items() if change}


def _text(change: TypeChange) -> str:
    where = file_name(change.file)
    if change.row is not None:
        where += f", row {change.row}"
    value = "" if change.value is None else f": {change.value!r}"
    was = "" if change.was is None else f", {type_to_sql(change.was)} before it"
    return f"{where}{value}{was}"

"""From what `writeStream` was told to frozen values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ingest.options.given import given_options
from ingest.options.known import remark_writer_options
from ingest.stream_options import WriterOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def resolve_writer_options(
    raw: Mapping[str, object],
    *,
    locate: Callable[[str], Path] = Path,
) -> WriterOptions:
    """Check the options of `writeStream` (contract 1.1, 1.2).

    Options without an effect become notes, unknown ones warnings. Raises an `OptionError` for a bad
    value.
    """
    given = given_options(raw)
    remarks = remark_writer_options(given.texts)
    checkpoint = given.name("checkpointLocation")
    return WriterOptions(
        checkpoint_location=None if checkpoint is None else locate(checkpoint),
        path=given.name("path"),
        warnings=remarks.warnings,
        notes=remarks.notes,
    )

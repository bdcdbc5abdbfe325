"""What a batch `read` was told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.errors import OptionValueError, UnsupportedOptionError
from ingest.options.given import given_options
from ingest.stream_options import TableReadOptions

if TYPE_CHECKING:
    from collections.abc import Mapping


def resolve_read_options(raw: Mapping[str, object]) -> TableReadOptions:
    """Read `path` and `versionAsOf`; raises an `OptionError` for any other option."""
    given = given_options(raw)
    known = {"path", "versionasof"}
    other = next((key for key in given.texts if key not in known), None)
    if other is not None:
        raise UnsupportedOptionError(
            other,
            given.texts[other],
            supported="path, versionAsOf",
            remedy="Leave it out; the table knows its own schema.",
        )
    version = given.text("versionAsOf")
    if version is not None and not version.isdecimal():
        raise OptionValueError("versionAsOf", version, allowed="a whole number from 0 on")
    return TableReadOptions(given.name("path"), None if version is None else int(version))

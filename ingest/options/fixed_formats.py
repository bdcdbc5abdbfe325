"""Parquet, and the formats whose schema is fixed: `text` and `binaryFile`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.errors import OptionConflictError, OptionValueError, UnsupportedEvolutionModeError
from ingest.formats.fixed_schemas import FIXED_SCHEMAS
from ingest.options.encodings import ENCODINGS, find_codec
from ingest.stream_options import ParquetOptions, Rebase, TextFileOptions
from schema_store.ddl import to_ddl
from schema_store.evolution import EvolutionMode
from schema_store.types import StringType

if TYPE_CHECKING:
    from ingest.options.given import GivenOptions
    from schema_store.types import Schema

BINARY_FILE = "binaryFile"
TEXT = "text"
_MODE = "cloudFiles.schemaEvolutionMode"


def parquet_options(given: GivenOptions) -> ParquetOptions:
    """Resolve how old dates are read (Databricks, "Parquet options")."""
    given.flag("mergeSchema")  # has no effect, but has to be a flag
    return ParquetOptions(_rebase(given, "datetimeRebaseMode"), _rebase(given, "int96RebaseMode"))


def text_file_options(given: GivenOptions) -> TextFileOptions:
    """Resolve how text is cut into rows (Spark `TextOptions`)."""
    name = given.text("encoding") or "UTF-8"
    codec = find_codec(name)
    if codec is None:
        raise OptionValueError("encoding", name, allowed=f"one of {', '.join(ENCODINGS)}")
    separator = given.text("lineSep")
    if separator == "":
        raise OptionValueError("lineSep", separator, allowed="at least one character")
    return TextFileOptions(codec, separator, given.flag("wholeText") or False)


def check_fixed_mode(given: GivenOptions, format_name: str, user_schema: Schema | None) -> None:
    """Refuse any mode but `none` for `binaryFile`, the default included (contract 4.1)."""
    if format_name != BINARY_FILE:
        return
    default = EvolutionMode.NONE if user_schema is not None else EvolutionMode.ADD_NEW_COLUMNS
    text = given.text(_MODE) or default.value
    if text.lower() != EvolutionMode.NONE.value:
        raise UnsupportedEvolutionModeError(text, format_name)


def fixed_schema(format_name: str, user_schema: Schema | None) -> Schema | None:
    """Give the schema of the stream: the user's if it fits the format, else the format's own.

    Raises `OptionConflictError`.
    """
    fixed = FIXED_SCHEMAS.get(format_name)
    if fixed is None or user_schema is None:
        return user_schema if fixed is None else fixed
    fits = (
        len(user_schema) > 0 and isinstance(user_schema.fields[0].data_type, StringType)
        if format_name == TEXT
        else all(fixed.find(one.name) in {None, one} for one in user_schema)
    )
    if fits:
        return user_schema
    raise OptionConflictError(
        ("schema", "cloudFiles.format"),
        found=f"the schema {to_ddl(user_schema)} for {format_name} files",
        expected=f"the columns of this format: {to_ddl(fixed)}",
        remedy="Leave the schema out.",
    )


def _rebase(given: GivenOptions, key: str) -> Rebase:
    text = given.choice(key, tuple(mode.value for mode in Rebase))
    return Rebase.LEGACY if text is None else Rebase(text)

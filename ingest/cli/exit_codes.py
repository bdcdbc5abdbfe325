"""What the command line makes of an error: an exit code and one message."""

from __future__ import annotations

from enum import IntEnum

from ingest.errors import (
    IngestError,
    OptionError,
    TableFormatError,
    TablePropertyError,
    UnknownFieldException,
)
from schema_store.errors import (
    DdlError,
    HintError,
    InvalidSchemaError,
    MetadataLogError,
    SchemaJsonError,
    SchemaStoreError,
    UnknownEvolutionModeError,
)


class ExitCode(IntEnum):
    """How a command ended."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    EVOLVED = 3
    REFUSED = 4
    UNEXPECTED = 5
    INTERRUPTED = 130


_USAGE = (
    OptionError,
    TableFormatError,
    TablePropertyError,
    HintError,
    DdlError,
    InvalidSchemaError,
    SchemaJsonError,
    UnknownEvolutionModeError,
)


def exit_code(error: BaseException | None) -> ExitCode:
    """Choose the exit code."""
    match error:
        case None:
            return ExitCode.DONE
        case UnknownFieldException(retryable=True):
            return ExitCode.EVOLVED
        case UnknownFieldException():
            return ExitCode.REFUSED
        case _:
            return ExitCode.USAGE if isinstance(error, _USAGE) else ExitCode.FAILED


def describe(error: BaseException) -> str:
    """Give an error as one message; one that nobody foresaw is told as such."""
    if isinstance(error, (IngestError, SchemaStoreError, OSError)):
        return str(error)
    return f"unexpected {type(error).__name__}: {error}; this is a bug, please report it"


def error_to_json(error: BaseException) -> dict[str, object]:
    """Give an error with its facts for the JSON document."""
    facts: dict[str, object] = {"type": type(error).__name__, "message": str(error)}
    if isinstance(error, IngestError):
        facts["condition"] = error.condition
    if isinstance(error, (IngestError, MetadataLogError)):
        facts |= {
            "where": error.where,
            "found": error.found,
            "expected": error.expected,
            "remedy": error.remedy,
        }
    if isinstance(error, UnknownFieldException):
        facts |= {
            "file": error.file,
            "newFields": list(error.new_fields),
            "widened": list(error.widened),
            "retryable": error.retryable,
        }
    return facts

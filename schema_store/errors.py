"""Everything that can go wrong with a schema and its history.

SchemaStoreError
├── InvalidSchemaError              a schema that cannot exist
│   ├── DuplicateFieldError         two fields of one name, ignoring case
│   └── InvalidDecimalError         precision or scale out of range
├── DdlError                        DDL text that cannot be parsed
├── SchemaJsonError                 JSON text that is no Spark schema
├── CannotMergeError                files whose types have no common type
├── HintError                       schema hints that cannot be used
│   ├── HintSyntaxError             … cannot be parsed
│   ├── DuplicateHintError          … name one column twice
│   └── HintConflictError           … point into a column that has no such part
├── UnknownEvolutionModeError       none of the five modes
└── MetadataLogError                numbered entries on disk
    ├── EntryExistsError            the name is taken
    ├── ConcurrentWriteError        another stream has written this entry
    ├── DamagedEntryError           an entry that cannot be read
    ├── EntryTooNewError            an entry of a later release
    ├── MissingEntryError           a gap in the numbers
    ├── LocationNotReadableError    the folder or a file in it cannot be read
    └── LocationNotWritableError    the folder takes no files
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class SchemaStoreError(Exception):
    """Root of this package's errors."""


class InvalidSchemaError(SchemaStoreError):
    """A schema or a type that cannot exist."""


class DuplicateFieldError(InvalidSchemaError):
    """Two fields of one struct have the same name, ignoring case."""

    def __init__(self, name: str, other: str) -> None:
        self.name = name
        self.other = other
        super().__init__(
            f"the field {name!r} has the name of {other!r} (upper and lower case count as one);"
            " give each field a name of its own"
        )


class InvalidDecimalError(InvalidSchemaError):
    """A decimal whose precision or scale is out of range."""

    def __init__(self, precision: int, scale: int) -> None:
        self.precision = precision
        self.scale = scale
        super().__init__(
            f"DECIMAL({precision},{scale}) cannot exist: the precision is 1 to 38,"
            " the scale 0 to the precision"
        )


def _pointed(text: str, position: int) -> str:
    """Show the line that holds the position, and a caret below it."""
    start = text.rfind("\n", 0, position) + 1
    line = text[start:].split("\n", 1)[0]
    return f"  {line}\n  {' ' * (position - start)}^"


class DdlError(SchemaStoreError):
    """DDL text that cannot be parsed; `position` counts characters from 0."""

    def __init__(self, text: str, position: int, expected: str) -> None:
        self.text = text
        self.position = position
        self.expected = expected
        super().__init__(
            f"cannot parse the DDL text at position {position}: expected {expected}\n"
            f"{_pointed(text, position)}"
        )


class SchemaJsonError(SchemaStoreError):
    """JSON text that is not a schema as Spark's `StructType.json` writes it."""

    def __init__(self, where: str, expected: str) -> None:
        self.where = where
        self.expected = expected
        super().__init__(
            f"the schema JSON is wrong at {where}: expected {expected};"
            " write it as Spark's StructType.json() does"
        )


@dataclass(frozen=True, slots=True)
class TypeConflict:
    """A column and its two types (as SQL) that have no common type."""

    column: str
    left: str
    right: str


class CannotMergeError(SchemaStoreError):
    """Files that carry types disagree (contract 2.2)."""

    condition = "CF_FAILED_TO_INFER_SCHEMA.CANNOT_MERGE"

    def __init__(self, conflicts: tuple[TypeConflict, ...]) -> None:
        self.conflicts = conflicts
        listed = ", ".join(f"{c.column} ({c.left} and {c.right})" for c in conflicts)
        example = conflicts[0].column
        super().__init__(
            f"the files' types cannot be merged: {listed};"
            f" fix the type with cloudFiles.schemaHints, for example '{example} STRING'"
        )


class HintError(SchemaStoreError):
    """The value of `cloudFiles.schemaHints` cannot be used."""


class HintSyntaxError(HintError):
    """Schema hints that are no DDL list; `position` counts characters from 0."""

    def __init__(self, text: str, position: int, expected: str) -> None:
        self.text = text
        self.position = position
        self.expected = expected
        super().__init__(
            f"cannot parse cloudFiles.schemaHints at position {position}: expected {expected}\n"
            f"{_pointed(text, position)}"
        )


class DuplicateHintError(HintError):
    """Two schema hints for one column, ignoring case."""

    def __init__(self, column: str, other: str) -> None:
        self.column = column
        self.other = other
        super().__init__(
            f"cloudFiles.schemaHints names {column} and {other}, which are one column"
            " (upper and lower case count as one); keep one of them"
        )


class HintConflictError(HintError):
    """A schema hint for a part that an array or a map does not have."""

    def __init__(self, hint: str, column: str, found: str, steps: tuple[str, ...]) -> None:
        self.hint = hint
        self.column = column
        self.found = found
        self.steps = steps
        advice = " or ".join(f"{column}.{step}" for step in steps)
        super().__init__(
            f"the schema hint for {hint} does not fit: {column} is {found};"
            f" name its parts as {advice}, or give a hint for all of {column}"
        )


class UnknownEvolutionModeError(SchemaStoreError):
    """A schema evolution mode that does not exist."""

    def __init__(self, text: str, modes: tuple[str, ...]) -> None:
        self.text = text
        self.modes = modes
        super().__init__(f"{text!r} is not a schema evolution mode; use one of {', '.join(modes)}")


class MetadataLogError(SchemaStoreError):
    """A log of numbered entries cannot be read or written.

    `where` is the file or folder (also as `path`), `found` what was there, `expected` what should
    have been, `remedy` what to do next.
    """

    def __init__(self, path: Path, *, found: str, expected: str, remedy: str) -> None:
        self.path = path
        self.where = str(path)
        self.found = found
        self.expected = expected
        self.remedy = remedy
        super().__init__(f"{path}: {found}; expected {expected}. {remedy}")


_RESTORE = "Restore the file from a backup, or start over with a new location."


class EntryExistsError(MetadataLogError):
    """The file exists, and nothing durable is overwritten."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path,
            found="the file exists already",
            expected="a name that is free, since nothing is ever overwritten",
            remedy="Give each stream its own location.",
        )


class ConcurrentWriteError(MetadataLogError):
    """Another stream has written this entry."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path,
            found="it was written by another stream",
            expected="one stream for each location",
            remedy="Give each stream its own checkpoint and schema location.",
        )


class DamagedEntryError(MetadataLogError):
    """An entry that is not what this package wrote."""

    def __init__(self, path: Path, reason: str) -> None:
        self.reason = reason
        super().__init__(
            path,
            found=f"the entry is damaged, {reason}",
            expected="the line v1 and then the entry's text",
            remedy=_RESTORE,
        )


class EntryTooNewError(MetadataLogError):
    """An entry in a format of a later release."""

    def __init__(self, path: Path, version: int, supported: int) -> None:
        self.version = version
        self.supported = supported
        super().__init__(
            path,
            found=f"an entry of format version v{version}",
            expected=f"a version up to v{supported}, which is what this release reads",
            remedy="Use the release that wrote it, or a later one.",
        )


class MissingEntryError(MetadataLogError):
    """An entry is missing before another one."""

    def __init__(self, path: Path, follower: int) -> None:
        self.follower = follower
        super().__init__(
            path,
            found="the entry is missing",
            expected=f"every number up to entry {follower}",
            remedy=_RESTORE,
        )


class LocationNotReadableError(MetadataLogError):
    """A folder or a file in it that cannot be read: no permission, not a folder, I/O error."""

    def __init__(self, path: Path, reason: str) -> None:
        self.reason = reason
        super().__init__(
            path,
            found=f"it cannot be read ({reason.lower()})",
            expected="a folder that this process may read",
            remedy="Check the path and its permissions.",
        )


class LocationNotWritableError(MetadataLogError):
    """A folder that takes no new file: no permission, no space, read-only."""

    def __init__(self, path: Path, reason: str) -> None:
        self.reason = reason
        super().__init__(
            path,
            found=f"it cannot be written ({reason.lower()})",
            expected="a folder that this process may write to, with space left",
            remedy="Check its permissions and the disk, then start again.",
        )

"""Something that the user wrote is wrong: an option, a path, a call."""

from __future__ import annotations

import re

from ingest.errors.root import IngestError


class OptionError(IngestError):
    """An option, its value or a combination of options is wrong."""


class UnknownOptionKeysError(OptionError):
    """A `cloudFiles.*` key that does not exist (contract 1.3)."""

    condition = "CF_UNKNOWN_OPTION_KEYS_ERROR"

    def __init__(self, keys: tuple[str, ...], suggestions: tuple[str, ...]) -> None:
        self.keys = keys
        self.suggestions = suggestions
        hint = f"Did you mean {', '.join(suggestions)}? " if suggestions else ""
        super().__init__(
            f"Found unknown option keys: {', '.join(keys)}",
            found="no such key",
            expected="a documented cloudFiles.* option",
            remedy=f"{hint}cloudFiles.validateOptions=false turns this check off.",
        )


class UnsupportedOptionError(OptionError):
    """A documented option or value that this version does not implement yet."""

    def __init__(self, key: str, value: str, *, supported: str, remedy: str) -> None:
        self.key = key
        self.value = value
        super().__init__(
            key,
            found=f"{value!r} is not supported yet",
            expected=supported,
            remedy=remedy,
        )


class OptionValueError(OptionError):
    """A value that the option cannot have (contract 1.3)."""

    def __init__(self, key: str, value: object, *, allowed: str, problem: str = "") -> None:
        self.key = key
        self.value = value
        self.allowed = allowed
        super().__init__(
            key,
            found=f"bad value {value!r}" + (f" ({problem})" if problem else ""),
            expected=allowed,
            remedy="Correct the value, or leave the option out.",
        )


class MissingOptionError(OptionError):
    """An option that this stream cannot do without."""

    def __init__(self, key: str, *, needed_for: str, example: str) -> None:
        self.key = key
        super().__init__(
            key,
            found="the option is not set",
            expected=needed_for,
            remedy=f"Add {example}.",
        )


class OptionConflictError(OptionError):
    """Two options that contradict each other."""

    def __init__(self, keys: tuple[str, ...], *, found: str, expected: str, remedy: str) -> None:
        self.keys = keys
        super().__init__(" and ".join(keys), found=found, expected=expected, remedy=remedy)


class AddNewNotSupportedError(OptionError):
    """A mode that adds columns together with a schema of the user's (contract 4.1)."""

    condition = "CF_ADD_NEW_NOT_SUPPORTED"

    def __init__(self, mode: str) -> None:
        self.mode = mode
        super().__init__(
            "cloudFiles.schemaEvolutionMode",
            found=f"Schema evolution mode {mode} is not supported when the schema is specified",
            expected="none, rescue or failOnNewColumns beside .schema(...)",
            remedy="To use this mode, give the types through cloudFiles.schemaHints instead.",
        )


class UnmappedPathError(OptionError):
    """A cloud path that no `path_map` entry covers (contract 1.1)."""

    def __init__(self, path: str) -> None:
        super().__init__(
            path,
            found="a path that is not on this machine",
            expected="a local path, or one that the session maps to a local folder",
            remedy="Give the local folder, or map it:"
            f' Session(path_map={{"{path}": "./{_last_part(path)}"}}).',
        )


def _last_part(path: str) -> str:
    return re.split("[:/]+", path.rstrip("/"))[-1]


class GlobError(OptionError):
    """A glob that cannot be understood."""

    def __init__(self, glob: str, problem: str) -> None:
        super().__init__(
            glob.encode("utf-8", "backslashreplace").decode(),
            found=problem,
            expected="? * [abc] [a-z] [^a] {ab,cd}, with \\ before a character meant as itself",
            remedy="Correct the glob in the path or in pathGlobFilter.",
        )


class PartitionTypeNotSupportedError(OptionError):
    """A partition column of a type that the name of a folder cannot hold."""

    condition = "INVALID_PARTITION_COLUMN_DATA_TYPE"

    def __init__(self, column: str, sql_type: str) -> None:
        self.column = column
        super().__init__(
            column,
            found=f"a partition column of the type {sql_type}",
            expected="a type without parts, such as STRING or DATE",
            remedy="Take the column as STRING in the schema or in cloudFiles.schemaHints.",
        )


class ColumnTypeNotSupportedError(OptionError):
    """A column of a type that the files' format cannot hold."""

    condition = "UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE"

    def __init__(self, column: str, sql_type: str, format_name: str) -> None:
        self.column = column
        super().__init__(
            column,
            found=f"the {format_name} datasource has no columns of the type {sql_type}",
            expected="a type without parts, such as STRING",
            remedy="Take the column as STRING in the schema or in cloudFiles.schemaHints.",
        )


class OperationNotSupportedError(OptionError, AttributeError):
    """A call of PySpark's that is not supported here; `of` is what it was called on."""

    def __init__(self, name: str, *, of: str, supported: str, remedy: str) -> None:
        super().__init__(
            f"{of}.{name}",
            found="a call that is not supported here",
            expected=supported,
            remedy=remedy,
        )


class TableNameError(OptionError):
    """A name that no table of the warehouse can have (contract 1.1)."""

    def __init__(self, name: object) -> None:
        super().__init__(
            f"table {name!r}",
            found="not the name of a table",
            expected="table, schema.table or catalog.schema.table; parts with other signs in"
            " backticks, and no / or \\ in any",
            remedy="Correct the name; .start(path) writes to a folder of your choice.",
        )

"""Everything that can go wrong, by name.

IngestError                          root; facts: where (file or key), found, expected, remedy
├── OptionError                      something the user wrote is wrong
│   ├── UnknownOptionKeysError       CF_UNKNOWN_OPTION_KEYS_ERROR
│   ├── UnsupportedOptionError       a documented option or value that does not work here yet
│   ├── OptionValueError             a value that the option cannot have
│   ├── MissingOptionError           an option that this stream needs
│   ├── OptionConflictError          options that contradict each other
│   ├── AddNewNotSupportedError      CF_ADD_NEW_NOT_SUPPORTED
│   ├── TriggerNotSupportedError     a trigger that does not work here yet
│   ├── PartitionColumnsNotSupportedError   a Hive-style layout
│   ├── ColumnTypeNotSupportedError  UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE
│   ├── OperationNotSupportedError   a call of PySpark's that is not supported here
│   ├── TableNameError               a name that no table can have
│   ├── GlobError                    a glob that cannot be understood
│   └── UnmappedPathError            a cloud path without a place on this machine
├── InferenceError                   no schema could be inferred
│   ├── EmptyDirError                CF_EMPTY_DIR_FOR_SCHEMA_INFERENCE
│   └── FailedToInferSchemaError     CF_FAILED_TO_INFER_SCHEMA
├── LandingFolderError               PATH_NOT_FOUND: the landing folder cannot be listed
├── ReadError                        a file could not be read
│   ├── FileMissingError             FAILED_READ_FILE.FILE_NOT_EXIST
│   ├── FileNotReadableError         FAILED_READ_FILE.NO_HINT
│   ├── FileChangedError             it changed while it was read
│   ├── ForeignFormatError           its content is plainly another format
│   ├── CompressedFileError          it is not compressed as its name says
│   ├── RecordNotReadableError       MALFORMED_CSV_RECORD: a record that an option forbids
│   ├── MalformedRecordError         MALFORMED_RECORD_IN_PARSING, in FAILFAST
│   ├── ColumnNameCollisionError     a generated column name meets a real one
│   ├── RescuedColumnInDataError     a data column is named like the rescued column
│   └── UnsupportedArrowTypeError    an Arrow type that Spark has no type for
├── CheckpointError                  the stream's durable state
│   ├── CheckpointInUseError         another query holds it
│   ├── StateNotWritableError        it cannot be written
│   └── DamagedCheckpointError       it cannot be read
├── SinkError                        the table could not take the rows
│   ├── SinkNotWritableError         the table's folder cannot be written
│   ├── BadRecordsNotWritableError   badRecordsPath cannot be written
│   ├── IncompatibleTableError       a column cannot take the stream's type
│   ├── DamagedTableError            the manifest cannot be read
│   └── TableNotFoundError           TABLE_OR_VIEW_NOT_FOUND
├── NoSchemaVersionError             a schema location without that version
├── UnknownFieldException            UNKNOWN_FIELD_EXCEPTION: new fields stop the stream
└── StreamingQueryException          STREAM_FAILED: what awaitTermination raises
"""

from __future__ import annotations


class IngestError(Exception):
    """Root of this package's errors.

    `where` is the file or the key, `found` what was there, `expected` what should have been, and
    `remedy` what to do next. `condition` is the name that Databricks or Spark gives it, if any.
    """

    condition: str | None = None

    def __init__(
        self, where: str, *, found: str, expected: str, remedy: str, message: str | None = None
    ) -> None:
        self.where = where
        self.found = found
        self.expected = expected
        self.remedy = remedy
        name = f"[{self.condition}] " if self.condition else ""
        text = (
            message if message is not None else f"{where}: {found}; expected {expected}. {remedy}"
        )
        super().__init__(name + text)


class ReadError(IngestError):
    """A file could not be read."""


class FileMissingError(ReadError):
    """A planned file is gone."""

    condition = "FAILED_READ_FILE.FILE_NOT_EXIST"

    def __init__(self, file: str) -> None:
        super().__init__(
            file,
            found="the file is gone",
            expected="every file of a planned batch to stay until the batch is committed",
            remedy="Put the file back, or an empty file in its place to go on without it; then"
            " start again.",
        )


class FileNotReadableError(ReadError):
    """A file cannot be opened or read: no permission, a folder in its place, a broken disk."""

    condition = "FAILED_READ_FILE.NO_HINT"

    def __init__(self, file: str, reason: str) -> None:
        self.reason = reason
        super().__init__(
            file,
            found=f"the file cannot be read ({reason.lower()})",
            expected="a file that this process may read",
            remedy="Check its permissions and the disk, or move it away; then start again.",
        )


class FileChangedError(ReadError):
    """A file changed while it was read (contract 11.13)."""

    def __init__(self, file: str) -> None:
        super().__init__(
            file,
            found="the file changed while it was read",
            expected="a file that is complete when it lands",
            remedy="Write files under a hidden name and rename them; then start again.",
        )


class ForeignFormatError(ReadError):
    """A file's name or content says that it is another format (contract 10, 11.12)."""

    def __init__(self, file: str, *, found: str, expected: str) -> None:
        super().__init__(
            file,
            found=found,
            expected=expected,
            remedy="Move the file away, or select the right files with pathGlobFilter.",
        )


class CompressedFileError(ReadError):
    """Content that cannot be decompressed as the file's name says (contract 11.12)."""

    condition = "FAILED_READ_FILE.NO_HINT"

    def __init__(self, file: str, compression: str, reason: str) -> None:
        self.compression = compression
        self.reason = reason
        super().__init__(
            file,
            found=f"content that is not complete {compression} ({reason})",
            expected=f"{compression} data, as the file's name says",
            remedy="Land the file again under the right name, or move it away.",
        )


class RecordNotReadableError(ReadError):
    """A record that an option forbids, in every parse mode (Spark fails the job)."""

    condition = "MALFORMED_CSV_RECORD"

    def __init__(self, file: str, *, option: str, found: str, record: str, expected: str) -> None:
        self.option = option
        self.record = record
        super().__init__(
            file,
            found=f"{found}: {record!r}",
            expected=expected,
            remedy=f"Mend the file, or set the option {option} otherwise.",
        )


class MalformedRecordError(ReadError):
    """A record that is none stops the read in FAILFAST (contract 10)."""

    condition = "MALFORMED_RECORD_IN_PARSING"

    def __init__(self, file: str, *, row: int, record: str, expected: str) -> None:
        self.row = row
        self.record = record
        super().__init__(
            file,
            found=f"the malformed record {record!r} (record {row} of the file)",
            expected=expected,
            remedy="Mend the record, or read in the mode PERMISSIVE or DROPMALFORMED.",
        )


class ColumnNameCollisionError(ReadError):
    """A name generated for a CSV column meets a real one (contract 11.1)."""

    def __init__(self, file: str, *, column: str, header: tuple[str, ...]) -> None:
        self.column = column
        self.header = header
        super().__init__(
            file,
            found=f"two columns named {column!r} once blank and doubled names of its header are"
            " told apart by their index",
            expected="names that differ when upper and lower case count as one",
            remedy=f"Rename the column {column!r} in the file's header.",
        )


class RescuedColumnInDataError(ReadError):
    """A column of the data has the name of the rescued column (contract 5.8)."""

    def __init__(self, file: str, *, column: str) -> None:
        self.column = column
        super().__init__(
            file,
            found=f"the data has a column named {column!r}",
            expected="that name to be free for the rescued data",
            remedy="Give the rescued column another name with the option rescuedDataColumn.",
        )


class UnsupportedArrowTypeError(ReadError):
    """An Arrow type that Spark has no type for."""

    def __init__(self, arrow_type: str) -> None:
        self.arrow_type = arrow_type
        super().__init__(
            arrow_type,
            found="an Arrow type that Spark has no type for",
            expected="numbers, text, binary, dates, timestamps, lists, maps, structs",
            remedy="Cast the column before it is written to the file.",
        )


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
            f' Session(path_map={{"{path}": "./landing"}}).',
        )


class InferenceError(IngestError):
    """No schema could be inferred."""


class EmptyDirError(InferenceError):
    """Nothing to infer a schema from (contract 2.1); `name_glob` is the `pathGlobFilter`."""

    condition = "CF_EMPTY_DIR_FOR_SCHEMA_INFERENCE"

    def __init__(self, path: str, *, name_glob: str | None = None) -> None:
        self.name_glob = name_glob
        matching = "" if name_glob is None else f", whose name matches pathGlobFilter {name_glob!r}"
        super().__init__(
            path,
            found=f"Cannot infer schema when the input path `{path}` is empty",
            expected=f"at least one file with content that is not hidden{matching}",
            remedy="Start the stream when there are files in the input path, or give a schema."
            " SQLSTATE: 42000",
        )


class FailedToInferSchemaError(InferenceError):
    """The sample has content, but no record that could be read (contract 11.20)."""

    condition = "CF_FAILED_TO_INFER_SCHEMA.OTHER"

    def __init__(self, path: str, *, files: int) -> None:
        self.files = files
        super().__init__(
            path,
            found=f"no header and no record in the sample (files read: {files})",
            expected="at least one file with a line that is not blank",
            remedy="Start the stream when such a file has landed, or give a schema.",
        )


class CheckpointError(IngestError):
    """The durable state of a stream is missing, damaged or taken."""


class CheckpointInUseError(CheckpointError):
    """Another query holds the checkpoint (contract 7.5)."""

    condition = "CONCURRENT_QUERY"

    def __init__(self, location: str, holder: str) -> None:
        self.holder = holder
        super().__init__(
            location,
            found=f"the checkpoint is in use by {holder}",
            expected="one running query per checkpoint",
            remedy="Stop that query, or give this one a checkpointLocation of its own.",
        )


class DamagedCheckpointError(CheckpointError):
    """A file of the checkpoint cannot be understood."""


class SinkError(IngestError):
    """The table could not take the rows."""


class TableNotFoundError(SinkError):
    """No table of that name."""

    condition = "TABLE_OR_VIEW_NOT_FOUND"

    def __init__(self, name: str, place: str) -> None:
        super().__init__(
            name,
            found=f"no table at {place}",
            expected="a table that a stream has written",
            remedy="Run the stream first, or check the name and the warehouse folder.",
        )


class GlobError(OptionError):
    """A glob that cannot be understood."""

    def __init__(self, glob: str, problem: str) -> None:
        super().__init__(
            glob.encode("utf-8", "backslashreplace").decode(),
            found=problem,
            expected="? * [abc] [a-z] [^a] {ab,cd}, with \\ before a character meant as itself",
            remedy="Correct the glob in the path or in pathGlobFilter.",
        )


class LandingFolderError(IngestError):
    """The landing folder is missing or cannot be read."""

    condition = "PATH_NOT_FOUND"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            path,
            found=reason,
            expected="a folder that can be listed",
            remedy="Check the path given to load() and its permissions.",
        )


class StateNotWritableError(CheckpointError):
    """The checkpoint or the schema location cannot be written."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            path,
            found=f"it cannot be written ({reason.lower()})",
            expected="a folder this process may write to, with space left",
            remedy="Check its permissions and the disk, then start again.",
        )


class SinkNotWritableError(SinkError):
    """The table's folder cannot be written."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            path,
            found=f"the table cannot be written ({reason.lower()})",
            expected="a folder this process may write to, with space left",
            remedy="Check its permissions and the disk, then start again.",
        )


class BadRecordsNotWritableError(SinkError):
    """The folder of `badRecordsPath` cannot be written."""

    def __init__(self, path: str, reason: str) -> None:
        self.reason = reason
        super().__init__(
            path,
            found=f"bad records cannot be written ({reason.lower()})",
            expected="a badRecordsPath that this process may write to, with space left",
            remedy="Check its permissions and the disk, then start again.",
        )


class IncompatibleTableError(SinkError):
    """A column of the table cannot take the stream's type."""

    condition = "INCOMPATIBLE_DATA_FOR_TABLE"

    def __init__(self, table: str, column: str, incoming: str) -> None:
        self.column = column
        self.incoming = incoming
        super().__init__(
            table,
            found=f"the table has {column}, the stream brings {incoming}",
            expected="the same name and type, or a type that widens into the other",
            remedy=f"Write to another table, or keep the table's type: hint {column} in"
            " cloudFiles.schemaHints.",
        )


class DamagedTableError(SinkError):
    """A file of the table is missing, or cannot be understood."""

    def __init__(
        self,
        path: str,
        *,
        found: str = "a manifest entry that cannot be read",
        expected: str = "the line v1 and one JSON object",
        remedy: str = "Restore the table from a backup.",
    ) -> None:
        super().__init__(path, found=found, expected=expected, remedy=remedy)


class NoSchemaVersionError(IngestError):
    """A schema location that has no versions, or not this one."""

    def __init__(self, location: str, number: int | None, *, latest: int | None = None) -> None:
        self.number = number
        self.latest = latest
        is_empty = latest is None
        super().__init__(
            location,
            found="no schema version" if number is None else f"no schema version {number}",
            expected="a cloudFiles.schemaLocation that holds _schemas/0, 1, …"
            if is_empty
            else f"a version from 0 to {latest}",
            remedy="Give the folder that the stream was started with."
            if is_empty
            else "`ingest schema log` lists them.",
        )


class UnknownFieldException(IngestError):  # noqa: N818 - the name users know from Spark
    """New fields or wider types stop the stream (contract 4.6).

    `condition` is `UNKNOWN_FIELD_EXCEPTION.<subclass>`, `sqlstate` KD003. `new_fields` are the new
    columns of the whole batch as DDL, `widened` the widened ones, `file` the URI of the
    lowest-numbered file that has some of them. `retryable` says whether starting again goes on.
    """

    sqlstate = "KD003"

    def __init__(
        self,
        *,
        new_fields: tuple[str, ...],
        widened: tuple[str, ...],
        names: tuple[str, ...],
        file: str,
        retryable: bool,
    ) -> None:
        self.new_fields = new_fields
        self.widened = widened
        self.file = file
        self.retryable = retryable
        change, subclass, inside = _CHANGES[bool(new_fields), bool(widened)]
        self.condition = f"UNKNOWN_FIELD_EXCEPTION.{subclass}"
        lines = [
            (
                f"Encountered {change} during parsing: [{', '.join(names)}],"
                f" which can be fixed by an automatic retry: {str(retryable).lower()}"
            ),
            f"{inside} inside file path: {file}",
        ]
        if new_fields:
            lines.append(f"Rescued file schema: {', '.join(new_fields)}")
        if widened:
            lines.append(f"Schema of fields with widened types: {', '.join(widened)}")
        remedy = _RETRY if retryable else _REFUSED
        lines += [remedy, f"(UnknownFieldException, SQLSTATE: {self.sqlstate})"]
        super().__init__(
            file,
            found=f"{change}: {', '.join(new_fields + widened)}",
            expected="the fields and types of the stream's schema",
            remedy=remedy,
            message="\n".join(lines),
        )


_CHANGES = {
    (True, False): ("unknown fields", "NEW_FIELDS_IN_FILE", "Unknown fields"),
    (False, True): ("type changes", "NEW_TYPE_FOR_FIELDS_IN_FILE", "New type for fields"),
    (True, True): (
        "unknown fields and type changes",
        "NEW_FIELDS_AND_WIDENED_TYPES_IN_FILE",
        "Unknown fields and type changes",
    ),
}
_RETRY = "The schema location is up to date: load and start the stream again and it goes on."
_REFUSED = (
    "The schema stays as it is (failOnNewColumns): remove the file, or add the column with"
    " cloudFiles.schemaHints or the schema, then start again."
)


class StreamingQueryException(IngestError):  # noqa: N818 - the name users know from Spark
    """The query ended with an error; `cause` is the error itself."""

    condition = "STREAM_FAILED"

    def __init__(self, query_id: str, run_id: str, cause: BaseException) -> None:
        self.query_id = query_id
        self.run_id = run_id
        self.cause = cause
        super().__init__(
            f"query {query_id}",
            found=str(cause),
            expected="every batch to be read and written",
            remedy=cause.remedy if isinstance(cause, IngestError) else "",
            message=f"Query [id = {query_id}, runId = {run_id}] terminated with exception:"
            f" {type(cause).__name__}: {cause}",
        )


class TriggerNotSupportedError(OptionError):
    """A trigger that does not work here yet."""

    def __init__(self) -> None:
        super().__init__(
            "trigger",
            found="processingTime",
            expected="availableNow=True or once=True",
            remedy="Streams that keep running are not supported yet; start the stream when needed.",
        )


class PartitionColumnsNotSupportedError(OptionError):
    """A Hive-style layout, whose partition columns are not read yet."""

    def __init__(self, path: str, keys: tuple[str, ...]) -> None:
        self.keys = keys
        super().__init__(
            path,
            found=f"Hive-style folders with the keys {', '.join(keys)}",
            expected="folders that are no partitions: partition columns are not supported yet",
            remedy='Set cloudFiles.partitionColumns="" to read the files without these columns.',
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

    def __init__(self, name: str) -> None:
        super().__init__(
            f"table {name!r}",
            found="not the name of a table",
            expected="table, schema.table or catalog.schema.table; parts with other signs in"
            " backticks, and no / or \\ in any",
            remedy="Correct the name; .start(path) writes to a folder of your choice.",
        )

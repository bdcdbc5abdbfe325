"""No schema could be inferred, the landing folder listed, or a file read."""

from __future__ import annotations

from ingest.errors.root import IngestError


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

    def __init__(self, path: str, *, files: int, format_name: str = "csv") -> None:
        self.files = files
        is_json = format_name == "json"
        super().__init__(
            path,
            found=f"no {'JSON object' if is_json else 'header and no record'} in the sample"
            f" (files read: {files})",
            expected="at least one line that is a whole JSON object"
            if is_json
            else "at least one file with a line that is not blank",
            remedy="If one record spans several lines, set multiLine=true; otherwise correct the"
            " files, or give a schema."
            if is_json
            else "Start the stream when such a file has landed, or give a schema.",
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

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

from ingest.errors.option_errors import (
    AddNewNotSupportedError,
    ColumnTypeNotSupportedError,
    GlobError,
    MissingOptionError,
    OperationNotSupportedError,
    OptionConflictError,
    OptionError,
    OptionValueError,
    PartitionColumnsNotSupportedError,
    TableNameError,
    TriggerNotSupportedError,
    UnknownOptionKeysError,
    UnmappedPathError,
    UnsupportedOptionError,
)
from ingest.errors.read_errors import (
    ColumnNameCollisionError,
    CompressedFileError,
    EmptyDirError,
    FailedToInferSchemaError,
    FileChangedError,
    FileMissingError,
    FileNotReadableError,
    ForeignFormatError,
    InferenceError,
    LandingFolderError,
    MalformedRecordError,
    ReadError,
    RecordNotReadableError,
    RescuedColumnInDataError,
    UnsupportedArrowTypeError,
)
from ingest.errors.root import (
    IngestError,
)
from ingest.errors.state_errors import (
    BadRecordsNotWritableError,
    CheckpointError,
    CheckpointInUseError,
    DamagedCheckpointError,
    DamagedTableError,
    IncompatibleTableError,
    NoSchemaVersionError,
    SinkError,
    SinkNotWritableError,
    StateNotWritableError,
    TableNotFoundError,
)
from ingest.errors.stops import (
    StreamingQueryException,
    UnknownFieldException,
)

__all__ = [
    "AddNewNotSupportedError",
    "BadRecordsNotWritableError",
    "CheckpointError",
    "CheckpointInUseError",
    "ColumnNameCollisionError",
    "ColumnTypeNotSupportedError",
    "CompressedFileError",
    "DamagedCheckpointError",
    "DamagedTableError",
    "EmptyDirError",
    "FailedToInferSchemaError",
    "FileChangedError",
    "FileMissingError",
    "FileNotReadableError",
    "ForeignFormatError",
    "GlobError",
    "IncompatibleTableError",
    "InferenceError",
    "IngestError",
    "LandingFolderError",
    "MalformedRecordError",
    "MissingOptionError",
    "NoSchemaVersionError",
    "OperationNotSupportedError",
    "OptionConflictError",
    "OptionError",
    "OptionValueError",
    "PartitionColumnsNotSupportedError",
    "ReadError",
    "RecordNotReadableError",
    "RescuedColumnInDataError",
    "SinkError",
    "SinkNotWritableError",
    "StateNotWritableError",
    "StreamingQueryException",
    "TableNameError",
    "TableNotFoundError",
    "TriggerNotSupportedError",
    "UnknownFieldException",
    "UnknownOptionKeysError",
    "UnmappedPathError",
    "UnsupportedArrowTypeError",
    "UnsupportedOptionError",
]

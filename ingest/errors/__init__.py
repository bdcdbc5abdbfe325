"""Everything that can go wrong, by name.

IngestError                          root; facts: where (file or key), found, expected, remedy
├── OptionError                      something the user wrote is wrong
│   ├── UnknownOptionKeysError       CF_UNKNOWN_OPTION_KEYS_ERROR
│   ├── UnsupportedOptionError       a documented option or value that does not work here yet
│   ├── OptionValueError             a value that the option cannot have
│   ├── MissingOptionError           an option that this stream needs
│   ├── OptionConflictError          options that contradict each other
│   ├── AddNewNotSupportedError      CF_ADD_NEW_NOT_SUPPORTED
│   ├── UnsupportedEvolutionModeError  CF_UNSUPPORTED_SCHEMA_EVOLUTION_MODE
│   ├── PartitionTypeNotSupportedError   INVALID_PARTITION_COLUMN_DATA_TYPE
│   ├── ColumnTypeNotSupportedError  UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE
│   ├── OperationNotSupportedError   a call of PySpark's that is not supported here
│   ├── TableNameError               a name that no table can have
│   ├── ScenarioError                a scenario that cannot be understood, or a step of it
│   ├── NothingToReplayError         a folder without files to replay
│   ├── GlobError                    a glob that cannot be understood
│   └── UnmappedPathError            a cloud path without a place on this machine
├── InferenceError                   no schema could be inferred
│   ├── EmptyDirError                CF_EMPTY_DIR_FOR_SCHEMA_INFERENCE
│   ├── CannotMergeTypesError        CF_FAILED_TO_INFER_SCHEMA.CANNOT_MERGE
│   └── FailedToInferSchemaError     CF_FAILED_TO_INFER_SCHEMA
├── LandingFolderError               PATH_NOT_FOUND: the landing folder cannot be listed
├── ReadError                        a file could not be read
│   ├── FileMissingError             FAILED_READ_FILE.FILE_NOT_EXIST
│   ├── FileNotReadableError         FAILED_READ_FILE.NO_HINT
│   ├── FileChangedError             it changed while it was read
│   ├── ForeignFormatError           its content is plainly another format
│   ├── CompressedFileError          it is not compressed as its name says
│   ├── DamagedParquetError          FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER
│   ├── DamagedParquetPagesError     FAILED_READ_FILE.NO_HINT
│   ├── ParquetTypeMismatchError     FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH
│   ├── ParquetTypeNotSupportedError PARQUET_TYPE_ILLEGAL
│   ├── AncientDatetimeError         INCONSISTENT_BEHAVIOR_CROSS_VERSION
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
│   ├── DamagedTableError            the manifest or the Delta log cannot be read
│   ├── TableVersionNotFoundError    DELTA_VERSION_NOT_FOUND
│   ├── DeltaSchemaError             rows that a Delta table does not take; an AnalysisException too
│   │   ├── MetadataMismatchError        DELTA_METADATA_MISMATCH
│   │   ├── FailedToMergeFieldsError     DELTA_FAILED_TO_MERGE_FIELDS
│   │   │   └── TypeWideningNotEnabledError    … and the statement that allows it
│   │   ├── InvalidColumnNamesError      DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES
│   │   └── UnsupportedTypesError        DELTA_UNSUPPORTED_DATA_TYPES
│   ├── NotNullViolatedError         DELTA_NOT_NULL_CONSTRAINT_VIOLATED
│   ├── ValueCastError               CAST_OVERFLOW_IN_TABLE_INSERT
│   ├── UnsupportedTableFeatureError DELTA_UNSUPPORTED_FEATURES_FOR_WRITE
│   ├── MetadataChangedError         DELTA_METADATA_CHANGED: another writer's change of columns
│   ├── AppendOnlyTableError         DELTA_CANNOT_MODIFY_APPEND_ONLY
│   ├── TableFeatureNotSupportedError  DELTA_UNSUPPORTED_FEATURES_FOR_READ
│   ├── NotDeltaTableError           DELTA_ONLY_OPERATION
│   └── TableNotFoundError           TABLE_OR_VIEW_NOT_FOUND
├── TestSupportError                 a test asks the pytest plugin for what is not there
│   ├── LandingFileNotFoundError     a file that is to change
│   ├── UnknownFormatError           files whose names do not tell their format
│   ├── NotRunError                  what a stream has done that has not run
│   └── ExpectedFileNotFoundError    a file of expectations
├── AnalysisException                what Spark refuses before a row moves
│   ├── TablePropertyError           DELTA_UNKNOWN_CONFIGURATION
│   ├── TableExistsError             TABLE_OR_VIEW_ALREADY_EXISTS
│   ├── PathExistsError              PATH_ALREADY_EXISTS
│   ├── TableFormatError             DELTA_INVALID_FORMAT, DELTA_MISSING_TRANSACTION_LOG
│   ├── TableColumnsError            INCOMPATIBLE_DATA_FOR_TABLE: other columns than the table's
│   ├── SaveModeError                INVALID_SAVE_MODE
│   ├── OutputModeError              STREAMING_OUTPUT_MODE
│   ├── ColumnNotFoundError          UNRESOLVED_COLUMN
│   ├── ColumnCountError             as many columns as there are
│   ├── ConfNotFoundError            SQL_CONF_NOT_FOUND
│   ├── AttributeNameError           INVALID_ATTRIBUTE_NAME_SYNTAX
│   ├── ExpressionSyntaxError        PARSE_SYNTAX_ERROR in an expression
│   ├── LiteralError                 a literal without a value
│   ├── AmbiguousReferenceError      AMBIGUOUS_REFERENCE
│   ├── ColumnAlreadyExistsError     COLUMN_ALREADY_EXISTS
│   ├── NoColumnsError               EMPTY_SCHEMA_NOT_SUPPORTED_FOR_DATASOURCE
│   ├── FieldNotFoundError           FIELD_NOT_FOUND
│   ├── NoFieldsError                INVALID_EXTRACT_BASE_FIELD_TYPE
│   ├── StarUsageError               INVALID_USAGE_OF_STAR_OR_REGEX
│   ├── DatatypeMismatchError        DATATYPE_MISMATCH
│   ├── SqlSyntaxError               PARSE_SYNTAX_ERROR
│   └── SqlNotSupportedError         UNSUPPORTED_FEATURE: a statement that is not for here
├── ExpressionError                  a value that an expression fails on
├── RowError                         rows given to createDataFrame
│   ├── RowTypeError                 of a Python type that cannot be taken
│   └── RowValueError                a value that cannot be taken
├── QueryNameInUseError              a query of that name is running
├── ForeachBatchError                FOREACH_BATCH_USER_FUNCTION_ERROR
├── NoSchemaVersionError             a schema location without that version
├── UnknownFieldException            UNKNOWN_FIELD_EXCEPTION: new fields stop the stream
└── StreamingQueryException          STREAM_FAILED: what awaitTermination raises
"""

from ingest.errors.analysis import (
    AnalysisException,
)
from ingest.errors.call_errors import (
    ColumnCountError,
    ColumnNotFoundError,
    ConfNotFoundError,
    ForeachBatchError,
    OutputModeError,
    PathExistsError,
    QueryNameInUseError,
    SaveModeError,
    SqlNotSupportedError,
    SqlSyntaxError,
    TableColumnsError,
    TableExistsError,
    TableFormatError,
)
from ingest.errors.delta_errors import (
    AppendOnlyTableError,
    DeltaSchemaError,
    FailedToMergeFieldsError,
    InvalidColumnNamesError,
    MetadataChangedError,
    MetadataMismatchError,
    NotNullViolatedError,
    TablePropertyError,
    TableVersionNotFoundError,
    TypeWideningNotEnabledError,
    UnsupportedTableFeatureError,
    UnsupportedTypesError,
    ValueCastError,
)
from ingest.errors.expression_errors import (
    AmbiguousReferenceError,
    AttributeNameError,
    ColumnAlreadyExistsError,
    DatatypeMismatchError,
    ExpressionError,
    ExpressionSyntaxError,
    FieldNotFoundError,
    LiteralError,
    NoColumnsError,
    NoFieldsError,
    StarUsageError,
)
from ingest.errors.option_errors import (
    AddNewNotSupportedError,
    ColumnTypeNotSupportedError,
    GlobError,
    MissingOptionError,
    OperationNotSupportedError,
    OptionConflictError,
    OptionError,
    OptionValueError,
    PartitionTypeNotSupportedError,
    TableNameError,
    UnknownOptionKeysError,
    UnmappedPathError,
    UnsupportedOptionError,
)
from ingest.errors.parquet_errors import (
    AncientDatetimeError,
    CannotMergeTypesError,
    DamagedParquetError,
    DamagedParquetPagesError,
    ParquetTypeMismatchError,
    ParquetTypeNotSupportedError,
    UnsupportedEvolutionModeError,
)
from ingest.errors.plugin_errors import (
    ExpectedFileNotFoundError,
    LandingFileNotFoundError,
    NotRunError,
    TestSupportError,
    UnknownFormatError,
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
from ingest.errors.replay_errors import (
    NothingToReplayError,
    ScenarioError,
)
from ingest.errors.root import (
    IngestError,
)
from ingest.errors.row_errors import (
    RowError,
    RowTypeError,
    RowValueError,
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
from ingest.errors.table_errors import (
    NotDeltaTableError,
    TableFeatureNotSupportedError,
)

__all__ = [
    "AddNewNotSupportedError",
    "AmbiguousReferenceError",
    "AnalysisException",
    "AncientDatetimeError",
    "AppendOnlyTableError",
    "AttributeNameError",
    "BadRecordsNotWritableError",
    "CannotMergeTypesError",
    "CheckpointError",
    "CheckpointInUseError",
    "ColumnAlreadyExistsError",
    "ColumnCountError",
    "ColumnNameCollisionError",
    "ColumnNotFoundError",
    "ColumnTypeNotSupportedError",
    "CompressedFileError",
    "ConfNotFoundError",
    "DamagedCheckpointError",
    "DamagedParquetError",
    "DamagedParquetPagesError",
    "DamagedTableError",
    "DatatypeMismatchError",
    "DeltaSchemaError",
    "EmptyDirError",
    "ExpectedFileNotFoundError",
    "ExpressionError",
    "ExpressionSyntaxError",
    "FailedToInferSchemaError",
    "FailedToMergeFieldsError",
    "FieldNotFoundError",
    "FileChangedError",
    "FileMissingError",
    "FileNotReadableError",
    "ForeachBatchError",
    "ForeignFormatError",
    "GlobError",
    "IncompatibleTableError",
    "InferenceError",
    "IngestError",
    "InvalidColumnNamesError",
    "LandingFileNotFoundError",
    "LandingFolderError",
    "LiteralError",
    "MalformedRecordError",
    "MetadataChangedError",
    "MetadataMismatchError",
    "MissingOptionError",
    "NoColumnsError",
    "NoFieldsError",
    "NoSchemaVersionError",
    "NotDeltaTableError",
    "NotNullViolatedError",
    "NotRunError",
    "NothingToReplayError",
    "OperationNotSupportedError",
    "OptionConflictError",
    "OptionError",
    "OptionValueError",
    "OutputModeError",
    "ParquetTypeMismatchError",
    "ParquetTypeNotSupportedError",
    "PartitionTypeNotSupportedError",
    "PathExistsError",
    "QueryNameInUseError",
    "ReadError",
    "RecordNotReadableError",
    "RescuedColumnInDataError",
    "RowError",
    "RowTypeError",
    "RowValueError",
    "SaveModeError",
    "ScenarioError",
    "SinkError",
    "SinkNotWritableError",
    "SqlNotSupportedError",
    "SqlSyntaxError",
    "StarUsageError",
    "StateNotWritableError",
    "StreamingQueryException",
    "TableColumnsError",
    "TableExistsError",
    "TableFeatureNotSupportedError",
    "TableFormatError",
    "TableNameError",
    "TableNotFoundError",
    "TablePropertyError",
    "TableVersionNotFoundError",
    "TestSupportError",
    "TypeWideningNotEnabledError",
    "UnknownFieldException",
    "UnknownFormatError",
    "UnknownOptionKeysError",
    "UnmappedPathError",
    "UnsupportedArrowTypeError",
    "UnsupportedEvolutionModeError",
    "UnsupportedOptionError",
    "UnsupportedTableFeatureError",
    "UnsupportedTypesError",
    "ValueCastError",
]

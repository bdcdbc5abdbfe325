"""Options as frozen values; `options.py` makes them from what the user wrote."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from ingest.text.rules import DEFAULT_RULES, TextRules

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping
    from pathlib import Path

    from schema_store.evolution import EvolutionMode
    from schema_store.hints import SchemaHints
    from schema_store.types import Schema


class ParseMode(Enum):
    """What to do with a corrupt record (Spark's `mode`)."""

    PERMISSIVE = "PERMISSIVE"
    DROPMALFORMED = "DROPMALFORMED"
    FAILFAST = "FAILFAST"


class UnescapedQuotes(Enum):
    """What to do with text after a closing quote (Spark's `unescapedQuoteHandling`)."""

    STOP_AT_DELIMITER = "STOP_AT_DELIMITER"
    STOP_AT_CLOSING_QUOTE = "STOP_AT_CLOSING_QUOTE"
    BACK_TO_DELIMITER = "BACK_TO_DELIMITER"
    SKIP_VALUE = "SKIP_VALUE"
    RAISE_ERROR = "RAISE_ERROR"


@dataclass(frozen=True, slots=True)
class CsvOptions:
    """How CSV text is cut into cells. None means that the user said nothing.

    * `escape_of_escape`: `charToEscapeQuoteEscaping`.
    * `encoding`: the name of the codec, as `encodings` knows it.
    * `max_chars`: None for no limit.
    """

    sep: str = ","
    quote: str = '"'
    escape: str = "\\"
    header: bool | None = None
    null_value: str = ""
    empty_value: str = ""
    ignore_leading_white_space: bool | None = None
    ignore_trailing_white_space: bool | None = None
    escape_of_escape: str | None = None
    unescaped: UnescapedQuotes = UnescapedQuotes.STOP_AT_DELIMITER
    comment: str | None = None
    skip_rows: int = 0
    multi_line: bool = False
    line_sep: str | None = None
    max_columns: int = 20480
    max_chars: int | None = None
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class JsonSyntax:
    """What is JSON beside RFC 8259 (Spark's `allow…` options and their defaults)."""

    comments: bool = False
    single_quotes: bool = True
    unquoted_names: bool = False
    leading_zeros: bool = False
    escape_any: bool = False
    control_characters: bool = False
    non_numeric: bool = True


@dataclass(frozen=True, slots=True)
class JsonOptions:
    """How JSON text is cut into records, and what inference makes of it.

    * `encoding`: the name of the codec, as `encodings` knows it.
    """

    syntax: JsonSyntax = JsonSyntax()
    multi_line: bool = False
    line_sep: str | None = None
    encoding: str = "utf-8"
    infer_timestamp: bool = False
    primitives_as_string: bool = False
    drop_field_if_all_null: bool = False


class Rebase(Enum):
    """What dates before 1582 are in files that do not tell who wrote them."""

    LEGACY = "LEGACY"
    """Of the Julian calendar; they are counted anew."""
    CORRECTED = "CORRECTED"
    """Of the proleptic Gregorian calendar, as in Spark since 3.0."""
    EXCEPTION = "EXCEPTION"
    """Nobody knows; an error."""


@dataclass(frozen=True, slots=True)
class ParquetOptions:
    """How old dates and timestamps of Parquet files are read."""

    dates: Rebase = Rebase.LEGACY
    int96: Rebase = Rebase.LEGACY


@dataclass(frozen=True, slots=True)
class TextFileOptions:
    r"""How the format `text` cuts files into rows.

    * `line_sep`: None for `\n`, `\r\n` and `\r`.
    * `whole`: one row for each file.
    """

    encoding: str = "utf-8"
    line_sep: str | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """What every format's reader and inference need to know of the stream.

    * `rescued_column`: its name, or None when misfits and unknown fields are dropped (ledger).
    * `file_path_in_rescued`: whether the rescued JSON ends with `_file_path`.
    * `exact_decimals`: a value with more fraction digits than its column is a misfit (the widening
      mode, contract 6.3); otherwise it is rounded HALF_UP with a ledger entry (11.5).
    * `observe_misfits`: tell the merged type of misfitting values (the widening mode).
    * `typed`: infer types (`cloudFiles.inferColumnTypes`), else every column is STRING.
    * `prefers_decimal`: fractions infer as DECIMAL (contract 6.4).
    * `user_schema`: the schema was given by the user, not inferred.
    * `bad_records_path`: malformed records go there, not into the result.
    * `text`: formats of dates and times, and how numbers are written.
    """

    rescued_column: str | None
    file_path_in_rescued: bool
    case_sensitive: bool
    parse_mode: ParseMode
    corrupt_column: str
    exact_decimals: bool
    observe_misfits: bool
    typed: bool
    prefers_decimal: bool
    time_zone: str
    today: dt.date
    user_schema: bool
    bad_records_path: Path | None = None
    text: TextRules = DEFAULT_RULES


@dataclass(frozen=True, slots=True)
class SampleLimit:
    """What the first inference may read at most (contract 2.1)."""

    files: int
    size: int


@dataclass(frozen=True, slots=True)
class ReadLimit:
    """How much one micro-batch may take; None means no limit."""

    files: int | None
    size: int | None


@dataclass(frozen=True, slots=True)
class KeepSource:
    """Files stay where they are (`cleanSource=OFF`)."""


@dataclass(frozen=True, slots=True)
class DeleteSource:
    """Ingested files are deleted, so many seconds after their batch was committed."""

    retention: float


@dataclass(frozen=True, slots=True)
class MoveSource:
    """Ingested files are moved, so many seconds after their batch was committed."""

    retention: float
    destination: Path


CleanSource: TypeAlias = KeepSource | DeleteSource | MoveSource


@dataclass(frozen=True, slots=True)
class DiscoveryOptions:
    """Which files of the landing folder belong to the stream, and what their folders say.

    * `partition_columns`: None finds them by the layout of the folders, `()` means there are none.
    * `modified_after_ms`, `modified_before_ms`: milliseconds since 1970, or None.
    * `max_file_age`: seconds before the newest file that older ones are known for; None: for ever.
    * `backfill_interval`: seconds after which everything is listed again; None: as is best.
    * `clean_source`: what becomes of ingested files.
    """

    path_glob_filter: str | None
    allow_overwrites: bool
    include_existing_files: bool
    use_strict_globber: bool
    partition_columns: tuple[str, ...] | None
    modified_after_ms: int | None = None
    modified_before_ms: int | None = None
    max_file_age: float | None = None
    backfill_interval: float | None = None
    clean_source: CleanSource = KeepSource()
    ignore_missing_files: bool = False
    ignore_corrupt_files: bool = False


@dataclass(frozen=True, slots=True)
class StreamOptions:
    """Everything `readStream` was told, checked.

    * `unknown_keys`: `cloudFiles.*` keys that do not exist, lower-cased after the prefix; the
      stream is refused when it starts, and `.load()` persists nothing (contract 1.3, 1.5).
    * `warnings`: said once, e.g. an unknown key without the prefix.
    * `notes`: said once at INFO, e.g. cloud-only keys that have no meaning here.
    """

    format_name: str
    schema_location: Path | None
    mode: EvolutionMode
    user_schema: Schema | None
    hints: SchemaHints
    sample: SampleLimit
    limit: ReadLimit
    discovery: DiscoveryOptions
    reading: ReadSettings
    csv: CsvOptions
    unknown_keys: tuple[str, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    json: JsonOptions = JsonOptions()
    parquet: ParquetOptions = ParquetOptions()
    text_files: TextFileOptions = TextFileOptions()


@dataclass(frozen=True, slots=True)
class WriterOptions:
    """Everything `writeStream` was told, checked.

    * `merge_schema`: whether new columns go into a Delta table.
    * `properties`: Delta table properties, for a table that the stream makes.
    """

    checkpoint_location: Path | None
    path: str | None
    merge_schema: bool
    properties: Mapping[str, str]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]


class SaveMode(Enum):
    """What a batch write does when something is there already (Spark's `SaveMode`)."""

    APPEND = "append"
    OVERWRITE = "overwrite"
    IGNORE = "ignore"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """Everything that a batch `write` was told, checked.

    * `transaction`: application id and version; a table takes each such write once.
    * `properties`: Delta table properties, for a table that the write makes.
    """

    path: str | None
    merge_schema: bool
    overwrite_schema: bool
    transaction: tuple[str, int] | None
    properties: Mapping[str, str]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConsoleOptions:
    """How the console shows a batch: the first `rows` rows, long values cut or whole."""

    rows: int
    truncate: bool


@dataclass(frozen=True, slots=True)
class TableReadOptions:
    """What a batch `read` was told; `version` None is the newest."""

    path: str | None
    version: int | None

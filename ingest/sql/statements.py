"""The statements that `spark.sql` carries out, as frozen values; a closed union."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ingest.table_places import TableFormat
    from schema_store.types import Schema


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table by its name, one to three parts, as it was written."""

    name: str


@dataclass(frozen=True, slots=True)
class TableAt:
    """A table by its folder: ``delta.`/path` ``."""

    path: str
    format: TableFormat


TableRef: TypeAlias = NamedTable | TableAt


@dataclass(frozen=True, slots=True)
class SetProperties:
    """`ALTER TABLE t SET TBLPROPERTIES (key = value, …)`."""

    table: TableRef
    properties: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class UnsetProperties:
    """`ALTER TABLE t UNSET TBLPROPERTIES [IF EXISTS] (key, …)`."""

    table: TableRef
    keys: tuple[str, ...]
    if_exists: bool


@dataclass(frozen=True, slots=True)
class ShowProperties:
    """`SHOW TBLPROPERTIES t [(key)]`."""

    table: TableRef
    key: str | None


@dataclass(frozen=True, slots=True)
class DescribeTable:
    """`DESCRIBE [TABLE] t`."""

    table: TableRef


@dataclass(frozen=True, slots=True)
class DescribeDetail:
    """`DESCRIBE DETAIL t`."""

    table: TableRef


@dataclass(frozen=True, slots=True)
class DescribeHistory:
    """`DESCRIBE HISTORY t [LIMIT n]`."""

    table: TableRef
    limit: int | None


@dataclass(frozen=True, slots=True)
class CreateTable:
    """`CREATE TABLE [IF NOT EXISTS] t (columns)`, with a format, partitions, properties."""

    table: TableRef
    schema: Schema
    format: TableFormat
    partitions: tuple[str, ...]
    properties: tuple[tuple[str, str], ...]
    if_not_exists: bool


@dataclass(frozen=True, slots=True)
class DropTable:
    """`DROP TABLE [IF EXISTS] t`."""

    table: TableRef
    if_exists: bool


@dataclass(frozen=True, slots=True)
class SelectAll:
    """`SELECT * FROM t [VERSION AS OF n] [LIMIT n]`."""

    table: TableRef
    version: int | None
    limit: int | None


@dataclass(frozen=True, slots=True)
class SelectFileState:
    """`SELECT * FROM cloud_files_state('checkpoint') [LIMIT n]`."""

    checkpoint: str
    limit: int | None


@dataclass(frozen=True, slots=True)
class SetConf:
    """`SET key = value`."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class ShowConf:
    """`SET key`, or `SET` alone for all."""

    key: str | None


Change: TypeAlias = SetProperties | UnsetProperties | CreateTable | DropTable

Question: TypeAlias = (
    ShowProperties
    | DescribeTable
    | DescribeDetail
    | DescribeHistory
    | SelectAll
    | SelectFileState
    | SetConf
    | ShowConf
)

Statement: TypeAlias = Change | Question

"""Which partition columns a stream has: chosen when it is loaded, the same ever after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.errors import PartitionTypeNotSupportedError
from ingest.partitions.folders import partition_keys
from ingest.partitions.values import PARTITION_TYPES, infer_partition_columns
from schema_store.ddl import type_to_sql
from schema_store.hints import SchemaHints
from schema_store.types import Field, StringType, StructType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ingest.file_entry import ListedFile
    from schema_store.types import Schema

NO_COLUMNS = StructType(())


@dataclass(frozen=True, slots=True)
class LandingPaths:
    """The paths in a landing folder, listed when something is asked of them.

    `glob_depth` names below the base are those of a glob.
    """

    base: bytes
    glob_depth: int
    list_files: Callable[[], Sequence[ListedFile]]

    def keys(self) -> tuple[str, ...]:
        """Give the keys that all files are laid out by."""
        paths = (file.path for file in self.list_files())
        return partition_keys(self.base, paths, depth=self.glob_depth)

    def columns(self, names: Iterable[str]) -> tuple[Field, ...]:
        """Give partition columns of these names, with the types of their values."""
        folders = (file.path.rpartition(b"/")[0] for file in self.list_files())
        return infer_partition_columns(names, self.base, folders)


def inferred_partitions(
    paths: LandingPaths, named: tuple[str, ...] | None, *, known: Schema | None, typed: bool
) -> Schema:
    """Give the partition columns of a stream that infers its schema (contract 2.7).

    `named` are those of `cloudFiles.partitionColumns`, None without the option: then the layout of
    all files decides, but only once. `known` are the stored ones, None before the first version. A
    known column keeps its type, a new one gets that of its values; STRING unless `typed`.
    """
    if named is None and known is not None:
        return known
    names = paths.keys() if named is None else named
    fields = {field.name.lower(): field for field in known or NO_COLUMNS}
    new = [name for name in names if name.lower() not in fields]
    found = paths.columns(new) if typed and new else [Field(name, StringType()) for name in new]
    fields |= {field.name.lower(): field for field in found}
    return StructType(tuple(fields[name.lower()] for name in names))


def given_partitions(paths: LandingPaths, named: tuple[str, ...] | None, schema: Schema) -> Schema:
    """Give the columns of a schema of the user's that are partition columns, in path order."""
    names = paths.keys() if named is None else named
    found = (schema.find_ignoring_case(name) for name in names)
    return StructType(tuple(field for field in found if field is not None))


def split_hints(hints: SchemaHints, partitions: Schema) -> tuple[SchemaHints, SchemaHints]:
    """Give the hints for the columns of files, and those for partition columns."""
    is_partition = [partitions.find_ignoring_case(hint.path[0]) is not None for hint in hints.hints]
    pairs = list(zip(hints.hints, is_partition, strict=True))
    return (
        SchemaHints(tuple(hint for hint, of_partition in pairs if not of_partition)),
        SchemaHints(tuple(hint for hint, of_partition in pairs if of_partition)),
    )


def check_partition_types(partitions: Schema) -> None:
    """Refuse types that the name of a folder cannot hold.

    Raises `PartitionTypeNotSupportedError`.
    """
    for field in partitions:
        if not isinstance(field.data_type, PARTITION_TYPES):
            raise PartitionTypeNotSupportedError(field.name, type_to_sql(field.data_type))

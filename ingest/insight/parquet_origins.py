"""Which Parquet file decided the type of a column: files carry types, values do not count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.ahead import map_ahead
from ingest.formats.parquet_fields import fields_type
from ingest.formats.parquet_footer import open_parquet
from ingest.formats.parquet_merge import merge_files
from ingest.insight.origins import (
    ColumnFacts,
    Origin,
    Seen,
    TypeChange,
    Without,
    changed_types,
    leaves,
    type_at,
)
from ingest.insight.text_facts import EXACT_IN_DOUBLE
from schema_store.types import LongType, NullType, StructType, fold_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow.parquet as pq

    from ingest.file_entry import FileEntry
    from schema_store.types import FieldPath, Schema

_NOTHING = StructType(())


@dataclass(frozen=True, slots=True)
class Footers:
    """The schemas of files in order, and the largest value of each of their BIGINT columns."""

    files: tuple[FileEntry, ...]
    schemas: tuple[Schema, ...]
    largest: tuple[dict[str, int], ...]
    pinned: frozenset[FieldPath]

    def merged(self, schemas: Sequence[Schema]) -> Schema:
        """Merge schemas as inference does."""
        return merge_files(schemas, self.pinned).schema


def read_footers(files: Sequence[FileEntry], pinned: frozenset[FieldPath]) -> Footers:
    """Read what the files say of themselves."""
    read = list(map_ahead(_footer, files))
    folded = frozenset(fold_path(path) for path in pinned)
    schemas, largest = tuple(one for one, _ in read), tuple(one for _, one in read)
    return Footers(tuple(files), schemas, largest, folded)


def parquet_origins(footers: Footers) -> dict[FieldPath, Origin]:
    """Give the origin of each field without fields, by its path in lower case."""
    changes: dict[FieldPath, list[tuple[int, TypeChange]]] = {}
    distinct: dict[Schema, int] = {}
    before = _NOTHING
    for place, schema in enumerate(footers.schemas):
        if schema in distinct:
            continue
        distinct[schema] = place
        after = footers.merged([*distinct])
        for path, was, now in changed_types(before, after):
            change = TypeChange(footers.files[place].uri, None, None, was, now)
            changes.setdefault(path, []).append((place, change))
        before = after
    found = {}
    for path, data_type in leaves(before):
        key = fold_path(path)
        met = changes.get(key, [])
        without = _without(footers, key, met[-1][0]) if met else None
        found[key] = Origin(path, data_type, tuple(change for _, change in met), without)
    return found


def parquet_facts(
    footers: Footers, origins: dict[FieldPath, Origin]
) -> dict[FieldPath, ColumnFacts]:
    """Give what footers tell of values: the largest integers of plain columns."""
    found = dict.fromkeys(origins, ColumnFacts(complete=False))
    for file, largest in zip(footers.files, footers.largest, strict=True):
        for name, value in largest.items():
            path = (name.lower(),)
            if path in found and isinstance(origins[path].observed, LongType):
                found[path] += ColumnFacts(complete=False, large=Seen(1, file.uri, 0, str(value)))
    return found


def _without(footers: Footers, path: FieldPath, place: int) -> Without:
    others = dict.fromkeys((*footers.schemas[:place], *footers.schemas[place + 1 :]))
    return Without(type_at(footers.merged([*others]), path) or NullType())


def _footer(file: FileEntry) -> tuple[Schema, dict[str, int]]:
    with open_parquet(file) as opened:
        if opened is None:
            return _NOTHING, {}
        return fields_type(opened.fields), dict(_beyond_double(opened.reader.metadata))


def _beyond_double(footer: pq.FileMetaData) -> Iterator[tuple[str, int]]:
    """Give the columns with an integer beyond 2^53, as far as statistics tell."""
    for group in range(footer.num_row_groups):
        for place in range(footer.num_columns):
            column = footer.row_group(group).column(place)
            stats = column.statistics if column.physical_type == "INT64" else None
            if stats is None or not stats.has_min_max:
                continue
            extreme = max((stats.min, stats.max), key=_size)
            if _size(extreme) > EXACT_IN_DOUBLE:
                yield column.path_in_schema, extreme


def _size(value: object) -> int:
    return abs(value) if isinstance(value, int) else 0

"""What a reader gives: rows as Arrow, and findings about what it met on the way.

Findings add up (`+` is associative, `Findings()` changes nothing), so files can be read in any
order and in threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.ledger import LedgerEntry, add_entries
from schema_store.merge import merge_types

if TYPE_CHECKING:
    import pyarrow as pa

    from ingest.file_entry import FileEntry
    from schema_store.errors import TypeConflict
    from schema_store.types import DataType, Schema

Path = tuple[str, ...]
"""A column or a nested field: names from the top, `element`, `key`, `value` inside."""


@dataclass(frozen=True, slots=True)
class UnknownField:
    """A field that the schema lacks and that could become a column: where it was met.

    `row` is the number of the record in its file, from 1 on, where a format tells it (JSON): the
    exception shows the fields of one record. There `example` is JSON text.
    """

    path: Path
    file: FileEntry
    example: str
    row: int = 0


@dataclass(frozen=True, slots=True)
class Misfits:
    """Values of one column in one file that did not fit its type.

    `observed` is the merged type of those values, or None where it was not asked for (only the
    widening mode asks).
    """

    path: Path
    file: FileEntry
    count: int
    example: str
    observed: DataType | None


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A malformed record that goes to `badRecordsPath`: its file, its text, and why."""

    path: str
    record: str
    reason: str


@dataclass(frozen=True, slots=True)
class BadFile:
    """A file that could not be opened: for `badRecordsPath` as well."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What was met while reading.

    `bad_records` counts those that went to `badRecordsPath`.
    `notices` are things the user should be told once, e.g. that a dialect was assumed.
    """

    unknown: tuple[UnknownField, ...] = ()
    misfits: tuple[Misfits, ...] = ()
    rescued_rows: int = 0
    corrupt_records: int = 0
    losses: tuple[LedgerEntry, ...] = ()
    notices: frozenset[str] = frozenset()
    bad_records: int = 0

    def __add__(self, other: Findings) -> Findings:
        return Findings(
            _first_of_each(self.unknown + other.unknown),
            _add_misfits(self.misfits, other.misfits),
            self.rescued_rows + other.rescued_rows,
            self.corrupt_records + other.corrupt_records,
            add_entries(self.losses, other.losses),
            self.notices | other.notices,
            self.bad_records + other.bad_records,
        )


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """Rows of one or more files: the schema's columns, then the rescued column where there is one.

    Text columns may be any Arrow string type (`string`, `large_string`, `string_view`). `bad` are
    records that belong to `badRecordsPath` instead. `files` are the rows' files in order, each with
    its number of rows.
    """

    rows: pa.RecordBatch
    findings: Findings
    bad: tuple[BadRecord, ...] = ()
    files: tuple[tuple[FileEntry, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Inferred:
    """The observed schema of some files.

    `beyond_decimal` names columns whose numbers need more than 38 digits: they are DOUBLE here
    and never a reason to widen (contract 6.2). `conflicts` are columns of files that carry types
    and disagree (contract 2.2): the first type met is in the schema. `disputed` are their paths,
    which widen nothing either.
    """

    schema: Schema
    beyond_decimal: frozenset[str]
    notices: frozenset[str]
    conflicts: tuple[TypeConflict, ...] = ()
    disputed: frozenset[Path] = frozenset()


def _first_of_each(fields: tuple[UnknownField, ...]) -> tuple[UnknownField, ...]:
    """Keep one finding for each (path, file)."""
    return tuple({(field.path, field.file.seq_num): field for field in reversed(fields)}.values())[
        ::-1
    ]


def _add_misfits(left: tuple[Misfits, ...], right: tuple[Misfits, ...]) -> tuple[Misfits, ...]:
    if not left or not right:
        return left or right
    found: dict[tuple[Path, int], Misfits] = {}
    for one in left + right:
        key = (one.path, one.file.seq_num)
        known = found.get(key)
        found[key] = one if known is None else _add_two(known, one)
    return tuple(found.values())


def _add_two(known: Misfits, one: Misfits) -> Misfits:
    observed = known.observed
    if observed is not None and one.observed is not None:
        observed = merge_types(observed, one.observed)
    return Misfits(known.path, known.file, known.count + one.count, known.example, observed)

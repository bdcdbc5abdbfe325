"""A CSV file's header: names as Spark makes them, and where they meet the schema's columns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.errors import ColumnNameCollisionError, RescuedColumnInDataError
from ingest.formats.csv_dialect import Dialect, find_dialect, is_comma_space
from ingest.formats.csv_limits import RefusedRecordError, cut_first
from ingest.rescue import FILE_PATH
from schema_store.types import Schema, StringType

if TYPE_CHECKING:
    from ingest.stream_options import CsvOptions, ReadSettings

COMMA_SPACE_NOTICE = (
    "names and values of CSV files are separated by a comma and a blank; the blanks were left out."
    " Set ignoreLeadingWhiteSpace=true to be sure that production does the same"
)


@dataclass(frozen=True, slots=True)
class Header:
    """The names of a file's cells by position, and the file's dialect.

    `generated` names stand for blank ones (`_c<i>`): they are columns when a schema is inferred,
    but never evolve one (contract 2.3). `is_line` tells whether the first record is the header.
    """

    names: tuple[str, ...]
    generated: frozenset[str]
    dialect: Dialect
    comma_space: bool
    is_line: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """Which cell of a record belongs to which column.

    `positions` has the cell's position for every column of the schema, None where the file lacks
    it. `unknown` are the cells without a column; `evolving` the positions of those that could
    become one. `corrupt` is the place of the column for corrupt records.
    """

    width: int
    positions: tuple[int | None, ...]
    unknown: tuple[tuple[int, str], ...]
    evolving: frozenset[int]
    corrupt: int | None
    names: frozenset[str]


def has_header(csv: CsvOptions, settings: ReadSettings) -> bool:
    """Tell whether files have a header line (contract 11.2): by default when inferring."""
    return not settings.user_schema if csv.header is None else csv.header


def find_header(file: str, line: str, csv: CsvOptions, settings: ReadSettings) -> Header:
    """Make a header of a file's first record.

    Raises `ColumnNameCollisionError`, `RescuedColumnInDataError`, `RecordNotReadableError`.
    """
    if not has_header(csv, settings):
        dialect = find_dialect(csv, comma_space=False)
        cells = _cut(file, line, dialect)
        names = tuple(f"_c{position}" for position, _ in enumerate(cells))
        return Header(names, frozenset(), dialect, comma_space=False, is_line=False)
    comma_space = is_comma_space(line, csv)
    dialect = find_dialect(csv, comma_space=comma_space)
    cells = _cut(file, line, dialect)
    names = safe_names(cells)
    _check_names(file, names, settings)
    generated = frozenset(name for name, cell in zip(names, cells, strict=True) if not cell)
    return Header(names, generated, dialect, comma_space, is_line=True)


def _cut(file: str, line: str, dialect: Dialect) -> list[str | None]:
    """Cut a file's first record; it has to keep the limits itself."""
    try:
        return cut_first(line, dialect)
    except RefusedRecordError as error:
        raise error.in_file(file) from error


def safe_names(cells: list[str | None]) -> tuple[str, ...]:
    """Name blank cells `_c<i>`, and add the index to doubled names (`CSVUtils.makeSafeHeader`).

    >>> safe_names(["a", "a", "A", None, "b"])
    ('a0', 'a1', 'A2', '_c3', 'b')
    """
    folded = [cell.lower() for cell in cells if cell is not None]
    doubled = {name for name, count in Counter(folded).items() if count > 1}
    return tuple(
        f"_c{index}" if not cell else f"{cell}{index}" if cell.lower() in doubled else cell
        for index, cell in enumerate(cells)
    )


def find_layout(header: Header, schema: Schema, settings: ReadSettings) -> Layout:
    """Match a file's names with the schema's columns: by name, or by place (contract 11.2)."""
    corrupt = next(
        (
            place
            for place, field in enumerate(schema)
            if field.name == settings.corrupt_column and isinstance(field.data_type, StringType)
        ),
        None,
    )
    if settings.user_schema and not header.is_line:
        return _by_place(schema, corrupt)
    places: dict[str, int] = {}
    for position, name in enumerate(header.names):
        places.setdefault(_folded(name, settings), position)
    positions = tuple(
        None if place == corrupt else places.get(_folded(field.name, settings))
        for place, field in enumerate(schema)
    )
    unknown = tuple(
        (position, name) for position, name in enumerate(header.names) if position not in positions
    )
    evolving = frozenset(
        position for position, name in unknown if _can_evolve(name, header, schema, settings)
    )
    names = frozenset(header.names)
    return Layout(len(header.names), positions, unknown, evolving, corrupt, names)


def _by_place(schema: Schema, corrupt: int | None) -> Layout:
    places = [place for place in range(len(schema)) if place != corrupt]
    positions = tuple(
        None if place == corrupt else places.index(place) for place in range(len(schema))
    )
    return Layout(len(places), positions, (), frozenset(), corrupt, frozenset(schema.names))


def _folded(name: str, settings: ReadSettings) -> str:
    return name if settings.case_sensitive else name.lower()


def _can_evolve(name: str, header: Header, schema: Schema, settings: ReadSettings) -> bool:
    reserved = settings.rescued_column is not None and name == FILE_PATH
    return name not in header.generated and not reserved and schema.find_ignoring_case(name) is None


def _check_names(file: str, names: tuple[str, ...], settings: ReadSettings) -> None:
    counts = Counter(name.lower() for name in names)
    collisions = [name for name in names if counts[name.lower()] > 1]
    if collisions:  # of several, Spark names the first in the alphabet (case C13)
        column = min(collisions, key=str.lower)
        raise ColumnNameCollisionError(file, column=column, header=names)
    rescued = (settings.rescued_column or "").lower()
    taken = next((name for name in names if rescued and name.lower() == rescued), None)
    if taken is not None:
        raise RescuedColumnInDataError(file, column=taken)

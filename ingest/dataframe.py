"""Rows that a table gives back, in the shape of a PySpark DataFrame."""

from __future__ import annotations

import datetime as dt
import sys
from typing import TYPE_CHECKING, Any, Self

import polars as pl

from ingest.shown import shown, table_text
from schema_store.ddl import type_to_simple_string
from schema_store.types import ArrayType, DataType, MapType, Schema, StructType

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

SHOWN_WIDTH = 20
"""Characters that `show` keeps of a value, as Spark does."""


class Row(tuple[Any, ...]):  # noqa: SLOT001 - a tuple cannot have slots
    """A row: a tuple whose values can be asked for by name.

    >>> row = Row(("id", "name"), (1, "John"))
    >>> row.name, row["id"], row.asDict()
    ('John', 1, {'id': 1, 'name': 'John'})
    """

    __fields__: tuple[str, ...]

    def __new__(cls, fields: tuple[str, ...], values: tuple[Any, ...]) -> Self:
        row = super().__new__(cls, values)
        row.__fields__ = fields
        return row

    def __getnewargs__(self) -> tuple[tuple[str, ...], tuple[Any, ...]]:
        return self.__fields__, tuple(self)

    def __getitem__(self, key: Any) -> Any:  # noqa: ANN401 - as tuple's, and a name
        if isinstance(key, str):
            try:
                return super().__getitem__(self.__fields__.index(key))
            except ValueError:
                raise KeyError(key) from None
        return super().__getitem__(key)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - a value of any column
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __repr__(self) -> str:
        pairs = zip(self.__fields__, self, strict=True)
        return f"Row({', '.join(f'{name}={value!r}' for name, value in pairs)})"

    def asDict(self) -> dict[str, Any]:  # noqa: N802 - PySpark's name
        """Give the row as a dictionary."""
        return dict(zip(self.__fields__, self, strict=True))


class DataFrame:
    """A table's rows in memory, as Arrow; `zone` is the one that timestamps are shown in."""

    def __init__(self, schema: Schema, rows: pa.Table, *, zone: dt.tzinfo = dt.UTC) -> None:
        self._schema = schema
        self._rows = rows
        self._zone = zone

    @property
    def schema(self) -> Schema:
        """The columns and their types."""
        return self._schema

    @property
    def columns(self) -> list[str]:
        """The columns' names."""
        return list(self._schema.names)

    def to_arrow(self) -> pa.Table:
        """Give the rows as a pyarrow Table."""
        return self._rows

    def to_polars(self) -> pl.DataFrame:
        """Give the rows as a Polars DataFrame."""
        frame = pl.from_arrow(self._rows)
        assert isinstance(frame, pl.DataFrame)
        return frame

    def toPandas(self) -> Any:  # noqa: ANN401, N802 - pandas is not among our dependencies
        """Give the rows as a pandas DataFrame; needs pandas."""
        return self._rows.to_pandas()

    def collect(self) -> list[Row]:
        """Give the rows as a list of `Row`."""
        return list(self._iterate(self._rows))

    def count(self) -> int:
        """Count the rows."""
        return int(self._rows.num_rows)

    def select(self, *names: str) -> DataFrame:
        """Give only these columns, in this order."""
        fields = tuple(self._field(name) for name in names)
        rows = self._rows.select([field.name for field in fields])
        return DataFrame(StructType(fields), rows, zone=self._zone)

    def show(self, n: int = 20, truncate: bool | int = True) -> None:  # noqa: FBT001, FBT002 - PySpark's
        """Print the first rows as Spark does, a blank line after them."""
        sys.stdout.write(self.to_text(n, truncate=truncate) + "\n\n")

    def printSchema(self) -> None:  # noqa: N802 - PySpark's name
        """Print the schema as Spark does, a blank line after it."""
        sys.stdout.write(schema_tree(self._schema) + "\n\n")

    def to_text(self, n: int = 20, *, truncate: bool | int = True) -> str:
        """Give what `show` prints: values cut to 20 (or `truncate`) characters, to the right.

        With `truncate=False` they are whole, and aligned to the left.
        """
        width = SHOWN_WIDTH if truncate is True else int(truncate)
        types = [field.data_type for field in self._schema]
        rows = [
            [
                shown(_local(value, self._zone), kind, width)
                for value, kind in zip(row, types, strict=True)
            ]
            for row in self._iterate(self._rows.slice(0, n))
        ]
        text = table_text(self._schema.names, rows, align_left=width == 0)
        if self.count() <= n:
            return text
        return f"{text}\nonly showing top {n} {'row' if n == 1 else 'rows'}"

    def _field(self, name: str) -> Any:  # noqa: ANN401 - a Field
        field = self._schema.find_ignoring_case(name)
        if field is None:
            raise KeyError(f"no column {name!r}; there are {', '.join(self._schema.names)}")
        return field

    def _iterate(self, rows: pa.Table) -> Iterator[Row]:
        names = self._schema.names
        columns = [column.to_pylist() for column in rows.columns]
        return (Row(names, values) for values in zip(*columns, strict=True))


def _local(value: object, zone: dt.tzinfo) -> object:
    """Give an instant as it is shown (Spark: in the session time zone), anything else as it is."""
    if not isinstance(value, dt.datetime) or value.tzinfo is None:
        return value
    try:
        return value.astimezone(zone)
    except OverflowError:  # the first or last hours that Python knows
        return value


def schema_tree(schema: Schema) -> str:
    """Give the schema as Spark's `printSchema` prints it."""
    return "\n".join(["root", *_tree(schema, " |")])


def _tree(struct: StructType, indent: str) -> Iterator[str]:
    for field in struct:
        nullable = str(field.nullable).lower()
        kind = _kind(field.data_type)
        yield f"{indent}-- {field.name}: {kind} (nullable = {nullable})"
        yield from _inside(field.data_type, f"{indent}    |")


def _inside(data_type: DataType, indent: str) -> Iterator[str]:
    match data_type:
        case StructType():
            yield from _tree(data_type, indent)
        case ArrayType(element, contains_null):
            null = str(contains_null).lower()
            yield f"{indent}-- element: {_kind(element)} (containsNull = {null})"
            yield from _inside(element, f"{indent}    |")
        case MapType(key, value, contains_null):
            null = str(contains_null).lower()
            yield f"{indent}-- key: {_kind(key)}"
            yield f"{indent}-- value: {_kind(value)} (valueContainsNull = {null})"
            yield from _inside(value, f"{indent}    |")
        case _:
            return


def _kind(data_type: DataType) -> str:
    match data_type:
        case StructType():
            return "struct"
        case ArrayType():
            return "array"
        case MapType():
            return "map"
        case _:
            name = type_to_simple_string(data_type)
            return {"int": "integer", "bigint": "long", "smallint": "short", "tinyint": "byte"}.get(
                name, name
            )

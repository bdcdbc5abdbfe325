"""What a chain of calls adds up to: filters and columns over the rows as they are read.

Every call gives a new `Transformation`. Columns are kept as expressions over the rows that are
read, so filters of later calls come before all columns, as Spark's optimizer has it: a row that is
filtered out fails no cast.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from ingest.arrow import to_arrow_type
from ingest.errors import ColumnAlreadyExistsError, DatatypeMismatchError, StarUsageError
from ingest.transform.evaluation import RowOrigin, Rows
from ingest.transform.expressions import Alias, Expression, Name, Star
from ingest.transform.names import result_name, sql_of
from ingest.transform.resolving import Output, resolve
from ingest.transform.typed import FieldOf, Source, Typed
from schema_store.ddl import type_to_sql
from schema_store.types import BooleanType, Field, Schema, StructType

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence

    from ingest.file_entry import FileEntry


@dataclass(frozen=True, slots=True)
class Transformation:
    """Conditions that rows have to meet, in order, and the columns of the result.

    `zone` is the session's time zone.
    """

    filters: tuple[Typed, ...]
    outputs: tuple[Output, ...]
    zone: str

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names; there may be equal ones."""
        return tuple(output.name for output in self.outputs)

    @property
    def schema(self) -> Schema:
        """The columns and their types.

        Raises `ColumnAlreadyExistsError` when two have one name.
        """
        _check_names(self.names)
        return StructType(
            tuple(Field(output.name, output.value.data_type) for output in self.outputs)
        )


def identity(schema: Schema, zone: str) -> Transformation:
    """Give the transformation that changes nothing."""
    outputs = tuple(Output(field.name, Source(field.name, field.data_type)) for field in schema)
    return Transformation((), outputs, zone)


def select(given: Transformation, expressions: Sequence[Expression]) -> Transformation:
    """Give these columns, in this order."""
    outputs = tuple(output for one in expressions for output in _outputs(given, one))
    return Transformation(given.filters, outputs, given.zone)


def with_columns(given: Transformation, columns: Mapping[str, Expression]) -> Transformation:
    """Add columns, or put them in the place of those of the same name (ignoring case)."""
    _check_names(tuple(columns))
    found = {name.lower(): Output(name, _single(given, one, name)) for name, one in columns.items()}
    kept = [found.get(output.name.lower(), output) for output in given.outputs]
    known = {output.name.lower() for output in given.outputs}
    added = [output for key, output in found.items() if key not in known]
    return Transformation(given.filters, (*kept, *added), given.zone)


def rename(given: Transformation, names: Mapping[str, str]) -> Transformation:
    """Give columns other names; one that is not there is nothing to do."""
    folded = {old.lower(): new for old, new in names.items()}
    outputs = tuple(
        Output(folded.get(output.name.lower(), output.name), output.value)
        for output in given.outputs
    )
    return Transformation(given.filters, outputs, given.zone)


def drop(given: Transformation, names: Sequence[str]) -> Transformation:
    """Leave columns out; one that is not there is nothing to do."""
    folded = {name.lower() for name in names}
    outputs = tuple(output for output in given.outputs if output.name.lower() not in folded)
    return Transformation(given.filters, outputs, given.zone)


def keep(given: Transformation, condition: Expression) -> Transformation:
    """Keep the rows for which the condition is true."""
    if isinstance(condition, Star):
        raise StarUsageError("Filter")
    value = resolve(condition, given.outputs)
    if not isinstance(value.data_type, BooleanType):
        sql_type = type_to_sql(value.data_type)
        raise DatatypeMismatchError(
            sql_of(condition),
            "FILTER_NOT_BOOLEAN",
            f'Filter expression "{sql_of(condition)}" of type "{sql_type}" is not a boolean',
            expected="a condition",
        )
    return Transformation((*given.filters, value), given.outputs, given.zone)


def transform_batch(
    given: Transformation,
    batch: pa.RecordBatch,
    files: Sequence[tuple[FileEntry, int]],
    *,
    at: dt.datetime,
) -> pa.RecordBatch:
    """Transform rows; `files` are their files with the numbers of their rows, in order.

    Raises `ExpressionError` when a value fails (ANSI mode).
    """
    rows = Rows(batch, RowOrigin(files, at, given.zone))
    for condition in given.filters:
        rows = rows.keep(condition)
    if not given.outputs:
        return pa.RecordBatch.from_struct_array(pa.array([{}] * rows.batch.num_rows, pa.struct([])))
    columns = [rows.column(output.value) for output in given.outputs]
    return pa.RecordBatch.from_arrays(columns, names=list(given.names))


def transform_table(
    given: Transformation,
    table: pa.Table,
    *,
    at: dt.datetime,
    files: Sequence[tuple[FileEntry, int]] = (),
) -> pa.Table:
    """Transform rows in memory; the result has the Arrow types of the transformation's schema.

    Without `files` there is no `_metadata`.
    """
    schema = pa.schema(
        [pa.field(one.name, to_arrow_type(one.value.data_type)) for one in given.outputs]
    )
    whole = table.combine_chunks().to_batches() or [
        pa.RecordBatch.from_arrays(
            [pa.array([], field.type) for field in table.schema], schema=table.schema
        )
    ]
    batches = [transform_batch(given, batch, files, at=at) for batch in whole]
    columns = [
        pa.chunked_array([batch.column(place) for batch in batches]).cast(field.type)
        for place, field in enumerate(schema)
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def _outputs(given: Transformation, expression: Expression) -> tuple[Output, ...]:
    match expression:
        case Star(()):
            return given.outputs
        case Star(parts):
            struct = resolve(Name(parts), given.outputs)
            if not isinstance(struct.data_type, StructType):
                raise StarUsageError(f"{sql_of(expression)}, which is no struct")
            return tuple(
                Output(field.name, FieldOf(struct, place, field.data_type))
                for place, field in enumerate(struct.data_type)
            )
        case _:
            return (Output(result_name(expression), resolve(expression, given.outputs)),)


def _single(given: Transformation, expression: Expression, name: str) -> Typed:
    if isinstance(expression, Star):
        raise StarUsageError("expression `alias`")
    return resolve(Alias(expression, name), given.outputs)


def _check_names(names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen:
            raise ColumnAlreadyExistsError(name)
        seen.add(name.lower())

"""Whatever schemas come one after the other: the table has every row that it took, unchanged."""

from __future__ import annotations

import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.arrow import to_arrow_schema
from ingest.delta.batch_writes import append
from ingest.errors import FailedToMergeFieldsError, UnsupportedTypesError
from ingest.table_reader import read_table
from schema_store.types import (
    ArrayType,
    ByteType,
    DataType,
    DecimalType,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    NullType,
    Schema,
    StructType,
)
from tests.delta.tables import WIDENING
from tests.delta.tables import settings as table_settings
from tests.schema_store.strategies import alike_schemas

BITS = {ByteType(): 8, IntegerType(): 32, LongType(): 64}


def values_of(data_type: DataType) -> st.SearchStrategy[Any]:
    match data_type:
        case NullType():
            return st.none()
        case ByteType() | IntegerType() | LongType():
            half = 1 << (BITS[data_type] - 1)
            return st.none() | st.integers(-half, half - 1)
        case FloatType():
            return st.none() | st.floats(width=32, allow_nan=False)
        case DecimalType(precision, scale):
            most = 10**precision - 1
            digits = st.integers(-most, most)
            return st.none() | digits.map(lambda found: _decimal(found, scale))
        case ArrayType(element):
            return st.none() | st.lists(values_of(element), max_size=2)
        case MapType(_, value):
            pairs = st.dictionaries(st.sampled_from("xy"), values_of(value), max_size=2)
            return st.none() | pairs.map(lambda found: list(found.items()))
        case StructType():
            return st.none() | rows_of(data_type)
        case _:
            return st.none() | st.text("aü ", max_size=3)


def _decimal(digits: int, scale: int) -> Decimal:
    sign, figures, _ = Decimal(digits).as_tuple()
    return Decimal((sign, figures, -scale))


def rows_of(schema: StructType) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({field.name: values_of(field.data_type) for field in schema})


@st.composite
def batches(draw: st.DrawFn) -> tuple[Schema, list[dict[str, Any]]]:
    schema = draw(alike_schemas.filter(lambda found: len(found) > 0))
    return schema, draw(st.lists(rows_of(schema), min_size=1, max_size=3))


def shaped(value: Any, data_type: DataType) -> Any:
    """Give a value as a table of this type shows it; equal numbers are equal."""
    match data_type:
        case _ if value is None:
            return None
        case StructType(fields):
            by_name = {name.lower(): part for name, part in value.items()}
            return {f.name: shaped(by_name.get(f.name.lower()), f.data_type) for f in fields}
        case ArrayType(element):
            return [shaped(one, element) for one in value]
        case MapType(_, inner):
            return [(key, shaped(one, inner)) for key, one in value]
        case _:
            return value


@settings(max_examples=60)
@given(st.lists(batches(), min_size=1, max_size=4))
def test_table_has_every_row_that_it_took(
    written: list[tuple[Schema, list[dict[str, Any]]]],
) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        taken: list[dict[str, Any]] = []
        for schema, rows in written:
            table = pa.Table.from_pylist(rows, to_arrow_schema(schema))
            try:
                append(folder, table, schema, table_settings(WIDENING))
            except (FailedToMergeFieldsError, UnsupportedTypesError):
                continue
            taken += rows
        if not taken:
            return
        schema, found = read_table(folder)
        expected = [shaped(row, schema) for row in taken]
        actual = found.to_pylist()
        assert len(actual) == len(expected)
        for row in expected:
            actual.remove(row)  # raises when it is not there

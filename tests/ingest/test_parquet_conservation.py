"""Generated Parquet files: a slow exact twin, and no value is lost (contract 5.3, 5.6, 9.2)."""

from __future__ import annotations

import tempfile
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ingest.ledger import LossKind
from ingest.read_batch import Findings
from schema_store.ddl import to_ddl
from schema_store.types import (
    ArrayType,
    DataType,
    DecimalType,
    DoubleType,
    Field,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructType,
)
from schema_store.widening import lossless_type
from tests.ingest.parquet_support import land_tables, parquet, read_all

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAVES: tuple[tuple[DataType, pa.DataType, st.SearchStrategy[Any]], ...] = (
    (IntegerType(), pa.int32(), st.integers(-5, 5)),
    (LongType(), pa.int64(), st.integers(2**40, 2**40 + 5)),
    (DoubleType(), pa.float64(), st.sampled_from([0.5, -1.25, 3.0])),
    (DecimalType(5, 2), pa.decimal128(5, 2), st.sampled_from([Decimal("1.25"), Decimal("0.10")])),
    (StringType(), pa.string(), st.text('ab "\\\n{é', max_size=4)),
)
TYPES = {data_type: (kind, values) for data_type, kind, values in LEAVES}
leaves = st.sampled_from([data_type for data_type, _, _ in LEAVES])
names = st.sampled_from(["a", "b", "B", "c"])


def structs(inner: st.SearchStrategy[DataType]) -> st.SearchStrategy[StructType]:
    fields = st.dictionaries(names, inner, min_size=1, max_size=3)
    return fields.map(
        lambda found: StructType(
            tuple(Field(n, t) for n, t in found.items() if n != "B" or "b" not in found)
        )
    )


types = st.recursive(
    leaves,
    lambda inner: st.one_of(
        structs(inner),
        inner.map(ArrayType),
        inner.map(lambda value: MapType(StringType(), value)),
    ),
    max_leaves=4,
)


def arrow_type(data_type: DataType) -> pa.DataType:
    match data_type:
        case StructType(fields):
            return pa.struct([(field.name, arrow_type(field.data_type)) for field in fields])
        case ArrayType(element):
            return pa.list_(arrow_type(element))
        case MapType(key, value):
            return pa.map_(arrow_type(key), arrow_type(value))
        case _:
            return TYPES[data_type][0]


def values_of(data_type: DataType) -> st.SearchStrategy[Any]:
    match data_type:
        case StructType(fields):
            inner: st.SearchStrategy[Any] = st.fixed_dictionaries(
                {field.name: values_of(field.data_type) for field in fields}
            )
        case ArrayType(element):
            inner = st.lists(values_of(element), max_size=2)
        case MapType(_, value):
            inner = st.dictionaries(st.sampled_from("xy"), values_of(value), max_size=2).map(
                lambda found: list(found.items())
            )
        case _:
            inner = TYPES[data_type][1]
    return st.one_of(st.none(), inner, inner)


@st.composite
def files(draw: st.DrawFn) -> tuple[StructType, list[dict[str, Any]]]:
    schema = draw(structs(types))
    row = st.fixed_dictionaries({f.name: values_of(f.data_type) for f in schema})
    return schema, draw(st.lists(row, min_size=1, max_size=4))


# the twin: value by value, in plain Python


def plain_json(value: Any, data_type: DataType) -> Any:
    if value is None:
        return None
    match data_type:
        case StructType(fields):
            return {f.name: plain_json(value[f.name], f.data_type) for f in fields}
        case ArrayType(element):
            return [plain_json(one, element) for one in value]
        case MapType(_, inner):
            return {key: plain_json(one, inner) for key, one in value}
        case DecimalType():
            return float(value)
        case _:
            return value


def is_misfit(source: DataType, target: DataType) -> bool:
    match source, target:
        case StructType(), StructType():
            return False
        case ArrayType(one), ArrayType(other):
            return is_misfit(one, other)
        case MapType(_, one), MapType(_, other):
            return is_misfit(one, other)
        case ((StructType() | ArrayType() | MapType()), _):
            return True
        case _, (StructType() | ArrayType() | MapType()):
            return True
        case _:
            return lossless_type(target, source) != target


def fit(value: Any, source: DataType, target: DataType) -> tuple[Any, Any]:
    """Give the column's value and what is left over, None for nothing."""
    if value is None:
        return None, None
    if is_misfit(source, target):
        return None, plain_json(value, source)
    match source, target:
        case StructType(), StructType():
            return fit_struct(value, source, target)
        case ArrayType(one), ArrayType(other):
            fitted = [fit(each, one, other) for each in value]
            left = any(rest is not None for _, rest in fitted)
            return [each for each, _ in fitted], plain_json(value, source) if left else None
        case MapType(_, one), MapType(_, other):
            pairs = [(key, fit(each, one, other)) for key, each in value]
            left = any(rest is not None for _, (_, rest) in pairs)
            kept = [(key, each) for key, (each, _) in pairs]
            return kept, plain_json(value, source) if left else None
    return value, None


def fit_struct(
    value: dict[str, Any], source: StructType, target: StructType
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    kept: dict[str, Any] = {}
    left: dict[str, Any] = {}
    for field in source:
        wanted = target.find(field.name)
        if wanted is None:
            rest = plain_json(value[field.name], field.data_type)
        else:
            kept[field.name], rest = fit(value[field.name], field.data_type, wanted.data_type)
        if rest is not None:
            left[field.name] = rest
    return {field.name: kept.get(field.name) for field in target}, left or None


def leaves_of(value: Any) -> Iterator[Any]:
    match value:
        case None:
            return
        case dict():
            for one in value.values():
                yield from leaves_of(one)
        case list():
            for one in value:
                yield from leaves_of(one[1] if isinstance(one, tuple) else one)
        case _:
            yield value


def read(
    file: tuple[StructType, list[dict[str, Any]]], schema: StructType, **changes: Any
) -> tuple[list[dict[str, Any]], Findings]:
    source, rows = file
    kind = arrow_type(source)
    table = pa.Table.from_struct_array(pa.array(rows, kind))
    with tempfile.TemporaryDirectory() as folder:
        entries = land_tables(Path(folder), table)
        return read_all(parquet(**changes), entries, to_ddl(schema))


@given(files(), structs(types))
@settings(max_examples=300, deadline=None)
def test_reading_is_what_the_slow_twin_says(
    file: tuple[StructType, list[dict[str, Any]]], schema: StructType
) -> None:
    source, rows = file
    expected = []
    for row in rows:
        kept, left = fit_struct(row, source, schema)
        expected.append(kept | {"_rescued_data": left})
    assert read(file, schema)[0] == expected


@given(files())
@settings(max_examples=100, deadline=None)
def test_nothing_is_rescued_under_the_inferred_schema(
    file: tuple[StructType, list[dict[str, Any]]],
) -> None:
    source, rows = file
    found, findings = read(file, source)
    assert found == [row | {"_rescued_data": None} for row in rows]
    assert findings == Findings()


# contract 9.2: every cell is in a column or in the ledger
@given(files(), st.sets(names, min_size=1))
@settings(max_examples=200, deadline=None)
def test_without_a_rescued_column_every_cell_is_kept_or_in_the_ledger(
    file: tuple[StructType, list[dict[str, Any]]], kept: set[str]
) -> None:
    source, rows = file
    schema = StructType(tuple(field for field in source if field.name in kept))
    assume(len(schema))
    found, findings = read(file, schema, rescued_column=None)
    cells = sum(value is not None for row in rows for value in row.values())
    there = sum(value is not None for row in found for value in row.values())
    dropped = sum(one.count for one in findings.losses if one.kind is LossKind.DROPPED)
    assert there + dropped == cells


# contract 9.2: inside structs as well, and through arrays and maps the whole value is rescued
@given(files(), structs(types))
@settings(max_examples=200, deadline=None)
def test_every_leaf_is_in_a_column_or_rescued(
    file: tuple[StructType, list[dict[str, Any]]], schema: StructType
) -> None:
    _, rows = file
    for row, found in zip(rows, read(file, schema)[0], strict=True):
        for name, value in row.items():
            column = list(leaves_of(found.get(name)))
            rescued = list(leaves_of((found["_rescued_data"] or {}).get(name)))
            assert len(column) + len(rescued) >= len(list(leaves_of(value)))

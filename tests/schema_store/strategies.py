"""Hypothesis strategies for types, schemas, hints and observations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
from hypothesis import strategies as st

from schema_store.evolution import Observation
from schema_store.hints import SchemaHint, SchemaHints
from schema_store.type_names import PLAIN_TYPES
from schema_store.types import (
    ArrayType,
    ByteType,
    CharType,
    DataType,
    DayTimeIntervalType,
    DecimalType,
    Field,
    FieldPath,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    NullType,
    Schema,
    StringType,
    StructType,
    VarcharType,
    YearMonthIntervalType,
    fold_path,
)

if TYPE_CHECKING:
    from collections.abc import Callable

COMMON_NAMES = ("id", "ID", "name", "Amount", "amount", "x.y", "order id", "a`b", "element", "é")

names = st.sampled_from(COMMON_NAMES) | st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5
)


@st.composite
def decimals(draw: st.DrawFn) -> DecimalType:
    precision = draw(st.integers(1, 38))
    return DecimalType(precision, draw(st.integers(0, precision)))


@st.composite
def _year_month(draw: st.DrawFn) -> YearMonthIntervalType:
    start = draw(st.integers(0, 1))
    return YearMonthIntervalType(start, draw(st.integers(start, 1)))


@st.composite
def _day_time(draw: st.DrawFn) -> DayTimeIntervalType:
    start = draw(st.integers(0, 3))
    return DayTimeIntervalType(start, draw(st.integers(start, 3)))


plain_types: st.SearchStrategy[DataType] = st.one_of(
    st.sampled_from(list(PLAIN_TYPES)),
    decimals(),
    st.builds(CharType, st.integers(1, 300)),
    st.builds(VarcharType, st.integers(1, 300)),
    _year_month(),
    _day_time(),
)


def _structs(
    types: st.SearchStrategy[DataType],
    nullable: st.SearchStrategy[bool],
    metadata: st.SearchStrategy[str],
) -> st.SearchStrategy[StructType]:
    field = st.builds(Field, names, types, nullable, metadata)
    fields = st.lists(field, max_size=4, unique_by=lambda f: f.name.lower())
    return fields.map(lambda found: StructType(tuple(found)))


def _nested(
    nullable: st.SearchStrategy[bool],
    parts_nullable: st.SearchStrategy[bool],
    metadata: st.SearchStrategy[str],
) -> Callable[[st.SearchStrategy[DataType]], st.SearchStrategy[DataType]]:
    return lambda inner: st.one_of(
        st.builds(ArrayType, inner, parts_nullable),
        st.builds(MapType, inner, inner, parts_nullable),
        _structs(inner, nullable, metadata),
    )


_comments = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).map(
    lambda text: orjson.dumps({"comment": text}).decode()
)
_any_metadata = st.just("{}") | _comments | st.just('{"delta.columnMapping.id":3}')

data_types = st.recursive(
    plain_types, _nested(st.booleans(), st.booleans(), _any_metadata), max_leaves=6
)
schemas: st.SearchStrategy[Schema] = _structs(data_types, st.booleans(), _any_metadata)

_ddl_metadata = st.just("{}") | _comments
ddl_types = st.recursive(
    plain_types, _nested(st.booleans(), st.just(value=True), _ddl_metadata), max_leaves=6
)
ddl_schemas: st.SearchStrategy[Schema] = _structs(ddl_types, st.booleans(), _ddl_metadata)

_few_names = st.sampled_from(["a", "A", "b", "c"])
_growing_types = st.recursive(
    st.sampled_from([NullType(), ByteType(), IntegerType(), LongType(), FloatType(), StringType()])
    | decimals(),
    lambda inner: st.one_of(
        st.builds(ArrayType, inner),
        st.builds(MapType, st.just(StringType()), inner),
        st.lists(
            st.builds(Field, _few_names, inner), max_size=3, unique_by=lambda f: f.name.lower()
        ).map(lambda fields: StructType(tuple(fields))),
    ),
    max_leaves=5,
)
alike_schemas: st.SearchStrategy[Schema] = st.lists(
    st.builds(Field, _few_names, _growing_types), max_size=3, unique_by=lambda f: f.name.lower()
).map(lambda fields: StructType(tuple(fields)))
"""Schemas with so few names and types that two of them often have columns in common."""


@st.composite
def observations(draw: st.DrawFn, current: Schema) -> Observation:
    """What a batch might hold, with misfits at any of the current schema's paths."""
    paths = sorted(paths_of(current))
    misfits = draw(st.frozensets(st.sampled_from(paths))) if paths else frozenset()
    return Observation(draw(alike_schemas), misfits)


@st.composite
def schemas_and_observations(draw: st.DrawFn) -> tuple[Schema, Observation]:
    current = draw(alike_schemas)
    return current, draw(observations(current))


@st.composite
def hinted_schemas(draw: st.DrawFn) -> tuple[Schema, SchemaHints]:
    """A schema and hints for some of its columns, parts of them, and for absent columns."""
    schema = draw(alike_schemas)
    absent: list[FieldPath] = [("new",), ("new2", "part"), ("new3", "element", "x")]
    paths = sorted({fold_path(path) for path in paths_of(schema)}) + absent
    chosen = draw(st.lists(st.sampled_from(paths), max_size=4, unique=True))
    hints = [SchemaHint(path, Field(path[-1], draw(plain_types))) for path in chosen]
    return schema, SchemaHints(tuple(hints))


def paths_of(schema: Schema) -> frozenset[FieldPath]:
    """Every path of a schema."""
    return frozenset(path for field in schema for path in _paths((field.name,), field.data_type))


def _paths(path: FieldPath, data_type: DataType) -> list[FieldPath]:
    match data_type:
        case StructType(fields):
            inner = [(field.name, field.data_type) for field in fields]
        case ArrayType(element):
            inner = [("element", element)]
        case MapType(key, value):
            inner = [("key", key), ("value", value)]
        case _:
            inner = []
    return [path, *(found for step, part in inner for found in _paths((*path, step), part))]

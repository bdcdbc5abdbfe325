from __future__ import annotations

from decimal import Decimal
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema_store.ddl import parse_data_type, parse_ddl
from schema_store.errors import CannotMergeError, TypeConflict
from schema_store.merge import (
    merge_physical_schemas,
    merge_physical_types,
    merge_schemas,
    merge_types,
)
from schema_store.types import (
    ArrayType,
    ByteType,
    DataType,
    DecimalType,
    Field,
    IntegerType,
    LongType,
    MapType,
    NullType,
    Schema,
    ShortType,
    StructType,
)
from tests.schema_store.strategies import data_types, decimals, schemas

EXACT_INTEGERS: dict[DataType, int] = {
    ByteType(): 2**7,
    ShortType(): 2**15,
    IntegerType(): 2**31,
    LongType(): 2**63,
}
exact_types: st.SearchStrategy[DataType] = st.sampled_from(list(EXACT_INTEGERS)) | decimals()


def unordered(data_type: DataType) -> DataType:
    """Forget the order, the spelling and the metadata of fields."""
    match data_type:
        case StructType(fields):
            return StructType(
                tuple(
                    Field(f.name.lower(), unordered(f.data_type), f.nullable)
                    for f in sorted(fields, key=lambda f: f.name.lower())
                )
            )
        case ArrayType(element, contains_null):
            return ArrayType(unordered(element), contains_null)
        case MapType(key, value, contains_null):
            return MapType(unordered(key), unordered(value), contains_null)
        case _:
            return data_type


@given(data_types, data_types)
def test_merging_is_commutative_up_to_order(a: DataType, b: DataType) -> None:
    assert unordered(merge_types(a, b)) == unordered(merge_types(b, a))


@given(data_types, data_types, data_types)
def test_merging_is_associative(a: DataType, b: DataType, c: DataType) -> None:
    left = merge_types(merge_types(a, b), c)
    assert left == merge_types(a, merge_types(b, c))


@given(data_types)
def test_merging_is_idempotent(a: DataType) -> None:
    assert merge_types(a, a) == a


@given(data_types, data_types)
def test_merged_type_holds_both(a: DataType, b: DataType) -> None:
    merged = merge_types(a, b)
    assert merge_types(merged, a) == merged
    assert unordered(merge_types(b, merged)) == unordered(merged)


@given(data_types)
def test_the_null_type_adds_nothing(a: DataType) -> None:
    assert (merge_types(a, NullType()), merge_types(NullType(), a)) == (a, a)


_Bounds: TypeAlias = tuple[Decimal, int]


def bounds(data_type: DataType) -> _Bounds:
    """The largest absolute value that a type must hold, and its fraction digits."""
    if isinstance(data_type, DecimalType):
        return Decimal(10) ** data_type.integer_digits - 1, data_type.scale
    return Decimal(EXACT_INTEGERS[data_type]), 0


def is_value_of(bound: _Bounds, data_type: DataType) -> bool:
    limit, scale = bounds(data_type)
    return bound[0] <= limit and bound[1] <= scale


@given(exact_types, exact_types)
def test_every_exact_value_is_a_value_of_the_merged_type(a: DataType, b: DataType) -> None:
    merged = merge_types(a, b)
    if merged == parse_data_type("double"):
        assert merge_physical_types(a, b) is None
    else:
        assert is_value_of(bounds(a), merged)
        assert is_value_of(bounds(b), merged)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        # autoloader-facts 2.4
        ("bigint", "double", "double"),
        ("decimal(5,2)", "double", "double"),
        ("decimal(5,2)", "decimal(4,3)", "decimal(6,3)"),
        ("decimal(38,0)", "decimal(2,1)", "double"),
        ("bigint", "decimal(5,2)", "decimal(22,2)"),
        ("int", "decimal(5,2)", "decimal(12,2)"),
        ("smallint", "decimal(5,2)", "decimal(12,2)"),
        ("int", "bigint", "bigint"),
        ("bigint", "float", "double"),
        ("bigint", "string", "string"),
        ("boolean", "bigint", "string"),
        ("struct<a:int>", "string", "string"),
        ("array<int>", "int", "string"),
        ("date", "timestamp", "timestamp"),
        ("date", "timestamp_ntz", "timestamp_ntz"),
        ("timestamp_ntz", "timestamp", "timestamp"),
        ("date", "bigint", "string"),
        ("array<int>", "array<double>", "array<double>"),
        ("map<string,int>", "map<string,string>", "map<string,string>"),
        ("struct<b:int,a:int>", "struct<c:int,A:string>", "struct<b:int,a:string,c:int>"),
        ("char(3)", "char(3)", "char(3)"),
        ("char(3)", "varchar(3)", "string"),
    ],
)
def test_merging_for_inference_gives(a: str, b: str, expected: str) -> None:
    assert merge_types(parse_data_type(a), parse_data_type(b)) == parse_data_type(expected)


def test_columns_keep_the_first_spelling_and_order() -> None:
    merged = merge_schemas(parse_ddl("Id INT, name STRING"), parse_ddl("x INT, ID BIGINT, a INT"))
    assert merged == parse_ddl("Id BIGINT, name STRING, x INT, a INT")


def test_a_column_that_one_side_lacks_can_be_null() -> None:
    merged = merge_schemas(parse_ddl("a INT NOT NULL, b INT NOT NULL"), parse_ddl("a INT NOT NULL"))
    assert merged == parse_ddl("a INT NOT NULL, b INT")


@given(schemas, schemas, schemas)
def test_merging_schemas_is_associative(a: Schema, b: Schema, c: Schema) -> None:
    assert merge_schemas(merge_schemas(a, b), c) == merge_schemas(a, merge_schemas(b, c))


@given(data_types, data_types)
def test_physical_merging_is_commutative_up_to_order(a: DataType, b: DataType) -> None:
    left, right = merge_physical_types(a, b), merge_physical_types(b, a)
    assert (left and unordered(left)) == (right and unordered(right))


@given(data_types, data_types)
def test_physical_merging_is_what_inference_finds_or_fails(a: DataType, b: DataType) -> None:
    merged = merge_physical_types(a, b)
    assert merged is None or merged == merge_types(a, b)


@given(schemas)
def test_physical_merging_is_idempotent(a: Schema) -> None:
    assert merge_physical_schemas(a, a) == a


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("bigint", "double"),
        ("int", "string"),
        ("decimal(38,2)", "decimal(38,10)"),
        ("decimal(5,2)", "double"),
        ("timestamp", "timestamp_ntz"),
        ("date", "timestamp"),
        ("struct<a:int>", "array<int>"),
    ],
)
def test_physical_types_that_lose_values_do_not_merge(a: str, b: str) -> None:
    assert merge_physical_types(parse_data_type(a), parse_data_type(b)) is None


def test_physical_conflicts_are_all_named_with_both_types() -> None:
    left = parse_ddl("id INT, u STRUCT<dob: DATE>, t ARRAY<INT>, m MAP<STRING, INT>")
    right = parse_ddl("ID BIGINT, u STRUCT<dob: STRING>, t ARRAY<BOOLEAN>, m MAP<INT, DATE>")
    with pytest.raises(CannotMergeError) as caught:
        merge_physical_schemas(left, right)
    assert caught.value.conflicts == (
        TypeConflict("u.dob", "DATE", "STRING"),
        TypeConflict("t.element", "INT", "BOOLEAN"),
        TypeConflict("m.key", "STRING", "INT"),
        TypeConflict("m.value", "INT", "DATE"),
    )
    assert "cloudFiles.schemaHints" in str(caught.value)
    assert caught.value.condition == "CF_FAILED_TO_INFER_SCHEMA.CANNOT_MERGE"

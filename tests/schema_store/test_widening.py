from itertools import product

import pytest
from hypothesis import given

from schema_store.ddl import parse_data_type
from schema_store.types import (
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    NullType,
    ShortType,
    TimestampNTZType,
)
from schema_store.widening import widen
from tests.schema_store.strategies import data_types, decimals

# contract 6.1, restated as data: from -> to, without decimals
TABLE: dict[DataType, set[DataType]] = {
    ByteType(): {ShortType(), IntegerType(), LongType(), DoubleType()},
    ShortType(): {IntegerType(), LongType(), DoubleType()},
    IntegerType(): {LongType(), DoubleType()},
    FloatType(): {DoubleType()},
    DateType(): {TimestampNTZType()},
}
DIGITS: dict[DataType, tuple[int, int]] = {
    ByteType(): (10, 0),
    ShortType(): (10, 0),
    IntegerType(): (10, 0),
    LongType(): (20, 0),
}
WITHOUT_DECIMALS = [
    parse_data_type(text)
    for text in (
        "boolean",
        "tinyint",
        "smallint",
        "int",
        "bigint",
        "float",
        "double",
        "string",
        "binary",
        "date",
        "timestamp",
        "timestamp_ntz",
        "variant",
    )
]


def holds(wide: DataType, narrow: DataType) -> bool:
    return wide == narrow or wide in TABLE.get(narrow, set())


@pytest.mark.parametrize(("current", "observed"), list(product(WITHOUT_DECIMALS, repeat=2)))
def test_widening_follows_the_table(current: DataType, observed: DataType) -> None:
    legal = [t for t in WITHOUT_DECIMALS if holds(t, current) and holds(t, observed)]
    smallest = [t for t in legal if all(holds(other, t) for other in legal)]
    assert widen(current, observed, dates=True) == (smallest[0] if smallest else None)


@given(decimals(), decimals())
def test_widening_keeps_all_digits_of_two_decimals(a: DecimalType, b: DecimalType) -> None:
    scale = max(a.scale, b.scale)
    precision = max(a.precision - a.scale, b.precision - b.scale) + scale
    assert widen(a, b) == (DecimalType(precision, scale) if precision <= 38 else None)


@pytest.mark.parametrize("integral", DIGITS)
@given(other=decimals())
def test_integers_count_as_ten_or_twenty_digits(integral: DataType, other: DecimalType) -> None:
    as_decimal = DecimalType(*DIGITS[integral])
    assert widen(integral, other) == widen(as_decimal, other)
    assert widen(other, integral) == widen(other, as_decimal)


@pytest.mark.parametrize(
    ("current", "observed", "expected"),
    [
        # autoloader-facts 5.2
        ("int", "decimal(5,2)", "decimal(12,2)"),
        ("tinyint", "decimal(5,2)", "decimal(12,2)"),
        ("smallint", "decimal(5,2)", "decimal(12,2)"),
        ("bigint", "decimal(5,2)", "decimal(22,2)"),
        ("int", "decimal(20,4)", "decimal(20,4)"),
        ("int", "decimal(12,0)", "decimal(12,0)"),
        ("decimal(10,2)", "decimal(8,4)", "decimal(12,4)"),
        ("decimal(10,2)", "decimal(12,2)", "decimal(12,2)"),
        ("decimal(12,4)", "decimal(5,2)", "decimal(12,4)"),
        ("decimal(10,2)", "int", "decimal(12,2)"),
        # contract 6.4
        ("bigint", "decimal(2,1)", "decimal(21,1)"),
        # cases P08, N: a long too long
        ("decimal(10,2)", "decimal(10,4)", "decimal(12,4)"),
        ("bigint", "decimal(19,0)", "decimal(20,0)"),
        # parts
        ("array<int>", "array<bigint>", "array<bigint>"),
        ("map<string,float>", "map<string,double>", "map<string,double>"),
        ("struct<a:int,b:string>", "struct<a:bigint,c:int>", "struct<a:bigint,b:string>"),
        ("array<struct<a:int>>", "array<struct<A:double>>", "array<struct<a:double>>"),
    ],
)
def test_widening_gives(current: str, observed: str, expected: str) -> None:
    found = widen(parse_data_type(current), parse_data_type(observed))
    assert found == parse_data_type(expected)


@pytest.mark.parametrize(
    ("current", "observed"),
    [
        ("decimal(30,2)", "decimal(38,20)"),
        ("decimal(38,2)", "decimal(38,10)"),  # case P27
        ("bigint", "double"),
        ("double", "string"),
        ("int", "string"),
        ("date", "timestamp"),
        ("date", "timestamp_ntz"),
        ("varchar(3)", "string"),
        ("void", "int"),
        ("map<int,int>", "map<bigint,int>"),
        ("array<int>", "int"),
        ("struct<a:int,b:bigint>", "struct<a:bigint,b:double>"),
    ],
)
def test_widening_is_illegal(current: str, observed: str) -> None:
    assert widen(parse_data_type(current), parse_data_type(observed)) is None


def test_dates_widen_when_asked_for() -> None:
    assert widen(DateType(), TimestampNTZType(), dates=True) == TimestampNTZType()


@given(data_types)
def test_widening_by_nothing_changes_nothing(data_type: DataType) -> None:
    assert widen(data_type, NullType()) == data_type


@given(data_types)
def test_widening_by_itself_changes_nothing(data_type: DataType) -> None:
    assert widen(data_type, data_type) == data_type


@given(data_types, data_types)
def test_widening_twice_is_widening_once(current: DataType, observed: DataType) -> None:
    wider = widen(current, observed, dates=True)
    if wider is not None:
        assert widen(wider, observed, dates=True) == wider

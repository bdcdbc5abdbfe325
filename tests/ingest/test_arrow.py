from __future__ import annotations

import pyarrow as pa
import pytest

from ingest.arrow import from_arrow_schema, from_arrow_type, to_arrow_schema, to_arrow_type
from ingest.errors import UnsupportedArrowTypeError
from schema_store.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    Field,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    NullType,
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
    VarcharType,
)

NESTED = StructType((Field("a", IntegerType()), Field("b", StringType(), nullable=False)))


@pytest.mark.parametrize(
    "data_type",
    [
        NullType(),
        BooleanType(),
        ByteType(),
        ShortType(),
        IntegerType(),
        LongType(),
        FloatType(),
        DoubleType(),
        DecimalType(38, 38),
        StringType(),
        BinaryType(),
        DateType(),
        TimestampType(),
        TimestampNTZType(),
        NESTED,
        ArrayType(NESTED, contains_null=False),
        MapType(StringType(), ArrayType(DecimalType(10, 2)), value_contains_null=False),
    ],
)
def test_types_survive_the_way_to_arrow_and_back(data_type: DataType) -> None:
    assert from_arrow_type(to_arrow_type(data_type)) == data_type


def test_a_schema_keeps_names_order_and_nullability() -> None:
    assert from_arrow_schema(to_arrow_schema(NESTED)) == NESTED


def test_timestamps_are_microseconds_in_utc_or_without_a_zone() -> None:
    assert to_arrow_type(TimestampType()) == pa.timestamp("us", tz="UTC")
    assert to_arrow_type(TimestampNTZType()) == pa.timestamp("us")


def test_text_of_a_limited_length_is_text() -> None:
    assert to_arrow_type(VarcharType(3)) == pa.string()


def test_an_arrow_type_that_spark_lacks_is_an_error() -> None:
    with pytest.raises(UnsupportedArrowTypeError) as caught:
        from_arrow_type(pa.time64("us"))
    assert caught.value.arrow_type == "time64[us]"

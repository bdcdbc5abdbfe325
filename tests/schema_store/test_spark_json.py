import pytest
from hypothesis import given

from schema_store.ddl import parse_ddl
from schema_store.errors import SchemaJsonError
from schema_store.spark_json import schema_from_json, schema_to_json
from schema_store.types import (
    ArrayType,
    DataType,
    DecimalType,
    Field,
    IntegerType,
    Schema,
    StringType,
    StructType,
    TimestampType,
    VarcharType,
)
from tests.schema_store.strategies import schemas


@given(schemas)
def test_json_of_a_schema_reads_back_as_the_schema(schema: Schema) -> None:
    assert schema_from_json(schema_to_json(schema)) == schema


# Spark 4: StructType.fromDDL("id INT, d DECIMAL(10,2), t TIMESTAMP_NTZ, …").json()
GOLDEN = (
    '{"type":"struct","fields":['
    '{"name":"id","type":"integer","nullable":true,"metadata":{}},'
    '{"name":"d","type":"decimal(10,2)","nullable":false,"metadata":{}},'
    '{"name":"t","type":"timestamp_ntz","nullable":true,"metadata":{"comment":"local"}},'
    '{"name":"a","type":{"type":"array","elementType":"long","containsNull":true},'
    '"nullable":true,"metadata":{}},'
    '{"name":"m","type":{"type":"map","keyType":"string","valueType":{"type":"struct","fields":['
    '{"name":"x","type":"byte","nullable":true,"metadata":{}}]},"valueContainsNull":true},'
    '"nullable":true,"metadata":{}},'
    '{"name":"i","type":"interval day to second","nullable":true,"metadata":{}},'
    '{"name":"v","type":"variant","nullable":true,"metadata":{}},'
    '{"name":"n","type":"void","nullable":true,"metadata":{}}]}'
)
GOLDEN_DDL = (
    "id INT, d DECIMAL(10,2) NOT NULL, t TIMESTAMP_NTZ COMMENT 'local', a ARRAY<BIGINT>,"
    " m MAP<STRING, STRUCT<x: TINYINT>>, i INTERVAL DAY TO SECOND, v VARIANT, n VOID"
)


def test_json_is_written_as_spark_writes_it() -> None:
    assert schema_to_json(parse_ddl(GOLDEN_DDL)) == GOLDEN


def test_json_of_spark_is_read() -> None:
    assert schema_from_json(GOLDEN) == parse_ddl(GOLDEN_DDL)


@pytest.mark.parametrize(
    ("type_json", "expected"),
    [
        ('"decimal"', DecimalType(10, 0)),
        ('"decimal( 7 , 2 )"', DecimalType(7, 2)),
        ('"varchar(5)"', VarcharType(5)),
        ('"timestamp_ltz"', TimestampType()),
        (
            '{"containsNull":false,"elementType":"string","type":"array"}',
            ArrayType(StringType(), contains_null=False),
        ),
    ],
)
def test_other_spellings_of_a_type_are_read(type_json: str, expected: DataType) -> None:
    text = f'{{"type":"struct","fields":[{{"name":"a","type":{type_json}}}]}}'
    assert schema_from_json(text) == StructType((Field("a", expected),))


def test_keys_may_stand_in_any_order_and_with_blanks() -> None:
    text = '{ "fields": [ {"type": "integer", "nullable": false, "name": "a"} ], "type": "struct" }'
    assert schema_from_json(text) == StructType((Field("a", IntegerType(), nullable=False),))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("{", "position 1"),
        ('"integer"', "$"),
        ("[]", "$"),
        ('{"type":"struct","fields":{}}', "$"),
        ('{"type":"udt"}', "$"),
        ('{"type":"struct","fields":[1]}', "$.fields[0]"),
        ('{"type":"struct","fields":[{"type":"integer"}]}', "$.fields[0].name"),
        ('{"type":"struct","fields":[{"name":"a","type":"int8"}]}', "$.fields[0].type"),
        ('{"type":"struct","fields":[{"name":"a","type":"decimal(40,2)"}]}', "$.fields[0].type"),
        (
            '{"type":"struct","fields":[{"name":"a","type":"integer","nullable":1}]}',
            "$.fields[0].nullable",
        ),
        (
            '{"type":"struct","fields":[{"name":"a","type":"integer","metadata":1}]}',
            "$.fields[0].metadata",
        ),
        (
            '{"type":"struct","fields":[{"name":"a","type":"byte"},{"name":"A","type":"byte"}]}',
            "$",
        ),
        (
            (
                '{"type":"struct","fields":[{"name":"a","type":'
                '{"type":"array","elementType":"x","containsNull":true}}]}'
            ),
            "$.fields[0].type.elementType",
        ),
    ],
)
def test_bad_json_says_where(text: str, where: str) -> None:
    with pytest.raises(SchemaJsonError) as caught:
        schema_from_json(text)
    assert caught.value.where == where

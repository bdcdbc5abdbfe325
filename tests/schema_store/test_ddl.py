import pytest
from hypothesis import given

from schema_store.ddl import parse_data_type, parse_ddl, to_ddl
from schema_store.errors import DdlError, DuplicateFieldError
from schema_store.type_names import path_text, quote_name, type_to_simple_string, type_to_sql
from schema_store.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    ByteType,
    CharType,
    DataType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    DoubleType,
    Field,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    NullType,
    Schema,
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
    VarcharType,
    VariantType,
    YearMonthIntervalType,
)
from tests.schema_store.strategies import ddl_schemas, ddl_types


@given(ddl_schemas)
def test_ddl_of_a_schema_parses_to_the_schema(schema: Schema) -> None:
    assert parse_ddl(to_ddl(schema)) == schema


@given(ddl_types)
def test_sql_of_a_type_parses_to_the_type(data_type: DataType) -> None:
    assert parse_data_type(type_to_sql(data_type)) == data_type


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("boolean", BooleanType()),
        ("TINYINT", ByteType()),
        ("byte", ByteType()),
        ("SMALLINT", ShortType()),
        ("short", ShortType()),
        ("INT", IntegerType()),
        ("integer", IntegerType()),
        ("BIGINT", LongType()),
        ("long", LongType()),
        ("REAL", FloatType()),
        ("float", FloatType()),
        ("DOUBLE", DoubleType()),
        ("DEC", DecimalType(10, 0)),
        ("NUMERIC", DecimalType(10, 0)),
        ("DECIMAL", DecimalType(10, 0)),
        ("decimal(7)", DecimalType(7, 0)),
        ("decimal( 7 , 2 )", DecimalType(7, 2)),
        ("string", StringType()),
        ("CHAR(3)", CharType(3)),
        ("CHARACTER(3)", CharType(3)),
        ("VARCHAR(9)", VarcharType(9)),
        ("binary", BinaryType()),
        ("date", DateType()),
        ("timestamp", TimestampType()),
        ("TIMESTAMP_LTZ", TimestampType()),
        ("timestamp_ntz", TimestampNTZType()),
        ("void", NullType()),
        ("variant", VariantType()),
        ("interval year", YearMonthIntervalType(0, 0)),
        ("interval year to month", YearMonthIntervalType(0, 1)),
        ("INTERVAL DAY TO SECOND", DayTimeIntervalType(0, 3)),
        ("interval hour to minute", DayTimeIntervalType(1, 2)),
        ("array<array<int>>", ArrayType(ArrayType(IntegerType()))),
        ("map<string,double>", MapType(StringType(), DoubleType())),
        ("struct<>", StructType(())),
        (
            "STRUCT<a: INT, b STRING>",
            StructType((Field("a", IntegerType()), Field("b", StringType()))),
        ),
    ],
)
def test_data_type_parses(text: str, expected: DataType) -> None:
    assert parse_data_type(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", StructType(())),
        ("id INT", StructType((Field("id", IntegerType()),))),
        ("id: INT", StructType((Field("id", IntegerType()),))),
        ("`a``b` INT", StructType((Field("a`b", IntegerType()),))),
        ("`x.y` INT", StructType((Field("x.y", IntegerType()),))),
        ("1st INT", StructType((Field("1st", IntegerType()),))),
        ("date DATE", StructType((Field("date", DateType()),))),
        ("id INT NOT NULL", StructType((Field("id", IntegerType(), nullable=False),))),
        (
            "id INT COMMENT 'it''s'".replace("''", "\\'"),
            StructType((Field("id", IntegerType(), metadata='{"comment":"it\'s"}'),)),
        ),
        (
            r"id INT COMMENT '\\x \% \_ \u0041 \101 \n'",  # escapes as Spark 4.0 reads them
            StructType((Field("id", IntegerType(), metadata=r'{"comment":"\\x \\% \\_ A A \n"}'),)),
        ),
        ("id /* key */ INT -- all", StructType((Field("id", IntegerType()),))),
        ("struct<id: int>", StructType((Field("id", IntegerType()),))),
        ("struct INT", StructType((Field("struct", IntegerType()),))),
    ],
)
def test_ddl_parses(text: str, expected: Schema) -> None:
    assert parse_ddl(text) == expected


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("id", 2, "a data type"),
        ("id FOO", 3, "a data type"),
        ("id INT,", 7, "a column name"),
        ("id INT name STRING", 7, "','"),
        ("total-amt INT", 5, "`backticks`"),
        ("`id INT", 0, "a closing `"),
        ("x.y INT", 1, "a data type"),
        ("id DECIMAL(40,2)", 11, "a precision of 1 to 38"),
        ("id DECIMAL(a)", 11, "a number"),
        ("id VARCHAR", 10, "'('"),
        ("é INT", 0, "`backticks`"),
        ("id ARRAY<INT", 12, "'>'"),
        ("id MAP<INT>", 10, "','"),
        ("id INT NOT", 10, "'NULL'"),
        ("id INT COMMENT x", 15, "a text in quotes"),
        ("id INTERVAL", 11, "YEAR, MONTH"),
        ("id INTERVAL MONTH TO YEAR", 21, "a single unit"),
    ],
)
def test_bad_ddl_points_at_the_position(text: str, position: int, expected: str) -> None:
    with pytest.raises(DdlError) as caught:
        parse_ddl(text)
    error = caught.value
    assert (error.text, error.position) == (text, position)
    assert expected in error.expected


def test_ddl_error_shows_a_caret_below_the_line_it_means() -> None:
    with pytest.raises(DdlError) as caught:
        parse_ddl("id INT,\nname FOO,\nx INT")
    assert str(caught.value).endswith("\n  name FOO,\n       ^")


def test_ddl_refuses_a_name_twice() -> None:
    with pytest.raises(DuplicateFieldError):
        parse_ddl("id INT, ID STRING")


def test_bad_data_type_is_refused_when_something_follows() -> None:
    with pytest.raises(DdlError) as caught:
        parse_data_type("INT x")
    assert caught.value.position == 4


@pytest.mark.parametrize(
    ("text", "sql", "simple"),
    [
        ("bigint", "BIGINT", "bigint"),
        ("decimal(5,2)", "DECIMAL(5,2)", "decimal(5,2)"),
        ("interval day to hour", "INTERVAL DAY TO HOUR", "interval day to hour"),
        ("map<string, array<int>>", "MAP<STRING, ARRAY<INT>>", "map<string,array<int>>"),
        (
            "struct<`a b`: int not null comment 'c', d string>",
            "STRUCT<`a b`: INT NOT NULL COMMENT 'c', d: STRING>",
            "struct<a b:int,d:string>",
        ),
    ],
)
def test_type_is_written_as_spark_writes_it(text: str, sql: str, simple: str) -> None:
    data_type = parse_data_type(text)
    assert (type_to_sql(data_type), type_to_simple_string(data_type)) == (sql, simple)


def test_names_are_quoted_only_when_needed() -> None:
    assert [quote_name(name) for name in ("id", "_a1", "1a", "x.y", "a`b", "é", "")] == [
        "id",
        "_a1",
        "`1a`",
        "`x.y`",
        "`a``b`",
        "`é`",
        "``",
    ]


def test_path_is_written_as_in_hints() -> None:
    assert path_text(("users", "element", "x.y")) == "users.element.`x.y`"

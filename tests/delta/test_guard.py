"""What a write makes of the table's schema."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest
from hypothesis import given

from ingest.delta.guard import Change, Same, TableRules, check_schema, plan_change
from ingest.delta.merging import stored_schema
from ingest.errors import (
    AnalysisException,
    DeltaSchemaError,
    FailedToMergeFieldsError,
    InvalidColumnNamesError,
    MetadataMismatchError,
    NotNullViolatedError,
    TypeWideningNotEnabledError,
    UnsupportedTypesError,
)
from schema_store.ddl import parse_ddl, to_ddl
from schema_store.types import Field, IntegerType, Schema, StringType, StructType
from tests.delta.widening_rows import narrow_schema, wide_schema
from tests.schema_store.strategies import alike_schemas

RULES = TableRules(
    place="/lake/t",
    sql_name="main.t",
    table_id="id-1",
    merges_schema=True,
    widens_types=True,
    maps_names=False,
)
PLAIN = replace(RULES, widens_types=False)
STRICT = replace(RULES, merges_schema=False)


def merged(table: str, stream: str, rules: TableRules = RULES) -> str:
    return to_ddl(plan_change(parse_ddl(table), parse_ddl(stream), rules).schema)


@pytest.mark.parametrize(
    ("table", "stream"),
    [
        ("id INT, s STRING", "id INT, s STRING"),
        ("id INT, s STRING", "s STRING, id INT"),
        ("id INT, s STRING", "id INT"),
        ("id INT", "ID INT"),
        ("id BIGINT", "id INT"),
        ("id DOUBLE", "id SMALLINT"),
        ("id DECIMAL(12,2)", "id DECIMAL(5,1)"),
        ("id DECIMAL(12,2)", "id INT"),
        ("t TIMESTAMP_NTZ", "t DATE"),
        ("s STRUCT<a: BIGINT, b: STRING>", "s STRUCT<A: INT>"),
        ("l ARRAY<DOUBLE>", "l ARRAY<FLOAT>"),
        ("m MAP<BIGINT, STRING>", "m MAP<INT, VARCHAR(3)>"),
    ],
)
def test_fewer_columns_and_narrower_types_leave_the_table_as_it_is(table: str, stream: str) -> None:
    assert plan_change(parse_ddl(table), parse_ddl(stream), STRICT) == Same(parse_ddl(table))


@pytest.mark.parametrize(
    ("table", "stream", "expected"),
    [
        ("id INT, _rescued_data STRING", "id INT, age INT, _rescued_data STRING",
         "id INT, _rescued_data STRING, age INT"),
        ("id INT", "name STRING", "id INT, name STRING"),
        ("id INT", "v VOID", "id INT, v STRING"),
        ("s STRUCT<a: INT>", "s STRUCT<b: INT, a: INT>", "s STRUCT<a: INT, b: INT>"),
        ("l ARRAY<STRUCT<a: INT>>", "l ARRAY<STRUCT<b: DATE>>", "l ARRAY<STRUCT<a: INT, b: DATE>>"),
        ("m MAP<STRING, STRUCT<a: INT>>", "m MAP<STRING, STRUCT<b: INT>>",
         "m MAP<STRING, STRUCT<a: INT, b: INT>>"),
    ],
)  # fmt: skip
def test_new_columns_come_at_the_end(table: str, stream: str, expected: str) -> None:
    assert merged(table, stream, PLAIN) == expected


def test_change_names_what_is_new_and_what_is_wider() -> None:
    plan = plan_change(
        parse_ddl("a INT, s STRUCT<x: INT>"), parse_ddl("a BIGINT, s STRUCT<y: INT>, b INT"), RULES
    )
    assert isinstance(plan, Change)
    assert (plan.added, plan.widened) == (("s.y", "b"), ("a",))


def test_whole_widening_table_widens_at_every_place() -> None:
    plan = plan_change(narrow_schema(), wide_schema(), RULES)
    assert to_ddl(plan.schema) == to_ddl(wide_schema())


def type_changes(schema: Schema, name: str) -> object:
    field = schema.find(name)
    assert field is not None
    return orjson.loads(field.metadata)["delta.typeChanges"]


def test_type_change_is_recorded_at_the_nearest_struct_field() -> None:
    plan = plan_change(
        parse_ddl("v INT, m MAP<INT, ARRAY<DECIMAL(5,2)>>, s STRUCT<f: DATE>, l ARRAY<BYTE>"),
        parse_ddl("v BIGINT, m MAP<BIGINT, ARRAY<DECIMAL(7,3)>>, s STRUCT<f: TIMESTAMP_NTZ>,"
                  " l ARRAY<DOUBLE>"),
        RULES,
    )  # fmt: skip
    inner = plan.schema.fields[2].data_type
    assert isinstance(inner, StructType)
    found = [
        type_changes(plan.schema, "v"),
        type_changes(plan.schema, "m"),
        type_changes(inner, "f"),
        plan.schema.fields[2].metadata,
        type_changes(plan.schema, "l"),
    ]
    assert found == [
        [{"fromType": "integer", "toType": "long"}],
        [
            {"fromType": "integer", "toType": "long", "fieldPath": "key"},
            {
                "fromType": "decimal(5,2)",
                "toType": "decimal(7,3)",
                "fieldPath": "value.element",
            },
        ],
        [{"fromType": "date", "toType": "timestamp_ntz"}],
        "{}",
        [{"fromType": "byte", "toType": "double", "fieldPath": "element"}],
    ]


def test_later_type_change_follows_the_earlier_one() -> None:
    first = plan_change(parse_ddl("v SMALLINT COMMENT 'c'"), parse_ddl("v INT"), RULES)
    second = plan_change(first.schema, parse_ddl("v BIGINT"), RULES)
    assert orjson.loads(second.schema.fields[0].metadata) == {
        "comment": "c",
        "delta.typeChanges": [
            {"fromType": "short", "toType": "integer"},
            {"fromType": "integer", "toType": "long"},
        ],
    }


def test_new_column_without_merge_schema_shows_both_schemas_and_the_way_out() -> None:
    with pytest.raises(MetadataMismatchError) as caught:
        plan_change(parse_ddl("id INT"), parse_ddl("id INT, age INT"), STRICT)
    error = caught.value
    assert (error.condition, error.columns) == ("DELTA_METADATA_MISMATCH", ("age",))
    assert str(error).startswith(
        "[DELTA_METADATA_MISMATCH] A schema mismatch detected when writing to the Delta table"
        " (Table ID: id-1).\n"
    )
    assert '\'.option("mergeSchema", "true")\'' in str(error)
    assert (
        "Table schema:\nroot\n-- id: integer (nullable = true)\n\n"
        "Data schema:\nroot\n-- id: integer (nullable = true)\n-- age: integer (nullable = true)\n"
    ) in str(error)


def test_schema_errors_are_analysis_exceptions() -> None:
    assert issubclass(DeltaSchemaError, AnalysisException)


def test_wider_type_without_merge_schema_is_a_mismatch_too() -> None:
    with pytest.raises(MetadataMismatchError) as caught:
        plan_change(parse_ddl("id INT"), parse_ddl("id BIGINT"), STRICT)
    assert caught.value.columns == ("id as BIGINT",)


def test_wider_type_without_the_property_tells_how_to_allow_it() -> None:  # contract 8.2
    with pytest.raises(TypeWideningNotEnabledError) as caught:
        plan_change(parse_ddl("s STRUCT<a: INT>"), parse_ddl("s STRUCT<a: BIGINT>"), PLAIN)
    error = caught.value
    assert (error.column, error.table_type, error.incoming) == ("s.a", "INT", "BIGINT")
    assert error.statement == (
        "ALTER TABLE main.t SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')"
    )
    assert error.command == "ingest table set-property /lake/t delta.enableTypeWidening true"
    assert error.statement in str(error)
    assert error.command in str(error)


@pytest.mark.parametrize(
    ("table", "stream", "column"),
    [
        ("v INT", "v STRING", "v"),
        ("v STRING", "v INT", "v"),
        ("v BIGINT", "v DOUBLE", "v"),
        ("v DECIMAL(38,0)", "v DECIMAL(38,2)", "v"),
        ("v DATE", "v TIMESTAMP", "v"),
        ("v TIMESTAMP", "v TIMESTAMP_NTZ", "v"),
        ("v INT", "v STRUCT<a: INT>", "v"),
        ("v ARRAY<INT>", "v ARRAY<BOOLEAN>", "v.element"),
        ("v MAP<STRING, INT>", "v MAP<INT, INT>", "v.key"),
        ("v STRUCT<a: INT>", "v STRUCT<a: BINARY>", "v.a"),
    ],
)
def test_types_that_do_not_merge_are_refused_by_column(
    table: str, stream: str, column: str
) -> None:
    with pytest.raises(FailedToMergeFieldsError) as caught:
        plan_change(parse_ddl(table), parse_ddl(stream), RULES)
    assert (caught.value.condition, caught.value.column) == ("DELTA_FAILED_TO_MERGE_FIELDS", column)


def test_missing_column_that_is_not_null_is_refused() -> None:
    with pytest.raises(NotNullViolatedError) as caught:
        plan_change(parse_ddl("id INT NOT NULL, s STRING"), parse_ddl("s STRING"), RULES)
    assert caught.value.column == "id"


@pytest.mark.parametrize("character", " ,;{}()\n\t=")
def test_names_that_delta_refuses_are_refused_with_the_remedies(character: str) -> None:
    schema = StructType((Field("ok", StringType()), Field(f"a{character}b", IntegerType())))
    with pytest.raises(InvalidColumnNamesError) as caught:
        check_schema(schema, "/t", maps_names=False)
    assert len(caught.value.columns) == 1
    assert "delta.columnMapping.mode" in caught.value.remedy
    assert "withColumnRenamed" in caught.value.remedy


def test_any_name_is_fine_with_column_mapping() -> None:
    check_schema(parse_ddl("`a b` INT"), "/t", maps_names=True)


def test_types_that_no_table_stores_are_refused_by_column() -> None:
    schema = parse_ddl("s STRUCT<v: VARIANT>, d INTERVAL DAY, e STRUCT<>")
    with pytest.raises(UnsupportedTypesError) as caught:
        check_schema(schema, "/t", maps_names=False)
    assert caught.value.columns == ("s.v VARIANT", "d INTERVAL DAY", "e STRUCT<>")


@given(alike_schemas)
def test_what_was_written_can_be_written_again(schema: Schema) -> None:
    stored = stored_schema(schema)
    assert plan_change(stored, schema, STRICT) == Same(stored)


@given(alike_schemas, alike_schemas)
def test_merged_table_takes_both_schemas(table: Schema, stream: Schema) -> None:
    table = stored_schema(table)
    try:
        plan = plan_change(table, stream, RULES)
    except (FailedToMergeFieldsError, UnsupportedTypesError):
        return
    assert plan.schema.names[: len(table)] == table.names
    again = [plan_change(plan.schema, one, STRICT) for one in (table, stream)]
    assert again == [Same(plan.schema)] * 2

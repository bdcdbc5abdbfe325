import pytest
from hypothesis import given

from schema_store.ddl import parse_ddl
from schema_store.errors import DuplicateHintError, HintConflictError, HintError, HintSyntaxError
from schema_store.hints import SchemaHints, apply_hints, parse_hints
from schema_store.types import Schema, fold_path
from tests.schema_store.strategies import hinted_schemas, paths_of, schemas


@given(hinted_schemas())
def test_applying_hints_twice_is_applying_them_once(case: tuple[Schema, SchemaHints]) -> None:
    schema, hints = case
    once = apply_hints(schema, hints)
    assert apply_hints(once, hints) == once


@given(hinted_schemas())
def test_hinted_columns_keep_their_places(case: tuple[Schema, SchemaHints]) -> None:
    schema, hints = case
    hinted = apply_hints(schema, hints)
    assert fold_path(hinted.names)[: len(schema)] == fold_path(schema.names)


@given(hinted_schemas())
def test_every_hinted_path_is_in_the_schema(case: tuple[Schema, SchemaHints]) -> None:
    schema, hints = case
    found = {fold_path(path) for path in paths_of(apply_hints(schema, hints))}
    assert {fold_path(path) for path in hints.pinned} <= found


@given(schemas)
def test_no_hints_change_nothing(schema: Schema) -> None:
    assert apply_hints(schema, parse_hints(" ")) == schema


@pytest.mark.parametrize(
    ("schema", "hints", "expected"),
    [
        (  # the documented example for nested fields, whole columns and absent columns
            (
                "date STRING, quantity INT,"
                " user_info STRUCT<id: STRING, name: STRING, dob: STRING>,"
                " purchase_options STRUCT<delivery_address: STRING>"
            ),
            "date DATE, user_info.dob DATE, purchase_options MAP<STRING,STRING>, time TIMESTAMP",
            (
                "date DATE, quantity INT, user_info STRUCT<id: STRING, name: STRING, dob: DATE>,"
                " purchase_options MAP<STRING, STRING>, time TIMESTAMP"
            ),
        ),
        (  # the documented example for arrays and maps
            (
                "products ARRAY<STRING>, locations ARRAY<INT>,"
                " users ARRAY<STRUCT<id: STRING, name: STRING, dob: STRING>>,"
                " ids MAP<STRING,STRING>, names MAP<STRING,STRING>, prices MAP<STRING,STRING>,"
                " discounts MAP<STRUCT<id: STRING>,STRING>,"
                " descriptions MAP<STRING,STRUCT<content: INT>>"
            ),
            (
                "products ARRAY<INT>, locations.element STRING, users.element.id INT,"
                " ids MAP<STRING,INT>, names.key INT, prices.value INT, discounts.key.id INT,"
                " descriptions.value.content STRING"
            ),
            (
                "products ARRAY<INT>, locations ARRAY<STRING>,"
                " users ARRAY<STRUCT<id: INT, name: STRING, dob: STRING>>,"
                " ids MAP<STRING,INT>, names MAP<INT,STRING>, prices MAP<STRING,INT>,"
                " discounts MAP<STRUCT<id: INT>,STRING>,"
                " descriptions MAP<STRING,STRUCT<content: STRING>>"
            ),
        ),
        # case H02
        (
            (
                "id BIGINT, c STRUCT<d: STRING, n: STRING>, t ARRAY<STRUCT<q: STRING>>,"
                " m STRUCT<k1: STRING>"
            ),
            "c.d DATE, t.element.q INT, m MAP<STRING,INT>",
            "id BIGINT, c STRUCT<d: DATE, n: STRING>, t ARRAY<STRUCT<q: INT>>, m MAP<STRING,INT>",
        ),
        # case H05: the hint's spelling wins
        ("Id INT, Amount STRING", "amount INT", "Id INT, amount INT"),
        ("User STRUCT<Dob: STRING>", "user.dob DATE", "user STRUCT<dob: DATE>"),
        # case H09: backticks name the flat column
        (
            "`order id` STRING, `total-amt` STRING, `x.y` STRING",
            "`order id` INT, `total-amt` INT, `x.y` INT",
            "`order id` INT, `total-amt` INT, `x.y` INT",
        ),
        ("`x.y` STRING", "x.y INT", "`x.y` STRING, x STRUCT<y: INT>"),
        # absent parts
        ("u STRUCT<a: INT>", "u.b DATE, u.c.d INT", "u STRUCT<a: INT, b: DATE, c: STRUCT<d: INT>>"),
        ("", "t.element INT", "t ARRAY<INT>"),
        ("", "m.key INT, m.value.x STRING", "m MAP<INT, STRUCT<x: STRING>>"),
        ("", "r.value DOUBLE", "r STRUCT<value: DOUBLE>"),
        # nested JSON inferred as text
        ("u STRING", "u.dob DATE", "u STRUCT<dob: DATE>"),
        # a whole column and a part of it
        ("", "u.b DATE, u STRUCT<a: INT>", "u STRUCT<a: INT, b: DATE>"),
        # nullability and comments stay
        ("a INT", "a INT NOT NULL COMMENT 'x'", "a INT NOT NULL COMMENT 'x'"),
        ("a INT COMMENT 'x'", "a BIGINT", "a BIGINT COMMENT 'x'"),
        ("", "_corrupt_record: string", "_corrupt_record STRING"),
    ],
)
def test_hints_give(schema: str, hints: str, expected: str) -> None:
    assert apply_hints(parse_ddl(schema), parse_hints(hints)) == parse_ddl(expected)


def test_pinned_paths_are_those_of_the_hints() -> None:
    assert parse_hints("a INT, u.dob DATE, t.element.id INT, `x.y` INT").pinned == {
        ("a",),
        ("u", "dob"),
        ("t", "element", "id"),
        ("x.y",),
    }


@pytest.mark.parametrize(
    ("text", "position"),
    [("id FOO", 3), ("id", 2), ("id INT,", 7), ("a..b INT", 2), ("order id INT", 6), ("`` INT", 0)],
)
def test_bad_hints_quote_the_position(text: str, position: int) -> None:
    with pytest.raises(HintSyntaxError) as caught:
        parse_hints(text)
    assert (caught.value.text, caught.value.position) == (text, position)
    assert f"cloudFiles.schemaHints at position {position}" in str(caught.value)


def test_a_column_hinted_twice_is_refused() -> None:
    with pytest.raises(DuplicateHintError) as caught:
        parse_hints("u.a INT, U.A STRING")
    assert (caught.value.column, caught.value.other) == ("U.A", "u.a")


def test_a_part_that_an_array_does_not_have_is_refused() -> None:
    schema = parse_ddl("users ARRAY<STRUCT<id: STRING>>")
    with pytest.raises(HintConflictError) as caught:
        apply_hints(schema, parse_hints("users.id INT"))
    error = caught.value
    assert (error.hint, error.column, error.steps) == ("users.id", "users", ("element",))
    assert error.found == "ARRAY<STRUCT<id: STRING>>"
    assert "users.element" in str(error)


def test_every_hint_error_is_a_hint_error() -> None:
    assert set(HintError.__subclasses__()) == {
        HintSyntaxError,
        DuplicateHintError,
        HintConflictError,
    }

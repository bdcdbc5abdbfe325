import pytest
from hypothesis import given

from schema_store.ddl import parse_ddl
from schema_store.schema_diff import diff_schemas
from schema_store.types import Schema
from tests.schema_store.strategies import schemas


@given(schemas)
def test_equal_schemas_have_no_difference(schema: Schema) -> None:
    assert diff_schemas(schema, schema) == ()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "id INT, x STRING",
            "id BIGINT, age INT",
            ("~ id INT -> BIGINT", "- x STRING", "+ age INT"),
        ),
        ("Amount INT", "amount INT", ("- Amount INT", "+ amount INT")),
        ("id INT", "id INT NOT NULL", ("~ id INT -> INT NOT NULL",)),
        (
            "u STRUCT<a: INT, b: INT>",
            "u STRUCT<a: BIGINT, `c d`: DATE>",
            ("~ u.a INT -> BIGINT", "- u.b INT", "+ u.`c d` DATE"),
        ),
        (
            "t ARRAY<STRUCT<a: INT>>, m MAP<STRING, INT>",
            "t ARRAY<STRUCT<a: INT, b: INT>>, m MAP<INT, DOUBLE>",
            ("+ t.element.b INT", "~ m.key STRING -> INT", "~ m.value INT -> DOUBLE"),
        ),
        (
            "u STRUCT<a: INT>",
            "u MAP<STRING, INT>",
            ("~ u STRUCT<a: INT> -> MAP<STRING, INT>",),
        ),
        ("a INT, b INT", "b INT, a INT", ()),
    ],
)
def test_difference_is_told_in_lines(old: str, new: str, expected: tuple[str, ...]) -> None:
    assert diff_schemas(parse_ddl(old), parse_ddl(new)) == expected

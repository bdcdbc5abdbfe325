"""Columns are built as in PySpark; what is not for here is refused by name."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from ingest import functions as F  # noqa: N812 - its usual name
from ingest.errors import (
    AttributeNameError,
    ExpressionSyntaxError,
    LiteralError,
    OperationNotSupportedError,
    OptionValueError,
)
from schema_store.ddl import parse_data_type
from schema_store.types import IntegerType

if TYPE_CHECKING:
    from collections.abc import Callable

ID: Any = F.col("id")


@pytest.mark.parametrize(
    ("column", "text"),
    [
        (ID + 1, "(id + 1)"),
        (1 - ID, "(1 - id)"),
        (2 * ID / 3 % 4, "(((2 * id) / 3) % 4)"),
        (-ID, "negative(id)"),
        ((ID == 1) & ~(ID != 2) | (ID < 3), "(((id = 1) AND (NOT (NOT (id = 2)))) OR (id < 3))"),
        ((ID <= 1) | (ID >= 2) & (ID > 0), "((id <= 1) OR ((id >= 2) AND (id > 0)))"),
        (ID.cast("int"), "CAST(id AS INT)"),
        (ID.astype(IntegerType()), "CAST(id AS INT)"),
        (ID.try_cast("int"), "TRY_CAST(id AS INT)"),
        (F.cast("id", "date"), "CAST(id AS DATE)"),
        (ID.isNull(), "(id IS NULL)"),
        (ID.isNotNull(), "(id IS NOT NULL)"),
        (ID.isin(1, 2), "(id IN (1, 2))"),
        (ID.isin([1, "x"]), "(id IN (1, x))"),
        (ID.between(1, 2), "((id >= 1) AND (id <= 2))"),
        (ID.like("a%"), "id LIKE a%"),
        (ID.startswith("a"), "startswith(id, a)"),
        (ID.endswith("a"), "endswith(id, a)"),
        (ID.contains("a"), "contains(id, a)"),
        (ID.eqNullSafe(None), "(id <=> NULL)"),
        (ID["f"].getField("g"), "id.f.g"),
        (ID.alias("a").name("b"), "id AS b"),
        (F.current_timestamp(), "current_timestamp()"),
        (F.input_file_name(), "input_file_name()"),
        (F.col("s.*"), "s.*"),
        (F.expr("id + 1 AS next"), "(id + 1) AS next"),
    ],
    ids=str,
)
def test_column_is_named_as_spark_names_it(column: Any, text: str) -> None:
    assert repr(column) == f"Column<'{text}'>"


@pytest.mark.parametrize(
    ("value", "data_type", "text"),
    [
        (None, "void", "NULL"),
        (True, "boolean", "true"),
        (2147483647, "int", "2147483647"),
        (2147483648, "bigint", "2147483648"),
        (2.5, "double", "2.5"),
        (1e10, "double", "1.0E10"),
        ("x", "string", "x"),
        (Decimal("1.50"), "decimal(3,2)", "1.50"),
        (b"\x1f", "binary", "X'1F'"),
        (dt.date(2030, 1, 5), "date", "DATE '2030-01-05'"),
    ],
)
def test_value_of_python_is_a_literal(value: object, data_type: str, text: str) -> None:
    literal: Any = F.lit(value).expression

    assert (literal.data_type, literal.text) == (parse_data_type(data_type), text)


def test_literal_of_a_column_is_the_column() -> None:
    assert F.lit(ID) is ID


@pytest.mark.parametrize(
    "call",
    [
        lambda: F.lit([1]),
        lambda: ID.substr,
        lambda: ID[0],
        lambda: ID.like(ID),
        lambda: F.upper,
    ],
)
def test_what_is_not_for_here_is_refused_by_name(call: Callable[[], object]) -> None:
    with pytest.raises(OperationNotSupportedError) as caught:
        call()

    assert caught.value.expected


def test_column_is_no_truth_value() -> None:
    with pytest.raises(OptionValueError, match="CANNOT_CONVERT_COLUMN_INTO_BOOL"):
        _ = ID == 1 and ID == 2


@pytest.mark.parametrize("name", ["`a", "a`b", "a..b", ".a", "a.", "`a`b"])
def test_name_whose_parts_do_not_add_up_is_refused(name: str) -> None:
    with pytest.raises(AttributeNameError) as caught:
        F.col(name)

    assert caught.value.name == name


@pytest.mark.parametrize("text", ["id +", "id, name", "(id", "id; id", ""])
def test_text_that_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(ExpressionSyntaxError) as caught:
        F.expr(text)

    assert caught.value.sql == text


@pytest.mark.parametrize(
    "text",
    [
        "upper(id)",
        "id || 'x'",
        "CASE WHEN id THEN 1 END",
        "(SELECT 1)",
        "count(*)",
        "id[0]",
        "rand()",
    ],
)
def test_sql_that_is_not_for_here_is_refused_by_name(text: str) -> None:
    with pytest.raises(OperationNotSupportedError) as caught:
        F.expr(text)

    assert caught.value.where.startswith("SQL text.")


@pytest.mark.parametrize("text", ["DATE'nope'", "TIMESTAMP'nope'", "TIMESTAMP_NTZ'10:00'"])
def test_literal_without_a_value_is_refused(text: str) -> None:
    with pytest.raises(LiteralError) as caught:
        F.expr(text)

    assert caught.value.condition == "INVALID_TYPED_LITERAL"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'it''s'", "it's"),
        ("'it\\'s'", "it's"),
        ("''", ""),
        ("''''", "'"),
        ('"a""b"', 'a"b'),
        ("'a' 'b'", "ab"),
        ("'a\\nb'", "a\nb"),
    ],
)
def test_quotes_in_strings_are_read_as_spark_reads_them(text: str, value: str) -> None:
    literal: Any = F.expr(text).expression

    assert literal.value == value

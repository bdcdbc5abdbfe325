"""Paths and table names as users give them (contract 1.1)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ingest import Session
from ingest.errors import (
    MissingOptionError,
    OptionConflictError,
    OptionValueError,
    TableNameError,
)
from ingest.table_names import parse_table_name
from ingest.user_paths import one_path


@pytest.mark.parametrize(
    ("argument", "option", "expected"),
    [("in", None, "in"), (None, "in", "in"), (Path("in"), None, "in")],
)
def test_path_comes_from_the_argument_or_the_option(
    argument: Any, option: Any, expected: str
) -> None:
    assert one_path(argument, option, call="load", folder="the landing folder") == expected


@pytest.mark.parametrize(
    ("argument", "option", "error"),
    [
        ("in", "other", OptionConflictError),
        (None, None, MissingOptionError),
        ("", None, OptionValueError),
        (" ", None, OptionValueError),
        (3, None, OptionValueError),
    ],
)
def test_path_that_is_none_or_two_or_no_path_is_refused(
    argument: Any, option: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        one_path(argument, option, call="load", folder="the landing folder")


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("t", ("t",)),
        ("main.sales.t", ("main", "sales", "t")),
        ("`a.b`.`c d`", ("a.b", "c d")),
        ("`a``b`", ("a`b",)),
        ("möbel-2", ("möbel-2",)),
    ],
)
def test_table_name_is_split_at_its_dots(name: str, parts: tuple[str, ...]) -> None:
    assert parse_table_name(name) == parts


@pytest.mark.parametrize(
    "name", ["", " ", "../x", "/etc", "a/b", "a..b", ".a", "a.", "a.b.c.d", "`..`", "`a", "a\\b"]
)
def test_table_name_that_would_leave_the_warehouse_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(TableNameError) as caught:
        Session(warehouse=tmp_path / "lake").table(name)
    assert caught.value.where == f"table {name!r}"

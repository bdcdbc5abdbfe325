"""`spark.conf`, as PySpark 4.3.0 has it."""

from __future__ import annotations

from typing import Any

import pytest

from ingest import Session
from ingest.errors import AnalysisException, OperationNotSupportedError, OptionValueError

ZONE = "spark.sql.session.timeZone"


@pytest.mark.parametrize(("value", "text"), [(True, "true"), (3, "3"), ("x", "x")])
def test_values_are_text(value: Any, text: str) -> None:
    conf = Session().conf
    conf.set("a.b", value)
    assert conf.get("a.b") == text


def test_value_that_is_none_is_refused_by_key() -> None:
    with pytest.raises(OptionValueError, match=r"a\.b"):
        Session(conf={"a.b": None})


def test_known_key_has_a_default() -> None:
    assert Session().conf.get(ZONE) == "UTC"


@pytest.mark.parametrize("default", [None, "x"])
def test_given_default_counts_when_the_key_is_not_set(default: str | None) -> None:
    assert Session().conf.get("a.b", default) == default


def test_missing_key_without_a_default_is_an_error() -> None:
    with pytest.raises(AnalysisException, match="a\\.b") as caught:
        Session().conf.get("a.b")
    assert caught.value.condition == "SQL_CONF_NOT_FOUND"


def test_all_values_are_told() -> None:
    assert Session(conf={ZONE: "Europe/Oslo"}).conf.getAll == {ZONE: "Europe/Oslo"}


def test_sql_shows_a_default() -> None:
    (row,) = Session().sql(f"SET {ZONE}").collect()
    assert tuple(row) == (ZONE, "UTC")


def test_other_calls_are_refused_by_name() -> None:
    with pytest.raises(OperationNotSupportedError, match="isModifiable"):
        Session().conf.isModifiable("a")

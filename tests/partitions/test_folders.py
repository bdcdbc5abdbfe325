"""Keys and values in the paths of Hive-style folders (contract 2.7)."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.partitions.folders import (
    NULL_PARTITION,
    partition_keys,
    partition_texts,
    unescape,
    with_partitions,
    without_partitions,
)
from ingest.partitions.values import infer_partition_columns, infer_partition_type, partition_value
from ingest.text.times import SessionTime
from schema_store.ddl import parse_ddl, to_ddl
from schema_store.types import DataType, StringType
from tests.partitions.questions import TEXTS

SESSION = SessionTime("UTC", dt.date(2026, 11, 30))
SPECIAL = "\"#%'*/:=?\\\x7f{[]^"
"""What Spark escapes in a folder's name (`ExternalCatalogUtils.charToEscape`)."""

values = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=6
)
texts = st.sampled_from(TEXTS)


def escape(text: str) -> str:
    return re.sub(f"[{re.escape(SPECIAL)}\x01-\x1f]", lambda match: f"%{ord(match[0]):02X}", text)


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([b"/in/event=click/date=2030-04-01/f0.json"], ("event", "date")),  # case F12
        ([b"/in/day=06/a", b"/in/day=__HIVE_DEFAULT_PARTITION__/b"], ("day",)),  # case F13
        ([b"/in/year=1/month=2/a", b"/in/year=1/week=1/b"], ()),  # case F14
        ([b"/in/country=no/a", b"/in/b"], ()),
        ([b"/in/a=1/x", b"/in/a=1/b=2/y"], ()),
        ([b"/in/a", b"/in/sub/b"], ()),
        ([b"/in/country=no/sub/a", b"/in/country=se/b"], ("country",)),
        ([b"/in/x/a=1/f", b"/in/x/a=2/f"], ("a",)),
        ([b"/in/x/a=1/f", b"/in/y/a=2/f"], ()),  # CONFLICTING_DIRECTORY_STRUCTURES
        ([b"/in/a=1/x/b=2/f"], ("b",)),  # the walk up ends at x
        ([b"/in/A=1/f", b"/in/a=2/f"], ("A",)),
        ([b"/in/a=1/A=2/f"], ()),
        ([b"/in/a%2Fb=1/x"], ("a/b",)),
        ([b"/in/k=a=b/x"], ("k",)),
        ([b"/in/a=/x"], ()),
        ([b"/in/=1/x"], ()),
        ([b"/in/file=1.csv"], ()),  # a file's name is no folder
        ([b"/in"], ()),  # a single file is the landing folder
        ([], ()),
    ],
)
def test_partition_keys(paths: list[bytes], expected: tuple[str, ...]) -> None:
    assert partition_keys(b"/in", paths) == expected


def test_keys_above_the_landing_folder_do_not_count() -> None:
    assert partition_keys(b"/lake/env=dev/in", [b"/lake/env=dev/in/a.csv"]) == ()


@pytest.mark.parametrize(("depth", "expected"), [(0, ("a", "b")), (1, ("b",)), (2, ()), (3, ())])
def test_folders_that_a_glob_names_are_no_partitions(depth: int, expected: tuple[str, ...]) -> None:
    assert partition_keys(b"/in", [b"/in/a=1/b=2/f.csv"], depth=depth) == expected


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        (b"/in/Year=2030/week=01", {"year": "2030", "week": "01"}),
        (b"/in/a=1/x/a=2", {"a": "2"}),
        (b"/in/a=x%2Fy=z", {"a": "x%2Fy=z"}),
        (b"/in/a=/b=1", {"b": "1"}),
        (b"/in", {}),
    ],
)
def test_values_of_a_path(folder: bytes, expected: dict[str, str]) -> None:
    assert partition_texts(b"/in", folder) == expected


@given(st.lists(st.tuples(st.sampled_from("abc"), values), max_size=3), values)
def test_what_spark_writes_is_read_back(keys: list[tuple[str, str]], name: str) -> None:
    folder = "".join(f"/{key}={escape(text)}" for key, text in keys)
    path = f"/in{folder}/{escape(name)}".encode()

    found = partition_texts(b"/in", path.rpartition(b"/")[0])

    assert {key: unescape(text) for key, text in found.items()} == dict(keys)


@given(st.permutations([b"/in/A=1/f", b"/in/a=2/f", b"/in/a=2/x/f"]))
def test_one_layout_is_found_in_any_order(paths: list[bytes]) -> None:
    assert [key.lower() for key in partition_keys(b"/in", paths)] == ["a"]


@given(
    st.lists(texts, max_size=5).flatmap(
        lambda some: st.tuples(st.just(some), st.permutations(some))
    )
)
def test_the_order_of_values_does_not_count(case: tuple[list[str], list[str]]) -> None:
    assert infer_partition_type(case[0]) == infer_partition_type(case[1])


@given(st.lists(texts, max_size=5))
def test_with_the_inferred_type_every_value_fits(some: list[str]) -> None:
    data_type = infer_partition_type(some)
    misfits = {
        text
        for text in some
        if text != NULL_PARTITION and partition_value(text, data_type, SESSION) is None
    }
    assert misfits <= {"0000-01-01", "-0001-01-01", "+12030-01-05"}  # years nobody can hold


@given(st.lists(texts, min_size=1, max_size=4))
def test_text_is_kept_as_it_is(some: list[str]) -> None:
    string: DataType = StringType()
    for text in some:
        found = partition_value(text, string, SESSION)
        assert found is not None
        assert found.value == unescape(text)


def test_columns_have_the_types_of_their_values() -> None:
    folders = [b"/in/year=2030/w=01", b"/in/YEAR=2031/x=2", b"/in"]
    columns = infer_partition_columns(["Year", "w", "gone"], b"/in", folders)
    assert [(one.name, type(one.data_type).__name__) for one in columns] == [
        ("Year", "IntegerType"),
        ("w", "IntegerType"),
        ("gone", "StringType"),
    ]


@pytest.mark.parametrize(
    ("data", "partitions", "expected"),
    [
        ("id INT", "a STRING, b DATE", "id INT, a STRING, b DATE"),
        ("A INT, id INT", "b INT, a STRING", "a STRING, id INT, b INT"),
        ("id INT", "", "id INT"),
    ],
)
def test_partition_columns_come_last_or_in_the_place_of_their_names(
    data: str, partitions: str, expected: str
) -> None:
    merged = with_partitions(parse_ddl(data), parse_ddl(partitions))
    assert to_ddl(merged) == expected


def test_a_given_schema_loses_partition_columns() -> None:
    schema = parse_ddl("A STRING, id INT")
    assert to_ddl(without_partitions(schema, parse_ddl("a STRING"))) == "id INT"

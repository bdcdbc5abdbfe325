"""Entries of the log, both ways."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.delta.actions import (
    Action,
    AddFile,
    CommitInfo,
    Metadata,
    OtherAction,
    Protocol,
    RemoveFile,
    Transaction,
    actions_from_json,
    actions_to_json,
)
from ingest.delta.log import DeltaLog
from ingest.errors import DamagedTableError
from tests.schema_store.strategies import schemas

_names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
_texts = st.dictionaries(_names, _names, max_size=2)
_values = st.dictionaries(_names, _names | st.none(), max_size=2)
_rest = st.dictionaries(st.sampled_from(["tags", "new.key", "x"]), _values, max_size=2)
_numbers = st.integers(0, 2**53)
_features = st.none() | st.lists(_names, max_size=3).map(tuple)

actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Protocol, st.integers(1, 3), st.integers(1, 7), _features, _features, _rest),
    st.builds(
        Metadata,
        _names,
        schemas,
        st.lists(_names, max_size=2).map(tuple),
        _texts,
        st.none() | _names,
        st.none() | _names,
        st.none() | _numbers,
        _texts,
        _rest,
    ),
    st.builds(
        AddFile,
        _names,
        _values,
        _numbers,
        _numbers,
        st.booleans(),
        st.none() | st.just('{"numRecords":3}'),
        st.none() | st.just({"storageType": "u"}),
        _rest,
    ),
    st.builds(RemoveFile, _names, st.none() | _numbers, st.booleans(), _values, _numbers, _rest),
    st.builds(RemoveFile, _names, st.none() | _numbers, st.booleans(), rest=_rest),
    st.builds(Transaction, _names, _numbers, st.none() | _numbers, _rest),
    st.builds(CommitInfo, _texts),
    st.builds(OtherAction, st.sampled_from(["domainMetadata", "cdc"]), _texts),
)


@given(st.lists(actions, min_size=1, max_size=4).map(tuple))
def test_entry_survives_writing_and_reading(entry: tuple[Action, ...]) -> None:
    assert actions_from_json(actions_to_json(entry)) == entry


SPARK_ENTRY = [
    {"commitInfo": {"timestamp": 1, "operation": "WRITE", "engineInfo": "Apache-Spark/4.0.0"}},
    {
        "metaData": {
            "id": "5fba94ed",
            "format": {"provider": "parquet", "options": {}},
            "schemaString": '{"type":"struct","fields":[{"name":"v","type":"long","nullable":true,'
            '"metadata":{"delta.typeChanges":[{"fromType":"integer","toType":"long"}]}}]}',
            "partitionColumns": [],
            "configuration": {"delta.enableTypeWidening": "true"},
            "createdTime": 1564524295023,
            "ofTomorrow": [1],
        }
    },
    {
        "protocol": {
            "minReaderVersion": 3,
            "minWriterVersion": 7,
            "readerFeatures": ["typeWidening"],
            "writerFeatures": ["typeWidening"],
        }
    },
    {"txn": {"appId": "q", "version": 4}},
    {
        "add": {
            "path": "p=a%2520b/part-0.parquet",
            "partitionValues": {"p": "a b"},
            "size": 1,
            "modificationTime": 2,
            "dataChange": True,
            "stats": '{"numRecords":3}',
            "tags": {"INSERTION_TIME": "1"},
        }
    },
    {"domainMetadata": {"domain": "d", "configuration": "", "removed": False}},
]


def test_nothing_of_a_foreign_entry_is_lost() -> None:
    data = b"\n".join(orjson.dumps(line) for line in SPARK_ENTRY)
    written = actions_to_json(actions_from_json(data))
    assert [orjson.loads(line) for line in written.splitlines()] == SPARK_ENTRY


def test_file_of_an_action_is_found_under_its_decoded_name(tmp_path: Path) -> None:
    (add,) = actions_from_json(orjson.dumps(SPARK_ENTRY[4]))
    assert isinstance(add, AddFile)
    assert (add.local_path(tmp_path), add.rows) == (tmp_path / "p=a%20b" / "part-0.parquet", 3)


@pytest.mark.parametrize("scheme", ["file:", "file://", ""])
def test_absolute_path_is_found_where_it_says(scheme: str, tmp_path: Path) -> None:
    add = AddFile(f"{scheme}/other/a%20b.parquet", {}, 1, 1)
    remove = RemoveFile(add.path, None)
    places = {add.local_path(tmp_path), remove.local_path(tmp_path)}
    assert places == {Path("/other/a b.parquet")}


@pytest.mark.parametrize(
    "content", [b"", b"no json", b"[]", b'{"add":{}}', b'{"add":1}', b'{"a":{},"b":{}}']
)
def test_damaged_entry_is_an_error_that_names_the_file(content: bytes, tmp_path: Path) -> None:
    log = DeltaLog(tmp_path)
    log.path(3).parent.mkdir()
    log.path(3).write_bytes(content)
    with pytest.raises(DamagedTableError) as caught:
        log.read(3)
    assert caught.value.where == str(log.path(3))


def test_entry_is_written_once(tmp_path: Path) -> None:
    log = DeltaLog(tmp_path)
    one: tuple[Action, ...] = (CommitInfo({"n": 1}),)
    two: tuple[Action, ...] = (CommitInfo({"n": 2}),)
    done: list[Any] = [log.add(0, one), log.add(0, two), log.read(0), log.read(1)]
    assert done == [True, False, one, None]


def test_entry_has_a_name_of_twenty_digits(tmp_path: Path) -> None:
    path = DeltaLog(tmp_path).path(7)
    assert path == tmp_path / "_delta_log" / "00000000000000000007.json"

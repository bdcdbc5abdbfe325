from __future__ import annotations

import errno
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema_store.ddl import parse_ddl
from schema_store.errors import (
    ConcurrentWriteError,
    DamagedEntryError,
    EntryTooNewError,
    LocationNotReadableError,
    LocationNotWritableError,
    MissingEntryError,
)
from schema_store.store import Audit, AuditCause, SchemaStore, SchemaVersion
from tests.schema_store.strategies import schemas

if TYPE_CHECKING:
    from pathlib import Path

    from schema_store.types import Schema

NONE = parse_ddl("")
ID = parse_ddl("id INT")
ID_AND_AGE = parse_ddl("id INT, age INT")
ID_ENTRY = (
    b"v1\n"
    rb'{"dataSchemaJson":"{\"type\":\"struct\",\"fields\":[{\"name\":\"id\",\"type\":\"integer\",'
    rb'\"nullable\":true,\"metadata\":{}}]}",'
    rb'"partitionSchemaJson":"{\"type\":\"struct\",\"fields\":[]}"}'
)
AUDIT = Audit(
    at="2030-01-05T10:00:00.000+00:00",
    batch_id=3,
    causes=(
        AuditCause("file:///in/b.csv", "age", "new", "25"),
        AuditCause("file:///in/b.csv", "x", "new", None),
    ),
    diff=("+ age INT",),
)


def files_of(location: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(location)): path.read_bytes()
        for path in location.rglob("*")
        if path.is_file()
    }


def add_first(location: Path) -> tuple[SchemaStore, SchemaVersion]:
    store = SchemaStore(location)
    return store, store.add(ID, NONE, after=None, audit=None)


@given(st.lists(st.tuples(schemas, schemas), max_size=3))
def test_versions_read_back_as_added(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[Schema, Schema]]
) -> None:
    store = SchemaStore(tmp_path_factory.mktemp("location"))
    added: list[SchemaVersion] = []
    for data, partitions in history:
        after = added[-1] if added else None
        version = store.add(data, partitions, after=after, audit=None)
        if version != after:
            added.append(version)
    assert store.versions() == tuple(added)
    assert store.latest() == (added[-1] if added else None)


def test_a_version_is_stored_in_the_documented_form(tmp_path: Path) -> None:
    add_first(tmp_path)
    assert files_of(tmp_path) == {"_schemas/0": ID_ENTRY}


def test_reading_an_absent_store_creates_nothing(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "location")
    assert (store.latest(), store.get(0), store.versions(), store.audit(0)) == (
        None,
        None,
        (),
        None,
    )
    assert list(tmp_path.iterdir()) == []


def test_an_unchanged_schema_makes_no_version(tmp_path: Path) -> None:
    store, first = add_first(tmp_path)
    assert store.add(ID, NONE, after=first, audit=AUDIT) == first
    assert files_of(tmp_path) == {"_schemas/0": ID_ENTRY}


def test_a_changed_partition_schema_makes_a_version(tmp_path: Path) -> None:
    store, first = add_first(tmp_path)
    partitions = parse_ddl("day STRING")
    assert store.add(ID, partitions, after=first, audit=None) == SchemaVersion(1, ID, partitions)


def test_a_version_that_is_there_with_this_content_is_no_conflict(tmp_path: Path) -> None:
    store, first = add_first(tmp_path)
    second = store.add(ID_AND_AGE, NONE, after=first, audit=AUDIT)
    before = files_of(tmp_path)
    assert store.add(ID_AND_AGE, NONE, after=first, audit=AUDIT) == second
    assert files_of(tmp_path) == before


def test_a_version_that_is_there_with_other_content_is_a_conflict(tmp_path: Path) -> None:
    store, first = add_first(tmp_path)
    store.add(ID_AND_AGE, NONE, after=first, audit=None)
    before = files_of(tmp_path)
    with pytest.raises(ConcurrentWriteError) as caught:
        store.add(parse_ddl("id INT, other INT"), NONE, after=first, audit=AUDIT)
    assert caught.value.path == tmp_path / "_schemas" / "1"
    assert "another stream" in str(caught.value)
    assert files_of(tmp_path) == before


def test_a_first_version_beside_an_existing_one_is_a_conflict(tmp_path: Path) -> None:
    store, _ = add_first(tmp_path)
    with pytest.raises(ConcurrentWriteError):
        store.add(ID_AND_AGE, NONE, after=None, audit=None)


def test_a_hand_edited_version_is_honoured(tmp_path: Path) -> None:
    store, _ = add_first(tmp_path)
    entry = tmp_path / "_schemas" / "0"
    entry.write_bytes(
        ID_ENTRY.replace(b"integer", b"long").replace(b'","part', b'" , "part') + b"\n"
    )
    assert store.latest() == SchemaVersion(0, parse_ddl("id BIGINT"), NONE)


def test_leftovers_of_a_crash_are_ignored(tmp_path: Path) -> None:
    store, first = add_first(tmp_path)
    (tmp_path / "_schemas" / ".1.0123456789abcdef.tmp").write_bytes(b"v1\n{")
    (tmp_path / "_schemas" / ".0.crc").write_bytes(b"crc")
    assert store.versions() == (first,)
    assert store.add(ID_AND_AGE, NONE, after=first, audit=None).number == 1


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"v1\n{", "not JSON"),
        (b"v1", "not JSON"),
        (b"v1\n[]", "not a JSON object"),
        (b"v1\n{}", "dataSchemaJson"),
        (ID_ENTRY.replace(b"partitionSchemaJson", b"x"), "partitionSchemaJson"),
        (ID_ENTRY.replace(b"integer", b"int8"), "$.fields[0].type"),
    ],
)
def test_a_damaged_version_is_told(tmp_path: Path, data: bytes, reason: str) -> None:
    store, _ = add_first(tmp_path)
    (tmp_path / "_schemas" / "0").write_bytes(data)
    with pytest.raises(DamagedEntryError) as caught:
        store.latest()
    assert caught.value.path == tmp_path / "_schemas" / "0"
    assert reason in caught.value.reason


def test_a_gap_is_told(tmp_path: Path) -> None:
    store, first = add_first(tmp_path)
    store.add(ID_AND_AGE, NONE, after=first, audit=None)
    (tmp_path / "_schemas" / "0").unlink()
    with pytest.raises(MissingEntryError) as caught:
        store.latest()
    assert caught.value.path == tmp_path / "_schemas" / "0"


def test_a_version_without_the_one_before_it_is_refused(tmp_path: Path) -> None:
    store, first = add_first(tmp_path)
    (tmp_path / "_schemas" / "0").unlink()
    with pytest.raises(MissingEntryError) as caught:
        store.add(ID_AND_AGE, NONE, after=first, audit=None)
    assert (caught.value.path, caught.value.follower) == (tmp_path / "_schemas" / "0", 1)


def test_a_version_of_a_later_release_is_refused(tmp_path: Path) -> None:
    store, _ = add_first(tmp_path)
    (tmp_path / "_schemas" / "0").write_bytes(b"v2" + ID_ENTRY[2:])
    with pytest.raises(EntryTooNewError) as caught:
        store.latest()
    assert caught.value.version == 2


def test_a_location_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "location").write_text("a file")
    with pytest.raises(LocationNotReadableError):
        SchemaStore(tmp_path / "location").add(ID, NONE, after=None, audit=None)


def test_an_unwritable_location_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("os.open", read_only)
    with pytest.raises(LocationNotWritableError) as caught:
        SchemaStore(tmp_path).add(ID, NONE, after=None, audit=None)
    assert caught.value.path == tmp_path / "_schemas" / "0"
    assert caught.value.reason == "Read-only file system"
    assert files_of(tmp_path) == {}


def test_the_audit_of_a_version_reads_back(tmp_path: Path) -> None:
    store, first = add_first(tmp_path)
    store.add(ID_AND_AGE, NONE, after=first, audit=AUDIT)
    assert (store.audit(0), store.audit(1)) == (None, AUDIT)


def test_the_last_audit_counts_when_an_attempt_crashed(tmp_path: Path) -> None:
    store, first = add_first(tmp_path)
    crashed = replace(AUDIT, at="2030-01-05T09:00:00.000+00:00")
    second = store.add(ID_AND_AGE, NONE, after=first, audit=crashed)
    (tmp_path / "_schemas" / "1").unlink()
    assert store.audit(1) is None
    assert store.add(ID_AND_AGE, NONE, after=first, audit=AUDIT) == second
    assert store.audit(1) == AUDIT
    assert sorted(files_of(tmp_path)) == [
        "_schemas/.audit/1.1.json",
        "_schemas/.audit/1.json",
        "_schemas/0",
        "_schemas/1",
    ]


@pytest.mark.parametrize("data", [b"", b"[]", b'{"version":1,"at":1}'])
def test_a_damaged_audit_is_told(tmp_path: Path, data: bytes) -> None:
    store, first = add_first(tmp_path)
    store.add(ID_AND_AGE, NONE, after=first, audit=AUDIT)
    sidecar = tmp_path / "_schemas" / ".audit" / "1.json"
    sidecar.write_bytes(data)
    with pytest.raises(DamagedEntryError) as caught:
        store.audit(1)
    assert caught.value.path == sidecar


def test_an_audit_of_a_later_release_is_refused(tmp_path: Path) -> None:
    store, first = add_first(tmp_path)
    store.add(ID_AND_AGE, NONE, after=first, audit=AUDIT)
    (tmp_path / "_schemas" / ".audit" / "1.json").write_bytes(b'{"version":2}')
    with pytest.raises(EntryTooNewError):
        store.audit(1)

"""Table properties: known ones only, and the features that they bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ingest.delta.actions import CommitInfo, Metadata, Protocol
from ingest.delta.log import DeltaLog
from ingest.delta.properties import set_properties, unset_properties
from ingest.delta.protocol import with_features
from ingest.delta.snapshot import Snapshot, open_snapshot
from ingest.errors import TableNotFoundError, TablePropertyError
from ingest.options.table_properties import PROPERTIES, check_properties
from ingest.table_reader import read_table
from tests.delta.tables import append_rows

if TYPE_CHECKING:
    from pathlib import Path

WIDENS = {"delta.enableTypeWidening": "true"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    append_rows(tmp_path / "t", "id INT", [{"id": 1}])
    return tmp_path / "t"


def snapshot_of(folder: Path) -> Snapshot:
    snapshot = open_snapshot(folder)
    assert snapshot is not None
    return snapshot


def test_property_that_needs_a_feature_brings_it_in_one_entry(folder: Path) -> None:
    change = set_properties(folder, WIDENS, now_ms=7)
    entry = DeltaLog(folder).read(1)
    assert entry is not None
    info, protocol, metadata = entry
    features = ("appendOnly", "invariants", "typeWidening")
    assert protocol == Protocol(3, 7, ("typeWidening",), features)
    assert isinstance(info, CommitInfo)
    assert info.values["operation"] == "SET TBLPROPERTIES"
    assert info.values["operationParameters"] == {
        "properties": '{"delta.enableTypeWidening":"true"}'
    }
    assert isinstance(metadata, Metadata)
    assert dict(metadata.configuration) == WIDENS
    assert (change.version, change.old, change.new, change.added_features) == (
        1,
        {"delta.enableTypeWidening": None},
        WIDENS,
        ("typeWidening",),
    )


def test_property_that_is_set_already_changes_nothing(folder: Path) -> None:
    first = set_properties(folder, {"owner": "me"}, now_ms=7)
    second = set_properties(folder, {"owner": "me"}, now_ms=8)
    assert (first.version, second.version, dict(second.new)) == (1, 1, {})


def test_removed_property_leaves_its_feature(folder: Path) -> None:
    set_properties(folder, WIDENS, now_ms=7)
    change = unset_properties(folder, ["DELTA.enabletypewidening"], now_ms=8)
    snapshot = snapshot_of(folder)
    assert dict(change.new) == {"delta.enableTypeWidening": None}
    assert snapshot.protocol.reader_features == ("typeWidening",)
    assert dict(snapshot.metadata.configuration) == {}


def test_removal_of_what_is_not_set_is_refused_unless_told(folder: Path) -> None:
    with pytest.raises(TablePropertyError) as caught:
        unset_properties(folder, ["owner"], now_ms=8)
    change = unset_properties(folder, ["owner"], now_ms=8, if_exists=True)
    assert (caught.value.key, change.version) == ("owner", 0)


def test_mapping_that_is_switched_on_keeps_the_files_names(folder: Path) -> None:
    set_properties(folder, {"delta.columnMapping.mode": "name"}, now_ms=7)
    append_rows(folder, "id INT, `a b` INT", [{"id": 2, "a b": 3}])
    rows = sorted(read_table(folder)[1].to_pylist(), key=lambda row: row["id"])
    assert rows == [{"id": 1, "a b": None}, {"id": 2, "a b": 3}]
    assert (
        '"delta.columnMapping.physicalName":"id"' in snapshot_of(folder).schema.fields[0].metadata
    )


def test_number_of_the_last_column_stays(folder: Path) -> None:
    set_properties(folder, {"delta.columnMapping.mode": "name"}, now_ms=7)
    with pytest.raises(TablePropertyError):
        unset_properties(folder, ["delta.columnMapping.maxColumnId"], now_ms=8)


def test_mapping_by_id_is_not_made_as_it_is_not_read() -> None:
    with pytest.raises(TablePropertyError) as caught:
        check_properties({"delta.columnMapping.mode": "id"})
    assert caught.value.expected == "none or name"


@pytest.mark.parametrize(("old", "new"), [("none", "id"), ("name", "none"), ("name", "id")])
def test_mapping_that_would_change_the_files_is_refused(old: str, new: str, folder: Path) -> None:
    set_properties(folder, {"delta.columnMapping.mode": old}, now_ms=7)
    with pytest.raises(TablePropertyError) as caught:
        set_properties(folder, {"delta.columnMapping.mode": new}, now_ms=8)
    assert caught.value.key == "delta.columnMapping.mode"


def test_no_table_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(TableNotFoundError):
        set_properties(tmp_path / "none", WIDENS, now_ms=7)


def test_unknown_property_is_refused_with_a_near_name() -> None:
    with pytest.raises(TablePropertyError) as caught:
        check_properties({"delta.enableTypeWidenning": "true"})
    assert caught.value.condition == "DELTA_UNKNOWN_CONFIGURATION"
    assert "delta.enableTypeWidening?" in caught.value.remedy


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("delta.appendOnly", "yes"),
        ("delta.checkpointInterval", "0"),
        ("delta.dataSkippingNumIndexedCols", "-2"),
        ("delta.logRetentionDuration", "a while"),
        ("delta.columnMapping.mode", "names"),
        ("delta.columnMapping.maxColumnId", "3"),
        ("delta.enableRowTracking", "true"),
        ("delta.feature.rowTracking", "supported"),
        ("delta.feature.appendOnly", "enabled"),
        ("delta.minReaderVersion", "x"),
        ("delta.constraints.c", "id > 0"),
    ],
)
def test_bad_value_is_refused_by_key(key: str, value: str) -> None:
    with pytest.raises(TablePropertyError) as caught:
        check_properties({key: value})
    assert caught.value.key == key


def test_properties_are_stored_in_deltas_spelling() -> None:
    checked = check_properties(
        {
            "DELTA.ENABLETYPEWIDENING": "True",
            "delta.logRetentionDuration": "interval 30 days",
            "delta.isolationLevel": "serializable",
            "delta.minReaderVersion": "2",
            "delta.feature.domainmetadata": "supported",
            "Owner": "Me",
        }
    )
    assert checked.stored == {
        "delta.enableTypeWidening": "true",
        "delta.logRetentionDuration": "interval 30 days",
        "delta.isolationLevel": "Serializable",
        "Owner": "Me",
    }
    assert checked.features == ("domainMetadata",)


@pytest.mark.parametrize("name", PROPERTIES)
def test_every_known_property_has_one_spelling(name: str) -> None:
    assert [other for other in PROPERTIES if other.lower() == name.lower()] == [name]


@pytest.mark.parametrize(
    ("protocol", "expected"),
    [
        (Protocol(1, 1), Protocol(3, 7, ("typeWidening",), ("typeWidening",))),
        (
            Protocol(2, 5),
            Protocol(
                3,
                7,
                ("columnMapping", "typeWidening"),
                (
                    "appendOnly",
                    "invariants",
                    "checkConstraints",
                    "changeDataFeed",
                    "generatedColumns",
                    "columnMapping",
                    "typeWidening",
                ),
            ),
        ),
        (Protocol(1, 7, None, ()), Protocol(3, 7, ("typeWidening",), ("typeWidening",))),
        (
            Protocol(3, 7, ("typeWidening-preview",), ("typeWidening-preview",)),
            Protocol(3, 7, ("typeWidening-preview",), ("typeWidening-preview",)),
        ),
    ],
)
def test_new_protocol_lists_what_the_old_one_implied(
    protocol: Protocol, expected: Protocol
) -> None:
    assert with_features(protocol, ["typeWidening"]) == expected

"""Batch writes: the rows of a DataFrame, appended or in the place of all there are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from ingest.delta import batch_writes
from ingest.delta.actions import RemoveFile
from ingest.delta.batch_writes import append, overwrite
from ingest.delta.creation import define_table
from ingest.delta.log import DeltaLog
from ingest.delta.snapshot import open_snapshot
from ingest.errors import (
    AppendOnlyTableError,
    FailedToMergeFieldsError,
    MetadataMismatchError,
    NotNullViolatedError,
    OptionConflictError,
    UnsupportedTableFeatureError,
)
from ingest.table_reader import read_table
from schema_store.ddl import parse_ddl, to_ddl
from tests.delta.deleted_rows import deletion_vector
from tests.delta.tables import LEGACY, HandWritten, arrow_rows, metadata, settings

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.delta.settings import DeltaSettings

STRICT = replace(settings(), merge_schema=False)


def add(folder: Path, ddl: str, *rows: dict[str, Any], given: DeltaSettings = STRICT) -> int:
    schema = parse_ddl(ddl)
    return append(folder, arrow_rows(rows, schema), schema, given)


def put(
    folder: Path,
    ddl: str,
    *rows: dict[str, Any],
    given: DeltaSettings = STRICT,
    overwrite_schema: bool = False,
) -> int:
    schema = parse_ddl(ddl)
    table = arrow_rows(rows, schema)
    return overwrite(folder, table, schema, given, overwrite_schema=overwrite_schema)


def rows_of(folder: Path, version: int | None = None) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = read_table(folder, version)[1].to_pylist()
    return rows


def test_the_story_of_the_delta_blog(tmp_path: Path) -> None:
    """Delta's blog on schema evolution: a third column, with and without `mergeSchema`."""
    add(tmp_path, "id INT, name STRING", {"id": 1, "name": "a"})
    with pytest.raises(MetadataMismatchError):
        add(tmp_path, "id INT, name STRING, age INT", {"id": 2, "name": "b", "age": 3})
    add(
        tmp_path,
        "id INT, name STRING, age INT",
        {"id": 2, "name": "b", "age": 3},
        given=settings(),
    )
    add(tmp_path, "id INT", {"id": 4}, given=settings())
    add(tmp_path, "edad INT", {"edad": 5}, given=settings())
    nothing = {"id": None, "name": None, "age": None, "edad": None}
    expected = [
        {**nothing, "id": 1, "name": "a"},
        {**nothing, "id": 2, "name": "b", "age": 3},
        {**nothing, "id": 4},
        {**nothing, "edad": 5},
    ]
    found = rows_of(tmp_path)
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_same_write_twice_is_there_twice(tmp_path: Path) -> None:
    for _ in range(2):
        add(tmp_path, "id INT", {"id": 1})
    assert rows_of(tmp_path) == [{"id": 1}] * 2


def test_write_with_a_transaction_is_there_once(tmp_path: Path) -> None:
    schema = parse_ddl("id INT")
    table = arrow_rows([{"id": 1}], schema)
    versions = [append(tmp_path, table, schema, STRICT, transaction=("app", 3)) for _ in range(2)]
    assert (versions, rows_of(tmp_path)) == ([0, 0], [{"id": 1}])


def test_overwritten_rows_are_in_the_version_before(tmp_path: Path) -> None:
    add(tmp_path, "id INT", {"id": 1})
    version = put(tmp_path, "id INT", {"id": 2})
    found = (version, rows_of(tmp_path), rows_of(tmp_path, 0))
    assert found == (1, [{"id": 2}], [{"id": 1}])


def test_remove_tells_what_readers_of_changes_need(tmp_path: Path) -> None:
    add(tmp_path, "id INT, p STRING", {"id": 1, "p": "x"}, given=settings(partition=("p",)))
    put(tmp_path, "id INT, p STRING", {"id": 2, "p": "x"})
    entry = DeltaLog(tmp_path).read(1)
    assert entry is not None
    (remove,) = (one for one in entry if isinstance(one, RemoveFile))
    assert (dict(remove.partition_values or {}), remove.data_change) == ({"p": "x"}, True)
    assert remove.size == remove.local_path(tmp_path).stat().st_size


def test_overwrite_with_another_schema_takes_overwrite_schema(tmp_path: Path) -> None:
    add(tmp_path, "id INT", {"id": 1})
    with pytest.raises(FailedToMergeFieldsError):
        put(tmp_path, "id STRING", {"id": "x"})
    put(tmp_path, "id STRING", {"id": "x"}, overwrite_schema=True)
    assert (to_ddl(read_table(tmp_path)[0]), rows_of(tmp_path)) == ("id STRING", [{"id": "x"}])


def test_overwritten_schema_of_a_mapped_table_has_new_ids(tmp_path: Path) -> None:
    mapped = settings({"delta.columnMapping.mode": "name"})
    add(tmp_path, "a INT", {"a": 1}, given=mapped)
    put(tmp_path, "a STRING, `b c` INT", {"a": "x", "b c": 1}, overwrite_schema=True)
    assert rows_of(tmp_path) == [{"a": "x", "b c": 1}]
    assert rows_of(tmp_path, 0) == [{"a": 1}]


def test_append_only_table_is_not_overwritten(tmp_path: Path) -> None:
    add(tmp_path, "id INT", {"id": 1}, given=settings({"delta.appendOnly": "true"}))
    with pytest.raises(AppendOnlyTableError):
        put(tmp_path, "id INT", {"id": 2})


def test_rows_that_are_deleted_while_they_are_replaced_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A removal has to name the deletion vector, or the file would count on."""
    add(tmp_path, "id INT", {"id": 1}, given=settings({"delta.enableDeletionVectors": "true"}))
    snapshot = open_snapshot(tmp_path)
    assert snapshot is not None
    (file,) = snapshot.files()
    deleted = replace(file, deletion_vector=deletion_vector([0]))
    DeltaLog(tmp_path).add(1, (RemoveFile(file.path, 1), deleted))
    monkeypatch.setattr(batch_writes, "open_snapshot", lambda _: snapshot)
    with pytest.raises(UnsupportedTableFeatureError):
        put(tmp_path, "id INT", {"id": 2})
    assert DeltaLog(tmp_path).versions() == (0, 1)


def test_refused_write_leaves_nothing_behind(tmp_path: Path) -> None:
    define_table(tmp_path, parse_ddl("id INT NOT NULL"), STRICT)
    with pytest.raises(NotNullViolatedError) as caught:
        add(tmp_path, "id INT", {"id": 1}, {"id": None})
    assert caught.value.column == "id"
    assert list(tmp_path.glob("*.parquet")) == []
    assert DeltaLog(tmp_path).versions() == (0,)


def test_defined_table_keeps_not_null(tmp_path: Path) -> None:
    made = [define_table(tmp_path, parse_ddl("id INT NOT NULL, s STRING"), STRICT) for _ in "ab"]
    assert (made, to_ddl(read_table(tmp_path)[0])) == ([True, False], "id INT NOT NULL, s STRING")


@pytest.mark.parametrize("kind", ["ARRAY<INT>", "MAP<INT, INT>", "STRUCT<a: INT>", "BINARY"])
def test_partition_column_has_a_type_that_folders_are_named_by(kind: str, tmp_path: Path) -> None:
    with pytest.raises(OptionConflictError) as caught:
        add(tmp_path, f"id INT, n INT, p {kind}", given=settings(partition=("p",)))
    assert caught.value.expected == "some, not all, of the columns id, n, each once"


@pytest.mark.parametrize("name", ["_list", ".p", "a.b", "_p", "row", "0", "a/b"])
def test_partition_column_may_have_any_name(name: str, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"id": 1, name: "x"}, {"id": 2, name: None}]
    add(tmp_path, f"id INT, `{name}` STRING", *rows, given=settings(partition=(name,)))
    assert sorted(rows_of(tmp_path), key=lambda row: row["id"]) == rows


def test_table_that_others_have_partitioned_by_binary_is_read_and_not_written(
    tmp_path: Path,
) -> None:
    table = HandWritten(tmp_path / "t")
    more = {"partitionValues": {"p": "é"}}
    file = table.file("a.parquet", arrow_rows([{"id": 1}], parse_ddl("id INT")), **more)
    schema = parse_ddl("id INT, p BINARY")
    table.entry(LEGACY, metadata(schema, partition=("p",)), file)
    with pytest.raises(UnsupportedTableFeatureError):
        add(table.folder, "id INT, p BINARY", {"id": 2, "p": b"\xff"})
    assert rows_of(table.folder) == [{"id": 1, "p": "é".encode()}]


def test_empty_text_is_refused_where_a_partition_column_is_not_null(tmp_path: Path) -> None:
    """Its partition value is NULL (PROTOCOL.md), which would leave the table unreadable."""
    define_table(tmp_path, parse_ddl("id INT, p STRING NOT NULL"), settings(partition=("p",)))
    with pytest.raises(NotNullViolatedError):
        add(tmp_path, "id INT, p STRING", {"id": 1, "p": ""})
    assert rows_of(tmp_path) == []


def test_partition_column_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(OptionConflictError):
        add(tmp_path, "id INT, p INT", given=settings(partition=("p", "P")))


@pytest.mark.parametrize("columns", [("q",), ("id",)])
def test_partition_columns_have_to_be_some_of_the_rows(
    columns: tuple[str, ...], tmp_path: Path
) -> None:
    with pytest.raises(OptionConflictError):
        add(tmp_path, "id INT", {"id": 1}, given=settings(partition=columns))


def test_other_partition_columns_than_the_tables_are_refused(tmp_path: Path) -> None:
    ddl = "id INT, p INT"
    add(tmp_path, ddl, {"id": 1, "p": 1}, given=settings(partition=("p",)))
    with pytest.raises(OptionConflictError) as caught:
        add(tmp_path, ddl, {"id": 1, "p": 1}, given=settings(partition=("id",)))
    assert "is partitioned by p" in str(caught.value)

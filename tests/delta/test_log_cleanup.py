"""Entries of the log that are gone: no row is ever written into the gap that they leave."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from deltalake import DeltaTable as LibraryTable
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from ingest.delta.creation import create_table
from ingest.delta.log import DELTA_LOG, DeltaLog
from ingest.delta.snapshot import Snapshot, open_snapshot
from ingest.errors import DamagedTableError
from ingest.file_entry import BatchId
from ingest.sinks.delta_table import DeltaStaging, DeltaTable
from ingest.table_reader import read_table
from schema_store.ddl import parse_ddl
from tests.delta.tables import append_rows, arrow_rows, settings, stream_batches

if TYPE_CHECKING:
    from pathlib import Path

ID = parse_ddl("id BIGINT")


def opened(folder: Path) -> Snapshot:
    snapshot = open_snapshot(folder)
    assert snapshot is not None
    return snapshot


def append_ids(folder: Path, *numbers: int) -> None:
    for number in numbers:
        append_rows(folder, "id BIGINT", [{"id": number}])


def staged(sink: DeltaTable, number: int, *, query: str = "query") -> DeltaStaging:
    """Write a batch's row, so that only its commit is left to be done."""
    staging = sink.begin(query, BatchId(number), ID)
    assert staging is not None
    for rows in arrow_rows([{"id": number}], ID).to_batches():
        staging.write(rows)
    return staging


def clean_up(folder: Path) -> None:
    """Do what Delta's writers do in the course of time: a checkpoint, and no older entries."""
    LibraryTable(folder).create_checkpoint()
    log = DeltaLog(folder)
    for version in log.versions()[:-1]:
        log.path(version).unlink()


def ids(folder: Path) -> list[int]:
    return sorted(row["id"] for row in read_table(folder)[1].to_pylist())


def test_batch_that_others_have_overtaken_lands_at_the_end(tmp_path: Path) -> None:
    append_ids(tmp_path, 1)
    staging = staged(DeltaTable(tmp_path, settings()), 0)
    append_ids(tmp_path, 2, 3)
    clean_up(tmp_path)
    staging.commit()
    assert (ids(tmp_path), DeltaLog(tmp_path).versions()) == ([0, 1, 2, 3], (2, 3))


def test_first_batch_does_not_make_a_table_that_others_have_made(tmp_path: Path) -> None:
    staging = staged(DeltaTable(tmp_path, settings()), 0)
    append_ids(tmp_path, 1, 2)
    clean_up(tmp_path)
    staging.commit()
    assert (ids(tmp_path), DeltaLog(tmp_path).versions()) == ([0, 1, 2], (1, 2))


def test_batch_of_a_table_that_was_made_anew_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    append_ids(folder, 1, 2, 3, 4)
    staging = staged(DeltaTable(folder, settings()), 0)
    shutil.rmtree(folder)
    create_table(folder, ID, settings())
    append_ids(folder, 5)
    with pytest.raises(DamagedTableError):
        staging.commit()
    staging.abort()
    assert (ids(folder), DeltaLog(folder).versions()) == ([5], (0, 1))


def test_empty_batch_does_not_bring_a_removed_table_back(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    append_ids(folder, 1, 2)
    staging = DeltaTable(folder, settings()).begin("query", BatchId(0), ID)
    assert staging is not None
    shutil.rmtree(folder)
    with pytest.raises(DamagedTableError):
        staging.commit()
    assert not folder.exists()


def test_transaction_is_known_when_the_entry_that_names_it_is_gone(tmp_path: Path) -> None:
    stream_batches(tmp_path, range(3))
    snapshot = opened(tmp_path)
    append_rows(tmp_path, "id BIGINT, text STRING", [])
    clean_up(tmp_path)
    assert snapshot.transaction_version("query") == 2


def test_table_of_nothing_but_a_checkpoint_goes_on(tmp_path: Path) -> None:
    stream_batches(tmp_path, range(3))
    clean_up(tmp_path)
    DeltaLog(tmp_path).path(2).unlink()
    stream_batches(tmp_path, range(5))
    assert (ids(tmp_path), DeltaLog(tmp_path).versions()) == ([0, 1, 2, 3, 4], (3, 4))


@pytest.mark.parametrize("hint", ['{"version":90}', "", "[]", '{"version":"x"}'])
def test_hint_at_a_checkpoint_that_is_not_there_changes_nothing(tmp_path: Path, hint: str) -> None:
    stream_batches(tmp_path, range(2))
    (tmp_path / DELTA_LOG / "_last_checkpoint").write_text(hint)
    snapshot = opened(tmp_path).newest()
    assert (snapshot.version, snapshot.is_overtaken()) == (1, False)


@given(st.lists(st.sampled_from(["begin", "commit", "append", "clean"]), max_size=12))
@hypothesis_settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_every_batch_that_was_committed_is_in_the_table(tmp_path: Path, steps: list[str]) -> None:
    folder = tmp_path / "table"
    shutil.rmtree(folder, ignore_errors=True)
    create_table(folder, ID, settings())
    sink, waiting, expected = DeltaTable(folder, settings()), list[DeltaStaging](), list[int]()
    for number, step in enumerate(steps):
        match step:
            case "begin":
                waiting.append(staged(sink, number, query=f"query {number}"))
                expected.append(number)
            case "commit" if waiting:
                waiting.pop(0).commit()
            case "append":
                append_ids(folder, number)
                expected.append(number)
            case "clean":
                clean_up(folder)
            case _:
                pass
    for staging in waiting:
        staging.commit()
    versions = DeltaLog(folder).versions()
    assert versions == tuple(range(versions[0], versions[-1] + 1))
    assert ids(folder) == sorted(expected)

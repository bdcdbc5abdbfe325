"""The engine in the five evolution modes (contract 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ingest.checkpoint import read_ledger
from ingest.errors import (
    FileMissingError,
    MalformedRecordError,
    StateNotWritableError,
    UnknownFieldException,
)
from ingest.file_entry import BatchId, file_uri
from schema_store.ddl import parse_ddl, to_ddl
from schema_store.errors import ConcurrentWriteError
from schema_store.evolution import EvolutionMode
from tests.ingest.engine_world import WIDENING, World

if TYPE_CHECKING:
    from pathlib import Path


ADD_NEW = EvolutionMode.ADD_NEW_COLUMNS
FAIL = EvolutionMode.FAIL_ON_NEW_COLUMNS
ADDING = (ADD_NEW, WIDENING)
FIRST, SECOND = BatchId(0), BatchId(1)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def versions(world: World) -> list[str]:
    return [to_ddl(version.schema) for version in world.store.versions()]


def stop_of(world: World) -> UnknownFieldException:
    with pytest.raises(UnknownFieldException) as caught:
        world.start()
    return caught.value


def uri(path: Path) -> str:
    return file_uri(bytes(path))


# new columns


@pytest.mark.parametrize("mode", ADDING)
def test_new_column_stops_the_stream_and_a_restart_goes_on(
    mode: EvolutionMode, world: World
) -> None:
    """Case E01."""
    world.mode = mode
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": 2, "extra": 7})
    error = stop_of(world)
    world.start()
    assert (error.retryable, error.new_fields, world.rows()) == (
        True,
        ("extra INT",),
        [{"id": 1, "extra": None}, {"id": 2, "extra": 7}],
    )


def test_new_version_is_on_disk_and_nothing_in_the_sink_when_the_stream_stops(
    world: World,
) -> None:
    """Contract 4.5."""
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": 2}, {"id": 3}, {"id": 4, "extra": "x"})
    stop_of(world)
    assert (versions(world), world.ids(), world.entries("commits")) == (
        ["id INT", "id INT, extra STRING"],
        [1],
        [0],
    )
    assert len(list(world.table.glob("*.parquet"))) == 1


def test_all_new_columns_of_a_batch_are_one_stop(world: World) -> None:
    """Contract 4.4."""
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": 2, "x": 1})
    world.land("c", {"id": 3, "y": 5_000_000_000, "x": "text"})
    stops = world.start_until_stable()
    assert ([stop.new_fields for stop in stops], len(world.rows())) == (
        [("x STRING", "y BIGINT")],
        3,
    )


def test_stop_names_the_lowest_numbered_file_that_has_the_field(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": 2}, at=1)
    second = world.land("d", {"id": 3, "x": 1}, at=2)
    world.land("c", {"id": 4, "x": 1}, at=3)
    error = stop_of(world)
    assert (error.file, error.condition) == (
        uri(second),
        "UNKNOWN_FIELD_EXCEPTION.NEW_FIELDS_IN_FILE",
    )


@pytest.mark.parametrize("looks", [True, False])
def test_new_column_is_found_by_look_or_while_reading(*, looks: bool, world: World) -> None:
    world.looks = looks
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": 2}, at=2)
    third = world.land("c", {"id": 3}, {"id": 4}, {"id": 5, "x": 1}, at=3)
    stops = world.start_until_stable()
    assert ([stop.file for stop in stops], world.ids()) == ([uri(third)], [1, 2, 3, 4, 5])


def test_look_finds_a_new_column_before_a_row_is_read(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": 2, "x": 1})
    world.land("c", {"id": 3})
    world.opened.clear()
    stop_of(world)
    assert world.opened == ["b"]  # only for an example of the new column


def test_version_tells_what_caused_it(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()
    path = world.land("b", {"id": 2, "x": "why"})
    stop_of(world)
    audit = world.store.audit(1)
    assert audit is not None
    assert (audit.batch_id, [(c.file, c.column, c.change, c.value) for c in audit.causes]) == (
        1,
        [(uri(path), "x", "new STRING", "why")],
    )


def test_locked_schema_fails_again_with_the_same_version(world: World) -> None:
    """Contract 1.5: only loading again sees the new version."""
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": 2, "x": 1})
    loaded = world.load()
    for _ in range(2):
        with pytest.raises(UnknownFieldException):
            world.start(loaded)
    assert (versions(world), world.ids()) == (["id INT", "id INT, x INT"], [1])


def test_locked_schema_that_would_now_grow_otherwise_is_an_error(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()
    path = world.land("b", {"id": 2, "x": 1})
    loaded = world.load()
    with pytest.raises(UnknownFieldException):
        world.start(loaded)
    path.write_text('{"id":2,"y":1}')
    with pytest.raises(ConcurrentWriteError):
        world.start(loaded)
    assert versions(world) == ["id INT", "id INT, x INT"]


@pytest.mark.parametrize("mode", ADDING)
def test_field_without_a_type_is_rescued_and_the_stream_goes_on(
    mode: EvolutionMode, world: World
) -> None:
    """Contract 4.2: a retryable stop always implies a new version; case E19."""
    world.mode = mode
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": 2, "o": {}}, {"id": 3})
    world.start()
    assert (versions(world), world.rescued_values()) == (["id INT"], [None, {"o": {}}, None])


def test_missing_column_is_null(world: World) -> None:
    world.land("a", {"id": 1, "v": "x"})
    world.start()
    world.land("b", {"id": 2})
    world.start()
    assert world.rows() == [{"id": 1, "v": "x"}, {"id": 2, "v": None}]


def test_version_that_cannot_be_written_is_an_error_with_facts(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": 2, "x": 1})
    loaded = world.load()
    audits = world.root / "schema" / "_schemas" / ".audit"
    audits.write_text("a file where a folder should be")
    with pytest.raises(StateNotWritableError) as caught:
        world.start(loaded)
    assert (str(audits) in caught.value.where, versions(world)) == (True, ["id INT"])


# values that do not fit


@pytest.mark.parametrize("mode", [ADD_NEW, EvolutionMode.RESCUE, FAIL])
def test_value_that_does_not_fit_is_null_and_rescued(mode: EvolutionMode, world: World) -> None:
    """Case E07."""
    world.mode = mode
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": "ten"}, {"id": 12}, {"id": 5_000_000_000})
    world.start()
    assert (world.ids(), world.rescued_values(), len(versions(world))) == (
        [1, None, 12, None],
        [None, {"id": "ten"}, None, {"id": 5_000_000_000}],
        1,
    )


def test_wider_value_stops_the_stream_with_a_wider_type(world: World) -> None:
    """Contract 6.3."""
    world.mode = WIDENING
    world.land("a", {"id": 1})
    world.start()
    path = world.land("b", {"id": 5_000_000_000})
    error = stop_of(world)
    world.start()
    assert (error.widened, error.file, error.condition, world.ids()) == (
        ("id BIGINT",),
        uri(path),
        "UNKNOWN_FIELD_EXCEPTION.NEW_TYPE_FOR_FIELDS_IN_FILE",
        [1, 5_000_000_000],
    )


def test_new_column_and_wider_type_are_one_stop(world: World) -> None:
    """Contract 6.5."""
    world.mode = WIDENING
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": 5_000_000_000, "x": 1})
    stops = world.start_until_stable()
    assert [(stop.new_fields, stop.widened) for stop in stops] == [(("x INT",), ("id BIGINT",))]


def test_all_values_of_the_batch_decide_the_wider_type(world: World) -> None:
    """Contract 4.4: with text among them there is none, and both are rescued."""
    world.mode = WIDENING
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": 5_000_000_000}, at=2)
    world.land("c", {"id": "n/a"}, at=3)
    world.start()
    assert (world.rescued_values(), versions(world)) == (
        [None, {"id": 5_000_000_000}, {"id": "n/a"}],
        ["id INT"],
    )


def test_hinted_column_is_never_widened(world: World) -> None:
    """Contract 2.8."""
    world.mode, world.hints = WIDENING, "id INT"
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": 5_000_000_000})
    world.start()
    assert (world.ids(), versions(world)) == ([1, None], ["id INT"])


# rescue and none


def test_rescue_mode_rescues_new_columns_for_good(world: World) -> None:
    """Case E10."""
    world.mode = EvolutionMode.RESCUE
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": 2, "x": [1, 2]})
    (report,) = world.start()
    assert (world.rescued_values(), versions(world), report.findings.rescued_rows) == (
        [None, {"x": [1, 2]}],
        ["id INT"],
        1,
    )


def test_none_mode_drops_and_tells_in_the_ledger(world: World) -> None:
    """Contract 9.1."""
    world.mode, world.rescued, world.user_schema = EvolutionMode.NONE, None, parse_ddl("id INT")
    path = world.land("a", {"id": 1, "x": 1}, {"id": 2, "x": 2}, {"id": "n/a"})
    world.start()
    losses = [
        (loss.file, loss.column, loss.count, [one.row for one in loss.examples])
        for loss in read_ledger(world.checkpoint, FIRST)
    ]
    assert (world.rows(), losses) == (
        [{"id": 1}, {"id": 2}, {"id": None}],
        [(uri(path), "x", 2, [1, 2]), (uri(path), "id", 1, [3])],
    )


# failOnNewColumns


@pytest.fixture
def refused(world: World) -> World:
    """A stream whose second batch, of two files, was refused."""
    world.mode = FAIL
    world.land("a", {"id": 1})
    world.start()
    world.land("b", {"id": 2}, at=2)
    world.land("c", {"id": 3, "extra": "q"}, at=3)
    stop_of(world)
    return world


def test_refused_batch_fails_at_every_restart(refused: World) -> None:
    """Case E11."""
    errors = [stop_of(refused) for _ in range(2)]
    assert ([error.retryable for error in errors], versions(refused), refused.ids()) == (
        [False, False],
        ["id INT"],
        [1],
    )


def test_refused_batch_goes_on_without_the_file_that_was_removed(refused: World) -> None:
    path = refused.landing / "c"
    path.unlink()
    refused.start()
    losses = [(loss.file, loss.reason) for loss in read_ledger(refused.checkpoint, SECOND)]
    assert (refused.ids(), losses) == (
        [1, 2],
        [(uri(path), "file of a refused batch is gone")],
    )


def test_refused_batch_goes_on_when_the_column_is_hinted(refused: World) -> None:
    refused.hints = "extra STRING"
    refused.start()
    assert (refused.rows()[1:], versions(refused)) == (
        [{"id": 2, "extra": None}, {"id": 3, "extra": "q"}],
        ["id INT", "id INT, extra STRING"],
    )


def test_refused_batch_goes_on_in_another_mode(refused: World) -> None:
    refused.mode = EvolutionMode.RESCUE
    refused.start()
    assert refused.ids() == [1, 2, 3]


def test_refusal_works_with_a_schema_of_the_users(world: World) -> None:
    world.mode, world.user_schema = FAIL, parse_ddl("id INT")
    world.land("a", {"id": 1, "x": 1})
    assert (stop_of(world).retryable, world.store.latest()) == (False, None)


def test_file_that_is_gone_fails_a_batch_that_was_not_refused(world: World) -> None:
    world.land("a", {"id": 1})
    path = world.land("b")
    path.write_text("no json")
    world.user_schema = parse_ddl("id INT")
    with pytest.raises(MalformedRecordError):
        world.start()
    path.unlink()
    with pytest.raises(FileMissingError) as caught:
        world.start()
    assert (caught.value.where, world.ids(), world.entries("commits")) == (uri(path), [], [])


# hints


def test_hints_given_later_make_a_version(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()
    world.hints = "id STRING, extra INT"
    world.land("b", {"id": "x", "extra": 3})
    world.load()
    assert versions(world) == ["id INT", "id STRING, extra INT"]

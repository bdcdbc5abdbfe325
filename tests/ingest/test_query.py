"""The running query: its thread, its end, its failure (contract 1.1)."""

from __future__ import annotations

import itertools
import subprocess
import sys
import textwrap
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ingest import query as query_module
from ingest.errors import CheckpointInUseError, MalformedRecordError, StreamingQueryException
from ingest.query import QueryPlan, StreamingQuery
from ingest.sinks.memory_table import MemoryStaging, MemoryTable
from ingest.stream_options import ReadLimit
from ingest.trigger import DEFAULT_TRIGGER, AvailableNow, ProcessingTime
from tests.ingest.engine_world import NOW, World

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.file_entry import BatchId
    from ingest.trigger import Trigger
    from schema_store.types import Schema

PROJECT = Path(__file__).parents[2]


class PanicError(BaseException):
    """As a library's panic: no `Exception`."""


@dataclass
class GateTable:
    """A memory table that does something before each batch."""

    before: Callable[[int], None]
    table: MemoryTable

    @property
    def description(self) -> str:
        return "GateTable"

    def create(self, schema: Schema) -> None:
        self.table.create(schema)

    def begin(self, query_id: str, batch_id: BatchId, schema: Schema) -> MemoryStaging | None:
        self.before(batch_id)
        return self.table.begin(query_id, batch_id, schema)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, limit=ReadLimit(1, None))


def start(
    world: World,
    *,
    before: Callable[[int], None] = lambda _: None,
    trigger: Trigger | None = None,
    is_watched: bool = False,
) -> StreamingQuery:
    numbers = itertools.count()
    plan = QueryPlan(
        world.checkpoint,
        trigger or AvailableNow(),
        "rows",
        settle_seconds=0.1,
        is_watched=is_watched,
    )
    return StreamingQuery(
        world.load(),
        GateTable(before, MemoryTable("t")),
        plan,
        now=lambda: NOW,
        new_id=lambda: f"id-{next(numbers)}",
    )


def join_streams() -> None:
    """Wait for running queries without asking one how it ended."""
    for thread in threading.enumerate():
        if thread.name == "ingest-stream":
            thread.join(10)


def run_script(world: World, body: str) -> subprocess.CompletedProcess[str]:
    """Run a script that has the query's parts at hand, in a process of its own."""
    head = f"""
        import time
        from pathlib import Path
        from tests.ingest.engine_world import World
        from tests.ingest.test_query import join_streams, start
        world = World(Path({str(world.root)!r}))
    """
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(head) + textwrap.dedent(body)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_query_ends_when_everything_is_ingested(world: World) -> None:
    for name in ("a", "b"):
        world.land(name, {"id": 1})
    query = start(world)
    found = (query.awaitTermination(), query.isActive, query.exception())
    assert (found, len(query.recentProgress)) == ((None, False, None), 2)


def test_await_termination_with_a_timeout_says_whether_it_ended(world: World) -> None:
    world.land("a", {"id": 1})
    go = threading.Event()

    def before(_batch: int) -> None:
        go.wait(10)

    query = start(world, before=before)
    first = query.awaitTermination(0.01)
    go.set()
    assert (first, query.awaitTermination(10)) == (False, True)


def test_failure_is_raised_with_its_cause(world: World) -> None:
    path = world.land("a", {"id": 1})
    world.load()
    path.write_text("no json")
    query = start(world)
    with pytest.raises(StreamingQueryException) as caught:
        query.awaitTermination()
    error = caught.value
    assert isinstance(error.cause, MalformedRecordError)
    assert (error.__cause__, error.condition, error.query_id, error.run_id) == (
        error.cause,
        "STREAM_FAILED",
        query.id,
        query.runId,
    )


def test_failure_is_told_by_exception_too(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()
    world.land("b").write_text("no json")
    query = start(world)
    join_streams()
    assert isinstance(query.exception(), StreamingQueryException)


def test_panic_of_a_library_is_a_failure(world: World) -> None:
    world.land("a", {"id": 1})

    def panic(_batch: int) -> None:
        raise PanicError

    query = start(world, before=panic)
    with pytest.raises(StreamingQueryException) as caught:
        query.awaitTermination()
    assert isinstance(caught.value.cause, PanicError)


def test_id_is_the_checkpoints_and_run_id_is_new(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()  # its id is "query"
    query = start(world)
    query.awaitTermination()
    assert (query.id, query.runId, query.name) == ("query", "id-0", "rows")


def test_id_is_the_checkpoints_as_soon_as_it_is_asked_for(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()  # its id is "query"
    world.land("b", {"id": 2})
    go_on = threading.Event()

    def wait(_: int) -> None:
        go_on.wait()

    query = start(world, before=wait)
    asked = query.id
    go_on.set()
    query.awaitTermination()
    assert asked == "query"


def test_stop_ends_after_the_running_batch(world: World) -> None:
    for name in ("a", "b", "c"):
        world.land(name, {"id": 1})
    started, go = threading.Event(), threading.Event()

    def before(_batch: int) -> None:
        started.set()
        assert go.wait(10)

    query = start(world, before=before)
    assert started.wait(10)
    stopping = threading.Thread(target=query.stop)
    stopping.start()
    threading.Timer(0.05, go.set).start()
    stopping.join(10)
    assert (query.isActive, len(query.recentProgress), query.exception()) == (False, 1, None)


def test_second_query_on_a_checkpoint_fails_at_once(world: World) -> None:
    world.land("a", {"id": 1})
    started, go = threading.Event(), threading.Event()

    def before(_batch: int) -> None:
        started.set()
        assert go.wait(10)

    first = start(world, before=before)
    assert started.wait(10)
    second = start(world)
    with pytest.raises(StreamingQueryException) as caught:
        second.awaitTermination(10)
    go.set()
    first.awaitTermination()
    assert isinstance(caught.value.cause, CheckpointInUseError)


def test_recent_progress_keeps_the_last_hundred(world: World) -> None:
    for number in range(103):
        world.land(f"{number:03}", {"id": number})
    query = start(world)
    query.awaitTermination()
    kept = [progress["batchId"] for progress in query.recentProgress]
    assert kept == list(range(3, 103))


def test_status_tells_what_it_does(world: World) -> None:
    world.land("a", {"id": 1})
    query = start(world)
    query.awaitTermination()
    assert query.status == {
        "message": "Stopped",
        "isDataAvailable": False,
        "isTriggerActive": False,
    }


def test_status_of_a_failure_says_what_failed(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()
    world.land("b").write_text("no json")
    query = start(world)
    query.exception()
    join_streams()
    assert query.exception() is not None
    assert str(query.status["message"]).startswith("Terminated with exception: ")


def test_status_is_true_while_a_batch_runs_and_while_nothing_comes(world: World) -> None:
    world.land("a", {"id": 1})
    seen = []
    started, go = threading.Event(), threading.Event()

    def before(_batch: int) -> None:
        started.set()
        assert go.wait(10)

    query = start(world, before=before, trigger=DEFAULT_TRIGGER)
    assert started.wait(10)
    seen.append(query.status)
    go.set()
    query.processAllAvailable()
    seen.append(query.status)
    query.stop()
    assert [tuple(status.values()) for status in seen] == [
        ("Processing batch 0", True, True),
        ("Waiting for data to arrive", False, False),
    ]


@pytest.mark.parametrize("is_watched", [False, True])
def test_process_all_available_waits_for_files_that_are_there(
    world: World, *, is_watched: bool
) -> None:
    """It does not wait for the interval of the trigger."""
    world.land("a", {"id": 1})
    query = start(world, trigger=ProcessingTime(3600.0), is_watched=is_watched)
    query.processAllAvailable()
    first = len(query.recentProgress)
    for name in ("b", "c"):
        world.land(name, {"id": 1})
    query.processAllAvailable()
    query.stop()
    assert (first, len(query.recentProgress), query.isActive) == (1, 3, False)


def test_process_all_available_raises_the_failure(world: World) -> None:
    world.land("a", {"id": 1})

    def panic(_: int) -> None:
        raise PanicError

    query = start(world, before=panic, trigger=DEFAULT_TRIGGER)
    with pytest.raises(StreamingQueryException):
        query.processAllAvailable()


def test_stop_ends_a_long_wait(world: World) -> None:
    world.land("a", {"id": 1})
    query = start(world, trigger=ProcessingTime(3600.0))
    query.processAllAvailable()
    query.stop()
    assert (query.isActive, query.exception(), query.awaitTermination(0)) == (False, None, True)


def test_event_wakes_a_watched_stream(world: World) -> None:
    world.land("a", {"id": 1})
    landed = threading.Event()

    def before(batch: int) -> None:
        if batch == 1:
            landed.set()

    query = start(world, before=before, trigger=ProcessingTime(3600.0), is_watched=True)
    query.processAllAvailable()
    world.land("b", {"id": 2})
    found = landed.wait(10)
    query.stop()
    assert found


@pytest.mark.slow
def test_no_file_is_lost_at_full_speed(world: World) -> None:
    world.limit = ReadLimit(1000, None)
    world.land("a", {"id": 1})
    query = start(world, trigger=ProcessingTime(1.0), is_watched=True)
    for number in range(3000):
        world.land(f"{number % 7}/{number}", {"id": number})
    query.processAllAvailable()
    query.stop()
    rows = sum(report["numInputRows"] for report in query.recentProgress)
    assert rows == 3001


def test_endless_stream_ends_with_the_main_thread(world: World) -> None:
    """As a Spark application that nobody waits in; what runs is finished."""
    world.land("a", {"id": 1})
    done = run_script(
        world,
        """
        from ingest.trigger import ProcessingTime
        query = start(world, trigger=ProcessingTime(3600.0))
        query.processAllAvailable()
        world.land("b", {"id": 2})
        """,
    )
    assert (done.returncode, done.stderr, world.entries("commits")) == (0, "", [0])


def test_process_lives_until_the_stream_has_ended(world: World) -> None:
    """`awaitTermination` may be left out; several batches begin after the script's last line."""
    for number in range(4):
        world.land(str(number), {"id": number})
    done = run_script(
        world,
        """
        from ingest.stream_options import ReadLimit
        world.limit = ReadLimit(1, None)
        start(world, before=lambda batch: time.sleep(0.2))
        """,
    )
    assert (done.returncode, done.stderr, world.entries("commits")) == (0, "", [0, 1, 2, 3])


def test_failure_nobody_asked_about_is_printed_at_the_end(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()
    world.land("b").write_text("no json")
    done = run_script(world, "start(world)")
    assert ("[STREAM_FAILED]" in done.stderr, "MalformedRecordError" in done.stderr) == (True, True)


def test_asking_before_the_failure_is_not_asking_about_it(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()
    world.land("b").write_text("no json")
    done = run_script(
        world,
        """
        import threading
        gate = threading.Event()
        query = start(world, before=lambda batch: gate.wait())
        query.exception()
        gate.set()
        """,
    )
    assert "[STREAM_FAILED]" in done.stderr


def test_failure_somebody_asked_about_is_not_printed(world: World) -> None:
    world.land("a", {"id": 1})
    world.start()
    world.land("b").write_text("no json")
    done = run_script(
        world,
        """
        query = start(world)
        join_streams()
        print(query.exception().condition)
        """,
    )
    assert (done.stdout, done.stderr) == ("STREAM_FAILED\n", "")


def test_failure_that_somebody_asked_about_is_not_kept(world: World) -> None:
    """A process that starts a stream again and again holds on to none of them."""

    def panic(_: int) -> None:
        raise PanicError

    world.land("a", {"id": 1})
    query = start(world, before=panic)
    with pytest.raises(StreamingQueryException):
        query.awaitTermination()
    assert query not in query_module._failed  # noqa: SLF001 - what is looked for is a leak

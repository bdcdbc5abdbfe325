"""Streams that go on, through the front door and the command line."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from ingest.cli import cli
from ingest.errors import OptionValueError, QueryNameInUseError, StreamingQueryException
from tests.ingest.lake import Lake

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ingest.query import StreamingQuery
    from ingest.writer import DataStreamWriter

PROJECT = Path(__file__).parents[2]
DEADLINE = 30.0


@pytest.fixture
def lake(tmp_path: Path) -> Iterator[Lake]:
    found = Lake(tmp_path)
    found.session.conf.set("ingest.settleTime", "100 milliseconds")
    found.land("1.csv", "id,name\n1,John\n")
    yield found
    for query in found.session.streams.active:
        query.stop()


def writer(lake: Lake, state: str = "state") -> DataStreamWriter:
    """Describe a stream that goes on: no trigger is given."""
    return lake.load().writeStream.option("checkpointLocation", lake.root / state)


def until(holds: Callable[[], bool]) -> None:
    """Wait until it holds; the test's time limit ends it otherwise."""
    deadline = time.monotonic() + DEADLINE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_stream_without_a_trigger_goes_on(lake: Lake) -> None:
    query = writer(lake).toTable("t")
    query.processAllAvailable()
    lake.land("2.csv", "id,name\n2,Mary\n")
    query.processAllAvailable()
    assert (query.isActive, lake.rows("t", "id")) == (True, [(1,), (2,)])


def test_stream_without_a_trigger_says_that_it_goes_on(
    lake: Lake, caplog: pytest.LogCaptureFixture
) -> None:
    writer(lake).toTable("t").stop()
    assert "no trigger was given" in caplog.text


def test_watched_stream_takes_a_file_as_it_comes(lake: Lake) -> None:
    lake.session.conf.set("ingest.watch", "true")
    query = writer(lake).trigger(processingTime="1 hour").toTable("t")
    query.processAllAvailable()
    lake.land("2.csv", "id,name\n2,Mary\n")
    until(lambda: len(query.recentProgress) == 2)
    assert lake.rows("t", "id") == [(1,), (2,)]


def test_bad_settle_time_is_refused_at_the_start(lake: Lake) -> None:
    lake.session.conf.set("ingest.settleTime", "soon")
    with pytest.raises(OptionValueError, match=r"ingest\.settleTime"):
        writer(lake).toTable("t")


def test_second_query_of_a_name_is_refused_at_once(lake: Lake) -> None:
    writer(lake).queryName("q").toTable("t")
    with pytest.raises(QueryNameInUseError, match="name q "):
        writer(lake, "other").queryName("q").toTable("u")


def test_stop_comes_from_another_thread(lake: Lake) -> None:
    query = writer(lake).toTable("t")
    threading.Timer(0.05, query.stop).start()
    query.awaitTermination()
    assert not query.isActive


def test_any_query_that_ends_ends_the_wait(lake: Lake) -> None:
    """One that has ended counts until `resetTerminated`."""
    streams = lake.session.streams
    first, _ = writer(lake).toTable("t"), writer(lake, "other").toTable("u")
    found = [streams.awaitAnyTermination(0.01)]
    threading.Timer(0.05, first.stop).start()
    found += [streams.awaitAnyTermination(), streams.awaitAnyTermination(DEADLINE)]
    streams.resetTerminated()
    assert [*found, streams.awaitAnyTermination(0.01)] == [False, None, True, False]


def test_query_that_fails_is_raised_by_whoever_waits_for_any(lake: Lake) -> None:
    query = fail(lake)
    with pytest.raises(StreamingQueryException):
        lake.session.streams.awaitAnyTermination()
    lake.session.streams.resetTerminated()
    assert query.exception() is not None


def fail(lake: Lake) -> StreamingQuery:
    """Start a query that stops to evolve."""
    loaded = lake.load()
    lake.land("2.csv", "id,name,age\n2,Mary,3\n")
    return loaded.writeStream.option("checkpointLocation", lake.root / "state").toTable("t")


def test_timeout_of_any_is_a_number_of_seconds(lake: Lake) -> None:
    timeout: Any = "1"
    with pytest.raises(OptionValueError, match="awaitAnyTermination"):
        lake.session.streams.awaitAnyTermination(timeout)


# the command line


def command(lake: Lake, *words: str) -> list[str]:
    arguments = ["run", str(lake.root / "in"), "--to", str(lake.root / "t"), *words]
    return [sys.executable, "-m", "ingest", *arguments]


def start(words: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        words, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def lines_until(lines: Iterator[str], text: str) -> list[str]:
    """Read lines up to the one that has this text."""
    read = list(itertools.takewhile(lambda line: text not in line, lines))
    return [*read, text]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_watch_takes_files_until_it_is_ended(lake: Lake, number: signal.Signals) -> None:
    settle = ("--conf", "ingest.settleTime=100 milliseconds")
    with start(command(lake, "--watch", "--interval", "1h", *settle)) as process:
        assert process.stderr is not None
        lines_until(process.stderr, "batch 0")
        lake.land("2.csv", "id,name\n2,Mary\n")
        lines_until(process.stderr, "batch 1")
        process.send_signal(number)
        told, _ = process.communicate(timeout=DEADLINE)
    assert (process.returncode, told.splitlines()[0].split(" -> ")[0]) == (
        0,
        "done    2 rows of 2 files in 2 batches",
    )


BUSY = """
import sys, time
from ingest.cli import main
from ingest.sinks.delta_table import DeltaTable
begin = DeltaTable.begin

def slowly(*given):
    print("busy", file=sys.stderr, flush=True)
    time.sleep({seconds})
    return begin(*given)

DeltaTable.begin = slowly
sys.argv = ["ingest", *{arguments!r}]
main()
"""


def busy(lake: Lake, seconds: float, *words: str) -> list[str]:
    """Give a command in which every batch takes so long."""
    script = BUSY.format(seconds=seconds, arguments=command(lake, *words)[3:])
    return [sys.executable, "-c", textwrap.dedent(script)]


@pytest.mark.parametrize(("words", "code"), [((), 130), (("--watch",), 0)])
def test_ctrl_c_finishes_the_running_batch(lake: Lake, words: tuple[str, ...], code: int) -> None:
    with start(busy(lake, 0.3, *words)) as process:
        assert process.stderr is not None
        lines_until(process.stderr, "busy")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=DEADLINE)
    commits = lake.root / "t.state" / "checkpoint" / "commits"
    assert (process.returncode, [path.name for path in commits.iterdir()]) == (code, ["0"])


def test_second_ctrl_c_ends_at_once_and_loses_nothing(lake: Lake) -> None:
    with start(busy(lake, 3600, "--watch")) as process:
        assert process.stderr is not None
        lines_until(process.stderr, "busy")
        process.send_signal(signal.SIGINT)
        lines_until(process.stderr, "stopping")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=DEADLINE)
    assert process.returncode == 130
    again = subprocess.run(command(lake), cwd=PROJECT, capture_output=True, text=True, check=True)
    assert again.stdout.startswith("done    1 row of 1 file in 1 batch")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--interval", "1s"), "--interval needs --watch"),
        (("--watch", "--interval", "soon"), "'soon' is not an interval"),
    ],
)
def test_wrong_interval_is_an_error_of_usage(lake: Lake, words: tuple[str, ...], told: str) -> None:
    result = CliRunner().invoke(cli, command(lake, *words)[3:])
    assert (result.exit_code, told in result.stderr) == (2, True)

"""`foreachBatch`: at least once, with a stable batch id (contract 1.6, 7.4)."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from ingest.errors import (
    ForeachBatchError,
    OperationNotSupportedError,
    OptionConflictError,
    OptionValueError,
    StreamingQueryException,
    UnsupportedOptionError,
)
from tests.ingest.lake import Lake

if TYPE_CHECKING:
    from ingest.dataframe import DataFrame
    from ingest.row import Row


PROJECT = Path(__file__).parents[2]


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    lake = Lake(tmp_path)
    lake.land("a.csv", "id,name\n1,a\n2,b\n")
    return lake


def batches(lake: Lake) -> list[tuple[list[Row], int]]:
    """Run the stream and give what the function was called with."""
    heard: list[tuple[list[Row], int]] = []

    def hear(rows: DataFrame, batch_id: int) -> None:
        heard.append((rows.select("id", "name").collect(), batch_id))

    lake.writer().foreachBatch(hear).start().awaitTermination()
    return heard


def test_function_is_called_with_the_rows_and_the_batch_id(lake: Lake) -> None:
    assert batches(lake) == [([(1, "a"), (2, "b")], 0)]


def test_each_batch_is_a_call(lake: Lake) -> None:
    lake.options = {"cloudFiles.maxFilesPerTrigger": 1}
    lake.land("b.csv", "id,name\n3,c\n")
    assert [batch_id for _, batch_id in batches(lake)] == [0, 1]


def test_committed_batch_is_not_called_again(lake: Lake) -> None:
    batches(lake)
    lake.land("b.csv", "id,name\n3,c\n")
    assert batches(lake) == [([(3, "c")], 1)]


def test_start_that_finds_nothing_new_calls_nothing(lake: Lake) -> None:
    batches(lake)
    assert batches(lake) == []


def fail_with(error: Exception) -> Any:
    def fail(_rows: DataFrame, _batch_id: int) -> None:
        raise error

    return fail


def nothing(_rows: DataFrame, _batch_id: int) -> None:
    """Take a batch and do nothing with it."""


def print_nothing(_rows: DataFrame) -> None:
    """Take one argument too few."""


def failure(lake: Lake, error: Exception) -> StreamingQueryException:
    query = lake.writer().foreachBatch(fail_with(error)).start()
    with pytest.raises(StreamingQueryException) as caught:
        query.awaitTermination()
    return caught.value


def test_error_of_the_function_ends_the_query(lake: Lake) -> None:
    error = failure(lake, ValueError("no good"))
    assert "[FOREACH_BATCH_USER_FUNCTION_ERROR]" in str(error)
    assert "ValueError: no good" in str(error)


def test_error_of_the_function_is_the_cause(lake: Lake) -> None:
    mine = ValueError("no good")
    cause = failure(lake, mine).cause
    assert isinstance(cause, ForeachBatchError)
    assert (cause.batch_id, cause.reason, cause.__cause__) == (0, "ValueError: no good", mine)


def test_error_of_the_function_shows_where_it_was_raised(lake: Lake) -> None:
    assert "in fail\n    raise error" in str(failure(lake, ValueError("no good")).cause)


def test_batch_that_failed_is_called_again_with_the_same_files(lake: Lake) -> None:
    failure(lake, ValueError("no good"))
    lake.land("b.csv", "id,name\n3,c\n")
    assert batches(lake) == [([(1, "a"), (2, "b")], 0), ([(3, "c")], 1)]


_KILLED = """
import os, signal, sys
from pathlib import Path
from tests.ingest.lake import Lake

def take(rows, batch_id):
    os.kill(os.getpid(), signal.SIGKILL)

Lake(Path(sys.argv[1])).writer().foreachBatch(take).start().awaitTermination()
"""


def test_batch_of_a_killed_process_is_called_again(lake: Lake) -> None:
    """The same id and the same files, although one has landed meanwhile (contract 7.4)."""
    command = [sys.executable, "-c", _KILLED, str(lake.root)]
    ended = subprocess.run(command, cwd=PROJECT, check=False)
    lake.land("b.csv", "id,name\n3,c\n")
    assert ended.returncode == -signal.SIGKILL
    assert batches(lake) == [([(1, "a"), (2, "b")], 0), ([(3, "c")], 1)]


def test_function_that_takes_no_batch_id_is_told_so(lake: Lake) -> None:
    wrong: Any = print_nothing
    query = lake.writer().foreachBatch(wrong).start()
    with pytest.raises(StreamingQueryException, match="1 positional argument but 2 were given"):
        query.awaitTermination()


def test_batch_is_no_stream_and_knows_its_session(lake: Lake) -> None:
    heard: list[tuple[bool, object]] = []
    call = lambda rows, _: heard.append((rows.isStreaming, rows.sparkSession))  # noqa: E731
    lake.writer().foreachBatch(call).start().awaitTermination()
    assert heard == [(False, lake.session)]


def test_batch_comes_as_arrow_and_polars(lake: Lake) -> None:
    heard: list[tuple[pa.Schema, list[int]]] = []

    def hear(rows: DataFrame, _: int) -> None:
        heard.append((rows.to_arrow().schema.field("id").type, rows.to_polars()["id"].to_list()))

    lake.writer().foreachBatch(hear).start().awaitTermination()
    assert heard == [(pa.int32(), [1, 2])]


def test_batch_can_be_written_to_a_table(lake: Lake) -> None:
    def write(rows: DataFrame, _: int) -> None:
        rows.write.mode("append").saveAsTable("users")

    lake.writer().foreachBatch(write).start().awaitTermination()
    assert lake.rows("users", "id", "name") == [(1, "a"), (2, "b")]


def test_write_with_the_batch_id_lands_once_although_it_is_called_twice(lake: Lake) -> None:
    """Databricks, "Idempotent writes": txnAppId and txnVersion."""
    calls: list[int] = []

    def write(rows: DataFrame, batch_id: int) -> None:
        writer = rows.write.mode("append").option("txnAppId", "users")
        writer.option("txnVersion", batch_id).saveAsTable("users")
        calls.append(batch_id)
        if len(calls) == 1:
            message = "killed"
            raise RuntimeError(message)

    with pytest.raises(StreamingQueryException):
        lake.writer().foreachBatch(write).start().awaitTermination()
    lake.writer().foreachBatch(write).start().awaitTermination()
    assert (calls, lake.rows("users", "id")) == ([0, 0], [(1,), (2,)])


def test_function_may_read_tables(lake: Lake) -> None:
    lake.session.createDataFrame([(7,)], ["n"]).write.saveAsTable("others")
    heard: list[int] = []
    call = lambda rows, _: heard.append(rows.sparkSession.table("others").count())  # noqa: E731
    lake.writer().foreachBatch(call).start().awaitTermination()
    assert heard == [1]


def test_view_of_a_batch_is_refused_by_name(lake: Lake) -> None:
    frame = lake.session.createDataFrame([(7,)], ["n"])
    with pytest.raises(OperationNotSupportedError) as caught:
        _ = frame.createOrReplaceTempView
    assert caught.value.where == "DataFrame.createOrReplaceTempView"


def test_what_is_no_function_is_refused(lake: Lake) -> None:
    wrong: Any = 3
    with pytest.raises(OptionValueError) as caught:
        lake.writer().foreachBatch(wrong)
    assert (caught.value.key, caught.value.value) == ("foreachBatch", 3)


def test_function_beside_a_table_is_refused(lake: Lake) -> None:
    with pytest.raises(OptionConflictError) as caught:
        lake.writer().foreachBatch(nothing).toTable("users")
    assert caught.value.found == "users beside foreachBatch"


def test_function_beside_partitions_is_refused(lake: Lake) -> None:
    with pytest.raises(UnsupportedOptionError) as caught:
        lake.writer().foreachBatch(nothing).start(partitionBy="id")
    assert caught.value.key == "writeStream.partitionBy"


def test_format_after_the_function_wins(lake: Lake) -> None:
    """As on Spark 4.3.0: both calls set the source, the last one counts."""
    heard: list[int] = []
    writer = lake.writer().foreachBatch(lambda _, batch_id: heard.append(batch_id))
    writer.format("delta").toTable("users").awaitTermination()
    assert (heard, lake.session.table("users").count()) == ([], 2)


def test_progress_names_the_sink(lake: Lake) -> None:
    query = lake.writer().foreachBatch(nothing).start()
    query.awaitTermination()
    progress: Any = query.lastProgress
    assert progress["sink"]["description"] == "ForeachBatchSink"


def test_stream_without_a_checkpoint_reads_everything_again(lake: Lake) -> None:
    """Spark makes a temporary checkpoint for sinks that keep nothing."""
    heard: list[int] = []
    for _ in range(2):
        writer = lake.load().writeStream.foreachBatch(lambda rows, _: heard.append(rows.count()))
        writer.trigger(availableNow=True).start().awaitTermination()
    assert heard == [2, 2]

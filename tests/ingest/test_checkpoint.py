"""The checkpoint: Spark's layout and text, one holder, errors with facts (contract 7.3, 7.5)."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from ingest.checkpoint import (
    Checkpoint,
    PlannedBatch,
    open_checkpoint,
    planned_batch,
    read_ledger,
)
from ingest.errors import (
    CheckpointError,
    CheckpointInUseError,
    DamagedCheckpointError,
    StateNotWritableError,
)
from ingest.file_entry import BatchId, SeqNum
from ingest.ledger import LedgerEntry, LossExample, LossKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FIRST, SECOND = BatchId(0), BatchId(1)
LOSS = LedgerEntry(
    LossKind.DROPPED,
    "file:///in/a",
    "n",
    "no column",
    2,
    (LossExample(1, "x"), LossExample(7, "ü")),
)
OTHER_LOSS = LedgerEntry(LossKind.CHANGED, "file:///in/b", None, "rounded", 1, ())

HOLDER = """
import sys
from pathlib import Path
from ingest.checkpoint import open_checkpoint
with open_checkpoint(Path(sys.argv[1]), new_id="other"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def checkpoint(tmp_path: Path) -> Iterator[Checkpoint]:
    with open_checkpoint(tmp_path, new_id="one") as opened:
        yield opened


def planned(batch_id: BatchId, start: int, end: int) -> PlannedBatch:
    return PlannedBatch(batch_id, SeqNum(start), SeqNum(end))


def reopen_fails(location: Path) -> CheckpointError:
    with pytest.raises(CheckpointError) as caught, open_checkpoint(location, new_id="two") as again:
        again.last_offset()
    return caught.value


def test_entries_are_spelled_as_spark_spells_them(checkpoint: Checkpoint, tmp_path: Path) -> None:
    checkpoint.plan(planned(FIRST, 0, 234), now_ms=1667543404575)
    checkpoint.commit(FIRST)
    found = [(tmp_path / name).read_text() for name in ("metadata", "offsets/0", "commits/0")]
    assert found == [
        '{"id":"one"}',
        (
            'v1\n{"batchWatermarkMs":0,"batchTimestampMs":1667543404575,"conf":{}}\n'
            '{"seqNum":234,"sourceVersion":1}'
        ),
        'v1\n{"nextBatchWatermarkMs":0}',
    ]


def test_layout_is_sparks(checkpoint: Checkpoint, tmp_path: Path) -> None:
    checkpoint.plan(planned(FIRST, 0, 1), now_ms=0)
    checkpoint.commit(FIRST)
    names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    visible = {name for name in names if not name.startswith(".")}
    assert visible == {"metadata", "offsets/0", "commits/0"}


def test_file_state_is_in_the_sources_folder(checkpoint: Checkpoint, tmp_path: Path) -> None:
    assert checkpoint.file_state_path.parent == tmp_path / "sources" / "0"


def test_offset_of_auto_loader_is_understood(tmp_path: Path) -> None:
    """The offset seen in a real checkpoint has more members."""
    (tmp_path / "offsets").mkdir()
    (tmp_path / "offsets" / "0").write_text(
        'v1\n{"batchWatermarkMs":0,"batchTimestampMs":1667543404575,"conf":{"a":"b"}}\n'
        '{"seqNum":234,"sourceVersion":1,"lastBackfillStartTimeMs":1667453455118}'
    )
    assert planned_batch(tmp_path, FIRST) == planned(FIRST, 0, 234)


def test_id_is_as_old_as_the_checkpoint(tmp_path: Path) -> None:
    ids = []
    for new_id in ("one", "two"):
        with open_checkpoint(tmp_path, new_id=new_id) as opened:
            ids.append(opened.query_id)
    assert ids == ["one", "one"]


def test_last_offset_starts_where_the_batch_before_it_ends(checkpoint: Checkpoint) -> None:
    first, second = planned(FIRST, 0, 3), planned(SECOND, 3, 5)
    checkpoint.plan(first, now_ms=0)
    seen = [checkpoint.last_offset()]
    checkpoint.plan(second, now_ms=0)
    assert [*seen, checkpoint.last_offset()] == [first, second]


def test_batch_is_committed_after_its_commit(checkpoint: Checkpoint) -> None:
    checkpoint.plan(planned(FIRST, 0, 1), now_ms=0)
    before = checkpoint.is_committed(FIRST)
    checkpoint.commit(FIRST)
    assert (before, checkpoint.is_committed(FIRST)) == (False, True)


def test_batch_stays_refused(checkpoint: Checkpoint) -> None:
    before = checkpoint.is_refused(FIRST)
    for fields in (("a INT",), ("b INT",)):
        checkpoint.refuse(FIRST, fields)
    assert (before, checkpoint.is_refused(FIRST)) == (False, True)


def test_second_query_is_refused_at_once_naming_the_holder(
    checkpoint: Checkpoint, tmp_path: Path
) -> None:
    error = reopen_fails(tmp_path)
    assert isinstance(error, CheckpointInUseError)
    assert (error.where, f"process {os.getpid()}" in error.holder) == (
        str(checkpoint.location),
        True,
    )


def test_checkpoint_held_by_another_process_is_refused_naming_it(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        error = reopen_fails(tmp_path)
    assert isinstance(error, CheckpointInUseError)
    assert f"process {child.pid} on " in error.holder


def test_checkpoint_of_a_killed_process_can_be_taken(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        child.kill()
    with open_checkpoint(tmp_path, new_id="two") as opened:
        assert opened.query_id == "other"


def test_checkpoint_is_free_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), open_checkpoint(tmp_path, new_id="one"):
        _ = 1 / 0
    with ExitStack() as stack:
        assert stack.enter_context(open_checkpoint(tmp_path, new_id="two")).query_id == "one"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("metadata", b""),
        ("metadata", b"{}"),
        ("metadata", b"no json"),
        ("offsets/0", b""),
        ("offsets/0", b"no version"),
        ("offsets/0", b"v1\n"),
        ("offsets/0", b"v1\n{}\n{}"),
        ("offsets/0", b"v1\n{}\nno json"),
        ("offsets/0", b"v1\n\xff"),
        ("offsets/0", b"v2\n{}\n{}"),
    ],
)
def test_damaged_entry_is_an_error_with_facts(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / "offsets").mkdir()
    (tmp_path / name).write_bytes(content)
    error = reopen_fails(tmp_path)
    assert isinstance(error, DamagedCheckpointError)
    assert (error.where, bool(error.found), bool(error.expected), bool(error.remedy)) == (
        str(tmp_path / name),
        True,
        True,
        True,
    )


def test_gap_before_the_last_offset_is_an_error_with_facts(tmp_path: Path) -> None:
    (tmp_path / "offsets").mkdir()
    (tmp_path / "offsets" / "3").write_text('v1\n{}\n{"seqNum":9}')
    error = reopen_fails(tmp_path)
    assert (error.where, error.found) == (str(tmp_path / "offsets" / "2"), "no such offset")


def test_damaged_commit_is_an_error_with_facts(checkpoint: Checkpoint, tmp_path: Path) -> None:
    (tmp_path / "commits").mkdir()
    (tmp_path / "commits" / "0").write_bytes(b"")
    with pytest.raises(DamagedCheckpointError) as caught:
        checkpoint.is_committed(FIRST)
    assert caught.value.where == str(tmp_path / "commits" / "0")


def test_location_that_is_a_file_is_an_error_with_facts(tmp_path: Path) -> None:
    location = tmp_path / "file"
    location.write_text("x")
    error = reopen_fails(location)
    assert isinstance(error, StateNotWritableError)
    assert error.where == str(location)


def test_log_that_cannot_be_written_is_an_error_with_facts(
    checkpoint: Checkpoint, tmp_path: Path
) -> None:
    (tmp_path / "offsets").write_text("a file")
    with pytest.raises(StateNotWritableError) as caught:
        checkpoint.plan(planned(FIRST, 0, 1), now_ms=0)
    assert caught.value.where == str(tmp_path / "offsets" / "0")


def test_ledger_is_read_as_it_was_written(checkpoint: Checkpoint, tmp_path: Path) -> None:
    checkpoint.write_ledger(FIRST, (LOSS, OTHER_LOSS))
    assert read_ledger(tmp_path, FIRST) == (LOSS, OTHER_LOSS)


def test_ledger_is_spelled_with_its_version(checkpoint: Checkpoint, tmp_path: Path) -> None:
    checkpoint.write_ledger(FIRST, (OTHER_LOSS,))
    assert (tmp_path / "ledger" / "0").read_text() == (
        'v1\n{"entries":[{"kind":"changed","file":"file:///in/b","column":null,'
        '"reason":"rounded","count":1,"examples":[]}]}'
    )


def test_batch_without_losses_has_no_ledger(checkpoint: Checkpoint, tmp_path: Path) -> None:
    checkpoint.write_ledger(FIRST, ())
    assert (read_ledger(tmp_path, FIRST), (tmp_path / "ledger").exists()) == ((), False)


def test_last_attempts_ledger_counts(checkpoint: Checkpoint, tmp_path: Path) -> None:
    for losses in [(LOSS,)] * 11 + [(OTHER_LOSS,)]:
        checkpoint.write_ledger(FIRST, losses)
    checkpoint.write_ledger(BatchId(10), (LOSS,))
    assert read_ledger(tmp_path, FIRST) == (OTHER_LOSS,)


def test_attempt_without_losses_replaces_an_earlier_ones_ledger(
    checkpoint: Checkpoint, tmp_path: Path
) -> None:
    """The file was replaced between a crash and the replay."""
    checkpoint.write_ledger(FIRST, (LOSS,))
    checkpoint.write_ledger(FIRST, ())
    assert read_ledger(tmp_path, FIRST) == ()


def test_ledger_ignores_files_of_other_names(checkpoint: Checkpoint, tmp_path: Path) -> None:
    checkpoint.write_ledger(FIRST, (LOSS,))
    (tmp_path / "ledger" / "0.bak").write_text("x")
    assert read_ledger(tmp_path, FIRST) == (LOSS,)


@pytest.mark.parametrize(
    "content", [b"", b"v1\n{}", b"v2\n{}", b"v1\nno json", b'v1\n{"entries":[{}]}']
)
def test_damaged_ledger_is_an_error_with_facts(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "ledger").mkdir()
    (tmp_path / "ledger" / "0").write_bytes(content)
    with pytest.raises(DamagedCheckpointError) as caught:
        read_ledger(tmp_path, FIRST)
    assert caught.value.where == str(tmp_path / "ledger" / "0")


def test_new_id_may_be_any_text(tmp_path: Path) -> None:
    new_id = str(uuid.UUID(int=7))
    with open_checkpoint(tmp_path, new_id=new_id) as opened:
        assert opened.query_id == new_id


def test_new_checkpoint_is_durable_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(os.fstat(fd).st_ino))
    with open_checkpoint(tmp_path / "state", new_id="one"):
        assert tmp_path.stat().st_ino in synced


def test_holders_name_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / ".lock.holder").mkdir()
    for _ in range(2):
        with open_checkpoint(tmp_path, new_id="one") as opened:
            assert opened.query_id == "one"

"""Three writers at once, killed at random: each batch is in the table exactly once."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from ingest.delta.log import DELTA_LOG, DeltaLog
from ingest.delta.snapshot import open_snapshot
from ingest.table_reader import read_table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SCRIPT = """
import datetime as dt, pathlib, sys, uuid
import pyarrow as pa
from ingest.delta.settings import DeltaSettings
from ingest.file_entry import BatchId
from ingest.sinks.delta_table import DeltaTable
from schema_store.ddl import parse_ddl

folder, query, batches, is_shared = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
settings = DeltaSettings(
    now=lambda: dt.datetime.now(dt.UTC),
    new_id=lambda: str(uuid.uuid4()),
    merge_schema=True,
    properties={"delta.enableTypeWidening": "true", "delta.checkpointInterval": "7"},
)
table = DeltaTable(pathlib.Path(folder), settings)
table._is_clean = is_shared == "shared"  # writers that share a query's name leave files alone
print("started", flush=True)
for number in range(batches):
    kind, value = ("INT", number) if number < batches // 2 else ("BIGINT", 2**40 + number)
    staging = table.begin(query, BatchId(number), parse_ddl(f"query STRING, id {kind}"))
    if staging is not None:
        types = {"INT": pa.int32(), "BIGINT": pa.int64()}
        rows = {"query": pa.array([query]), "id": pa.array([value], types[kind])}
        staging.write(pa.RecordBatch.from_pydict(rows))
        staging.commit()
"""
WRITERS = 3
BATCHES = 40
KILLS = 9


@dataclass(slots=True)
class Writer:
    """A process that is started again when it was killed."""

    arguments: list[str]
    process: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", SCRIPT, *self.arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        self.process.stdout.readline()

    def kill(self, after: float) -> bool:
        try:
            self.finish(after)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.finish(None)
            return True
        return False

    def finish(self, timeout: float | None) -> None:
        assert self.process.stdout is not None
        code = self.process.wait(timeout)
        self.process.stdout.close()
        assert code in (0, -signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.parametrize("names", ["own", "shared"])
def test_each_batch_of_racing_writers_lands_exactly_once(names: str, tmp_path: Path) -> None:
    table = tmp_path / "table"
    queries = ["q"] * WRITERS if names == "shared" else [f"q{n}" for n in range(WRITERS)]
    dice = random.Random(7)

    killed = _race(table, queries, names, dice)

    rows = sorted((row["query"], row["id"]) for row in read_table(table)[1].to_pylist())
    ids = [n if n < BATCHES // 2 else 2**40 + n for n in range(BATCHES)]
    assert rows == sorted((query, number) for query in set(queries) for number in ids)
    versions = DeltaLog(table).versions()
    assert versions == tuple(range(len(versions)))
    assert killed > 0, "no writer was killed while it worked"
    for version in DeltaLog(table).checkpoints():
        _check_checkpoint(table, version)


def _race(table: Path, queries: list[str], names: str, dice: random.Random) -> int:
    writers = [Writer([str(table), query, str(BATCHES), names]) for query in queries]
    killed = 0
    for _ in range(KILLS):
        writer = dice.choice(writers)
        if writer.process.poll() is None:
            killed += writer.kill(dice.uniform(0.0, 0.1))
            writer.start()
    for writer in writers:
        if writer.process.stdout is not None and not writer.process.stdout.closed:
            writer.finish(60)
    return killed


def _check_checkpoint(table: Path, version: int) -> None:
    """What the entries up to the checkpoint's say is what it says when they are gone."""
    first = DeltaLog(table).path(version).stem + ".checkpoint"
    by_entries = _copied_log(table, "entries", keeps=lambda name: name.endswith(".json"))
    by_checkpoint = _copied_log(table, "checkpoint", keeps=lambda name: name.startswith(first))
    before, after = open_snapshot(by_entries, version), open_snapshot(by_checkpoint, version)
    assert before is not None
    assert after is not None
    assert {add.path for add in after.files()} == {add.path for add in before.files()}
    assert (after.metadata.schema, after.protocol) == (before.schema, before.protocol)
    queries = ("q", "q0", "q1", "q2")
    found = [[one.transaction_version(query) for query in queries] for one in (before, after)]
    assert found[0] == found[1]


def _copied_log(table: Path, name: str, *, keeps: Callable[[str], bool]) -> Path:
    """Copy those of the entries and checkpoints, without the hint at the last one."""
    copy = table.with_name(name)
    shutil.rmtree(copy, ignore_errors=True)
    (copy / DELTA_LOG).mkdir(parents=True)
    for path in (table / DELTA_LOG).glob("0*"):
        if keeps(path.name):
            shutil.copy(path, copy / DELTA_LOG)
    return copy

"""Contract 9.2 through the whole stream: drifting Parquet files in each mode, into both tables."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from ingest import Session
from ingest.checkpoint import read_ledger
from ingest.errors import StreamingQueryException, UnknownFieldException
from ingest.file_entry import BatchId
from ingest.ledger import LossKind
from tests.ingest.parquet_support import parquet_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ingest.query import StreamingQuery

FIRST = pa.table(
    {
        "id": pa.array([1, 2]),
        "n": pa.array([10, None], pa.int32()),
        "Code": pa.array(["a", "b"]),
        "s": pa.array([{"x": 1}, None], pa.struct([("x", pa.int32())])),
        "l": pa.array([[{"y": 1}], []], pa.list_(pa.struct([("y", pa.int32())]))),
    }
)
DRIFTED = pa.table(
    {
        "id": pa.array([3, 4, 5]),
        "n": pa.array([2**40, None, 7], pa.int64()),
        "code": pa.array(["c", None, "d"]),
        "s": pa.array(
            [{"x": 2**40, "z": "new"}, {"x": None, "z": None}, None],
            pa.struct([("x", pa.int64()), ("z", pa.string())]),
        ),
        "l": pa.array([[{"y": "text"}], None, []], pa.list_(pa.struct([("y", pa.string())]))),
        "extra": pa.array([1.5, None, 2.5]),
    }
)
UNFIT = pa.table({"id": pa.array([6]), "n": pa.array(["n/a"]), "s": pa.array([[1, 2]])})
RETRIED = ("addNewColumns", "addNewColumnsWithTypeWidening", "rescue", "none")
modes = pytest.mark.parametrize("mode", RETRIED)
sinks = pytest.mark.parametrize("sink", ["parquet", "delta"])


class Stream:
    """A stream whose folder drifts; `mode` as it is spelled."""

    def __init__(self, root: Path, mode: str, sink: str) -> None:
        self.root, self.mode, self.sink = root, mode, sink
        self.session = Session(warehouse=root / "lake")

    def land(self, name: str, table: pa.Table, at: int) -> None:
        path = self.root / "landing" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(parquet_bytes(table))
        os.utime(path, (at, at))

    def start(self) -> StreamingQuery:
        loaded = (
            self.session.readStream.format("cloudFiles")
            .option("cloudFiles.format", "parquet")
            .option("cloudFiles.inferColumnTypes", "true")
            .option("cloudFiles.schemaLocation", self.root / "schema")
            .option("cloudFiles.schemaEvolutionMode", self.mode)
            .option("rescuedDataColumn", "_rescued_data")
            .load(self.root / "landing")
        )
        writer = loaded.writeStream.format(self.sink).option("mergeSchema", "true")
        if self.sink == "delta":
            writer = writer.option("delta.enableTypeWidening", "true")
        return (
            writer.option("checkpointLocation", self.root / "checkpoint")
            .trigger(availableNow=True)
            .toTable("t")
        )

    def run(self) -> int:
        """Run until it stops to evolve; give how often it has stopped."""
        return len(self.session.run_until_stable(self.start))

    def rows(self) -> dict[int, dict[str, Any]]:
        rows: list[dict[str, Any]] = self.session.table("t").to_arrow().to_pylist()
        assert len({row["id"] for row in rows}) == len(rows)
        return {row["id"]: row for row in rows}

    def dropped(self) -> int:
        folder = self.root / "checkpoint" / "ledger"
        batches = [int(path.name) for path in folder.iterdir()] if folder.exists() else []
        entries = (
            entry
            for batch in batches
            for entry in read_ledger(self.root / "checkpoint", BatchId(batch))
        )
        return sum(entry.count for entry in entries if entry.kind is LossKind.DROPPED)


def leaves(value: Any) -> Iterator[Any]:
    """Give the plain values in a value."""
    match value:
        case None:
            return
        case dict():
            for one in value.values():
                yield from leaves(one)
        case list():
            for one in value:
                yield from leaves(one)
        case _:
            yield value


def land_all(stream: Stream) -> None:
    """Let files drift; what mode `none` starts from is inferred by another one."""
    mode, stream.mode = stream.mode, "rescue"
    stream.land("p=1/1.parquet", FIRST, 1)
    stream.run()
    stream.mode = mode
    stream.land("p=1/2.parquet", DRIFTED, 2)
    stream.land("p=oops/3.parquet", UNFIT, 3)


def check(row: dict[str, Any], source: dict[str, Any]) -> None:
    """Every plain value of the source is in the row's columns or in its rescued data."""
    rescued = json.loads(row.pop("_rescued_data") or "{}")
    rescued.pop("_file_path", None)
    there = [*leaves(row), *leaves(rescued)]
    assert [one for one in leaves(source) if one not in there] == []


@sinks
@modes
def test_every_value_is_in_a_column_or_rescued(tmp_path: Path, mode: str, sink: str) -> None:
    stream = Stream(tmp_path, mode, sink)
    land_all(stream)
    stream.run()
    sources = [row for table in (FIRST, DRIFTED, UNFIT) for row in table.to_pylist()]
    rows = stream.rows()
    assert sorted(rows) == [1, 2, 3, 4, 5, 6]
    assert stream.dropped() == 0
    for source in sources:
        check(rows[source["id"]], source | {"p": "oops" if source["id"] == 6 else 1})


@sinks
def test_wider_and_new_parts_reach_the_table(tmp_path: Path, sink: str) -> None:
    stream = Stream(tmp_path, RETRIED[1], sink)
    stream.land("p=1/1.parquet", FIRST, 1)
    assert stream.run() == 0
    stream.land("p=1/2.parquet", DRIFTED, 2)
    assert stream.run() == 1
    row = stream.rows()[3]
    assert (row["n"], row["s"], row["l"]) == (2**40, {"x": 2**40, "z": "new"}, [{"y": None}])
    assert stream.session.table("t").to_arrow().schema.field("s").type == pa.struct(
        [("x", pa.int64()), ("z", pa.string())]
    )
    assert stream.run() == 0  # a replay finds everything done


@sinks
def test_a_refused_batch_leaves_nothing_behind(tmp_path: Path, sink: str) -> None:
    stream = Stream(tmp_path, "failOnNewColumns", sink)
    land_all(stream)
    for _ in range(2):
        with pytest.raises(StreamingQueryException) as caught:
            stream.start().awaitTermination()
        cause = caught.value.cause
        assert isinstance(cause, UnknownFieldException)
        assert cause.new_fields == ("s.z STRING", "extra DOUBLE")
    assert sorted(stream.rows()) == [1, 2]

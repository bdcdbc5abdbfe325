"""What becomes of malformed records: `mode` x a column for them x `badRecordsPath` x rescued data.

Contract 5.5, 9.1, 10; Databricks, "CSV file" and "Rescued data column": type misfits are malformed
only where nothing is rescued, and `badRecordsPath` takes precedence over the column.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from ingest import Session
from ingest.checkpoint import read_ledger
from ingest.errors import MalformedRecordError, OptionConflictError, StreamingQueryException
from ingest.file_entry import BatchId
from ingest.sinks.manifest import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Iterator

RECORDS = ["1,10,a", "2,x,b", "3,30", "4,40,d,e", "5,y"]
"""Good; a misfit; short; long; short and a misfit."""

MALFORMED = {2: RECORDS[2], 3: RECORDS[3], 4: RECORDS[4]}
"""The records of a wrong length, by their place."""

MISFIT = {1: RECORDS[1]}
LOST = [("n", 2), ("_c3", 1)]
"""What neither a column nor the rescued data takes: two misfits, one surplus cell."""


class Run:
    """One run over the records; `facts` is what came out of it."""

    def __init__(self, root: Path, options: dict[str, str]) -> None:
        self.root = root
        self.session = Session(warehouse=root / "lake")
        (root / "landing").mkdir()
        (root / "landing" / "a.csv").write_text("\n".join(["id,n,v", *RECORDS]))
        reader = self.session.readStream.format("cloudFiles").options(
            **{"cloudFiles.format": "csv", "cloudFiles.schemaLocation": root / "schema"}, **options
        )
        writer = reader.load(root / "landing").writeStream.format("parquet")
        writer = writer.option("checkpointLocation", root / "checkpoint")
        writer.trigger(availableNow=True).toTable("t").awaitTermination()

    def rows(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.session.table("t").to_arrow().to_pylist()
        for row in rows:
            if row.get("_rescued_data"):
                row["_rescued_data"] = json.loads(row["_rescued_data"])
                del row["_rescued_data"]["_file_path"]
        return rows

    def lost(self) -> list[tuple[str | None, int]]:
        entries = read_ledger(self.root / "checkpoint", BatchId(0))
        return [(entry.column, entry.count) for entry in entries]

    def bad_records(self) -> list[str]:
        return [one["record"] for one in _bad_lines(self.root / "bad")]


def _bad_lines(path: Path) -> Iterator[dict[str, str]]:
    for file in path.glob("*/bad_records/part-*"):
        yield from map(json.loads, file.read_text().splitlines())


def options_of(mode: str, *, corrupt: bool, bad: Path | None, rescue: bool) -> dict[str, str]:
    options = {
        "mode": mode,
        "columnNameOfCorruptRecord": "broken",
        "cloudFiles.schemaHints": "id INT, n INT" + (", broken STRING" if corrupt else ""),
        "cloudFiles.schemaEvolutionMode": "addNewColumns" if rescue else "none",
    }
    return options if bad is None else options | {"badRecordsPath": str(bad)}


def rows_of(
    places: list[int], broken: dict[int, str] | None, *, rescue: bool
) -> list[dict[str, Any]]:
    """Give the rows of these records; `broken` is the column of corrupt records."""
    ns = [10, None, 30, 40, None]
    rescued: list[Any] = [None, {"n": "x"}, None, {"_c3": "e"}, {"n": "y"}]
    return [
        {"id": place + 1, "n": ns[place], "v": ["a", "b", None, "d", None][place]}
        | ({} if broken is None else {"broken": broken.get(place)})
        | ({"_rescued_data": rescued[place]} if rescue else {})
        for place in places
    ]


FLAGS = [True, False]
BOTH = list(product(FLAGS, FLAGS))
EVERY = [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("corrupt", "rescue"), BOTH)
def test_permissive_keeps_every_record(tmp_path: Path, *, corrupt: bool, rescue: bool) -> None:
    run = Run(tmp_path, options_of("PERMISSIVE", corrupt=corrupt, bad=None, rescue=rescue))

    malformed = MALFORMED if rescue else MALFORMED | MISFIT
    assert run.rows() == rows_of(EVERY, malformed if corrupt else None, rescue=rescue)
    assert sorted(run.lost()) == sorted([] if corrupt or rescue else LOST)


@pytest.mark.parametrize(("corrupt", "rescue"), BOTH)
def test_dropmalformed_drops_and_counts(tmp_path: Path, *, corrupt: bool, rescue: bool) -> None:
    run = Run(tmp_path, options_of("DROPMALFORMED", corrupt=corrupt, bad=None, rescue=rescue))

    kept = [0, 1] if rescue else [0]
    assert run.rows() == rows_of(kept, {} if corrupt else None, rescue=rescue)
    assert run.lost() == [(None, len(RECORDS) - len(kept))]


@pytest.mark.parametrize(("corrupt", "rescue"), BOTH)
def test_failfast_fails_at_the_first_malformed_record(
    tmp_path: Path, *, corrupt: bool, rescue: bool
) -> None:
    with pytest.raises(StreamingQueryException) as caught:
        Run(tmp_path, options_of("FAILFAST", corrupt=corrupt, bad=None, rescue=rescue))

    error = caught.value.cause
    first = 2 if rescue else 1
    assert isinstance(error, MalformedRecordError)
    assert (error.row, error.record) == (first + 1, RECORDS[first])
    assert Path(unquote(error.where)).name == "a.csv"
    assert not (tmp_path / "lake" / "t" / MANIFEST).exists()
    assert not list((tmp_path / "checkpoint" / "commits").glob("*"))


@pytest.mark.parametrize(("corrupt", "rescue"), BOTH)
def test_bad_records_path_takes_the_malformed_records(
    tmp_path: Path, *, corrupt: bool, rescue: bool
) -> None:
    bad = tmp_path / "bad"

    run = Run(tmp_path, options_of("PERMISSIVE", corrupt=corrupt, bad=bad, rescue=rescue))

    kept = [0, 1] if rescue else [0]
    assert run.rows() == rows_of(kept, {} if corrupt else None, rescue=rescue)
    assert run.bad_records() == RECORDS[len(kept) :]
    assert run.lost() == []


def test_a_last_line_without_an_end_is_counted_with_the_others(tmp_path: Path) -> None:
    run = Run(tmp_path, options_of("DROPMALFORMED", corrupt=False, bad=None, rescue=False))

    (entry,) = read_ledger(run.root / "checkpoint", BatchId(0))
    assert [(example.row, example.text) for example in entry.examples] == [
        (place + 1, text) for place, text in enumerate(RECORDS) if place > 0
    ]


@pytest.mark.parametrize(
    ("mode", "corrupt", "rescue"), list(product(["DROPMALFORMED", "FAILFAST"], FLAGS, FLAGS))
)
def test_bad_records_path_is_refused_beside_another_mode(
    tmp_path: Path, mode: str, *, corrupt: bool, rescue: bool
) -> None:
    with pytest.raises(OptionConflictError) as caught:
        Run(tmp_path, options_of(mode, corrupt=corrupt, bad=tmp_path / "bad", rescue=rescue))

    assert caught.value.keys == ("badRecordsPath", "mode")
    assert mode in caught.value.found
    assert "PERMISSIVE" in caught.value.expected


@pytest.mark.parametrize("hint", ["_rescued_data STRING", "_RESCUED_DATA STRING"])
def test_a_hint_for_the_rescued_column_is_refused(tmp_path: Path, hint: str) -> None:
    with pytest.raises(OptionConflictError) as caught:
        Run(tmp_path, {"cloudFiles.schemaHints": hint})

    assert caught.value.keys == ("rescuedDataColumn", "cloudFiles.schemaHints")
    assert hint.split(maxsplit=1)[0] in caught.value.found
    assert not (tmp_path / "schema").exists()

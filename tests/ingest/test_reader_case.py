"""`readerCaseSensitive`: names that differ only in case, in every mode (contract 4.2, 5.7)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ingest import Session
from ingest.checkpoint import read_ledger
from ingest.file_entry import BatchId
from schema_store.evolution import EvolutionMode
from schema_store.store import SchemaStore

if TYPE_CHECKING:
    from pathlib import Path

RESCUING = [mode for mode in EvolutionMode if mode is not EvolutionMode.NONE]


class World:
    """A stream whose first file says `Id`; `run` gives the rows of what has landed."""

    def __init__(self, root: Path, **options: object) -> None:
        self.root = root
        self.options = {
            "cloudFiles.format": "csv",
            "cloudFiles.schemaLocation": root / "schema",
        } | options
        (root / "landing").mkdir()
        self.land("a.csv", "Id,v\n1,x\n")
        self.run()

    def land(self, name: str, text: str) -> None:
        (self.root / "landing" / name).write_text(text)

    def run(self, schema: str | None = None) -> list[dict[str, Any]]:
        session = Session(warehouse=self.root / "lake")
        reader = session.readStream.format("cloudFiles").options(**self.options)
        reader = reader if schema is None else reader.schema(schema)
        writer = reader.load(self.root / "landing").writeStream.format("parquet")
        writer = writer.option("checkpointLocation", self.root / "checkpoint")
        writer.trigger(availableNow=True).toTable("t").awaitTermination()
        rows: list[dict[str, Any]] = session.table("t").to_arrow().to_pylist()
        return rows

    @property
    def versions(self) -> int:
        return len(SchemaStore(self.root / "schema").versions())

    def lost(self, batch: int) -> list[tuple[str | None, int]]:
        entries = read_ledger(self.root / "checkpoint", BatchId(batch))
        return [(entry.column, entry.count) for entry in entries]


def rescued(row: dict[str, Any]) -> dict[str, str]:
    members: dict[str, str] = json.loads(row["_rescued_data"])
    return {name: text for name, text in members.items() if name != "_file_path"}


@pytest.mark.parametrize("mode", RESCUING, ids=lambda mode: mode.value)
def test_another_spelling_is_rescued_and_never_evolves(tmp_path: Path, mode: EvolutionMode) -> None:
    world = World(tmp_path, **{"cloudFiles.schemaEvolutionMode": mode.value})
    world.land("b.csv", "ID,v\n2,y\n")

    row = world.run()[1]

    assert (row["Id"], row["v"], rescued(row)) == (None, "y", {"ID": "2"})
    assert world.versions == 1


def test_another_spelling_is_dropped_in_mode_none_and_counted(tmp_path: Path) -> None:
    world = World(tmp_path, **{"cloudFiles.schemaEvolutionMode": "none"})
    world.land("b.csv", "ID,v\n2,y\n")
    assert world.run()[1] == {"Id": None, "v": "y"}
    assert world.lost(1) == [("ID", 1)]


def test_another_spelling_is_rescued_in_mode_none_with_a_rescued_column(tmp_path: Path) -> None:
    world = World(
        tmp_path, **{"cloudFiles.schemaEvolutionMode": "none", "rescuedDataColumn": "_rescued_data"}
    )
    world.land("b.csv", "ID,v\n2,y\n")
    assert rescued(world.run()[1]) == {"ID": "2"}


@pytest.mark.parametrize("mode", EvolutionMode, ids=lambda mode: mode.value)
def test_another_spelling_is_read_when_case_does_not_matter(
    tmp_path: Path, mode: EvolutionMode
) -> None:
    world = World(
        tmp_path, **{"cloudFiles.schemaEvolutionMode": mode.value, "readerCaseSensitive": False}
    )
    world.land("b.csv", "V,ID\ny,2\n")

    row = world.run()[1]

    assert (row["Id"], row["v"], row.get("_rescued_data")) == ("2", "y", None)
    assert world.versions == 1
    assert world.lost(1) == []


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"parserCaseSensitive": False}, "2"),
        ({"parserCaseSensitive": True}, None),
        ({"parserCaseSensitive": True, "readerCaseSensitive": False}, "2"),
    ],
)
def test_the_deprecated_name_is_heard_unless_there_is_the_other(
    tmp_path: Path, options: dict[str, bool], expected: str | None
) -> None:
    world = World(tmp_path, **options)
    world.land("b.csv", "ID,v\n2,y\n")
    assert world.run()[1]["Id"] == expected


@pytest.mark.parametrize(("sensitive", "expected"), [(True, None), (False, "1")])
def test_case_with_a_schema_of_the_user(
    tmp_path: Path, expected: str | None, *, sensitive: bool
) -> None:
    world = World(tmp_path, header=True, readerCaseSensitive=sensitive)
    world.options |= {"rescuedDataColumn": "_rescued_data"}
    world.root = tmp_path / "other"
    (world.root / "landing").mkdir(parents=True)
    world.land("c.csv", "Id,v\n1,x\n")

    (row,) = world.run("id STRING, V STRING")

    assert (row["id"], row["V"]) == (expected, expected and "x")
    assert row["_rescued_data"] is None or rescued(row) == {"Id": "1", "v": "x"}


@pytest.mark.parametrize("sensitive", [True, False])
def test_two_spellings_in_the_sample_are_one_column(tmp_path: Path, *, sensitive: bool) -> None:
    (tmp_path / "landing").mkdir()
    session = Session(warehouse=tmp_path / "lake")
    for name, text in {"a.csv": "Id\n1\n", "b.csv": "ID\n2\n"}.items():
        (tmp_path / "landing" / name).write_text(text)
    reader = session.readStream.format("cloudFiles").option("cloudFiles.format", "csv")
    reader = reader.option("cloudFiles.schemaLocation", tmp_path / "schema")
    reader = reader.option("readerCaseSensitive", sensitive)
    schema = reader.load(tmp_path / "landing").schema
    assert [name.lower() for name in schema.names] == ["id", "_rescued_data"]

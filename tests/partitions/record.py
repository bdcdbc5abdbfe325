"""Ask a real Spark about partition folders: `python -m tests.partitions.record`.

Needs Java and the extra `spark` (`pip install -e '.[test,spark]'`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from tests.partitions.questions import (
    RECORDED,
    SETS,
    TEXTS,
    TYPES,
    Recording,
    set_key,
    write_recording,
)
from tests.spark.spark_answers import start_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def main() -> None:
    """Record everything, or each n-th question."""
    parser = argparse.ArgumentParser(prog="python -m tests.partitions.record", description=__doc__)
    parser.add_argument("--to", type=Path, default=RECORDED, help="file of the recording")
    parser.add_argument("--every", type=int, default=1, help="leave out all but each such question")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        spark = start_spark(Path(folder))
        try:
            root = Path(folder) / "landing"
            texts = TEXTS[:: given.every]
            recording = Recording(
                spark.version,
                {text: _alone(spark, root / f"a{i}", text) for i, text in enumerate(texts)},
                {
                    set_key(some): _type(_rows(spark, root / f"s{i}", some))
                    for i, some in enumerate(SETS[:: given.every])
                },
                {text: _casts(spark, text) for text in texts},
            )
            write_recording(recording, given.to)
        finally:
            spark.stop()
    sys.stdout.write(f"{len(recording.alone)} texts and {len(recording.sets)} sets\n")


def _rows(spark: SparkSession, root: Path, texts: tuple[str, ...]) -> DataFrame:
    for text in texts:
        folder = root / f"p={text}"
        folder.mkdir(parents=True)
        (folder / "f.csv").write_text("1\n")
    return spark.read.schema("x STRING").csv(str(root))


def _type(rows: DataFrame) -> str:
    return str(rows.schema["p"].dataType.simpleString())


def _alone(spark: SparkSession, root: Path, text: str) -> tuple[str, str | None]:
    rows = _rows(spark, root, (text,))
    ((value,),) = rows.selectExpr("CAST(p AS STRING)").collect()
    return _type(rows), value


def _casts(spark: SparkSession, text: str) -> dict[str, str | None]:
    return {name: _cast(spark, name, text) for name in TYPES}


def _cast(spark: SparkSession, name: str, text: str) -> str | None:
    """Give the value as text: days since 1970 of a date, microseconds of a timestamp."""
    jvm: Any = spark._jvm  # noqa: SLF001 - PySpark has no other way to Spark's own functions
    data_type = jvm.org.apache.spark.sql.types.DataType.fromDDL(name)
    zone = jvm.java.time.ZoneId.of("UTC")
    casting = jvm.org.apache.spark.sql.execution.datasources.PartitioningUtils
    try:
        value = casting.castPartValueToDesiredType(data_type, text, zone)
    except (Py4JJavaError, PySparkException):
        return None
    if value is None:
        return None
    return value.hex() if isinstance(value, bytes) else _spelled(value)


def _spelled(value: object) -> str:
    """Spell numbers as Python does; a value of the JVM spells itself (py4j)."""
    return str(value)


if __name__ == "__main__":
    main()

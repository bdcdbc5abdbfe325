"""Spark's own file stream, typed CSV to Parquet: what a laptop without Auto Loader would run.

Needs pyspark and Java; runs with an interpreter that has them (`--spark PYTHON`).
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from tests.benchmarks.columns import ddl


def spark_stream(data: Path, output: Path) -> None:
    """Run a whole Spark application, one micro-batch for all files."""
    sql = importlib.import_module("pyspark.sql")
    builder = sql.SparkSession.builder.master("local[2]")
    spark = builder.config("spark.ui.showConsoleProgress", False).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    query = (
        spark.readStream.schema(ddl())
        .option("header", True)
        .option("escape", '"')
        .csv(str(data))
        .writeStream.format("parquet")
        .option("checkpointLocation", str(output / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(output / "t"))
    )
    query.awaitTermination()
    spark.stop()


if __name__ == "__main__":
    _, _, *folders = sys.argv[1:]
    spark_stream(*map(Path, folders))

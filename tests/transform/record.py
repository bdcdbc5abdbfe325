"""Ask a real Spark about expressions and store its answers: `python -m tests.transform.record`.

Needs Java and the extra `spark` (`pip install -e '.[test,spark]'`).
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.errors import AnalysisException

from tests.spark.canonical import canonical_rows
from tests.spark.spark_answers import FAILURES, _condition, start_spark
from tests.transform.questions import (
    ANY,
    RECORDED,
    TABLE,
    Question,
    Recording,
    ddl_of,
    name_questions,
    table_of,
    value_questions,
    write_recording,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from tests.transform.questions import Json

ASKED_WHY = 3
"""Failing rows of a question whose error is asked: each is a job of its own."""


def main() -> None:
    """Record what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.transform.record", description=__doc__)
    parser.add_argument("--to", type=Path, default=RECORDED, help="file of the recording")
    parser.add_argument("--every", type=int, default=1, help="leave out all but each such question")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        spark = start_spark(Path(folder))
        try:
            names = _names(spark, name_questions()[:: given.every])
            values = [(one, _values(spark, one)) for one in value_questions()[:: given.every]]
            today = dt.datetime.now(dt.UTC).date().isoformat()  # noqa: TID251 - Spark's clock
            write_recording(Recording(spark.version, today, names, values), given.to)
        finally:
            spark.stop()
    count = sum(len(answers) for _, answers in values)
    sys.stdout.write(f"{len(names)} names and {count} values\n")


def _names(spark: SparkSession, questions: list[str]) -> dict[str, Json]:
    frame = spark.createDataFrame(TABLE.empty_table(), ddl_of(TABLE))
    return {expression: _name_and_type(frame, expression) for expression in questions}


def _name_and_type(frame: DataFrame, expression: str) -> Json:
    try:
        fields = frame.selectExpr(expression).schema.fields
    except FAILURES as error:
        return {"error": _condition(error)}
    return [[field.name, field.dataType.simpleString()] for field in fields]


def _values(spark: SparkSession, question: Question) -> list[Json]:
    """Ask about all rows; where some fail, which ones they are, and why the first few do."""
    spark.conf.set("spark.sql.session.timeZone", question.zone)
    table = table_of(question)
    frame = spark.createDataFrame(table, ddl_of(table.schema)).coalesce(1)
    try:
        return _ask(frame, question.expression)
    except FAILURES as error:
        if isinstance(error, AnalysisException):
            return [{"error": _condition(error)}] * table.num_rows
        forgiving = question.forgiving()
        if forgiving is None:
            return [_one(frame, question.expression, row) for row in range(table.num_rows)]
    plain = _ask(frame, forgiving)
    inputs = table.drop_columns(["id"]).to_pylist()
    failing = [
        row
        for row, answer in enumerate(plain)
        if answer is None and None not in inputs[row].values()
    ]
    for place, row in enumerate(failing):
        some = place < ASKED_WHY
        plain[row] = _one(frame, question.expression, row) if some else {"error": ANY}
    return plain


def _one(frame: DataFrame, expression: str, row: int) -> Json:
    try:
        return _ask(frame.filter(f"id = {row}"), expression)[0]
    except FAILURES as error:
        return {"error": _condition(error)}


def _ask(frame: DataFrame, expression: str) -> list[Json]:
    table = frame.selectExpr(f"{expression} AS answer").toArrow()
    return [row[0] for row in canonical_rows(table.columns, table.num_rows)]


if __name__ == "__main__":
    main()

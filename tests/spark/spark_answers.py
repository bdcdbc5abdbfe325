"""A real Spark's answers to question sets: many columns, lines and files in one job."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from tests.spark.canonical import canonical_rows
from tests.spark.questions import Kind, QuestionSet
from tests.spark.written import CORRUPT, columns_file, ddl, text_options, texts_file, write_files

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame
    from pyspark.sql.readwriter import DataFrameReader

    from tests.spark.questions import Json

FAILURES = (PySparkException, Py4JJavaError)
"""A failing task comes as the second one when Arrow is collected."""

WIDE = 2500
"""Columns in one file: Spark's plans grow with them."""


def start_spark(work: Path) -> SparkSession:
    """Start a local session; its time zone is UTC, everything else is as it comes."""
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.warehouse.dir", str(work / "warehouse"))
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.memory", "3g")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.debug.maxToStringFields", "10")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    return spark


def ask(spark: SparkSession, questions: QuestionSet, folder: Path) -> list[Json]:
    """Give Spark's answer to every item, or its error; `folder` takes the files."""
    folder.mkdir(parents=True)
    try:
        return _ask(spark, questions, folder)
    except FAILURES as error:
        return [{"error": _condition(error)}] * len(questions.items)


def _ask(spark: SparkSession, questions: QuestionSet, folder: Path) -> list[Json]:
    match questions.kind:
        case Kind.TYPES:
            starts = range(0, len(questions.items), WIDE)
            return [
                answer
                for start in starts
                for answer in _types(
                    spark, questions, questions.items[start : start + WIDE], folder / f"{start}.csv"
                )
            ]
        case Kind.VALUES:
            return _values(spark, questions, folder / "texts.csv")
        case Kind.LINES:
            return _lines(spark, questions, folder / "lines.csv")
        case Kind.ROWS:
            return _rows(spark, questions, folder)
        case Kind.SCHEMA:
            return _schemas(spark, questions, folder)


def _types(
    spark: SparkSession, questions: QuestionSet, columns: tuple[Json, ...], file: Path
) -> list[Json]:
    file.write_text(columns_file(columns), encoding="utf-8")
    frame = _reader(spark, questions, text_options(inferring=True)).csv(str(file))
    return [field.dataType.jsonValue() for field in frame.schema.fields[1:]]


def _values(spark: SparkSession, questions: QuestionSet, file: Path) -> list[Json]:
    file.write_text(texts_file(questions), encoding="utf-8")
    reader = _reader(spark, questions, text_options(inferring=False))
    rows = _collect(reader.schema(ddl(("INT", *questions.types))).csv(str(file)))
    assert [row[0] for row in rows] == list(range(len(questions.items)))
    return [row[1:] for row in rows]


def _lines(spark: SparkSession, questions: QuestionSet, file: Path) -> list[Json]:
    """Ask all lines at once, and halves of them where some line fails the job."""
    file.write_text("\n".join(questions.items) + "\n", encoding="utf-8")
    schema = f"{ddl(questions.types)}, {CORRUPT} STRING"
    try:
        rows = _collect(_reader(spark, questions).schema(schema).csv(str(file)))
    except FAILURES as error:
        middle = len(questions.items) // 2
        if not middle:
            return [{"error": _condition(error)}]
        halves = questions.items[:middle], questions.items[middle:]
        return [
            answer
            for number, half in enumerate(halves)
            for answer in _lines(
                spark, replace(questions, items=half), file.with_name(f"{file.stem}-{number}.csv")
            )
        ]
    assert len(rows) == len(questions.items), "a line is a row"
    return rows


def _rows(spark: SparkSession, questions: QuestionSet, folder: Path) -> list[Json]:
    files = write_files(questions, folder)
    reader = _reader(spark, questions).schema(ddl(questions.types))
    if questions.options.get("mode") == "FAILFAST":
        return [_rows_or_error(reader, file) for file in files]
    found: dict[str, list[Json]] = {file.name: [] for file in files}
    frame = reader.csv(str(folder)).select(F.col("_metadata.file_name"), "*")
    try:
        for name, *row in _collect(frame):
            found[name].append(row)
    except FAILURES:
        return [_rows_or_error(reader, file) for file in files]
    return list(found.values())


def _rows_or_error(reader: DataFrameReader, file: Path) -> Json:
    try:
        return _collect(reader.csv(str(file)))
    except FAILURES as error:
        return {"error": _condition(error)}


def _schemas(spark: SparkSession, questions: QuestionSet, folder: Path) -> list[Json]:
    reader = _reader(spark, questions)
    return [_schema_of(reader, file) for file in write_files(questions, folder)]


def _schema_of(reader: DataFrameReader, file: Path) -> Json:
    try:
        fields = reader.csv(str(file)).schema.fields
    except FAILURES as error:
        return {"error": _condition(error)}
    return [[field.name, field.dataType.jsonValue()] for field in fields]


def _condition(error: PySparkException | Py4JJavaError) -> str:
    """Name the error: its own condition, or the last one in the Java trace."""
    if isinstance(error, PySparkException):
        return str(error.getCondition())
    found = re.findall(r"\[([A-Z_]+(?:\.[A-Z_]+)*)\]", str(error))
    return found[-1] if found else str(error.java_exception.getClass().getName())


def _collect(frame: DataFrame) -> list[list[Json]]:
    table: Any = frame.toArrow()
    return canonical_rows(table.columns, table.num_rows)


def _reader(
    spark: SparkSession, questions: QuestionSet, more: dict[str, str] | None = None
) -> DataFrameReader:
    return spark.read.options(**((more or {}) | questions.options))

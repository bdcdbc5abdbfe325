"""Ask a real Spark about JSON and store its answers: `python -m tests.spark.json_record`.

Needs Java and the extra `spark`.
"""

from __future__ import annotations

import datetime as dt
import lzma
import tempfile
from pathlib import Path
from typing import Any

import orjson

from tests.spark.canonical import canonical_rows
from tests.spark.json_questions import (
    BINARY,
    OPTIONS,
    TYPES,
    groups,
    groups_file,
    texts,
    values_ddl,
    values_file,
)
from tests.spark.spark_answers import start_spark

RECORDED = Path(__file__).parent / "recorded_json" / "answers.json.xz"


def main() -> None:
    """Record everything."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        spark = start_spark(work)
        try:
            answers = {
                "spark": spark.version,
                "day": dt.datetime.now(dt.UTC).date().isoformat(),  # noqa: TID251 - Spark's clock
                "values": [
                    _values(spark, work / "values.json", types) for types in (TYPES, BINARY)
                ],
                "types": [_types(spark, work / "groups.json", options) for options in OPTIONS],
            }
        finally:
            spark.stop()
    RECORDED.parent.mkdir(exist_ok=True)
    RECORDED.write_bytes(lzma.compress(orjson.dumps(answers), preset=9 | lzma.PRESET_EXTREME))


def _values(spark: Any, file: Path, types: tuple[str, ...]) -> list[list[Any]]:
    file.write_text(values_file(texts(), types), encoding="utf-8")
    table = spark.read.schema(values_ddl(types)).json(str(file)).toArrow()
    return canonical_rows([column.combine_chunks() for column in table.columns], table.num_rows)


def _types(spark: Any, file: Path, options: dict[str, str]) -> dict[str, Any]:
    file.write_text(groups_file(groups()), encoding="utf-8")
    schema = spark.read.options(**options).json(str(file)).schema
    return {field.name: field.dataType.jsonValue() for field in schema.fields}


if __name__ == "__main__":
    main()

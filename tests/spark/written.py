"""How items become CSV files and schemas, for both readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.spark.questions import SEPARATOR, QuestionSet

if TYPE_CHECKING:
    from pathlib import Path

    from tests.spark.questions import Json

CORRUPT = "_corrupt_record"


def text_options(*, inferring: bool) -> dict[str, str]:
    """Give the dialect in which columns and texts are written: no quoting, one odd separator."""
    flag = "true" if inferring else "false"
    return {"sep": SEPARATOR, "quote": "", "header": flag, "inferSchema": flag}


def columns_file(columns: tuple[Json, ...]) -> str:
    """Write columns side by side; shorter ones are filled with empty cells, which infer nothing.

    The first column keeps every line from being blank.
    """
    height = max(map(len, columns))
    header = SEPARATOR.join(["row", *(f"c{number}" for number, _ in enumerate(columns))])
    rows = [
        SEPARATOR.join(["x", *(cells[row] if row < len(cells) else "" for cells in columns)])
        for row in range(height)
    ]
    return "\n".join([header, *rows]) + "\n"


def texts_file(questions: QuestionSet) -> str:
    """Write every text once for each type, after its number."""
    width = len(questions.types)
    lines = [f"{number}{(SEPARATOR + text) * width}" for number, text in enumerate(questions.items)]
    return "\n".join(lines) + "\n"


def write_files(questions: QuestionSet, folder: Path) -> list[Path]:
    """Write every item as a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{number:05}.csv" for number, _ in enumerate(questions.items)]
    for file, content in zip(files, questions.items, strict=True):
        file.write_bytes(content.encode("latin-1"))
    return files


def ddl(types: tuple[str, ...]) -> str:
    """Number columns `c0` …; a type that has a name of its own keeps it (`name: TYPE`)."""
    return ", ".join(
        one.replace(":", "") if ":" in one else f"c{number} {one}"
        for number, one in enumerate(types)
    )

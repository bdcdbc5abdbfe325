"""`ingest demo` runs the real engine: what it prints follows the files."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from ingest.cli.demo import default_story, run_demo

if TYPE_CHECKING:
    from pathlib import Path


def _printed(story: Path | None = None) -> str:
    lines: list[str] = []
    run_demo(lines.append, story=story)
    return "\n".join(lines)


def test_demo_shows_the_documented_result_of_each_mode() -> None:
    printed = _printed()

    parts = printed.split("── ")[1:]
    tables = {part.split()[0]: part.split("table      ")[1].splitlines()[0] for part in parts}
    assert tables == {
        "addNewColumns": "id INT, name STRING, _rescued_data STRING, age INT",
        "rescue": "id INT, name STRING, _rescued_data STRING",
        "failOnNewColumns": "id INT, name STRING, _rescued_data STRING",
        "none": "id INT, name STRING",
        "addNewColumnsWithTypeWidening": "id BIGINT, name STRING, _rescued_data STRING, age INT",
    }
    rows = {part.split()[0]: _row(part, "Bob") for part in parts}
    place = '"_file_path":"file:///…/people-2.csv"}'
    assert rows == {
        "addNewColumns": ["NULL", "Bob", f'{{"id":"2147483648",{place}', "25"],
        "rescue": ["NULL", "Bob", f'{{"age":"25","id":"2147483648",{place}'],
        "failOnNewColumns": ["NULL", "Bob", f'{{"id":"2147483648",{place}'],
        "none": ["NULL", "Bob"],
        "addNewColumnsWithTypeWidening": ["2147483648", "Bob", "NULL", "25"],
    }
    assert printed.count("(caused by people-2.csv)") == 2


def test_demo_follows_a_changed_file(tmp_path: Path) -> None:
    story = tmp_path / "story"
    shutil.copytree(default_story(), story)
    (story / "2" / "people-2.csv").write_text("id, name, age\n7, Bob, 25")

    printed = _printed(story)

    assert "2147483648" not in printed.split("── failOnNewColumns")[0]
    widening = printed.split("── addNewColumnsWithTypeWidening")[1]
    assert "wider type" not in widening
    assert _row(widening, "Bob") == ["7", "Bob", "NULL", "25"]


def _row(part: str, name: str) -> list[str]:
    (line,) = [line for line in part.splitlines() if f"|{name} " in line]
    return [cell.strip() for cell in line.strip("|").split("|")]

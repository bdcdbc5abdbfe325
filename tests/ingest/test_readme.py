"""The README tells the truth: its option table, its code blocks, its links to the clauses."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.readme_tables import README, option_table, readme_block

TEXT = README.read_text(encoding="utf-8")


def _block(language: str, holding: str) -> str:
    blocks = re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    (block,) = [block for block in blocks if holding in block]
    return str(block)


def test_option_table_is_the_code_s() -> None:
    assert option_table() == readme_block(), "python -m tests.readme_tables writes it anew"


def _shell(block: str, folder: Path) -> list[int]:
    """Run a block line by line and give the exit codes."""
    path = f"{Path(sys.executable).parent}:{os.defpath}"
    return [
        subprocess.run(
            line, shell=True, cwd=folder, env={"PATH": path}, capture_output=True, check=False
        ).returncode
        for line in block.splitlines()
        if line
    ]


def _python(code: str, folder: Path) -> str:
    """Run a block and give what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder in which the quick start's shell block has run."""
    folder = tmp_path_factory.mktemp("quick-start")
    assert _shell(_block("bash", "ingest run landing"), folder) == [0, 0, 0, 0, 3, 0, 0, 0]
    return folder


@pytest.mark.timeout(180)
def test_quick_start_runs_as_written(folder: Path) -> None:
    assert "Bob" in _python(_block("python", 'spark.table("people").show()'), folder)


@pytest.mark.timeout(180)
def test_tables_run_as_written(folder: Path) -> None:
    assert _shell(_block("bash", "ingest table set-property"), folder) == [0, 0, 0]
    rows = 'spark.table("people").show()\nprint(len(rows))\n'
    shown = _python(_block("python", "scan_table(") + rows, folder)
    assert ("Oslo" in shown, shown.endswith("\n2\n")) == (True, True)


@pytest.mark.timeout(180)
def test_calls_between_load_and_write_stream_run_as_written(folder: Path) -> None:
    code = _block("python", "foreachBatch(upsert)") + "print(names)\nprint(spark.table('seen'))"
    names, seen = _python(code, folder).splitlines()
    assert names == "{'1': 'John', '2': 'Mary', '3': 'Bob'}"
    assert seen.endswith("age: string, file_name: string, read_at: timestamp]")


def test_set_up_commands_are_what_ci_does() -> None:
    ci = (README.parent / ".ci" / "run").read_text(encoding="utf-8")

    assert "pip install -q -e '.[test]' && .venv/bin/pytest -n 2" in TEXT
    assert "-e '.[test,spark]'" in ci
    assert "pytest -n 2" in ci

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


@pytest.mark.timeout(180)
def test_quick_start_runs_as_written(tmp_path: Path) -> None:
    block = _block("bash", "ingest run landing")
    path = f"{Path(sys.executable).parent}:{os.defpath}"

    codes = [
        subprocess.run(
            line, shell=True, cwd=tmp_path, env={"PATH": path}, capture_output=True, check=False
        ).returncode
        for line in block.splitlines()
        if line
    ]

    assert codes == [0, 0, 0, 0, 3, 0, 0]
    python = _block("python", 'spark.table("people").show()')
    shown = subprocess.run(
        [sys.executable, "-c", python], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "Bob" in shown.stdout


def test_set_up_commands_are_what_ci_does() -> None:
    ci = (README.parent / ".ci" / "run").read_text(encoding="utf-8")

    assert "pip install -q -e '.[test]' && .venv/bin/pytest -n 2" in TEXT
    assert "-e '.[test,spark]'" in ci
    assert "pytest -n 2" in ci

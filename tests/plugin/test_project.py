from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from ingest.cli import cli
from ingest.cli.project import FILES, completion_script
from tests.plugin.conftest import FLAGS

if TYPE_CHECKING:
    from pathlib import Path

pytest_plugins = ["pytester"]


def init(*arguments: str) -> list[str]:
    result = CliRunner().invoke(cli, ["init", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_a_fresh_project_passes_at_once(pytester: pytest.Pytester) -> None:
    lines = init("shop")

    pytester.chdir()
    result = pytester.runpytest_inprocess(
        *FLAGS, "--rootdir", "shop", "-c", "shop/pytest.ini", "shop"
    )
    result.assert_outcomes(passed=9)
    assert [line.split()[0] for line in lines] == ["wrote"] * len(FILES) + ["next"]


def test_a_changed_file_fails_with_file_column_types_and_what_to_do(
    pytester: pytest.Pytester,
) -> None:
    init("shop")
    file = pytester.path / "shop" / "landing" / "orders-1.csv"
    file.write_text(file.read_text().replace("2,Bob", "B-2,Bob"))

    result = pytester.runpytest_inprocess(
        *FLAGS, "--rootdir", "shop", "-c", "shop/pytest.ini", "shop"
    )

    result.assert_outcomes(passed=6, failed=3)
    result.stdout.fnmatch_lines(
        [
            "*column id: INT expected, STRING found (orders-1.csv, row 2: 'B-2', INT before it)",
            "*what to do: if this is right, expect it; if not, correct the file",
            '*or fix the types: .option("cloudFiles.schemaHints", "id INT")',
        ]
    )


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "orders.py").write_text("mine")
    (tmp_path / "pyproject.toml").write_text("")

    lines = init(str(tmp_path))

    kept = [line for line in lines if line.startswith("kept")]
    assert (tmp_path / "orders.py").read_text() == "mine"
    assert not (tmp_path / "pytest.ini").exists()
    assert [line.partition("(")[2] for line in kept] == [
        "it is there already)",
        "pyproject.toml may configure pytest; set pythonpath = . there)",
    ]


def test_a_folder_that_cannot_be_written_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "landing").write_text("a file")

    result = CliRunner().invoke(cli, ["init", str(tmp_path)])

    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_of_the_shell(shell: str) -> None:
    result = CliRunner().invoke(cli, ["completion", shell])

    assert result.exit_code == 0
    assert "_INGEST_COMPLETE" in result.stdout
    assert result.stdout.rstrip("\n") == completion_script(cli, shell).rstrip("\n")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_bash_script_can_be_read_by_bash() -> None:
    script = completion_script(cli, "bash")

    subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def test_commands_are_completed() -> None:
    environment = {
        **os.environ,  # noqa: TID251 - the child needs it
        "_INGEST_COMPLETE": "bash_complete",
        "COMP_WORDS": "ingest sche",
        "COMP_CWORD": "1",
    }

    done = subprocess.run(
        [sys.executable, "-m", "ingest"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == ["plain,schema"]

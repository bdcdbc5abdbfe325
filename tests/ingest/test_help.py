"""Every `--help` equals the committed text.

`python -m tests.ingest.test_help` writes the texts anew.
"""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ingest.cli import cli

FOLDER = Path(__file__).with_name("help")


def commands(command: click.Command, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Give every command and group by its words after `ingest`."""
    inner = command.commands if isinstance(command, click.Group) else {}
    return [path, *(found for name in inner for found in commands(inner[name], (*path, name)))]


def help_text(path: tuple[str, ...]) -> str:
    result = CliRunner().invoke(
        cli, [*path, "--help"], prog_name="ingest", terminal_width=80, max_content_width=80
    )
    assert result.exit_code == 0
    return result.stdout


def help_file(path: tuple[str, ...]) -> Path:
    return FOLDER / f"{'-'.join(('ingest', *path))}.txt"


@pytest.mark.parametrize("path", commands(cli), ids=" ".join)
def test_help_is_as_committed(path: tuple[str, ...]) -> None:
    assert help_text(path) == help_file(path).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", commands(cli)[1:], ids=" ".join)
def test_every_help_has_an_example(path: tuple[str, ...]) -> None:
    assert f"\n    ingest {' '.join(path)}" in help_text(path)


@pytest.mark.parametrize("path", commands(cli), ids=" ".join)
def test_help_fits_80_columns(path: tuple[str, ...]) -> None:
    assert max(map(len, help_text(path).splitlines())) <= 80


def test_no_help_text_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {help_file(p).name for p in commands(cli)}


if __name__ == "__main__":
    for words in commands(cli):
        help_file(words).write_text(help_text(words), encoding="utf-8")

"""`ingest init` and `ingest completion`: what is wanted before there is a stream."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import get_completion_class

from ingest.cli.ending import epilog, finish, print_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = {
    "README.md": "README.md",
    "orders.py": "orders.py",
    "landing/orders-1.csv": "orders-1.csv",
    "landing/orders-2.csv": "orders-2.csv",
    "scenario.yaml": "scenario.yaml",
    "tests/test_orders.py": "test_orders.py",
    "pytest.ini": "pytest.ini",
    ".github/workflows/ingest.yml": "ingest.yml",
}
"""Files of a new project, and what they are called in the package (there they end in .txt)."""

_CONFIGURATION = "pytest.ini"
_OTHER_CONFIGURATION = ("pyproject.toml", "tox.ini", "setup.cfg", "pytest.toml")
_SHELLS = ("bash", "zsh", "fish")
_VARIABLE = "_INGEST_COMPLETE"
_SETUP = {
    "bash": "echo 'eval \"$(ingest completion bash)\"' >> ~/.bashrc",
    "zsh": "echo 'eval \"$(ingest completion zsh)\"' >> ~/.zshrc",
    "fish": "ingest completion fish > ~/.config/fish/completions/ingest.fish",
}


@dataclass(frozen=True, slots=True)
class Written:
    """A file of a new project: made, or left as it was (`reason` tells why)."""

    name: str
    reason: str | None


def write_project(folder: Path) -> Iterator[Written]:
    """Write the files that are not there yet; an existing file is never changed.

    Where pytest is configured already, no `pytest.ini` takes over.
    """
    configured = next((one for one in _OTHER_CONFIGURATION if (folder / one).exists()), None)
    for name, source in FILES.items():
        if name == _CONFIGURATION and configured is not None:
            yield Written(name, f"{configured} may configure pytest; set pythonpath = . there")
            continue
        text = (files("ingest.cli") / "new_project" / f"{source}.txt").read_text(encoding="utf-8")
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            with place.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except FileExistsError:
            yield Written(name, "it is there already")
        else:
            yield Written(name, None)


@click.command(epilog=epilog("ingest init orders"))
@click.argument(
    "folder", default=".", type=click.Path(path_type=Path, file_okay=False), metavar="[FOLDER]"
)
@click.pass_context
def init(context: click.Context, folder: Path) -> None:
    """Write a small project that tests its ingestion into FOLDER (here by default).

    It has a stream, landing files, tests, a scenario and a CI workflow, and passes pytest at once.
    Files that are there already stay as they are.
    """
    finish(context, lambda: print_lines(_init_lines(folder)))


def _init_lines(folder: Path) -> Iterator[str]:
    for written in write_project(folder):
        reason = "" if written.reason is None else f"  ({written.reason})"
        yield f"{'wrote' if written.reason is None else 'kept'}  {folder / written.name}{reason}"
    place = "" if folder == Path() else f"cd {folder} && "
    yield f"next   {place}pip install pytest && pytest"


@click.command(
    epilog=epilog("ingest completion bash", *(_SETUP[shell] for shell in _SHELLS)),
)
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands and options in a shell."""
    finish(context, lambda: print_lines([completion_script(context.find_root().command, shell)]))


def completion_script(command: click.Command, shell: str) -> str:
    """Give click's script for a shell."""
    made = get_completion_class(shell)
    assert made is not None, "click knows the shell"
    return made(command, {}, "ingest", _VARIABLE).source()

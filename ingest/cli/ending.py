"""How a command ends: its lines, an exit code, and one message for whatever goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ingest.cli.exit_codes import ExitCode, describe, exit_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_ENDS = """\b
Exit codes:
  0  done
  1  anything else that went wrong
  2  usage: an argument or an option is wrong"""

EXIT_CODES = f"""{_ENDS}
  3  stopped because the schema has evolved: run the same command again
  4  refused new columns (mode failOnNewColumns)"""


def epilog(*examples: str, exit_codes: str = _ENDS) -> str:
    """Give what stands below a command's help: examples, and what its exit codes mean."""
    lines = "\n".join(f"  {example}" for example in examples)
    word = "Example" if len(examples) == 1 else "Examples"
    return f"\b\n{word}:\n{lines}\n\n{exit_codes}"


def pairs(
    _context: click.Context, parameter: click.Parameter, values: Iterable[str]
) -> dict[str, str]:
    """Take KEY=VALUE arguments, as a click callback."""
    split = [value.partition("=") for value in values]
    for key, equals, value in split:
        if not equals or not key:
            raise click.BadParameter(f"{key + equals + value!r} is not KEY=VALUE", param=parameter)
    return {key: value for key, _, value in split}


def print_lines(lines: Iterable[str]) -> ExitCode:
    """Print lines; what raises one of them ends the command."""
    for line in lines:
        click.echo(line)
    return ExitCode.DONE


def finish(context: click.Context, action: Callable[[], ExitCode]) -> None:
    """Do it and exit; whatever goes wrong is one message on standard error."""
    try:
        code = action()
    except BrokenPipeError:
        raise  # nobody reads on (`| head`); click ends quietly
    except Exception as error:  # noqa: BLE001 - the last place: no traceback for a user
        click.echo(f"error: {describe(error)}", err=True)
        code = exit_code(error)
    context.exit(code)

"""How a command ends: its lines, an exit code, and one message for whatever goes wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from ingest.cli.exit_codes import ExitCode, describe, exit_code
from ingest.errors import OptionValueError
from ingest.trigger import parse_interval

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_ENDS = """\b
Exit codes:
  0  done
  1  anything else that went wrong
  2  usage: an argument or an option is wrong"""

EXIT_CODES = f"""{_ENDS}
  3  stopped because the schema has evolved: run the same command again
  4  refused new columns (mode failOnNewColumns)
  130  stopped by Ctrl-C or SIGTERM before it was done; run it again"""


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


def interval(_context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """Take an interval such as 1s, 500ms, 2m, or as Spark writes it, as a click callback."""
    if text is None:
        return None
    short = _SHORT.fullmatch(text.strip().lower())
    spelled = f"{short[1]} {_UNITS[short[2]]}" if short else text
    try:
        parse_interval("--interval", spelled)
    except OptionValueError as error:
        example = "an interval such as 1s, 500ms or '2 minutes'"
        raise click.BadParameter(f"{text!r} is not {example}", param=parameter) from error
    return spelled


_SHORT = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(ms|s|m|h)")
_UNITS = {"ms": "milliseconds", "s": "seconds", "m": "minutes", "h": "hours"}


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

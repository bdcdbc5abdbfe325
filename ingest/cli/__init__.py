"""The command line: arguments in, one message and an exit code out.

What a command needs is imported when it runs, so that `ingest --help` and `ingest schema ...`
never load the engine.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ingest.cli.exit_codes import ExitCode, describe, exit_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_EXIT_CODES = """\b
Exit codes:
  0  done
  1  anything else that went wrong
  2  usage: an argument or an option is wrong
  3  stopped because the schema has evolved: run the same command again
  4  refused new columns (mode failOnNewColumns)"""


@click.group(epilog=_EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ingest-autoloader")
def cli() -> None:
    """Databricks Auto Loader on your own machine: from a landing folder to a table, once."""


def _pairs(
    _context: click.Context, parameter: click.Parameter, values: Iterable[str]
) -> dict[str, str]:
    pairs = [value.partition("=") for value in values]
    for key, equals, value in pairs:
        if not equals or not key:
            raise click.BadParameter(f"{key + equals + value!r} is not KEY=VALUE", param=parameter)
    return {key: value for key, _, value in pairs}


@cli.command(epilog=_EXIT_CODES)
@click.argument("landing")
@click.option(
    "--format", "format_name", default="csv", show_default=True, help="The files' format."
)
@click.option(
    "--to", "table", metavar="TABLE", help="The table's folder; a name with --sink memory."
)
@click.option(
    "--sink",
    type=click.Choice(["parquet", "memory"]),
    default="parquet",
    show_default=True,
    help="Where the rows go; memory shows them and forgets them.",
)
@click.option(
    "--state",
    metavar="DIR",
    help="Holds schema/ and checkpoint/.  [default: TABLE.state; temporary with --sink memory]",
)
@click.option(
    "--schema-location", metavar="DIR", help="The schema history.  [default: STATE/schema]"
)
@click.option(
    "--checkpoint", metavar="DIR", help="The stream's progress.  [default: STATE/checkpoint]"
)
@click.option(
    "--mode",
    metavar="MODE",
    help="addNewColumns, rescue, failOnNewColumns, none or addNewColumnsWithTypeWidening.",
)
@click.option(
    "--hints", metavar="DDL", help="Columns whose types are fixed: 'id BIGINT, day DATE'."
)
@click.option("--schema", metavar="DDL", help="The whole schema; nothing is inferred.")
@click.option(
    "--infer-types",
    is_flag=True,
    help="Types instead of strings: cloudFiles.inferColumnTypes=true.",
)
@click.option(
    "--option",
    "options",
    metavar="KEY=VALUE",
    multiple=True,
    callback=_pairs,
    help="Any reader option; wins over the flags above.",
)
@click.option(
    "--conf",
    metavar="KEY=VALUE",
    multiple=True,
    callback=_pairs,
    help="Session configuration, e.g. spark.sql.session.timeZone=Europe/Oslo.",
)
@click.option(
    "--restarts",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Go on after so many stops to evolve, as a job with retries does.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
@click.pass_context
def run(context: click.Context, /, **_given: object) -> None:
    """Ingest the files of LANDING that are not in TABLE yet, then end.

    The JSON document has: status (done, evolved, refused, usage, failed), exitCode, landing, table,
    sink, checkpoint, schemaLocation, schemaVersion, schema (DDL), batches, files, rows,
    rescuedRows, corruptRecords, badRecords, ledger, stops, warnings, error; and data, the rows,
    with --sink memory.
    """
    if not context.params["table"] and context.params["sink"] != "memory":
        raise click.UsageError("Missing option '--to'.", context)
    from ingest.cli.run import run_command

    _finish(context, lambda: run_command(context.params))


@cli.group()
def schema() -> None:
    """Look at a schema location: versions, and what caused them."""


@schema.command("log")
@click.argument("location", type=click.Path(path_type=Path))
@click.pass_context
def schema_log(context: click.Context, location: Path) -> None:
    """List every version: when, in which batch, what changed and which file caused it."""
    from ingest.cli.schema import log_lines

    _finish(context, lambda: _print(log_lines(location)))


@schema.command("show")
@click.argument("location", type=click.Path(path_type=Path))
@click.option("--version", "number", type=click.IntRange(min=0), help="[default: the newest]")
@click.option("--spark-json", is_flag=True, help="Spark's schema JSON instead of DDL.")
@click.pass_context
def schema_show(
    context: click.Context, *, location: Path, number: int | None, spark_json: bool
) -> None:
    """Print a version as DDL."""
    from ingest.cli.schema import show_lines

    _finish(context, lambda: _print(show_lines(location, number, spark_json=spark_json)))


@schema.command("diff")
@click.argument("location", type=click.Path(path_type=Path))
@click.argument("old", type=click.IntRange(min=0), metavar="A")
@click.argument("new", type=click.IntRange(min=0), metavar="B")
@click.pass_context
def schema_diff(context: click.Context, location: Path, old: int, new: int) -> None:
    """Tell what changed between version A and version B."""
    from ingest.cli.schema import diff_lines

    _finish(context, lambda: _print(diff_lines(location, old, new)))


@cli.command()
@click.argument("checkpoint", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="All columns, as one JSON document.")
@click.pass_context
def files(context: click.Context, *, checkpoint: Path, as_json: bool) -> None:
    """List every file that a stream has discovered (cloud_files_state)."""
    from ingest.cli.files import files_lines

    _finish(context, lambda: _print(files_lines(checkpoint, as_json=as_json)))


@cli.command()
@click.pass_context
def demo(context: click.Context) -> None:
    """Run the documented type-widening story in all five modes."""
    from ingest.cli.demo import run_demo

    def tell() -> ExitCode:
        run_demo(click.echo)
        return ExitCode.DONE

    _finish(context, tell)


def _print(lines: Iterable[str]) -> ExitCode:
    for line in lines:
        click.echo(line)
    return ExitCode.DONE


def _finish(context: click.Context, action: Callable[[], ExitCode]) -> None:
    """Do it and exit; whatever goes wrong is one message on standard error."""
    try:
        code = action()
    except BrokenPipeError:
        raise  # nobody reads on (`| head`); click ends quietly
    except Exception as error:  # noqa: BLE001 - the last place: no traceback for a user
        click.echo(f"error: {describe(error)}", err=True)
        code = exit_code(error)
    context.exit(code)


def shadowing_package(folder: Path) -> Path | None:
    """Find a user's own `ingest` in a folder whose scripts would import it instead of ours."""
    ours = Path(__file__).resolve().parent.parent
    for path in (folder / "ingest" / "__init__.py", folder / "ingest.py"):
        if path.is_file() and path.resolve().parent != ours:
            return path
    return None


def main() -> None:
    """Run the command line; the entry point of `ingest` and `python -m ingest`."""
    shadow = shadowing_package(Path.cwd())
    if shadow is not None:
        click.echo(
            f"warning: {shadow} hides this package from scripts that run in this folder"
            " (`from ingest import spark`); rename it or run them from elsewhere",
            err=True,
        )
    cli(prog_name="ingest")

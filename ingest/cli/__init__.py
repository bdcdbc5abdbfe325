"""The command line: arguments in, one message and an exit code out.

What a command needs is imported when it runs, so that `ingest --help` and `ingest schema ...`
never load the engine.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from ingest.cli.ending import EXIT_CODES, epilog, finish, interval, pairs, print_lines
from ingest.cli.exit_codes import ExitCode
from ingest.cli.insight_commands import explain, infer, rescued
from ingest.cli.project import completion, init
from ingest.cli.replay_commands import compare, replay
from ingest.cli.shadowing import shadowing_package

__all__ = ["cli", "main", "shadowing_package"]


_TABLE = click.argument("folder", metavar="TABLE", type=click.Path(path_type=Path))
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")


@click.group(epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ingest-autoloader")
def cli() -> None:
    """Databricks Auto Loader on your own machine: from a landing folder to a table, once."""


@cli.command(
    epilog=epilog(
        "ingest run landing/ --to lake/people --infer-types",
        "ingest run landing/ --sink memory --option header=false",
        "ingest run landing/ --to lake/people --watch --interval 5s",
        exit_codes=EXIT_CODES,
    )
)
@click.argument("landing")
@click.option(
    "--format", "format_name", default="csv", show_default=True, help="The files' format."
)
@click.option(
    "--to", "table", metavar="TABLE", help="The table's folder; a name with --sink memory."
)
@click.option(
    "--sink",
    type=click.Choice(["delta", "parquet", "memory"]),
    default="delta",
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
    callback=pairs,
    help="Any reader option; wins over the flags above.",
)
@click.option(
    "--writer-option",
    "writer_options",
    metavar="KEY=VALUE",
    multiple=True,
    callback=pairs,
    help="Any writer option, e.g. delta.enableTypeWidening=true.  [delta: mergeSchema=true]",
)
@click.option(
    "--conf",
    metavar="KEY=VALUE",
    multiple=True,
    callback=pairs,
    help="Session configuration, e.g. spark.sql.session.timeZone=Europe/Oslo.",
)
@click.option(
    "--restarts",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Go on after so many stops to evolve, as a job with retries does.",
)
@click.option(
    "--watch", is_flag=True, help="Do not end: take new files as they come, until Ctrl-C."
)
@click.option(
    "--interval",
    metavar="TIME",
    callback=interval,
    help="With --watch: look at least so often, whatever events tell.  [default: 1s]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
@click.pass_context
def run(context: click.Context, /, **_given: object) -> None:
    """Ingest the files of LANDING that are not in TABLE yet, then end.

    Ctrl-C or SIGTERM ends it after the running batch, a second one at once; with --watch an end
    after the batch is an ordinary one (0). A file is taken when it has been quiet for half a second
    with --watch (--conf ingest.settleTime='500 milliseconds').

    The JSON document has: status (done, evolved, refused, usage, failed), exitCode, landing, table,
    sink, checkpoint, schemaLocation, schemaVersion, schema (DDL), batches, files, rows,
    rescuedRows, corruptRecords, badRecords, ledger, ledgerLeftOut, stops, warnings, error; and
    data, the rows, with --sink memory.
    """
    if not context.params["table"] and context.params["sink"] != "memory":
        raise click.UsageError("Missing option '--to'.", context)
    if context.params["interval"] and not context.params["watch"]:
        raise click.UsageError("--interval needs --watch.", context)
    from ingest.cli.run import run_command

    finish(context, lambda: run_command(context.params))


@cli.group(epilog=epilog("ingest schema log lake/people.state"))
def schema() -> None:
    """Look at a schema location: versions, and what caused them."""


@schema.command("log", epilog=epilog("ingest schema log lake/people.state"))
@click.argument("location", type=click.Path(path_type=Path))
@click.pass_context
def schema_log(context: click.Context, location: Path) -> None:
    """List every version: when, in which batch, what changed and which file caused it."""
    from ingest.cli.schema import log_lines

    finish(context, lambda: print_lines(log_lines(location)))


@schema.command("show", epilog=epilog("ingest schema show lake/people.state --version 0"))
@click.argument("location", type=click.Path(path_type=Path))
@click.option("--version", "number", type=click.IntRange(min=0), help="[default: the newest]")
@click.option("--spark-json", is_flag=True, help="Spark's schema JSON instead of DDL.")
@click.pass_context
def schema_show(
    context: click.Context, *, location: Path, number: int | None, spark_json: bool
) -> None:
    """Print a version as DDL."""
    from ingest.cli.schema import show_lines

    finish(context, lambda: print_lines(show_lines(location, number, spark_json=spark_json)))


@schema.command("diff", epilog=epilog("ingest schema diff lake/people.state 0 1"))
@click.argument("location", type=click.Path(path_type=Path))
@click.argument("old", type=click.IntRange(min=0), metavar="A")
@click.argument("new", type=click.IntRange(min=0), metavar="B")
@click.pass_context
def schema_diff(context: click.Context, location: Path, old: int, new: int) -> None:
    """Tell what changed between version A and version B."""
    from ingest.cli.schema import diff_lines

    finish(context, lambda: print_lines(diff_lines(location, old, new)))


@cli.command(epilog=epilog("ingest files lake/people.state"))
@click.argument("checkpoint", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="All columns, as one JSON document.")
@click.pass_context
def files(context: click.Context, *, checkpoint: Path, as_json: bool) -> None:
    """List every file that a stream has discovered (cloud_files_state)."""
    from ingest.cli.files import files_lines

    finish(context, lambda: print_lines(files_lines(checkpoint, as_json=as_json)))


@cli.command(epilog=epilog("ingest demo"))
@click.pass_context
def demo(context: click.Context) -> None:
    """Run the documented type-widening story in all five modes."""
    from ingest.cli.demo import run_demo

    def tell() -> ExitCode:
        run_demo(click.echo)
        return ExitCode.DONE

    finish(context, tell)


@cli.group(epilog=epilog("ingest table show lake/people -n 5"))
def table() -> None:
    """Look at a table, set its properties, keep its folder tidy."""


@table.command(
    "show",
    epilog=epilog("ingest table show lake/people", "ingest table show lake/people --version 0"),
)
@_TABLE
@click.option("--version", "number", type=click.IntRange(min=0), help="[default: the newest]")
@click.option(
    "-n", "count", type=click.IntRange(min=0), default=20, show_default=True, help="Rows."
)
@_JSON
@click.pass_context
def table_show(
    context: click.Context, *, folder: Path, number: int | None, count: int, as_json: bool
) -> None:
    """Print a table's first rows.

    A row that is too wide for the terminal is printed as a list of its values. The JSON document
    has: table, format, version, rows, schema (DDL), data.
    """
    from ingest.cli.table_rows import show_lines

    lines = partial(show_lines, folder, count, version=number, as_json=as_json)
    finish(context, lambda: print_lines(lines()))


@table.command("history", epilog=epilog("ingest table history lake/people -n 5"))
@_TABLE
@click.option(
    "-n", "count", type=click.IntRange(min=1), help="The newest versions.  [default: all]"
)
@_JSON
@click.pass_context
def table_history(
    context: click.Context, *, folder: Path, count: int | None, as_json: bool
) -> None:
    """List the versions of a Delta table, and what changed in each."""
    from ingest.cli.table_log import history_lines

    finish(context, lambda: print_lines(history_lines(folder, count, as_json=as_json)))


@table.command("properties", epilog=epilog("ingest table properties lake/people"))
@_TABLE
@_JSON
@click.pass_context
def table_properties(context: click.Context, *, folder: Path, as_json: bool) -> None:
    """List a Delta table's properties and protocol."""
    from ingest.cli.table_log import properties_lines

    finish(context, lambda: print_lines(properties_lines(folder, as_json=as_json)))


@table.command(
    "set-property",
    epilog=epilog("ingest table set-property lake/people delta.enableTypeWidening true"),
)
@_TABLE
@click.argument("key")
@click.argument("value")
@click.pass_context
def table_set_property(context: click.Context, *, folder: Path, key: str, value: str) -> None:
    """Set a table property, as ALTER TABLE does."""
    from ingest.cli.table_log import set_property_lines

    finish(context, lambda: print_lines(set_property_lines(folder, key, value)))


@table.command("optimize", epilog=epilog("ingest table optimize lake/people"))
@_TABLE
@click.pass_context
def table_optimize(context: click.Context, *, folder: Path) -> None:
    """Rewrite small files as few large ones; streams may go on meanwhile."""
    from ingest.cli.table_files import optimize_lines

    finish(context, lambda: print_lines(optimize_lines(folder)))


@table.command("vacuum", epilog=epilog("ingest table vacuum lake/people --dry-run --hours 168"))
@_TABLE
@click.option("--dry-run", "is_dry", is_flag=True, help="List the files, remove nothing.")
@click.option(
    "--hours",
    type=click.IntRange(min=0),
    default=168,
    show_default=True,
    help="Keep what older versions, or writers at work, may need for so long.",
)
@click.pass_context
def table_vacuum(context: click.Context, *, folder: Path, is_dry: bool, hours: int) -> None:
    """Remove replaced files, and orphans of killed writers."""
    from ingest.cli.table_files import vacuum_lines

    finish(context, lambda: print_lines(vacuum_lines(folder, hours=hours, is_dry=is_dry)))


for _command in (infer, rescued, explain, init, completion):
    cli.add_command(_command)


cli.add_command(replay)
cli.add_command(compare)


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

"""`ingest replay` and `ingest compare`: their arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from ingest.cli.ending import epilog, finish, pairs

if TYPE_CHECKING:
    from collections.abc import Callable

_Command = TypeVar("_Command", bound="Callable[..., None]")

_EXIT_CODES = """\b
Exit codes:
  0  done
  1  a stream failed (when modes are compared: in all of them), unexpectedly
  2  usage: an argument, an option or the scenario is wrong
  5  an expectation of the scenario did not come true"""

_OPTIONS = (
    click.argument("source", metavar="FOLDER|SCENARIO", type=click.Path()),
    click.option(
        "--by",
        "arrival",
        type=click.Choice(["folder", "name", "time"]),
        help="How files arrive.  [default: sub-folders 1, 2, …; without them by name]",
    ),
    click.option(
        "--files-per-step",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Files that arrive together, by name or time.",
    ),
    click.option("--format", "format_name", help="The files' format.  [default: by their names]"),
    click.option(
        "--infer-types",
        is_flag=True,
        help="Types instead of strings: cloudFiles.inferColumnTypes=true.",
    ),
    click.option("--hints", metavar="DDL", help="Columns whose types are fixed: 'id BIGINT'."),
    click.option("--schema", metavar="DDL", help="The whole schema; nothing is inferred."),
    click.option(
        "--option",
        "options",
        metavar="KEY=VALUE",
        multiple=True,
        callback=pairs,
        help="Any reader option; wins over the flags above and the scenario.",
    ),
    click.option(
        "--conf",
        metavar="KEY=VALUE",
        multiple=True,
        callback=pairs,
        help="Session configuration, e.g. spark.sql.session.timeZone=Europe/Oslo.",
    ),
    click.option(
        "--restarts",
        type=click.IntRange(min=0),
        help="Go on after so many stops in a step.  [default: 10, or the scenario's]",
    ),
    click.option(
        "--sink",
        type=click.Choice(["delta", "parquet"]),
        default="delta",
        show_default=True,
        help="The scratch table; its rules are part of what is shown.",
    ),
    click.option("--full", is_flag=True, help="Cut nothing, show every step and all rows."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead."),
    click.option(
        "--junit", type=click.Path(dir_okay=False), help="Write a JUnit report for CI as well."
    ),
    click.option("--watch", is_flag=True, help="Do it again whenever a file changes."),
)


def _with_options(command: _Command) -> _Command:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command(
    "replay",
    epilog=epilog(
        "ingest replay landing/ --infer-types --mode rescue",
        "ingest replay samples/02-type-widening/scenario.yaml",
        "ingest replay landing/ --by time --files-per-step 100",
        exit_codes=_EXIT_CODES,
    ),
)
@_with_options
@click.option(
    "--mode", metavar="MODE", help="One of the five modes; all: as `ingest compare` shows them."
)
@click.pass_context
def replay(context: click.Context, /, **_given: Any) -> None:  # noqa: ANN401 - click's
    """Let files arrive step by step, and tell what the stream does in each.

    Every step is an availableNow run over a scratch landing folder and a scratch table; nothing of
    yours is changed. A scenario.yaml, also one in FOLDER, tells the steps and what is expected of
    them. The JSON document is described by ingest/replay/replay.schema.json.
    """
    from ingest.cli.replay import replay_command  # noqa: PLC0415 - keeps `--help` fast

    finish(context, lambda: replay_command(context.params))


@click.command(
    "compare",
    epilog=epilog(
        "ingest compare samples/02-type-widening --infer-types",
        "ingest compare landing/ --by time --full",
        exit_codes=_EXIT_CODES,
    ),
)
@_with_options
@click.pass_context
def compare(context: click.Context, /, **_given: Any) -> None:  # noqa: ANN401 - click's
    """Let the same files arrive in each of the five modes, and compare what comes out.

    One table with the columns and numbers of each mode, a star where the modes differ; then why
    each one stopped, the rows that differ, and what production would lose without a word. What a
    scenario expects is not checked. The JSON document is described by
    ingest/replay/replay.schema.json.
    """
    from ingest.cli.replay import compare_command  # noqa: PLC0415 - keeps `--help` fast

    finish(context, lambda: compare_command(context.params))

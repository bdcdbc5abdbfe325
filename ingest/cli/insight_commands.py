"""`ingest infer`, `ingest rescued` and `ingest explain`: their arguments."""

from __future__ import annotations

from pathlib import Path

import click

from ingest.cli.ending import epilog, finish, pairs, print_lines

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")


@click.command(
    epilog=epilog(
        "ingest infer landing/orders-1.csv landing/orders-2.csv",
        "ingest infer landing/ --option nullValue=N/A --as pyspark",
    )
)
@click.argument("files", nargs=-1, required=True, metavar="FILES…")
@click.option("--format", "format_name", help="The files' format.  [default: by their names]")
@click.option("--strings", is_flag=True, help="As production by default: every column STRING.")
@click.option(
    "--mode",
    metavar="MODE",
    help="The evolution mode: addNewColumnsWithTypeWidening infers DECIMAL.",
)
@click.option(
    "--hints", metavar="DDL", help="Columns whose types are fixed: 'id BIGINT, day DATE'."
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
    "--conf",
    metavar="KEY=VALUE",
    multiple=True,
    callback=pairs,
    help="Session configuration, e.g. spark.sql.session.timeZone=Europe/Oslo.",
)
@click.option(
    "--as",
    "form",
    type=click.Choice(["ddl", "json", "arrow", "pyspark"]),
    help="Print the schema alone: DDL, Spark's JSON, code.",
)
@_JSON
@click.pass_context
def infer(context: click.Context, /, **_given: object) -> None:
    """Tell the schema that production would infer, and which value decided it.

    FILES are files, folders or globs; of a landing folder, its sub-folders may give partition
    columns. Types are inferred as with cloudFiles.inferColumnTypes=true. "(else INT)" says what a
    column would be without the value that decided it, "and others" that more values ask for the
    same type. Rows count from 1, without the header. Nothing is stored.

    The JSON document has: format, typed, files, filesFound, schema (DDL), schemaJson, columns
    (column, type, hinted, inPath, changes, alone, without), surprises (kind, column, fact, advice,
    hint, option), notices, conflict.
    """
    from ingest.cli.infer import infer_lines  # noqa: PLC0415 - start-up time

    finish(context, lambda: print_lines(infer_lines(context.params)))


@click.command(
    epilog=epilog("ingest rescued lake/people", "ingest rescued lake/people --column age -n 10")
)
@click.argument("table", type=click.Path(path_type=Path))
@click.option("--column", metavar="NAME", help="Only this column, or field.")
@click.option(
    "-n",
    "count",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="Different values to show of each.",
)
@click.option(
    "--rescued-column",
    metavar="NAME",
    default="_rescued_data",
    show_default=True,
    help="The rescued data column.",
)
@_JSON
@click.pass_context
def rescued(context: click.Context, /, *, table: Path, **_given: object) -> None:
    """Tell what was rescued, by column and reason, and what would take it in.

    TABLE is the folder of a Delta or Parquet table. The reason is worked out from the table's
    columns as they are now and the rescued values.

    The JSON document has: table, rows, rescuedRows, unreadable, columns (column, reason, type,
    spelling, values, files, observed, examples, remedies).
    """
    from ingest.cli.rescued import Search, rescued_lines  # noqa: PLC0415 - start-up time

    given = context.params
    search = Search(given["column"], given["rescued_column"], examples=given["count"])
    lines = rescued_lines(table, search, as_json=given["as_json"])
    finish(context, lambda: print_lines(lines))


@click.command(epilog=epilog("ingest explain lake/people.state"))
@click.argument("state", type=click.Path(path_type=Path))
@click.option(
    "--schema-location",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The schema history.  [default: STATE/schema, or STATE itself]",
)
@_JSON
@click.pass_context
def explain(
    context: click.Context, *, state: Path, schema_location: Path | None, as_json: bool
) -> None:
    """Tell why a stream's last run ended, and what a restart will do.

    STATE is the folder given by --state (TABLE.state), or a checkpoint. Only reads. An error
    before the checkpoint was open (options, inference, a lock that was taken) is not known here.

    The JSON document has: checkpoint, ending (running, not run, settled, waiting, evolved, refused,
    failed, interrupted), queryId, why, error, lastBatch, batchesDone, readAgain, waitingFiles,
    waitingBytes, refusedFields, schemaVersion, schema, causes, lock, losses.
    """
    from ingest.cli.explain import explain_lines  # noqa: PLC0415 - start-up time

    lines = explain_lines(state, schema_location, as_json=as_json)
    finish(context, lambda: print_lines(lines))

"""`ingest demo`: a story of landing files, run by the real engine in each of the five modes.

A story is a folder whose sub-folders `1`, `2`, … are what lands, in order; `2-without-new-column`
holds what replaces step 2 after failOnNewColumns has refused it. All state is made in a temporary
folder and removed again.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from ingest.dataframe import DataFrame
from ingest.errors import StreamingQueryException, UnknownFieldException
from ingest.session import Session
from schema_store.ddl import to_ddl
from schema_store.evolution import EvolutionMode
from schema_store.store import SchemaStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.query import StreamingQuery
    from schema_store.store import Audit

MAX_RESTARTS = 3
TABLE = "table_name"
RESCUED = "_rescued_data"


@dataclass(frozen=True, slots=True)
class Stage:
    """One mode's temporary folders."""

    root: Path
    mode: EvolutionMode

    @property
    def landing(self) -> Path:
        """Where the story's files arrive."""
        return self.root / "landing"

    @property
    def schema_location(self) -> Path:
        """Where the schema versions are."""
        return self.root / "schema"

    @property
    def session(self) -> Session:
        """A session whose tables are in this stage."""
        return Session(warehouse=self.root / "tables")

    def land(self, step: Path) -> str:
        """Let a step's files arrive, over files of the same name; name them."""
        files = sorted(path for path in step.iterdir() if path.is_file())
        self.landing.mkdir(exist_ok=True)
        for file in files:
            shutil.copy(file, self.landing)
        return ", ".join(file.name for file in files)

    def run(self) -> StreamingQuery:
        """Run the documented snippet once (contract 1.1)."""
        query = (
            self.session.readStream.format("cloudFiles")
            .option("cloudFiles.format", "csv")
            .option("cloudFiles.inferColumnTypes", True)  # noqa: FBT003 - PySpark's
            .option("cloudFiles.schemaLocation", str(self.schema_location))
            .option("cloudFiles.schemaEvolutionMode", self.mode.value)
            .option("ignoreLeadingWhiteSpace", True)  # noqa: FBT003 - PySpark's
            .load(self.landing)
            .writeStream.option("mergeSchema", "true")
            .option("delta.enableTypeWidening", "true")
            .option("checkpointLocation", str(self.root / "checkpoint"))
            .trigger(availableNow=True)
            .toTable(TABLE)
        )
        query.awaitTermination()
        return query

    def shown_rows(self) -> str:
        """Give the table as text, without the temporary folder's name in it."""
        table = self.session.table(TABLE)
        rows = table.to_arrow()
        if RESCUED in table.columns:
            place = self.landing.resolve().as_uri()
            short = pc.replace_substring(rows[RESCUED], place, "file:///…")
            rows = rows.set_column(table.columns.index(RESCUED), RESCUED, short)
        return DataFrame(table.schema, rows).to_text(truncate=False)


def default_story() -> Path:
    """Give the bundled type-widening story."""
    package = Path(__file__).parent.parent
    bundled = package / "_samples"
    return (bundled if bundled.exists() else package.parent / "samples") / "02-type-widening"


def run_demo(say: Callable[[str], None], *, story: Path | None = None) -> None:
    """Run the story in the five modes and say, line by line, what each one does."""
    folder = story or default_story()
    for mode in EvolutionMode:
        with tempfile.TemporaryDirectory(prefix="ingest-demo-") as root:
            _play(folder, Stage(Path(root), mode), say)


def _play(story: Path, stage: Stage, say: Callable[[str], None]) -> None:
    say(f"── {stage.mode.value} " + "─" * (60 - len(stage.mode.value)))
    for step in sorted(path for path in story.iterdir() if path.name.isdigit()):
        say(f"landing  {stage.land(step)}")
        stop = _run_until_stable(stage, say)
        replacement = story / f"{step.name}-without-new-column"
        if stop is not None and replacement.is_dir():
            say(f"replaced {stage.land(replacement)} (without the new column)")
            _run_until_stable(stage, say)
    _say_result(stage, say)


def _run_until_stable(stage: Stage, say: Callable[[str], None]) -> UnknownFieldException | None:
    """Run, and start again while the stop is retryable; give the stop that is not."""
    for _ in range(MAX_RESTARTS + 1):
        try:
            _say_losses(stage.run(), say)
        except StreamingQueryException as error:
            stop = error.cause
            if not isinstance(stop, UnknownFieldException):
                raise
            say(f"stopped  {stop.condition}, retry: {str(stop.retryable).lower()}")
            for text in stop.new_fields:
                say(f"         new column {text}")
            for text in stop.widened:
                say(f"         wider type {text}")
            say(f"         in {Path(stop.file).name}")
            if not stop.retryable:
                return stop
        else:
            return None
    return None


def _say_losses(query: StreamingQuery, say: Callable[[str], None]) -> None:
    for entry in query.losses:
        texts = ", ".join(example.text for example in entry.examples)
        say(f"lost     {entry.column}: {texts} ({entry.reason}, {Path(entry.file).name})")


def _say_result(stage: Stage, say: Callable[[str], None]) -> None:
    store = SchemaStore(stage.schema_location)
    for version in store.versions():
        cause = _cause(store.audit(version.number))
        say(f"version {version.number}  {to_ddl(version.schema)}{cause}")
    say(f"table      {to_ddl(stage.session.table(TABLE).schema)}")
    say(stage.shown_rows())
    say("")


def _cause(audit: Audit | None) -> str:
    causes = {Path(cause.file).name for cause in audit.causes} if audit else set()
    return f"  (caused by {', '.join(sorted(causes))})" if causes else ""

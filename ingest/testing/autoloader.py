"""The stream of a test: started as often as wanted, asked for what it did."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ingest.errors import IngestError, NotRunError, UnknownFormatError
from ingest.replay.trial import Trial, TrialSettings, TrialSink
from ingest.rescue import FILE_PATH
from ingest.testing.explaining import Reading, explain_stream
from ingest.testing.first_types import first_types
from ingest.testing.values import LandedSchema, Rows
from schema_store.evolution import EvolutionMode
from schema_store.types import StructType

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from ingest.dataframe import DataFrame
    from ingest.ledger import LedgerEntry
    from ingest.replay.outcome import Outcome
    from ingest.testing.landing_files import Landing
    from ingest.user_schema import UserSchema
    from schema_store.types import Schema

_RESCUED = "_rescued_data"
_MODE = "cloudFiles.schemaEvolutionMode"
_FORMATS = {
    ".avro": "avro",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".orc": "orc",
    ".parquet": "parquet",
    ".tsv": "csv",
    ".txt": "text",
    ".xml": "xml",
}
_COMPRESSED = frozenset({".bz2", ".deflate", ".gz", ".zst"})


class Autoloader:
    """A stream over the landing folder of a test, into a table of its own.

    Its options may be changed between two runs, as between two versions of a job. What stops or
    fails it is in `error`, not raised.

    * `options`: those of `readStream`; `cloudFiles.format` is told by the files' names if left out.
    * `mode`: the schema evolution mode; None leaves it to the options, and to the default.
    * `user_schema`: the whole schema (DDL text …); None infers it.
    * `conf`, `writer_options`: as on a session, and on `writeStream`.
    * `outcomes`: all that each run has done.
    """

    def __init__(
        self,
        landing: Landing,
        state: Path,
        *,
        options: Mapping[str, object],
        mode: str | None,
        now: Callable[[], dt.datetime],
    ) -> None:
        self.options: dict[str, object] = dict(options)
        self.mode = mode
        self.user_schema: UserSchema | None = None
        self.conf: dict[str, object] = {}
        self.writer_options: dict[str, object] = {}
        self.sink = TrialSink.DELTA
        self.outcomes: tuple[Outcome, ...] = ()
        self._landing = landing
        self._state = state
        self._now = now
        self._is_asked = True

    def __repr__(self) -> str:
        return f"<autoloader: {len(self.outcomes)} runs over {self._landing.path}>"

    def option(self, key: str, value: object) -> Autoloader:
        """Set an option of the reader, as PySpark's `option` does."""
        self.options = {**_without(self.options, [key]), key: value}
        return self

    def run(self) -> Outcome:
        """Load the stream, start it once over what is there (`availableNow`), wait for its end."""
        outcome = self._trial.run()
        self.outcomes = (*self.outcomes, outcome)
        self._is_asked = outcome.error is None
        return outcome

    def restart(self) -> Outcome:
        """Start the stream again after a stop, as a job's retry does; raises `NotRunError`."""
        self._last("restart()")
        return self.run()

    def run_until_stable(self, *, max_restarts: int = 10) -> Outcome:
        """Run, and restart for as long as the stream stops to evolve; give the last outcome."""
        outcome = self.run()
        for _ in range(max_restarts):
            if not outcome.is_retryable:
                break
            outcome = self.restart()
        return outcome

    @property
    def outcome(self) -> Outcome:
        """All that the last run has done; raises `NotRunError`."""
        self._is_asked = True
        return self._last("outcome")

    @property
    def error(self) -> Exception | None:
        """What the last run stopped or failed with; an `UnknownFieldException` for new fields."""
        self._is_asked = True
        return self.outcomes[-1].error if self.outcomes else None

    @property
    def condition(self) -> str | None:
        """The condition of the last run's stop or failure, as Databricks names it.

        `UNKNOWN_FIELD_EXCEPTION.NEW_FIELDS_IN_FILE` for new columns; None when it ended well.
        """
        self._is_asked = True
        return self.outcomes[-1].condition if self.outcomes else None

    @property
    def table(self) -> DataFrame | None:
        """The table as it is now, `_rescued_data` included; None when nothing has made it."""
        return self._trial.table()

    @property
    def rows(self) -> Rows:
        """The table's rows without the rescued data; equal to tuples or dictionaries."""
        table = self.table
        if table is None:
            return Rows(())
        kept = table.drop(self._rescued_column)
        return Rows(kept.collect(), columns=kept.columns)

    @property
    def rescued(self) -> Rows:
        """The rescued data as dictionaries; `_file_path` is the name below the landing folder."""
        return Rows(map(self._named, self._rescued_objects()), noun="rescued row")

    @property
    def schema(self) -> LandedSchema:
        """The newest schema, without the rescued column; equal to DDL text.

        It is the newest version of the schema location, or what the user gave.
        """
        return LandedSchema(self._schema(), origins=self._origins)

    @property
    def version(self) -> int | None:
        """The number of the newest schema version; None when there is none."""
        return self.outcomes[-1].version.after if self.outcomes else None

    @property
    def ledger(self) -> list[LedgerEntry]:
        """What the runs lost silently in production (contract 9.1); files by their URIs."""
        return [entry for outcome in self.outcomes for entry in outcome.ledger]

    @property
    def warnings(self) -> list[str]:
        """What the runs warned of, each text once."""
        return list(dict.fromkeys(text for one in self.outcomes for text in one.warnings))

    @property
    def unasked_error(self) -> Exception | None:
        """What the last run stopped or failed with, unless the test has asked for it."""
        return None if self._is_asked else self._last("error").error

    def story(self) -> tuple[str, ...]:
        """Tell what the runs have done: for the message of a test that fails."""
        if not self.outcomes:
            return ("the stream has not run: call autoloader.run()",)
        rescued: list[dict[str, Any]] = []
        trouble: tuple[str, ...] = ()
        try:
            rescued = self._rescued_objects()
        except (IngestError, OSError) as error:
            trouble = (f"the table cannot be read: {error}",)
        reading = Reading(self._evolution_mode, is_text=self._known_format == "csv")
        return (*explain_stream(self.outcomes, rescued, self._schema(), reading), *trouble)

    @property
    def _trial(self) -> Trial:
        mode = {} if self.mode is None else {_MODE: self.mode}
        settings = TrialSettings(
            {"cloudFiles.format": self._format(), **_without(self.options, mode), **mode},
            schema=self.user_schema,
            conf=self.conf,
            writer=self.writer_options,
            sink=self.sink,
        )
        return Trial(self._landing.path, self._state, settings, now=self._now)

    def _last(self, asked: str) -> Outcome:
        if not self.outcomes:
            raise NotRunError(asked)
        return self.outcomes[-1]

    def _given(self, key: str) -> object | None:
        options = {name.lower(): value for name, value in self.options.items()}
        return options.get(key.lower())

    def _format(self) -> str:
        known = self._known_format
        if known is None:
            raise UnknownFormatError(self._landing.path, self._landing.names)
        return known

    @property
    def _known_format(self) -> str | None:
        given = self._given("cloudFiles.format")
        if given is not None:
            return str(given)
        found = {_FORMATS.get(_suffix(name)) for name in self._landing.names}
        return found.pop() if len(found) == 1 else None

    @property
    def _evolution_mode(self) -> EvolutionMode | None:
        """The mode in force; None for one that does not exist."""
        given = self.mode or self._given(_MODE)
        if given is not None:
            return next((m for m in EvolutionMode if m.value.lower() == str(given).lower()), None)
        has_schema = self.user_schema is not None
        return EvolutionMode.NONE if has_schema else EvolutionMode.ADD_NEW_COLUMNS

    @property
    def _rescued_column(self) -> str:
        given = self._given("rescuedDataColumn") or self._given("cloudFiles.rescuedDataColumn")
        return str(given or _RESCUED)

    def _schema(self) -> Schema:
        if not self.outcomes:
            return StructType(())
        last = self.outcomes[-1]
        if last.version.schema is not None:
            return last.version.schema
        loaded = last.stream_schema or StructType(())
        return StructType(tuple(one for one in loaded if one.name != self._rescued_column))

    def _origins(self) -> Mapping[str, str]:
        """Tell which value decided each type of version 0, where it still is the newest one."""
        if self.version != 0 or self.user_schema is not None:
            return {}
        first = next(one for one in self.outcomes if one.version.is_new)
        files = [self._landing.path / name for name in (*first.files, *first.waiting)]
        return first_types(files, self._trial.settings, at=self._now())

    def _rescued_objects(self) -> list[dict[str, Any]]:
        table = self.table
        if table is None or self._rescued_column not in table.columns:
            return []
        texts = table.to_arrow()[self._rescued_column].to_pylist()
        return [json.loads(text) for text in texts if text is not None]

    def _named(self, rescued: dict[str, Any]) -> dict[str, Any]:
        if FILE_PATH not in rescued:
            return rescued
        place = unquote(str(rescued[FILE_PATH])).removeprefix("file://")
        base = self._landing.path.resolve()
        name = PurePosixPath(place)
        known = name.relative_to(base) if name.is_relative_to(base) else name
        return {**rescued, FILE_PATH: known.as_posix()}


def _without(options: Mapping[str, object], names: Iterable[str]) -> dict[str, object]:
    """Leave out options that are said elsewhere, in any spelling."""
    folded = {name.lower() for name in names}
    return {key: value for key, value in options.items() if key.lower() not in folded}


def _suffix(name: str) -> str:
    path = PurePosixPath(name.lower())
    return path.with_suffix("").suffix if path.suffix in _COMPRESSED else path.suffix

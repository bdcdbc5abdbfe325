"""A landing folder, a checkpoint and a table for tests of the engine."""

from __future__ import annotations

import datetime as dt
import os
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import orjson

from ingest.delta.log import DeltaLog
from ingest.delta.settings import DeltaSettings
from ingest.errors import UnknownFieldException
from ingest.file_entry import FileEntry, SeqNum
from ingest.landing import landing_folder
from ingest.pacing import Pacing
from ingest.progress import BatchProgress, Reading
from ingest.sinks.delta_table import DeltaTable
from ingest.sinks.manifest import MANIFEST
from ingest.sinks.parquet_table import ParquetTable
from ingest.stream import LoadedStream, StreamRun, run
from ingest.stream_options import (
    CsvOptions,
    DiscoveryOptions,
    ParseMode,
    ReadLimit,
    ReadSettings,
    SampleLimit,
    StreamOptions,
)
from ingest.table_reader import read_table
from ingest.trigger import DEFAULT_TRIGGER, AvailableNow, Trigger
from schema_store.evolution import EvolutionMode
from schema_store.hints import apply_hints, parse_hints
from schema_store.store import SchemaStore
from schema_store.types import StructType
from tests.ingest.fake_format import FakeFormat, Record

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.sinks import Sink
    from schema_store.types import Schema
    from tests.ingest.fake_time import FakeTime

NOW = dt.datetime(2024, 5, 17, 12, tzinfo=dt.UTC)
NOTHING = StructType(())
WIDENING = EvolutionMode.ADD_NEW_COLUMNS_WITH_TYPE_WIDENING


@dataclass
class World:
    """Everything outside the process; its fields are what the user may change between starts."""

    root: Path
    mode: EvolutionMode = EvolutionMode.ADD_NEW_COLUMNS
    limit: ReadLimit = field(default=ReadLimit(1000, None))
    allow_overwrites: bool = False
    include_existing: bool = True
    hints: str = ""
    rescued: str | None = "_rescued_data"
    user_schema: Schema | None = None
    looks: bool = True
    delta: bool = False
    now: dt.datetime = NOW
    opened: list[str] = field(default_factory=list)
    landed: dict[str, float] = field(default_factory=dict)

    @property
    def landing(self) -> Path:
        return self.root / "landing"

    @property
    def checkpoint(self) -> Path:
        return self.root / "checkpoint"

    @property
    def store(self) -> SchemaStore:
        return SchemaStore(self.root / "schema")

    @property
    def table(self) -> Path:
        return self.root / "table"

    def land(self, name: str, *records: Record, at: float = 1) -> Path:
        """Write a file whose modification time is `at` seconds."""
        path = self.landing / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
        os.utime(path, (at, at))
        self.landed[name] = at
        return path

    def load(self) -> LoadedStream:
        """Resolve the schema as `.load()` does."""
        options = self._options()
        landing = landing_folder(str(self.landing))
        file_format = FakeFormat(options.reading, self.looks, self.opened)
        if self.user_schema is not None:
            return LoadedStream(landing, options, file_format, self.user_schema, None, None)
        latest = self.store.latest()
        if latest is None:
            files = [
                FileEntry(SeqNum(i), file.path, file.size, file.modified_ns)
                for i, file in enumerate(landing.list_files(), start=1)
            ]
            schema = file_format.infer(files).schema
        else:
            schema = latest.schema
        schema = apply_hints(schema, options.hints)
        version = self.store.add(schema, NOTHING, after=latest, audit=None)
        return LoadedStream(landing, options, file_format, schema, self.store, version)

    def start(
        self,
        loaded: LoadedStream | None = None,
        *,
        trigger: Trigger | None = None,
        sink: Sink | None = None,
        stop_after: int | None = None,
        time: FakeTime | None = None,
    ) -> list[BatchProgress]:
        """Load and run to the end, in this thread; give the reports.

        With a fake time the stream goes on, as fast as it can if no trigger says otherwise, until
        the time is over.
        """
        if time is not None:
            trigger = DEFAULT_TRIGGER if trigger is None else trigger
        reports: list[BatchProgress] = []
        stream = StreamRun(
            loaded if loaded is not None else self.load(),
            sink if sink is not None else self.sink(),
            checkpoint_location=self.checkpoint,
            trigger=trigger if trigger is not None else AvailableNow(),
            now=lambda: self.now if time is None else time.now(),
            stopped=lambda: len(reports) == stop_after if time is None else time.is_over,
            reading=Reading(),
            report=reports.append,
            pacing=Pacing() if time is None else time.pacing,
        )
        run(stream, new_id="query", opened=lambda _: None)
        return reports

    def sink(self) -> Sink:
        """Give the table as a fresh process sees it."""
        if not self.delta:
            return ParquetTable(self.table)
        settings = DeltaSettings(
            now=lambda: self.now,
            new_id=lambda: str(uuid.uuid4()),
            merge_schema=True,
            properties={"delta.enableTypeWidening": "true", "delta.checkpointInterval": "2"},
        )
        return DeltaTable(self.table, settings)

    def start_until_stable(self, *, restarts: int = 5) -> list[UnknownFieldException]:
        """Start again for as long as the stream stops to evolve; give why it stopped."""
        stops: list[UnknownFieldException] = []
        while True:
            try:
                self.start()
            except UnknownFieldException as error:
                if not error.retryable or len(stops) >= restarts:
                    raise
                stops.append(error)
            else:
                return stops

    def rows(self) -> list[Record]:
        """Give the table's rows, without the rescued column, in the order of the table."""
        first = DeltaLog(self.table).path(0) if self.delta else self.table / MANIFEST / "0"
        if not first.exists():
            return []
        rows: list[Record] = read_table(self.table)[1].to_pylist()
        return [{k: v for k, v in row.items() if k != self.rescued} for row in rows]

    def ids(self) -> list[object]:
        """Give the column `id`, in the order of the table."""
        return [row["id"] for row in self.rows()]

    def rescued_values(self) -> list[object]:
        """Give the rescued column, parsed."""
        assert self.rescued is not None
        column = read_table(self.table)[1].column(self.rescued).to_pylist()
        return [None if text is None else orjson.loads(text) for text in column]

    def entries(self, name: str) -> list[int]:
        """Give the numbers of a log of the checkpoint."""
        folder = self.checkpoint / name
        if not folder.exists():
            return []
        return sorted(int(path.name) for path in folder.iterdir() if path.name.isdecimal())

    def _options(self) -> StreamOptions:
        return StreamOptions(
            format_name="fake",
            schema_location=self.root / "schema",
            mode=self.mode,
            user_schema=self.user_schema,
            hints=parse_hints(self.hints),
            sample=SampleLimit(1000, 1 << 30),
            limit=self.limit,
            discovery=DiscoveryOptions(
                path_glob_filter=None,
                allow_overwrites=self.allow_overwrites,
                include_existing_files=self.include_existing,
                use_strict_globber=False,
                partition_columns=None,
            ),
            reading=self._read_settings(),
            csv=CsvOptions(),
            unknown_keys=(),
            warnings=(),
            notes=(),
        )

    def _read_settings(self) -> ReadSettings:
        return ReadSettings(
            rescued_column=self.rescued,
            file_path_in_rescued=False,
            case_sensitive=True,
            parse_mode=ParseMode.PERMISSIVE,
            corrupt_column="_corrupt_record",
            exact_decimals=self.mode is WIDENING,
            observe_misfits=self.mode is WIDENING,
            typed=True,
            prefers_decimal=False,
            time_zone="UTC",
            today=NOW.date(),
            user_schema=self.user_schema is not None,
        )

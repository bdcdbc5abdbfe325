"""The engine against a model: whatever happens in whatever order, each row is there once."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import suppress
from enum import Enum
from itertools import count, pairwise
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ingest.checkpoint import open_checkpoint
from ingest.errors import CheckpointInUseError, UnknownFieldException
from ingest.stream_options import ReadLimit
from ingest.trigger import DEFAULT_TRIGGER, ProcessingTime, Trigger
from schema_store.evolution import EvolutionMode
from tests.ingest.crashes import CrashPoint, Moment, SimulatedCrashError, durable_effects
from tests.ingest.engine_world import WIDENING, World
from tests.ingest.fake_time import FakeTime

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ingest.fake_format import Record

MODES = [EvolutionMode.ADD_NEW_COLUMNS, EvolutionMode.RESCUE, WIDENING]
FIELDS = ["x", "y", "z"]
VALUES = st.sampled_from([7, 5_000_000_000, "text", {}])
TRIGGERS: list[Trigger] = [DEFAULT_TRIGGER, ProcessingTime(10.0)]


class Arrival(Enum):
    """How a file comes while a stream waits."""

    OLD = "with an old modification time"
    YOUNG = "written in one go"
    GROWING = "written in two parts"
    NONE = "not at all"


points = st.builds(CrashPoint, st.integers(0, 20), st.sampled_from(Moment))


class Ingestion(RuleBasedStateMachine):
    """Files land, options change, processes die; the model is the list of landed ids."""

    def __init__(self) -> None:
        super().__init__()
        memory = Path("/dev/shm")
        self.world = World(Path(mkdtemp(dir=memory if memory.is_dir() else None)))
        self.numbers = count(1)
        self.landed: list[int] = []
        self.logged: dict[Path, bytes] = {}

    @initialize()
    def first_file(self) -> None:
        self.land({}, at=5)

    @rule(fields=st.dictionaries(st.sampled_from(FIELDS), VALUES), at=st.integers(0, 9))
    def land(self, fields: dict[str, Any], at: int) -> None:
        number = next(self.numbers)
        self.world.land(str(number), {"id": number, **fields}, {"id": -number}, at=at)
        self.landed += [number, -number]

    @rule(files=st.none() | st.integers(1, 3))
    def change_limit(self, files: int | None) -> None:
        self.world.limit = ReadLimit(files, None)

    @rule(mode=st.sampled_from(MODES))
    def change_mode(self, mode: EvolutionMode) -> None:
        self.world.mode = mode

    @rule(point=points)
    def start_and_crash(self, point: CrashPoint) -> None:
        with durable_effects(point) as effects:
            try:
                self.world.start_until_stable()
            except SimulatedCrashError:
                assert effects.dead

    @rule()
    def start(self) -> None:
        with durable_effects(None):
            self.world.start_until_stable()
        assert Counter(self.world.ids()) == Counter(self.landed)

    @rule(
        arrivals=st.lists(st.sampled_from(Arrival), max_size=4),
        trigger=st.sampled_from(TRIGGERS),
        watched=st.booleans(),
        point=st.none() | points,
    )
    def go_on(
        self, arrivals: list[Arrival], trigger: Trigger, *, watched: bool, point: CrashPoint | None
    ) -> None:
        """A stream goes on for a while, starts again when it evolves, and may crash."""
        time = FakeTime([], is_watched=watched)
        steps = [step for arrival in arrivals for step in self._arrive(arrival, time)]
        time.steps = [*steps, *[lambda: None] * 3]
        with durable_effects(point) as effects:
            try:
                self._go_on_until_over(time, trigger)
            except SimulatedCrashError:
                assert effects.dead
        for step in time.steps:
            step()

    def _go_on_until_over(self, time: FakeTime, trigger: Trigger) -> None:
        while not time.is_over:
            with suppress(UnknownFieldException):  # no mode here refuses: it stops to evolve
                self.world.start(trigger=trigger, time=time)

    def _arrive(self, arrival: Arrival, time: FakeTime) -> list[Callable[[], object]]:
        """Give the steps in which a file comes, one for each part of it."""
        number = next(self.numbers)

        def write(*ids: int, at: float) -> None:
            records: list[Record] = [{"id": one} for one in ids]
            self.world.land(str(number), *records, at=at)
            self.landed.append(ids[-1])

        match arrival:
            case Arrival.OLD:
                return [lambda: write(number, at=3)]
            case Arrival.YOUNG:
                return [lambda: write(number, at=time.file_time())]
            case Arrival.GROWING:
                return [
                    lambda: write(number, at=time.file_time()),
                    lambda: write(number, -number, at=time.file_time()),
                ]
            case Arrival.NONE:
                return [lambda: None]

    @rule()
    def start_a_twin(self) -> None:
        with (
            open_checkpoint(self.world.checkpoint, new_id="query"),
            pytest.raises(CheckpointInUseError),
        ):
            self.world.start()

    @invariant()
    def no_row_is_there_twice_or_from_nowhere(self) -> None:
        assert Counter(self.world.ids()) <= Counter(self.landed)

    @invariant()
    def batches_have_no_gaps(self) -> None:
        offsets, commits = self.world.entries("offsets"), self.world.entries("commits")
        assert offsets == list(range(len(offsets)))
        assert commits in (offsets, offsets[:-1])

    @invariant()
    def schema_versions_are_a_chain(self) -> None:
        versions = [version.schema.names for version in self.world.store.versions()]
        for older, newer in pairwise(versions):
            assert newer[: len(older)] == older

    @invariant()
    def nothing_durable_changes(self) -> None:
        found = {path: path.read_bytes() for path in self._log_files()}
        assert {path: found.get(path) for path in self.logged} == self.logged
        self.logged = found

    def _log_files(self) -> list[Path]:
        places = [self.world.checkpoint / "offsets", self.world.checkpoint / "commits"]
        places += [self.world.root / "schema" / "_schemas", self.world.table / "_manifest"]
        return [path for place in places for path in place.glob("[0-9]*")]

    def teardown(self) -> None:
        try:
            self.start()
        finally:
            shutil.rmtree(self.world.root)


TestIngestion = Ingestion.TestCase
TestIngestion.settings = settings(
    max_examples=40,
    stateful_step_count=15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

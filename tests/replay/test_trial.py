"""A trial tells all that a start of the stream has done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ingest.errors import EmptyDirError
from ingest.replay.trial import Trial, TrialSettings, TrialSink
from schema_store.ddl import to_ddl
from schema_store.evolution import EvolutionMode
from tests.replay.stories import PEOPLE_1, PEOPLE_2, TYPED, trial, write

if TYPE_CHECKING:
    from pathlib import Path

WIDENING = EvolutionMode.ADD_NEW_COLUMNS_WITH_TYPE_WIDENING


def test_a_start_tells_files_rows_and_version(tmp_path: Path) -> None:
    one = trial(tmp_path)
    write(one.landing, a=PEOPLE_1)
    outcome = one.run()
    assert (outcome.files, outcome.counts.rows, outcome.error) == (("a.csv",), 2, None)
    assert (outcome.version.before, outcome.version.after) == (None, 0)
    assert outcome.version.diff == ("+ id INT", "+ name STRING")


def test_a_stop_tells_causes_and_what_waits(tmp_path: Path) -> None:
    one = trial(tmp_path, WIDENING)
    write(one.landing, a=PEOPLE_1)
    one.run()
    write(one.landing, b=PEOPLE_2)
    stopped = one.run()
    assert stopped.is_retryable
    assert (stopped.files, stopped.waiting) == ((), ("b.csv",))
    assert stopped.version.diff == ("~ id INT -> BIGINT", "+ age INT")
    assert [(cause.column, cause.value) for cause in stopped.version.causes] == [
        ("age", "25"),
        ("id", "2147483648"),
    ]


def test_it_goes_on_after_stops_until_it_is_stable(tmp_path: Path) -> None:
    one = trial(tmp_path)
    write(one.landing, a=PEOPLE_1)
    one.run()
    write(one.landing, b=PEOPLE_2)
    stopped, landed = one.run_until_stable()
    assert stopped.stop is not None
    assert (landed.error, landed.counts.rows, landed.counts.rescued) == (None, 1, 1)


def test_a_refused_batch_is_not_restarted(tmp_path: Path) -> None:
    one = trial(tmp_path, EvolutionMode.FAIL_ON_NEW_COLUMNS)
    write(one.landing, a=PEOPLE_1)
    one.run()
    write(one.landing, b=PEOPLE_2)
    (refused,) = one.run_until_stable()
    assert refused.stop is not None
    assert not refused.is_retryable
    assert not refused.version.is_new


def test_losses_are_told(tmp_path: Path) -> None:
    one = trial(tmp_path, EvolutionMode.NONE)
    write(one.landing, a=PEOPLE_1)
    one.run()
    write(one.landing, b=PEOPLE_2)
    assert [(entry.column, entry.count) for entry in one.run().ledger] == [("age", 1), ("id", 1)]


def test_a_failure_to_load_is_in_the_outcome(tmp_path: Path) -> None:
    outcome = trial(tmp_path).run()
    assert isinstance(outcome.error, EmptyDirError)
    assert (outcome.stream_schema, outcome.version.after) == (None, None)


def test_warnings_are_heard_and_not_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = trial(tmp_path)
    write(one.landing, a="id, name\n1, Ann\n")
    assert len(one.run().warnings) == 1
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("sink", TrialSink)
def test_another_trial_goes_on_with_the_state(tmp_path: Path, sink: TrialSink) -> None:
    settings = TrialSettings(TYPED, sink=sink)
    write(tmp_path / "landing", a=PEOPLE_1)
    first = Trial(tmp_path / "landing", tmp_path / "state", settings)
    first.run()
    assert first.run().counts.batches == 0
    second = Trial(tmp_path / "landing", tmp_path / "state", settings)
    assert second.run().counts.batches == 0
    table = second.table()
    assert table is not None
    assert table.count() == 2


def test_many_batches_are_all_counted(tmp_path: Path) -> None:
    reader = {**TYPED, "cloudFiles.maxFilesPerTrigger": "1"}
    write(tmp_path / "landing", **{f"f{i:03}": PEOPLE_1 for i in range(103)})
    one = Trial(tmp_path / "landing", tmp_path / "state", TrialSettings(reader))
    outcome = one.run()
    assert (outcome.counts.batches, outcome.counts.rows, len(outcome.files)) == (103, 206, 103)


def test_a_schema_of_the_users_has_no_versions(tmp_path: Path) -> None:
    settings = TrialSettings({"cloudFiles.format": "csv", "header": "true"}, schema="id INT")
    write(tmp_path / "landing", a="id\n1\n")
    outcome = Trial(tmp_path / "landing", tmp_path / "state", settings).run()
    assert outcome.version.after is None
    assert outcome.stream_schema is not None
    assert to_ddl(outcome.stream_schema) == "id INT"


def test_the_names_of_its_folders_are_left_out(tmp_path: Path) -> None:
    one = trial(tmp_path)
    place = one.landing.resolve()
    assert one.short(f"{place.as_uri()}/a.csv, {place}/b.csv") == "a.csv, b.csv"
    assert one.short(f"{place} is empty") == "the landing folder is empty"

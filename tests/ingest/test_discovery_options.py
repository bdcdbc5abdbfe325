"""Options of discovery: what is taken, what is refused, what it says (contract 7.1)."""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ingest import Session
from ingest.checkpoint_report import cloud_files_state
from ingest.errors import (
    FileMissingError,
    ForeachBatchError,
    MissingOptionError,
    OptionConflictError,
    OptionValueError,
    StreamingQueryException,
)
from ingest.landing import landing_folder
from ingest.options import resolve_options
from ingest.stream_options import DeleteSource, DiscoveryOptions, KeepSource, MoveSource

if TYPE_CHECKING:
    from ingest.dataframe import DataFrame
    from ingest.query import StreamingQuery

DAY = 86_400
CLEAN = "cloudFiles.cleanSource"
RETENTION = f"{CLEAN}.retentionDuration"
DESTINATION = f"{CLEAN}.moveDestination"


def resolved(
    given: dict[str, object], *, zone: str = "UTC"
) -> tuple[DiscoveryOptions, tuple[str, ...]]:
    options = resolve_options(
        {"cloudFiles.format": "csv", "cloudFiles.schemaLocation": "s", **given},
        conf={"spark.sql.session.timeZone": zone},
        user_schema=None,
        today=dt.date(2030, 1, 1),
    )
    return options.discovery, options.warnings


@pytest.mark.parametrize(
    ("text", "zone", "milliseconds"),
    [
        ("1970-01-02", "UTC", DAY * 1000),
        ("1970-01-02", "Europe/Berlin", (DAY - 3600) * 1000),
        ("1970-01-01 00:00:01.234567 UTC+0", "Europe/Berlin", 1234),
        ("1970-01-01T01:00:00+01:00", "UTC", 0),
    ],
)
@pytest.mark.parametrize("key", ["modifiedAfter", "modifiedBefore"])
def test_modified_limits_are_timestamps_as_spark_casts_them(
    key: str, text: str, zone: str, milliseconds: int
) -> None:
    found, _ = resolved({key: text}, zone=zone)
    assert milliseconds in {found.modified_after_ms, found.modified_before_ms}


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("modifiedAfter", "yesterday"),
        ("modifiedBefore", ""),
        ("cloudFiles.maxFileAge", "90"),
        ("cloudFiles.maxFileAge", "0 days"),
        ("cloudFiles.backfillInterval", "soon"),
        (CLEAN, "PURGE"),
        ("ignoreMissingFiles", "maybe"),
        ("ignoreCorruptFiles", "1"),
    ],
)
def test_bad_value_names_the_key_and_what_is_allowed(key: str, text: str) -> None:
    with pytest.raises(OptionValueError) as caught:
        resolved({key: text})
    assert (caught.value.where, bool(caught.value.expected)) == (key, True)


def test_intervals_are_seconds() -> None:
    found, _ = resolved(
        {"cloudFiles.maxFileAge": "90 days", "cloudFiles.backfillInterval": "1 week"}
    )
    assert (found.max_file_age, found.backfill_interval) == (90 * DAY, 7 * DAY)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, KeepSource()),
        ({CLEAN: "off"}, KeepSource()),
        ({CLEAN: "DELETE"}, DeleteSource(30 * DAY)),
        ({CLEAN: "delete", RETENTION: "8 days"}, DeleteSource(8 * DAY)),
        ({CLEAN: "MOVE", DESTINATION: "/a"}, MoveSource(30 * DAY, Path("/a"))),
        ({CLEAN: "MOVE", DESTINATION: "/a", RETENTION: "0 days"}, MoveSource(0, Path("/a"))),
    ],
)
def test_clean_source_is_as_documented(given: dict[str, object], expected: object) -> None:
    assert resolved(given)[0].clean_source == expected


@pytest.mark.parametrize("text", ["7 days", "1 week", "0 days"])
def test_deleting_needs_a_retention_of_more_than_seven_days(text: str) -> None:
    with pytest.raises(OptionValueError) as caught:
        resolved({CLEAN: "DELETE", RETENTION: text})
    assert (caught.value.where, "more than 7 days" in caught.value.expected) == (RETENTION, True)


def test_moving_needs_a_destination() -> None:
    with pytest.raises(MissingOptionError) as caught:
        resolved({CLEAN: "MOVE"})
    assert caught.value.where == DESTINATION


def test_clean_source_beside_overwrites_is_refused() -> None:
    with pytest.raises(OptionConflictError) as caught:
        resolved({CLEAN: "DELETE", "cloudFiles.allowOverwrites": True})
    assert caught.value.keys == (CLEAN, "cloudFiles.allowOverwrites")


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({RETENTION: "9 days"}, [RETENTION]),
        ({CLEAN: "DELETE", DESTINATION: "/a"}, [DESTINATION]),
        ({CLEAN: "OFF", RETENTION: "9 days", DESTINATION: "/a"}, [RETENTION, DESTINATION]),
        ({CLEAN: "MOVE", RETENTION: "9 days", DESTINATION: "/a"}, []),
    ],
)
def test_parts_of_clean_source_without_effect_are_named(
    given: dict[str, object], named: list[str]
) -> None:
    assert [warning.split()[0] for warning in resolved(given)[1]] == named


@pytest.mark.parametrize(
    ("after", "before", "expected"),
    [
        (None, None, ["1", "2", "3"]),
        (2000, None, ["3"]),
        (None, 2000, ["1"]),
        (1000, 3000, ["2"]),
        (1999, 2001, ["2"]),
    ],
)
def test_modified_limits_themselves_are_left_out(
    after: int | None, before: int | None, expected: list[str], tmp_path: Path
) -> None:
    for second in (1, 2, 3):
        (tmp_path / str(second)).touch()
        os.utime(tmp_path / str(second), (second, second))
    landing = landing_folder(str(tmp_path), modified_after_ms=after, modified_before_ms=before)
    assert [Path(os.fsdecode(file.path)).name for file in landing.list_files()] == expected


class Stream:
    """A stream of CSV files into a table."""

    def __init__(self, root: Path) -> None:
        self.landing = root / "landing"
        self.landing.mkdir()
        self.session = Session(warehouse=root / "lake")
        self.root = root

    def land(self, name: str, *ids: int, at: int = 1) -> None:
        path = self.landing / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("id\n" + "".join(f"{one}\n" for one in ids))
        os.utime(path, (at, at))

    def start(self, **given: object) -> StreamingQuery:
        reader = self.session.readStream.format("cloudFiles").option("cloudFiles.format", "csv")
        return (
            reader.option("cloudFiles.schemaLocation", self.root / "schema")
            .options(**given)
            .load(self.landing)
            .writeStream.option("checkpointLocation", self.root / "checkpoint")
            .trigger(availableNow=True)
            .toTable("t")
        )

    def run(self, **given: object) -> list[str]:
        self.start(**given).awaitTermination()
        return sorted(row["id"] for row in self.session.table("t").collect())


@pytest.fixture
def stream(tmp_path: Path) -> Stream:
    return Stream(tmp_path)


def test_modified_after_is_looked_at_again_when_it_changes(stream: Stream) -> None:
    stream.land("old.csv", 1, at=1)
    stream.land("new.csv", 2, at=5000)
    first = stream.run(modifiedAfter="1970-01-01 01:00:00")
    assert (first, stream.run()) == (["2"], ["1", "2"])


def test_file_with_an_old_time_is_new(stream: Stream) -> None:
    """Case F20."""
    stream.land("a.csv", 1, at=5000)
    stream.run()
    stream.land("b.csv", 2, at=1)
    assert stream.run() == ["1", "2"]


def test_max_file_age_leaves_out_late_files_and_forgets_old_ones(stream: Stream) -> None:
    stream.land("first.csv", 1, at=1)
    stream.run(**{"cloudFiles.maxFileAge": "10 seconds"})
    stream.land("newest.csv", 2, at=100)
    stream.run(**{"cloudFiles.maxFileAge": "10 seconds"})
    stream.land("late.csv", 3, at=89)
    again = [stream.run(**{"cloudFiles.maxFileAge": "10 seconds"}) for _ in range(2)]
    assert again == [["1", "2"], ["1", "2"]]


def test_missing_file_of_a_planned_batch_is_skipped_with_a_ledger_entry(stream: Stream) -> None:
    for number, name in enumerate(("a.csv", "b.csv"), start=1):
        stream.land(name, number, at=number)
    seen: list[str] = []

    def start(**given: object) -> StreamingQuery:
        reader = stream.session.readStream.format("cloudFiles").option("cloudFiles.format", "csv")
        loaded = reader.options(**given).schema("id INT").option("header", "true")
        return (
            loaded.load(stream.landing)
            .writeStream.foreachBatch(take)
            .option("checkpointLocation", stream.root / "other")
            .trigger(availableNow=True)
            .start()
        )

    def take(batch: DataFrame, _: int) -> None:
        (stream.landing / "b.csv").unlink(missing_ok=True)
        if not seen:
            seen.append("failed")
            raise ValueError
        seen.extend(str(row["id"]) for row in batch.collect())

    failures = []
    for _ in range(2):
        with pytest.raises(StreamingQueryException) as caught:
            start().awaitTermination()
        failures.append(type(caught.value.cause))
    query = start(ignoreMissingFiles=True)
    query.awaitTermination()
    losses = [(Path(loss.file).name, loss.reason) for loss in query.losses]
    assert failures == [ForeachBatchError, FileMissingError]
    assert (losses, seen) == (
        [("b.csv", "file is gone (ignoreMissingFiles)")],
        ["failed", "1"],
    )


def test_moved_files_are_read_once_and_told_of(stream: Stream) -> None:
    archive = stream.root / "archive"
    given = {CLEAN: "MOVE", RETENTION: "0 seconds", DESTINATION: str(archive)}
    stream.land("a.csv", 1)
    stream.land("d/b.csv", 2, at=2)
    first = stream.run(**given)
    stream.land("c.csv", 3, at=3)
    second = stream.run(**given)
    facts = [
        (Path(str(row["path"])).name, row["archive_mode"], Path(str(row["move_location"])).name)
        for row in cloud_files_state(stream.root / "checkpoint")
    ]
    left = [path for path in stream.landing.rglob("*") if path.is_file()]
    assert (first, second, left) == (["1", "2"], ["1", "2", "3"], [])
    assert facts == [(name, "MOVE", name) for name in ("a.csv", "b.csv", "c.csv")]
    assert (archive / "d" / "b.csv").read_text() == "id\n2\n"


def test_destination_in_the_landing_folder_is_refused_by_load(stream: Stream) -> None:
    stream.land("a.csv", 1)
    with pytest.raises(OptionConflictError):
        stream.start(**{CLEAN: "MOVE", DESTINATION: str(stream.landing / "done")})


def test_files_of_a_batch_that_failed_stay(stream: Stream) -> None:
    given = {CLEAN: "MOVE", RETENTION: "0 seconds", DESTINATION: str(stream.root / "archive")}
    stream.land("a.csv", 1)
    stream.run(**given)
    (stream.landing / "b.csv").write_text("id,new\n2,x\n")
    with pytest.raises(StreamingQueryException):
        stream.run(**given)
    assert [path.name for path in stream.landing.iterdir()] == ["b.csv"]

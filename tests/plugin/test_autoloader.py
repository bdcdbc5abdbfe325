from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest

from ingest.errors import (
    NotRunError,
    OptionValueError,
    UnknownFieldException,
    UnknownFormatError,
)
from ingest.testing.autoloader import Autoloader
from ingest.testing.landing_files import Landing

if TYPE_CHECKING:
    from pathlib import Path

NOON = dt.datetime(2026, 1, 5, 12, tzinfo=dt.UTC)
TYPED = {"cloudFiles.inferColumnTypes": True}


@pytest.fixture
def landing(tmp_path: Path) -> Landing:
    return Landing(tmp_path / "landing", now=lambda: NOON)


@pytest.fixture
def stream(landing: Landing, tmp_path: Path) -> Autoloader:
    return Autoloader(landing, tmp_path / "state", options=TYPED, mode=None, now=lambda: NOON)


def test_a_stop_is_in_error_and_asked_for_once_it_is_looked_at(
    landing: Landing, stream: Autoloader
) -> None:
    landing.csv("1.csv", "id\n1")
    stream.run()
    landing.csv("2.csv", "id,age\n2,25")

    stream.run()

    unasked = stream.unasked_error
    assert isinstance(unasked, UnknownFieldException)
    assert stream.error is unasked
    assert stream.unasked_error is None


def test_a_stream_runs_until_it_is_stable(landing: Landing, stream: Autoloader) -> None:
    landing.csv("1.csv", "id\n1")
    stream.run()
    landing.csv("2.csv", "id,age\n2,25")

    assert stream.run_until_stable().error is None
    assert stream.rows == [(1, None), (2, 25)]
    assert [outcome.condition for outcome in stream.outcomes] == [
        None,
        "UNKNOWN_FIELD_EXCEPTION.NEW_FIELDS_IN_FILE",
        None,
    ]


def test_what_mode_none_loses_is_in_the_ledger(landing: Landing, stream: Autoloader) -> None:
    stream.mode = "none"
    landing.csv("1.csv", "id\n1")
    stream.run()
    landing.csv("2.csv", "id\nx")

    stream.run()

    assert [(entry.column, entry.count) for entry in stream.ledger] == [("id", 1)]
    assert stream.story()[-1].startswith("  lost: 2.csv: column id: 1 dropped, e.g. x (")


def test_a_refused_column_is_told_with_what_lets_it_in(
    landing: Landing, stream: Autoloader
) -> None:
    stream.mode = "failOnNewColumns"
    landing.csv("1.csv", "id\n1")
    stream.run()
    landing.csv("2.csv", "id,age\n2,25")

    stream.run()

    assert stream.story()[-2:] == (
        "  2.csv: column age: not there -> INT",
        (
            "  what to do: take the column out of the file, or let it in with"
            ' .option("cloudFiles.schemaHints", "age INT"), or choose mode addNewColumns'
        ),
    )


def test_rescued_json_is_told_with_its_types(landing: Landing, stream: Autoloader) -> None:
    stream.mode = "rescue"
    landing.json("1.json", [{"id": 1, "s": {"a": 1}}])
    stream.run()
    landing.json("2.json", [{"id": 1.5, "s": {"a": 1}, "ID": 3}])

    stream.run()

    assert [line for line in stream.story() if "2.json: " in line] == [
        "  2.json: column ID: not there -> BIGINT, e.g. '3'",
        "  2.json: column id: BIGINT -> DOUBLE, e.g. '1.5'",
    ]
    assert any("the schema has id: write the name as it does" in line for line in stream.story())


def test_a_schema_of_the_users_is_the_schema(landing: Landing, stream: Autoloader) -> None:
    stream.user_schema = "id INT, name STRING"
    stream.option("header", "true")
    landing.csv("1.csv", "name,id\nAnn,1")

    stream.run()

    assert stream.schema == "id INT, name STRING"
    assert stream.version is None
    assert stream.rows == [(1, "Ann")]


def test_a_file_below_a_folder_is_named_by_its_path(landing: Landing, stream: Autoloader) -> None:
    stream.mode = "rescue"
    landing.csv("a/1.csv", "id\n1")
    stream.run()
    landing.csv("a/b c.csv", "id\nx")

    stream.run()

    assert stream.rescued == [{"id": "x", "_file_path": "a/b c.csv"}]


def test_a_mode_that_does_not_exist_is_the_streams_error(
    landing: Landing, stream: Autoloader
) -> None:
    stream.mode = "resque"
    landing.csv("1.csv", "id\n1")

    stream.run()

    assert isinstance(stream.error, OptionValueError)
    assert "resque" in "\n".join(stream.story())


def test_the_format_is_told_by_the_files_or_has_to_be_said(
    landing: Landing, stream: Autoloader
) -> None:
    with pytest.raises(UnknownFormatError) as none:
        stream.run()
    landing.text("a.dat.gz", "x")
    with pytest.raises(UnknownFormatError) as unknown:
        stream.run()

    assert none.value.names == ()
    assert unknown.value.names == ("a.dat.gz",)
    assert stream.story() == ("the stream has not run: call autoloader.run()",)


def test_a_stream_that_has_not_run_has_nothing(stream: Autoloader) -> None:
    with pytest.raises(NotRunError):
        stream.restart()
    with pytest.raises(NotRunError):
        _ = stream.outcome
    assert (stream.error, stream.version, stream.ledger, stream.warnings) == (None, None, [], [])

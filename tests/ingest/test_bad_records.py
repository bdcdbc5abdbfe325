"""`badRecordsPath`: what is written there, when, and that a crash loses none of it (contract 10).

Databricks, "Handle bad records and files".
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest import Session
from ingest.cli import cli
from ingest.errors import (
    BadRecordsNotWritableError,
    FileMissingError,
    FileNotReadableError,
    MalformedRecordError,
    OptionConflictError,
    UnknownFieldException,
)
from ingest.formats.csv_files import CsvFormat
from ingest.loading import load_stream
from ingest.options import resolve_options
from ingest.progress import BatchProgress, QueryFacts, Reading, progress_to_json
from ingest.read_batch import Findings
from ingest.sinks.manifest import MANIFEST
from ingest.sinks.parquet_table import ParquetTable
from ingest.stream import StreamRun, run
from ingest.stream_options import CsvOptions, ParseMode
from ingest.table_reader import read_parquet_table
from ingest.trigger import AvailableNow
from schema_store.types import Field, IntegerType, StringType, StructType
from tests.ingest.crashes import CrashPoint, Moment, SimulatedCrashError, durable_effects
from tests.ingest.csv_support import land, reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.file_entry import FileEntry

NOW = dt.datetime(2030, 12, 31, 23, 59, 58, tzinfo=dt.UTC)


class World:
    """A landing folder of CSV and where the stream puts things."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.bad = root / "bad"
        self.options: dict[str, object] = {
            "cloudFiles.format": "csv",
            "cloudFiles.schemaLocation": root / "schema",
            "badRecordsPath": self.bad,
        }
        (root / "landing").mkdir()

    def land(self, name: str, *lines: str) -> Path:
        path = self.root / "landing" / name
        path.write_text("".join(f"{line}\n" for line in lines))
        return path

    def start(self) -> list[BatchProgress]:
        given = {name: value for name, value in self.options.items() if value is not None}
        options = resolve_options(given, conf={}, user_schema=None, today=NOW.date())
        reports: list[BatchProgress] = []
        stream = StreamRun(
            load_stream(str(self.root / "landing"), options, at=NOW),
            ParquetTable(self.root / "table"),
            checkpoint_location=self.root / "checkpoint",
            trigger=AvailableNow(),
            now=lambda: NOW,
            stopped=lambda: False,
            reading=Reading(),
            report=reports.append,
        )
        run(stream, new_id="query", opened=lambda _: None)
        return reports

    def ids(self) -> list[Any]:
        if not (self.root / "table" / MANIFEST / "0").exists():
            return []
        ids: list[Any] = read_parquet_table(self.root / "table")[1].column("id").to_pylist()
        return ids

    def files(self) -> list[Path]:
        return sorted(path for path in self.bad.rglob("*") if path.is_file())

    def lines(self) -> list[dict[str, str]]:
        return [json.loads(line) for file in self.files() for line in _lines(file)]

    def records(self) -> list[str]:
        return [line["record"] for line in self.lines()]

    def commits(self) -> int:
        return len(list((self.root / "checkpoint" / "commits").glob("[0-9]*")))


def _lines(file: Path) -> list[str]:
    return file.read_text().splitlines()


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_bad_records_are_json_lines_under_the_time_of_the_attempt(world: World) -> None:
    file = world.land("a.csv", "id,v", "1,x", "2", '3,"y",z')

    (report,) = world.start()

    assert world.ids() == ["1"]
    (written,) = world.files()
    assert written.relative_to(world.bad).parts[:2] == ("20301231T235958", "bad_records")
    assert written.name.startswith("part-00000-query-")
    why = "[MALFORMED_CSV_RECORD]"
    assert world.lines() == [
        {"path": file.as_uri(), "record": "2", "reason": f"{why} 1 cells, expected 2"},
        {"path": file.as_uri(), "record": '3,"y",z', "reason": f"{why} 3 cells, expected 2"},
    ]
    facts = QueryFacts("query", "run", None, "", "")
    ours = progress_to_json(report, facts)["ingest"]
    assert isinstance(ours, dict)
    assert (ours["badRecords"], ours["ledgerEntries"]) == (2, [])


def test_a_misfit_is_a_bad_record_where_nothing_is_rescued(world: World) -> None:
    file = world.land("a.csv", "id,n", "1,7", "2,x")
    world.options |= {
        "cloudFiles.schemaHints": "n INT",
        "cloudFiles.schemaEvolutionMode": "none",
    }

    world.start()

    reason = "[MALFORMED_CSV_RECORD] 'x' in column n is no INT"
    assert world.lines() == [{"path": file.as_uri(), "record": "2,x", "reason": reason}]
    assert world.ids() == ["1"]


def test_a_bad_record_of_several_lines_is_whole(world: World) -> None:
    world.land("a.csv", "id,v", '1,"x', 'y"', '2,"p', 'q",r')
    world.options["multiLine"] = True
    world.start()
    assert (world.ids(), world.records()) == (["1"], ['2,"p\nq",r'])


def test_without_bad_records_nothing_is_written(world: World) -> None:
    world.land("a.csv", "id,v", "1,x")
    world.start()
    assert not world.bad.exists()


def test_every_batch_writes_its_own(world: World) -> None:
    world.options["cloudFiles.maxFilesPerTrigger"] = 1
    for name in "abc":
        world.land(f"{name}.csv", "id,v", f"{name},x", f"{name}!")
    world.start()
    assert [file.name.split("-")[1] for file in world.files()] == ["00000", "00001", "00002"]
    assert sorted(world.records()) == ["a!", "b!", "c!"]
    assert not list(world.bad.rglob(".*"))


def test_a_stopped_batch_writes_its_bad_records_once(world: World) -> None:
    world.land("a.csv", "id,v", "1,x")
    world.start()
    world.land("b.csv", "id,v,new", "2,x,y", "3")
    with pytest.raises(UnknownFieldException):
        world.start()
    assert world.files() == []

    world.start()

    assert (world.ids(), world.records()) == (["1", "2"], ["3"])


def test_what_the_stream_writes_into_its_landing_folder_is_no_data(world: World) -> None:
    world.options["badRecordsPath"] = world.bad = world.root / "landing" / "bad"
    world.land("a.csv", "id,v", "1,x", "2")
    for _ in range(2):
        world.start()
    assert (world.ids(), world.records(), world.commits()) == (["1"], ["2"], 1)


def test_bad_records_path_around_the_landing_folder_is_refused(world: World) -> None:
    world.options["badRecordsPath"] = world.root
    world.land("a.csv", "id,v")
    with pytest.raises(OptionConflictError) as caught:
        world.start()
    assert caught.value.keys == ("load path", "badRecordsPath")


def test_bad_records_path_that_cannot_be_written(world: World) -> None:
    (world.root / "taken").write_text("a file")
    world.options["badRecordsPath"] = world.root / "taken" / "bad"
    world.land("a.csv", "id,v", "1,x", "2")

    with pytest.raises(BadRecordsNotWritableError) as caught:
        world.start()

    assert caught.value.where.startswith(str(world.root / "taken"))
    assert caught.value.reason
    assert (world.ids(), world.commits()) == ([], 0)


def test_bad_records_path_is_mapped_like_other_paths(tmp_path: Path) -> None:
    (tmp_path / "landing").mkdir()
    (tmp_path / "landing" / "a.csv").write_text("id,v\n1\n")
    session = Session(warehouse=tmp_path / "lake", path_map={"dbfs:/bad": str(tmp_path / "bad")})
    reader = session.readStream.format("cloudFiles").option("cloudFiles.format", "csv")
    reader = reader.option("cloudFiles.schemaLocation", tmp_path / "schema")
    writer = reader.option("badRecordsPath", "dbfs:/bad").load(tmp_path / "landing").writeStream
    writer = writer.format("parquet").option("checkpointLocation", tmp_path / "checkpoint")

    writer.trigger(availableNow=True).toTable("t").awaitTermination()

    assert len(list(tmp_path.glob("bad/*/bad_records/part-*"))) == 1


def test_the_command_line_counts_bad_records(world: World) -> None:
    world.land("a.csv", "id,v", "1,x", "2")
    arguments = ["run", str(world.root / "landing"), "--format", "csv", "--to", "people"]
    arguments += ["--option", f"badRecordsPath={world.bad}"]
    with contextlib.chdir(world.root):
        told = CliRunner().invoke(cli, arguments)
    assert "bad     1 record in badRecordsPath, not in the table" in told.output
    assert world.records() == ["2"]


def crash_points() -> Iterator[CrashPoint]:
    return (CrashPoint(effect, moment) for effect in count() for moment in Moment)


def test_no_record_is_lost_whenever_the_process_dies(tmp_path: Path) -> None:
    clean = _story(Path(mkdtemp(dir=tmp_path)), None)
    assert clean > 5
    for point in crash_points():
        if point.effect == clean:
            break
        _story(Path(mkdtemp(dir=tmp_path)), point)


def _story(root: Path, point: CrashPoint | None) -> int:
    """Run two batches, die at a point, start again; give how many effects there were."""
    world = World(root)
    world.options["cloudFiles.maxFilesPerTrigger"] = 1
    for name in "ab":
        world.land(f"{name}.csv", "id,v", f"{name},x", f"{name}!")
    with durable_effects(point) as effects, contextlib.suppress(SimulatedCrashError):
        world.start()
    world.start()
    assert world.ids() == ["a", "b"], point
    assert set(world.records()) == {"a!", "b!"}, point
    return effects.done


def planned_then_gone(world: World) -> Path:
    """Plan a batch of two files, and give the second one, which is not read yet."""
    world.options |= {"badRecordsPath": None, "mode": "FAILFAST"}
    world.land("a.csv", "id,v", "1,x", "2")
    later = world.land("b.csv", "id,v", "3,z")
    with pytest.raises(MalformedRecordError):
        world.start()
    later.unlink()
    world.options |= {"badRecordsPath": world.bad, "mode": "PERMISSIVE"}
    return later


def test_a_missing_file_is_recorded_and_passed_over(world: World) -> None:
    gone = planned_then_gone(world)

    world.start()

    files = [file for file in world.files() if file.parent.name == "bad_files"]
    assert [json.loads(line) for file in files for line in _lines(file)] == [
        {
            "path": gone.as_uri(),
            "reason": "[FAILED_READ_FILE.FILE_NOT_EXIST] No such file or directory",
        }
    ]
    assert world.ids() == ["1"]


def test_a_file_that_cannot_be_opened_is_recorded_and_passed_over(world: World) -> None:
    planned_then_gone(world).mkdir()

    world.start()

    (file,) = (file for file in world.files() if file.parent.name == "bad_files")
    (line,) = _lines(file)
    assert json.loads(line)["reason"] == "[FAILED_READ_FILE.NO_HINT] Is a directory"
    assert world.ids() == ["1"]


# contract 10
def test_without_bad_records_path_a_file_that_cannot_be_read_stops_the_stream(
    world: World,
) -> None:
    file = planned_then_gone(world)
    file.mkdir()
    world.options["badRecordsPath"] = None

    with pytest.raises(FileNotReadableError) as caught:
        world.start()

    assert caught.value.where == file.as_uri()
    assert caught.value.reason == "Is a directory"
    assert "FAILED_READ_FILE.NO_HINT" in str(caught.value)
    assert (world.ids(), world.commits()) == ([], 0)


def test_a_file_whose_folder_has_become_a_file_is_missing(world: World) -> None:
    (world.root / "landing" / "sub").mkdir()
    file = world.land("sub/a.csv", "id,v", "1")
    world.options |= {"badRecordsPath": None, "mode": "FAILFAST"}
    with pytest.raises(MalformedRecordError):
        world.start()
    file.unlink()
    file.parent.rmdir()
    file.parent.write_text("")

    with pytest.raises(FileMissingError) as caught:
        world.start()

    assert caught.value.where == file.as_uri()


CORRUPT = Field("_corrupt_record", StringType())
SCHEMA = StructType((Field("i", IntegerType()), Field("s", StringType()), CORRUPT))
texts = st.sampled_from(["1", "x", "", '"q"', "é", '"a\nb"', '""x"', "#"])
records = st.lists(
    st.lists(texts, min_size=1, max_size=4).map(",".join),
    max_size=8,
)
dialects = st.sampled_from(
    [
        CsvOptions(),
        CsvOptions(escape='"'),
        CsvOptions(multi_line=True),
        CsvOptions(multi_line=True, escape='"'),
        CsvOptions(comment="#"),
        CsvOptions(ignore_leading_white_space=True, ignore_trailing_white_space=True),
    ]
)


def read_all(
    entries: list[FileEntry], csv: CsvOptions, **changes: Any
) -> tuple[list[Any], list[str], Findings]:
    """Give rows, bad records and findings of all files."""
    rows: list[Any] = []
    bad: list[str] = []
    findings = Findings()
    for batch in CsvFormat(csv, reading(**changes)).read(entries, SCHEMA):
        rows += batch.rows.to_pylist()
        bad += [one.record for one in batch.bad]
        findings += batch.findings
    return rows, bad, findings


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(landed=st.lists(records, min_size=1, max_size=3), csv=dialects, rescue=st.booleans())
def test_bad_records_are_those_that_the_other_modes_drop_or_mark(
    tmp_path: Path, landed: list[list[str]], csv: CsvOptions, *, rescue: bool
) -> None:
    contents = {f"{at}.csv": "\n".join(["i,s", *one]).encode() for at, one in enumerate(landed)}
    entries = land(tmp_path, contents)
    column = "_rescued_data" if rescue else None

    rows, bad, findings = read_all(
        entries, csv, rescued_column=column, bad_records_path=tmp_path / "bad"
    )

    dropping = {"rescued_column": column, "parse_mode": ParseMode.DROPMALFORMED}
    kept, _, dropped = read_all(entries, csv, **dropping)
    marked, _, _ = read_all(entries, csv, rescued_column=column)
    assert rows == kept == [row for row in marked if row[CORRUPT.name] is None]
    assert bad == [row[CORRUPT.name] for row in marked if row[CORRUPT.name] is not None]
    assert findings.bad_records == len(bad) == _records_lost(dropped)
    assert _records_lost(findings) == 0


def _records_lost(findings: Findings) -> int:
    return sum(one.count for one in findings.losses if one.column is None)

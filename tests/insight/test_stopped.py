"""Why a stream's last run ended, and what a restart does; nothing on disk changes."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import pytest

from ingest.checkpoint import open_checkpoint
from ingest.errors import DamagedCheckpointError, IngestError, StateNotWritableError
from ingest.insight.stopped import Ending, Explanation, FileFate, explain_stream
from ingest.last_stop import NAME, LastStop, read_last_stop, recording_stop
from ingest.session import Session

if TYPE_CHECKING:
    from pathlib import Path

FIRST = "id,name\n1,Ann\n"
SECOND = "id,name,age\n2,Bob,7\n"


class Stream:
    """A landing folder, a table and a state folder below one root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.landing = root / "in"
        self.landing.mkdir()

    def land(self, name: str, text: str) -> Path:
        path = self.landing / name
        path.write_text(text)
        return path

    def run(self, **options: Any) -> None:
        spark = Session(warehouse=self.root)
        reader = spark.readStream.format("cloudFiles").option("cloudFiles.format", "csv")
        for key, value in options.items():
            reader = reader.option(f"cloudFiles.{key}", value)
        rows = reader.option("cloudFiles.schemaLocation", f"{self.root}/schema").load(self.landing)
        writer = rows.writeStream.option("mergeSchema", "true").trigger(availableNow=True)
        place = writer.option("checkpointLocation", f"{self.root}/checkpoint")
        place.start(str(self.root / "table")).awaitTermination()

    def fail(self, **options: Any) -> None:
        with pytest.raises(IngestError):
            self.run(**options)

    def explain(self) -> Explanation:
        before = snapshot(self.root)
        found = explain_stream(self.root / "checkpoint", self.root / "schema")
        assert snapshot(self.root) == before
        return found


def snapshot(root: Path) -> dict[Path, tuple[int, bytes]]:
    files = (path for path in root.rglob("*") if path.is_file())
    folders = {path: (path.stat().st_mtime_ns, b"") for path in root.rglob("*") if path.is_dir()}
    return folders | {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


@pytest.fixture
def stream(tmp_path: Path) -> Stream:
    return Stream(tmp_path)


def test_a_stream_that_is_done(stream: Stream) -> None:
    stream.land("1.csv", FIRST)
    stream.run()
    found = stream.explain()

    assert found.ending is Ending.SETTLED
    assert (found.batches.committed, found.batches.waiting) == (1, (0, 0))
    assert found.holder is None


def test_a_stream_that_stopped_to_evolve(stream: Stream) -> None:
    stream.land("1.csv", FIRST)
    stream.run()
    stream.land("2.csv", SECOND)
    stream.fail()
    found = stream.explain()

    assert found.ending is Ending.EVOLVED
    assert found.version is not None
    assert found.version.number == 1
    assert found.note is not None
    assert found.note.type == "UnknownFieldException"
    assert [file.fate for file in found.batches.files] == [FileFate.SAME]

    stream.run()
    assert stream.explain().ending is Ending.SETTLED
    assert not (stream.root / "checkpoint" / NAME).exists()


def test_evolution_is_known_by_the_audit_without_a_note(stream: Stream) -> None:
    stream.land("1.csv", FIRST)
    stream.run()
    stream.land("2.csv", SECOND)
    stream.fail()
    (stream.root / "checkpoint" / NAME).unlink()

    assert stream.explain().ending is Ending.EVOLVED


def test_a_refused_batch_and_its_files(stream: Stream) -> None:
    stream.land("1.csv", FIRST)
    stream.run()
    changed, gone = stream.land("2.csv", SECOND), stream.land("3.csv", SECOND)
    stream.fail(schemaEvolutionMode="failOnNewColumns")
    os.utime(changed, (1, 1))
    gone.unlink()
    found = stream.explain()

    assert found.ending is Ending.REFUSED
    assert found.batches.fields == ("age STRING",)
    assert [file.fate for file in found.batches.files] == [FileFate.CHANGED, FileFate.GONE]


def test_an_error_is_told_with_its_text(stream: Stream) -> None:
    stream.land("1.csv", FIRST)
    stream.run()
    (stream.landing / "2.csv").write_bytes(b"\x89PNG\r\n\x1a\n")
    stream.fail()
    found = stream.explain()

    assert found.ending is Ending.FAILED
    assert found.note is not None
    assert "2.csv" in found.note.message


def test_a_run_after_an_evolution_that_fails_otherwise_has_failed(stream: Stream) -> None:
    stream.land("1.csv", FIRST)
    stream.run()
    file = stream.land("2.csv", SECOND)
    stream.fail()
    file.unlink()
    stream.fail()
    found = stream.explain()

    assert found.ending is Ending.FAILED
    assert [one.fate for one in found.batches.files] == [FileFate.GONE]


def test_a_killed_run_is_told_as_interrupted(stream: Stream) -> None:
    stream.land("1.csv", FIRST)
    script = f"""
        import os, signal
        from pathlib import Path
        from ingest.checkpoint import PlannedBatch, open_checkpoint
        from ingest.file_entry import BatchId, ListedFile, SeqNum
        from ingest.file_state import open_file_state
        with open_checkpoint(Path({str(stream.root / "checkpoint")!r}), new_id="q") as checkpoint:
            with open_file_state(checkpoint.file_state_path) as files:
                listed = [ListedFile(b"/in/" + name, 5, 1) for name in (b"a", b"b")]
                files.discover(listed, allow_overwrites=False, include_existing=True, now_ms=1)
                checkpoint.plan(PlannedBatch(BatchId(0), SeqNum(0), SeqNum(1)), now_ms=1)
                os.kill(os.getpid(), signal.SIGKILL)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=False)
    found = stream.explain()

    assert found.ending is Ending.INTERRUPTED
    assert found.query_id == "q"
    assert found.holder is not None
    assert found.holder.is_held is False
    assert found.batches.waiting == (1, 5)


def test_a_stream_that_is_running_is_told_and_not_disturbed(stream: Stream) -> None:
    with open_checkpoint(stream.root / "checkpoint", new_id="q"):
        found = stream.explain()

        assert found.ending is Ending.RUNNING
        assert found.holder is not None
        assert found.holder.is_held is True


def test_a_folder_without_a_checkpoint_is_refused_and_stays_empty(tmp_path: Path) -> None:
    with pytest.raises(DamagedCheckpointError, match="checkpointLocation"):
        explain_stream(tmp_path, None)

    assert list(tmp_path.iterdir()) == []


def test_a_checkpoint_that_never_planned(tmp_path: Path) -> None:
    with open_checkpoint(tmp_path, new_id="q"):
        pass

    assert explain_stream(tmp_path, None).ending is Ending.NOT_RUN


def test_a_file_state_that_cannot_be_read_is_told(stream: Stream) -> None:
    stream.land("1.csv", FIRST)
    stream.run()
    state = stream.root / "checkpoint" / "sources" / "0" / "file_state.db"
    state.write_bytes(b"no database" * 100)
    found = stream.explain()

    assert found.batches.trouble is not None
    assert found.batches.waiting is None


def test_the_note_keeps_an_errors_facts(tmp_path: Path) -> None:
    with pytest.raises(StateNotWritableError), recording_stop(tmp_path):
        raise StateNotWritableError("/x", "No space left")

    note = read_last_stop(tmp_path)
    assert note is not None
    assert (note.type, note.condition) == ("StateNotWritableError", None)
    assert "no space left" in note.message


def test_a_crash_leaves_no_note_and_a_start_removes_an_old_one(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"{}")
    with pytest.raises(KeyboardInterrupt), recording_stop(tmp_path):
        raise KeyboardInterrupt

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b'{"version":2}', b'{"version":"x"}'])
def test_a_note_that_cannot_be_understood_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)

    assert read_last_stop(tmp_path) is None


def test_a_note_of_an_error_that_is_not_ours(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), recording_stop(tmp_path):
        raise ZeroDivisionError("\udc80")

    assert read_last_stop(tmp_path) == LastStop("ZeroDivisionError", None, "?", "")

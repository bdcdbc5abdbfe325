"""Write a checkpoint with its schema location and table, as this version of the program does.

    python tests/golden/checkpoints/write.py tests/golden/checkpoints/<name> delta|parquet

What it writes is kept for ever as an input of `tests/ingest/test_golden_checkpoints.py`, so it is
run once for each format of the state, with the version that had this format, and never again:

    format_1_parquet             file state of version 1, written by commit ded2a17
    format_2_delta, ..._parquet  file state of version 2

Two batches are done. The third one is planned and not done, as its file has a new column: the
stream has stored schema version 1 and stopped. The folder's own path is stored as /golden.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path

from ingest import Session
from ingest.errors import StreamingQueryException

FILES = {
    "1.csv": "id,name\n1,one\n2,two\n",
    "2.csv": "id,name\n3,three\n",
    "3.csv": "id,name,age\n4,four,44\n",
}
KEPT_AS = b"/golden"


def write(root: Path, table: str) -> None:
    """Land the files one by one, and run the stream for each."""
    (root / "landing").mkdir(parents=True)
    for name, text in FILES.items():
        (root / "landing" / name).write_text(text, encoding="utf-8")
        with suppress(StreamingQueryException):
            run(root, table)
    (root / "checkpoint" / ".lock").unlink(missing_ok=True)
    place = bytes(root.resolve())
    for path in [*root.glob("checkpoint/.last_stop"), *root.glob("schema/_schemas/.audit/*")]:
        path.write_bytes(path.read_bytes().replace(place, KEPT_AS))
    move_file_state(root / "checkpoint/sources/0/file_state.db", place, KEPT_AS)


def move_file_state(path: Path, old: bytes, new: bytes) -> None:
    """Have the files of a file state lie somewhere else."""
    with closing(sqlite3.connect(path)) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        table = "files" if version == 1 else "folders"
        length = len(old)
        for known in {known for (known,) in db.execute(f"SELECT path FROM {table}")}:
            moved = new + known[length:]
            db.execute(f"UPDATE {table} SET path = ? WHERE path = ?", (moved, known))
        db.commit()


def run(root: Path, table: str) -> None:
    """Run the stream over what has landed."""
    (
        Session(warehouse=root)
        .readStream.format("cloudFiles")
        .option("cloudFiles.format", "csv")
        .option("cloudFiles.inferColumnTypes", "true")
        .option("cloudFiles.schemaLocation", root / "schema")
        .load(root / "landing")
        .writeStream.format(table)
        .option("checkpointLocation", root / "checkpoint")
        .option("mergeSchema", "true")
        .trigger(availableNow=True)
        .toTable("table")
        .awaitTermination()
    )


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2])

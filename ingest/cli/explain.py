"""`ingest explain`: why a stream's last run ended and what a restart will do, in lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from ingest.cli.cutting import cut
from ingest.cli.display import counted
from ingest.cli.paragraphs import short_name, wrapped
from ingest.cli.text_table import align
from ingest.insight.stopped import Ending, FileFate, explain_stream
from schema_store.ddl import to_ddl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ingest.insight.stopped import Explanation, WaitingFile

SHOWN_FILES = 5
"""Files of an unfinished batch that the text shows, those that are gone or changed first."""

MESSAGE_WIDTH = 600


def explain_lines(state: Path, schema_location: Path | None, *, as_json: bool) -> Iterator[str]:
    """Explain a stream by its state folder or its checkpoint; reads only.

    Raises `DamagedCheckpointError`, and what the schema store raises.
    """
    checkpoint = _checkpoint(state)
    known = explain_stream(checkpoint, schema_location or _schema_location(state, checkpoint))
    if as_json:
        yield orjson.dumps(_document(checkpoint, known), option=orjson.OPT_INDENT_2).decode()
        return
    yield f"{state}: {_headline(known)}"
    yield ""
    for label, text in _facts(known):
        yield from wrapped(text, indent=f"{label:9}", hanging=" " * 9)
    yield from _restart_lines(known)


def _checkpoint(state: Path) -> Path:
    inner = state / "checkpoint"
    is_one = (state / "metadata").is_file() and (state / "offsets").is_dir()
    return inner if inner.is_dir() and not is_one else state


def _schema_location(state: Path, checkpoint: Path) -> Path | None:
    """Look for the schema history where `ingest run` puts it, or in the checkpoint (3.4)."""
    places = (state / "schema", state, checkpoint, checkpoint.parent / "schema")
    return next((place for place in places if (place / "_schemas").is_dir()), None)


def _headline(known: Explanation) -> str:
    last = known.batches.last
    batch = "" if last is None else f"batch {last.batch_id}"
    match known.ending:
        case Ending.RUNNING:
            return "seems to be running"
        case Ending.NOT_RUN:
            return "no batch was planned yet"
        case Ending.SETTLED:
            return f"settled: {batch} and all before it are done"
        case Ending.WAITING:
            return f"{batch} is done, more files are known"
        case Ending.EVOLVED:
            return f"stopped to evolve in {batch}"
        case Ending.REFUSED:
            return f"refused new columns in {batch}"
        case Ending.FAILED if known.batches.unfinished:
            return f"failed in {batch}"
        case Ending.FAILED:
            return "failed between batches"
        case Ending.INTERRUPTED:
            return f"was interrupted in {batch}"


def _facts(known: Explanation) -> Iterator[tuple[str, str]]:
    yield "why", _why(known)
    if known.ending is Ending.EVOLVED and known.audit is not None:
        for cause in known.audit.causes:
            value = "" if cause.value is None else f", {cut(cause.value, 40)!r}"
            yield "", f"{cause.column}: {cause.change} ({short_name(cause.file)}{value})"
    yield "schema", _schema(known)
    yield "lock", _lock(known)
    done = known.batches.committed
    yield "batches", f"{done:,} done{', 1 begun' if known.batches.unfinished else ''}"
    losses = known.losses
    if losses.dropped or losses.changed:
        lost = f"{losses.dropped:,} dropped, {losses.changed:,} changed"
        yield "losses", f"{lost} ({losses.in_last:,} in the last batch)"


def _why(known: Explanation) -> str:
    note = known.note
    match known.ending:
        case Ending.RUNNING:
            return "it has not ended, as far as the lock tells"
        case Ending.NOT_RUN | Ending.SETTLED | Ending.WAITING:
            return "the last run ended without an error, or stopped between batches"
        case Ending.INTERRUPTED:
            return "nobody noted an error: the process was killed, or stopped by hand"
        case Ending.EVOLVED:
            return "new fields or wider types; the new schema version is stored"
        case Ending.REFUSED:
            fields = ", ".join(known.batches.fields or ())
            return f"failOnNewColumns, and the files have {fields}"
        case Ending.FAILED if note is not None:
            return cut(note.message, MESSAGE_WIDTH)
        case Ending.FAILED:
            return "a file of the batch is of another format"


def _schema(known: Explanation) -> str:
    version = known.version
    if version is None:
        return "no schema location found here (--schema-location), or the stream was given a schema"
    return f"version {version.number}: {to_ddl(version.schema)}"


def _lock(known: Explanation) -> str:
    holder = known.holder
    if holder is None:
        return "free"
    if holder.is_held is None:
        return f"{holder.name} says to hold it; it cannot be found out whether it does"
    word = "held by" if holder.is_held else "free; left behind by"
    return f"{word} {holder.name}"


def _restart_lines(known: Explanation) -> Iterator[str]:
    for number, step in enumerate(_steps(known)):
        label = "restart" if number == 0 else ""
        yield from wrapped(step, indent=f"{label:9}", hanging=" " * 11)
        if number == 0:
            yield from _file_lines(known.batches.files)


def _steps(known: Explanation) -> Iterator[str]:
    """Tell what a restart does, in order."""
    batches = known.batches
    if known.ending is Ending.RUNNING:
        yield "is refused (CONCURRENT_QUERY) as long as the lock is held"
    if batches.unfinished:
        yield from _steps_of_batch(known)
    if batches.trouble is not None:
        yield f"the files are not known here: {batches.trouble}"
    if batches.waiting is not None and batches.waiting[0]:
        files, size = batches.waiting
        yield f"takes {counted(files, 'file')} ({size:,} bytes) that are known already"
    yield "lists the landing folder and takes what is new"


def _steps_of_batch(known: Explanation) -> Iterator[str]:
    """Tell what becomes of the batch that was begun and not finished."""
    batches, version = known.batches, known.version
    assert batches.last is not None, "a batch was begun"
    under = "" if version is None else f" under schema version {version.number}"
    files = counted(len(batches.files), "file")
    again = f"reads batch {batches.last.batch_id} again{under}, with the same {files}"
    stopped = known.ending in {Ending.EVOLVED, Ending.REFUSED}
    yield again if stopped else f"{again}; if the table has it already, nothing is read"
    gone = sum(one.fate is FileFate.GONE for one in batches.files)
    if gone and batches.fields is not None:
        yield f"leaves out {counted(gone, 'file')}, gone by now, with a ledger entry"
    elif gone:
        yield "fails (FAILED_READ_FILE.FILE_NOT_EXIST) until what is gone is back"
    if known.ending is Ending.REFUSED and gone < len(batches.files):
        yield (
            "is refused again, unless the files are removed or the columns are added with"
            " cloudFiles.schemaHints, the schema or mode addNewColumns"
        )


def _file_lines(files: tuple[WaitingFile, ...]) -> Iterator[str]:
    shown = sorted(files, key=lambda one: one.fate is FileFate.SAME)[:SHOWN_FILES]
    rows = [(short_name(one.uri), f"{one.size:,} bytes", one.fate.value) for one in shown]
    if rows:
        yield from (f"{'':11}{line}" for line in align(rows))
    if len(files) > len(shown):
        yield f"{'':11}… and {counted(len(files) - len(shown), 'file')} more (--json has all)"


def _document(checkpoint: Path, known: Explanation) -> dict[str, object]:
    batches, holder, note, version = known.batches, known.holder, known.note, known.version
    return {
        "checkpoint": str(checkpoint),
        "ending": known.ending.value,
        "queryId": known.query_id,
        "why": _why(known),
        "error": None
        if note is None
        else {"type": note.type, "condition": note.condition, "message": note.message},
        "lastBatch": None if batches.last is None else batches.last.batch_id,
        "batchesDone": batches.committed,
        "readAgain": [
            {"file": one.uri, "size": one.size, "state": one.fate.value} for one in batches.files
        ],
        "waitingFiles": None if batches.waiting is None else batches.waiting[0],
        "waitingBytes": None if batches.waiting is None else batches.waiting[1],
        "refusedFields": None if batches.fields is None else list(batches.fields),
        "schemaVersion": None if version is None else version.number,
        "schema": None if version is None else to_ddl(version.schema),
        "causes": [
            {
                "file": one.file,
                "column": one.column,
                "change": one.change,
                "value": one.value,
            }
            for one in (() if known.audit is None else known.audit.causes)
        ],
        "lock": None if holder is None else {"name": holder.name, "held": holder.is_held},
        "losses": {
            "dropped": known.losses.dropped,
            "changed": known.losses.changed,
            "inLastBatch": known.losses.in_last,
        },
    }

"""Plays a case: files land, the stream runs, what came out is compared.

A case is a folder with `inputs/<step>/…` and `case.json`: the case's own "Right" line and scenarios
of steps. A step is one of land, land_files, write, delete, rename, touch, options, fresh, run. The
facts of a `run` are all that is asserted: schema, rows (in the order of ingestion) or sorted_rows,
stop, error (or what it is a kind of), message (or parts of it), versions, committed, ledger,
source_schema.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import shutil
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ingest import Session
from ingest.checkpoint import read_ledger
from ingest.errors import IngestError, StreamingQueryException, TableNotFoundError
from ingest.file_entry import BatchId
from ingest.row import Row
from ingest.sinks.parquet_table import MANIFEST
from schema_store.ddl import to_ddl
from schema_store.store import SchemaStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.query import StreamingQuery

FIRST_LANDING = 1_767_225_600
"""Modification time of the first file, in seconds; later ones follow a second apart."""
NON_FINITE = ("nan", "inf", "-inf")
NOT_OPTIONS = ("load", "schema", "conf", "schema_location", "checkpoint")


@dataclass
class World:
    """A stream's folders and options, and how far the story is."""

    root: Path
    inputs: Path
    options: dict[str, Any]
    landed: int = 0
    state: int = 0
    query: StreamingQuery | None = field(default=None)

    @property
    def landing(self) -> Path:
        return self.root / "landing"

    def place(self, name: str) -> Path:
        given = self.options.get(name)
        return self.root / given if given else self.root / f"state{self.state}" / name

    @property
    def session(self) -> Session:
        return Session(
            warehouse=self.root / f"state{self.state}" / "tables",
            conf=self.options.get("conf"),
            now=lambda: dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC),
        )

    def land(self, path: Path, name: str) -> None:
        target = self.landing / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        self.stamp(target)

    def stamp(self, target: Path) -> None:
        moment = FIRST_LANDING + self.landed
        os.utime(target, (moment, moment))
        self.landed += 1

    def start(self) -> None:
        reader = self.session.readStream.format("cloudFiles").option("cloudFiles.format", "csv")
        if "schema" in self.options:
            reader = reader.schema(self.options["schema"])
        elif not any(key.lower() == "header" for key in self.options):
            reader = reader.option("header", "true")
        settings = {k: v for k, v in self.options.items() if k not in NOT_OPTIONS}
        reader = reader.option("cloudFiles.schemaLocation", self.place("schema_location"))
        loaded = reader.options(**settings).load(self.landing / self.options.get("load", ""))
        self.loaded_schema = to_ddl(loaded.schema)
        self.query = (
            loaded.writeStream.format("parquet")
            .option("checkpointLocation", self.place("checkpoint"))
            .trigger(availableNow=True)
            .toTable("t")
        )
        self.query.awaitTermination()

    def rows(self) -> list[list[Any]] | None:
        try:
            table = self.session.table("t")
        except TableNotFoundError:
            return None
        names = table.columns
        return [
            [_plain(value, name) for name, value in zip(names, row, strict=True)]
            for row in table.collect()
        ]


def play(inputs: Path, scenario: dict[str, Any], root: Path) -> None:
    """Play the steps of one scenario in an empty folder."""
    world = World(root, inputs, dict(scenario["options"]))
    world.landing.mkdir()
    for step in scenario["steps"]:
        ((verb, what),) = step.items()
        STEPS[verb](world, what)


def load_scenarios(cases: Path, name: str) -> list[tuple[Path, dict[str, Any]]]:
    """Read all scenarios of all stories told by files of this name, in order."""
    return [
        (path.parent, scenario)
        for path in sorted(cases.glob(f"*/{name}"))
        for scenario in json.loads(path.read_text(encoding="utf-8"))["scenarios"]
    ]


def _land(world: World, step: str) -> None:
    folder = world.inputs / step
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        world.land(path, str(path.relative_to(folder)))


def _land_files(world: World, files: list[str]) -> None:
    for name in files:
        world.land(world.inputs / name, Path(name).name)


def _write(world: World, files: dict[str, str]) -> None:
    for name, text in files.items():
        (world.landing / name).parent.mkdir(parents=True, exist_ok=True)
        (world.landing / name).write_text(text, encoding="utf-8")
        world.stamp(world.landing / name)


def _delete(world: World, name: str) -> None:
    (world.landing / name).unlink()


def _rename(world: World, names: list[str]) -> None:
    (world.landing / names[0]).rename(world.landing / names[1])


def _touch(world: World, what: list[Any]) -> None:
    moment = FIRST_LANDING + what[1]
    os.utime(world.landing / what[0], (moment, moment))


def _options(world: World, options: dict[str, Any]) -> None:
    world.options |= options


def _fresh(world: World, _: bool) -> None:  # noqa: FBT001 - a step's value
    world.state += 1


def _run(world: World, expected: dict[str, Any]) -> None:
    failure = _failure(world)
    if "stop" in expected:
        assert expected["stop"] == _stop(failure)
    elif "error" in expected:
        assert expected["error"] in [kind.__name__ for kind in type(failure).__mro__], failure
        assert [part for part in _parts(expected) if part not in str(failure)] == []
    else:
        assert failure is None, failure
    actual = {name: OBSERVE[name](world) for name in expected if name in OBSERVE}
    if "sorted_rows" in expected:
        expected = expected | {"sorted_rows": _sorted(expected["sorted_rows"])}
    assert {name: expected[name] for name in actual} == actual


def _parts(expected: dict[str, Any]) -> list[str]:
    message = expected.get("message", [])
    return [message] if isinstance(message, str) else message


def _failure(world: World) -> IngestError | None:
    try:
        world.start()
    except StreamingQueryException as error:
        if not isinstance(error.cause, IngestError):
            raise
        return error.cause
    except IngestError as error:
        return error
    return None


def _stop(failure: Any) -> dict[str, Any] | None:
    if failure is None:
        return None
    return {
        "condition": failure.condition,
        "new": list(failure.new_fields),
        "widened": list(failure.widened),
        "retryable": failure.retryable,
        "file": Path(unquote(failure.file)).name,
    }


def _ledger(world: World) -> list[list[Any]]:
    commits = world.place("checkpoint") / "commits"
    entries = [
        entry
        for path in sorted(commits.iterdir(), key=lambda path: int(path.name))
        for entry in read_ledger(world.place("checkpoint"), BatchId(int(path.name)))
    ]
    return [[e.kind.value, Path(unquote(e.file)).name, e.column, e.count] for e in entries]


def _committed(world: World) -> int:
    return len(list((world.place("checkpoint") / "commits").iterdir()))


def _sorted(rows: list[list[Any]] | None) -> list[list[Any]]:
    return sorted(rows or [], key=repr)


def _table_schema(world: World) -> str:
    # a table that no batch has reached has no manifest; then the stream's schema is what counts
    if not (world.session.table_folder("t") / MANIFEST).exists():
        return str(world.loaded_schema)
    return to_ddl(world.session.table("t").schema)


def _plain(value: Any, name: str) -> Any:
    """Give a value as stories spell it: decimals and dates as text, rescued data parsed.

    NaN and the infinities are texts too: NaN does not equal itself. Structs are objects.
    """
    if isinstance(value, Row):
        return {name: _plain(inner, "") for name, inner in value.asDict().items()}
    if isinstance(value, list):
        return [_plain(inner, "") for inner in value]
    if isinstance(value, Decimal | dt.date) or str(value) in NON_FINITE:
        return str(value)
    if name == "_rescued_data" and value is not None:
        rescued = json.loads(value)
        rescued["_file_path"] = Path(unquote(rescued["_file_path"])).name
        return rescued
    return value


OBSERVE: dict[str, Callable[[World], Any]] = {
    "schema": _table_schema,
    "source_schema": lambda world: world.loaded_schema,
    "rows": World.rows,
    "versions": lambda world: len(SchemaStore(world.place("schema_location")).versions()),
    "committed": _committed,
    "sorted_rows": lambda world: _sorted(world.rows()),
    "ledger": _ledger,
}
STEPS: dict[str, Callable[[World, Any], None]] = {
    "land": _land,
    "land_files": _land_files,
    "write": _write,
    "delete": _delete,
    "rename": _rename,
    "touch": _touch,
    "options": _options,
    "fresh": _fresh,
    "run": _run,
}
